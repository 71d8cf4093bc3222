// Two nodes with rooms and viewers, on one real nats-server. A bare room moves to its viewer after a minute on its node. Other rooms stay.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { makeCluster, startCluster, stopCluster } from '../../docker/cluster.mjs';
import * as flock from '../e2e/numbers.mjs';
import { FLOCKD, root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';
import { come } from './people.mjs';

const run = promisify(execFile);
const FRAMES = 90; // of a lesson: three seconds
const VISIT = 5_000; // ms from a visit of an unused room to the next
const PATIENCE = 110_000; // ms; less than the visits of all unused rooms take
/** @type {any} */
let cluster;
let here;
let there;

before(async () => {
  cluster = await makeCluster({ folder: `${root}/build/cluster-move`, flockd: FLOCKD, sims: 0, args: ['--web', `${root}/build/web`] });
  await startCluster(cluster);
  [here, there] = cluster.nodes;
});

after(() => stopCluster(cluster));

// Makes a room of the server's key at the first node. file: a recording that it plays.
async function makeRoom({ title = '', file = /** @type {ArrayBuffer | undefined} */ (undefined) } = {}) {
  const made = await fetch(`${here.url}api/rooms${file ? `?title=${title}&listed=true` : ''}`, {
    method: 'POST',
    headers: { 'content-type': file ? 'application/octet-stream' : 'application/json', authorization: `Bearer ${cluster.key}` },
    body: file ?? JSON.stringify({ title }),
  });
  assert.equal(made.status, 201, await made.clone().text());
  return made.json();
}

async function recordingOf({ code, key }) {
  const file = await fetch(`${here.url}api/rooms/${code}/recording`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(file.status, 200);
  return file.arrayBuffer();
}

// The owner of the room, and its people, as flockd --cluster-status prints them.
async function factsOf({ code }) {
  const { stdout } = await run(FLOCKD, ['--nats', cluster.urls, '--cluster-status'], { env: { ...process.env, FLOCKD_NATS_USER: cluster.login('status') } });
  const row = stdout.split('\n').find((line) => line.startsWith(`${code} `));
  const [, owner, , people] = row?.trim().split(/\s+/) ?? [];
  return { owner, people: Number(people) };
}

const enter = (t, node, { code, key = '' }, options = {}) => come(t, node.ws, { room: code, key, ...options });

async function leave(person) {
  person.socket.close();
  await until('the person has left', () => person.closed !== null);
}

// A stranger of the second node looks at the room, and leaves.
const visit = async (t, { code }) => leave(await enter(t, there, { code }));

// A stranger looks at one of the rooms after the other, until one moves to the stranger's node.
async function visitUntilOneMoves(t, rooms) {
  let room;
  const moved = async () => {
    if (room !== undefined && (await factsOf(room)).owner === there.name) return true;
    room = rooms.next().value;
    await visit(t, room);
    return false;
  };
  await until('a bare room moves to its viewer', moved, () => factsOf(room), PATIENCE, VISIT);
}

// A lesson: the teacher changes something, watches for three seconds and leaves.
async function teach(t, room) {
  const teacher = await enter(t, here, room, { name: 'Ada' });
  teacher.send([flock.SET, 'layers', 'trails', 1]);
  await until('a change', () => teacher.answers.get(1) === 'done', () => teacher.answers.get(1));
  await until('a lesson', () => teacher.frames > FRAMES, () => teacher.frames);
  const file = await recordingOf(room);
  await leave(teacher);
  await until('the room is empty', async () => (await factsOf(room)).people === 0);
  return { teacher, file };
}

test('strangers at another node move no room that has a past or plays a recording', async (t) => {
  const lesson = await makeRoom({ title: 'Lesson' });
  const { teacher, file } = await teach(t, lesson);
  const replay = await makeRoom({ title: 'Replay', file });
  const unused = await Promise.all(Array.from({ length: 24 }, () => makeRoom()));

  // The unused rooms are the youngest. So when an unused room moves, the first node has had all rooms for a minute.
  const visits = unused.values();
  await visitUntilOneMoves(t, visits);
  for (const room of [lesson, replay]) await visit(t, room);
  // The node asks for rooms in the order of their visits.
  await visitUntilOneMoves(t, visits);

  assert.equal((await factsOf(lesson)).owner, here.name, 'the lesson stays');
  assert.equal((await factsOf(replay)).owner, here.name, 'the replay stays');
  const { instance } = teacher;
  teacher.connect();
  await until('the teacher is back', () => teacher.frames > 2);
  assert.equal(teacher.instance, instance, 'the same server has the room');
  assert.equal(teacher.room.undo, true, 'the change can be undone');
  assert.ok((await recordingOf(lesson)).byteLength >= file.byteLength, 'the recording has the lesson');
  const pupil = await enter(t, there, replay);
  assert.equal(pupil.room.recording, true, 'the replay plays its recording');
  assert.doesNotMatch(readFileSync(here.log, 'utf8'), /out of memory/);
});

test('a room with a past moves when its node ends', async (t) => {
  const room = await makeRoom();
  const { teacher } = await teach(t, room);
  here.signal('SIGTERM');
  assert.equal(await here.ended, 0);
  teacher.url = there.ws;
  teacher.connect();
  await until('the teacher is back', () => teacher.frames > 2);
  assert.equal(teacher.role, 'presenter');
  assert.equal((await factsOf(room)).owner, there.name);
});
