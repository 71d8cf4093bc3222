// A presenter shows the room's past to all, and continues from there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom, MANY_ROOMS } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const { join, param } = flock;

async function lesson(t) {
  const server = await startServer(t, MANY_ROOMS);
  const room = await createRoom(server, { model: 'boids', boids: 30 });
  const teacher = await join(t, server.ws, { room: room.code, key: room.key, name: 'Ada' });
  const pupil = await join(t, server.ws, { room: room.code, name: 'Bo' });
  const seen = new Map(); // boids by tick
  pupil.onSnapshot = ({ tick, boids }) => pupil.past?.shown || seen.set(tick, boids);
  await pupil.until('a second', () => pupil.snapshot.tick > 30 && seen.size > 10);
  return { server, room, teacher, pupil, seen };
}

test('all members see the moment of a rewind, and then the present', async (t) => {
  const { server, room, teacher, pupil, seen } = await lesson(t);
  // A slow machine misses snapshots: rewinds to one that was seen.
  const shown = async (back) => {
    assert.equal(await teacher.ask([flock.REWIND, back]), null);
    await pupil.until('the past', () => pupil.past?.shown && Math.abs(pupil.past.back - back) < 0.001);
    return pupil.next(flock.SNAPSHOT, 'the moment').then(() => pupil.snapshot);
  };
  let first = await shown(0.5);
  for (let back = 1; !seen.has(first.tick); back++) first = await shown(0.5 + back / 30);
  assert.ok(first.tick < Math.max(...seen.keys()));
  assert.deepEqual(first.boids, seen.get(first.tick));
  const late = await join(t, server.ws, { room: room.code, name: 'Cleo' });
  await late.until('the past, and the same moment', () => late.past?.shown && late.snapshot.tick === first.tick);
  const { code, field } = await teacher.ask([flock.PARAM, 'max_speed', 3]);
  assert.deepEqual([code, field], ['state', 'past']);
  assert.equal((await pupil.ask([flock.REWIND, 1])).code, 'role');
  assert.equal(await teacher.ask([flock.PLAY, -1]), null);
  await pupil.until('it goes backwards', () => pupil.snapshot.tick < first.tick);
  const last = Math.max(...seen.keys());
  assert.equal(await teacher.ask([flock.LIVE]), null);
  await pupil.until('the present, which goes on', () => !pupil.past.shown && pupil.snapshot.tick > last);
});

test('the room continues from a moment of its past with another parameter', async (t) => {
  const { teacher, pupil, seen } = await lesson(t);
  assert.equal(await teacher.ask([flock.ADD, 100, 100, 5]), null);
  await pupil.until('the boids', () => pupil.snapshot.boids.length === 35);
  assert.equal(await teacher.ask([flock.REWIND, 10]), null); // to its beginning
  await pupil.until('as it began', () => pupil.past?.shown && pupil.snapshot.boids.length === 30 && pupil.snapshot.tick < 5);
  const last = Math.max(...seen.keys());
  assert.equal(await teacher.ask([flock.RESUME]), null);
  assert.equal(await teacher.ask([flock.PARAM, 'max_speed', 3]), null);
  await pupil.until('it goes on', () => !pupil.past.shown && pupil.snapshot.boids.length === 30 && pupil.snapshot.tick > last);
  await pupil.until('as it was tuned', () => param(pupil, 'max_speed') === 3);
});
