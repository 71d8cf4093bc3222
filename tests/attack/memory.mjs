// Failing allocations: each allocation of flockd's own code fails once, while flockd starts and while a client connects, joins,
// steers, changes the room and leaves. A failure may end the start or that connection. Otherwise flockd must continue.
import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as flock from '../e2e/messages.mjs';
import { exchange, head, join, message, now, sleep, welcomed } from './raw.mjs';
import { post } from './rooms.mjs';
import { FLOCKD, KEY, dropSockets, startTarget } from './target.mjs';

const FAILING = path.join(path.dirname(FLOCKD), 'flockd-failing');
const FEW = 12; // failing allocations in a short run

// Makes the plan for failing.c: a file with the number of allocations so far and the numbers of failing allocations.
function createPlan() {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-failing-'));
  const file = path.join(folder, 'plan');
  const fd = openSync(file, 'w+');
  const bytes = Buffer.alloc(24);
  writeSync(fd, bytes, 0, 24, 0);
  return {
    file,
    count() {
      readSync(fd, bytes, 0, 8, 0);
      return Number(bytes.readBigUInt64LE(0));
    },
    // Makes `many` allocations fail, beginning with the `number`th from now on. number 0: no allocation fails.
    fail(number, many = 1) {
      const from = number === 0 ? 0 : this.count() + number;
      bytes.writeBigUInt64LE(BigInt(from), 8);
      bytes.writeBigUInt64LE(BigInt(from + many), 16);
      writeSync(fd, bytes, 16, 8, 16);
      writeSync(fd, bytes, 8, 8, 8);
    },
    reset() {
      writeSync(fd, Buffer.alloc(24), 0, 24, 0);
    },
    end() {
      closeSync(fd);
      rmSync(folder, { recursive: true });
    },
  };
}

const PATIENCE = 20_000; // ms for a visit without failing allocations
const SHORT = 1000; // ms for a visit with failing allocations, which may lack an answer

// Connects, says hello, steers, changes the room, uses the API and leaves. Resolves to whether flockd answered everything.
async function visit(target, ms = PATIENCE) {
  const socket = await join(target, { name: 'visitor', key: KEY, encodings: ['packed'] });
  if (socket === null) return false;
  const welcome = await welcomed(socket, ms);
  if (welcome !== null) {
    const say = (...arrays) => socket.write(Buffer.concat(arrays.map(message)));
    say([flock.CURSOR, 100, 100], [flock.NAME, 'other'], [flock.WANT, 0, 10]);
    say([flock.SET, 'model', 'boids'], [flock.SET, 'preset', 'bees'], [flock.ADD, 5, 5, 200], [flock.REMOVE, 100]);
    say([flock.SET, 'boundary', 'walls'], [flock.WANT, 0, 0], [flock.TITLE, 'title'], [flock.RESET], [flock.SET, 'model', 'swarm'], [flock.REMOVE, 1000]);
  }
  const made = await post(target, '{"title":"a","boids":20,"preset":"bees"}', { ms });
  const list = await exchange(target, head(target, 'GET', '/api/rooms', ['Connection: close']), { ms, quiet: 30 });
  const began = now();
  const size = socket.taken;
  while (!socket.gone && socket.taken === size && now() - began < ms) await sleep(5);
  const served = welcome !== null && !socket.gone && socket.taken > size && made.status === 201 && list.status === 200;
  socket.destroy();
  return served;
}

const ARGS = ['--tick-rate', '120', '--rooms-per-hour', '100000', '--max-rooms', '50', '--room-idle', '1', '--sim-threads', '1', '--net-threads', '1'];
const start = (plan) => startTarget({ args: ARGS, env: { FLOCK_FAILING: plan.file }, program: FAILING });

async function stop(target) {
  target.child.kill('SIGTERM');
  const end = await Promise.race([target.ended, sleep(20_000)]);
  target.child.kill('SIGKILL');
  assert.deepEqual(end, { code: 0, signal: null }, `a clean end: ${target.stderr.slice(-1500)}`);
  assert.doesNotMatch(target.stderr, /Sanitizer|runtime error:/);
}

async function whileServing(plan, tries) {
  const target = await start(plan);
  assert.ok(await visit(target), `a visit is served where there is memory: ${target.stderr.slice(-500)}`);
  const before = plan.count();
  await visit(target);
  const count = plan.count() - before;
  const step = Math.max(1, Math.floor(count / tries));
  let served = 0;
  for (let number = 1; number <= count; number += step) {
    plan.fail(number, number % 3 === 0 ? 3 : 1);
    served += (await visit(target, SHORT)) ? 1 : 0;
    dropSockets(target);
    plan.fail(0);
    assert.equal(target.end, null, `flockd lives when allocation ${number} fails: ${JSON.stringify(target.end)} ${target.stderr.slice(-1500)}`);
    if (number % 10 < step) assert.ok((await visit(target)) || (await visit(target)), `it serves again after allocation ${number} has failed: ${target.stderr.slice(-500)}`);
  }
  await stop(target);
  return `${Math.ceil(count / step)} of ${count} allocations failed, ${served} visits were served all the same`;
}

async function whileStarting(plan, tries) {
  plan.reset();
  const target = await start(plan);
  const count = plan.count();
  await stop(target);
  const step = Math.max(1, Math.floor(count / tries));
  let started = 0;
  for (let number = 1; number <= count; number += step) {
    plan.reset();
    plan.fail(number);
    const other = await start(plan).catch((error) => {
      assert.match(error.message, /flockd: .*(memory|cannot|no |out of)/, `a reason, when allocation ${number} fails as it starts: ${error.message}`);
      assert.doesNotMatch(error.message, /Sanitizer|runtime error:/);
      return null;
    });
    if (other !== null) {
      started += 1;
      await stop(other);
    }
  }
  return `of ${Math.ceil(count / step)} starts ${started} went on`;
}

async function run(_, ms) {
  assert.ok(existsSync(FAILING), `${FAILING} is built by make unit`);
  const plan = createPlan();
  const tries = ms > 1000 ? Infinity : FEW;
  try {
    const serving = await whileServing(plan, tries);
    return `${serving}; ${await whileStarting(plan, tries)}`;
  } finally {
    plan.end();
  }
}

export const memories = [{ name: 'memory', about: 'allocations that fail', needs: 'own', short: true, run }];
