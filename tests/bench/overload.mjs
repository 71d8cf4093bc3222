#!/usr/bin/env node
// Measures an overload: more clients than one processor can serve. Prints how many snapshots a second of processor time delivers, with
// flockd and with the floor (floor.c), which is a bare loop of send(). First measures what the floor needs for a client; then runs
// both, one after the other, with as many clients as take the floor this share of a processor. Runs the floor once more at the rate
// that flockd chose. The clients never sleep: waking them costs the server more, the less it has to send. Prints medians and the ratio
// of each pair. About nine minutes.
import { readOptions, refuse } from '../options.mjs';
import { SERVERS, describeMachine, measure, median, table } from './servers.mjs';

const USAGE = `Usage: make bench-overload, or node tests/bench/overload.mjs [SHARE]...

  SHARE  parts of a processor that the floor takes; default: 0.5 0.9`;
const HZ = 20;
const BYTES = 2400;
const BOIDS = 583; // 4 bytes each; with the rest of a snapshot they have BYTES
const ROUNDS = 3;
const FIRST = 1000; // clients of the first measurement
const SETTLE = 15; // s until flockd has lowered the rate and knows its clients' lines

const readShare = (text) => (Number(text) > 0 && Number(text) <= 1 ? Number(text) : refuse(`SHARE: '${text}' is no part of a processor, such as 0.9`));
const shares = readOptions(USAGE, { allowPositionals: true }).positionals.map(readShare);
if (shares.length === 0) {
  shares.push(0.5, 0.9);
}

const flockd = SERVERS.flockd(['--model', 'boids', '--boids', BOIDS, '--tick-rate', HZ]);
const run = (server, clients, hz = HZ) => measure(server, { clients, bytes: BYTES, hz, warmUp: SETTLE, load: ['--spin'] });

const perSecond = (figures) => 1e6 / figures.cpu_s_per_million; // snapshots in a second of processor time
const busy = (figures) => (figures.frames_per_s * figures.cpu_s_per_million) / 1e6; // processors

console.log(`${describeMachine([SERVERS.floor, flockd])}\n`);
const { cpu_s_per_million: cost } = await run(SERVERS.floor, FIRST);
const rows = [['floor needs', 'clients', '', 'snapshots a second', 'processors', 'snapshots per s of processor time', 'of the floor']];
for (const share of shares) {
  const clients = Math.round((share * 1e6) / (cost * HZ));
  const pairs = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = { floor: () => run(SERVERS.floor, clients), flockd: () => run(flockd, clients) };
    const pair = {};
    for (const name of round % 2 === 0 ? ['floor', 'flockd'] : ['flockd', 'floor']) {
      pair[name] = await one[name]();
    }
    pair['floor at its rate'] = await run(SERVERS.floor, clients, Math.max(1, Math.round(pair.flockd.frames_per_s / clients)));
    pairs.push(pair);
  }
  for (const name of ['floor', 'flockd', 'floor at its rate']) {
    const of = (read) => median(pairs.map((pair) => read(pair[name], pair)));
    rows.push([
      share.toFixed(2),
      clients.toLocaleString('en'),
      name,
      Math.round(of((figures) => figures.frames_per_s)).toLocaleString('en'),
      of(busy).toFixed(2),
      Math.round(of(perSecond)).toLocaleString('en'),
      of((figures, pair) => perSecond(figures) / perSecond(pair.floor)).toFixed(2),
    ].map(String));
  }
}
console.log(table(rows));
