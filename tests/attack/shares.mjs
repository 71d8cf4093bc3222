// Attacks with rooms of a stranger's own, each within all limits of numbers and sizes: the lobby loses nothing to them.
import assert from 'node:assert/strict';
import * as flock from '../e2e/messages.mjs';
import { flood, join, message, now, sleep, welcomed } from './raw.mjs';
import { createRoom } from './rooms.mjs';

const DENSE = { boids: 5000, world: [16, 16] };

async function own(target, fields) {
  const room = await createRoom(target, fields);
  assert.ok(room !== null, 'a room of his own');
  return room;
}

async function present(target, room) {
  const socket = await join(target, { room: room.code, key: room.key });
  assert.ok(socket !== null && (await welcomed(socket)) !== null, 'its presenter is in');
  return socket;
}

async function sequential(target, ms) {
  const room = await own(target, { ...DENSE, update: 'sequential' });
  assert.ok((await join(target, { room: room.code })) !== null, 'one idle viewer');
  await sleep(ms);
  return '5,000 boids in the sequential order among one another';
}

async function past(target, ms) {
  const room = await own(target, DENSE);
  const presenter = await present(target, room);
  await sleep(2000);
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

// Each room's tick takes less than a millisecond.
async function many(target, ms) {
  const rooms = await Promise.all(Array.from({ length: 240 }, () => createRoom(target, { boids: 2500, world: [120, 120] })));
  const made = rooms.filter((room) => room !== null);
  for (const room of made) await join(target, { room: room.code, boids: 1 });
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
  const room = await own(target, { boids: 5000 });
  const sockets = [];
  for (let i = 0; i < 30; i += 1) sockets.push(await present(target, room));
  await Promise.all(sockets.map((socket, i) => flood(socket, (n) => EXPENSIVE[(i + n) % EXPENSIVE.length](n), ms, 5)));
  return `${sockets.length} presenters of one room`;
}

const strict = { share: 0.95, gap: 100, args: ['--sim-threads', '1'] };

export const shares = [
  { name: 'sequential', about: 'a tick that takes as long as it may', short: true, ...strict, run: sequential },
  { name: 'past', about: 'a past that is played as fast as it goes', ...strict, run: past },
  { name: 'many-rooms', about: 'many rooms, none of them expensive', ...strict, args: [...strict.args, '--rooms-per-hour', '1000'], run: many },
  { name: 'presenters', about: 'the most expensive messages that a presenter has', ...strict, run: presenters },
];
