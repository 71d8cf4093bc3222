// The good client runs in its own process, so that the attack does not slow it down. It joins the lobby, steers, and counts its
// snapshots. On 'mark' it reports its figures since the last mark. On 'late' it joins with a second client and requests /healthz.
import { encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { CURSOR, PACKED, SNAPSHOT, hello } from '../e2e/messages.mjs';

const url = process.argv[2];
const report = (what) => process.send?.(what);
const TURN = 1000 / 30;
const JOIN_TIME = 20_000; // ms

let since = performance.now();
let count = 0;
let longest = 0;
let last = since;
let turns = 0; // of a 30 Hz timer in this process, which a busy machine slows down, too
let closed = null;

function connect(onSnapshot, onClose) {
  const socket = new WebSocket(url, 'flock.v1', { perMessageDeflate: false });
  socket.on('open', () => socket.send(encode(hello({ name: 'good', encodings: ['packed'] }))));
  socket.on('message', (data) => (data[1] === SNAPSHOT || data[1] === PACKED) && onSnapshot());
  socket.on('error', () => {});
  socket.on('close', (code, reason) => onClose(`${code} ${reason}`));
  return socket;
}

const socket = connect(
  () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    count += 1;
    if (count === 1) report({ ready: true });
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

function mark() {
  const now = performance.now();
  const seconds = (now - since) / 1000;
  report({ mark: { rate: count / seconds, longest: Math.max(longest, now - last), turns: turns / seconds, seconds, closed } });
  [since, count, longest, last, turns] = [now, 0, 0, now, 0];
}

// Reports the ms until a new client has its first snapshot, and until /healthz answers ok; null: not within JOIN_TIME.
async function late() {
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  const joined = new Promise((resolve) => {
    const other = connect(() => (resolve(took()), other.terminate()), () => resolve(null));
    setTimeout(() => (resolve(null), other.terminate()), JOIN_TIME);
  });
  const health = fetch(new URL('/healthz', url.replace(/^ws/, 'http')), {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(JOIN_TIME),
  }).then(
    async (response) => (await response.text(), response.ok ? took() : null),
    () => null,
  );
  report({ late: { joined: await joined, health: await health } });
}

process.on('message', (what) => (what === 'mark' ? mark() : late()));
process.on('disconnect', () => process.exit());
