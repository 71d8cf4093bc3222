#!/usr/bin/env node
// The figures of a cluster, as the documents promise them: many tries, many rooms, slow lines. About half an hour on a machine with
// nothing else to do. `make cluster-test` runs all; a figure that is not reached makes the status 1.
//
//   node tests/cluster/long.mjs                     all
//   node tests/cluster/long.mjs kill freeze         these
//   node tests/cluster/long.mjs --tries 5 --rooms 10 --people 50 kill
//   node tests/cluster/long.mjs --delay 20 --loss 1 kill      with netem on loopback; needs root. A kernel without netem has no
//                                                            delay, and loses packets by iptables
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { makeCluster, startCluster, stopCluster } from '../../docker/cluster.mjs';
import * as flock from '../e2e/numbers.mjs';
import { until } from '../e2e/until.mjs';
import { Person } from './people.mjs';

const TICK = 1000 / 30; // ms

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tries: { type: 'string' },
    rooms: { type: 'string', default: '50' },
    people: { type: 'string', default: '500' },
    viewers: { type: 'string', default: '2500' }, // of each edge, in the part edges
    delay: { type: 'string', default: '0' }, // ms, of each packet on loopback
    loss: { type: 'string', default: '0' }, // %
    netns: { type: 'boolean', default: false }, // this process is in a namespace of its own
  },
});
const count = { rooms: Number(values.rooms), people: Number(values.people) };
const triesOf = (number) => Number(values.tries ?? number);

let failures = 0;
function report(name, value, most, unit = 'ms') {
  const good = value <= most;
  if (!good) failures++;
  console.log(`${good ? 'ok    ' : 'not ok'} ${name}: ${Math.round(value * 10) / 10} ${unit} (at most ${most})`);
}
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))] ?? NaN;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A cluster with rooms and people; work() gets it, and all of it ends afterwards. */
async function withCluster({ nats = 1, sims = 3, edges = 2, rooms = 0, people = 0, clients = 2000 }, work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-cluster-'));
  const cluster = await makeCluster({ folder, nats, sims, edges, args: ['--max-clients', `${clients}`, '--room-people', `${2 * clients}`, '--rooms-per-hour', '100000', '--address-limit', '0'] });
  const all = [];
  const after = []; // calls that end what work() has started
  try {
    await startCluster(cluster);
    for (const edge of cluster.edges) await until('each edge knows the nodes', () => makeRoom(cluster, edge).then(() => true, () => false));
    const codes = [];
    for (let i = 0; i < rooms; i++) codes.push(await makeRoom(cluster, cluster.edges[i % edges]));
    for (let i = 0; i < people; i++) all.push(new Person(cluster.edges[i % edges].ws, { room: codes[i % codes.length] ?? 'lobby' }));
    await until('all see their flocks', () => all.every((person) => person.frames > 3), () => `${all.filter((person) => person.frames > 3).length} of ${all.length}`);
    await work({ cluster, people: all, codes, after });
  } finally {
    for (const end of after) end();
    for (const person of all) person.socket.terminate();
    await stopCluster(cluster);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeRoom(cluster, edge) {
  const answer = await fetch(`${edge.url}api/rooms`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${cluster.key}` },
    body: '{"boids": 100}',
  });
  const made = await answer.json();
  if (answer.status !== 201) throw new Error(JSON.stringify(made));
  return made.code;
}

/** For that time, ms, makes one room after another at an edge, and joins it at the other. Returns the times until the flock was seen, and how many rooms no node would make. */
async function makeAndSee({ edges, key }, time) {
  const times = [];
  let refused = 0;
  for (const end = performance.now() + time; performance.now() < end; ) {
    const [maker, other] = times.length % 2 === 0 ? edges : [...edges].reverse();
    const code = await makeRoom({ key }, maker).catch(() => null);
    if (code === null) {
      refused++;
      await sleep(100);
      continue;
    }
    const made = performance.now();
    const person = new Person(other.ws, { room: code });
    await until('the new room is seen', () => {
      if (person.closed !== null) person.connect(); // as a person does whom the page tells that there is no such room
      return person.frames > 0;
    });
    times.push(performance.now() - made);
    person.socket.terminate();
  }
  return { times, refused };
}

const restart = async (part) => {
  part.start();
  await until(`${part.name} is back`, () => fetch(`${part.url}readyz`).then(({ ok }) => ok, () => false));
};

/** Stops the part with that signal, and waits until all people see their flocks. Returns those whose room has moved. */
async function moveRooms(part, signal, people) {
  const had = people.map(({ welcomes }) => welcomes.length);
  const frames = people.map((person) => person.frames);
  for (const person of people) person.gap = 0;
  const began = performance.now();
  part.signal(signal);
  await until(
    'all see their flocks again',
    () => performance.now() - began > 1500 && people.every((person, i) => person.sees() && person.frames > frames[i] + 10),
    () => people.filter((person) => !person.sees()).map(({ hello, there, closed, welcomes }) => `${hello.room} ${there} ${closed} ${welcomes.length}`).slice(0, 10).join('; '),
    30_000,
  );
  return people.filter((person, i) => person.welcomes.length > had[i]);
}

function check(people) {
  const wrong = people.filter(({ closed, back }) => closed !== null || back > 0);
  if (wrong.length > 0) {
    failures++;
    console.log(`not ok ${wrong.length} people were disconnected or saw an earlier owner: ${wrong.slice(0, 3).map(({ closed, back }) => `${closed}, ${back}`).join('; ')}`);
  }
}

// A flockd without a cluster.
async function startSingle(clients) {
  const child = spawn('build/flockd', ['--port', '0', '--data', 'none', '--max-clients', `${clients}`, '--room-people', `${clients}`, '--address-limit', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const [, port] = await until('flockd says where it listens', () => said.match(/in a browser {4}http:\/\/[^\s/]+:(\d+)\//));
  return { child, ws: `ws://127.0.0.1:${port}/ws` };
}

/** Lets viewers watch a server with flock-load. Resolves to its figures. */
async function watch({ child, ws }, options) {
  const all = ['--json', '--pid', child.pid, '--warm-up', 5, '--encoding', 'packed', '--decode', 0, ...options, ws];
  const { stdout } = await promisify(execFile)('build/flock-load', all.map(String));
  return JSON.parse(stdout);
}

/** The threads of a process, each with its name and its processor time so far, s. The first is the process' own. */
const threadTimes = (pid) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const of = (/** @type {string} */ file) => readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8').trim();
    const own = Number(thread) === pid;
    const name = own || of('comm') !== 'flockd' ? of('comm') : 'nats';
    return /** @type {[string, string, number]} */ ([thread, name, Number(of('schedstat').split(' ')[0]) / 1e9]);
  });

/** The name of the NATS server that leads a bucket. */
function leaderOf(cluster, bucket) {
  const { hostname, port } = new URL(cluster.servers.find(({ running }) => running).url);
  const [user, pass] = cluster.login('sim').split(':');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('error', reject).on('close', () => reject(new Error(`no leader of ${bucket}: ${text}`)));
    socket.setEncoding('latin1').on('data', (more) => {
      text += more;
      const found = text.match(/"leader":"([^"]+)"/);
      if (!found) return;
      resolve(found[1]);
      socket.destroy();
    });
    socket.write(`CONNECT ${JSON.stringify({ verbose: false, user, pass })}\r\nSUB _INBOX.sim.leader 1\r\nPUB $JS.API.STREAM.INFO.KV_flock_${bucket} _INBOX.sim.leader 0\r\n\r\n`);
  });
}

const PARTS = {
  // A sim is killed: rooms tick again within 3 s, at most 1 s is lost.
  kill: () =>
    withCluster(count, async ({ cluster, people }) => {
      const [pauses, lost] = [[], []];
      for (let i = 0; i < triesOf(20); i++) {
        const sim = cluster.nodes[i % 3];
        await sleep(1500); // so that each room has a checkpoint with all of its people
        const moved = await moveRooms(sim, 'SIGKILL', people);
        for (const person of moved) {
          const { after, first } = person.welcomes.at(-1);
          pauses.push(person.pause());
          lost.push((after.tick - first.tick) * TICK + (first.at - after.at) - person.pause());
        }
        console.log(`  try ${i + 1}: ${moved.length} people moved with their rooms; the longest pause ${Math.round(Math.max(0, ...moved.map((each) => each.pause())))} ms`);
        check(people);
        await restart(sim);
      }
      report('kill -9 of a sim, pause, p99', quantile(pauses, 0.99), 3000);
      report('kill -9 of a sim, lost', quantile(lost, 1), 1000 + 2 * TICK);
    }),
  // The owner stands still for 10 s: no frame of the old epoch after the first of the new.
  freeze: () =>
    withCluster({ ...count, people: Math.min(count.people, 100), rooms: Math.min(count.rooms, 10) }, async ({ cluster, people }) => {
      for (let i = 0; i < triesOf(50); i++) {
        const sim = cluster.nodes[i % 3];
        const began = performance.now();
        const moved = await moveRooms(sim, 'SIGSTOP', people);
        await sleep(Math.max(0, 10_000 - (performance.now() - began)));
        sim.signal('SIGCONT');
        await until('it is ready again', () => fetch(`${sim.url}readyz`).then(({ ok }) => ok, () => false));
        await sleep(1000); // its late frames would come now
        check(people);
        console.log(`  try ${i + 1}: ${moved.length} people moved with their rooms`);
      }
      report('SIGSTOP and SIGCONT of an owner, frames of the old epoch', people.reduce((sum, { back }) => sum + back, 0), 0, 'frames');
    }),
  // A sim ends: a pause of at most 1 s, and no tick is lost.
  drain: () =>
    withCluster(count, async ({ cluster, people }) => {
      const [pauses, lost] = [[], []];
      for (let i = 0; i < triesOf(10); i++) {
        const sim = cluster.nodes[i % 3];
        for (const person of await moveRooms(sim, 'SIGTERM', people)) {
          const { after, first } = person.welcomes.at(-1);
          pauses.push(person.pause());
          lost.push(after.tick - first.tick);
        }
        await sim.ended;
        check(people);
        await restart(sim);
      }
      report('SIGTERM of a sim, pause, p99', quantile(pauses, 0.99), 1000);
      report('SIGTERM of a sim, ticks lost', Math.max(...lost), 0, 'ticks');
    }),
  // From a cursor to the frame that shows its effect, through two hops.
  cursor: () =>
    withCluster({ sims: 1, edges: 2, people: 2 }, async ({ people: [ada, bob] }) => {
      const times = [];
      for (let i = 0; i < 200; i++) {
        const [x, y] = [100 + (i % 2) * 300, 100 + (i % 7) * 20];
        const sent = performance.now();
        ada.send([flock.CURSOR, x, y]);
        await until('its effect', () => bob.last.target[0] === x && bob.last.target[1] === y, () => '', 5000, 1);
        times.push(bob.last.at - sent);
        await sleep(Math.random() * 50);
      }
      report('cursor to effect through two hops, p50', quantile(times, 0.5), TICK + 10);
    }),
  // One of four edges stands still: the frames of the others are not late.
  edge: () =>
    withCluster({ sims: 2, edges: 4, rooms: 20, people: 80 }, async ({ cluster, people }) => {
      const others = people.filter(({ url }) => url !== cluster.edges[0].ws);
      const gaps = [];
      const measure = async (ms) => {
        gaps.length = 0;
        for (const person of others) person.gap = 0;
        for (const end = performance.now() + ms; performance.now() < end; ) {
          await sleep(200);
          for (const person of others) {
            gaps.push(person.gap);
            person.gap = 0;
          }
        }
        return quantile(gaps, 0.99);
      };
      const before = await measure(8000);
      cluster.edges[0].signal('SIGSTOP');
      const during = await measure(8000);
      cluster.edges[0].signal('SIGCONT');
      check(others);
      report('an edge stands still: the others’ time between two frames, p99, rises by', during - before, 20);
    }),
  // A sim is killed together with the NATS server that leads the bucket of rooms: no node can take a room until the two other servers
  // have elected another leader, which takes them 4 to 9 s.
  leader: () =>
    withCluster({ nats: 3, sims: 3, edges: 2, rooms: 10, people: 50 }, async ({ cluster, people }) => {
      const pauses = [];
      for (let i = 0; i < triesOf(5); i++) {
        const sim = cluster.nodes[i % 3];
        const name = await leaderOf(cluster, 'rooms');
        const server = cluster.servers.find((each) => each.name === name);
        await sleep(1500);
        server.signal('SIGKILL');
        const moved = await moveRooms(sim, 'SIGKILL', people);
        const longest = Math.max(0, ...moved.map((each) => each.pause()));
        console.log(`  try ${i + 1}: ${name} led; ${moved.length} people moved with their rooms; the longest pause ${Math.round(longest)} ms`);
        pauses.push(longest);
        check(people);
        server.start();
        await restart(sim);
        await sleep(3000);
      }
      report('kill -9 of a sim and of the leader of its bucket, pause', Math.max(...pauses), 12_000);
    }),
  // One of three NATS servers dies, or stands still: a new room is seen at another edge soon, and rooms go on.
  servers: () =>
    withCluster({ nats: 3, sims: 2, edges: 2, rooms: 10, people: 20 }, async ({ cluster, people }) => {
      const [known, gaps] = [[], { SIGKILL: [], SIGSTOP: [] }];
      let moved = 0;
      // Nodes leave a server that stops, and do not come back to it: each time the next server stops.
      for (let i = 0; i < 2 * triesOf(3); i++) {
        const server = cluster.servers[i % 3];
        const signal = i % 2 === 0 ? 'SIGSTOP' : 'SIGKILL';
        const leads = (await leaderOf(cluster, 'rooms')) === server.name;
        const instances = people.map(({ instance }) => instance);
        for (const person of people) person.gap = 0;
        server.signal(signal);
        const { times, refused } = await makeAndSee(cluster, 10_000);
        if (signal === 'SIGKILL') server.start();
        else server.signal('SIGCONT');
        await until('all see their flocks', () => people.every((person) => person.sees()));
        check(people);
        const gap = Math.max(...people.map((person) => person.gap));
        console.log(`  ${signal} of ${server.name}${leads ? ', which leads the bucket of rooms' : ''}: ${times.length} rooms made, ${refused} refused; seen after ${Math.round(Math.max(...times))} ms at most; the longest time without a frame ${Math.round(gap)} ms`);
        known.push(...times);
        gaps[signal].push(gap);
        moved += people.filter((person, at) => person.instance !== instances[at]).length;
        await sleep(10_000); // until the server has caught up
      }
      report('one of three NATS servers is killed or stands still: until a new room is seen at the other edge', Math.max(...known), 3000);
      report('one of three NATS servers is killed: the longest time without a frame', Math.max(...gaps.SIGKILL), 500);
      report('one of three NATS servers stands still: the longest time without a frame', Math.max(...gaps.SIGSTOP), 1000);
      report('one of three NATS servers is killed or stands still: rooms that moved', moved, 0, 'people');
    }),
  // A room with 5,000 viewers on two edges: a frame takes an edge as much time as a single process with 2,500. All three are measured at
  // the same time.
  edges: () => {
    const viewers = Number(values.viewers);
    return withCluster({ sims: 1, edges: 2, clients: viewers + 100 }, async ({ cluster, after }) => {
      const single = await startSingle(viewers + 100);
      const ratios = [];
      after.push(() => single.child.kill('SIGKILL'));
      for (let i = 0; i < triesOf(5); i++) {
        const options = ['--clients', viewers, '--seconds', 10, '--rate', 6];
        const [one, ...edges] = await Promise.all([single, ...cluster.edges].map((server) => watch(server, options)));
        console.log(`  try ${i + 1}: ${one.cpu_s_per_million} s for a million frames, and at the edges ${edges.map((edge) => edge.cpu_s_per_million).join(' and ')}`);
        ratios.push(...edges.map((edge) => edge.cpu_s_per_million / one.cpu_s_per_million));
      }
      report(`${2 * viewers} viewers on two edges, an edge’s time for a frame, median`, 100 * quantile(ratios, 0.5), 105, '% of a single process');
    });
  },
  // 200 rooms of 100 boids, each with a viewer: what the node of the rooms spends on NATS, links and checkpoints beside its rooms. At
  // first the viewers are at the same node, as the proxy sends them; then all are at an edge.
  cost: async () => {
    for (const sims of [0, 1]) {
      await withCluster({ sims, edges: 1, rooms: 200 }, async ({ cluster, codes }) => {
        const [sim] = cluster.nodes;
        const running = async () => Number((await fetch(`${sim.url}metrics`).then((answer) => answer.text())).match(/^flockd_runner_rooms_running\S* (\d+)$/m)?.[1]);
        const watching = watch({ ...cluster.edges[0] }, ['--clients', codes.length, '--codes', codes.join(','), '--seconds', 30]);
        await until('all rooms run', async () => (await running()) >= codes.length, undefined, 60_000);
        const before = threadTimes(sim.child.pid);
        await sleep(20_000);
        /** @type {[string, number][]} */
        const spent = threadTimes(sim.child.pid).map(([thread, name, time]) => [name, time - (before.find(([other]) => other === thread)?.[2] ?? 0)]);
        await watching;
        const sum = (which) => spent.filter(([name]) => which(name)).reduce((all, [, time]) => all + time, 0);
        const rooms = sum((name) => name === 'rooms');
        console.log(`  threads: ${spent.filter(([, time]) => time > 0.01).map(([name, time]) => `${name} ${time.toFixed(2)}`).join(', ')} s`);
        const part = (100 * sum((name) => !['rooms', 'net', 'flockd'].includes(name))) / rooms;
        report(`200 rooms, viewers at ${sims === 0 ? 'their node' : 'an edge'}: NATS, links and checkpoints`, part, 30, '% of the rooms’ time');
      });
    }
  },
  // NATS is away for 5 s: all clients are back within 2 s of its return, and rooms have the same owners.
  nats: () =>
    withCluster({ sims: 2, edges: 2, rooms: 20, people: 100 }, async ({ cluster, people }) => {
      const [server] = cluster.servers;
      const times = [];
      for (let i = 0; i < triesOf(5); i++) {
        const instances = people.map(({ instance }) => instance);
        server.signal('SIGKILL');
        await until('all learn it', () => people.every(({ there }) => !there));
        await sleep(3000);
        server.start();
        const began = performance.now();
        await until('all see their flocks again', () => people.every((person) => person.there && person.sees(200)));
        times.push(performance.now() - began);
        check(people);
        const moved = people.filter((person, at) => person.instance !== instances[at]).length;
        report('NATS away for some seconds: rooms that moved', moved, 0, 'people');
        await sleep(2000);
      }
      report('NATS is back: until all see their flocks', Math.max(...times), 2000);
    }),
};

// With a delay or a loss, all of it runs in a network namespace of its own, whose loopback delays and loses packets.
function enterNamespace() {
  const [delay, loss] = [Number(values.delay), Number(values.loss)];
  const again = process.argv.slice(1).map((word) => `'${word}'`).join(' ');
  const netem = `tc qdisc add dev lo root netem delay ${delay}ms loss ${loss}% && tc qdisc show dev lo`;
  const rule = `INPUT -m statistic --mode random --probability ${loss / 100} -j DROP`;
  const lines = hasNetem() ? netem : delay === 0 ? `iptables -A ${rule} && iptables -S INPUT` : 'echo "--delay: this kernel has no netem" >&2; exit 2';
  const { status } = spawnSync('unshare', ['--net', 'sh', '-c', `ip link set lo up; ${lines} && exec '${process.execPath}' ${again} --netns`], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

const hasNetem = () => spawnSync('unshare', ['--net', 'tc', 'qdisc', 'add', 'dev', 'lo', 'root', 'netem']).status === 0;

if ((values.delay !== '0' || values.loss !== '0') && !values.netns) enterNamespace();
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) {
  console.error(`${unknown}: expected ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  console.log(`${name}:`);
  await PARTS[name]();
}
process.exit(failures > 0 ? 1 : 0);
