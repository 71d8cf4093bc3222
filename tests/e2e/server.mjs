// A test's own flockd: started on a free port; stopped and checked at the test's end.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from './atend.mjs';
import { until } from './until.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const FLOCKD = path.resolve(root, process.env.FLOCKD ?? 'build/flockd');

const SANITIZER = /Sanitizer|runtime error:/;

// The environment without flockd's settings, so that a test sees the defaults. Except the folder of the page.
function plainEnvironment() {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('FLOCKD'));
  return { ...Object.fromEntries(others), FLOCKD_WEB: path.join(root, 'build/web') };
}

/** @param {string} text */
export function assertNoSanitizerReport(text) {
  assert.doesNotMatch(text, SANITIZER, 'no sanitizer report');
}

// Starts the program and collects its output. Resolves at once. `ended` resolves to { code, signal } when the program and all processes
// that share its output have ended. `command`: the program; flockd's arguments follow it.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {string[]} args
 * @param {import('./types.d.ts').LaunchOptions} options
 * @returns {import('./types.d.ts').Program}
 */
export function launch(t, args, { env = {}, command = [FLOCKD] } = {}) {
  const child = spawn(command[0], [...command.slice(1), ...args], {
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      program.running = false;
      resolve({ code, signal });
    });
  });
  /** @type {import('./types.d.ts').Program} */
  const program = { pid: child.pid ?? 0, stdout: '', stderr: '', running: true, ended, kill: (signal) => child.kill(signal) };
  child.stdout.setEncoding('utf8').on('data', (text) => (program.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (program.stderr += text));
  atEnd(t, () => {
    child.kill('SIGKILL');
    assertNoSanitizerReport(program.stderr);
  });
  return program;
}

// The longest time (ms) that a thread of the process was ready but waited for the processor. 0 if the system does not count it, or the
// process has ended.
/** @param {number} pid */
function waitedFor(pid) {
  const of = (/** @type {string} */ thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  try {
    return Math.max(...readdirSync(`/proc/${pid}/task`).map(of));
  } catch {
    return 0;
  }
}

const STOP_TIME = 9_000; // ms: Docker kills after ten seconds
const STOP_DEADLINE = 100_000; // ms: then the program is killed, and the test fails

// Asks the program to end, and asserts that it ends by itself and soon, apart from the time that a busy machine takes.
/**
 * @param {import('./types.d.ts').Program} program
 * @param {NodeJS.Signals} signal
 */
export async function stopsInTime(program, signal = 'SIGTERM') {
  const began = performance.now();
  const before = waitedFor(program.pid);
  let [took, waited] = [0, 0];
  const look = setInterval(() => {
    waited = Math.max(waited, waitedFor(program.pid) - before); // 0 after the process has ended
    took = performance.now() - began - waited;
  }, 50);
  const late = setTimeout(() => program.kill('SIGKILL'), STOP_DEADLINE);
  program.kill(signal);
  const ended = await program.ended;
  clearInterval(look);
  clearTimeout(late);
  assert.deepEqual(ended, { code: 0, signal: null }, `ends by itself; stderr: ${program.stderr}`);
  assert.ok(took < STOP_TIME, `ends within ${STOP_TIME / 1000} s: ${took} ms`);
}

// Runs the program until it ends by itself, within a number of seconds. Resolves to { code, stdout, stderr }.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {string[]} args
 * @param {import('./types.d.ts').LaunchOptions & { seconds?: number }} options
 */
export async function runToEnd(t, args, { seconds = 100, ...options } = {}) {
  const program = launch(t, args, options);
  const timer = setTimeout(() => program.kill('SIGKILL'), seconds * 1000);
  const { code, signal } = await program.ended;
  clearTimeout(timer);
  assert.equal(signal, null, `ended by itself; stderr: ${program.stderr}`);
  return { code, stdout: program.stdout, stderr: program.stderr };
}

// Long times, except in tests that set them. On a slow machine a flock takes long to reach a resting cursor, and a client to say
// hello.
const PATIENT = {
  FLOCKD_TICK_LIMIT: '60',
  FLOCKD_CURSOR_TIMEOUT: '600',
  FLOCKD_HELLO_TIMEOUT: '120',
  FLOCKD_REQUEST_TIMEOUT: '120',
  FLOCKD_STALL_TIMEOUT: '120',
};

// Starts flockd and waits until it prints its address. The result has its port and addresses, and stop(), which asks it to end and
// resolves to { code, signal }. Otherwise the test's end stops it, and a status other than 0 fails the test.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {string[]} args
 * @param {import('./types.d.ts').LaunchOptions & { port?: number }} options
 * @returns {Promise<import('./types.d.ts').Server>}
 */
export async function startServer(t, args = [], { port = 0, env = {}, ...options } = {}) {
  const program = launch(t, ['--port', String(port), ...args], { env: { ...PATIENT, ...env }, ...options });
  const [, url, said] = await until(
    'flockd says where it listens',
    () => {
      assert.ok(program.running, `flockd runs; stderr: ${program.stderr}`);
      return program.stdout.match(/in a browser {4}(https?:\/\/[^\s/]+:(\d+)\/)/);
    },
    () => program.stdout + program.stderr,
  );
  const server = Object.assign(program, {
    url,
    port: Number(said),
    ws: `${url.replace('http', 'ws')}ws`,
    /** @param {NodeJS.Signals} signal */
    stop: async (signal = 'SIGTERM') => {
      const late = setTimeout(() => program.kill('SIGKILL'), STOP_DEADLINE);
      program.kill(signal);
      const ended = await program.ended;
      clearTimeout(late);
      return ended;
    },
  });
  atEnd(t, async () => {
    if (server.running) {
      assert.deepEqual(await server.stop(), { code: 0, signal: null }, `a clean end; stderr: ${server.stderr}`);
    }
  });
  return server;
}
