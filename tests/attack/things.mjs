// Attacks with what people put into a flock and ask about it: food, hunters, walls, picks, topics, sweeps, presets, branches.
import assert from 'node:assert/strict';
import * as flock from '../e2e/messages.mjs';
import { BATCH, enter, sendBatches } from './members.mjs';
import { at, exchange, head, message, now, sleep } from './raw.mjs';
import { createRoom } from './rooms.mjs';
import { STRICT } from './target.mjs';

const DENSE = { boids: 5000, world: [16, 16] };
const ALL_TOPICS = 0xffff;
const PERIOD = 64; // batches until an attack repeats itself

// All sockets send as many messages as they may: messageOf(n, i) is the nth of socket i.
async function sendAll(sockets, messageOf, ms) {
  const batches = sockets.map((_, i) => Array.from({ length: PERIOD }, (_, n) => Buffer.concat(Array.from({ length: BATCH }, (_, k) => message(messageOf(n * BATCH + k, i))))));
  return sendBatches(sockets, (n, i) => batches[i][n % PERIOD], BATCH, ms);
}

// An attack of many clients in a room of their own.
const within = (fields, count, presents, messageOf, prepare = (/** @type {any} */ _target, /** @type {any} */ _room) => Promise.resolve()) => async (target, ms) => {
  const room = await createRoom(target, fields);
  assert.ok(room !== null, 'a room of his own');
  await prepare(target, room);
  const sockets = await enter(target, count, () => ({ room: room.code, ...(presents ? { key: room.key } : { topics: ALL_TOPICS }) }));
  await target.begin?.();
  return sendAll(sockets, messageOf, ms);
};

const across = (n) => [flock.WALL, (n * 37) % 1000, (n * 53) % 700, (n * 71) % 1000, (n * 29) % 700];
const inside = (n) => [flock.WALL, (n * 3) % 16, (n * 5) % 16, (n * 7) % 16, (n * 11) % 16];
const put = (n) => [[flock.FOOD, (n * 37) % 16, (n * 53) % 16, 1], [flock.HUNTER, (n * 37) % 16, (n * 53) % 16], inside(n), [flock.CLEAR]][n % 61 === 60 ? 3 : n % 3];

// As much food, as many hunters and walls as a flock may have, in a dense flock.
const fill = async (target, room) => {
  const [socket] = await enter(target, 1, () => ({ room: room.code, key: room.key }));
  for (let n = 0; n < 64; n += 1) {
    socket.write(Buffer.concat([message([flock.FOOD, n % 16, Math.floor(n / 4), 1_000_000]), message(inside(n)), ...(n < 16 ? [message([flock.HUNTER, n, n])] : [])]));
    await sleep(20);
  }
};

async function branches(target, ms) {
  const room = await createRoom(target, DENSE);
  assert.ok(room !== null, 'a room of his own');
  await fill(target, room);
  const end = now() + ms;
  const told = new Map();
  await target.begin?.();
  const repeat = async (i) => {
    const from = at(target, `127.0.6.${i + 1}`);
    while (now() < end) {
      const { status } = await exchange(from, head(from, 'POST', `/api/rooms/${room.code}/branch`, [`Authorization: Bearer ${room.key}`, 'Content-Length: 0', 'Connection: close']), { quiet: 20_000 });
      told.set(status, (told.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, i) => repeat(i)));
  assert.ok(told.get(201) > 0, `some are made: ${[...told]}`);
  return [...told].map(([status, count]) => `${count} × ${status}`).join(', ');
}

// Viewers of the lobby do what viewers may.
async function lobby(target, ms) {
  const sockets = await enter(target, 300, () => ({ room: 'lobby', topics: ALL_TOPICS }));
  await target.begin?.();
  const ways = [(n) => [flock.PICK, n % 12, false, n], (n) => [flock.UNPICK, n], (n) => [flock.WANT, 1 + (n % 30), 1 + (n % 12), n % 2 ? ALL_TOPICS : 0, n], (n) => [flock.CURSOR, n % 900, n % 500]];
  return sendAll(sockets, (n, i) => ways[(n + i) % ways.length](n), ms);
}

const strict = { ...STRICT, begins: true, memory: 160 };

export const things = [
  { name: 'things', about: 'food, hunters and walls come and go', ...strict, run: within(DENSE, 30, true, put) },
  { name: 'things-full', about: 'undo among all the things that a room may have', ...strict, run: within(DENSE, 30, true, (n) => (n % 2 ? [flock.UNDO] : [flock.ERASE, 8, 8, 100]), fill) },
  { name: 'walls-wide', about: 'walls across a wide world', ...strict, run: within({ boids: 5000 }, 30, true, (n) => (n % 65 === 64 ? [flock.CLEAR] : across(n))) },
  { name: 'picks', about: 'picks of boids in a dense flock, with all topics', ...strict, run: within(DENSE, 240, false, (n, i) => [flock.PICK, (n * 31 + i) % 5000, false, n]) },
  { name: 'picks-walls', about: 'picks among the walls of a dense flock in the sequential order', ...strict, run: within({ ...DENSE, boids: 2000, update: 'sequential' }, 240, false, (n, i) => [flock.PICK, 2000 - 1 - ((n * 31 + i) % 32), false, n], fill) },
  { name: 'topics', about: 'streams and topics that change all the time', ...strict, run: within(DENSE, 240, false, (n, i) => [flock.WANT, 1 + ((n + i) % 30), 1 + ((n * 97 + i) % 5000), n % 2 ? ALL_TOPICS : 0, n]) },
  { name: 'sweeps', about: 'sweeps that begin again and again', ...strict, run: within(DENSE, 30, true, (n) => (n % 2 ? [flock.UNSWEEP] : [flock.SWEEP, 'cohesion', 0, 1, 64, 0, 2])) },
  { name: 'presets-saved', about: 'presets that are saved and chosen', ...strict, run: within(DENSE, 30, true, (n, i) => [[flock.SAVE, `${i} ${'x'.repeat(50)} ${n % 20}`], [flock.SET, 'preset', 'sardines'], [flock.FORGET, `${i} ${'x'.repeat(50)} ${(n + 7) % 20}`]][n % 3]) },
  { name: 'resumes', about: 'a past with walls from which a room continues again and again', ...strict, run: within(DENSE, 30, true, (n) => [[flock.REWIND, 1], [flock.PLAY, -16], [flock.RESUME], inside(n), [flock.LIVE]][n % 5], fill) },
  { name: 'branches', about: 'branches of a dense room with all the things that it may have', ...strict, memory: 320, args: [...strict.args, '--rooms-per-hour', '1000'], run: branches },
  { name: 'lobby-asks', about: 'picks, streams, topics and cursors of 300 viewers of the lobby', ...strict, run: lobby },
];
