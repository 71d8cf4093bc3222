// Whom the server lets go for being silent, and whom it does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

test('who says no hello within --hello-timeout is let go, whatever else it says', async (t) => {
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

// The kernel answers for a stopped server, and keeps what comes for when it goes on. It looks once a second: less than
// some seconds would not show.
test('a server that was stopped lets nobody go for it', async (t) => {
  const server = await startServer(t, ['--stall-timeout', '1', '--hello-timeout', '3']);
  const early = await flock.connect(t, server.ws);
  const watching = await flock.join(t, server.ws);
  const steering = await flock.join(t, server.ws);
  server.kill('SIGSTOP');
  const stoppedAt = watching.snapshot.time;
  for (let i = 0; i < 900; i++) steering.send([flock.CURSOR, i % 500, 100]); // more than may come at once
  await pause(3.5);
  server.kill('SIGCONT');
  await watching.until('snapshots again', () => watching.snapshot.time > stoppedAt + 3.8e6);
  early.send(flock.hello());
  await early.until('a welcome', () => early.welcome);
  await steering.until('its last cursor', () => steering.snapshot.cursors.get(steering.id)?.[0] === 899 % 500);
  for (const client of [early, watching, steering]) {
    assert.equal(client.closed, null);
    assert.equal(client.messages.filter(([type]) => type === flock.ERROR).length, 0);
    assert.equal(client.messages.filter(([type]) => type === flock.STREAM).length, 0, 'nobody is thought slow');
  }
});

// In simulated time: tests/unit/test_outlet_line.c.
test('who reads only now and then is asked when it does, and stays', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '20000', '--world', '8000x8000', '--stall-timeout', '6']);
  const other = await flock.join(t, server.ws, { boids: 64, encodings: ['packed'] });
  const client = await flock.join(t, server.ws);
  for (const turn of [1, 2]) {
    client.socket.pause();
    const { time } = other.snapshot;
    await other.until('four seconds have gone by', () => other.snapshot.time > time + 4e6);
    client.socket.resume();
    await client.until(`it is where the other is, for the ${turn}. time`, () => client.snapshot.time > time + 4e6);
  }
  assert.equal(client.closed, null);
});
