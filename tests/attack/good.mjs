// The good client runs in its own process, so that the attack does not slow it down. It joins the lobby, steers, and counts its
// snapshots. On { probe: ms } it begins to probe the server at these intervals: it joins with another client, requests /healthz and
// the lobby from the API, and asks the lobby for an answer. On 'mark' it reports its figures since the last mark.
import http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import { encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { CURSOR, DONE, ERROR, NAME, PACKED, SNAPSHOT, hello } from '../e2e/messages.mjs';

const url = process.argv[2];
const report = (what) => process.send?.(what);
const TURN = 1000 / 30;
const PATIENCE = 20_000; // ms

try {
  os.setPriority(-10); // a wait of this process for a processor looks like a gap of the server
} catch {
  // Only root may do this.
}

let since = performance.now();
/** @type {number[]} */
let gaps = []; // ms between snapshots
let last = since;
let seen = false;
let turns = 0; // of a 30 Hz timer in this process, which a busy machine slows down, too
let closed = null;

function connect(onMessage, onClose) {
  const socket = new WebSocket(url, 'flock.v1', { perMessageDeflate: false, rejectUnauthorized: false });
  socket.on('open', () => socket.send(encode(hello({ name: 'good', encodings: ['packed'] }))));
  socket.on('message', onMessage);
  socket.on('error', () => {});
  socket.on('close', (code, reason) => onClose(`${code} ${reason}`));
  return socket;
}

const isSnapshot = (data) => data[1] === SNAPSHOT || data[1] === PACKED;

/** @type {(() => void) | null} */
let onAnswer = null; // the answer to a message of this client
const socket = connect(
  (data) => {
    if (data[1] === DONE || data[1] === ERROR) onAnswer?.();
    if (!isSnapshot(data)) return;
    const now = performance.now();
    gaps.push(now - last);
    last = now;
    if (!seen) get('/healthz').then(() => report({ ready: true }));
    seen = true;
  },
  (how) => {
    closed = how;
    report({ closed });
  },
);

let expected = since + TURN;
setInterval(() => {
  const now = performance.now();
  if (now >= expected) {
    turns += 1;
    expected = Math.max(expected + TURN, now - TURN);
  }
}, 5);
setInterval(() => socket.readyState === 1 && socket.send(encode([CURSOR, 100 + Math.random(), 100])), 200);

// ---- probes ----

// Resolves to the ms until `act` has called `done`; null: not within PATIENCE, or it failed.
/** @type {(act: (done: (ok: boolean) => void) => (() => void) | void) => Promise<number | null>} */
const timed = (act) =>
  new Promise((resolve) => {
    const began = performance.now();
    let end = () => {};
    const done = (ok) => {
      clearTimeout(deadline);
      end();
      resolve(ok ? Math.round(performance.now() - began) : null);
    };
    const deadline = setTimeout(() => done(false), PATIENCE);
    const started = act(done);
    if (started) end = started;
  });

const get = (path) =>
  timed((done) => {
    const { get: ask } = url.startsWith('wss') ? https : http;
    const request = ask(new URL(path, url.replace(/^ws/, 'http')), { agent: false, rejectUnauthorized: false }, (response) => {
      response.on('end', () => done(response.statusCode === 200)).on('error', () => done(false)).resume();
    });
    request.on('error', () => done(false));
    return () => request.destroy();
  });

const joins = () =>
  timed((done) => {
    const other = connect((data) => isSnapshot(data) && done(true), () => done(false));
    return () => other.terminate();
  });

// A change of the name, which the lobby makes or refuses.
const asks = () =>
  timed((done) => {
    if (closed !== null) return done(false);
    onAnswer = () => done(true);
    socket.send(encode([NAME, 'good', 1]));
    return () => (onAnswer = null);
  });

const PROBES = { join: joins, health: () => get('/healthz'), api: () => get('/api/rooms/lobby'), answer: asks };
/** @type {Record<string, (number | null)[]>} */
let probes = {};
/** @type {Set<Promise<void>>} */
const running = new Set();
let timer;

function probe() {
  for (const [name, act] of Object.entries(PROBES)) {
    if (name === 'answer' && onAnswer !== null) continue; // the last one is still waited for
    const took = act().then((ms) => {
      probes[name] = [...(probes[name] ?? []), ms];
      running.delete(took);
    });
    running.add(took);
  }
}

function begin(every) {
  probe();
  timer = setInterval(probe, every);
}

// ---- figures ----

async function mark() {
  clearInterval(timer);
  const now = performance.now();
  const seconds = (now - since) / 1000;
  const all = [...gaps, now - last].sort((a, b) => a - b);
  const p99 = all[Math.ceil(0.99 * all.length) - 1];
  const figures = { rate: gaps.length / seconds, longest: all.at(-1), p99, turns: turns / seconds, seconds, closed };
  [since, gaps, last, turns] = [now, [], now, 0];
  await Promise.all(running);
  report({ mark: { ...figures, probes } });
  probes = {};
}

process.on('message', (/** @type {any} */ what) => (what === 'mark' ? mark() : begin(what.probe)));
process.on('disconnect', () => process.exit());
