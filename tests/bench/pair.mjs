#!/usr/bin/env node
// Compares the cost of a crowd with two builds of flockd, measured in alternation. Each build has its own flock-load. About five
// minutes. With --together both builds run at the same time, on one processor. So both meet the same changes of the machine's speed.
// Their clients never sleep then.
import { readNumber, readOptions, refuse } from '../options.mjs';
import { SERVERS, describeMachine, measure, median, table } from './servers.mjs';

const USAGE = `Usage: node tests/bench/pair.mjs [OPTION]... OLD_BUILD NEW_BUILD [CLIENTS]...

  OLD_BUILD, NEW_BUILD  folders with flockd and flock-load
  CLIENTS               numbers of clients; default: 2000 5000
  --warm-up SECONDS     before a measurement; default: 2. For its first ten seconds a line is measured once a second, and later less often:
                        --warm-up 15 shows the latter
  --rooms N             spreads the clients over N rooms; default: 1
  --together            runs both builds at the same time, on one processor`;
const HZ = 20;
const BOIDS = 583;
const ROUNDS = 5;
const flock = ['--model', 'boids', '--boids', BOIDS, '--tick-rate', HZ];

const { values, positionals } = readOptions(USAGE, {
  allowPositionals: true,
  options: { 'warm-up': { type: 'string', default: '2' }, rooms: { type: 'string', default: '1' }, together: { type: 'boolean' } },
});
const [before, after, ...rest] = positionals;
if (after === undefined) refuse('two folders are missing; --help lists the options');
const warmUp = readNumber('warm-up', values['warm-up']);
const rooms = readNumber('rooms', values.rooms);
const sizes = rest.length > 0 ? rest.map((text) => readNumber('CLIENTS', text)) : [2000, 5000];

const spread = rooms > 1 ? ['--rooms', rooms, '--room-json', '{"model":"boids","boids":100}'] : [];
const encodings = { plain: [], packed: ['--encoding', 'packed', '--decode', 50] };
const awake = values.together ? ['--spin'] : [];
const builds = [['before', before], ['after', after]].map(([name, folder]) => ({ name, server: SERVERS.flockd(flock, folder) }));

console.log(`${describeMachine(builds.map(({ server }) => server))}\n`);
const rows = [['clients', 'encoding', 'build', 'CPU s per million frames', 'of before', 'delivery p50 / p99, ms', 'missed', 'ticks left out', 'KB a client']];
for (const clients of sizes) {
  for (const [encoding, load] of Object.entries(encodings)) {
    const results = builds.map(() => /** @type {Record<string, number>[]} */ ([]));
    for (let turn = 0; turn < ROUNDS; turn++) {
      const order = turn % 2 === 0 ? [0, 1] : [1, 0];
      const one = async (i) => results[i].push(await measure(builds[i].server, { clients, load: [...load, ...spread, ...awake], warmUp }));
      if (values.together) await Promise.all(order.map(one));
      else for (const i of order) await one(i);
    }
    builds.forEach(({ name }, i) => {
      const of = (key) => median(results[i].map((result) => result[key]));
      const ratio = median(results[i].map((result, turn) => result.cpu_s_per_million / results[0][turn].cpu_s_per_million));
      const delivery = `${of('delivery_p50_ms').toFixed(1)} / ${of('delivery_p99_ms').toFixed(1)}`;
      const cpu = of('cpu_s_per_million').toFixed(2);
      rows.push([clients, encoding, name, cpu, ratio.toFixed(2), delivery, of('missed'), of('late_ticks'), (of('memory_per_client') / 1024).toFixed(2)]);
    });
  }
}
console.log(table(rows));
