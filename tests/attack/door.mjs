// Attacks at the door: a stranger behind the class's address, and strangers who make all the rooms that they can.
import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import * as flock from '../e2e/messages.mjs';
import { at, bodyOf, exchange, frames, from, head, join, now, sleep, welcomed } from './raw.mjs';
import { createRoom, post } from './rooms.mjs';
import { STRICT } from './target.mjs';

const withKey = (key) => [`Authorization: Bearer ${key}`];

// ---- a pupil who attacks the class ----

const PUPILS = 24;
const GUESSERS = 40;
const JOINS = 200; // a second, each followed by a leave
const KNOCKS = 30; // connections at a time
const BURST = 4500; // connections, after which an address has to wait
const TRIES = 60 + GUESSERS + 1; // keys, after which hellos have waited and one of them had its turn
const PUPIL_TIME = 3000; // ms: the connection waits for the address, and the key for its compare
const TEACHER_TIME = 1500; // ms: the connection alone waits
const ROOM_TIME = 3000; // ms: a chosen key waits for its compare, too
const AGAIN = 250; // ms until somebody who was refused tries again
const PATIENCE = 20_000; // ms
const PREPARE = 60_000; // ms until the address has to wait

const QUIET = { rate: 1, boids: 1 };

// Sends wrong join keys, over one connection after the other. Most guessers send the same key, another one each second: more of them
// than pupils.
async function guess(target, room, i, attack) {
  while (!attack.over) {
    const key = i % 4 ? `guess-${Math.floor(now() / 1000)}` : `guess-${i}-${attack.guesses}`;
    const socket = await join(target, { ...QUIET, room, join: key });
    attack.guesses += 1;
    if (socket === null) await sleep(20);
    else {
      while (!socket.gone && !attack.over) {
        await Promise.race([socket.ended, sleep(100)]);
      }
      socket.destroy();
    }
  }
}

// Resolves to whether the server welcomes the socket. The server may ask it to wait first.
async function admitted(socket) {
  const isWelcome = ({ opcode, payload }) => opcode === 2 && payload[1] === flock.WELCOME;
  for (const began = now(); now() < began + PATIENCE && !socket.gone; await sleep(5)) {
    if (frames(socket.seen).some(isWelcome)) return true;
  }
  return false;
}

// Tries to come in until it succeeds. Resolves to the ms that it took, and the number of tries.
async function comeIn(target, fields) {
  const began = now();
  for (let tries = 1; now() < began + PATIENCE; tries += 1) {
    const socket = await join(target, { ...QUIET, ...fields });
    if (socket !== null && (await admitted(socket))) return { took: Math.round(now() - began), tries };
    socket?.destroy();
    await sleep(AGAIN);
  }
  return { took: Infinity, tries: 0 };
}

// Makes a room with the server's key; tries again until it succeeds. Resolves to { took (ms), refusals }, by their statuses.
async function createWith(target, key) {
  /** @type {number[]} */
  const refusals = [];
  for (const began = now(); now() < began + PATIENCE; await sleep(AGAIN)) {
    const { status } = await post(target, '{"boids":1}', { lines: withKey(key) });
    if (status === 201) return { took: Math.round(now() - began), refusals };
    refusals.push(status);
  }
  return { took: Infinity, refusals };
}

async function behind(target, ms) {
  const here = at(target, target.address ?? '127.0.0.5');
  const made = await post(here, JSON.stringify({ boids: 50, join_key: 'owls' }), { lines: withKey(target.key) });
  assert.equal(made.status, 201, 'the class has a room');
  const room = JSON.parse(bodyOf(made.text));
  const attack = { over: false, guesses: 0, joins: 0, knocks: 0 };
  const worker = new Worker(new URL('knocks.mjs', import.meta.url), { workerData: { host: target.host, port: target.port, loops: KNOCKS, rate: JOINS, stay: 0, ...from(here) } });
  worker.on('message', (count) => Object.assign(attack, count));
  const guessers = Array.from({ length: GUESSERS }, (_, i) => guess(here, room.code, i, attack));
  const posts = Promise.all(Array.from({ length: 60 }, () => post(here, '{"boids":1}')));
  try {
    const begun = now();
    while ((attack.guesses < TRIES || attack.knocks < BURST) && now() < begun + PREPARE) await sleep(20);
    assert.ok(attack.guesses >= TRIES && attack.knocks >= BURST, `the address has to wait, after ${attack.guesses} keys and ${attack.knocks} connections`);
    await target.begin?.();
    const pupils = Array.from({ length: PUPILS }, (_, i) => comeIn(here, { room: room.code, name: `pupil ${i}`, join: 'owls' }));
    const teacher = await comeIn(here, { room: room.code, name: 'teacher', key: room.key });
    const created = await createWith(here, target.key);
    const all = await Promise.all(pupils);
    await posts;
    await sleep(Math.max(0, ms - (now() - begun)));
    const slowest = Math.max(...all.map(({ took }) => took));
    const tries = Math.max(...all.map((pupil) => pupil.tries));
    const said = `the teacher in after ${teacher.took} ms and with a room after ${created.took} ms (${created.refusals.length} refusals: ${[...new Set(created.refusals)]}), ${PUPILS} pupils after ${slowest} ms and at most ${tries} tries; ${attack.guesses} keys, ${attack.joins} joins, ${attack.knocks} connections`;
    assert.ok(teacher.took <= TEACHER_TIME && created.took <= ROOM_TIME && slowest <= PUPIL_TIME, said);
    return said;
  } finally {
    attack.over = true;
    await worker.terminate();
    await Promise.all(guessers);
  }
}

// ---- a pupil who joins over and over ----

const PASSES = 1000; // joins a second
const PASSED = 4000; // joins, after which an address would have to wait, with a limit of one join for five connections
const CLASS = 30;
const CLASS_TIME = 2000; // ms

const passing = ({ stay = 0, atOnce = false }) => async (target, ms) => {
  const here = at(target, target.address ?? '127.0.0.6');
  const attack = { joins: 0 };
  const worker = new Worker(new URL('knocks.mjs', import.meta.url), { workerData: { host: target.host, port: target.port, loops: 0, rate: PASSES, stay, atOnce, ...from(here) } });
  worker.on('message', (count) => Object.assign(attack, count));
  try {
    const begun = now();
    while (attack.joins < PASSED && now() < begun + PREPARE) await sleep(20);
    assert.ok(attack.joins >= PASSED, `${attack.joins} joins`);
    await target.begin?.();
    const pupils = Array.from({ length: CLASS }, (_, i) => comeIn(here, { name: `pupil ${i}` }));
    const all = await Promise.all([...pupils, comeIn(here, { name: 'teacher', key: target.key })]);
    await sleep(Math.max(0, ms - (now() - begun)));
    const slowest = Math.max(...all.map(({ took }) => took));
    const again = all.filter(({ tries }) => tries !== 1).length;
    const said = `${CLASS} pupils and the teacher in after ${slowest} ms, ${again} not at the first try; ${attack.joins} joins in ${Math.round(now() - begun)} ms`;
    assert.ok(again === 0 && slowest <= CLASS_TIME, said);
    return said;
  } finally {
    await worker.terminate();
  }
};

// ---- strangers who make all the rooms that they can ----

const STRANGERS = 17;
const LANES = 4; // rooms that an address makes at the same time

// Makes rooms until the address gets no more, and joins each once. Resolves to the rooms.
async function fill(target) {
  const rooms = [];
  const one = async () => {
    for (let room = await createRoom(target, { boids: 1, listed: true }); room !== null; room = await createRoom(target, { boids: 1, listed: true })) {
      rooms.push(room);
      const socket = await join(target, { ...QUIET, room: room.code });
      if (socket !== null) await welcomed(socket);
      socket?.destroy();
    }
  };
  await Promise.all(Array.from({ length: LANES }, one));
  return rooms;
}

// Joins rooms until it is in two of them, which therefore do not give way to others. Resolves to the two.
async function occupy(target, rooms) {
  const held = [];
  for (const room of rooms) {
    const socket = held.length < 2 ? await join(target, { ...QUIET, room: room.code }) : null;
    if (socket !== null && (await welcomed(socket)) !== null) held.push(room);
  }
  return held;
}

async function full(target, ms) {
  const end = now() + ms;
  const rooms = (await Promise.all(Array.from({ length: STRANGERS }, (_, i) => fill(at(target, `127.0.3.${i + 1}`))))).flat();
  const fresh = at(target, '127.0.3.100');
  const [first, second] = await occupy(fresh, rooms);
  await target.begin?.();
  const ask = async (method, path, body) => (await post(fresh, body, { method, path, lines: withKey(target.key) })).status;
  const told = {
    'makes a room': await ask('POST', '/api/rooms', '{"boids":1}'),
    "unlists a stranger's": await ask('PATCH', `/api/rooms/${first.code}`, '{"listed":false}'),
    "ends a stranger's": await ask('DELETE', `/api/rooms/${second.code}`, ''),
  };
  assert.deepEqual(Object.values(told), [201, 204, 204], `the server's key: ${JSON.stringify(told)}`);
  const gone = await exchange(fresh, head(fresh, 'GET', `/api/rooms/${second.code}`, ['Connection: close']));
  assert.equal(gone.status, 404, 'its room has ended');
  await sleep(Math.max(0, end - now()));
  return `${rooms.length} rooms of ${STRANGERS} addresses`;
}

const strict = { ...STRICT, begins: true, needs: 'key', outside: true };

export const doors = [
  { name: 'class-address', about: 'a pupil behind the address of a class sends keys, joins, requests and connections', ...strict, memory: 128, run: behind },
  { name: 'class-passed', about: 'a pupil behind the address of a class joins 1,000 times a second, and goes after the answer', short: true, ...strict, run: passing({}) },
  { name: 'class-passed-gone', about: 'the same, and goes before the answer', ...strict, run: passing({ atOnce: true }) },
  { name: 'class-passed-stay', about: 'the same, and stays for half a second', ...strict, run: passing({ stay: 500 }) },
  { name: 'full-house', about: '17 addresses make all the rooms that they can', short: true, ...strict, memory: 128, run: full },
];
