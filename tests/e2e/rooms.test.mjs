// Many flocks in one flockd: making, finding, separating and ending rooms.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { assertError, call, createRoom, MANY_ROOMS, roomOf } from './api.mjs';
import * as flock from './client.mjs';
import { root, startServer } from './server.mjs';
import { until } from './until.mjs';

const { connect, control, hello, join, param, refused } = flock;
const CODE = /^[2346789FKLMRWXY]{6}$/;
const LOBBY_KEY = 'key-of-the-lobby';

const listed = async (server) => (await call(server, 'GET', '/api/rooms')).body;

test('the creator of a room gets a code, an address and a key', async (t) => {
  const server = await startServer(t);
  const { status, headers, body } = await call(server, 'POST', '/api/rooms', { body: {} });
  assert.equal(status, 201);
  assert.match(headers.get('content-type'), /^application\/json/);
  assert.match(body.code, CODE);
  assert.match(body.key, /^[a-z2-9]{24}$/);
  assert.equal(body.path, `/r/${body.code}`);
  assert.equal(body.address, server.url.slice(0, -1) + body.path);
  const client = await join(t, server.ws, { room: body.code });
  assert.equal(client.room.code, body.code);
  assert.equal(client.role, 'viewer');
  assert.equal(client.snapshot.people, 1);
  const presenter = await join(t, server.ws, { room: body.code, key: body.key });
  assert.equal(presenter.role, 'presenter');
});

test('a branch has the join key of its room, unless the presenter says otherwise', async (t) => {
  const server = await startServer(t);
  const made = await createRoom(server, { title: 'Class 7b', join_key: 'owls' });
  const branch = async (body) => (await call(server, 'POST', `${roomOf(made)}/branch`, { key: made.key, body })).body;
  const keys = [{ key: await branch(), join: 'owls' }, { key: await branch({ join_key: 'hawks' }), join: 'hawks' }];
  for (const { key: room, join: right } of keys) {
    for (const wrong of [{}, { join: 'wrens' }]) {
      assert.equal((await refused(await connect(t, server.ws), hello({ room: room.code, ...wrong }))).code, 'join');
    }
    assert.equal((await join(t, server.ws, { room: room.code, join: right })).room.title, 'Class 7b');
  }
  await join(t, server.ws, { room: (await branch({ join_key: null })).code });
});

test('the code of a room with a join key does not tell its title', async (t) => {
  const server = await startServer(t);
  const made = await createRoom(server, { title: 'Class 7b', join_key: 'owls' });
  const shown = async () => (await call(server, 'GET', roomOf(made))).body;
  assert.deepEqual([(await shown()).title, (await shown()).locked], ['', true]);
  await call(server, 'PATCH', roomOf(made), { key: made.key, body: { listed: true } });
  assert.equal((await shown()).title, 'Class 7b', 'a listed room shows its title to everyone');
  await call(server, 'PATCH', roomOf(made), { key: made.key, body: { listed: false, join_key: null } });
  assert.equal((await shown()).title, 'Class 7b');
});

test('a room has the requested settings', async (t) => {
  const server = await startServer(t);
  const fields = {
    title: 'Bees at noon',
    listed: true,
    model: 'boids',
    boids: 77,
    world: [800, 600],
    boundary: 'walls',
    policy: 'latest',
    idle: 'hold',
    parameters: { max_speed: 5, seek_weight: 1 },
  };
  const made = await createRoom(server, fields);
  const client = await join(t, server.ws, { room: made.code });
  const { code, title, model, world, boundary, policy, idle } = client.room;
  assert.deepEqual(
    { code, title, model, world, boundary, policy, idle },
    { code: made.code, title: 'Bees at noon', model: 'boids', world: [800, 600], boundary: 'walls', policy: 'latest', idle: 'hold' },
  );
  assert.equal(client.snapshot.boids.length, 77);
  assert.deepEqual([param(client, 'max_speed'), param(client, 'seek_weight')], [5, 1]);
  const { status, body } = await call(server, 'GET', roomOf(made));
  assert.equal(status, 200);
  assert.deepEqual(body, { code: made.code, title: 'Bees at noon', model: 'boids', people: 1, boids: 77, listed: true, path: made.path });
});

test('a room can be made from a preset with changes', async (t) => {
  const server = await startServer(t);
  const made = await createRoom(server, { preset: 'march', boids: 40 });
  const client = await join(t, server.ws, { room: made.code });
  assert.equal(control(client, 'preset').value, 'march');
  assert.equal(client.snapshot.boids.length, 40);
  const { body } = await call(server, 'GET', roomOf(made));
  assert.deepEqual([body.preset, body.model, body.boids, body.listed], ['march', client.room.model, 40, false]);
});

/** @type {[body: any, field: string][]} */
const BAD = [
  [{ title: 'x'.repeat(65) }, 'title'],
  [{ title: 'a\u001b[2J' }, 'title'],
  [{ title: 'a\u202eb' }, 'title'],
  [{ title: 7 }, 'title'],
  [{ listed: 'yes' }, 'listed'],
  [{ listed: null }, 'listed'],
  [{ preset: 'geese' }, 'preset'],
  [{ preset: 1 }, 'preset'],
  [{ model: 'geese' }, 'model'],
  [{ model: [] }, 'model'],
  [{ boids: 0 }, 'boids'],
  [{ boids: -1 }, 'boids'],
  [{ boids: 1.5 }, 'boids'],
  [{ boids: 1e12 }, 'boids'],
  [{ boids: '12' }, 'boids'],
  [{ world: [800] }, 'world'],
  [{ world: [800, 600, 1] }, 'world'],
  [{ world: [15, 600] }, 'world'],
  [{ world: [800, 65537] }, 'world'],
  [{ world: ['800', 600] }, 'world'],
  [{ world: '800x600' }, 'world'],
  [{ boundary: 'fence' }, 'boundary'],
  [{ policy: 'loudest' }, 'policy'],
  [{ idle: 'sleep' }, 'idle'],
  [{ parameters: [1] }, 'parameters'],
  [{ parameters: { wings: 1 } }, 'parameters.wings'],
  [{ parameters: { inertia: 3.5 } }, 'parameters.inertia'],
  [{ parameters: { inertia: '1' } }, 'parameters.inertia'],
  [{ model: 'boids', parameters: { inertia: 1 } }, 'parameters.inertia'],
  [{ wings: 2 }, 'wings'],
];

test('the error names an invalid field, and no room is made', async (t) => {
  const server = await startServer(t, [...MANY_ROOMS, '--max-rooms', '2', '--presenter-key', LOBBY_KEY]);
  for (const [body, field] of BAD) {
    const answer = await call(server, 'POST', '/api/rooms', { body });
    assertError(answer, { status: 400, field }, JSON.stringify(body));
  }
  const made = await createRoom(server); // it still has a slot
  for (const [body, field] of BAD.filter(([each]) => !('boids' in each) && !('world' in each))) {
    assertError(await call(server, 'PATCH', roomOf(made), { body, key: made.key }), { status: 400, field }, `PATCH ${JSON.stringify(body)}`);
  }
});

const BODIES = [
  { what: 'no JSON', body: '{"boids":', status: 400, code: 'malformed' },
  { what: 'an array', body: '[]', status: 400, code: 'malformed' },
  { what: 'a number', body: '12', status: 400, code: 'malformed' },
  { what: 'JSON and more', body: '{} {}', status: 400, code: 'malformed' },
  { what: 'a thousand arrays', body: `{"boids":${'['.repeat(1000)}${']'.repeat(1000)}}`, status: 400 },
  { what: 'half a character', body: Buffer.from('{"title":"\u00e9"}', 'latin1'), status: 400 },
  { what: 'a NUL in a title', body: '{"title":"a\\u0000b"}', status: 400, field: 'title' },
  { what: 'a megabyte', body: `{"title":"${'x'.repeat(1 << 20)}"}`, status: 413 },
  { what: 'text', body: '{}', headers: { 'content-type': 'text/plain' }, status: 415 },
];

for (const { what, body, headers, ...expected } of BODIES) {
  test(`a body that is ${what} is refused with ${expected.status}`, async (t) => {
    const server = await startServer(t);
    const answer = await call(server, 'POST', '/api/rooms', { body, headers });
    assertError(answer, expected, what);
    assert.equal((await listed(server)).rooms.length, 1, 'the lobby alone');
  });
}

test('a client can send the rest of a refused body', async (t) => {
  const server = await startServer(t);
  const part = Buffer.alloc(1 << 16, 'x');
  const PARTS = 16;
  for (const [path, status] of [
    ['/api/rooms', 413],
    ['/api/no-such', 404],
    ['/', 405],
  ]) {
    const socket = net.connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    t.after(() => socket.destroy());
    const end = once(socket, 'end');
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes;
    });
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${PARTS * part.length}\r\n\r\n`);
    await until('the refusal', () => answer.includes('\r\n\r\n'));
    for (let i = 0; i < PARTS; i++) {
      await promisify(socket.write).call(socket, part); // rejects after a reset of the connection
    }
    await end;
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
  }
});

test('methods that a path does not have are refused', async (t) => {
  const server = await startServer(t);
  const { code, key } = await createRoom(server);
  /** @type {[method: string, path: string, status: number][]} */
  const cases = [
    ['PUT', '/api/rooms', 405],
    ['DELETE', '/api/rooms', 405],
    ['POST', `/api/rooms/${code}`, 405],
    ['GET', '/api/rooms/FK72MX', 404],
    ['GET', '/api/rooms/no_such', 404],
    ['GET', '/api/rooms/', 404],
    ['GET', '/api/room', 404],
    ['PATCH', '/api/rooms/FK72MX', 404],
    ['DELETE', '/api/rooms/FK72MX', 404],
  ];
  for (const [method, path, status] of cases) {
    const body = ['PUT', 'POST', 'PATCH'].includes(method) ? {} : undefined;
    assertError(await call(server, method, path, { key, body }), { status }, `${method} ${path}`);
  }
});

test('a code works in any case, with spaces and hyphens', async (t) => {
  const server = await startServer(t);
  const { code } = await createRoom(server);
  const halves = [code.slice(0, 3), code.slice(3)];
  for (const room of [code, code.toLowerCase(), halves.join(' '), halves.join('-').toLowerCase(), ` ${[...code].join(' ')} `]) {
    const client = await join(t, server.ws, { room });
    assert.equal(client.room.code, code, room);
  }
  const { status, body } = await call(server, 'GET', `/api/rooms/${halves.join('-').toLowerCase()}`);
  assert.deepEqual([status, body.code, body.people], [200, code, 5]);
});

test('two rooms do not see each other', async (t) => {
  const server = await startServer(t, ['--presenter-key', LOBBY_KEY]);
  const made = await createRoom(server, { model: 'boids', boids: 50, world: [1000, 1000] });
  const there = await join(t, server.ws, { name: 'Ann', room: made.code, key: made.key });
  const here = await join(t, server.ws, { name: 'Ben' });
  assert.deepEqual([there.room.model, here.room.model], ['boids', 'swarm']);
  assert.deepEqual([there.snapshot.boids.length, here.snapshot.boids.length], [50, 12]);

  there.send([flock.CURSOR, 900, 900]);
  here.send([flock.CURSOR, 100, 100]);
  const leads = (client, point) => client.until(`${point} leads`, () => client.snapshot.target?.join() === point.join());
  await leads(there, [900, 900]);
  await leads(here, [100, 100]);
  assert.deepEqual([...there.snapshot.cursors.keys()], [there.id]);
  assert.deepEqual([...here.snapshot.cursors.keys()], [here.id]);

  assert.equal(await there.ask([flock.TITLE, 'There']), null);
  assert.equal(await there.ask([flock.SET, 'boundary', 'open']), null);
  assert.equal(await there.ask([flock.RESET]), null);
  assert.equal(await there.ask([flock.NAME, 'Anne']), null);
  assert.equal(await there.ask([flock.SET, 'run', 'paused']), null);
  await there.until('it has happened', () => there.events.some(({ what }) => what === 'run') && there.room.title === 'There');
  assert.deepEqual(
    there.events.map(({ by, who, name, to }) => [by, who, name, to]),
    [
      [there.id, 'Ann', 'title', 'There'],
      [there.id, 'Ann', 'set', 'open'],
      [there.id, 'Ann', 'reset', ''],
      [there.id, 'Anne', 'set', 'paused'],
    ],
  );
  const { tick } = here.snapshot;
  await here.until('the other goes on', () => here.snapshot.tick > tick + 60);
  assert.deepEqual(here.events, []);
  assert.deepEqual([...here.people.values()].map(({ name }) => name), ['Ben']);
  assert.equal(here.room, here.welcome.room, 'no other room was told of');
  assert.deepEqual([there.snapshot.people, here.snapshot.people], [1, 1]);

  assert.equal((await here.ask([flock.KEY, made.key])).code, 'key', 'the key of the one is none of the other');
  assert.equal((await join(t, server.ws, { room: made.code, key: LOBBY_KEY })).role, 'viewer');
  const other = await join(t, server.ws, { room: made.code, token: here.welcome.token });
  assert.notDeepEqual(other.welcome.token, here.welcome.token, 'a token is of one room');
  assert.equal(here.closed, null);
});

test('a request with the room\'s key changes it, and its members see it', async (t) => {
  const server = await startServer(t, ['--presenter-key', LOBBY_KEY]);
  const room = await createRoom(server, { title: 'Before' });
  const other = await createRoom(server);
  const client = await join(t, server.ws, { room: room.code });
  const patch = (body, key) => call(server, 'PATCH', roomOf(room), { body, key });
  assertError(await patch({ title: 'After' }), { status: 401 }, 'no key');
  assertError(await patch({ title: 'After' }, 'wrong'), { status: 403 }, 'a wrong key');
  assertError(await patch({ title: 'After' }, other.key), { status: 403 }, "another room's key");
  assert.equal(client.room.title, 'Before');

  const { status } = await patch({ title: 'After', model: 'boids', policy: 'latest', viewers: 'watch', run: 'paused', parameters: { max_speed: 5 } }, room.key);
  assert.ok(status === 200 || status === 204, `${status}`);
  await client.until('all of it', () => client.room.title === 'After' && client.room.model === 'boids' && param(client, 'max_speed') === 5);
  assert.equal(client.room.policy, 'latest');
  assert.deepEqual([control(client, 'viewers').value, control(client, 'run').value], ['watch', 'paused']);
  const { body } = await call(server, 'GET', roomOf(room));
  assert.deepEqual([body.title, body.model], ['After', 'boids']);

  await patch({ preset: 'march', boundary: 'walls', idle: 'hold' }, room.key);
  await client.until('the preset', () => client.room.boundary === 'walls' && client.room.idle === 'hold');
  await client.until('that it is told', () => client.events.some(({ what, to, by }) => what === 'preset' && to === 'march' && by === 0));
  const told = client.events.map(({ name, what, to }) => `${name} ${what} ${to}`);
  assert.deepEqual(told.slice(0, 7), ['set boundary wrap', 'set model boids', 'set policy latest', 'set viewers watch', 'set run paused', 'param max_speed 5', 'title  After']);
});

test('a pair of parameters never contradicts itself', async (t) => {
  const server = await startServer(t);
  const refused = await call(server, 'POST', '/api/rooms', { body: { model: 'birds', parameters: { min_speed: 9 } } });
  assert.deepEqual([refused.status, refused.body.error.field], [400, 'parameters.min_speed']);
  assert.match(refused.body.error.message, /expected at most max_speed, which is 3/);
  const room = await createRoom(server, { model: 'birds' });
  const patch = (parameters) => call(server, 'PATCH', roomOf(room), { body: { parameters }, key: room.key });
  const client = await join(t, server.ws, { room: room.code });
  for (const [min_speed, max_speed] of [[20, 30], [0.5, 0.75]]) {
    assert.equal((await patch({ min_speed, max_speed })).status, 204);
    await client.until('both', () => param(client, 'min_speed') === min_speed && param(client, 'max_speed') === max_speed);
  }
  const { status, body } = await patch({ min_speed: 5, max_speed: 4 });
  assert.deepEqual([status, body.error.field], [400, 'parameters.min_speed']);
  assert.equal((await patch({ min_speed: 5 })).status, 400);
});

test('a change with an invalid part changes nothing', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { title: 'Before' });
  const client = await join(t, server.ws, { room: room.code });
  const answer = await call(server, 'PATCH', roomOf(room), { body: { title: 'After', model: 'boids', idle: 'sleep' }, key: room.key });
  assertError(answer, { status: 400, field: 'idle' });
  const { tick } = client.snapshot;
  await client.until('it goes on', () => client.snapshot.tick > tick + 30);
  assert.deepEqual([client.room.title, client.room.model], ['Before', 'swarm']);
});

test('a change that needs too many boids changes nothing', async (t) => {
  const server = await startServer(t, ['--boids', '100', '--max-boids', '200']);
  const room = await createRoom(server, { boids: 50 });
  const client = await join(t, server.ws, { room: room.code });
  const body = { preset: 'sardines', viewers: 'watch', run: 'paused', title: 'After' };
  assertError(await call(server, 'PATCH', roomOf(room), { body, key: room.key }), { status: 409, code: 'full', field: 'preset' });
  const { tick } = client.snapshot;
  await client.until('it goes on', () => client.snapshot.tick > tick + 30);
  assert.deepEqual([control(client, 'viewers').value, control(client, 'run').value, client.room.title], ['steer', 'running', '']);
});

test('a request with the room\'s key ends it, and its members get the reason', async (t) => {
  const server = await startServer(t, ['--presenter-key', LOBBY_KEY]);
  const room = await createRoom(server);
  const [ann, ben, lobby] = [await join(t, server.ws, { room: room.code }), await join(t, server.ws, { room: room.code }), await join(t, server.ws)];
  assertError(await call(server, 'DELETE', roomOf(room)), { status: 401 }, 'no key');
  assertError(await call(server, 'DELETE', roomOf(room), { key: 'some-other-key' }), { status: 403 }, 'a wrong key');
  assert.equal(ann.closed, null);
  const { status } = await call(server, 'DELETE', roomOf(room), { key: room.key });
  assert.ok(status === 200 || status === 204, `${status}`);
  for (const client of [ann, ben]) {
    assert.equal((await client.untilClosed()).code, 3506);
    assert.deepEqual(client.goodbye, { code: 3506, after: null });
  }
  assert.equal((await call(server, 'GET', roomOf(room))).status, 404);
  assert.equal((await call(server, 'DELETE', roomOf(room), { key: room.key })).status, 404);
  const late = await connect(t, server.ws);
  const error = await refused(late, hello({ room: room.code }));
  assert.deepEqual([error.code, error.field, error.fatal], ['room', 'room', true]);
  assert.equal((await late.untilClosed()).code, 3502);

  assertError(await call(server, 'DELETE', '/api/rooms/lobby', { key: LOBBY_KEY }), { status: 403 }, 'the lobby stays');
  await lobby.next(flock.SNAPSHOT);
});

test('the list has only listed rooms', async (t) => {
  const server = await startServer(t);
  const open = await createRoom(server, { title: 'Open to all', listed: true, boids: 20 });
  const hidden = await createRoom(server, { title: 'Hidden' });
  await join(t, server.ws, { room: open.code });
  const { rooms, create } = await listed(server);
  assert.equal(create, 'open');
  assert.deepEqual(rooms.map(({ code }) => code).sort(), [open.code, 'lobby'].sort());
  const { title, people, boids, path } = rooms.find(({ code }) => code === open.code);
  assert.deepEqual({ title, people, boids, path }, { title: 'Open to all', people: 1, boids: 20, path: open.path });

  await call(server, 'PATCH', roomOf(open), { body: { listed: false }, key: open.key });
  await call(server, 'PATCH', roomOf(hidden), { body: { listed: true }, key: hidden.key });
  const after = (await listed(server)).rooms.map(({ code }) => code);
  assert.deepEqual(after.sort(), [hidden.code, 'lobby'].sort());
});

test('an empty room does not tick, and continues when a person joins', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { boids: 30, listed: true });
  const ticks = async () => {
    const text = await (await fetch(`${server.url}metrics`)).text();
    return Number(text.match(new RegExp(`^flockd_room_ticks_total\\{room="${room.code}"\\} (\\d+)$`, 'm'))[1]);
  };
  const lobby = await join(t, server.ws);
  const first = await join(t, server.ws, { room: room.code, encodings: ['packed'] });
  await first.until('some ticks', () => first.snapshot.tick > 10);
  first.socket.close();
  await until('nobody is there', async () => (await call(server, 'GET', roomOf(room))).body.people === 0);
  const { boids, time } = first.snapshot;
  const made = await ticks();
  const from = lobby.snapshot.tick;
  await lobby.until('a second elsewhere', () => lobby.snapshot.tick > from + 30);
  assert.equal(await ticks(), made);
  const seen = [];
  const second = await connect(t, server.ws);
  second.onSnapshot = (snapshot) => seen.push(snapshot);
  second.send(hello({ room: room.code, encodings: ['packed'] }));
  await second.until('a snapshot', () => seen.length > 0);
  assert.ok(seen[0].time > time);
  assert.ok(seen[0].tick >= made && seen[0].tick <= (await ticks()), `tick ${seen[0].tick}, and the last before was ${made}`);
  assert.equal(seen[0].boids.length, boids.length);
});

test('an empty room ends after --room-idle, the lobby does not', async (t) => {
  const server = await startServer(t, ['--room-idle', '4']);
  const used = await createRoom(server);
  const client = await join(t, server.ws, { room: used.code });
  const left = await createRoom(server);
  const leaving = await join(t, server.ws, { room: left.code });
  leaving.socket.close();
  const never = await createRoom(server);
  for (const room of [left, never]) {
    await until('it has ended', async () => (await call(server, 'GET', roomOf(room))).status === 404);
  }
  assert.equal(client.closed, null);
  assert.equal((await call(server, 'GET', roomOf(used))).status, 200, 'somebody is in it, which is the oldest');
  const late = await connect(t, server.ws);
  assert.equal((await refused(late, hello({ room: never.code }))).code, 'room');
  await join(t, server.ws);
});

test('--max-rooms: another room is refused until one has ended', async (t) => {
  const server = await startServer(t, [...MANY_ROOMS, '--max-rooms', '5']);
  const rooms = [];
  let answer;
  do {
    answer = await call(server, 'POST', '/api/rooms', { body: {} });
    if (answer.status === 201) rooms.push(answer.body);
  } while (answer.status === 201 && rooms.length < 10);
  assert.equal(rooms.length, 2, 'half of the places beside the lobby');
  assertError(answer, { status: 409, code: 'full' });
  assert.match(answer.body.error.message, /half of the free places.*--max-rooms/);
  await call(server, 'DELETE', roomOf(rooms[0]), { key: rooms[0].key });
  await until('there is a place again', async () => (await call(server, 'POST', '/api/rooms', { body: {} })).status === 201);
});

test("the server's key has places in reserve, and ends and lists the rooms of others", async (t) => {
  const server = await startServer(t, ['--max-rooms', '9', '--rooms-per-hour', '10', '--presenter-key', LOBBY_KEY]);
  const strangers = [];
  for (let answer = await call(server, 'POST', '/api/rooms', { body: { listed: true } }); answer.status === 201; answer = await call(server, 'POST', '/api/rooms', { body: { listed: true } })) {
    strangers.push(answer.body);
  }
  assert.equal(strangers.length, 4, 'half of the places beside the lobby and one in reserve');
  for (const { code } of strangers) await join(t, server.ws, { room: code });
  for (let i = 0; i < 4; i++) await createRoom(server, {}, { key: LOBBY_KEY });
  assertError(await call(server, 'POST', '/api/rooms', { body: {}, key: LOBBY_KEY }), { status: 409, code: 'full' });
  const [first, second] = strangers;
  const codes = async () => (await call(server, 'GET', '/api/rooms')).body.rooms.map((/** @type {{ code: string }} */ { code }) => code);
  assert.equal((await call(server, 'PATCH', roomOf(first), { body: { listed: false }, key: LOBBY_KEY })).status, 204);
  await until('it has left the list', async () => !(await codes()).includes(first.code));
  assertError(await call(server, 'PATCH', roomOf(first), { body: { listed: true, title: 'mine' }, key: LOBBY_KEY }), { status: 403, code: 'key' });
  assertError(await call(server, 'GET', `${roomOf(first)}/recording`, { key: LOBBY_KEY }), { status: 403, code: 'key' });
  assert.equal((await call(server, 'DELETE', roomOf(second), { key: LOBBY_KEY })).status, 204);
  assert.equal((await call(server, 'GET', roomOf(second))).status, 404);
  await createRoom(server, {}, { key: LOBBY_KEY });
});

test('the list begins with the rooms of the server, and then takes each address in turn', async (t) => {
  const server = await startServer(t, ['--trusted-proxy', '127.0.0.1', '--presenter-key', LOBBY_KEY]);
  const create = (title, address, key) => createRoom(server, { title, listed: true, boids: 1 }, { key, headers: { 'x-forwarded-for': address } });
  for (const title of ['Bees 1', 'Bees 2', 'Bees 3']) await create(title, '192.0.2.1');
  await create('Ants 1', '2001:db8:7::1');
  await create('Ants 2', '2001:db8:7:1::1'); // of the same network
  await create('Wasps 1', '192.0.2.2');
  await create('Class 7', '192.0.2.1', LOBBY_KEY);
  const { rooms } = await listed(server);
  assert.deepEqual(rooms.map(({ title }) => title), ['', 'Class 7', 'Bees 1', 'Ants 1', 'Wasps 1', 'Bees 2', 'Ants 2', 'Bees 3']);
});

test('--room-people: a full room asks new people to come back', async (t) => {
  const server = await startServer(t, ['--room-people', '2']);
  const room = await createRoom(server);
  const ann = await join(t, server.ws, { room: room.code });
  await join(t, server.ws, { room: room.code });
  assert.equal(ann.room.people_max, 2);
  const third = await connect(t, server.ws);
  const error = await refused(third, hello({ room: room.code }));
  assert.deepEqual([error.code, error.fatal], ['full', true]);
  assert.equal(error.field, 'room');
  assert.equal((await third.untilClosed()).code, 3001);
  await join(t, server.ws); // other rooms have slots
  ann.socket.close();
  await until('Ann has left', async () => (await call(server, 'GET', roomOf(room))).body.people === 1);
  await join(t, server.ws, { room: room.code });
});

test('--room-boids: no request gives a room more boids', async (t) => {
  const server = await startServer(t, ['--room-boids', '100']);
  assertError(await call(server, 'POST', '/api/rooms', { body: { boids: 101 } }), { status: 400, code: 'range', field: 'boids' });
  const room = await createRoom(server, { boids: 90 });
  const client = await join(t, server.ws, { room: room.code, key: room.key });
  assert.equal(client.room.boids_max, 100);
  const error = await client.ask([flock.ADD, 100, 100, 11]);
  assert.deepEqual([error.code, error.field], ['full', 'count']);
  assert.match(error.message, /\b10\b/);
  assert.equal(await client.ask([flock.ADD, 100, 100, 10]), null);
  await client.until('they are there', () => client.snapshot.boids.length === 100);
});

test('--max-boids: rooms of one address have half of the free boids', async (t) => {
  const server = await startServer(t, ['--boids', '100', '--max-boids', '600']);
  const one = await createRoom(server, { boids: 200 });
  assertError(await call(server, 'POST', '/api/rooms', { body: { boids: 51 } }), { status: 409, code: 'full', field: 'boids' });
  const two = await createRoom(server, { boids: 50 });
  const client = await join(t, server.ws, { room: two.code, key: two.key });
  const error = await client.ask([flock.ADD, 100, 100, 1]);
  assert.deepEqual([error.code, error.field], ['full', 'count']);
  assert.equal(await client.ask([flock.REMOVE, 5]), null);
  assert.equal(await client.ask([flock.ADD, 100, 100, 5]), null);
  await call(server, 'DELETE', roomOf(one), { key: one.key });
  await until('its boids are free', async () => (await client.ask([flock.ADD, 100, 100, 100])) === null);
});

test('--max-boids: idle rooms of strangers give way to rooms made with the server’s key', async (t) => {
  const key = 'a-long-key-of-the-teacher-42';
  const server = await startServer(t, ['--boids', '100', '--max-boids', '1000', '--presenter-key', key]);
  const [busy, idle] = [await createRoom(server, { boids: 200 }), await createRoom(server, { boids: 180 })];
  const guest = await join(t, server.ws, { room: busy.code });
  assertError(await call(server, 'POST', '/api/rooms', { body: { boids: 200 } }), { status: 409, code: 'full', field: 'boids' });
  const first = await createRoom(server, { boids: 500 }, { key });
  assert.equal((await call(server, 'GET', roomOf(idle))).status, 200, 'it stays while there is space');
  const second = await createRoom(server, { boids: 200 }, { key });
  assert.equal((await call(server, 'GET', roomOf(idle))).status, 404, 'it has ended');
  assertError(await call(server, 'POST', '/api/rooms', { key, body: { boids: 200 } }), { status: 409, code: 'full', field: 'boids' });
  for (const room of [first, second, busy]) assert.equal((await call(server, 'GET', roomOf(room))).status, 200);
  assert.equal(guest.closed, null);
});

test('--rooms-per-hour: an address that makes too many has to wait, and learns how long', async (t) => {
  const server = await startServer(t, ['--rooms-per-hour', '2']);
  await createRoom(server);
  await createRoom(server);
  const answer = await call(server, 'POST', '/api/rooms', { body: {} });
  assertError(answer, { status: 429 });
  const wait = Number(answer.headers.get('retry-after'));
  assert.ok(wait > 0 && wait <= 3600, `${wait} s`);
  await join(t, server.ws); // all else works
});

test('the server\'s key makes rooms although strangers of its address made too many', async (t) => {
  const server = await startServer(t, ['--rooms-per-hour', '2', '--presenter-key', LOBBY_KEY]);
  await createRoom(server);
  await createRoom(server);
  assertError(await call(server, 'POST', '/api/rooms', { body: {} }), { status: 429 });
  const made = await createRoom(server, { title: 'Class 7b' }, { key: LOBBY_KEY });
  assert.equal((await call(server, 'POST', `${roomOf(made)}/branch`, { key: made.key })).status, 201);
  assertError(await call(server, 'POST', '/api/rooms', { body: {}, key: 'wrong' }), { status: 429 }, 'another key');
});

test("--rooms presenter: only requests with the server's key make rooms", async (t) => {
  const server = await startServer(t, ['--rooms', 'presenter', '--presenter-key', LOBBY_KEY]);
  assertError(await call(server, 'POST', '/api/rooms', { body: {} }), { status: 401 }, 'no key');
  assertError(await call(server, 'POST', '/api/rooms', { body: {}, key: 'wrong' }), { status: 403 }, 'a wrong key');
  const room = await createRoom(server, {}, { key: LOBBY_KEY });
  assert.equal((await listed(server)).create, 'presenter');
  const client = await join(t, server.ws, { room: room.code });
  assert.ok(client.welcome.capabilities.includes('rooms-with-key') && !client.welcome.capabilities.includes('rooms'));

  const presenter = await join(t, server.ws, { key: LOBBY_KEY });
  assert.equal(await presenter.ask([flock.REKEY]), null);
  assertError(await call(server, 'POST', '/api/rooms', { body: {}, key: presenter.key }), { status: 403, code: 'key' }, "the lobby's new key is no server's");
  await createRoom(server, {}, { key: LOBBY_KEY });
});

test('--rooms off: no one can make rooms', async (t) => {
  const server = await startServer(t, ['--rooms', 'off', '--presenter-key', LOBBY_KEY]);
  for (const key of [undefined, LOBBY_KEY]) {
    assertError(await call(server, 'POST', '/api/rooms', { body: {}, key }), { status: 403 }, `${key}`);
  }
  assert.equal((await listed(server)).create, 'off');
  const { capabilities } = (await join(t, server.ws)).welcome;
  assert.ok(!capabilities.includes('rooms') && !capabilities.includes('rooms-with-key'));
});

test('the welcome says who may make rooms', async (t) => {
  const server = await startServer(t);
  assert.ok((await join(t, server.ws)).welcome.capabilities.includes('rooms'));
});

test("another site's page cannot make rooms", async (t) => {
  const server = await startServer(t);
  const answer = await call(server, 'POST', '/api/rooms', { body: {}, headers: { origin: 'http://example.org' } });
  assert.equal(answer.status, 403);
  await createRoom(server, {}, { headers: { origin: server.url.slice(0, -1) } });
});

test('a room has the same page as the lobby; with --rooms off / redirects to the lobby', async (t) => {
  const server = await startServer(t);
  const { path } = await createRoom(server);
  const page = async (of, each) => {
    const response = await fetch(new URL(each, of.url));
    assert.equal(response.status, 200, each);
    assert.match(response.headers.get('content-type'), /^text\/html/);
    return response.text();
  };
  const lobby = await page(server, '/r/lobby');
  assert.equal(await page(server, path), lobby);
  assert.notEqual(await page(server, '/'), lobby, 'there, rooms are found and made');
  const alone = await startServer(t, ['--rooms', 'off']);
  assert.equal(await page(alone, '/'), lobby);
});

// Returns the MB of memory that the system gives the server.
const memoryOf = (server) => Number(readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/)?.[1]) / 1000;

test('the memory of ended rooms returns to the system', async (t) => {
  const command = [path.join(root, 'build/flockd')]; // sanitizers keep freed memory
  const server = await startServer(t, [...MANY_ROOMS, '--room-boids', '100000', '--max-boids', '4000000'], { command });
  const end = async (room) => assert.equal((await call(server, 'DELETE', roomOf(room), { key: room.key })).status, 204);
  const before = memoryOf(server);
  await end(await createRoom(server, { boids: 100_000 })); // its large blocks are not kept for smaller ones
  const rooms = [];
  for (let i = 0; i < 130; i += 1) rooms.push(await createRoom(server, { boids: 5000 }));
  assert.ok(memoryOf(server) > before + 20, `${memoryOf(server)} MB, ${before} before`);
  rooms.pop(); // it stays
  for (const room of rooms) await end(room);
  await until('the memory is back', () => memoryOf(server) < before + 8);
});
