#!/usr/bin/env node
// `make cluster`: a cluster on this machine, on loopback only: NATS, two nodes with rooms and two with viewers. Prints their
// addresses, takes commands to kill, freeze and start them, and ends all of them at Ctrl-C.
//
//   make cluster                          one nats-server
//   make cluster ARGS="--nats 3"          three
//   make cluster ARGS="--sims 3 --edges 4 --port 9000 -- --boids 300"
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const END_PATIENCE = 25_000; // ms until a node is killed: a sim has 20 s to give its rooms away
const START_PATIENCE = 60_000; // ms: three NATS servers take up to 10 s to agree on a leader

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The kernel gives connections higher ports. So a port that is free stays free until its program listens there.
const FIRST_PORT = 12_000;
const BLOCK = 100; // ports
const BLOCKS = 200;

const listen = (port) =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (error) => (/** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

// Whether another program has the port.
async function isTaken(port) {
  const server = await listen(port);
  if (server) await new Promise((resolve) => server.close(resolve));
  return !server;
}

// Resolves to the first port of a block that no other process has. This process listens there until it ends.
async function takeBlock() {
  for (let i = 0; i < BLOCKS; i++) {
    const first = FIRST_PORT + ((process.pid + i) % BLOCKS) * BLOCK;
    const server = await listen(first);
    if (server) {
      server.unref();
      return first;
    }
  }
  throw new Error(`no ${BLOCK} ports from ${FIRST_PORT} on are free`);
}

/** @type {Promise<number> | undefined} */
let block;
let given = BLOCK; // ports of the block

// A port that is free, and that neither another process nor another call gets.
export async function freePort() {
  for (;;) {
    if (given === BLOCK) {
      block = takeBlock();
      given = 1;
    }
    const offset = given++;
    const port = /** @type {number} */ (await block) + offset;
    if (!(await isTaken(port))) return port;
  }
}

// Returns the command in a form that the kernel kills when this process ends, even by SIGKILL. The shell runs nothing if this process
// ended before setpriv asked for that.
const boundToUs = (command) => ['setpriv', '--pdeathsig', 'KILL', 'sh', '-c', `[ "$PPID" = ${process.pid} ] && exec "$0" "$@"`, ...command];

// A process of the cluster. Its output goes to a file in the folder.
class Part {
  /** @type {any} */
  child = null;
  /** @type {Promise<unknown> | null} */
  ended = null;

  constructor(name, command, { folder, env = {} }) {
    this.name = name;
    this.command = command;
    this.log = path.join(folder, `${name}.log`);
    this.env = env;
  }

  start() {
    if (this.running) return;
    const log = openSync(this.log, 'a');
    const [program, ...args] = boundToUs(this.command);
    this.child = spawn(program, args, { env: { ...process.env, ...this.env }, stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    this.ended = new Promise((resolve) => {
      this.child.on('error', (error) => resolve(error.message));
      this.child.on('exit', (code, signal) => resolve(signal ?? code));
    });
  }

  get running() {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined;
  }

  signal(name) {
    if (this.running) this.child.kill(name);
  }

  async stop() {
    if (!this.running) return;
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    const late = setTimeout(() => this.signal('SIGKILL'), END_PATIENCE);
    await this.ended;
    clearTimeout(late);
  }
}

// A password for each user of docker/nats.users.conf.
const makePasswords = () => Object.fromEntries(['sim', 'edge', 'status'].map((user) => [user, randomBytes(16).toString('hex')]));

// NATS reads a variable as it reads a value of its configuration: without quotes some passwords would be numbers.
const passwordVariables = (passwords) => Object.fromEntries(Object.entries(passwords).map(([user, password]) => [`NATS_${user.toUpperCase()}_PASSWORD`, `"${password}"`]));

async function natsParts(count, folder, passwords) {
  const clients = await Promise.all(Array.from({ length: count }, freePort));
  const routes = await Promise.all(Array.from({ length: count }, freePort));
  const all = routes.map((port) => `nats://127.0.0.1:${port}`).join(',');
  return clients.map((port, i) => {
    const name = `nats-${i + 1}`;
    const alone = [path.join(root, 'build/nats/nats-server'), '-c', path.join(root, 'docker/nats.users.conf'), '-a', '127.0.0.1', '-p', `${port}`, '-n', name];
    const together = ['--cluster_name', 'flock', '--cluster', `nats://127.0.0.1:${routes[i]}`, '--routes', all];
    const part = new Part(name, count > 1 ? [...alone, ...together] : alone, { folder, env: { NATS_STORE: path.join(folder, name), ...passwordVariables(passwords) } });
    return Object.assign(part, { url: `nats://127.0.0.1:${port}` });
  });
}

/**
 * Makes a cluster that is not started yet. args: of each flockd. port: of the first edge, and then one higher for each; 0: free ones.
 * key: the server's.
 * @param {{ folder: string, nats?: number, sims?: number, edges?: number, port?: number, args?: string[], flockd?: string, key?: string }} options
 */
export async function makeCluster({ folder, nats = 1, sims = 2, edges = 2, port = 0, args = [], flockd = path.join(root, 'build/flockd'), key = randomBytes(16).toString('hex') }) {
  for (let i = 0; port > 0 && i < edges; i++) {
    if (await isTaken(port + i)) throw new Error(`another program has port ${port + i}: ARGS="--port NUMBER" chooses another first one`);
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const passwords = makePasswords();
  const login = (user) => `${user}:${passwords[user]}`;
  const servers = await natsParts(nats, folder, passwords);
  const urls = servers.map(({ url }) => url).join(',');
  const node = async (name, role, number) => {
    const at = number || (await freePort());
    const command = [flockd, '--nats', urls, '--role', role, '--node', name, '--port', `${at}`, '--presenter-key', key, '--data', 'none', ...args];
    const part = new Part(name, command, { folder, env: { FLOCKD_NATS_USER: login(role === 'edge' ? 'edge' : 'sim') } });
    return Object.assign(part, { url: `http://127.0.0.1:${at}/`, ws: `ws://127.0.0.1:${at}/ws`, role });
  };
  const nodes = [];
  for (let i = 1; i <= sims; i++) nodes.push(await node(`sim-${i}`, 'sim', 0));
  for (let i = 1; i <= edges; i++) nodes.push(await node(`edge-${i}`, sims === 0 ? 'both' : 'edge', port && port + i - 1));
  return { key, servers, nodes, edges: nodes.filter(({ role }) => role !== 'sim'), parts: [...servers, ...nodes], urls, login };
}

// Starts all parts, and waits until all nodes are ready.
export async function startCluster(cluster) {
  for (const part of cluster.parts) part.start();
  const until = Date.now() + START_PATIENCE;
  for (const node of cluster.nodes) {
    for (;;) {
      const ready = await fetch(`${node.url}healthz`).then(({ ok }) => ok, () => false);
      if (ready) break;
      if (!node.running || Date.now() > until) throw new Error(`${node.name} did not start:\n${readFileSync(node.log, 'utf8').slice(-1000)}`);
      await sleep(100);
    }
  }
}

// Ends the nodes, and then NATS. The last node keeps its rooms, because no other node can take them.
export async function stopCluster(cluster) {
  await Promise.all(cluster.nodes.map((node) => node.stop()));
  await Promise.all(cluster.servers.map((server) => server.stop()));
}

const SIGNALS = { kill: 'SIGKILL', freeze: 'SIGSTOP', thaw: 'SIGCONT', stop: 'SIGTERM' };

function obey(cluster, line) {
  const [command, name] = line.trim().split(/\s+/);
  const part = cluster.parts.find((each) => each.name === name);
  if (command === 'list') {
    for (const each of cluster.parts) console.log(`  ${each.name.padEnd(8)} ${each.running ? `process ${each.child.pid}` : 'ended'}`);
  } else if (part && command === 'start') {
    part.start();
  } else if (part && SIGNALS[command]) {
    part.signal(SIGNALS[command]);
  } else if (command) {
    console.log(`list, or one of ${Object.keys(SIGNALS).join(', ')}, start and the name of a part`);
  }
}

function printCluster(cluster, folder) {
  console.log('A cluster of flockd nodes runs on this machine:');
  for (const { name, url } of cluster.edges) {
    console.log(`  ${name.padEnd(8)} in a browser  ${url}`);
    console.log(`  ${''.padEnd(8)} as presenter  ${url}r/lobby#key=${cluster.key}`);
  }
  console.log(`  NATS     ${cluster.urls}`);
  console.log(`  status   FLOCKD_NATS_USER=${cluster.login('status')} build/flockd --nats ${cluster.urls} --cluster-status`);
  console.log(`  logs     ${path.relative(process.cwd(), folder)}/NAME.log`);
  console.log('Type list; kill, freeze, thaw, stop or start with a name, such as: kill sim-1. Ctrl-C ends all.');
}

async function main() {
  const at = process.argv.indexOf('--');
  const { values } = parseArgs({
    args: process.argv.slice(2, at < 0 ? undefined : at),
    options: {
      nats: { type: 'string', default: '1' },
      sims: { type: 'string', default: '2' },
      edges: { type: 'string', default: '2' },
      port: { type: 'string', default: '8080' },
    },
  });
  const number = (name) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 0 || (name === 'nats' && value !== 1 && value !== 3)) throw new Error(`--${name} ${values[name]}: expected ${name === 'nats' ? '1 or 3' : 'a number'}`);
    return value;
  };
  const folder = path.join(root, 'build/cluster', `${number('port') || process.pid}`); // of a second cluster, another one
  const cluster = await makeCluster({ folder, nats: number('nats'), sims: number('sims'), edges: number('edges'), port: number('port'), args: at < 0 ? [] : process.argv.slice(at + 1) });
  const lines = createInterface({ input: process.stdin });
  let ending = false;
  const end = async (status) => {
    if (ending) return;
    ending = true;
    console.log('ending');
    lines.close();
    await stopCluster(cluster);
    process.exit(status);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => end(0));
  try {
    await startCluster(cluster);
    printCluster(cluster, folder);
    lines.on('line', (line) => obey(cluster, line));
  } catch (error) {
    console.error(error.message);
    await end(1);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((error) => {
    console.error(error.message);
    process.exit(2);
  });
}
