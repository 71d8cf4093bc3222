// A flockd of its own for a test: started on a free port, and stopped, checked and forgotten when the test ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from './atend.mjs';
import { until } from './until.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const FLOCKD = path.resolve(root, process.env.FLOCKD ?? 'build/flockd');

const SANITIZER = /Sanitizer|runtime error:/;

// The environment without any setting of flockd, so that a test sees the defaults; but where the page is.
function plainEnvironment() {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('FLOCKD'));
  return { ...Object.fromEntries(others), FLOCKD_WEB: path.join(root, 'build/web') };
}

export function assertNoSanitizerReport(text) {
  assert.doesNotMatch(text, SANITIZER, 'no sanitizer report');
}

// Starts the program and collects what it prints. Resolves at once; `ended` resolves to { code, signal } when it
// and whoever shares its output are done. `command` is what runs; its last words are flockd's arguments.
export function launch(t, args, { env = {}, command = [FLOCKD] } = {}) {
  const child = spawn(command[0], [...command.slice(1), ...args], {
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const program = { pid: child.pid, stdout: '', stderr: '', running: true };
  child.stdout.setEncoding('utf8').on('data', (text) => (program.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (program.stderr += text));
  program.ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      program.running = false;
      resolve({ code, signal });
    });
  });
  program.kill = (signal) => child.kill(signal);
  atEnd(t, () => {
    child.kill('SIGKILL');
    assertNoSanitizerReport(program.stderr);
  });
  return program;
}

// Runs the program until it ends by itself. Resolves to { code, stdout, stderr }.
export async function runToEnd(t, args, options) {
  const program = launch(t, args, options);
  const timer = setTimeout(() => program.kill('SIGKILL'), 20_000);
  const { code, signal } = await program.ended;
  clearTimeout(timer);
  assert.equal(signal, null, `ended by itself; stderr: ${program.stderr}`);
  return { code, stdout: program.stdout, stderr: program.stderr };
}

// Starts flockd and waits until it says where it listens. The result has its port and addresses, and stop(), which
// asks it to end and resolves to { code, signal }. If the test does not stop it, its end does, and a status other
// than 0 fails the test.
export async function startServer(t, args = [], { port = 0, ...options } = {}) {
  const server = launch(t, ['--port', String(port), ...args], options);
  const [, url, said] = await until(
    'flockd says where it listens',
    () => {
      assert.ok(server.running, `flockd runs; stderr: ${server.stderr}`);
      return server.stdout.match(/(http:\/\/127\.0\.0\.1:(\d+)\/)/);
    },
    () => server.stdout + server.stderr,
  );
  server.url = url;
  server.port = Number(said);
  server.ws = `ws://127.0.0.1:${said}/ws`;
  server.stop = async (signal = 'SIGTERM') => {
    server.kill(signal);
    return server.ended;
  };
  atEnd(t, async () => {
    if (server.running) {
      assert.deepEqual(await server.stop(), { code: 0, signal: null }, `a clean end; stderr: ${server.stderr}`);
    }
  });
  return server;
}
