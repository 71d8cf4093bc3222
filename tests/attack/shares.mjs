// Attacks with rooms of a stranger's own, each within all limits of numbers and sizes: the lobby loses nothing to them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import * as flock from '../e2e/messages.mjs';
import { at, bodyOf, exchange, flood, head, join, message, now, openMany, sleep, welcomed } from './raw.mjs';
import { createRoom } from './rooms.mjs';
import { STRICT, root } from './target.mjs';

const DENSE = { boids: 5000, world: [16, 16] };

async function own(target, fields) {
  const room = await createRoom(target, fields);
  assert.ok(room !== null, 'a room of his own');
  return room;
}

const viewer = { boids: 1, rate: 1 }; // takes little of this process

// Lets that many presenters of the room in.
async function present(target, room, count = 1) {
  const one = async () => {
    const socket = await join(target, { ...viewer, room: room.code, key: room.key });
    assert.ok(socket !== null && (await welcomed(socket)) !== null, 'its presenter is in');
    return socket;
  };
  return openMany(target, count, one);
}

async function sequential(target, ms) {
  const room = await own(target, { ...DENSE, update: 'sequential' });
  assert.ok((await join(target, { room: room.code })) !== null, 'one idle viewer');
  await target.begin?.();
  await sleep(ms);
  return '5,000 boids in the sequential order among one another';
}

async function past(target, ms) {
  const room = await own(target, DENSE);
  const [presenter] = await present(target, room);
  await sleep(2000); // of its past
  await target.begin?.();
  const end = now() + ms;
  presenter.write(message([flock.REWIND, 2]));
  while (!presenter.gone && now() < end) {
    for (const speed of [-16, 16]) {
      presenter.write(message([flock.PLAY, speed]));
      await sleep(200);
    }
  }
  return 'a dense flock forth and back, 16 times as fast';
}

const ADDRESSES = 4;

// Each room's tick takes less than a millisecond. The rooms are of four addresses.
async function many(target, ms) {
  const make = async (i) => {
    const from = at(target, `127.0.2.${1 + (i % ADDRESSES)}`);
    const room = await createRoom(from, { boids: 2500, world: [120, 120] });
    return room !== null && (await join(from, { ...viewer, room: room.code })) !== null;
  };
  const made = (await openMany(target, 240, make)).filter((entered) => entered);
  assert.ok(made.length > 200, `many rooms, and not ${made.length}`);
  await target.begin?.();
  await sleep(ms);
  return `${made.length} rooms of 2,500 boids`;
}

const EXPENSIVE = [
  () => message([flock.RESET]),
  (n) => message([flock.SET, 'preset', n % 2 ? 'murmuration' : 'sardines']),
  () => message([flock.UNDO]),
  (n) => message([flock.REWIND, n % 3]),
];

async function presenters(target, ms) {
  const sockets = await present(target, await own(target, { boids: 5000 }), 30);
  await target.begin?.();
  await Promise.all(sockets.map((socket, i) => flood(socket, (n) => EXPENSIVE[(i + n) % EXPENSIVE.length](n), ms, 5)));
  return `${sockets.length} presenters of one room`;
}

const WATCHERS = 4000;
const CHANGES = [
  ...Array(3).fill([[flock.REWIND, 1], [flock.PLAY, -16]]).flat(),
  ...[[flock.LIVE], [flock.SET, 'run', 'paused'], [flock.STEP], [flock.SET, 'run', 'running'], [flock.PICK, 7, true]],
];
const CHANGE_TIME = 30; // ms
const WATCHED = 2000; // ms: the server watches each session at least once in this time

async function peopleOf(target, { code }) {
  const { text } = await exchange(target, head(target, 'GET', `/api/rooms/${code}`, ['Connection: close']));
  return JSON.parse(bodyOf(text)).people;
}

// A crowd reads all topics of a room whose presenter rewinds, plays and changes it. The server has no time to send everything to everyone.
async function watchers(target, ms) {
  const room = await own(target, { preset: 'murmuration', boids: 5000 });
  const [presenter] = await present(target, room);
  const args = ['--clients', String(WATCHERS), '--codes', room.code, '--encoding', 'packed', '--decode', '0', '--topics', '--seconds', '100', target.ws];
  const crowd = spawn(path.resolve(root, process.env.FLOCK_LOAD ?? 'build/flock-load'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((then) => crowd.once('exit', then));
  let said = '';
  crowd.stderr.on('data', (data) => (said += data));
  try {
    while ((await peopleOf(target, room)) <= WATCHERS && crowd.exitCode === null) await sleep(100);
    await target.begin?.();
    await flood(presenter, (n) => message(CHANGES[n % CHANGES.length]), Math.max(ms, WATCHED), CHANGE_TIME);
    assert.equal(crowd.exitCode, null, said);
    return `${await peopleOf(target, room)} people in the room`;
  } finally {
    crowd.kill();
    await ended;
  }
}

const ROOMS = 5;
const PRESENTERS = 100; // of each room
const BATCH = 12;
const BATCH_TIME = 50; // ms: 240 messages a second are as many as a client may send
const QUEUED = [Array(BATCH).fill([flock.RESET]), Array.from({ length: BATCH }, (_, i) => [flock.SET, 'preset', i % 2 ? 'murmuration' : 'sardines'])];

// Fills the queues of some rooms. A disconnected client comes back.
async function queues(target, ms) {
  const rooms = [];
  for (let i = 0; i < ROOMS; i += 1) rooms.push(await own(target, { boids: 5000 }));
  const batches = QUEUED.map((messages) => Buffer.concat(messages.map(message)));
  const sockets = (await Promise.all(rooms.map((room) => present(target, room, PRESENTERS)))).flat();
  let sent = 0;
  let back = 0;
  const end = now() + ms;
  const keep = async (socket, i) => {
    const { code, key } = rooms[Math.floor(i / PRESENTERS)];
    while (now() < end) {
      const times = socket !== null ? await flood(socket, batches[i % 2], end - now(), BATCH_TIME) : 0;
      sent += BATCH * times;
      if (now() < end) {
        back += 1;
        socket = await join(target, { ...viewer, room: code, key });
        if (socket === null) await sleep(BATCH_TIME);
      }
    }
  };
  await target.begin?.();
  await Promise.all(sockets.map(keep));
  return `${sent} messages of ${sockets.length} presenters, who came back ${back} times`;
}

const strict = { ...STRICT, begins: true };
const manyRooms = ['--rooms-per-hour', '1000'];

export const shares = [
  { name: 'sequential', about: 'a tick that takes as long as it may', short: true, ...strict, run: sequential },
  { name: 'past', about: 'a past that is played as fast as it goes', short: true, ...strict, run: past },
  { name: 'many-rooms', about: 'many rooms of four addresses, none of them expensive', short: true, ...strict, memory: 256, args: [...strict.args, ...manyRooms], run: many },
  { name: 'presenters', about: 'the most expensive messages that a presenter has', short: true, ...strict, memory: 128, run: presenters },
  { name: 'watchers', about: 'thousands who read all that there is of a room', short: true, alone: true, ...strict, memory: 256, run: watchers },
  { name: 'queues', about: 'as many messages as the presenters of five rooms may send', ...strict, memory: 256, run: queues },
];
