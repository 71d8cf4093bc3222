// Rooms that play a recording, and branches.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { assertError, call, createRoom, MANY_ROOMS, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { FLOCKD, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';
import { aways, recording } from '../attack/crafted.mjs';

const { join, param } = flock;
const FLOCK_SIM = path.join(path.dirname(FLOCKD), 'flock-sim');
const BOIDS = 30;

// A file that lasts as long as the test.
function saved(t, bytes) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-replay-'));
  atEnd(t, () => rmSync(folder, { recursive: true }));
  const name = path.join(folder, 'room.flock');
  writeFileSync(name, bytes);
  return name;
}

async function download(server, room) {
  const response = await fetch(new URL(`${roomOf(room)}/recording`, server.url), {
    headers: { authorization: `Bearer ${room.key}`, connection: 'close' },
  });
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}

// A class steers for 1.5 s, and a presenter changes a parameter. Resolves to the recording, and to the boids that all saw, by tick.
async function record(t) {
  const server = await startServer(t, MANY_ROOMS);
  const room = await createRoom(server, { model: 'boids', boids: BOIDS, title: 'Original' });
  const teacher = await join(t, server.ws, { room: room.code, key: room.key, name: 'Ada' });
  const pupil = await join(t, server.ws, { room: room.code, name: 'Bo' });
  const seen = new Map();
  pupil.onSnapshot = ({ tick, boids }) => seen.set(tick, boids);
  await pupil.until('some ticks', () => pupil.snapshot.tick > 10);
  pupil.send([flock.CURSOR, 300, 200]);
  assert.equal(await teacher.ask([flock.PARAM, 'max_speed', 5]), null);
  const { tick: changed } = pupil.snapshot;
  await pupil.until('more ticks', () => pupil.snapshot.tick > changed + 35);
  const last = pupil.snapshot.tick;
  return { bytes: await download(server, room), seen: new Map([...seen].filter(([tick]) => tick <= last)), last };
}

const open = (server, bytes, query = '', /** @type {{ type?: string, key?: string }} */ { type = 'application/octet-stream', ...options } = {}) =>
  call(server, 'POST', `/api/rooms${query}`, { body: new Uint8Array(bytes), ...options, headers: { 'content-type': type } });

async function opened(server, bytes, query) {
  const { status, body } = await open(server, bytes, query);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const branch = (server, room, body) => call(server, 'POST', `${roomOf(room)}/branch`, { key: room.key, body });

async function branched(server, room, fields) {
  const { status, body } = await branch(server, room, fields);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

// Asserts that the client now gets the same boids as were seen at the same ticks, for `enough` ticks.
async function assertSame(client, seen, enough) {
  let compared = 0;
  const wrong = [];
  client.onSnapshot = ({ tick, boids }) => {
    if (!seen.has(tick)) return;
    compared++;
    try {
      assert.deepEqual(boids, seen.get(tick));
    } catch (error) {
      wrong.push(`tick ${tick}: ${error.message}`);
    }
  };
  await client.until('moments that were recorded', () => compared >= enough || wrong.length > 0);
  assert.deepEqual(wrong, []);
}

// Shows the moment `back` seconds before the end; resolves to its snapshot.
async function shownAt(teacher, back) {
  assert.equal(await teacher.ask([flock.REWIND, back]), null);
  await teacher.until('the moment', () => Math.abs(teacher.past.back - back) < 0.001);
  await teacher.next(flock.SNAPSHOT, 'it');
  return { tick: teacher.snapshot.tick, boids: teacher.snapshot.boids };
}

// Shows the moment of a tick. A busy machine may record many more ticks than a client saw, so the end of the recording does not tell it.
async function shownTick(teacher, tick) {
  const { tick: end } = await shownAt(teacher, 0);
  const moment = await shownAt(teacher, (end - tick) / 30);
  assert.equal(moment.tick, tick);
  return moment;
}

// Resolves to the end of the room's recording, computed by flock-sim.
async function hashOf(t, bytes) {
  const { code, stdout, stderr } = await runToEnd(t, ['--replay', saved(t, bytes), '--verify'], { command: [FLOCK_SIM] });
  assert.equal(code, 0, stderr);
  return /it ends with ([0-9a-f]{16})/.exec(stdout)?.[1];
}

test('another flockd plays a recording: the same flock at the same ticks, without a presenter', async (t) => {
  const { bytes, seen } = await record(t);
  const server = await startServer(t, MANY_ROOMS);
  const room = await opened(server, bytes, '?title=Lesson%20one&listed=true');
  const { body } = await call(server, 'GET', roomOf(room));
  assert.deepEqual([body.title, body.listed, body.boids, body.model], ['Lesson one', true, BOIDS, 'boids']);
  const pupil = await join(t, server.ws, { room: room.code, name: 'Cleo' });
  await assertSame(pupil, seen, 10);
  await pupil.until('it plays', () => pupil.past?.shown && pupil.past.speed === 1);
  /** @param {import('./types.d.ts').Message} message */
  const ends = ([type, shown, , back, speed]) => type === flock.PAST && shown && back === 0 && speed === 0; // for two seconds
  await pupil.until('its end', () => pupil.messages.some(ends));
  await pupil.until('its beginning again', () => pupil.past.speed === 1 && pupil.snapshot.tick < 10);
  assert.equal(await hashOf(t, await download(server, room)), await hashOf(t, bytes));
});

test('presenters control it', async (t) => {
  const { bytes, seen, last } = await record(t);
  const server = await startServer(t, MANY_ROOMS);
  const room = await opened(server, bytes);
  assert.equal((await call(server, 'GET', roomOf(room))).body.title, 'Original');
  const teacher = await join(t, server.ws, { room: room.code, key: room.key });
  const pupil = await join(t, server.ws, { room: room.code });
  assert.equal((await pupil.ask([flock.PLAY, 0])).code, 'role');
  assert.equal((await teacher.ask([flock.PARAM, 'max_speed', 3])).code, 'state');
  assert.equal(await teacher.ask([flock.PLAY, 0]), null);
  assert.equal(await teacher.ask([flock.REWIND, 1000]), null);
  await pupil.until('its beginning', () => pupil.snapshot.tick === Math.min(...seen.keys()) || pupil.snapshot.tick === 0);
  assert.equal(param(pupil, 'max_speed') === 5, false);
  assert.equal(await teacher.ask([flock.REWIND, 0]), null);
  await pupil.until('its end', () => pupil.snapshot.tick >= last && param(pupil, 'max_speed') === 5);
  assert.equal(await teacher.ask([flock.PLAY, -2]), null);
  await pupil.until('it goes backwards', () => pupil.snapshot.tick < last - 5);
  assert.equal(await teacher.ask([flock.LIVE]), null);
  await pupil.until('it goes on from its end', () => !pupil.past.shown && pupil.snapshot.tick > last);
  assert.equal(await teacher.ask([flock.PARAM, 'max_speed', 3]), null);
  assert.equal(await teacher.ask([flock.REWIND, 1000]), null);
  await pupil.until('the recording is its past', () => pupil.past.shown && pupil.snapshot.tick < 5);
  assert.equal(await teacher.ask([flock.LIVE]), null);
  await pupil.until('and it has a present', () => !pupil.past.shown && param(pupil, 'max_speed') === 3);
});

test('a room continues from any moment of a recording', async (t) => {
  const { bytes, last } = await record(t);
  const server = await startServer(t, MANY_ROOMS);
  const room = await opened(server, bytes);
  const teacher = await join(t, server.ws, { room: room.code, key: room.key });
  assert.equal(await teacher.ask([flock.PLAY, 0]), null);
  await shownTick(teacher, last - 10);
  assert.equal(await teacher.ask([flock.RESUME]), null);
  await teacher.until('it goes on', () => !teacher.past.shown && teacher.snapshot.tick > last);
  await hashOf(t, await download(server, room)); // the recording, and the ticks after it, are valid
});

test('a branch begins at the moment that its room shows, and is its own room', async (t) => {
  const { bytes, seen, last } = await record(t);
  const server = await startServer(t, MANY_ROOMS);
  const room = await opened(server, bytes);
  const teacher = await join(t, server.ws, { room: room.code, key: room.key });
  assert.equal(await teacher.ask([flock.PLAY, 0]), null);
  const { tick } = await shownTick(teacher, last - 8);
  const twin = await branched(server, room);
  const fast = await branched(server, room, { title: 'Faster', listed: true, parameters: { max_speed: 9 } });
  assert.notEqual(twin.code, room.code);
  assert.notEqual(twin.key, room.key);
  assert.deepEqual((await call(server, 'GET', roomOf(twin))).body.title, 'Original');
  const { body } = await call(server, 'GET', roomOf(fast));
  assert.deepEqual([body.title, body.listed, body.boids], ['Faster', true, BOIDS]);
  const [same, other] = [await join(t, server.ws, { room: twin.code, key: twin.key }), await join(t, server.ws, { room: fast.code })];
  assert.ok(same.snapshot.tick > tick && other.snapshot.tick > tick, 'they go on from the moment');
  assert.deepEqual([param(same, 'max_speed'), param(other, 'max_speed')], [5, 9]);
  assert.equal(await teacher.ask([flock.PLAY, 1]), null);
  const later = await teacher.until('its source goes on, to a tick that was seen', () => {
    return teacher.snapshot.tick > tick + 3 && seen.has(teacher.snapshot.tick) && teacher.snapshot;
  });
  assert.deepEqual(later.boids, seen.get(later.tick));
});

test('without input a branch does the same as its room', async (t) => {
  const server = await startServer(t, MANY_ROOMS);
  const room = await createRoom(server, { model: 'boids', boids: BOIDS, idle: 'hold' });
  const teacher = await join(t, server.ws, { room: room.code, key: room.key });
  await teacher.until('some ticks', () => teacher.snapshot.tick > 20);
  const twin = await branched(server, room);
  const seen = new Map();
  teacher.onSnapshot = ({ tick, boids }) => seen.set(tick, boids);
  const client = await join(t, server.ws, { room: twin.code });
  const own = new Map();
  client.onSnapshot = ({ tick, boids }) => own.set(tick, boids);
  const both = () => [...own.keys()].filter((tick) => seen.has(tick));
  await client.until('the same ticks', () => both().length > 5);
  for (const tick of both()) assert.deepEqual(own.get(tick), seen.get(tick), `tick ${tick}`);
});

test('permission to branch, and the fields of a branch', async (t) => {
  const server = await startServer(t, ['--rooms-per-hour', '3', '--room-boids', '50']);
  const room = await createRoom(server, { boids: 20 });
  const at = `${roomOf(room)}/branch`;
  assertError(await call(server, 'POST', at, { body: {} }), { status: 401, code: 'key' });
  assertError(await call(server, 'POST', at, { body: {}, key: 'some-other-key' }), { status: 403, code: 'key' });
  assertError(await call(server, 'POST', '/api/rooms/FK72MX/branch', { body: {}, key: room.key }), { status: 404, code: 'room' });
  assertError(await call(server, 'GET', at), { status: 405, code: 'type' });
  assertError(await call(server, 'POST', at, { body: '{', key: room.key }), { status: 400, code: 'malformed' });
  assertError(await call(server, 'POST', at, { body: 'x', key: room.key, headers: { 'content-type': 'text/plain' } }), { status: 415, code: 'malformed' });
  assertError(await branch(server, room, { wings: 2 }), { status: 400, code: 'malformed', field: 'wings' });
  assertError(await branch(server, room, { parameters: { wings: 2 } }), { status: 400, code: 'range', field: 'parameters.wings' });
  const locked = await branched(server, room, { join_key: 'a-join-key' });
  assert.equal((await call(server, 'GET', roomOf(locked))).body.locked, true);
  await branched(server, room);
  assertError(await branch(server, room), { status: 429, code: 'flood' });
  const off = await startServer(t, ['--rooms', 'off', '--presenter-key', 'key-of-the-lobby']);
  assertError(await branch(off, { code: 'lobby', key: 'key-of-the-lobby' }), { status: 403, code: 'role' });
});

test('the error names the fault of a file', async (t) => {
  const { bytes } = await record(t);
  const server = await startServer(t, [...MANY_ROOMS, '--room-boids', '20']);
  const refused = async (content, expected, what, query) => {
    const answer = await open(server, content, query);
    assertError(answer, expected);
    assert.match(answer.body.error.message, what);
  };
  const malformed = { status: 400, code: 'malformed' };
  const flipped = Buffer.from(bytes);
  flipped[bytes.length >> 1] ^= 1;
  const newer = Buffer.from(bytes);
  newer[7]++;
  await refused(Buffer.from('tick,id,x,y'), malformed, /the recording: not a file of flockd/);
  await refused(Buffer.alloc(0), malformed, /the recording: not a file of flockd/);
  await refused(bytes.subarray(0, bytes.length / 2), malformed, /the recording: damaged/);
  await refused(flipped, malformed, /the recording: damaged/);
  await refused(newer, malformed, /the recording: .*version/);
  await refused(bytes, { status: 400, code: 'range' }, /part 1: it has 30 boids, a room here may have 20/);
  const metrics = await (await fetch(`${server.url}metrics`)).text();
  assert.match(metrics, /^flockd_refused_total\{limit="boids"\} 1$/m);
  await refused(bytes, { ...malformed, field: 'wings' }, /wings/, '?wings=2');
  await refused(bytes, { ...malformed, field: 'listed' }, /true or false/, '?listed=perhaps');
  await refused(bytes, { status: 400, code: 'range', field: 'join_key' }, /4 to 64/, '?join_key=');
  await refused(Buffer.alloc((32 << 20) + 1), { status: 413, code: 'malformed' }, /33,554,432/);
  assertError(await open(server, bytes, '', { type: 'application/x-flock' }), { status: 415, code: 'malformed' });
  const closed = await startServer(t, ['--rooms', 'presenter', '--presenter-key', 'key-of-the-lobby']);
  assertError(await open(closed, bytes), { status: 401, code: 'key' });
  assert.equal((await open(closed, bytes, '', { key: 'key-of-the-lobby' })).status, 201);
});

// A request with missing bytes.
function begin(t, server, type, bytes, missing) {
  const socket = net.connect(server.port, '127.0.0.1').setEncoding('latin1');
  atEnd(t, () => socket.destroy());
  socket.write(`POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`);
  socket.write(bytes.subarray(0, bytes.length - missing));
  return socket;
}

test('a recording may take longer than other requests', async (t) => {
  const { bytes } = await record(t);
  const server = await startServer(t, ['--request-timeout', '0.5', '--net-threads', '1']);
  const slow = begin(t, server, 'application/octet-stream', bytes, 1);
  await once(slow, 'connect');
  const other = begin(t, server, 'application/json', Buffer.from('{}'), 1);
  assert.match((await once(other, 'data'))[0], /^HTTP\/1\.1 408 /);
  slow.write(bytes.subarray(-1));
  assert.match((await once(slow, 'data'))[0], /^HTTP\/1\.1 201 /);
});

test('an upload that finds too little memory is refused before its body, and gives its memory back', async (t) => {
  const server = await startServer(t, ['--rewind-memory', '16', '--net-threads', '1']); // 7 MiB for an address
  const type = 'application/octet-stream';
  const large = begin(t, server, type, Buffer.alloc(20 << 20), 20 << 20);
  let answer = '';
  large.on('data', (part) => (answer += part));
  await once(large, 'end');
  assert.match(answer, /^HTTP\/1\.1 409 [^]*--rewind-memory/);
  const file = Buffer.alloc(5 << 20);
  const held = begin(t, server, type, file, 1);
  await once(held, 'connect');
  const refused = once(held, 'data').then(([text]) => assert.fail(`the first upload was refused: ${text}`));
  const taken = until('its memory is taken', async () => (await open(server, file)).status === 409);
  await Promise.race([taken, refused]);
  held.destroy();
  await until('its memory is given back', async () => (await open(server, file)).status === 400);
});

test('an upload takes no memory for what has not arrived, and is refused when there is no more', async (t) => {
  const server = await startServer(t, ['--rewind-memory', '16', '--net-threads', '1']); // 7 MiB for an address
  const type = 'application/octet-stream';
  const file = Buffer.alloc(5 << 20);
  const late = begin(t, server, type, file, file.length - 1000);
  let answer = '';
  late.on('data', (part) => (answer += part));
  const held = begin(t, server, type, file, 1);
  const taken = async () => Number((await (await fetch(`${server.url}metrics`)).text()).match(/^flockd_rooms_memory_bytes (\d+)$/m)?.[1]);
  await until('its memory is taken', async () => (await taken()) > 5 << 20);
  late.write(file.subarray(1000));
  await once(late, 'end');
  assert.match(answer, /^HTTP\/1\.1 409 [^]*the recording has 5242880 bytes, more than the memory limit has left \(--rewind-memory\)/);
  held.write(file.subarray(-1));
  assert.match((await once(held, 'data'))[0], /^HTTP\/1\.1 400 /);
  await until('all memory is given back', async () => (await open(server, Buffer.alloc((7 << 20) - 1000))).status === 400);
});

test('flockd --replay: the lobby plays a file, at each start from its beginning', async (t) => {
  const { bytes, seen } = await record(t);
  const file = saved(t, bytes);
  const data = mkdtempSync(path.join(tmpdir(), 'flockd-replay-'));
  atEnd(t, () => rmSync(data, { recursive: true }));
  const args = ['--replay', file, '--data', data, '--presenter-key', 'key-of-the-lobby', '--boids', '7'];
  const server = await startServer(t, args);
  const teacher = await join(t, server.ws, { key: 'key-of-the-lobby' });
  await assertSame(teacher, seen, 3);
  assert.equal(await teacher.ask([flock.LIVE]), null);
  await teacher.until('it goes on', () => !teacher.past.shown);
  await server.stop();
  const again = await startServer(t, args);
  const pupil = await join(t, again.ws);
  assert.ok(pupil.past.shown);
  assert.equal((await createRoom(again)).code.length, 6);
  const damaged = await runToEnd(t, ['--replay', saved(t, bytes.subarray(1)), '--port', '0']);
  assert.deepEqual([damaged.code, damaged.stdout], [2, '']);
  assert.match(damaged.stderr, /^flockd: --replay: .*room\.flock: the recording: not a file of flockd\n$/);
  const missing = await runToEnd(t, ['--replay', '/no/such.flock', '--port', '0']);
  assert.deepEqual([missing.code, missing.stderr], [2, 'flockd: --replay: /no/such.flock: No such file or directory\n']);
});

// A flockd that stores its rooms; each flockd of a test continues with the rooms of the last.
function keeper(t) {
  const data = mkdtempSync(path.join(tmpdir(), 'flockd-replay-'));
  atEnd(t, () => rmSync(data, { recursive: true }));
  return { data, start: (...args) => startServer(t, [...MANY_ROOMS, '--data', data, '--checkpoint-interval', '0.1', ...args]) };
}

async function writes(server) {
  const text = await (await fetch(`${server.url}metrics`)).text();
  return Number(text.match(/^flockd_store_writes_total (\d+)$/m)?.[1]);
}

const recordingsOf = (data) => {
  const { status, stdout } = spawnSync(FLOCKD, ['--check-data', data], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  return stdout.match(/plays a recording of \d+ bytes/g) ?? [];
};

test('after a kill a replay room continues its recording from the same moment', async (t) => {
  const { bytes } = await record(t);
  const { data, start } = keeper(t);
  const server = await start();
  const room = await opened(server, bytes, '?title=Lesson%20one');
  const teacher = await join(t, server.ws, { room: room.code, key: room.key });
  assert.equal(await teacher.ask([flock.PLAY, 0]), null);
  const earlier = await shownAt(teacher, 1);
  const last = await shownAt(teacher, 0.5);
  assert.equal(last.tick, earlier.tick + 15);
  const before = await writes(server);
  await until('it is kept', async () => (await writes(server)) > before + 2);
  server.kill('SIGKILL');
  await server.ended;
  const again = await start();
  assert.equal((await call(again, 'GET', roomOf(room))).body.title, 'Lesson one');
  const back = await join(t, again.ws, { room: room.code, key: room.key });
  assert.equal(back.welcome.role, 'presenter');
  assert.deepEqual([back.past.shown, back.past.back, back.past.speed], [true, 0.5, 0]);
  await back.until('the same moment', () => back.snapshot.tick === last.tick);
  assert.deepEqual(back.snapshot.boids, last.boids);
  assert.deepEqual(await shownAt(back, 1), earlier);
  assert.equal(await hashOf(t, await download(again, room)), await hashOf(t, bytes));
  await again.stop();
  assert.equal(recordingsOf(data).length, 1);
});

test('a replay room that continues or ends stores no recording; a room whose recording is lost continues', async (t) => {
  const { bytes } = await record(t);
  const { data, start } = keeper(t);
  const server = await start();
  const [first, second, third] = [await opened(server, bytes), await opened(server, bytes), await opened(server, bytes)];
  const teacher = await join(t, server.ws, { room: first.code, key: first.key });
  assert.equal(await teacher.ask([flock.LIVE]), null);
  await teacher.until('it goes on', () => !teacher.past.shown);
  assert.equal((await call(server, 'DELETE', roomOf(second), { key: second.key })).status, 204);
  await server.stop();
  assert.equal(recordingsOf(data).length, 1);
  const again = await start('--room-boids', String(BOIDS - 1));
  const back = await join(t, again.ws, { room: third.code, key: third.key });
  assert.equal(back.past?.shown ?? false, false);
  assert.equal(back.snapshot.boids.length, BOIDS);
  assert.match(again.stderr, new RegExp(`the room ${third.code} continues from the moment that it showed: the recording: .*${BOIDS} boids`));
  assert.equal(await back.ask([flock.PARAM, 'max_speed', 3]), null);
  await again.stop();
  assert.equal(recordingsOf(data).length, 0);
});

test('idle rooms of strangers give way to recordings that are uploaded with the server’s key', async (t) => {
  const key = 'a-long-key-of-the-teacher-42';
  const server = await startServer(t, ['--rewind-memory', '1', '--rewind', '0', '--presenter-key', key]);
  const bytes = recording([{ rounds: 30, before: aways(175_000) }]); // a third of the memory
  const idle = await opened(server, bytes);
  assertError(await open(server, bytes), { status: 409, code: 'full' });
  assert.equal((await open(server, bytes, '', { key })).status, 201);
  assert.equal((await call(server, 'GET', roomOf(idle))).status, 200, 'it stays while there is space');
  assert.equal((await open(server, bytes, '', { key })).status, 201);
  await until('it has ended', async () => (await call(server, 'GET', roomOf(idle))).status === 404);
  assertError(await open(server, bytes, '', { key }), { status: 409, code: 'full' });
});
