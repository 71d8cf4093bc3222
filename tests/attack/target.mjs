// The target of the attacks: a flockd that this program starts, or another server.
import { fork, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { now, sleep } from './raw.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, '../..');
export const FLOCKD = path.resolve(root, process.env.FLOCKD ?? 'build/flockd');
export const KEY = 'the-key-of-the-attacked';
const TICKS_PER_SECOND = 100; // USER_HZ of /proc
const PAGE = 4096;

const withoutSettings = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FLOCKD')));

// Starts flockd. Resolves when it prints its address.
export async function startTarget({ args = /** @type {string[]} */ ([]), env = {}, command = /** @type {string[]} */ ([]), stdio = /** @type {import('node:child_process').StdioOptions} */ (['ignore', 'pipe', 'pipe']), host = '127.0.0.1', program = FLOCKD } = {}) {
  const words = [...command, program, '--port', '0', '--bind', host, '--presenter-key', KEY, ...args];
  const child = spawn(words[0], words.slice(1), {
    cwd: root,
    env: { ...withoutSettings(), FLOCKD_WEB: path.join(root, 'build/web'), ...env },
    stdio,
  });
  const target = { own: true, key: KEY, host, port: 0, child, pid: child.pid, sockets: new Set(), stdout: '', stderr: '', end: /** @type {{ error?: string, code?: number | null, signal?: NodeJS.Signals | null } | null} */ (null) };
  child.stdout?.setEncoding('utf8').on('data', (text) => (target.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (target.stderr = (target.stderr + text).slice(-200_000)));
  target.ended = new Promise((resolve) => {
    child.once('error', (error) => resolve((target.end = { error: error.message })));
    child.once('close', (code, signal) => resolve((target.end = { code, signal })));
  });
  const deadline = now() + 30_000;
  while (target.port === 0) {
    if (target.end !== null || now() > deadline) throw new Error(`flockd does not start: ${target.stderr}`);
    target.port = Number(target.stdout.match(/http:\/\/\S+:(\d+)\//)?.[1] ?? 0);
    await sleep(10);
  }
  return address(target);
}

function address(target) {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  target.http = `http://${host}:${target.port}`;
  target.ws = `ws://${host}:${target.port}/ws`;
  return target;
}

// Returns another server as the target. Its process is unknown.
export function strangersTarget(url, key) {
  const { hostname, port, pathname } = new URL(url);
  const target = { own: false, key, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), sockets: new Set() };
  return Object.assign(address(target), { ws: `ws://${hostname}:${port || 80}${pathname === '/' ? '/ws' : pathname}` });
}

export function dropSockets(target) {
  for (const socket of target.sockets) socket.destroy();
}

// Returns, by the id of each thread, the time (s) for which the thread was ready but had no processor. Empty if the system does not
// count this.
function waitingOf(pid) {
  const waited = new Map();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      waited.set(thread, Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e9);
    } catch {
      // The thread has ended, or the system does not count this.
    }
  }
  return waited;
}

// Returns a function that returns the share of the time since now for which a thread of the target was ready but had no processor.
// Takes the thread with the largest share. 0: another server, or unknown.
export function watchWaiting(target) {
  const read = () => (target.own && target.end === null ? waitingOf(target.pid) : new Map());
  const before = read();
  const began = now();
  return () => {
    const waits = [...read()].map(([thread, waited]) => waited - (before.get(thread) ?? waited));
    return Math.min(1, Math.max(0, ...waits) / ((now() - began) / 1000));
  };
}

// Returns the kernel's figures of the process: { memory (MB), descriptors, processor (s) }. Returns null for another server, or after
// the process has ended.
export function usage(target) {
  if (!target.own || target.end !== null) return null;
  const proc = (name) => readFileSync(`/proc/${target.pid}/${name}`, 'utf8');
  const stat = proc('stat').replace(/^.*\) /, '').split(' ');
  return {
    memory: (Number(proc('statm').split(' ')[1]) * PAGE) / 1e6,
    descriptors: readdirSync(`/proc/${target.pid}/fd`).length,
    processor: (Number(stat[11]) + Number(stat[12])) / TICKS_PER_SECOND,
  };
}

// Returns a function that returns the most memory (MB) that the target has had since now. 0: another server.
export function watchMemory(target) {
  let most = 0;
  const look = () => (most = Math.max(most, usage(target)?.memory ?? 0));
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}

// Returns the fraction of a processor that the target uses within `ms`.
export async function load(target, ms) {
  const before = usage(target);
  const began = now();
  await sleep(ms);
  const after = usage(target);
  return before && after ? (after.processor - before.processor) / ((now() - began) / 1000) : 0;
}

// Starts the good client (good.mjs). Resolves to { mark(), late(), stop() } when it has its first snapshot.
export async function startGood(target) {
  const child = fork(path.join(here, 'good.mjs'), [target.ws], { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map();
  const wait = (name, ms) =>
    new Promise((resolve) => {
      waiting.set(name, resolve);
      setTimeout(() => resolve(null), ms);
    });
  child.on('message', (said) => Object.entries(said).forEach(([name, value]) => waiting.get(name)?.(value)));
  const ask = (name) => {
    const answer = wait(name, 30_000);
    if (child.connected) child.send(name);
    return answer;
  };
  const good = { mark: () => ask('mark'), late: () => ask('late'), stop: () => child.kill('SIGKILL') };
  if (!(await wait('ready', 30_000))) {
    good.stop();
    throw new Error('the good client has no snapshot after 30 s');
  }
  return good;
}
