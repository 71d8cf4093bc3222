// flock-load, with which the benchmarks measure: that it sees what there is, and what is wrong.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket, { WebSocketServer } from 'ws';
import { call, createRoom, MANY_ROOMS, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import { PACKED, SNAPSHOT } from './messages.mjs';
import { root, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const command = [path.resolve(root, process.env.FLOCK_LOAD ?? 'build/flock-load')];
const load = (t, args) => runToEnd(t, args, { command });

// A WebSocket server for the test, on a free port. Resolves to its URL.
async function serve(t, onConnection, options = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
  atEnd(t, () => {
    server.clients.forEach((socket) => socket.terminate());
    server.close();
  });
  server.on('connection', onConnection);
  await new Promise((resolve) => server.once('listening', resolve));
  return `ws://127.0.0.1:${(/** @type {import('node:net').AddressInfo} */ (server.address())).port}/ws`;
}

// A server between flock-load and a flockd, that passes on what change() makes of flockd's messages.
const relay = (t, server, change) =>
  serve(t, (socket) => {
    const upstream = new WebSocket(server.ws, 'flock.v1', { perMessageDeflate: false });
    const early = [];
    socket.on('message', (data) => (upstream.readyState === WebSocket.OPEN ? upstream.send(data) : early.push(data)));
    upstream.on('open', () => early.forEach((data) => upstream.send(data)));
    upstream.on('message', (data) => change(data).forEach((changed) => socket.send(changed)));
    socket.on('close', () => upstream.terminate());
    upstream.on('error', () => {});
  });

const isSnapshot = (data) => data[1] === SNAPSHOT || data[1] === PACKED;

async function crowd(t, encoding) {
  const server = await startServer(t, ['--boids', '100', '--model', 'boids']);
  const { code, stdout, stderr } = await load(t, [
    ...['--encoding', encoding, '--clients', '40', '--cursors', '1', '--slow', '2', '--never', '2', '--churn', '4'],
    ...['--warm-up', '0.5', '--seconds', '3', '--pid', String(server.pid), '--json', server.ws],
  ]);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const figures = JSON.parse(stdout);
  assert.equal(figures.wrong + figures.lost, 0);
  assert.ok(figures.frames > 100, `of about 3,400, where the machine has time: ${figures.frames}`);
  assert.ok(figures.joins >= 4, `those that churn come back: ${figures.joins}`);
  assert.ok(figures.cursors > 0 && figures.effect_p50_ms > 0, `cursors take effect: ${stdout}`);
  assert.ok(figures.delivery_p50_ms > 0 && figures.delivery_max_ms >= figures.delivery_p50_ms, stdout);
  assert.ok(figures.cpu_s > 0 && figures.memory_before > 1e6, `the server's process: ${stdout}`);
  return figures;
}

test('flock-load joins with all kinds of clients and finds every plain frame right', async (t) => {
  const { bytes_per_boid: bytes } = await crowd(t, 'plain');
  assert.ok(bytes > 4 && bytes < 5, `4 and a header: ${bytes}`);
});

test('flock-load joins with all kinds of clients and finds every packed frame right', async (t) => {
  const { bytes_per_boid: bytes, keyframes, joins, frames } = await crowd(t, 'packed');
  assert.ok(bytes > 0.5 && bytes < 4, `less than plain: ${bytes}`);
  assert.ok(keyframes >= joins - 4 && keyframes < frames, `about one for each that comes back, and few others: ${keyframes} of ${frames}`);
});

test('flock-load makes rooms, spreads its clients over them and ends them', async (t) => {
  const server = await startServer(t, MANY_ROOMS);
  const rooms = async () => (await call(server, 'GET', '/api/rooms')).body.rooms.filter(({ code }) => code !== 'lobby');
  const make = ['--rooms', '5', '--room-json', '{"listed":true,"boids":40}', '--clients', '20', '--encoding', 'packed'];
  const running = load(t, [...make, '--warm-up', '1', '--seconds', '2', '--json', server.ws]);
  await until('four people in each', async () => (await rooms()).filter(({ people, boids }) => people === 4 && boids === 40).length === 5);
  const { code, stdout, stderr } = await running;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const figures = JSON.parse(stdout);
  assert.deepEqual([figures.rooms, figures.rooms_wrong], [5, 0]);
  assert.ok(figures.frames > 40, `of about 1,200, where the machine has time: ${figures.frames}`);
  assert.deepEqual(await rooms(), []);
});

test('flock-load takes rooms that are there, and says in which something is wrong', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  const args = ['--clients', '4', '--warm-up', '0', '--seconds', '1', '--json'];
  const right = await load(t, [...args, '--codes', `lobby,${room.code.toLowerCase()}`, server.ws]);
  assert.equal(right.code, 0, right.stderr);
  assert.equal(JSON.parse(right.stdout).rooms, 2);
  assert.equal((await call(server, 'GET', roomOf(room))).status, 200, 'it is left as it was');
  const wrong = await load(t, [...args, '--codes', `lobby,FK72MX`, server.ws]);
  assert.match(wrong.stderr, /client [13] in FK72MX: the server refused room: /);
  assert.equal(wrong.code, 1);
});

test('flock-load says why it could not make a room', async (t) => {
  const server = await startServer(t);
  const { code, stderr } = await load(t, ['--rooms', '2', '--room-json', '{"boids":0}', '--clients', '2', server.ws]);
  assert.match(stderr, /^flock-load: a room could not be made: 400 .*boids.*\n$/);
  assert.equal(code, 1);
});

test('flock-load asks for a rate', async (t) => {
  const server = await startServer(t, ['--tick-rate', '40']);
  const { code, stdout } = await load(t, ['--clients', '2', '--rate', '8', '--warm-up', '0', '--seconds', '2', '--json', server.ws]);
  assert.equal(code, 0);
  const { frames, missed } = JSON.parse(stdout);
  assert.ok(frames > 0 && frames <= 36, `2 clients, 2 seconds, 8 a second: ${frames}`);
  assert.equal(typeof missed, 'number');
});

test('flock-load sees a snapshot that comes twice', async (t) => {
  const url = await relay(t, await startServer(t), (data) => (isSnapshot(data) ? [data, data] : [data]));
  const { code, stderr } = await load(t, ['--clients', '1', '--seconds', '1', url]);
  assert.match(stderr, /client 0: a snapshot is not newer than the one before/);
  assert.equal(code, 1);
});

test('flock-load sees packed boids that do not continue from what it has', async (t) => {
  let turn = 0;
  const url = await relay(t, await startServer(t), (data) => (isSnapshot(data) && turn++ === 3 ? [] : [data]));
  const { code, stderr } = await load(t, ['--encoding', 'packed', '--clients', '1', '--seconds', '1', url]);
  assert.match(stderr, /client 0: packed boids are a delta to some that never came/);
  assert.equal(code, 1);
});

test('flock-load sees a snapshot that is cut short', async (t) => {
  const url = await relay(t, await startServer(t), (data) => [isSnapshot(data) ? data.subarray(0, -3) : data]);
  const { code, stderr } = await load(t, ['--clients', '1', '--seconds', '1', url]);
  assert.match(stderr, /client 0: a message cannot be decoded/);
  assert.equal(code, 1);
});

test('flock-load counts the snapshots that a client missed', async (t) => {
  let turn = 0;
  const url = await relay(t, await startServer(t), (data) => (isSnapshot(data) && turn++ % 2 === 1 ? [] : [data]));
  const { code, stdout, stderr } = await load(t, ['--clients', '1', '--warm-up', '0', '--seconds', '2', '--json', url]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const { frames, missed } = JSON.parse(stdout);
  assert.ok(missed >= frames - 1, `as many as it got: ${missed} of ${frames}`);
});

test('flock-load measures another server by the time in its payloads', async (t) => {
  const url = await serve(t, (socket) => {
    let number = 0n;
    const payload = Buffer.alloc(100);
    const timer = setInterval(() => {
      payload.writeBigUInt64LE(process.hrtime.bigint() - 5_000_000n, 0);
      payload.writeBigUInt64LE(number++, 8);
      socket.send(Buffer.concat([Buffer.from('head'), payload]));
    }, 10);
    socket.on('close', () => clearInterval(timer));
  });
  const { code, stdout } = await load(t, ['--clients', '3', '--raw', '100', '--seconds', '1', '--json', url]);
  const figures = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.ok(figures.frames > 5 && figures.bytes_per_frame === 100, stdout);
  assert.ok(figures.delivery_p50_ms >= 5, `sent 5 ms before: ${figures.delivery_p50_ms}`);
});

test('flock-load tells of clients that are hung up on', async (t) => {
  const url = await serve(t, (socket) => setTimeout(() => socket.close(3000, 'off for lunch'), 500));
  const { code, stderr } = await load(t, ['--clients', '2', '--raw', '100', '--seconds', '1', url]);
  assert.match(stderr, /the server closed the connection with 3000 "off for lunch"/);
  assert.equal(code, 1);
});

const URL_OF_NOBODY = 'ws://127.0.0.1:1/ws';
for (const args of [
  [],
  ['wss://127.0.0.1:1/ws'],
  ['--clients', '0', URL_OF_NOBODY],
  ['--never', '100', URL_OF_NOBODY],
  ['--codes', 'lob_by', URL_OF_NOBODY],
  ['--rooms', '2', '--codes', 'a,b', URL_OF_NOBODY],
  ['--rooms', '2', '--raw', '100', URL_OF_NOBODY],
  ['--room-json', '12', URL_OF_NOBODY],
]) {
  test(`flock-load refuses with one line and status 2: ${args.join(' ')}`, async (t) => {
    const { code, stdout, stderr } = await load(t, args);
    assert.match(stderr, /^flock-load: [^\n]+\n$/);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });
}

test('flock-load that reaches nobody is a clear line and status 1', async (t) => {
  const { code, stderr } = await load(t, ['--clients', '1', 'ws://127.0.0.1:1/ws']);
  assert.match(stderr, /client 0: Connection refused/);
  assert.equal(code, 1);
});
