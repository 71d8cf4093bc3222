// The target of the attacks: a flockd that this program starts, or another server.
import { fork, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { at, exchange, head, now, sleep } from './raw.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, '../..');
export const FLOCKD = path.resolve(root, process.env.FLOCKD ?? 'build/flockd');
export const KEY = 'the-key-of-the-attacked';
export const METRICS_KEY = 'the-key-of-the-metrics-7';

// The limits of attacks that must take nothing from the lobby: see run.mjs.
export const STRICT = { share: 0.95, gap: 100, join: 500, health: 200, api: 200, answer: 200, end: 5000, memory: 64, args: ['--sim-threads', '1'] };

const TICKS_PER_SECOND = 100; // USER_HZ of /proc
const PAGE = 4096;

const withoutSettings = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FLOCKD')));

// Attackers are elsewhere, but here they share the processors with flockd. So root gives flockd a higher priority than theirs.
const before = process.getuid?.() === 0 ? ['nice', '-n', '-5'] : [];

// Starts flockd. Resolves when it prints its address.
export async function startTarget({ args = /** @type {string[]} */ ([]), env = {}, command = /** @type {string[]} */ ([]), stdio = /** @type {import('node:child_process').StdioOptions} */ (['ignore', 'pipe', 'pipe']), host = '127.0.0.1', program = FLOCKD } = {}) {
  const words = [...before, ...command, program, '--port', '0', '--bind', host, '--presenter-key', KEY, ...args];
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
    target.port = Number(target.stdout.match(/https?:\/\/\S+:(\d+)\//)?.[1] ?? 0);
    await sleep(10);
  }
  return address(target);
}

function address(target) {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  const s = /https:/.test(target.stdout ?? '') ? 's' : '';
  target.http = `http${s}://${host}:${target.port}`;
  target.ws = `ws${s}://${host}:${target.port}/ws`;
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
  if (Object.hasOwn(target, 'views')) target.views.forEach(dropSockets);
}

const statOf = (file) => readFileSync(file, 'utf8').replace(/^.*\) /, '').split(' '); // from the state on
const NICE = 16; // its place in these fields

// Returns, by the id of each thread, the time (s) for which the thread was ready but had no processor. Leaves out threads that gave
// up their priority themselves, because they wait on any busy machine. Empty if the system does not count this.
function waitingOf(pid) {
  const waited = new Map();
  const nice = statOf(`/proc/${pid}/stat`)[NICE];
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      if (statOf(`/proc/${pid}/task/${thread}/stat`)[NICE] !== nice) continue;
      waited.set(thread, Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e9);
    } catch {
      // The thread has ended, or the system does not count this.
    }
  }
  return waited;
}

// The processor time (s) of all processes together, and the time that the host of a virtual machine took.
function processorOfAll() {
  const [user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/ +/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND;
}

const LOOK_TIME = 100; // ms
const MOST_SHARE = 0.25; // that a busy machine excuses; without a busy machine there is no excuse
const MOST_TIME = 0.5; // of a limit

// Starts the thread of observer.mjs. Resolves to a function that ends it and returns the longest time (ms) for which the machine stood still.
export async function observeMachine() {
  const memory = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
  const shared = new Float64Array(memory);
  const worker = new Worker(new URL('observer.mjs', import.meta.url), { workerData: memory, execArgv: [] });
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return () => {
    shared[1] = 1;
    return shared[0];
  };
}

// Measures how long the machine withheld processors from the target: the time for which its threads were ready but had none, of the
// thread that waited longest. Of that time, only the part counts that corresponds to the processor time of other processes: threads
// of the target that wait for each other are no excuse. Nothing is withheld from another server, whose threads are unknown.
export async function watchMachine(target) {
  const read = () => (target.own && target.end === null ? waitingOf(target.pid) : new Map());
  const observed = await observeMachine();
  /** @type {{ took: number, waited: number }[]} */
  const looks = []; // ms
  const [all, own] = [processorOfAll(), usage(target)?.processor ?? 0];
  const first = read();
  let last = first;
  let at = now();
  const began = at;
  const longest = (from, to) => Math.max(0, ...[...to].map(([thread, waited]) => waited - (from.get(thread) ?? waited)));
  const look = () => {
    const next = read();
    looks.push({ took: now() - at, waited: 1000 * longest(last, next) });
    [last, at] = [next, now()];
  };
  const timer = setInterval(look, LOOK_TIME);
  return {
    // Ends the measurement. Returns { waited, share, still, within(ms) }: the share of the time that the threads waited, what of it is
    // an excuse, the longest time (ms) for which the machine stood still, and by how much (ms) a limit of that time is longer.
    stop() {
      clearInterval(timer);
      look();
      const still = observed();
      const busy = processorOfAll() - all;
      const others = busy > 0 ? Math.max(0, 1 - ((usage(target)?.processor ?? own) - own) / busy) : 0;
      const waited = Math.min(1, longest(first, last) / ((now() - began) / 1000));
      const within = (ms) => {
        let most = 0; // ms of such a time
        for (let i = 0; i < looks.length; i += 1) {
          let [took, sum] = [0, 0];
          for (let j = i; j < looks.length && took < ms; j += 1) [took, sum] = [took + looks[j].took, sum + looks[j].waited];
          most = Math.max(most, sum * Math.min(1, ms / took));
        }
        return Math.min(MOST_TIME * ms, most * others) + still;
      };
      return { waited, share: Math.min(MOST_SHARE, waited * others), still, within };
    },
  };
}

// Returns the kernel's figures of the process: { memory (MB), descriptors, processor (s) }. Returns null for another server, or after
// the process has ended.
export function usage(target) {
  if (!target.own || target.end !== null) return null;
  const proc = (name) => readFileSync(`/proc/${target.pid}/${name}`, 'utf8');
  const stat = statOf(`/proc/${target.pid}/stat`);
  return {
    memory: (Number(proc('statm').split(' ')[1]) * PAGE) / 1e6,
    descriptors: readdirSync(`/proc/${target.pid}/fd`).length,
    processor: (Number(stat[11]) + Number(stat[12])) / TICKS_PER_SECOND,
  };
}

// Resolves to the memory (MB) that the target's rooms hold, by its own figures. Most of it is the past of the lobby, which all attackers steer.
export async function memoryOfRooms(target) {
  const { text } = await exchange(at(target, '127.0.0.99'), head(target, 'GET', '/metrics', [`Authorization: Bearer ${METRICS_KEY}`, 'Connection: close']));
  return Number(text.match(/^flockd_rooms_memory_bytes (\d+)/m)?.[1] ?? 0) / 1e6;
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

// Starts the good client (good.mjs). Resolves to { mark(), probe(), stop() } when it has its first snapshot.
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
  const good = { mark: () => ask('mark'), probe: (every) => child.connected && child.send({ probe: every }), stop: () => child.kill('SIGKILL') };
  if (!(await wait('ready', 30_000))) {
    good.stop();
    throw new Error('the good client has no snapshot after 30 s');
  }
  return good;
}
