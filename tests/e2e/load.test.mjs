// flock-load, the benchmarks' load generator: it counts correctly, and it finds faults.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket, { WebSocketServer } from 'ws';
import { call, createRoom, MANY_ROOMS, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import { decode } from '@msgpack/msgpack';
import { HELLO, PACKED, PING, SNAPSHOT } from './messages.mjs';
import { launch, root, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const command = [path.resolve(root, process.env.FLOCK_LOAD ?? 'build/flock-load')];
const load = (t, args) => runToEnd(t, args, { command });

// Runs flock-load until `seen` resolves, then asks it to end. Resolves to its figures.
async function loadUntil(t, args, seen) {
  const program = launch(t, [...args, '--warm-up', '0', '--seconds', '600'], { command });
  await seen(program);
  program.kill('SIGINT');
  const { code } = await program.ended;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

// Waits until flock-load, which continues, has printed this.
const says = (what) => (program) => until(`it says ${what}`, () => what.test(program.stderr) || !program.running, () => program.stdout + program.stderr);

const metric = async (server, name) => Number((await (await fetch(`${server.url}metrics`)).text()).match(new RegExp(`^flockd_${name} (\\d+)$`, 'm'))[1]);

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

// A server between flock-load and a flockd. It passes flockd's messages through change().
const relay = (t, server, change, heard = (_data) => {}) =>
  serve(t, (socket) => {
    const upstream = new WebSocket(server.ws, 'flock.v1', { perMessageDeflate: false });
    const early = [];
    socket.on('message', (data) => {
      heard(data);
      upstream.readyState === WebSocket.OPEN ? upstream.send(data) : early.push(data);
    });
    upstream.on('open', () => early.forEach((data) => upstream.send(data)));
    upstream.on('message', (data) => change(data).forEach((changed) => socket.send(changed)));
    socket.on('close', () => upstream.terminate());
    upstream.on('error', () => {});
  });

const isSnapshot = (data) => data[1] === SNAPSHOT || data[1] === PACKED;

async function crowd(t, encoding) {
  const server = await startServer(t, ['--boids', '100', '--model', 'boids']);
  const clients = 40;
  const args = ['--encoding', encoding, '--clients', String(clients), '--cursors', '1', '--slow', '2', '--never', '2', '--churn', '4'];
  const { code, stdout, stderr } = await loadUntil(t, [...args, '--pid', String(server.pid), '--json', server.ws], async ({ stderr }) => {
    await until('those that churn have come back', async () => (await metric(server, 'connections_total')) >= clients + 12, () => stderr);
    const sent = await metric(server, 'snapshots_sent_total');
    await until('500 snapshots', async () => (await metric(server, 'snapshots_sent_total')) >= sent + 500, () => stderr);
  });
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const figures = JSON.parse(stdout);
  assert.equal(figures.wrong + figures.lost, 0);
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
  const { code, stdout, stderr } = await loadUntil(t, [...make, '--json', server.ws], async () => {
    await until('four people in each', async () => (await rooms()).filter(({ people, boids }) => people === 4 && boids === 40).length === 5);
    const sent = await metric(server, 'snapshots_sent_total');
    await until('100 snapshots', async () => (await metric(server, 'snapshots_sent_total')) >= sent + 100);
  });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const figures = JSON.parse(stdout);
  assert.deepEqual([figures.rooms, figures.rooms_wrong], [5, 0]);
  assert.ok(figures.frames > 0, stdout);
  assert.deepEqual(await rooms(), []);
});

test('flock-load uses existing rooms, and names the room of a fault', async (t) => {
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

test('flock-load refuses the address of a room, because --codes names rooms', async (t) => {
  const { code, stderr } = await load(t, ['--clients', '1', 'ws://127.0.0.1:1/ws?room=FK72MX']);
  assert.equal(stderr, 'flock-load: ws://127.0.0.1:1/ws?room=FK72MX: expected no room; --codes names rooms (--help lists the options)\n');
  assert.equal(code, 2);
});

test('flock-load says why it could not make a room', async (t) => {
  const server = await startServer(t);
  const { code, stderr } = await load(t, ['--rooms', '2', '--room-json', '{"boids":0}', '--clients', '2', server.ws]);
  assert.match(stderr, /^flock-load: a room could not be made: 400 .*boids.*\n$/);
  assert.equal(code, 1);
});

test('flock-load requests a rate, and topics', async (t) => {
  const asked = [];
  const hear = (data) => {
    const [type, , , , options] = /** @type {any} */ (decode(data));
    if (type === HELLO) asked.push([options.rate, options.topics]);
  };
  const url = await relay(t, await startServer(t, ['--tick-rate', '40']), (data) => [data], hear);
  const { code, stdout } = await load(t, ['--clients', '2', '--rate', '8', '--topics', '--warm-up', '0', '--seconds', '0.1', '--json', url]);
  assert.equal(code, 0);
  assert.deepEqual(asked, [[8, 511], [8, 511]]);
  assert.equal(typeof JSON.parse(stdout).missed, 'number');
});

test('flock-load finds a repeated snapshot', async (t) => {
  const url = await relay(t, await startServer(t), (data) => (isSnapshot(data) ? [data, data] : [data]));
  const what = /client 0: a snapshot is not newer than the one before/;
  const { code, stderr } = await loadUntil(t, ['--clients', '1', url], says(what));
  assert.match(stderr, what);
  assert.equal(code, 1);
});

test('flock-load finds packed boids that do not follow its last ones', async (t) => {
  let turn = 0;
  const url = await relay(t, await startServer(t), (data) => (isSnapshot(data) && turn++ === 3 ? [] : [data]));
  const what = /client 0: packed boids are a delta to some that never came/;
  const { code, stderr } = await loadUntil(t, ['--encoding', 'packed', '--clients', '1', url], says(what));
  assert.match(stderr, what);
  assert.equal(code, 1);
});

test('flock-load finds a truncated snapshot', async (t) => {
  const url = await relay(t, await startServer(t), (data) => [isSnapshot(data) ? data.subarray(0, -3) : data]);
  const what = /client 0: a message cannot be decoded/;
  const { code, stderr } = await loadUntil(t, ['--clients', '1', url], says(what));
  assert.match(stderr, what);
  assert.equal(code, 1);
});

test('flock-load counts the snapshots that a client missed', async (t) => {
  let turn = 0;
  let pings = 0; // a client has joined with its eighth ping
  const hear = (data) => /** @type {any} */ (decode(data))[0] === PING && pings++ === 7 && (turn = 0);
  const url = await relay(t, await startServer(t), (data) => (isSnapshot(data) && turn++ % 2 === 1 ? [] : [data]), hear);
  const { code, stdout, stderr } = await loadUntil(t, ['--clients', '1', '--json', url], () => until('30 snapshots', () => pings >= 8 && turn >= 30));
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const { frames, missed } = JSON.parse(stdout);
  assert.ok(frames > 0 && missed >= frames - 1, `as many as it got: ${missed} of ${frames}`);
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
  const { code, stdout } = await load(t, ['--clients', '3', '--raw', '100', '--warm-up', '0', '--seconds', '1', '--json', url]);
  const figures = JSON.parse(stdout);
  assert.equal(code, 0);
  assert.ok(figures.frames > 0 && figures.bytes_per_frame === 100, stdout);
  assert.ok(figures.delivery_p50_ms >= 5, `sent 5 ms before: ${figures.delivery_p50_ms}`);
});

test('flock-load reports clients that the server closed', async (t) => {
  const url = await serve(t, (socket) => setTimeout(() => socket.close(3000, 'off for lunch'), 200));
  const what = /the server closed the connection with 3000 "off for lunch"/;
  const { code, stderr } = await loadUntil(t, ['--clients', '2', '--raw', '100', url], says(what));
  assert.match(stderr, what);
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

test('flock-load without a server prints one clear line and ends with status 1', async (t) => {
  const { code, stderr } = await load(t, ['--clients', '1', 'ws://127.0.0.1:1/ws']);
  assert.match(stderr, /client 0: Connection refused/);
  assert.equal(code, 1);
});
