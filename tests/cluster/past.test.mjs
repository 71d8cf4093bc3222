// Two nodes with rooms and viewers, on one real nats-server. The node of a class ends, as for an upgrade: at the other node the class
// has its past and its undo, and a room that plays a recording plays it on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { makeCluster, startCluster, stopCluster } from '../../docker/cluster.mjs';
import { join } from '../e2e/client.mjs';
import * as flock from '../e2e/numbers.mjs';
import { FLOCKD, root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';
import { come } from './people.mjs';

const LESSON = 20; // s
const RATE = 30; // Hz
const FILM = 3; // s
const BOIDS = 200;
const PATIENCE = 60_000; // ms
const END = 30_000; // ms that docs/cluster.md allows for the end of a node
const PAUSE = 1000; // ms that docs/cluster.md allows for a room's move
/** @type {any} */
let cluster;
let here;
let there;

before(async () => {
  cluster = await makeCluster({ folder: `${root}/build/cluster-past`, flockd: FLOCKD, sims: 0, args: ['--web', `${root}/build/web`] });
  await startCluster(cluster);
  [here, there] = cluster.nodes;
});

after(() => stopCluster(cluster));

// Makes a room of the server's key at the first node, or at another one. file: a recording that it plays.
async function makeRoom(file = /** @type {Buffer | undefined} */ (undefined), node = here) {
  const made = await fetch(`${node.url}api/rooms${file ? '?title=Replay' : ''}`, {
    method: 'POST',
    headers: { 'content-type': file ? 'application/octet-stream' : 'application/json', authorization: `Bearer ${cluster.key}` },
    body: file ? new Uint8Array(file) : JSON.stringify({ title: 'Lesson', model: 'boids', boids: BOIDS }),
  });
  assert.equal(made.status, 201, await made.clone().text());
  return made.json();
}

async function recordingOf(node, { code, key }) {
  const file = await fetch(`${node.url}api/rooms/${code}/recording`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(file.status, 200, await file.clone().text());
  return Buffer.from(await file.arrayBuffer());
}

// Shows all members a moment of the past, and returns its snapshot.
async function show(teacher, back) {
  assert.equal(await teacher.ask([flock.REWIND, back]), null);
  await teacher.until('the past', () => teacher.past?.shown && Math.abs(teacher.past.back - back) < 0.001);
  return teacher.next(flock.SNAPSHOT, 'the moment').then(() => teacher.snapshot);
}

test('a class keeps its past, its undo and its recording when its node ends', { timeout: 180_000 }, async (t) => {
  const lesson = await makeRoom();
  const teacher = await join(t, here.ws, { room: lesson.code, key: lesson.key, name: 'Ada' });
  const seen = new Map(); // boids by tick
  teacher.onSnapshot = ({ tick, boids }) => seen.set(tick, boids);
  await teacher.until('a moment', () => teacher.snapshot.tick > FILM * RATE);
  const film = await makeRoom(await recordingOf(here, lesson));
  const shownFilm = await recordingOf(here, film);
  const pupil = await come(t, there.ws, { room: lesson.code, name: 'Bo' });
  const guest = await come(t, there.ws, { room: film.code, name: 'Cleo' });
  await until('the replay plays', () => guest.frames > 2 && guest.room?.recording);
  await until('a lesson', () => teacher.snapshot.tick > LESSON * RATE, () => teacher.snapshot.tick, PATIENCE);
  assert.equal(await teacher.ask([flock.REMOVE, BOIDS / 2]), null);
  await teacher.until('fewer boids', () => teacher.snapshot.boids.length === BOIDS / 2);
  await until('the pupil sees them', () => pupil.frames > 2);
  // The room of this person stays at its node: its longest pause is that of the machine.
  const other = await come(t, there.ws, { room: (await makeRoom(undefined, there)).code, name: 'Dan' });
  other.gap = 0;

  const begun = performance.now();
  here.signal('SIGTERM');
  assert.equal(await here.ended, 0);
  assert.ok(performance.now() - begun < END, `the node took ${Math.round(performance.now() - begun)} ms to end`);
  for (const person of [pupil, guest]) {
    await until('the room goes on', () => person.welcomes.at(-1).first);
    const pause = Math.round(person.pause());
    t.diagnostic(`a pause of ${pause} ms for ${person.hello.name}`);
    assert.ok(pause <= PAUSE + other.gap, `a pause of ${pause} ms for ${person.hello.name}, of the machine ${Math.round(other.gap)} ms`);
    assert.equal(person.welcomes.at(-1).id, person.welcomes[0].id, 'the same person');
    assert.equal(person.closed, null, 'the connection stays');
  }
  pupil.assertSame();
  assert.match(readFileSync(here.log, 'utf8'), /rooms went to other nodes with 1 recordings and [1-9]\d* pasts$/m);

  const again = await join(t, there.ws, { room: lesson.code, key: lesson.key, name: 'Ada' });
  await again.until('the room', () => again.snapshot !== null);
  assert.equal(again.room.undo, true);
  // The beginning of the past, and a moment of it that was seen at the first node.
  await show(again, 0);
  const { span } = again.past;
  assert.ok(span >= LESSON, `a past of ${span} s`);
  let moment = await show(again, Math.floor(span) - 5);
  for (let back = 1; !seen.has(moment.tick); back++) moment = await show(again, Math.floor(span) - 5 - back / RATE);
  assert.deepEqual(moment.boids, seen.get(moment.tick));
  assert.equal(await again.ask([flock.LIVE]), null);
  await again.until('the present', () => !again.past.shown && again.snapshot.tick > Math.max(...seen.keys()));
  assert.equal(await again.ask([flock.UNDO]), null);
  await again.until('all boids', () => again.snapshot.boids.length === BOIDS);

  await until('the replay plays on', () => guest.room?.recording === true && guest.welcomes.length > 1);
  assert.ok(shownFilm.equals(await recordingOf(there, film)), 'the recording has the same bytes');
});
