// Attacks of clients that read nothing while the server still has to send, and whose further bytes the server need not read.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Duplex } from 'node:stream';
import tls from 'node:tls';
import * as flock from '../e2e/messages.mjs';
import { frame, frames, head, message, sleep, upgradeLines } from './raw.mjs';
import { certificate } from './handshakes.mjs';
import { STRICT, load, root } from './target.mjs';

const LINES = 4; // of each kind
const LARGE = 100_000; // boids, whose snapshot is more than the kernel takes
const READ = 40_000; // bytes, and then no more
const PATIENCE = 20_000; // ms
const AFTER = Buffer.alloc(1000, 'x'); // more than libwebsockets reads at first
const web = path.join(root, 'build/web');

// Opens a line (narrow.c) that reads `most` bytes, with TLS if the target has it.
/** @returns {Duplex} */
function openLine(target, most) {
  const child = spawn(path.join(root, 'build/narrow'), [target.host, String(target.port), target.address ?? '127.0.0.2', String(most)], { stdio: ['pipe', 'pipe', 'ignore'] });
  const plain = Duplex.from({ readable: child.stdout, writable: child.stdin });
  const line = target.ws.startsWith('wss') ? tls.connect({ socket: plain, rejectUnauthorized: false }) : plain;
  for (const end of [plain, line, child.stdin, child.stdout]) end.on('error', () => {});
  line.once('close', () => child.kill());
  target.sockets.add(line);
  line.once('close', () => target.sockets.delete(line));
  return line;
}

// Reads until `is` of all bytes so far. Resolves to these bytes.
async function readUntil(line, what, is) {
  let bytes = Buffer.alloc(0);
  const done = new Promise((resolve) => {
    line.on('data', (data) => {
      bytes = Buffer.concat([bytes, data]);
      if (is(bytes)) resolve(true);
    });
  });
  assert.ok(await Promise.race([done, sleep(PATIENCE)]), `a client gets ${what}`);
  return bytes;
}

const largest = () => readdirSync(web).filter((name) => name.endsWith('.js')).sort((a, b) => statSync(path.join(web, b)).size - statSync(path.join(web, a)).size)[0];

// Requests a large file, and sends further requests behind it.
async function halfRead(target) {
  const line = openLine(target, READ);
  line.write(head(target, 'GET', `/${largest()}`));
  await readUntil(line, 'an answer', (bytes) => bytes.includes('\r\n\r\n'));
  await sleep(500);
  line.write(head(target, 'GET', '/'));
  await sleep(100);
  line.write(AFTER);
}

async function largeRoom(target) {
  const line = openLine(target, READ);
  const body = JSON.stringify({ boids: LARGE });
  line.write(`${head(target, 'POST', '/api/rooms', ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'])}${body}`);
  const text = (await readUntil(line, 'a room of his own', (bytes) => /"code":"[^"]+"/.test(String(bytes)))).toString();
  line.destroy();
  return /** @type {any} */ (text.match(/"code":"([^"]+)"/))[1];
}

// Joins a room, reads a part of its first snapshot, and breaks RFC 6455.
async function broken(target, room) {
  const line = openLine(target, READ);
  line.write(head(target, 'GET', '/ws', upgradeLines()));
  const hello = message(flock.hello({ room, encodings: ['packed'] }));
  let sent = 0; // of the hello and the pongs
  await readUntil(line, 'a snapshot', (bytes) => {
    const at = bytes.indexOf('\r\n\r\n');
    if (at < 0) return false;
    const pings = frames(bytes.subarray(at + 4)).filter(({ opcode }) => opcode === 9);
    const all = [hello, ...pings.map(({ payload }) => frame(payload, { opcode: 10 }))];
    for (const bytesOf of all.slice(sent)) line.write(bytesOf);
    sent = all.length;
    return bytes.length > READ / 2;
  });
  await sleep(500);
  line.write(frame(Buffer.alloc(0), { opcode: 3 }));
  await sleep(100);
  line.write(AFTER);
}

async function unread(target, ms) {
  const room = await largeRoom(target);
  await target.begin?.();
  const began = Promise.all(Array.from({ length: LINES }, async () => [await halfRead(target), await broken(target, room)]));
  await Promise.race([began, sleep(PATIENCE)]);
  await began;
  if (!target.own) return `${2 * LINES} lines`;
  const busy = await load(target, ms);
  assert.ok(busy < 0.3, `the server uses ${Math.round(100 * busy)} % of a processor while it waits for them`);
  return `${2 * LINES} lines, and then ${Math.round(100 * busy)} % of a processor`;
}

const strict = { ...STRICT, begins: true, outside: false, memory: 128, args: [...STRICT.args, '--room-boids', String(LARGE)], run: unread };

export const unreads = [
  { name: 'unread', about: 'answers and snapshots that are not read, and what the client sends behind them', ...strict },
  {
    name: 'unread-tls',
    about: 'the same over TLS',
    short: true,
    ...strict,
    get args() {
      return [...strict.args, ...certificate()];
    },
  },
];
