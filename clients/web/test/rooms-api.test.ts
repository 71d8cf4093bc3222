import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoomsApi } from '../src/net/rooms-api';
import { useLanguage } from '../src/texts/texts';
import { fileRefusalText, refusalText } from '../src/app/refusals';

interface Asked {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

function server(status: number, body: unknown, headers: Record<string, string> = {}, root = '') {
  const asked: Asked[] = [];
  const api = createRoomsApi((url, init) => {
    asked.push({
      url,
      method: init?.method ?? 'GET',
      headers: (init?.headers ?? {}) as Record<string, string>,
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
    });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return Promise.resolve(new Response(text, { status, headers }));
  }, root);
  return { api, asked };
}

const ROOM = { code: 'FK72MX', title: 'Ada’s', model: 'birds', preset: 'murmuration', people: 3, boids: 400, locked: true, listed: true };

test('the page reads the listed rooms, the presets and the permission to create rooms', async () => {
  const presets = [{ name: 'bees', text: 'A humming cloud' }];
  const { api, asked } = server(200, {
    rooms: [{ ...ROOM, listed: true, path: '/r/FK72MX', more: 1 }, { code: 'lobby' }, 'nonsense'],
    create: 'presenter',
    presets,
  });
  const answer = await api.list();
  assert.equal(asked[0].url, 'api/rooms');
  assert.deepEqual(answer, {
    ok: true,
    value: {
      rooms: [ROOM, { code: 'lobby', title: '', model: '', preset: '', people: 0, boids: 0, locked: false, listed: false }],
      create: 'presenter',
      presets,
    },
  });
});

test('if the answer lacks a part, its feature is off', async () => {
  const answer = await server(200, { create: 'whoever' }).api.list();
  assert.deepEqual(answer, { ok: true, value: { rooms: [], create: 'off', presets: [] } });
});

test('a room is looked up by its code', async () => {
  const { api, asked } = server(200, ROOM);
  assert.deepEqual(await api.find('FK72MX'), { ok: true, value: ROOM });
  assert.equal(asked[0].url, 'api/rooms/FK72MX');
  const none = await server(404, { error: { code: 'room', field: '', message: 'no such room' } }).api.find('FK72MY');
  assert.deepEqual(none, { ok: false, refusal: { status: 404, code: 'room', field: '', message: 'no such room', retryAfter: 0 } });
});

test('a room is created with the chosen settings, and with the server’s key if it is needed', async () => {
  const { api, asked } = server(201, { code: 'FK72MX', path: '/r/FK72MX', key: 'secret' });
  assert.deepEqual(await api.create({ title: 'Ada’s', preset: 'bees', listed: true, joinKey: '' }, 'server-key'), {
    ok: true,
    value: { code: 'FK72MX', key: 'secret' },
  });
  assert.equal(asked[0].method, 'POST');
  assert.deepEqual(asked[0].body, { title: 'Ada’s', preset: 'bees', listed: true });
  assert.equal(asked[0].headers['authorization'], 'Bearer server-key');
  assert.equal(asked[0].headers['content-type'], 'application/json');
  await api.create({ title: '', preset: '', listed: false, joinKey: '' }, '');
  assert.deepEqual(asked[1].body, { listed: false });
  assert.equal(asked[1].headers['authorization'], undefined);
});

test('a recording is opened, downloaded and branched, from a room’s page too', async () => {
  const { api, asked } = server(201, { code: 'FK72MX', key: 'secret' }, {}, '../');
  const made = { ok: true, value: { code: 'FK72MX', key: 'secret' } };
  const file = new Blob(['flock']);
  assert.deepEqual(await api.open(file, { title: 'Ada’s 1&2', listed: true, joinKey: 'bees' }, 'server-key'), made);
  assert.equal(asked[0].url, `../api/rooms?${new URLSearchParams({ title: 'Ada’s 1&2', listed: 'true', join_key: 'bees' })}`);
  assert.equal(asked[0].headers['content-type'], 'application/octet-stream');
  assert.equal(asked[0].headers['authorization'], 'Bearer server-key');
  assert.deepEqual(await api.branch('3KWYL7', 'Branch', 'room-key'), made);
  assert.deepEqual([asked[1].url, asked[1].method, asked[1].body], ['../api/rooms/3KWYL7/branch', 'POST', { title: 'Branch' }]);
  assert.equal(asked[1].headers['authorization'], 'Bearer room-key');

  const recorded = server(200, 'bytes');
  const answer = await recorded.api.recording('lobby', 'room-key', true);
  assert.ok(answer.ok && (await answer.value.text()) === 'bytes');
  assert.equal(recorded.asked[0].url, 'api/rooms/lobby/recording?names=true');
  await recorded.api.recording('lobby', 'room-key', false);
  assert.equal(recorded.asked[1].url, 'api/rooms/lobby/recording');
  const none = await server(409, { error: { code: 'state', field: '', message: 'no past' } }).api.recording('lobby', 'key', false);
  assert.ok(!none.ok && none.refusal.code === 'state');
});

test('the reason why a file cannot be opened is a text', async () => {
  const refusal = async (status: number, code = '', message = '', field = '') => {
    const answer = await server(status, { error: { code, field, message } }).api.open(
      new Blob([]),
      { title: '', listed: false, joinKey: '' },
      '',
    );
    assert.ok(!answer.ok);
    return fileRefusalText(answer.refusal);
  };
  assert.match(await refusal(400, 'malformed', 'the recording: it is cut'), /cannot be opened/);
  assert.match(await refusal(400, 'range', 'the recording: part 1: it has 9 boids'), /more boids/);
  await useLanguage('ja');
  assert.match(await refusal(400, 'range', 'title: expected something to be seen', 'title'), /タイトル/, 'what is wrong is not the file');
  for (const code of ['malformed', 'range'])
    assert.doesNotMatch(await refusal(400, code, 'the recording: it is cut'), /recording/, 'no English in another language');
  await useLanguage('en');
  assert.equal(await refusal(400, 'other', 'in the server’s words'), 'in the server’s words');
  assert.match(await refusal(413, 'range', 'expected …'), /larger/);
  assert.match(await refusal(409), /no space for another room/);
  assert.match(await refusal(503), /is busy/);
});

test('refusals are texts', async () => {
  const refusals = async (status: number, body: unknown, headers = {}) => {
    const answer = await server(status, body, headers).api.create({ title: '', preset: '', listed: false, joinKey: '' }, '');
    assert.ok(!answer.ok);
    return refusalText(answer.refusal);
  };
  assert.match(await refusals(403, {}), /not the server’s key/);
  assert.match(await refusals(409, {}), /no space for another room/);
  assert.match(await refusals(429, {}, { 'retry-after': '600' }), /in 10 minutes/);
  assert.match(await refusals(429, {}), /in a minute/);
  assert.equal(await refusals(400, { error: { field: 'boids', message: 'boids: expected 1 to 5' } }), 'boids: expected 1 to 5');
  assert.match(await refusals(500, 'not JSON'), /500/);
  assert.match(await refusals(200, {}), /200/, 'a room without a code is ignored');
});

test('a server that does not answer gives a text, not an exception', async () => {
  const api = createRoomsApi(() => Promise.reject(new TypeError('failed to fetch')));
  const answer = await api.list();
  assert.ok(!answer.ok);
  assert.match(refusalText(answer.refusal), /does not answer/);
});
