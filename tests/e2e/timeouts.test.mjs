// Silent clients that the server closes, and silent clients that it does not.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { open } from './raw-websocket.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

test('the server closes a client without a hello within --hello-timeout, even if it sends other messages', async (t) => {
  const server = await startServer(t, ['--hello-timeout', '1']);
  const silent = await flock.connect(t, server.ws);
  const pinging = await flock.connect(t, server.ws);
  const ponging = await flock.connect(t, server.ws);
  const saying = setInterval(() => {
    pinging.socket.ping();
    ponging.socket.pong();
  }, 50);
  atEnd(t, () => clearInterval(saying));
  for (const client of [silent, pinging, ponging]) {
    const { code, reason } = await client.untilClosed();
    assert.deepEqual([code, reason], [3505, 'no hello in time']);
  }
});

// The server looks at its clients in parts, of at least 64.
test('the server closes a client without a hello behind 100 members', async (t) => {
  const server = await startServer(t, ['--hello-timeout', '1']);
  const members = await Promise.all(Array.from({ length: 100 }, () => flock.join(t, server.ws, { rate: 1, boids: 1 })));
  const silent = await flock.connect(t, server.ws);
  assert.equal((await silent.untilClosed()).code, 3505);
  for (const { closed } of members) assert.equal(closed, null);
});

// The kernel accepts connections and data for a stopped server. The server checks once a second, so it is stopped for some seconds.
// tests/unit/test_outlet_stall.c tests, in simulated time, that it takes no client for slow or stalled.
test('a server that was stopped closes no client because of it', async (t) => {
  const server = await startServer(t, ['--hello-timeout', '3']);
  const watching = await flock.join(t, server.ws);
  const steering = await flock.join(t, server.ws);
  const early = await flock.connect(t, server.ws);
  server.kill('SIGSTOP');
  const stoppedAt = watching.snapshot.time;
  for (let i = 0; i < 900; i++) steering.send([flock.CURSOR, i % 500, 100]); // more than the limit at once
  await pause(3.5);
  early.send(flock.hello());
  server.kill('SIGCONT');
  await watching.until('snapshots again', () => watching.snapshot.time > stoppedAt + 3.5e6);
  await early.until('a welcome', () => early.welcome);
  await steering.until('its last cursor', () => steering.snapshot.cursors.get(steering.id)?.[0] === 899 % 500);
  for (const client of [early, watching, steering]) {
    assert.equal(client.closed, null);
    assert.equal(client.messages.filter(([type]) => type === flock.ERROR).length, 0);
  }
});

test('a client that connects to a stopped server has its full time when the server continues', async (t) => {
  const server = await startServer(t);
  const socket = net.connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  assert.equal((await fetch(server.url)).status, 200, 'it has been accepted, too');
  server.kill('SIGSTOP');
  const coming = flock.connect(t, server.ws, { createConnection: () => socket });
  await pause(3.5);
  server.kill('SIGCONT');
  const late = await coming;
  const other = await flock.join(t, server.ws);
  const { time } = other.snapshot;
  await other.until('the server has looked at who is silent', () => other.snapshot.time > time + 1.2e6);
  assert.equal(late.closed, null);
  late.send(flock.hello());
  await late.until('a welcome', () => late.welcome);
});

// libwebsockets has a similar timeout. After a stop both have passed, and flockd's own comes first.
test('the server closes a client that lost its slot, and does not count it as a slow request', async (t) => {
  const server = await startServer(t, ['--max-clients', '1', '--presenter-key', 'key-of-all']);
  const metric = async (name) => Number((await (await fetch(`${server.url}metrics`)).text()).match(new RegExp(`^flockd_${name} (\\d+)$`, 'm'))[1]);
  const home = { localAddress: '127.0.0.66' };
  const stranger = await open(t, server.port);
  await stranger.hello();
  await flock.join(t, server.ws, { key: 'key-of-all' }, home);
  await flock.join(t, server.ws, {}, home);
  await until('it has lost its place', async () => (await metric('clients_displaced_total')) === 1);
  server.kill('SIGSTOP');
  await pause(5.5);
  server.kill('SIGCONT');
  await until('it is hung up on', async () => (await metric('clients_connected')) === 2);
  assert.equal(await metric('guests_dawdled_total'), 0);
});
