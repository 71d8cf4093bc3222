#!/usr/bin/env node
// Measures the cost of many rooms: empty rooms, rooms with a few people each, rooms beside an expensive room, and rooms beside a
// room that seeks in its past. About 15 minutes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as flock from '../e2e/client.mjs';
import { readOptions, readParts } from '../options.mjs';
import { KEY, SERVERS, describeMachine, measure, median, metrics, resident, runLoad, start, stop, sumOf, table } from './servers.mjs';

const USAGE = `Usage: make bench-rooms, or node tests/bench/rooms.mjs [empty] [spread] [beside] [seeking] [threads]`;
const ROUNDS = 3;
const fixed = (value, decimals = 1) => value.toFixed(decimals);
const delivery = (of) => `${fixed(of('delivery_p50_ms'))} / ${fixed(of('delivery_p99_ms'))}`;

// Returns the processor time of the process, s.
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function makeRoom({ port }, body) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/api/rooms`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) {
    throw new Error(`a room could not be made: ${response.status} ${await response.text()}`);
  }
}

// Measures the memory and processor time of empty rooms.
async function empty() {
  const SECONDS = 30;
  const ROOMS = 1000;
  const rows = [['1,000 rooms that nobody is in', 'KB a room', `processor time in ${SECONDS} s, s`, 'the same of no rooms, s']];
  for (const boids of [12, 1000]) {
    const server = await start(SERVERS.flockd());
    try {
      await pause(1000);
      const before = resident(server.child.pid);
      const none = cpu(server.child.pid);
      await pause(SECONDS * 1000);
      const idle = cpu(server.child.pid) - none;
      for (let i = 0; i < ROOMS; i++) {
        await makeRoom(server, { model: 'boids', boids, world: [1000, 1000] });
      }
      await pause(1000);
      const made = cpu(server.child.pid);
      await pause(SECONDS * 1000);
      const busy = cpu(server.child.pid) - made;
      const kilobytes = (resident(server.child.pid) - before) / 1024 / ROOMS;
      rows.push([`of ${boids} boids each`, fixed(kilobytes), fixed(busy, 2), fixed(idle, 2)]);
    } finally {
      await stop(server);
    }
  }
  console.log(`${table(rows)}\n`);
}

const dropped = async (server) => ({ dropped: sumOf(await metrics(server), 'runner_ticks_dropped_total') });

// Compares one room with many people and many rooms with ten people each.
async function spread() {
  const PEOPLE = 3000;
  const server = SERVERS.flockd(['--model', 'boids', '--boids', 100, '--tick-rate', 30]);
  const kinds = [
    ['one room', []],
    ['300 rooms', ['--rooms', 300, '--room-json', '{"model":"boids","boids":100}']],
  ];
  const rows = [['3,000 people, 100 boids, 30 Hz', 'encoding', 'CPU s per million frames', 'delivery p50 / p99, ms', 'frames/s', 'missed', 'ticks dropped', 'KB a client']];
  for (const [encoding, options] of [['plain', []], ['packed', ['--encoding', 'packed', '--decode', 50]]]) {
    const results = kinds.map(() => /** @type {Record<string, number>[]} */ ([]));
    for (let turn = 0; turn < ROUNDS; turn++) {
      for (const [i, [, load]] of kinds.entries()) {
        results[i].push(await measure(server, { clients: PEOPLE, seconds: 10, load: [...load, ...options], also: dropped }));
      }
    }
    for (const [i, [name]] of kinds.entries()) {
      const of = (key) => median(results[i].map((result) => result[key]));
      const cost = fixed(of('cpu_s_per_million'), 2);
      rows.push([name, encoding, cost, delivery(of), Math.round(of('frames_per_s')), of('missed'), of('dropped'), fixed(of('memory_per_client') / 1024, 2)]);
    }
  }
  console.log(`${table(rows)}\n`);
}

const BIG = [
  ['nothing', null],
  ['200,000 `boids`, which take a part of each tick', { model: 'boids', boids: 200000, world: [9000, 9000] }],
  ['a `swarm` of 200,000, which takes more than there is', { model: 'swarm', boids: 200000 }],
];

// Measures small rooms beside an expensive one.
async function beside() {
  const SMALL = 50;
  const SECONDS = 10;
  const rows = [['50 rooms of 100 boids, 30 Hz, beside', '--sim-threads', 'delivery p50 / p99, ms', 'longest, ms', 'of its ticks dropped by a small room', 'by the big one']];
  for (const [what, big] of BIG) {
    for (const runners of [1, 2]) {
      const server = await start(SERVERS.flockd(['--sim-threads', runners, '--max-boids', 1000000, '--room-boids', 200000]), { pin: false });
      try {
        const packed = ['--encoding', 'packed', '--decode', 0];
        const time = ['--warm-up', 5, '--seconds', SECONDS];
        const one = ['--rooms', 1, '--clients', 1, '--room-json', JSON.stringify(big), ...packed, ...time];
        const other = big === null ? null : runLoad(server, one, { pin: false });
        const load = ['--rooms', SMALL, '--clients', SMALL, '--room-json', '{"model":"boids","boids":100}', ...packed, ...time];
        const small = await runLoad(server, load, { pin: false });
        const bigDropped = other === null ? '' : `${fixed(((await other).late_ticks / 30 / SECONDS) * 100)} %`;
        const share = `${fixed((small.late_ticks / SMALL / 30 / SECONDS) * 100)} %`;
        rows.push([what, runners, delivery((key) => small[key]), fixed(small.delivery_max_ms), share, bigDropped]);
      } finally {
        await stop(server);
      }
    }
  }
  console.log(`${table(rows)}\n`);
}

// Makes a recording of an hour of 5,000 boids. Returns its file.
function hour() {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-bench-'));
  try {
    execFileSync('build/seek', ['60', '5000', 'boids', path.join(folder, 'hour.flock')]);
    return readFileSync(path.join(folder, 'hour.flock'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Creates a room that plays the recording. Resolves to its presenter.
async function replayRoom(server, file) {
  const undone = [];
  const t = /** @type {any} */ ({ name: 'bench', after: (undo) => undone.push(undo) });
  const headers = { 'content-type': 'application/octet-stream' };
  const response = await fetch(`http://127.0.0.1:${server.port}/api/rooms`, { method: 'POST', headers, body: file });
  const { code, key } = await response.json();
  const presenter = await flock.join(t, `ws://127.0.0.1:${server.port}/ws`, { room: code, key });
  await presenter.ask([flock.PLAY, 0]);
  return { presenter, end: () => Promise.all(undone.map((undo) => undo())) };
}

// Resolves when the process is almost idle.
async function rest(pid) {
  for (let before = -1, now = cpu(pid); now - before > 0.5; ) {
    await pause(3000);
    [before, now] = [now, cpu(pid)];
  }
}

// Rewinds to moments, each as soon as the room shows the one before, until `done`. Resolves to the times until they were shown, ms.
async function seekOn(presenter, done) {
  const times = [];
  for (let i = 0; !done(); i++) {
    const { epoch } = presenter.snapshot; // changes with each moment
    const begin = performance.now();
    const shown = new Promise((resolve) => {
      presenter.onSnapshot = (snapshot) => snapshot.epoch !== epoch && resolve(undefined);
    });
    await presenter.ask([flock.REWIND, ((i * 997) % 3600) + 0.5]);
    await shown;
    times.push(performance.now() - begin);
    await pause(50);
  }
  return times.sort((a, b) => a - b);
}

// Measures small rooms beside a room that plays an hour of 5,000 boids, on one runner. In alternation, a presenter seeks there
// without pause, or the room stands still.
async function seeking() {
  const SMALL = 50;
  const SECONDS = 10;
  const TURNS = 3;
  const server = await start(SERVERS.flockd(['--sim-threads', 1]), { pin: false });
  const { presenter, end } = await replayRoom(server, hour());
  const results = { 'stands still': /** @type {any[]} */ ([]), 'seeks all the time': /** @type {any[]} */ ([]) };
  const moments = /** @type {number[]} */ ([]);
  try {
    await rest(server.child.pid); // until the keyframes are computed
    for (let turn = 0; turn < 2 * TURNS; turn++) {
      const seeks = turn % 4 === 1 || turn % 4 === 2;
      const time = ['--warm-up', 3, '--seconds', SECONDS];
      let over = false;
      const rooms = ['--rooms', SMALL, '--clients', SMALL, '--room-json', '{"model":"boids","boids":100}'];
      const load = runLoad(server, [...rooms, '--encoding', 'packed', '--decode', 0, ...time], { pin: false }).finally(() => (over = true));
      if (seeks) moments.push(...(await seekOn(presenter, () => over)));
      results[seeks ? 'seeks all the time' : 'stands still'].push(await load);
    }
  } finally {
    await end();
    await stop(server);
  }
  const rows = [['50 rooms of 100 boids, 30 Hz, beside one that', 'delivery p50 / p99, ms', 'longest, ms', 'of their ticks dropped']];
  for (const [what, all] of Object.entries(results)) {
    const of = (key) => median(all.map((result) => result[key]));
    rows.push([what, delivery(of), fixed(of('delivery_max_ms')), `${fixed((of('late_ticks') / SMALL / 30 / SECONDS) * 100)} %`]);
  }
  moments.sort((a, b) => a - b);
  const [half, most, worst] = [0.5, 0.95, 1].map((part) => fixed(moments[Math.min(moments.length - 1, Math.floor(moments.length * part))], 0));
  console.log(`${table(rows)}\n\n${moments.length} moments, each shown to its presenter after ${half} ms (median), ${most} (95 %), ${worst} (worst)\n`);
}

// Measures small flocks with more threads than they can use.
async function threads() {
  const kinds = [1, 8];
  const results = kinds.map(() => /** @type {Record<string, number>[]} */ ([]));
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const [i, count] of kinds.entries()) {
      const options = ['--threads', count, '--model', 'boids', '--boids', 120, '--tick-rate', 240, '--snapshot-rate', 30];
      results[i].push(await measure(SERVERS.flockd(options), { clients: 1, seconds: 10, pin: false, load: ['--encoding', 'packed'] }));
    }
  }
  const rows = [['`boids` of 120, 240 ticks/s, one client', 'µs of the processor a tick', 'delivery p50 / p99, ms', 'ticks left out']];
  for (const [i, count] of kinds.entries()) {
    const of = (key) => median(results[i].map((result) => result[key]));
    rows.push([`--threads ${count}`, fixed((of('cpu_s') / of('seconds') / 240) * 1e6), delivery(of), of('late_ticks')]);
  }
  console.log(`${table(rows)}\n`);
}

const PARTS = { empty, spread, beside, seeking, threads };
const parts = readParts(PARTS, readOptions(USAGE, { allowPositionals: true }).positionals);
console.log(`${describeMachine([SERVERS.flockd()])}\n`);
for (const [, run] of parts) await run();
