// A sweep over the wire: everyone gets its points, and flock-sim computes the same ones from the same flock.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import * as flock from './client.mjs';
import { FLOCKD, startServer } from './server.mjs';

const { join } = flock;
const FLOCK_SIM = path.join(path.dirname(FLOCKD), 'flock-sim');
const FLOCK = ['--seed', '7', '--model', 'boids', '--boids', '60', '--boundary', 'wrap', '--set', 'cohesion_weight=0.5'];

/** The rows of a table as numbers, without its header. */
const rowsOf = (csv) =>
  csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

test('a room and flock-sim measure the same for the same seed and start', async (t) => {
  const server = await startServer(t, [...FLOCK, '--idle', 'hold', '--open-controls']);
  const ada = await join(t, server.ws, { name: 'Ada', topics: flock.TOPIC_SWEPT });
  assert.equal((await ada.until('no sweep', () => ada.swept)).state, 'none');
  assert.equal(await ada.ask([flock.SET, 'run', 'paused']), null);
  assert.equal(await ada.ask([flock.RESET]), null);
  assert.equal(await ada.ask([flock.SWEEP, 'noise', 0, 40, 2, 1, 2]), null);
  const ben = await join(t, server.ws, { name: 'Ben', topics: flock.TOPIC_SWEPT });
  assert.equal(await ada.ask([flock.SET, 'run', 'running']), null);
  await ben.until('the first point', () => ben.swept?.points.length === 1);
  assert.equal(ben.swept.state, 'running');
  assert.equal(ben.swept.who, 'Ada');
  await ada.until('the end', () => ada.swept.state === 'done');
  await ben.until('the end', () => ben.swept.state === 'done');
  assert.deepEqual(ben.swept, ada.swept);

  const sweep = ['--sweep', 'noise=0:40:2', '--warm-up', '30', '--ticks', '60', '--every', '6'];
  const rows = rowsOf(execFileSync(FLOCK_SIM, [...FLOCK, ...sweep], { encoding: 'utf8' }));
  const told = ada.swept.points.map(([value, samples, means, errors]) => [value, samples, ...means.flatMap((mean, i) => [mean, errors[i]])]);
  assert.deepEqual(
    told.map((row) => row.map(Math.fround)),
    rows.map((row) => row.map(Math.fround)),
  );
  assert.equal(await ada.ask([flock.UNDO]), null); // the reset: nothing is left of the sweep
  await ada.until('an event', () => ada.events.some(({ name, what }) => name === 'undo' && what === 'reset'));
});

test('a viewer may not sweep, and a wrong order is refused in words', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--presenter-key', 'let-me-in']);
  const ben = await join(t, server.ws, { name: 'Ben' });
  assert.equal((await ben.ask([flock.SWEEP, 'noise', 0, 40, 3, 1, 2])).code, 'role');
  const ada = await join(t, server.ws, { name: 'Ada', key: 'let-me-in' });
  const refused = await ada.ask([flock.SWEEP, 'noise', 0, 400, 3, 1, 2]);
  assert.deepEqual([refused.code, refused.field, refused.name, refused.message], ['range', 'to', 'noise', 'noise: expected 0 to 360, got 400']);
  assert.equal((await ada.ask([flock.SWEEP, 'noise', 0, Number.NaN, 3, 1, 2])).code, 'range');
  assert.equal(await ada.ask([flock.UNSWEEP]), null);
});
