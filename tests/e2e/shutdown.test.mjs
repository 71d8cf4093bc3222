// flockd ends soon and cleanly, with a reason for all clients.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';
import { createRoom } from './api.mjs';
import { atEnd } from './atend.mjs';
import { SET, connect, control, hello, join } from './client.mjs';
import { FLOCKD, startServer, stopsInTime } from './server.mjs';
import { until } from './until.mjs';

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGQUIT'])) {
  test(`on ${signal} all clients get the reason, and the status is 0`, async (t) => {
    const server = await startServer(t);
    const clients = await Promise.all(['Ann', 'Ben', 'Cem'].map((name) => join(t, server.ws, { name })));
    const silent = await connect(t, server.ws); // has not said hello
    await stopsInTime(server, signal);
    for (const client of [...clients, silent]) {
      const { code, reason } = await client.untilClosed();
      assert.equal(code, 3000);
      assert.match(reason, /shut/i);
    }
    for (const { goodbye } of clients) {
      assert.equal(goodbye.code, 3000);
      assert.ok(Number.isInteger(goodbye.after) && goodbye.after >= 0 && goodbye.after <= 60_000, `come back after ${goodbye.after} ms`);
    }
  });
}

test('signals without a meaning do not end it', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  for (const signal of /** @type {const} */ (['SIGHUP', 'SIGUSR1', 'SIGUSR2'])) {
    server.kill(signal);
    const { time } = client.snapshot;
    await client.until(`it goes on after ${signal}`, () => client.snapshot?.time > time + 200_000);
  }
  assert.equal(client.closed, null);
  assert.equal(server.stderr, '');
});

// flockd in its own terminal. Killing the resolved server closes the terminal.
const startInTerminal = (t, before) =>
  startServer(t, [], { command: ['sh', '-c', 'exec script -qec "$*" /dev/null', 'sh', `${before} exec`, FLOCKD] });

// Its only child process.
const childOf = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));

test('when its terminal closes, all clients get the reason', async (t) => {
  const server = await startInTerminal(t, '');
  const client = await join(t, server.ws);
  server.kill('SIGKILL');
  assert.equal((await client.untilClosed()).code, 3000);
  await until('nothing listens any more', () => fetch(server.url).then(() => false, () => true));
});

test('started with nohup, it outlives its terminal', async (t) => {
  const server = await startInTerminal(t, "trap '' HUP;");
  const client = await join(t, server.ws);
  const pid = childOf(server.pid);
  const end = () => process.kill(pid, 'SIGTERM');
  atEnd(t, () => client.closed || end());
  server.kill('SIGKILL');
  await server.ended;
  const { time } = client.snapshot;
  await client.until('a second of the flock', () => client.snapshot.time > time + 1_000_000);
  end();
  assert.equal((await client.untilClosed()).code, 3000);
});

test('all clients learn when to come back, at different times', async (t) => {
  const server = await startServer(t);
  const clients = await Promise.all(Array.from({ length: 20 }, () => join(t, server.ws)));
  await stopsInTime(server, 'SIGTERM');
  for (const client of clients) await client.untilClosed();
  const after = clients.map(({ goodbye }) => goodbye.after).sort((a, b) => a - b);
  assert.ok(new Set(after).size > 10 && after.at(-1) - after[0] > 500, `after ${after} ms`);
});

test('members of every room get the reason', async (t) => {
  const server = await startServer(t);
  const { code } = await createRoom(server);
  const clients = [await join(t, server.ws), await join(t, server.ws, { room: code })];
  await stopsInTime(server, 'SIGTERM');
  for (const client of clients) assert.equal((await client.untilClosed()).code, 3000);
});

// Many boids, which are easy to compute.
const MANY = ['--model', 'boids', '--boids', '5000', '--world', '4000x4000'];

test('a client that reads nothing does not delay the end', async (t) => {
  const server = await startServer(t, MANY);
  const stuck = await connect(t, server.ws);
  stuck.send(hello());
  await stuck.until('a snapshot', () => stuck.snapshot);
  stuck.socket.pause();
  const other = await join(t, server.ws);
  const { tick } = other.snapshot;
  await other.until('the buffers of the other are full', () => other.snapshot.tick > tick + 60);
  await stopsInTime(server, 'SIGTERM');
  assert.equal((await other.untilClosed()).code, 3000);
});

test('only a client that reads nothing for too long is disconnected', async (t) => {
  const server = await startServer(t, [...MANY, '--stall-timeout', '3']);
  const other = await join(t, server.ws);
  const stuck = await connect(t, server.ws);
  stuck.send(hello());
  stuck.socket.pause();
  await other.until('both are here', () => other.snapshot.people === 2);
  await other.until('the other is alone', () => other.snapshot.people === 1);
  assert.equal(other.closed, null);
  stuck.socket.resume();
  const { code } = await stuck.untilClosed();
  assert.ok([3002, 1006].includes(code), `${code}`); // the close frame, if it could still be sent
});

// A flock in which each boid sees all others: a tick takes more than ten seconds.
const ENDLESS = ['--model', 'birds', '--boids', '200000', '--world', '1000x1000', '--set', 'view_distance=1000,separation_distance=1000'];

test('the server gives up an endless tick, and all else continues', async (t) => {
  const server = await startServer(t, [...ENDLESS, '--open-controls', '--tick-limit', '0.2']);
  const { code } = await createRoom(server, { boids: 12 });
  const other = await join(t, server.ws, { room: code });
  const client = await join(t, server.ws, { rate: 10, boids: 10 });
  await client.until('its presenter is told', () => client.events.some(({ name, by, to }) => name === 'abandoned' && by === 0 && to === '200'));
  await client.until('it is paused', () => control(client, 'run').value === 'paused');
  assert.equal((await fetch(`${server.url}healthz`)).status, 200);
  const { tick } = other.snapshot;
  await other.until('another room goes on', () => other.snapshot.tick > tick + 10);
  assert.equal(client.snapshot.tick, 0, 'the flock is as it was');
  const refusal = await client.ask([SET, 'run', 'running']);
  assert.equal(refusal?.code, 'full', 'and is not let go on like that');
  await stopsInTime(server, 'SIGTERM');
});

test('it ends during an endless tick', async (t) => {
  const server = await startServer(t, [...ENDLESS, '--tick-limit', '3600']);
  const client = await connect(t, server.ws);
  client.send(hello());
  await client.until('it is welcome', () => client.welcome);
  await stopsInTime(server, 'SIGTERM');
});

// WebSockets that answer nothing, but may send pings. `told` lists the sockets that got a close frame.
async function silentCrowd(t, port, count) {
  const request = ['GET /ws HTTP/1.1', 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: flock.v1', '', ''].join('\r\n');
  const told = new Set();
  let open = 0;
  const sockets = Array.from({ length: count }, () => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(request));
    socket.once('data', () => (open += 1));
    socket.on('data', (data) => data.includes(Buffer.of(0x0b, 0xb8)) && told.add(socket)); // 3000
    socket.on('error', () => {});
    return socket;
  });
  atEnd(t, () => sockets.forEach((socket) => socket.destroy()));
  await until('all are open', () => open === count);
  return { sockets, told };
}

// Pings of 9 bytes in one write, each with a mask of zeros.
const PINGS = Buffer.concat(Array(20).fill(Buffer.from([0x89, 0x83, 0, 0, 0, 0, 1, 2, 3])));

for (const pings of [false, true]) {
  test(`a crowd that does not answer${pings ? ', but pings,' : ''} gets its close frames, and does not delay the end`, async (t) => {
    const server = await startServer(t, ['--address-limit', '0']);
    const { sockets, told } = await silentCrowd(t, server.port, 1500);
    const client = await join(t, server.ws);
    const pinging = setInterval(() => pings && sockets.forEach((socket) => socket.write(PINGS)), 200);
    t.after(() => clearInterval(pinging));
    await stopsInTime(server, 'SIGTERM');
    clearInterval(pinging);
    assert.equal((await client.untilClosed()).code, 3000);
    await until('all are told', () => told.size === sockets.length);
  });
}
