// `make cluster` as a person starts it: all its processes end with it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { atEnd } from '../e2e/atend.mjs';
import { root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';

// Starts it with a node with rooms, a node with viewers and free ports. Resolves when all run.
async function launchCluster(t) {
  const child = spawn(process.execPath, [`${root}/docker/cluster.mjs`, '--sims', '1', '--edges', '1', '--port', '0', '--', '--web', `${root}/build/web`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  atEnd(t, () => {
    child.kill('SIGKILL');
    rmSync(`${root}/build/cluster/${child.pid}`, { recursive: true, force: true });
  });
  await until('all run', () => /Ctrl-C ends all/.test(said), () => said);
  child.stdin.write('list\n');
  const parts = await until('it lists them', () => {
    const found = [...said.matchAll(/^ {2}(\S+) +process (\d+)$/gm)].map(([, name, pid]) => ({ name, pid }));
    return found.length === 3 && found;
  });
  return { child, ended, parts };
}

// Whether the process runs. A zombie has ended.
function runs({ pid }) {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const allEnd = (parts) => until('all of its processes end', () => !parts.some(runs), () => parts.filter(runs).map(({ name }) => name).join());

test('Ctrl-C ends all nodes and NATS', async (t) => {
  const { child, ended, parts } = await launchCluster(t);
  assert.equal(parts.filter(runs).length, 3);
  child.kill('SIGINT');
  assert.equal(await ended, 0);
  assert.deepEqual(parts.filter(runs), []);
});

test('a killed cluster.mjs leaves no node behind, not even a frozen one', async (t) => {
  const { child, parts } = await launchCluster(t);
  child.stdin.write('freeze sim-1\n');
  const sim = parts.find(({ name }) => name === 'sim-1');
  await until('it stands still', () => /^State:\s+T/m.test(readFileSync(`/proc/${sim.pid}/status`, 'utf8')));
  child.kill('SIGKILL');
  await allEnd(parts);
});

test('a port of another program is refused in words, and nothing is started', async (t) => {
  const other = createServer();
  await new Promise((resolve) => other.listen(0, '127.0.0.1', () => resolve(undefined)));
  atEnd(t, () => other.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (other.address());
  const child = spawn(process.execPath, [`${root}/docker/cluster.mjs`, '--port', `${port}`], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 2);
  assert.match(said, new RegExp(`another program has port ${port}`));
});
