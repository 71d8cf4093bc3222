// The servers to measure, the commands that start them, and flock-load with a server. The server runs on the first processor, the
// clients run on the second.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const program = (name, build = 'build') => path.resolve(root, build, name);
const version = (name) => JSON.parse(readFileSync(path.join(here, 'node_modules', name, 'package.json'), 'utf8')).version;

// Returns the command pinned to that processor, if there are several.
const pinned = (processor, command) =>
  os.cpus().length > 1 ? ['taskset', '-c', String(processor), ...command] : command;

const peer = (name) => (port, bytes, hz) => [process.execPath, path.join(here, 'peers', `${name}.mjs`), port, bytes, hz].map(String);

// Reserves a seat in Colyseus' room for each client over HTTP, as its client library does. Resolves to the paths of the WebSockets.
async function takeSeats(port, clients) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const seat = () =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const request = http.request({ port, host: '127.0.0.1', method: 'POST', path: '/matchmake/joinOrCreate/flock', headers, agent });
      request.on('error', reject);
      request.on('response', async (response) => {
        let text = '';
        for await (const chunk of response) {
          text += chunk;
        }
        const { processId, roomId, sessionId } = JSON.parse(text);
        resolve(`/${processId}/${roomId}?sessionId=${sessionId}`);
      });
      request.end('{}');
    });
  const first = await seat(); // makes the room
  const others = await Promise.all(Array.from({ length: clients - 1 }, seat));
  agent.destroy();
  return [first, ...others];
}

// The server's key: with it, a bench makes more rooms than an address may.
export const KEY = 'the-key-of-the-bench';

// Options of flockd for enough people and rooms. Older builds lack some of them.
const ROOM_OPTIONS = { '--presenter-key': KEY, '--room-people': 16000, '--sim-threads': 1, '--max-rooms': 2000, '--rooms-per-hour': 100000 };

const helps = new Map();
function known(build) {
  if (!helps.has(build)) {
    const help = execFileSync(program('flockd', build), ['--help'], { encoding: 'utf8' });
    helps.set(build, Object.entries({ ...ROOM_OPTIONS, '--address-limit': 0 }).filter(([name]) => help.includes(`${name} `)).flat());
  }
  return helps.get(build);
}

// Later options override earlier ones.
const flockd = (options = [], build = 'build') => ({
  build,
  version: () => execFileSync(program('flockd', build), ['--version'], { encoding: 'utf8' }).trim(),
  command: (port) =>
    [program('flockd', build), '--port', port, '--max-clients', 16000, '--threads', 1, '--net-threads', 1, ...known(build), ...options].map(String),
  listening: /in a browser/,
});

// bytes: of a message; hz: messages per second; raw: the server sends the messages of peers/payload.mjs, not flock.v1.
export const SERVERS = {
  floor: {
    version: () => 'a bare epoll loop',
    command: (port, bytes, hz) => [program('floor'), port, bytes, hz].map(String),
    raw: true,
  },
  flockd,
  ws: { version: () => `ws ${version('ws')}`, command: peer('ws'), raw: true, peer: true },
  colyseus: {
    version: () => `Colyseus ${version('@colyseus/core')}`,
    command: peer('colyseus'),
    raw: true,
    peer: true,
    seats: takeSeats,
    say: '0a', // JOIN_ROOM, which acknowledges the server's message
  },
};

let nextPort = 18600;

// Resolves to the server's { child, port }.
export async function start(server, { bytes = 0, hz = 0, pin = true } = {}) {
  const port = nextPort++;
  const words = server.command(port, bytes, hz);
  const [command, ...args] = pin ? pinned(0, words) : words;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: root });
  let said = '';
  const listening = server.listening ?? /listening/;
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text;
    if (listening.test(said)) {
      child.stdout.resume();
      return { child, port };
    }
  }
  throw new Error(`${command} ${args.join(' ')} did not start`);
}

export async function stop({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

// Returns flockd's metrics: samples by name and labels, without "flockd_".
export async function metrics({ port }) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return new Map([...text.matchAll(/^flockd_(\S+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]));
}

// Returns the sum of the samples of one family.
export const sumOf = (samples, family) =>
  [...samples].reduce((sum, [name, value]) => sum + (name === family || name.startsWith(`${family}{`) ? value : 0), 0);

// Returns the resident memory of a process, bytes.
export const resident = (pid) => 1024 * Number(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').match(/^Rss: +(\d+) kB$/m)?.[1]);

// Runs flock-load with a started server. Resolves to its figures.
export async function runLoad({ child, port }, options, /** @type {{ build?: string, pin?: boolean }} */ { build, pin = true } = {}) {
  const words = [program('flock-load', build), '--json', '--pid', child.pid, ...options, `ws://127.0.0.1:${port}`];
  const [command, ...args] = pin ? pinned(1, words) : words;
  const { stdout } = await promisify(execFile)(command, args.map(String));
  return JSON.parse(stdout);
}

// Starts the server, runs flock-load and stops the server. Resolves to flock-load's figures. also(started) resolves to further
// figures; it is called before the server stops.
/**
 * @typedef {object} Measured
 * @property {number} clients
 * @property {number} [bytes]
 * @property {number} [hz]
 * @property {number} [seconds]
 * @property {number} [warmUp]
 * @property {(string | number)[]} [load]
 * @property {boolean} [pin]
 * @property {(started: any) => Promise<object>} [also]
 *
 * @param {any} server
 * @param {Measured} options
 * @returns {Promise<any>}
 */
export async function measure(server, { clients, bytes = 0, hz = 0, seconds = 5, warmUp = 2, load = [], pin = true, also }) {
  const started = await start(server, { bytes, hz, pin });
  const { child, port } = started;
  if (!server.seats) {
    // The memory that is allocated once for the first client (pages of libraries, scratch for the flock) does not count.
    const first = ['--clients', 1, '--seconds', 0.1, '--warm-up', 0, ...(server.raw ? ['--raw', bytes] : [])];
    await runLoad(started, first, { build: server.build, pin });
  }
  const idle = resident(child.pid);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'flockd-bench-'));
  const args = ['--clients', clients, '--seconds', seconds, '--warm-up', warmUp, ...load];
  try {
    if (server.raw) {
      args.push('--raw', bytes);
    }
    if (server.say) {
      args.push('--say', server.say);
    }
    if (server.seats) {
      const paths = path.join(folder, 'paths');
      writeFileSync(paths, (await server.seats(port, clients)).join('\n'));
      args.push('--paths', paths);
    }
    const figures = await runLoad(started, args, { build: server.build, pin });
    figures.memory_per_client += (figures.memory_before - idle) / clients; // memory for the reserved seats
    return { ...figures, ...(await also?.(started)) };
  } finally {
    await stop(started);
    rmSync(folder, { recursive: true });
  }
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

// Returns a text about the machine and the versions of the programs.
export function describeMachine(servers) {
  const processors = os.cpus();
  const versions = servers.map((server) => server.version()).join(', ');
  return [
    `${processors.length} processors of type "${processors[0].model.trim()}", load ${os.loadavg()[0].toFixed(1)}`,
    `Linux ${os.release()}, Node ${process.version}, ${versions}`,
    new Date().toISOString().slice(0, 10),
  ].join('; ');
}

// Returns rows of equal length as a Markdown table. The first row is the head.
export function table(rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(rows[0]), line(rows[0].map(() => '---')), ...rows.slice(1).map(line)].join('\n');
}
