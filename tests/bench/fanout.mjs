#!/usr/bin/env node
// Measures the cost of sending the same 2,400 bytes 20 times a second to many clients: with flockd, with the floor (floor.c), and
// with other servers. One run measures all in alternation and prints medians. About twelve minutes.
import { readNumber, readOptions } from '../options.mjs';
import { SERVERS, describeMachine, measure, median, table } from './servers.mjs';

const USAGE = `Usage: make bench-fanout, or node tests/bench/fanout.mjs [CLIENTS]...

  CLIENTS  numbers of clients; default: 500 2000 5000`;
const HZ = 20;
const BYTES = 2400;
const BOIDS = 583; // 4 bytes each; with the rest of a snapshot they have BYTES
const ROUNDS = 3;

const sizes = readOptions(USAGE, { allowPositionals: true }).positionals.map((text) => readNumber('CLIENTS', text));
if (sizes.length === 0) {
  sizes.push(500, 2000, 5000);
}

const flock = ['--model', 'boids', '--boids', BOIDS, '--tick-rate', HZ];
/** @type {Map<string, any>} */
const servers = new Map(/** @type {[string, any][]} */ ([
  ['floor', SERVERS.floor],
  ['flockd, plain', SERVERS.flockd(flock)],
  ['flockd, packed', { ...SERVERS.flockd(flock), load: ['--encoding', 'packed', '--decode', 50] }],
  ['ws', SERVERS.ws],
  ['Colyseus', SERVERS.colyseus],
]));

// Resolves to null if a peer closes connections in this round. For flockd and the floor this is an error.
async function measureOne(name, clients) {
  const server = servers.get(name);
  try {
    return await measure(server, { clients, bytes: BYTES, hz: HZ, load: server.load });
  } catch (error) {
    if (!server.peer) {
      throw error;
    }
    console.error(`${name} did not hold ${clients} clients: ${error.stderr ?? error.message}`);
    return null;
  }
}

async function round(clients, turn) {
  const names = [...servers.keys()];
  const results = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[(i + turn) % names.length];
    results[name] = await measureOne(name, clients);
  }
  return results;
}

function rows(clients, rounds) {
  return [...servers.keys()].map((name) => {
    const held = rounds.filter((results) => results[name] !== null);
    if (held.length < rounds.length) {
      return [clients.toLocaleString('en'), name, `held ${held.length} of ${rounds.length} rounds`, '', '', '', '', '', ''];
    }
    const of = (key) => median(held.map((results) => results[name][key]));
    const ratio = median(held.map((results) => results[name].cpu_s_per_million / results.floor.cpu_s_per_million));
    return [
      clients.toLocaleString('en'),
      name,
      of('cpu_s_per_million').toFixed(1),
      ratio.toFixed(2),
      `${of('delivery_p50_ms').toFixed(1)} / ${of('delivery_p99_ms').toFixed(1)}`,
      Math.round(of('frames_per_s')).toLocaleString('en'),
      of('missed'),
      (of('memory_per_client') / 1024).toFixed(1),
      of('bytes_per_frame').toFixed(0),
    ];
  });
}

console.log(`${describeMachine(Object.values(SERVERS).map((server) => (server === SERVERS.flockd ? server() : server)))}\n`);
const all = [['clients', 'server', 'CPU s per million frames', 'of the floor', 'delivery p50 / p99, ms', 'frames/s', 'missed', 'KB a client', 'bytes']];
let late = 0;
for (const clients of sizes) {
  const rounds = [];
  for (let turn = 0; turn < ROUNDS; turn++) {
    rounds.push(await round(clients, turn));
  }
  all.push(...rows(clients, rounds));
  late += rounds.reduce((/** @type {number} */ sum, /** @type {any} */ results) => sum + results['flockd, plain'].late_ticks + results['flockd, packed'].late_ticks, 0);
}
console.log(`${table(all)}\n\nflockd left out ${late} ticks in all these rounds.`);
