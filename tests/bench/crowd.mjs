#!/usr/bin/env node
// Measures flockd with a crowd of clients: the time until a cursor takes effect, the effect of a client that never reads on the
// others, and the number of connections of one process. About three minutes.
import { readOptions, readParts } from '../options.mjs';
import { SERVERS, describeMachine, measure, median, table } from './servers.mjs';

const USAGE = `Usage: make bench-crowd, or node tests/bench/crowd.mjs [effect] [never] [many]`;
const ROUNDS = 3;
const fixed = (value, decimals = 1) => value.toFixed(decimals);

// Moves one cursor at a rate that is no multiple of the tick rate.
async function effect() {
  const server = SERVERS.flockd(['--tick-rate', 30]);
  const rows = [['clients', 'cursor to effect p50 / p99 / longest, ms', 'cursors']];
  for (const clients of [1, 100, 1000]) {
    const load = ['--cursors', 1, '--cursor-rate', 41];
    const result = await measure(server, { clients, seconds: 20, load });
    const { effect_p50_ms: p50, effect_p99_ms: p99, effect_max_ms: max, cursors } = result;
    rows.push([clients, `${fixed(p50)} / ${fixed(p99)} / ${fixed(max)}`, cursors]);
  }
  console.log(`Cursor to effect, 30 ticks a second (33.3 ms apart), 12 boids:\n\n${table(rows)}\n`);
}

const packed = ['--encoding', 'packed', '--decode', 20];

// Alternates runs with and without such a client, so that other work of the machine affects both.
async function never() {
  const server = SERVERS.flockd(['--model', 'boids', '--boids', 10000, '--world', '2000x2000', '--tick-rate', 20]);
  const kinds = [['all read', 0], ['one never reads', 1]];
  const results = kinds.map(() => /** @type {Record<string, number>[]} */ ([]));
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const [i, [, count]] of kinds.entries()) {
      results[i].push(await measure(server, { clients: 1000, load: [...packed, '--never', count] }));
    }
  }
  const rows = kinds.map(([name], i) => {
    const of = (key) => median(results[i].map((result) => result[key]));
    return [name, `${fixed(of('delivery_p50_ms'))} / ${fixed(of('delivery_p99_ms'))}`, of('missed'), Math.round(of('frames_per_s'))];
  });
  const head = ['of 1,000 clients', 'delivery to the others p50 / p99, ms', 'missed', 'frames/s'];
  console.log(`10,000 boids, 20 packed snapshots a second:\n\n${table([head, ...rows])}\n`);
}

async function many() {
  const server = SERVERS.flockd(['--model', 'boids', '--boids', 583, '--tick-rate', 20]);
  const clients = 15000;
  const result = await measure(server, { clients, seconds: 10, load: ['--rate', 5] });
  console.log(
    `${clients.toLocaleString('en')} clients of one process, 5 snapshots a second each: ` +
      `${fixed(result.memory_per_client / 1024, 2)} KB a client, ${Math.round(result.frames_per_s)} frames/s, ` +
      `delivery p50 / p99 ${fixed(result.delivery_p50_ms)} / ${fixed(result.delivery_p99_ms)} ms, ` +
      `${result.missed} missed, ${result.lost} lost, ${result.late_ticks} ticks left out\n`,
  );
}

const PARTS = { effect, never, many };
const parts = readParts(PARTS, readOptions(USAGE, { allowPositionals: true }).positionals);
console.log(`${describeMachine([SERVERS.flockd()])}\n`);
for (const [, run] of parts) await run();
