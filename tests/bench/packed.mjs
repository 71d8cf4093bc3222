#!/usr/bin/env node
// Measures the page's decoder of packed boids with the snapshots of a flockd, in ns per boid. About fifteen seconds.
import { decode, encode } from '@msgpack/msgpack';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { hello, PACKED } from '../e2e/messages.mjs';
import { readOptions } from '../options.mjs';

readOptions('Usage: make bench-packed, or node tests/bench/packed.mjs', {});

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** @type {[model: string, boids: number][]} */
const SCENES = [
  ['boids', 10000],
  ['swarm', 300],
  ['swarm', 10000],
];
const SKIPPED = 300; // snapshots until the flock has formed
const FRAMES = 250;
const ROUNDS = 15;

// Bundles and imports the page's decoder.
async function loadDecoder() {
  const { build } = createRequire(path.join(root, 'clients/web/package.json'))('esbuild');
  const entryPoints = [path.join(root, 'clients/web/src/net/packed.ts')];
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

// Returns the bins of consecutive snapshots; the first is a keyframe.
/** @returns {Promise<Uint8Array[]>} */
async function record(model, boids) {
  const options = ['--port', 0, '--model', model, '--boids', boids, '--tick-rate', 60].map(String);
  const server = spawn(path.join(root, 'build/flockd'), options, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    let said = '';
    for await (const text of server.stdout.setEncoding('utf8')) {
      said += text;
      if (/http:\/\/127\.0\.0\.1:\d+\//.test(said)) {
        break;
      }
    }
    const port = said.match(/http:\/\/127\.0\.0\.1:(\d+)\//)?.[1];
    if (port === undefined) {
      throw new Error(`flockd ended with status ${server.exitCode}`);
    }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'flock.v1', { perMessageDeflate: false });
    const bins = [];
    socket.on('open', () => socket.send(encode(hello({ name: 'bench', encodings: ['packed'] }))));
    let seen = 0;
    await /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('flockd closed the connection')));
      socket.on('message', (data) => {
        const message = /** @type {any} */ (decode(/** @type {Buffer} */ (data)));
        if (message[0] !== PACKED || ++seen < SKIPPED) {
          return;
        }
        if (seen === SKIPPED) {
          socket.send(encode([13, 0, 0])); // a keyframe
        }
        // Deltas before the first keyframe cannot be decoded.
        if (bins.length > 0 || message[7][0] === 1) {
          bins.push(message[7].slice());
        }
        if (bins.length === FRAMES) {
          resolve();
        }
      });
    }));
    socket.removeAllListeners('close');
    socket.terminate();
    return bins;
  } finally {
    if (server.exitCode === null && server.kill()) {
      await once(server, 'exit');
    }
  }
}

const { createPackedDecoder } = await loadDecoder();
console.log('| model | boids | bytes a boid | ns to decode in JavaScript |\n| --- | ---: | ---: | ---: |');
for (const [model, boids] of SCENES) {
  const [key, ...deltas] = await record(model, boids);
  const decoder = createPackedDecoder();
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    decoder.decode(key);
    const began = process.cpuUsage();
    const results = deltas.map((bin) => decoder.decode(bin));
    const { user, system } = process.cpuUsage(began);
    times.push(((user + system) * 1000) / deltas.length / boids);
    const other = results.find((result) => result !== 'ok');
    if (other !== undefined) {
      throw new Error(`a snapshot of ${model} is ${other}`);
    }
  }
  const bytes = deltas.reduce((sum, { length }) => sum + length, 0) / deltas.length / boids;
  const typical = times.sort((a, b) => a - b)[ROUNDS >> 1];
  console.log(`| \`${model}\` | ${boids} | ${bytes.toFixed(2)} | ${typical.toFixed(1)} |`);
}
