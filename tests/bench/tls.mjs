#!/usr/bin/env node
// Measures the cost of TLS: flockd's processor time per million frames with and without TLS, in alternation, with the same clients.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { hello } from '../e2e/messages.mjs';
import { until } from '../e2e/until.mjs';
import { readNumber, readOptions } from '../options.mjs';

const USAGE = `Usage: node tests/bench/tls.mjs [CLIENTS [BOIDS [ROUNDS]]]

  default: 200 clients, 1000 boids, 5 rounds`;
const { positionals } = readOptions(USAGE, { allowPositionals: true });
const [clients, boids, rounds] = ['CLIENTS', 'BOIDS', 'ROUNDS'].map((name, i) => readNumber(name, positionals[i] ?? ['200', '1000', '5'][i]));
const SECONDS = 4;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'flockd-tls-'));
const [cert, key] = ['cert', 'key'].map((name) => path.join(folder, name));
const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

execFileSync('openssl', ['req', '-x509', ...CURVE, '-keyout', key, '-out', cert, '-days', '1', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'], { stdio: 'ignore' });
const ca = readFileSync(cert);

// Returns the processor time of the process, in clock ticks of 1/100 s.
const ticksOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13).reduce((sum, ticks) => sum + Number(ticks), 0);

// Resolves to processor seconds per million frames.
async function measure(options) {
  const server = spawn(`${root}/build/flockd`, ['--port', '0', '--boids', String(boids), '--net-threads', '1', '--threads', '1', ...options]);
  let said = '';
  let frames = 0;
  server.stdout.on('data', (text) => (said += text));
  const [, scheme, port] = await until('it listens', () => said.match(/ (wss?):\/\/127\.0\.0\.1:(\d+)/));
  const sockets = Array.from({ length: clients }, () => {
    const socket = new WebSocket(`${scheme}://127.0.0.1:${port}/ws`, 'flock.v1', { ca, perMessageDeflate: false });
    socket.on('open', () => socket.send(encode(hello({}))));
    socket.on('message', () => frames++);
    return socket;
  });
  await until('all are served', () => frames > clients * 30);
  const before = [frames, ticksOf(server.pid)];
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  const cost = ((ticksOf(server.pid) - before[1]) / 100 / (frames - before[0])) * 1e6;
  const exited = new Promise((resolve) => server.on('exit', resolve));
  sockets.forEach((socket) => socket.terminate());
  server.kill();
  await exited;
  return { cost, rate: (frames - before[0]) / SECONDS };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const plain = [];
const secret = [];
for (let i = 0; i < rounds; i++) {
  plain.push(await measure([]));
  secret.push(await measure(['--tls-cert', cert, '--tls-key', key]));
}
rmSync(folder, { recursive: true });
for (const [name, results] of Object.entries({ plain, TLS: secret })) {
  const rate = median(results.map((result) => result.rate));
  console.log(`${name}: ${median(results.map(({ cost }) => cost)).toFixed(1)} s per million frames, ${rate.toFixed(0)} frames/s`);
}
console.log(`ratio of neighbours: ${median(secret.map(({ cost }, i) => cost / plain[i].cost)).toFixed(2)}`);
