// A lying server attacks the page. The page must stay responsive, run only its own scripts, connect to no other server, and not
// reconnect too often. Another server, a flockd, serves the good client.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { encode } from '@msgpack/msgpack';
import { WebSocketServer } from 'ws';
import { startBrowser } from '../e2e/browser.mjs';
import * as flock from '../e2e/messages.mjs';
import { ROOM, WELCOME } from '../e2e/terminal-fake.mjs';
import { now, sleep } from './raw.mjs';
import { root } from './target.mjs';

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const LINK = 'javascript:window.hacked=1';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

const param = (name, min, max, initial, value) => [name, 'u', min, max, initial, value, MARKUP];
const welcome = (room = {}, rest = {}) => [flock.WELCOME, { ...WELCOME, ...rest, room: { ...ROOM, ...room } }];
/** @type {(tick: number, boids?: Uint8Array, rest?: any) => unknown[]} */
const snapshot = (tick, boids = new Uint8Array(0), rest = {}) => {
  const { type = flock.SNAPSHOT, people = 1, target = [null, null], cursors = new Uint8Array(0), count = boids.length / 4 } = rest;
  return [type, 1, tick, tick * 33_333, people, ...target, boids, cursors, count, []];
};
const presence = (people) => [flock.PRESENCE, 0, 1, people, []];
const many = (count, make) => Array.from({ length: count }, (_, i) => make(i));

// The lies: functions that send the server's messages after a hello. `say` sends an array or raw bytes.
/** @type {Record<string, (say: (what: any) => void, socket?: any) => void>} */
const LIES = {
  'markup as names': (say) => {
    say(welcome({ title: MARKUP, code: LINK, model: MARKUP, policy: MARKUP, params: [param(MARKUP, 0, 1, 0.5, 0.5)] }, { role: 'presenter', name: MARKUP, server: MARKUP }));
    say(presence(many(128, (i) => [i + 1, `${MARKUP}${i}`, 0xff00ff, 3])));
    say([flock.ERROR, 'range', 5, null, MARKUP, MARKUP, MARKUP, false]);
    say([flock.EVENT, 1, 1, 'preset', MARKUP]);
    say([flock.NEW_KEY, LINK]);
  },
  'names of 100,000 characters': (say) => {
    say(welcome({ title: 'x'.repeat(100_000) }, { role: 'presenter' }));
    say(presence(many(128, (i) => [i + 1, '\u202e'.repeat(10_000), 0, 3])));
  },
  'a room of no size': (say) => {
    say(welcome({ world: [0, 0], quantum: 0, tick_rate: 0, snapshot_rate: 0 }));
    for (let i = 1; i < 20; i += 1) say(snapshot(i, randomBytes(400)));
  },
  'a room beyond measure': (say) => {
    say(welcome({ world: [1e308, 1e-308], quantum: 1e300, tick_rate: 1e9, cursor_timeout: -1, period: [2 ** 32 - 1, 1] }));
    for (let i = 1; i < 20; i += 1) say(snapshot(i, randomBytes(400), { target: [NaN, Infinity] }));
  },
  'parameters without order': (say) => {
    const wrong = [param('a', 5, 1, 9, NaN), param('b', -Infinity, Infinity, 0, 0), param('c', 0, 0, 0, 0), param('c', 1, 2, 3, 4), ['d'], [], null];
    say(welcome({ params: wrong, controls: [['run', 'none', [], MARKUP], ['', '', [['', '', '']], ''], ['x']] }, { role: 'presenter' }));
    say([flock.PARAMS, many(1000, () => NaN)]);
  },
  'a million boids at 30 a second': async (say) => {
    say(welcome());
    const boids = randomBytes(4_000_000);
    for (let i = 1; i < 15; i += 1) {
      say(snapshot(i, boids));
      await sleep(33);
    }
  },
  'packed garbage': (say) => {
    say(welcome({}, { encoding: 'packed' }));
    for (let i = 1; i < 300; i += 1) say(snapshot(i, Buffer.concat([Buffer.from([i % 3]), randomBytes(i * 7)]), { type: flock.PACKED, count: 2 ** 31 }));
  },
  'snapshots out of order': (say) => {
    say(welcome());
    for (let i = 0; i < 300; i += 1) say(snapshot((i * 7919) % 2 ** 40, randomBytes((i % 40) * 4), { cursors: randomBytes((i % 20) * 8) }));
  },
  'everything before the welcome': (say) => {
    for (let type = 60; type < 130; type += 1) say([type, ...many(12, () => randomBytes(3).toString('hex'))]);
    say(welcome());
    say(welcome());
  },
  'bytes that are no message': (say) => {
    say(welcome());
    for (let i = 0; i < 500; i += 1) say(randomBytes(1 + (i % 100)));
    say(Buffer.alloc(100_000, 0x91));
    say(Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]));
    say('text');
  },
  '10,000 messages at once': (say) => {
    say(welcome());
    for (let i = 1; i < 10_000; i += 1) say(i % 2 === 0 ? [flock.EVENT, i, 0, 'reset', ''] : [flock.ERROR, 'range', 5, null, '', '', 'no', false]);
  },
  'goodbye, and come back at once': (say, socket) => {
    say([flock.GOODBYE, 3000, 0]);
    socket.close(3000, MARKUP);
  },
};

// Starts a server that serves the page's files and lies on /ws.
async function startLiar() {
  const folder = path.join(root, 'build/web');
  const files = new Map(readdirSync(folder).map((name) => [`/${name}`, readFileSync(path.join(folder, name))]));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    const name = pathname.startsWith('/r/') ? '/index.html' : pathname;
    response.writeHead(files.has(name) ? 200 : 404, { 'content-type': TYPES[path.extname(name)] ?? 'text/plain' });
    response.end(files.get(name) ?? '');
  });
  const liar = { lie: (/** @type {(what: any) => void} */ _say, /** @type {any} */ _socket) => {}, connections: 0, close: () => (server.closeAllConnections(), server.close()) };
  const sockets = new WebSocketServer({ server, path: '/ws' });
  sockets.on('connection', (socket) => {
    liar.connections += 1;
    socket.on('error', () => {});
    const say = (what) => socket.readyState === 1 && socket.send(Array.isArray(what) ? encode(what) : what);
    socket.once('message', () => liar.lie(say, socket));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  liar.url = `http://127.0.0.1:${(/** @type {import('node:net').AddressInfo} */ (server.address())).port}/r/lobby`;
  return liar;
}

// Returns whether the page answers within `ms`.
const responds = (page, ms) => Promise.race([page.evaluate(() => true).catch(() => false), sleep(ms).then(() => false)]);

async function lieTo(browser, liar, what) {
  const wrong = [];
  const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
  const page = await context.newPage();
  const asked = new Set();
  page.on('pageerror', (error) => wrong.push(`throws ${error.message}`));
  page.on('dialog', (dialog) => (wrong.push('opens a dialog'), dialog.dismiss()));
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (host !== new URL(liar.url).host && !['data:', 'blob:'].includes(protocol)) asked.add(request.url());
  });
  liar.lie = LIES[what];
  liar.connections = 0;
  await page.goto(liar.url);
  const began = now();
  await sleep(1200);
  if (!(await responds(page, 15_000))) wrong.push('does not respond');
  else if (await page.evaluate(() => window.hacked !== undefined)) wrong.push('runs what it was told');
  const rate = liar.connections / ((now() - began) / 1000);
  if (rate > 5) wrong.push(`connects ${rate.toFixed(0)} times a second`);
  if (asked.size > 0) wrong.push(`asks for ${[...asked].join(' ')}`);
  await Promise.race([context.close(), sleep(3000)]);
  return wrong.map((each) => `${what}: the page ${each}`);
}

async function lies() {
  const browser = await startBrowser();
  const liar = await startLiar();
  try {
    const wrong = [];
    for (const what of Object.keys(LIES)) wrong.push(...(await lieTo(browser, liar, what)));
    assert.deepEqual([...new Set(wrong)], [], 'it has them');
    return `${Object.keys(LIES).length} lies`;
  } finally {
    await browser.close();
    liar.close();
  }
}

export const pages = [{ name: 'lies', about: 'the page in a browser, against a server that lies', needs: 'own', run: lies }];
