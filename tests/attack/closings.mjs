// Attacks of 3,000 clients of ten addresses who end, or are ended, or ask for answers, all at once.
import assert from 'node:assert/strict';
import * as flock from '../e2e/messages.mjs';
import { at, exchange, flood, frame, head, join, message, now, openMany, sleep } from './raw.mjs';
import { createRoom } from './rooms.mjs';
import { STRICT } from './target.mjs';

const ADDRESSES = 10;
const CLIENTS = 300; // of each address
const viewer = { rate: 1, boids: 1 }; // takes little of this process
const deaf = { reads: false };

// Lets the clients into the room.
async function crowd(target, room, fields, options = {}, clients = CLIENTS) {
  const sockets = [];
  for (let a = 1; a <= ADDRESSES; a += 1) {
    const from = at(target, `127.0.14.${a}`);
    sockets.push(...(await openMany(from, clients, () => join(from, { room, ...fields }, options))));
  }
  return sockets.filter((socket) => socket !== null);
}

// A room ends with its clients.
const ending = (fields, options) => async (target, ms) => {
  const room = await createRoom(target, { boids: 5000 });
  assert.ok(room !== null, 'a room of his own');
  const sockets = await crowd(target, room.code, fields, options);
  await sleep(1000);
  await target.begin?.();
  const { status } = await exchange(target, head(target, 'DELETE', `/api/rooms/${room.code}`, [`Authorization: Bearer ${room.key}`, 'Connection: close']), { quiet: 5000 });
  await sleep(ms);
  return `${sockets.length} clients, ${status}`;
};

// Does something with each client of the lobby at once.
const each = (act, fields, options) => async (target, ms) => {
  const sockets = await crowd(target, 'lobby', fields, options);
  await target.begin?.();
  sockets.forEach(act);
  await sleep(ms);
  return `${sockets.length} clients`;
};

const BAD = {
  text: frame(Buffer.from('no'), { opcode: 1 }),
  bits: frame(Buffer.from('no'), { rsv: 7 }),
};

// Breaks the protocol. Each client must get the close frame that says so.
const breaking = (bad, code) => async (target, ms) => {
  const sockets = await crowd(target, 'lobby', viewer);
  const told = new Set();
  sockets.forEach((socket) => socket.on('data', (data) => data.includes(Buffer.of(code >> 8, code & 255)) && told.add(socket)));
  await target.begin?.();
  for (const socket of sockets) socket.write(bad);
  await Promise.race([Promise.all(sockets.map((socket) => socket.ended)), sleep(20_000)]);
  await sleep(ms);
  assert.ok(sockets.every((socket) => socket.gone), 'the server ends each connection');
  assert.equal(told.size, sockets.length, 'each client gets the code');
  return `${sockets.length} clients`;
};

const close = frame(Buffer.alloc(0), { opcode: 8 });
const wrong = Buffer.concat(Array(40).fill(message([flock.CURSOR])));

const ASKED = [[flock.NAME, 'x', 1], [flock.UNPICK, 1], [flock.PICK, 3, false, 1], [flock.TEAM, 1, 1], [flock.REWIND, 1, 1]];

// As many messages with an answer as a client may send in a second.
async function asking(target, ms) {
  const sockets = await crowd(target, 'lobby', viewer);
  const batches = ASKED.map((asked) => Buffer.concat(Array(240).fill(message(asked))));
  await target.begin?.();
  await Promise.all(sockets.map((socket, i) => flood(socket, (n) => batches[(n + i) % batches.length], ms, 1000)));
  return `${sockets.length} clients`;
}

const pings = Buffer.concat(Array(60).fill(frame(Buffer.alloc(0), { opcode: 9 })));

// All at once ping the server, which libwebsockets answers, and again twice a second: a third of what each client may send.
async function pinging(target, ms) {
  const sockets = await crowd(target, 'lobby', viewer, {}, 2 * CLIENTS);
  await target.begin?.();
  for (const end = now() + ms; now() < end; await sleep(500)) {
    for (const socket of sockets) socket.write(pings);
  }
  return `${sockets.filter((socket) => !socket.gone).length} clients`;
}

// Not among all attacks at once: a few of these take all slots for clients.
const strict = { ...STRICT, begins: true, memory: 128, outside: false };

export const closings = [
  { name: 'ends-crowd', about: 'a room that ends with 3,000 clients', ...strict, run: ending(viewer, {}) },
  { name: 'ends-deaf', about: 'a room that ends with 3,000 clients, of whom none reads', ...strict, run: ending({ rate: 30, boids: 5000 }, deaf) },
  { name: 'breaks-crowd', about: 'the connections of 3,000 clients of the lobby break at once', ...strict, run: each((socket) => socket.reset(), viewer, {}) },
  { name: 'closes-crowd', about: '3,000 clients of the lobby close at once', ...strict, run: each((socket) => socket.write(close), viewer, {}) },
  { name: 'text-crowd', about: '3,000 clients of the lobby send text at once', short: true, ...strict, run: breaking(BAD.text, 1003) },
  { name: 'bits-crowd', about: '3,000 clients of the lobby set reserved bits at once', ...strict, run: breaking(BAD.bits, 1002) },
  { name: 'fails-crowd', about: '3,000 clients of the lobby, of whom none reads, make errors until they are ended', ...strict, run: each((socket) => socket.write(wrong), { rate: 30 }, deaf) },
  { name: 'asks-crowd', about: 'all messages with an answer that 3,000 clients of the lobby may send at once', ...strict, run: asking },
  { name: 'pings-crowd', about: '6,000 clients of the lobby ping the server at once, again and again', ...strict, run: pinging },
];
