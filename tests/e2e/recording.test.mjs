// A room's past as a file: who may download it, and that flock-sim computes the same flock from it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { assertError, call, createRoom, MANY_ROOMS, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { FLOCKD, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const { hello, join } = flock;
const FLOCK_SIM = path.join(path.dirname(FLOCKD), 'flock-sim');

const recordingOf = (room) => `${roomOf(room)}/recording`;

async function download(server, room, query = '') {
  const response = await fetch(new URL(recordingOf(room) + query, server.url), {
    headers: { authorization: `Bearer ${room.key}`, connection: 'close' },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="${room.code}.flock"`);
  return Buffer.from(await response.arrayBuffer());
}

// The bytes in a file that lasts as long as the test.
function saved(t, bytes) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-recording-'));
  atEnd(t, () => rmSync(folder, { recursive: true }));
  const name = path.join(folder, 'room.flock');
  writeFileSync(name, bytes);
  return name;
}

const replay = (t, file, ...args) => runToEnd(t, ['--replay', file, ...args], { command: [FLOCK_SIM] });

// flock-sim's positions of the boids after these ticks, by tick.
async function replayed(t, file, from, to) {
  const { code, stdout, stderr } = await replay(t, file, '--from', String(from), '--to', String(to));
  assert.equal(code, 0, stderr);
  const ticks = new Map();
  for (const row of stdout.trim().split('\n').slice(1)) {
    const [tick, , x, y] = row.split(',').map(Number);
    if (!ticks.has(tick)) ticks.set(tick, []);
    ticks.get(tick).push([x, y]);
  }
  return ticks;
}

test('flock-sim computes the flock that all members saw from a recording', async (t) => {
  const server = await startServer(t, MANY_ROOMS);
  const room = await createRoom(server, { model: 'boids', boids: 40 });
  const teacher = await join(t, server.ws, { room: room.code, key: room.key, name: 'Ada' });
  const pupil = await join(t, server.ws, { room: room.code, name: 'Bo' });
  const seen = new Map();
  pupil.onSnapshot = ({ tick, boids }) => seen.set(tick, boids);
  for (let i = 0; i < 10; i++) {
    teacher.send([flock.CURSOR, 20 * i, 100]);
    pupil.send([flock.CURSOR, 300, 30 * i]);
    if (i === 3) assert.equal(await teacher.ask([flock.PARAM, 'max_speed', 5]), null);
    if (i === 5) assert.equal(await teacher.ask([flock.ADD, 50, 50, 9]), null);
    if (i === 7) pupil.send([flock.AWAY]);
    await pupil.next(flock.SNAPSHOT, 'a snapshot');
  }
  const last = pupil.snapshot.tick;
  const bytes = await download(server, room);
  for (const name of ['Ada', 'Bo', room.key]) assert.ok(!bytes.includes(name), `${name} is not in it`);
  const file = saved(t, bytes);
  const ticks = [...seen.keys()].filter((each) => each <= last);
  // A boid just before one edge may show at the other.
  const apart = (a, b) => Math.hypot(...pupil.room.world.map((size, axis) => Math.min(Math.abs(a[axis] - b[axis]), size - Math.abs(a[axis] - b[axis]))));
  const made = await replayed(t, file, Math.min(...ticks), last);
  for (const tick of ticks) {
    const boids = /** @type {import('./types.d.ts').Point[]} */ (made.get(tick));
    assert.equal(boids.length, seen.get(tick).length);
    boids.forEach((place, i) => assert.ok(apart(place, seen.get(tick)[i]) < 0.1, `boid ${i} after tick ${tick}: ${place}, seen ${seen.get(tick)[i]}`));
  }
  const { code, stdout, stderr } = await replay(t, file, '--verify');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^sound: \d+ parts?, \d+ rounds, ticks 0 to \d+, 30 Hz, by flockd /);
  assert.ok((await download(server, room, '?names=true')).includes('Ada'), 'names are in it if they are asked for');
});

test('a recording repeats the class mode that its presets set', async (t) => {
  const server = await startServer(t, MANY_ROOMS);
  const room = await createRoom(server, { preset: 'bees' });
  const teacher = await join(t, server.ws, { room: room.code, key: room.key });
  for (const preset of ['sheep', 'sardines', 'bees', 'sheep']) {
    assert.equal(await teacher.ask([flock.SET, 'preset', preset]), null);
    teacher.send([flock.CURSOR, 300, 300]);
    const { tick } = teacher.snapshot;
    await teacher.until('some ticks', () => teacher.snapshot.tick > tick + 5);
  }
  assert.equal(await teacher.ask([flock.UNDO]), null);
  const { code, stderr } = await replay(t, saved(t, await download(server, room)), '--verify');
  assert.equal(code, 0, stderr);
});

// Strangers of four addresses join the room, move a cursor and leave, eight at a time.
async function flood(server, room, count) {
  let left = count;
  const one = async (localAddress) => {
    const socket = new WebSocket(server.ws, 'flock.v1', { localAddress });
    await once(socket, 'open');
    socket.send(encode(hello({ room: room.code })));
    await once(socket, 'message');
    socket.send(encode([flock.CURSOR, 10, 10]));
    socket.close();
    await once(socket, 'close');
  };
  const several = async (localAddress) => {
    while (left-- > 0) await one(localAddress);
  };
  await Promise.all(Array.from({ length: 8 }, (_, i) => several(`127.0.0.${66 + (i % 4)}`)));
}

test('strangers who join and leave push out no appointed presenter and no class, and the recording repeats it', async (t) => {
  const server = await startServer(t, MANY_ROOMS);
  const room = await createRoom(server);
  const enter = (fields) => join(t, server.ws, { room: room.code, ...fields });
  const teacher = await enter({ key: room.key });
  const assistant = await enter();
  const pupils = await Promise.all(Array.from({ length: 10 }, () => enter()));
  assert.equal(await teacher.ask([flock.APPOINT, assistant.id, 'presenter']), null);
  for (const client of [assistant, ...pupils]) {
    client.socket.close();
    await client.untilClosed();
  }
  await teacher.until('all have left', () => teacher.people.size === 1);
  await flood(server, room, 1100);

  const back = await enter({ token: assistant.welcome.token });
  assert.deepEqual([back.id, back.role], [assistant.id, 'presenter']);
  for (const pupil of pupils) {
    assert.equal((await enter({ token: pupil.welcome.token })).id, pupil.id);
  }
  const { code, stderr } = await replay(t, saved(t, await download(server, room)), '--verify');
  assert.equal(code, 0, stderr);
});

test('a recording needs the room\'s key', async (t) => {
  const server = await startServer(t, MANY_ROOMS);
  const room = await createRoom(server);
  assertError(await call(server, 'GET', recordingOf(room)), { status: 401, code: 'key' });
  assertError(await call(server, 'GET', recordingOf(room), { key: 'some-other-key' }), { status: 403, code: 'key' });
  assertError(await call(server, 'GET', recordingOf(room), { key: room.key }), { status: 409, code: 'state' });
  assertError(await call(server, 'POST', recordingOf(room), { key: room.key, body: {} }), { status: 405 });
  assertError(await call(server, 'GET', '/api/rooms/FK72MX/recording', { key: room.key }), { status: 404, code: 'room' });
  assertError(await call(server, 'GET', `${roomOf(room)}/recordings`, { key: room.key }), { status: 404, code: 'room' });
});

test('without --rewind a room has no recording', async (t) => {
  const server = await startServer(t, [...MANY_ROOMS, '--rewind', '0']);
  const room = await createRoom(server);
  const client = await join(t, server.ws, { room: room.code });
  await client.until('some ticks', () => client.snapshot.tick > 3);
  const answer = await call(server, 'GET', recordingOf(room), { key: room.key });
  assertError(answer, { status: 409, code: 'state' });
  assert.match(answer.body.error.message, /--rewind/);
});

// Requests the recording until the server sends it, and reads only its beginning.
async function dawdle(t, server, room) {
  return until('an answer', async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    atEnd(t, () => socket.destroy());
    socket.on('error', () => {});
    socket.write(`GET ${recordingOf(room)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${room.key}\r\n\r\n`);
    await once(socket, 'readable');
    return String(socket.read(15)) === 'HTTP/1.1 200 OK' && socket;
  });
}

// The file is longer than kernels buffer for a client that does not read.
test('unread downloads hold three files in memory, not a fourth, and not for long', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '100000', '--world', '50000x50000', '--presenter-key', 'key-of-the-lobby', '--max-transfers', '8']);
  const room = { code: 'lobby', key: 'key-of-the-lobby' };
  const ask = () => fetch(new URL(recordingOf(room), server.url), { headers: { authorization: `Bearer ${room.key}`, connection: 'close' } });
  const size = async () => {
    const response = await ask();
    const bytes = await response.arrayBuffer();
    return response.status === 200 ? bytes.byteLength : 0;
  };
  const teacher = await join(t, server.ws, { key: room.key });
  assert.equal(await teacher.ask([flock.SET, 'run', 'paused']), null);
  let turns = 0;
  await until('a long past', async () => {
    teacher.send([flock.SPOTLIGHT, turns++ % 2 ? 0 : teacher.id]); // the recording starts again with the whole flock
    return (await size()) > 10 << 20;
  });
  const first = await dawdle(t, server, room);
  await dawdle(t, server, room);
  await dawdle(t, server, room);
  const fourth = await call(server, 'GET', recordingOf(room), { key: room.key });
  assertError(fourth, { status: 503, code: 'full' });
  assert.equal(fourth.headers.get('retry-after'), '1');
  const metrics = await (await fetch(new URL('metrics', server.url))).text();
  assert.match(metrics, /^flockd_refused_total\{limit="transfers"\} [1-9]/m);
  const only = await fetch(new URL(recordingOf(room), server.url), { method: 'HEAD', headers: { authorization: `Bearer ${room.key}` } });
  assert.deepEqual([only.status, only.headers.get('content-type')], [200, 'application/octet-stream'], 'HEAD needs no place');
  const slow = net.connect(server.port, '127.0.0.1').on('error', () => {});
  const drip = setInterval(() => slow.write('x'), 500);
  atEnd(t, () => {
    clearInterval(drip);
    slow.destroy();
  });
  let answer = '';
  slow.on('data', (bytes) => (answer += bytes));
  slow.write('POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\n');
  await until('the downloads are closed', size);
  await until('a slow upload is closed', () => slow.destroyed || slow.readableEnded);
  assert.match(answer, /^HTTP\/1\.1 408 [^]*16 KB a second/);
  first.resume();
  await until('so is its connection', () => first.closed);
});

test('flock-sim names the fault of a file', async (t) => {
  const server = await startServer(t, MANY_ROOMS);
  const room = await createRoom(server);
  const client = await join(t, server.ws, { room: room.code });
  await client.until('some ticks', () => client.snapshot.tick > 3);
  const bytes = await download(server, room);
  const refused = async (content, what, ...args) => {
    const { code, stdout, stderr } = await replay(t, saved(t, content), ...args);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, what);
  };
  await refused(bytes.subarray(0, bytes.length / 2), /damaged: the checksum differs/);
  await refused('tick,id,x,y', /not a file of flockd/);
  await refused(bytes, /--to: expected at least the value of --from/, '--from', '5', '--to', '4');
  await refused(bytes, /cannot be combined with options of the flock or the run/, '--boids', '7');
});
