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
