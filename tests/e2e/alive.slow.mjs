// Who has gone without a word is found out; who answers pings stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const MINUTE = 60_000;

test('whoever answers no ping for 40 seconds is hung up on, and nobody else', async (t) => {
  const server = await startServer(t, ['--snapshot-rate', '1']);
  const lively = await flock.join(t, server.ws);
  const silent = await flock.connect(t, server.ws, { autoPong: false });
  const began = Date.now();
  const pings = [];
  silent.socket.on('ping', () => pings.push(Date.now() - began));
  silent.send(flock.hello());
  await until('the silent one is hung up on', () => silent.closed, () => `pings: ${pings}`, MINUTE);
  assert.equal(silent.closed.code, 3002);
  assert.match(silent.closed.reason, /ping/);
  assert.ok(Date.now() - began > 39_000);
  assert.ok(pings.length >= 2, `pings at ${pings}`);
  assert.equal(lively.closed, null);
  await lively.next(flock.SNAPSHOT);
});

test('who takes snapshots only now and then is asked when it does', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '200000', '--world', '20000x20000', '--tick-rate', '2']);
  const other = await flock.join(t, server.ws);
  other.send([flock.WANT, 0, 1]);
  const client = await flock.join(t, server.ws);
  for (const turn of [1, 2]) {
    client.socket.pause();
    const { time } = other.snapshot;
    await until('25 seconds have gone by', () => other.snapshot.time > time + 25e6, () => '', MINUTE);
    client.socket.resume();
    await until(`it is where the other is, for the ${turn}. time`, () => client.snapshot.time > time + 25e6);
  }
  assert.equal(client.closed, null);
});
