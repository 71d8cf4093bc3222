#!/usr/bin/env node
// Measures an overload: more clients than one processor can serve. Prints how many snapshots a second of processor time delivers, with
// flockd and with the floor (floor.c), which is a bare loop of send(). First measures what the floor needs for a client. Then both run
// at the same time, on one processor, each with as many clients as would take the floor this share of a processor. So both meet the same
// changes of the machine's speed. The clients never sleep: waking them costs the server more, the less it has to send.
//
// An overloaded flockd sends each client a half of the snapshots, a quarter or an eighth. The floor sends as many as flockd did in the
// round before: the kernel needs 1.5 times as long for a send() if the last one to the same client was 0.2 s ago, because the client then
// acknowledges each at once. Prints medians of the rounds in which both sent as many, and the ratios of these. About seven minutes.
import { readOptions, refuse } from '../options.mjs';
import { SERVERS, describeMachine, measure, median, table } from './servers.mjs';

const USAGE = `Usage: make bench-overload, or node tests/bench/overload.mjs [SHARE]...

  SHARE  part of a processor that the floor alone would take; default: 0.4 0.9`;
const HZ = 20;
const BYTES = 2400;
const BOIDS = 583; // 4 bytes each; with the rest of a snapshot they have BYTES
const ROUNDS = 6;
const FIRST = 1000; // clients of the first measurement
const SETTLE = 15; // s until flockd has lowered the rate and knows its clients' lines

const readShare = (text) => (Number(text) > 0 && Number(text) <= 1 ? Number(text) : refuse(`SHARE: '${text}' is no part of a processor, such as 0.9`));
const shares = readOptions(USAGE, { allowPositionals: true }).positionals.map(readShare);
if (shares.length === 0) {
  shares.push(0.4, 0.9);
}

const flockd = SERVERS.flockd(['--model', 'boids', '--boids', BOIDS, '--tick-rate', HZ]);
const run = (server, clients, hz = HZ) => measure(server, { clients, bytes: BYTES, hz, warmUp: SETTLE, load: ['--spin'] });

const perSecond = (figures) => 1e6 / figures.cpu_s_per_million; // snapshots in a second of processor time
const RATES = [HZ, HZ / 2, HZ / 4, Math.ceil(HZ / 8)]; // that the floor can have
const rateOf = (figures, clients) => RATES.findLast((rate) => rate > 0.75 * (figures.frames_per_s / clients)) ?? HZ;
const busy = (figures) => (figures.frames_per_s * figures.cpu_s_per_million) / 1e6; // processors

console.log(`${describeMachine([SERVERS.floor, flockd])}\n`);
const { cpu_s_per_million: cost } = await run(SERVERS.floor, FIRST);
const rows = [['floor needs', 'clients', '', 'snapshots a second', 'processors', 'snapshots per s of processor time', 'of the floor']];
for (const share of shares) {
  const clients = Math.round((share * 1e6) / (cost * HZ));
  const pairs = [];
  let rate = HZ / 2;
  for (let round = 0; round < ROUNDS; round++) {
    const [bare, full] = await Promise.all([run(SERVERS.floor, clients, rate), run(flockd, clients)]);
    const rates = [rateOf(bare, clients), rateOf(full, clients)];
    console.error(`snapshots a second for a client: floor ${rates[0]}, flockd ${rates[1]}; flockd ${(perSecond(full) / perSecond(bare)).toFixed(2)} of the floor`);
    if (rates[0] === rates[1]) pairs.push({ floor: bare, flockd: full });
    rate = rates[1];
  }
  if (pairs.length === 0) {
    console.log(`${clients} clients: the rates changed in all rounds`);
    continue;
  }
  const ratios = pairs.map((pair) => perSecond(pair.flockd) / perSecond(pair.floor));
  for (const name of ['floor', 'flockd']) {
    const of = (read) => median(pairs.map((pair) => read(pair[name])));
    rows.push([
      share.toFixed(2),
      clients.toLocaleString('en'),
      name,
      Math.round(of((figures) => figures.frames_per_s)).toLocaleString('en'),
      of(busy).toFixed(2),
      Math.round(of(perSecond)).toLocaleString('en'),
      name === 'floor' ? '1' : `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    ]);
  }
}
console.log(table(rows));
