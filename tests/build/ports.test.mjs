// Ports for programs that have to know their port before they start.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { atEnd } from '../e2e/atend.mjs';
import { root } from '../e2e/server.mjs';

const COUNT = 120; // more than a block has
const ports = () => Promise.all(Array.from({ length: COUNT }, freePort));

// Another process that takes ports, and keeps them until the test ends.
async function portsOfAnother(t) {
  const script = `import { freePort } from '${root}/docker/cluster.mjs';
    console.log((await Promise.all(Array.from({ length: ${COUNT} }, freePort))).join(' '));
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(t, () => child.stdin.end());
  const [line] = await once(child.stdout, 'data');
  return `${line}`.trim().split(' ').map(Number);
}

test('processes get different free ports, and none that the kernel gives to a connection', async (t) => {
  const taken = (await freePort()) + 1;
  const other = createServer().listen(taken, '127.0.0.1');
  atEnd(t, () => other.close());
  const all = (await Promise.all([ports(), ...[1, 2, 3].map(() => portsOfAnother(t))])).flat();
  assert.equal(new Set(all).size, 4 * COUNT);
  assert.ok(!all.includes(taken), 'another program has this one');
  const connections = Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t')[0]);
  assert.ok(all.every((port) => port < connections), `all are below ${connections}`);
});
