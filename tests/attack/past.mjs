// Strangers move cursors at random, as often as they may. A presenter then rewinds as far as possible.
import assert from 'node:assert/strict';
import { decode, encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import * as flock from '../e2e/messages.mjs';
import { BATCH, enter, sendBatches } from './members.mjs';
import { at, message } from './raw.mjs';

const PEOPLE = 200;
const ADDRESSES = 8;

const PERIOD = 64; // batches until the moves repeat

// Resolves to the seconds that a presenter can rewind the lobby.
function reach(target) {
  const socket = new WebSocket(target.ws, 'flock.v1', { perMessageDeflate: false });
  socket.on('open', () => socket.send(encode(flock.hello({ key: target.key, rate: 1, boids: 1, encodings: ['plain'] }))));
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the presenter is out')));
    socket.on('message', (/** @type {Buffer} */ data) => {
      if (data[1] === flock.WELCOME) socket.send(encode([flock.REWIND, 1e6]));
      if (data[1] !== flock.PAST) return;
      const [, shown, span] = /** @type {any} */ (decode(data));
      if (!shown) return;
      resolve(span);
      socket.send(encode([flock.LIVE]));
      socket.close();
    });
  });
}

// Moves that are as expensive to record as possible: their floats differ in many bits.
const moveAt = (seed) => [flock.CURSOR, (seed * 7919) % 549 + ((seed * 31) % 97) / 97, (seed * 104729) % 399 + ((seed * 17) % 89) / 89];

async function past(target, ms) {
  const people = [];
  for (let i = 0; i < ADDRESSES; i += 1) people.push(...(await enter(at(target, `127.0.7.${i + 1}`), PEOPLE / ADDRESSES, () => ({ room: 'lobby' }))));
  const batches = people.map((_, i) => Array.from({ length: PERIOD }, (_, n) => Buffer.concat(Array.from({ length: BATCH }, (_, k) => message(moveAt((n * BATCH + k + 1) * PEOPLE + i))))));
  const time = Math.max(ms, 3000) * 2;
  const said = await sendBatches(people, (n, i) => batches[i][n % PERIOD], BATCH, time);
  const span = await reach(target);
  assert.ok(span > time / 1000, `a presenter reaches ${span.toFixed(1)} s back, after ${time / 1000} s of attack`);
  return `${said}; a presenter reaches ${span.toFixed(1)} s back`;
}

export const pasts = [{ name: 'cursors-past', about: 'random cursors that shorten the past of the lobby', short: true, needs: 'key', tight: ['--rewind-memory', '1'], run: past }];
