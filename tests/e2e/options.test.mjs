// The command line, and flockd's messages when it cannot start.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import net from 'node:net';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import { connect, join } from './client.mjs';
import { FLOCKD, root, runToEnd, startServer } from './server.mjs';

test('--version prints the version', async (t) => {
  const { code, stdout, stderr } = await runToEnd(t, ['--version']);
  assert.match(stdout, /^flockd \d+\.\d+\.\d+\n$/);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
});

test('--help lists every option with its environment variable', async (t) => {
  const { code, stdout, stderr } = await runToEnd(t, ['--help']);
  const table = (await runToEnd(t, ['--help-table'])).stdout;
  const options = [...table.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option);
  assert.ok(options.includes('--boids'), table);
  for (const option of options) {
    assert.match(stdout, new RegExp(`^  ${option} `, 'm'));
  }
  assert.match(stdout, /FLOCKD_TICK_RATE/);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
});

const WRONG = [
  { args: ['--boids', '0'], names: 'boids' },
  { args: ['--boids', '1000001'], names: 'boids' },
  { args: ['--boids', '12x'], names: 'boids' },
  { args: ['--boids', ''], names: 'boids' },
  { args: ['--boids'], names: 'boids' },
  { args: ['--tick-rate', '241'], names: 'tick-rate' },
  { args: ['--tick-rate', '99999999999999999999'], names: 'tick-rate' },
  { args: ['--tick-rate', '10', '--snapshot-rate', '20'], names: 'snapshot-rate' },
  { args: ['--boids', '500', '--max-boids', '499'], names: '--max-boids' },
  { args: ['--preset', 'murmuration', '--max-boids', '3999'], names: '--max-boids' },
  { args: ['--rooms', 'everyone'], names: '--rooms' },
  { args: ['--policy', 'loudest'], names: 'policy' },
  { args: ['--idle', 'sleep'], names: 'idle' },
  { args: ['--port', '65536'], names: 'port' },
  { args: ['--cursor-timeout', 'nan'], names: 'cursor-timeout' },
  { args: ['--flock', '12'], names: '--flock' },
  { args: ['--rooms', 'mine'], names: 'rooms' },
  { args: ['--max-rooms', '0'], names: 'max-rooms' },
  { args: ['--room-boids', '1000001'], names: 'room-boids' },
  { args: ['--room-idle', '0'], names: 'room-idle' },
  { args: ['--rooms-per-hour', '1.5'], names: 'rooms-per-hour' },
  { args: ['--boids', '1000', '--max-boids', '999'], names: 'max-boids' },
  { args: ['--sim-threads', '0'], names: 'sim-threads' },
  { args: ['lobby'], names: 'lobby' },
  { args: [], env: { FLOCKD_BOIDS: 'many' }, names: 'FLOCKD_BOIDS' },
];

for (const { args, env, names } of WRONG) {
  const asked = env ? Object.entries(env).flat().join('=') : args.join(' ');
  test(`refused with one line and status 2: ${asked}`, async (t) => {
    const { code, stdout, stderr } = await runToEnd(t, args, { env });
    assert.match(stderr, /^[^\n]+\n$/, 'one line');
    assert.ok(stderr.includes(names), `it names ${names}: ${stderr}`);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });
}

test('the environment sets options, and flags override it', async (t) => {
  const server = await startServer(t, ['--tick-rate', '20'], { env: { FLOCKD_BOIDS: '34', FLOCKD_TICK_RATE: '40' } });
  const client = await join(t, server.ws);
  assert.equal(client.snapshot.boids.length, 34);
  assert.equal(client.room.tick_rate, 20);
});

test('a port in use: one clear line and status 1', async (t) => {
  const other = net.createServer().listen(0, '127.0.0.1');
  atEnd(t, () => other.close());
  await new Promise((resolve) => other.on('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (other.address());
  const { code, stderr } = await runToEnd(t, ['--port', String(port)]);
  assert.match(stderr, new RegExp(`^[^\\n]*${port}[^\\n]*in use[^\\n]*\\n$`));
  assert.equal(code, 1);
});

test('a missing web folder: one clear line and status 1', async (t) => {
  const { code, stderr } = await runToEnd(t, ['--port', '0', '--web', '/nowhere/at/all']);
  assert.match(stderr, /^[^\n]*\/nowhere\/at\/all[^\n]*\n$/);
  assert.equal(code, 1);
});

test('an address of another machine: one clear line and status 1', async (t) => {
  const { code, stderr } = await runToEnd(t, ['--port', '0', '--bind', '192.0.2.1']);
  assert.match(stderr, /^[^\n]*192\.0\.2\.1[^\n]*\n$/);
  assert.equal(code, 1);
});

// The process's user and system time, in clock ticks (hundredths of a second).
function cpuTicks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

test('too few file descriptors: one clear line and status 1', async (t) => {
  const { code, stderr } = await runToEnd(t, ['--port', '0'], { command: ['sh', '-c', 'ulimit -n 16; exec "$0" "$@"', FLOCKD] });
  assert.match(stderr, /^[^\n]*open files[^\n]*\n$/);
  assert.equal(code, 1);
});

test('out of file descriptors: flockd logs it, does not spin, and recovers', async (t) => {
  const server = await startServer(t);
  const early = await join(t, server.ws);
  execFileSync('prlimit', ['--pid', String(server.pid), '--nofile=24:24']);

  const hogs = Array.from({ length: 80 }, () => net.connect(server.port, '127.0.0.1').on('error', () => {}));
  atEnd(t, () => hogs.forEach((hog) => hog.destroy()));
  await early.until('it says that files ran out', () => /too many open files/i.test(server.stderr));

  const before = cpuTicks(server.pid);
  const { time } = early.snapshot;
  await early.until('two seconds of the flock', () => early.snapshot.time > time + 2_000_000);
  const spent = cpuTicks(server.pid) - before;
  assert.ok(spent < 100, `two seconds took ${spent / 100} s of the processor`);
  assert.ok(server.stderr.split('\n').length < 20, 'it does not repeat itself without end');

  hogs.forEach((hog) => hog.destroy());
  const late = await early.until('someone new gets in', async () => connect(t, server.ws).catch(() => null));
  assert.equal(late.closed, null);
});

test('the printed command for the terminal works', async (t) => {
  const server = await startServer(t);
  const [, program] = server.stdout.match(/in a terminal +(\S*flock-term) ws:/);
  accessSync(resolve(root, program), constants.X_OK);
});
