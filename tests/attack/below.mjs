// Attacks of many clients that each stay below their limits, in the lobby or in a dense room of their own.
import assert from 'node:assert/strict';
import * as flock from '../e2e/messages.mjs';
import { BATCH, enter, sendBatches } from './members.mjs';
import { at, frame, message, sleep } from './raw.mjs';
import { createRoom } from './rooms.mjs';
import { STRICT } from './target.mjs';

const CLIENTS = 500;

// Sends the same bytes over all sockets, again and again. `size` messages are in them.
async function sendAll(target, sockets, bytes, size, ms) {
  await target.begin?.();
  return sendBatches(sockets, () => bytes, size, ms);
}

const PINGS = 30; // in a batch: 3.6 KB a second of the 4 KB that are allowed besides messages

async function pings(target, ms) {
  const sockets = await enter(target, CLIENTS, () => ({}));
  return sendAll(target, sockets, Buffer.concat(Array(PINGS).fill(frame(Buffer.alloc(0), { opcode: 9 }))), PINGS, ms);
}

async function pongs(target, ms) {
  const sockets = await enter(target, CLIENTS, () => ({}));
  return sendAll(target, sockets, Buffer.concat(Array(BATCH).fill(message([flock.PING, 5]))), BATCH, ms);
}

async function lobby(target, ms) {
  const sockets = await enter(target, CLIENTS, () => ({}));
  return sendAll(target, sockets, Buffer.concat(Array(BATCH).fill(message([flock.NAME, 'same', 1]))), BATCH, ms);
}

// Each member of a dense room has a stream of its own, and all topics.
async function streams(target, ms) {
  const room = await createRoom(target, { boids: 5000, world: [16, 16] });
  assert.ok(room !== null, 'a room of his own');
  const sockets = await enter(target, 240, (i) => ({ room: room.code, encodings: [i % 2 ? 'packed' : 'plain'] }));
  await target.begin?.();
  sockets.forEach((socket, i) => socket.write(message([flock.WANT, 30 / (1 + (i % 10)), Math.ceil(5000 / (1 + Math.floor(i / 10))), 15, 1])));
  await sleep(ms);
  return `${sockets.length} members`;
}

const ROOMS = 20;
const ADDRESSES = 4;

// 100,000 boids in rooms of a few addresses, and a stream of its own for each member.
async function wide(target, ms) {
  let members = 0;
  for (let r = 0; r < ROOMS; r += 1) {
    const from = at(target, `127.0.7.${1 + (r % ADDRESSES)}`);
    const room = await createRoom(from, { boids: 5000 });
    assert.ok(room !== null, 'a room of his own');
    const sockets = await enter(from, 12, (i) => ({ room: room.code, encodings: [i % 2 ? 'packed' : 'plain'] }));
    sockets.forEach((socket, i) => socket.write(message([flock.WANT, 30 - i, Math.ceil(5000 / (1 + (i % 4))), 15, 1])));
    members += sockets.length;
  }
  await target.begin?.();
  await sleep(ms);
  return `${members} members`;
}

// The same in one large room.
async function large(target, ms) {
  const room = await createRoom(target, { boids: 100_000 });
  assert.ok(room !== null, 'a room of his own');
  const sockets = await enter(target, 240, (i) => ({ room: room.code, encodings: [i % 2 ? 'packed' : 'plain'] }));
  await target.begin?.();
  sockets.forEach((socket, i) => socket.write(message([flock.WANT, 30 / (1 + (i % 10)), Math.ceil(100_000 / (1 + Math.floor(i / 10))), 15, 1])));
  await sleep(ms);
  return `${sockets.length} members`;
}

const strict = { ...STRICT, begins: true };

export const below = [
  { name: 'pings', about: 'as many pings of WebSockets as 500 clients may send', ...strict, run: pings },
  { name: 'pongs', about: 'as many pings of the protocol', ...strict, run: pongs },
  { name: 'refusals', about: 'as many messages that the lobby refuses', ...strict, run: lobby },
  { name: 'streams-wide', about: 'a stream of its own for each of 240 members of 20 rooms', ...strict, memory: 128, run: wide },
  { name: 'streams-large', about: 'a stream of its own for each of 240 members of a room of 100,000 boids', ...strict, memory: 600, outside: false, args: [...strict.args, '--room-boids', '100000'], run: large },
  { name: 'streams', about: 'a stream of its own for each member of a dense room', ...strict, run: streams },
];
