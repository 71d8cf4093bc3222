// A link with a room's settings, and the room that another flockd makes from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Control, Room } from '../src/net/protocol';
import { createRoomsApi } from '../src/net/rooms-api';
import { settingsIn, setupFields, setupQuery } from '../src/net/setup';
import { room } from './samples';

const control = (name: string, value: string, ...values: string[]): Control => ({
  ...{ name, value, text: '' },
  choices: [value, ...values]
    .sort((a, b) => values.indexOf(a) - values.indexOf(b))
    .map((each) => ({ value: each, text: '', saved: false })),
});

const param = (name: string, initial: number, value: number): Room['params'][number] => ({
  name,
  unit: '',
  min: 0,
  max: 100,
  initial,
  value,
  text: '',
});

/** preset: of the server; empty: none is in force. */
const here = (preset: string, more: Partial<Room> = {}): Room =>
  room({
    model: 'boids',
    world: [800, 600],
    controls: [
      { ...control('preset', 'march'), value: preset },
      { ...control('model', 'boids') },
      { ...control('boundary', 'wrap') },
      { ...control('policy', 'mean') },
      { ...control('viewers', 'steer'), value: 'watch' },
      { ...control('layers', 'free'), value: 'trails+links' },
      { ...control('run', 'running'), value: 'paused' },
    ],
    params: [param('noise', 2, 0.1 + 1e-9), param('max_speed', 3, 3)],
    ...more,
  });

const fieldsOf = (query: string): unknown => setupFields(new URLSearchParams(query));

test('a link names the preset and what differs from it', () => {
  assert.equal(setupQuery(here('march'), 300), 'preset=march&policy=mean&viewers=watch&layers=trails%2Blinks&boids=300&noise=0.1');
  assert.deepEqual(fieldsOf(setupQuery(here('march'), 300)), {
    ...{ preset: 'march', policy: 'mean', viewers: 'watch', layers: 'trails+links', boids: 300 },
    parameters: { noise: 0.1 },
  });
});

test('without a preset of every server it names the model, the world and all parameters', () => {
  const expected = {
    ...{ model: 'boids', boundary: 'wrap', policy: 'mean', viewers: 'watch', layers: 'trails+links', world: [800, 600], boids: 12 },
    parameters: { noise: 0.1, max_speed: 3 },
  };
  assert.deepEqual(fieldsOf(setupQuery(here(''), 12)), expected);
  const own = here('');
  own.controls[0] = { name: 'preset', value: 'ours', text: '', choices: [{ value: 'ours', text: '', saved: true }] };
  assert.deepEqual(fieldsOf(setupQuery(own, 12)), expected, 'a preset that was saved in the room');
});

test('an address without settings makes no room, and the page keeps its own parameters', () => {
  assert.equal(fieldsOf(''), null);
  assert.equal(fieldsOf('lang=ja'), null);
  assert.deepEqual(settingsIn(new URLSearchParams('lang=ja&name=Ada&noise=3')), [['noise', '3']]);
});

test('hostile values go to the server as they are, so that it can refuse them by name', () => {
  assert.deepEqual(fieldsOf('noise=1e999&preset=%00&world=4&boids=x&max_speed='), {
    ...{ preset: '\0', world: [4], boids: null },
    parameters: { noise: null, max_speed: null },
  });
  const hostile = fieldsOf('__proto__=5&constructor=6') as { parameters: object };
  assert.deepEqual(Object.entries(hostile.parameters), [
    ['__proto__', 5],
    ['constructor', 6],
  ]);
  assert.equal(JSON.stringify(hostile), '{"parameters":{"__proto__":5,"constructor":6}}');
});

test('the settings are in the request for the new room, and its title and key are the person’s', async () => {
  const sent: unknown[] = [];
  const api = createRoomsApi((_, init) => {
    sent.push(JSON.parse(String(init?.body)));
    return Promise.resolve(new Response('{"code": "FK72MX", "key": "abcd"}', { status: 201 }));
  });
  const settings = setupFields(new URLSearchParams('preset=bees&noise=3&listed=1'));
  await api.create({ title: 'Ours', preset: 'march', listed: false, joinKey: '', settings: settings ?? {} }, '');
  assert.deepEqual(sent, [{ title: 'Ours', listed: false, preset: 'bees', parameters: { noise: 3, listed: 1 } }]);
});
