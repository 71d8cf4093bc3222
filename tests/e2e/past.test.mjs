// The last minutes of a room's past outlive the process: a presenter rewinds to before a restart.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { call, createRoom, MANY_ROOMS, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { FLOCKD, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const { join } = flock;
const FLOCK_SIM = path.join(path.dirname(FLOCKD), 'flock-sim');
const INTERVAL = 0.5; // s between checkpoints
const PAST_INTERVAL = 30; // s between two times that the server saves a past
const RATE = 30; // ticks per second

function folder(t) {
  const name = mkdtempSync(path.join(tmpdir(), 'flockd-past-'));
  atEnd(t, () => rmSync(name, { recursive: true }));
  return name;
}

const start = (t, data, ...more) => startServer(t, ['--data', data, '--checkpoint-interval', String(INTERVAL), ...MANY_ROOMS, ...more]);

// A member who notes the boids after each tick of the present, in `seen`.
async function enter(t, server, room, more = {}) {
  const client = await join(t, server.ws, { room: room.code, topics: flock.TOPIC_MARKS, ...more });
  const seen = new Map();
  client.onSnapshot = ({ tick, boids }) => client.past?.shown || seen.set(tick, boids);
  return { client, seen };
}

// A room in which people join, steer, and change a parameter and the class mode.
async function lesson(t, server) {
  const room = await createRoom(server, { model: 'boids', boids: 40 });
  const { client: teacher, seen } = await enter(t, server, room, { key: room.key, name: 'Ada' });
  const pupil = await join(t, server.ws, { room: room.code, name: 'Bo' });
  for (let i = 0; i < 30; i++) {
    pupil.send([flock.CURSOR, 300, 10 * i]);
    if (i === 8) assert.equal(await teacher.ask([flock.PARAM, 'max_speed', 5]), null);
    if (i === 16) assert.equal(await teacher.ask([flock.SET, 'policy', 'teams']), null);
    if (i === 24) assert.equal(await teacher.ask([flock.ADD, 50, 50, 9]), null);
    await teacher.next(flock.SNAPSHOT, 'a snapshot');
  }
  await teacher.until('two seconds', () => teacher.snapshot.tick > 2 * RATE);
  return { room, teacher, seen };
}

// Shows the moment `back` seconds before the present. Resolves to its snapshot.
async function rewind(client, back) {
  assert.equal(await client.ask([flock.REWIND, back]), null);
  await client.until('the past', () => client.past?.shown && Math.abs(client.past.back - back) < 0.001);
  await client.next(flock.SNAPSHOT, 'the moment');
  return client.snapshot;
}

// Rewinds to moments of all ticks that were seen, and compares the boids. Resolves to the newest tick of the past.
async function checkMoments(client, seen) {
  const { tick: now } = await rewind(client, 0);
  let compared = 0;
  for (const tick of [...seen.keys()].filter((_, i) => i % 7 === 0)) {
    const shown = await rewind(client, (now - tick) / RATE);
    assert.equal(shown.tick, tick);
    assert.deepEqual(shown.boids, seen.get(tick), `the boids after tick ${tick}`);
    compared++;
  }
  assert.ok(compared > 5, `${compared} moments`);
  return now;
}

async function metric(server, name) {
  const text = await (await fetch(`${server.url}metrics`)).text();
  return Number(text.match(new RegExp(`^flockd_${name} (\\S+)$`, 'm'))?.[1]);
}

// flock-sim's positions after these ticks, as text, and whether it finds the recording sound.
async function positions(t, server, room, from, to) {
  const response = await fetch(new URL(`${roomOf(room)}/recording`, server.url), { headers: { authorization: `Bearer ${room.key}`, connection: 'close' } });
  assert.equal(response.status, 200);
  const file = path.join(folder(t), 'room.flock');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const sim = (...args) => runToEnd(t, ['--replay', file, ...args], { command: [FLOCK_SIM] });
  const { code, stderr } = await sim('--verify');
  assert.equal(code, 0, stderr);
  return (await sim('--from', String(from), '--to', String(to))).stdout;
}

test('a presenter rewinds to before a clean end: the same boids, bit for bit', async (t) => {
  const data = folder(t);
  let server = await start(t, data);
  const { room, teacher, seen } = await lesson(t, server);
  const last = Math.max(...seen.keys());
  const before = await positions(t, server, room, 10, last);
  await server.stop();
  assert.equal(server.stderr.includes('past'), false, server.stderr);

  server = await start(t, data);
  const { client } = await enter(t, server, room, { token: teacher.welcome.token });
  await client.until('it goes on', () => client.snapshot.tick > last + 10);
  assert.equal(client.past?.shown ?? false, false);
  const now = await checkMoments(client, seen);
  const { span, back } = client.past;
  assert.ok(now > last && Math.abs(span - now / RATE) < 0.2, `${span} s are all that it ticked until ${now}`);
  assert.ok(back <= span);
  await client.until('the marks', () => client.marks?.length >= 3);
  assert.deepEqual(client.marks.slice(0, 3).map(([, by, who, name, what, , to]) => [by, who, what || name, to]), [
    [teacher.id, 'Ada', 'max_speed', '5'],
    [teacher.id, 'Ada', 'policy', 'teams'],
    [teacher.id, 'Ada', 'add', '49'],
  ]);
  assert.equal(await client.ask([flock.LIVE]), null);
  assert.equal(await positions(t, server, room, 10, last), before);
});

test('a kill costs at most 30 s of the past, and the room a checkpoint', { timeout: 120_000 }, async (t) => {
  const data = folder(t);
  let server = await start(t, data);
  const { room, teacher, seen } = await lesson(t, server);
  let early = 0; // a tick before its past was saved
  const isSaved = async () => {
    const { tick } = teacher.snapshot;
    if ((await metric(server, 'store_pasts_total')) > 0) return true;
    early = tick;
    return false;
  };
  await until('its past is saved', isSaved, undefined, 2000 * PAST_INTERVAL);
  const saved = teacher.snapshot.tick;
  await teacher.until('it goes on', () => teacher.snapshot.tick > saved + 3 * RATE);
  const { tick: kept } = teacher.snapshot;
  await teacher.until('two checkpoints are due', () => teacher.snapshot.tick > kept + 2 * INTERVAL * RATE);
  const before = await metric(server, 'store_writes_total');
  await until('they are written', async () => (await metric(server, 'store_writes_total')) > before + 1);
  server.kill('SIGKILL');
  await server.ended;

  server = await start(t, data);
  const { client } = await enter(t, server, room, { token: teacher.welcome.token });
  await client.until('it ticks', () => client.snapshot);
  const back = client.snapshot.tick;
  assert.ok(back >= kept, `it is at ${back}, and was kept at ${kept}`);
  await client.until('a past', () => client.snapshot.tick > back + 10);
  const first = [...seen].filter(([tick]) => tick < early - RATE);
  await checkMoments(client, new Map(first.slice(-200)));
  // Between the saved past and the saved room the timeline has a gap, in which the moment before it is shown.
  const { tick: now } = await rewind(client, 0);
  const inGap = await rewind(client, (now - (saved + 2 * RATE)) / RATE);
  assert.ok(inGap.tick <= saved + RATE && inGap.tick >= saved - PAST_INTERVAL * RATE, `${inGap.tick}, saved about ${saved}`);
});

test('a room without its damaged past continues, and the log says why', async (t) => {
  const data = folder(t);
  const file = path.join(data, 'flockd.sqlite');
  let server = await start(t, data);
  const { room, teacher, seen } = await lesson(t, server);
  await server.stop();
  const bytes = readFileSync(file);
  const at = bytes.indexOf('flock\u001aH');
  assert.ok(at > 0);
  bytes[at + 200] ^= 0xff;
  writeFileSync(file, bytes);
  const check = await runToEnd(t, ['--check-data', data]);
  assert.equal(check.code, 1);
  assert.match(check.stdout, new RegExp(`^${room.code} .*, its past of \\d+ bytes, damaged: `, 'm'));

  server = await start(t, data);
  const line = new RegExp(`the room ${room.code} continues without its past: `, 'g');
  await until('it says so', () => server.stderr.match(line)?.length === 1, () => server.stderr);
  const { client } = await enter(t, server, room, { token: teacher.welcome.token });
  const last = Math.max(...seen.keys());
  await client.until('it goes on', () => client.snapshot.tick > last + 10);
  assert.equal(await client.ask([flock.REWIND, 60]), null);
  await client.until('its past, which has begun again', () => client.past?.shown && client.past.back < 30);
  await client.next(flock.SNAPSHOT, 'the moment');
  assert.ok(client.snapshot.tick >= last, `${client.snapshot.tick}`);
});

test('the past of a room ends with the room, and without --rewind', async (t) => {
  const data = folder(t);
  const pasts = async () => (await runToEnd(t, ['--check-data', data])).stdout.match(/its past of \d+ bytes/g)?.length ?? 0;
  let server = await start(t, data);
  const one = await lesson(t, server);
  await lesson(t, server);
  await server.stop();
  assert.equal(await pasts(), 2);

  server = await start(t, data);
  assert.equal((await call(server, 'DELETE', roomOf(one.room), { key: one.room.key })).status, 204);
  await server.stop();
  assert.equal(await pasts(), 1);

  server = await start(t, data, '--rewind', '0');
  await server.stop();
  assert.equal(await pasts(), 0);
});
