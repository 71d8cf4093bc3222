#!/usr/bin/env node
// Finds growth that weeks of use would show. People join, steer and leave, presenters change their rooms, and rooms are created and
// end. Memory, descriptors and the lateness of ticks must not grow. Prints a table. SECONDS=1800 sets the duration.
import { encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import * as flock from '../e2e/messages.mjs';
import { exchange, head, now, sleep } from './raw.mjs';
import { createRoom, post } from './rooms.mjs';
import { FLOCKD, KEY, startTarget, usage } from './target.mjs';

const SECONDS = Number(process.env.SECONDS ?? 1800);
const SAMPLES = 20;
const PEOPLE = 24; // at the same time
const ROOMS = 6;
const STAY = 6000; // ms, at most, in a room
const WARM = SAMPLES / 4; // first samples, which are ignored
// The maximum growth between the first and the last counted samples.
const MEMORY = 4; // MB
const DESCRIPTORS = 40; // people come and go, some have just left
const LATENESS = 2; // ms on average, beyond 1.5 times the growth of this process's own lateness

const SANITIZED = /\b[at]san\b/.test(FLOCKD);

const pick = (list) => list[Math.floor(Math.random() * list.length)];

// Opens a WebSocket that reads and answers pings. Resolves to null if the server refused.
function connect(target) {
  return new Promise((resolve) => {
    const socket = new WebSocket(target.ws, 'flock.v1', { perMessageDeflate: false });
    socket.on('message', () => {});
    socket.once('open', () => resolve(socket));
    socket.on('error', () => resolve(null));
  });
}

// A person joins rooms, stays for some seconds and steers. A presenter also changes the room.
async function person(target, rooms, isOver) {
  while (!isOver()) {
    const room = pick(rooms);
    const presents = Math.random() < 0.25;
    const key = presents ? { key: room.key } : {};
    const encodings = [Math.random() < 0.7 ? 'packed' : 'plain'];
    const fields = { room: room.code, name: `p${Math.random()}`.slice(0, 12), rate: pick([0, 30, 10, 3]), encodings, ...key };
    const socket = await connect(target);
    if (socket === null) {
      await sleep(100);
      continue;
    }
    const say = (array) => socket.readyState === WebSocket.OPEN && socket.send(encode(array));
    say(flock.hello(fields));
    const end = now() + Math.random() * STAY;
    while (now() < end && socket.readyState === WebSocket.OPEN && !isOver()) {
      say([flock.CURSOR, Math.random() * 500, Math.random() * 300]);
      if (presents && Math.random() < 0.1) {
        const change = pick([
          [flock.SET, 'preset', pick(['bees', 'march', 'original'])],
          [flock.SET, 'model', pick(['swarm', 'boids', 'vision'])],
          [flock.ADD, 10, 10, 50],
          [flock.REMOVE, 50],
          [flock.TITLE, `title ${Math.random()}`],
        ]);
        say(change);
      }
      await sleep(100);
    }
    if (Math.random() < 0.5) socket.close();
    else socket.terminate();
  }
}

// Each second, creates a room and ends another one.
async function landlord(target, rooms, isOver) {
  while (!isOver()) {
    await sleep(1000);
    const at = 1 + Math.floor(Math.random() * (ROOMS - 1)); // the lobby cannot end
    const old = rooms[at];
    const made = await createRoom(target, { boids: 100, title: 'soak' });
    if (made === null) continue;
    rooms[at] = made;
    await post(target, '', { path: `/api/rooms/${old.code}`, method: 'DELETE', lines: [`Authorization: Bearer ${old.key}`] });
  }
}

// Resolves to the lateness of all ticks so far: { sum (s), count }.
async function lateness(target) {
  const { text } = await exchange(target, head(target, 'GET', '/metrics', ['Connection: close']), { ms: 5000, quiet: 1000 });
  const of = (name) => [...text.matchAll(new RegExp(`^flockd_runner_tick_lateness_seconds_${name}\\{.*\\} (\\S+)$`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0);
  return { sum: of('sum'), count: of('count') };
}

// A timer in this process, whose lateness shows how busy the machine is.
function createClock() {
  const clock = { sum: 0, count: 0 };
  let expected = now() + 10;
  const timer = setInterval(() => {
    clock.sum += Math.max(0, now() - expected);
    clock.count += 1;
    expected = now() + 10;
  }, 10);
  clock.stop = () => clearInterval(timer);
  return clock;
}

const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;

// Compares the last third of the counted samples with the first third. Returns texts about values that grew too much.
function judge(samples) {
  const counted = samples.slice(WARM);
  const part = Math.max(1, Math.floor(counted.length / 3));
  const grown = (of) => mean(counted.slice(-part).map(of)) - mean(counted.slice(0, part).map(of));
  const failures = [];
  const check = (what, by, most) => by > most && failures.push(`${what} grew by ${by.toFixed(1)}, ${most} is flat`);
  if (!SANITIZED) check('memory (MB)', grown(({ memory }) => memory), MEMORY);
  check('descriptors', grown(({ descriptors }) => descriptors), DESCRIPTORS);
  check('lateness (ms)', grown(({ late }) => late) - 1.5 * Math.max(0, grown(({ ours }) => ours)), LATENESS);
  return failures;
}

async function soak() {
  const target = await startTarget({ args: ['--rooms-per-hour', '100000', '--boids', '300'] });
  const end = now() + SECONDS * 1000;
  const isOver = () => now() > end || target.end !== null;
  const rooms = [{ code: 'lobby', key: KEY }];
  while (rooms.length < ROOMS) rooms.push(await createRoom(target, { boids: 100 }));
  const all = [...Array.from({ length: PEOPLE }, () => person(target, rooms, isOver)), landlord(target, rooms, isOver)];
  const clock = createClock();
  const samples = [];
  let [before, own] = [await lateness(target), { ...clock }];
  console.log('   time   memory   descriptors   ticks late by   our own clock');
  for (let i = 1; i <= SAMPLES && target.end === null; i += 1) {
    await sleep(Math.max(0, end - (SECONDS * 1000 * (SAMPLES - i)) / SAMPLES - now()));
    const after = await lateness(target);
    const { memory, descriptors } = usage(target) ?? { memory: 0, descriptors: 0 };
    const late = (1000 * (after.sum - before.sum)) / Math.max(1, after.count - before.count);
    const ours = (clock.sum - own.sum) / Math.max(1, clock.count - own.count);
    samples.push({ memory, descriptors, late, ours });
    const seconds = Math.round((SECONDS * i) / SAMPLES);
    console.log(`${String(seconds).padStart(5)} s ${memory.toFixed(1).padStart(5)} MB ${String(descriptors).padStart(13)} ${late.toFixed(2).padStart(12)} ms ${ours.toFixed(2).padStart(12)} ms`);
    [before, own] = [after, { ...clock }];
  }
  clock.stop();
  await Promise.all(all);
  const failures = judge(samples);
  if (target.end !== null) failures.push(`flockd ended: ${JSON.stringify(target.end)} ${target.stderr.slice(-2000)}`);
  await sleep(1000);
  const left = usage(target)?.descriptors ?? 0;
  console.log(`when everyone has left: ${left} descriptors, ${usage(target)?.memory.toFixed(1)} MB`);
  target.child.kill('SIGTERM');
  await Promise.race([target.ended, sleep(10_000)]);
  target.child.kill('SIGKILL');
  if (target.end?.code !== 0) failures.push(`it ends with ${JSON.stringify(target.end)}`);
  const said = target.stderr.match(/(\d+) connections; of (\d+) snapshots offered (\d+) sent, (\d+) skipped/)?.slice(1).map(Number) ?? [];
  console.log(`${said[0]} connections; of ${said[1]} snapshots offered ${said[2]} sent, ${said[3]} skipped`);
  if (said[1] !== said[2] + said[3]) failures.push('offered is not sent + skipped');
  if (/Sanitizer|runtime error:/.test(target.stderr)) failures.push(target.stderr.slice(-3000));
  for (const failure of failures) console.log(`not flat: ${failure}`);
  process.exit(failures.length > 0 ? 1 : 0);
}

if (!(SECONDS >= SAMPLES)) {
  console.error(`tests/attack/soak.mjs: SECONDS: expected ${SAMPLES} or more, not ${process.env.SECONDS}`);
  process.exit(2);
}
await soak();
