// Attacks with recordings that no flockd made. Each is within the limits of sizes: the lobby loses nothing to the room that plays it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as flock from '../e2e/messages.mjs';
import { aways, joins, moves, peopleOf, recording, said, ticks } from './crafted.mjs';
import { bodyOf, exchange, flood, head, join, message, now, sleep, welcomed } from './raw.mjs';
import { STRICT } from './target.mjs';

const PEOPLE = 9000; // fewer than --max-clients
const PATIENCE = { quiet: 20_000 }; // ms: the server closes the connection after its answer

// Returns the text of a refusal. The answer to a request that took too long is no JSON.
const refusalOf = (status, body) => (body.startsWith('{') ? (JSON.parse(body).error?.message ?? `${status}`) : `${status} ${body.trim()}`);

// Uploads a recording. Resolves to the room, or to the error's text.
/** @returns {Promise<{ room?: any, error: string, bytes: number }>} */
export async function upload(target, bytes) {
  const lines = ['Content-Type: application/octet-stream', `Content-Length: ${bytes.length}`, 'Connection: close'];
  const { status, text } = await exchange(target, Buffer.concat([Buffer.from(head(target, 'POST', '/api/rooms', lines)), bytes]), PATIENCE);
  return { bytes: bytes.length, ...(status === 201 ? { room: JSON.parse(bodyOf(text)), error: '' } : { error: refusalOf(status, bodyOf(text)) }) };
}

async function mustPlay(target, bytes) {
  const { room, error } = await upload(target, bytes);
  assert.ok(room !== undefined, `a room of his own: ${error}`);
  return room;
}

async function enter(target, room, fields = {}) {
  const socket = await join(target, { room: room.code, ...fields });
  assert.ok(socket !== null && (await welcomed(socket)) !== null, 'a member of the room');
  return socket;
}

const sizeOf = (bytes) => `${(bytes.length / 1e6).toFixed(1)} MB`;

// Lets presenters of a room that plays the file send messages. messageOf(n): the nth message.
const steered = (make, messageOf, presenters = 1, pause = 5) => async (target, ms) => {
  const bytes = make();
  const room = await mustPlay(target, bytes);
  const sockets = [];
  for (let i = 0; i < presenters; i += 1) sockets.push(await enter(target, room, { key: room.key }));
  await target.begin?.();
  await Promise.all(sockets.map((socket, i) => flood(socket, (n) => message(messageOf(n + i)), ms, pause)));
  return `${sizeOf(bytes)}, ${presenters} presenters`;
};

// Presenters of several rooms of one address that play the file rewind it and play it, in turn.
const wound = (make, rooms) => async (target, ms) => {
  const bytes = make();
  const sockets = [];
  for (let i = 0; i < rooms; i += 1) {
    const room = await mustPlay(target, bytes);
    sockets.push(await enter(target, room, { key: room.key, rate: 1, boids: 1 }));
  }
  await target.begin?.();
  const messageOf = (n) => message(n % 2 === 0 ? [flock.REWIND, (n * 7919) % 60] : [flock.PLAY, n % 4 === 1 ? 16 : -16]);
  await Promise.all(sockets.map((socket) => flood(socket, messageOf, Math.max(ms, 2000), 10)));
  return `${sizeOf(bytes)}, ${rooms} rooms`;
};

// Looks at rooms that play the file.
const watched = (make, rooms = 1) => async (target, ms) => {
  const bytes = make();
  for (let i = 0; i < rooms; i += 1) await enter(target, await mustPlay(target, bytes));
  await target.begin?.();
  await sleep(ms);
  return `${sizeOf(bytes)}, ${rooms} rooms`;
};

// ---- the files ----

const AREA = /** @type {[number, number]} */ ([600, 600]);
const DENSE = { world: /** @type {[number, number]} */ ([16, 16]), flock: { update: 'sequential', boundary: 'wrap' } };

// With --together the files are made once, not in each round.
const once = (make) => {
  let made;
  return () => (made ??= make());
};

const crowd = once(() => recording([{ rounds: 300_000, before: joins(PEOPLE) }]));
const dense = (boids) => once(() => recording([{ rounds: 3000, boids, ...DENSE }]));
const often = once(() => recording([{ rounds: 3000, boids: 5000, ...DENSE, params: { neighbor_distance: 500 }, settings: { tick_rate: 240 } }], { tick_rate: 240 }));
const endless = once(() => recording([{ rounds: 60, boids: 5000, world: AREA, before: Buffer.concat(Array(1_000_000).fill(said([flock.RESET]))) }]));
const large = (count, rounds, padding) =>
  once(() => recording(Array.from({ length: count }, () => ({ rounds, boids: 5000, world: AREA, people: peopleOf(PEOPLE), padding }))));
/** The largest checkpoints in the largest file. */
export const crowded = large(8, 300, 3_000_000);
/** The same; its last checkpoint has too many people, which flockd notices at last. */
export const lateRefused = once(() =>
  recording([...Array.from({ length: 8 }, () => ({ rounds: 300, boids: 5000, world: AREA, people: peopleOf(PEOPLE), padding: 3_000_000 })), { rounds: 1, people: peopleOf(0, 20_000) }]),
);

// Inputs before each of `rounds` ticks.
const each = (rounds, inputs) => ({ rounds, inputs: Buffer.concat(Array.from({ length: rounds }, (_, i) => Buffer.concat([inputs(i), ticks(1)]))) });
const dealt = once(() => recording([{ people: peopleOf(PEOPLE), settings: { policy: 'teams' }, ...each(2000, (i) => said([flock.SET, 'teams', `${2 + (i % 3)}`])) }]));
const busy = once(() => recording([{ people: peopleOf(1), ...each(300, () => Buffer.concat([joins(30), moves(0, 3000), aways(100)])) }]));
const padded = once(() => recording([{ rounds: 30, before: aways(7_000_000) }]));

// ---- the attacks ----

const jump = (n) => (n % 10 === 9 ? [flock.PLAY, n % 20 === 9 ? 16 : -16] : [flock.REWIND, (n * 7919) % 70]);

/** @returns {[RegExp, Buffer][]} */
const tooLarge = once(() => [
  [/--max-clients/, recording([{ rounds: 100, people: peopleOf(0, 800_000) }])],
  [/--max-clients/, recording([{ rounds: 100, people: peopleOf(0, 20_000) }])],
  [/a reset makes 1000000 boids.*--room-boids/, recording([{ rounds: 100, settings: { boids: 1_000_000 } }])],
  [/100000 boids.*--room-boids/, recording([{ rounds: 100, boids: 100_000 }])],
]);

async function refused(target) {
  await target.begin?.();
  const files = tooLarge();
  for (const [reason, bytes] of files) {
    const { room, error } = await upload(target, bytes);
    assert.equal(room, undefined, `no room is made, because of ${reason}`);
    assert.match(error, reason);
  }
  return `${files.length} files`;
}

// Takes as much of the memory for pasts as an address may have. The lobby still records.
async function fills(target) {
  const bytes = padded();
  let rooms = 0;
  let answer = await upload(target, bytes);
  await target.begin?.();
  for (; answer.room !== undefined && rooms < 50; rooms += 1) answer = await upload(target, bytes);
  assert.match(answer.error, /--rewind-memory/);
  const lines = [`Authorization: Bearer ${target.key}`, 'Connection: close'];
  const { status } = await exchange(target, head(target, 'GET', '/api/rooms/lobby/recording', lines), PATIENCE);
  assert.equal(status, 200, 'the lobby has a past');
  return `${rooms} rooms with ${sizeOf(bytes)} each`;
}

// Branches the room, and downloads its recording.
async function copied(target, ms) {
  const room = await mustPlay(target, large(28, 30, 0)());
  await enter(target, room);
  const lines = [`Authorization: Bearer ${room.key}`, 'Content-Length: 0', 'Connection: close'];
  const told = new Map();
  await target.begin?.();
  const end = now() + ms;
  const repeat = async (method, what) => {
    while (now() < end) {
      const { status } = await exchange(target, head(target, method, `/api/rooms/${room.code}/${what}`, lines), PATIENCE);
      told.set(`${what} ${status}`, (told.get(`${what} ${status}`) ?? 0) + 1);
    }
  };
  await Promise.all([...Array(4).fill('branch').map((what) => repeat('POST', what)), ...Array(4).fill('recording').map((what) => repeat('GET', what))]);
  assert.ok((told.get('branch 201') ?? 0) <= 60, 'one address makes 60 rooms an hour');
  return [...told].map(([what, count]) => `${count} × ${what}`).join(', ');
}

const PROGRAMS = 6; // that never wait

// Runs the attack while other programs take what they can get of the processors.
const beside = (attack) => async (target, ms) => {
  const programs = Array.from({ length: PROGRAMS }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    return await attack(target, ms);
  } finally {
    for (const program of programs) program.kill('SIGKILL');
  }
};

const strict = { ...STRICT, begins: true, memory: 128 };

export const recordings = [
  { name: 'film-crowd', about: 'a recording of one boid and 9,000 people', short: true, ...strict, run: steered(crowd, () => [flock.REWIND, 0], 1, 100) },
  { name: 'film-refused', about: 'recordings that need more than a room may have', short: true, ...strict, run: refused },
  { name: 'film-dense', about: 'recordings with ticks of 80 ms', ...strict, run: watched(dense(3000), 8) },
  { name: 'film-denser', about: 'presenters who rewind a recording with ticks of 200 ms', short: true, alone: true, ...strict, run: steered(dense(5000), (n) => [flock.REWIND, n % 60], 30) },
  { name: 'film-wound', about: 'presenters of six rooms who rewind and play a recording with ticks of 200 ms', short: true, alone: true, ...strict, run: wound(often, 6) },
  { name: 'film-memory', about: 'recordings that fill the memory for pasts', ...strict, memory: 320, run: fills },
  { name: 'film-checkpoints', about: 'a jump between the largest checkpoints in each message', ...strict, run: steered(crowded, jump, 30) },
  { name: 'film-seconds', about: 'a large checkpoint in each second', ...strict, run: steered(large(28, 30, 0), jump, 30) },
  { name: 'film-teams', about: 'a recording that deals 9,000 people into teams in each tick', ...strict, run: steered(dealt, () => [flock.PLAY, 16], 1, 100) },
  { name: 'film-inputs', about: 'thousands of inputs in each tick', ...strict, run: watched(busy) },
  { name: 'film-endless', about: 'a million resets before the first tick', short: true, ...strict, run: watched(endless) },
  { name: 'film-copies', about: 'branches and downloads of a large recording', ...strict, memory: 160, run: copied },
  { name: 'film-beside', about: `the same, beside ${PROGRAMS} programs that never wait`, ...strict, outside: false, memory: 160, run: beside(copied) },
];
