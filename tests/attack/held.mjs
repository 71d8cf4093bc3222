// Strangers hold what a room has a limited number of: picks, walls, food and hunters. The class gets its share.
import assert from 'node:assert/strict';
import { decode } from '@msgpack/msgpack';
import * as flock from '../e2e/messages.mjs';
import { enter } from './members.mjs';
import { at, flood, frames, message, now, sleep } from './raw.mjs';
import { createRoom } from './rooms.mjs';

const STRANGERS = 64;
const PUPILS = 15;
const CLASS = '127.0.7.1'; // the strangers have another address
const BATCH_TIME = 50; // ms

/** Collects the messages that the socket gets. */
function listen(socket) {
  const messages = [];
  let rest = Buffer.from(socket.seen);
  socket.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    const found = frames(rest);
    const last = found.at(-1)?.payload;
    if (last !== undefined) rest = rest.subarray(last.byteOffset + last.length - rest.byteOffset);
    messages.push(...found.filter(({ opcode }) => opcode === 2).map(({ payload }) => /** @type {any[]} */ (decode(payload))));
  });
  return messages;
}

let tags = 0;

/** Sends a request. Resolves to the code of its error, or to 'done'. */
async function ask({ socket, messages }, request) {
  const tag = (tags += 1);
  const end = now() + 10_000;
  socket.write(message([...request, tag]));
  for (; !socket.gone && now() < end; await sleep(5)) {
    if (messages.some(([type, , of]) => type === flock.DONE && of === tag)) return 'done';
    const error = messages.find(([type, , , of]) => type === flock.ERROR && of === tag);
    if (error !== undefined) return error[1];
  }
  return 'no answer';
}

/** Lets people into the room. */
async function people(target, count, fields) {
  return (await enter(target, count, () => fields)).map((socket) => ({ socket, messages: listen(socket) }));
}

const done = (count) => Array(count).fill('done');
const countOf = (answers, code) => answers.filter((answer) => answer === code).length;

/** A room of a class, and strangers in it. */
async function lesson(target) {
  const room = await createRoom(target, { boids: 60 });
  assert.ok(room !== null, 'a room');
  const [teacher] = await people(at(target, CLASS), 1, { room: room.code, key: room.key });
  return { room, teacher, strangers: await people(target, STRANGERS, { room: room.code }) };
}

// The strangers ask for their picks again and again, while the class comes and afterwards.
async function picks(target, ms) {
  const { room, teacher, strangers } = await lesson(target);
  const first = await Promise.all(strangers.map((stranger, i) => ask(stranger, [flock.PICK, i % 60, false])));
  assert.deepEqual([countOf(first, 'done'), countOf(first, 'full')], [32, STRANGERS - 32], 'the strangers have all picks');
  const pupils = await people(at(target, CLASS), PUPILS, { room: room.code });
  await target.begin?.();
  const batch = (n) => Buffer.concat(Array.from({ length: 8 }, (_, k) => message([flock.PICK, (8 * n + k) % 60, false])));
  const flooded = Promise.all(strangers.map(({ socket }) => flood(socket, batch, ms, BATCH_TIME)));
  assert.equal(await ask(teacher, [flock.PICK, 7, true]), 'done', 'of the teacher');
  assert.deepEqual(await Promise.all(pupils.map((pupil, i) => ask(pupil, [flock.PICK, i, false]))), done(PUPILS), 'of the pupils');
  const sent = (await flooded).reduce((sum, times) => sum + 8 * times, 0);
  const lost = [teacher, ...pupils].filter(({ messages }) => messages.some(([type]) => type === flock.WHY));
  assert.equal(lost.length, 0, 'the class keeps its picks');
  return `${sent} picks of ${STRANGERS} strangers`;
}

// Each stranger draws as many things as one may draw at once.
async function drawn(target, ms) {
  const { room, teacher, strangers } = await lesson(target);
  assert.equal(await ask(teacher, [flock.SET, 'drawing', 'all']), 'done');
  await target.begin?.();
  const kinds = [(n) => [flock.WALL, n, 10, n, 20], (n) => [flock.FOOD, n, 300, 1_000_000], () => [flock.HUNTER, 200, 300]];
  const draw = async ({ socket }, i) => flood(socket, (n) => message(kinds[(n + i) % 3](n % 200)), ms, BATCH_TIME);
  await Promise.all(strangers.map(draw));
  const shares = [16, 16, 4];
  const answers = [];
  for (const [kind, thingOf] of kinds.entries()) {
    for (let n = 0; n < shares[kind]; n += 1) answers.push(await ask(teacher, thingOf(n)));
  }
  assert.deepEqual(answers, done(36), 'the teacher draws');
  const pupils = await people(at(target, CLASS), PUPILS, { room: room.code });
  for (const [kind, thingOf] of kinds.entries()) {
    const some = kind === 2 ? pupils.slice(0, 6) : pupils; // half of the viewers' hunters
    const drawings = some.map((pupil, n) => ask(pupil, thingOf(n)));
    assert.deepEqual(await Promise.all(drawings), done(some.length), `the pupils draw, kind ${kind}`);
  }
  const [stranger] = await people(target, 1, { room: room.code });
  for (const thingOf of kinds) assert.equal(await ask(stranger, thingOf(1)), 'full');
  return `${STRANGERS} strangers who draw`;
}

// Beside other attacks, not all strangers come in.
const own = { short: true, begins: true, outside: false };

export const holders = [
  { name: 'picks-held', about: 'strangers who hold all picks of a class', ...own, run: picks },
  { name: 'things-held', about: 'strangers who draw as many walls, food and hunters as they may, beside a class', ...own, run: drawn },
];
