// Tools of the attacks: TCP sockets, HTTP requests and WebSocket frames, byte by byte.
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import tls from 'node:tls';
import { decode, encode } from '@msgpack/msgpack';
import { PARAM, WELCOME, hello } from '../e2e/messages.mjs';

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const now = () => performance.now();

// The local address of attacks. On this machine it differs from the good client's. target.address: another one than 127.0.0.2.
const isLoopback = (host) => host === '127.0.0.1' || host === 'localhost';
export const from = (target) => (isLoopback(target.host) ? { localAddress: target.address ?? '127.0.0.2' } : {});

// The same target, attacked from another address.
export const at = (target, address) => Object.assign(Object.create(target), { address });

// Connects. The socket collects its bytes in `seen` (the last 64 KB) and counts them in `taken`; `first` are its first bytes. `gone` is true after the end of the
// connection or an error. With `reads` false the socket reads nothing, and the kernel buffers little.
// With `secure`, as by default for a target with TLS, the bytes are sent over TLS.
/** @returns {Promise<import('../e2e/types.d.ts').Attacker>} */
export function open(target, /** @type {{ reads?: boolean, secure?: boolean, [option: string]: any }} */ { reads = true, secure = target.http.startsWith('https'), ...options } = {}) {
  return new Promise((resolve) => {
    const how = { host: target.host, port: target.port, ...from(target), ...options };
    const plain = net.connect({ noDelay: true, ...how });
    const connection = secure ? tls.connect({ socket: plain, rejectUnauthorized: false }) : plain;
    const socket = /** @type {import('../e2e/types.d.ts').Attacker} */ (connection);
    socket.reset = () => plain.resetAndDestroy();
    socket.setNoDelay(true);
    socket.seen = Buffer.alloc(0);
    socket.taken = 0;
    socket.gone = false;
    socket.ended = /** @type {Promise<void>} */ (new Promise((done) => {
      socket.once('close', () => {
        socket.gone = true;
        done();
      });
    }));
    socket.on('error', () => resolve(socket));
    socket.on('end', () => (socket.halved = true));
    if (reads) {
      socket.on('data', (data) => {
        socket.first ??= Buffer.from(data.subarray(0, 16));
        socket.taken += data.length;
        socket.seen = Buffer.concat([socket.seen, data]).subarray(-65536);
      });
    }
    socket.once(secure ? 'secureConnect' : 'connect', () => resolve(socket));
    target.sockets.add(socket);
    socket.once('close', () => target.sockets.delete(socket));
  });
}

// Opens `count` sockets with make(i), in batches that fit into the listen queue.
export async function openMany(target, count, make) {
  const sockets = [];
  while (sockets.length < count) {
    const batch = Math.min(100, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: batch }, (_, i) => make(sockets.length + i)))));
  }
  return sockets;
}

export const hostOf = (target) => `${target.host}:${target.port}`;

// Returns the head of a request. `headers` are lines. Adds the line "Host:" if it is missing.
export function head(target, method, path, headers = [], version = 'HTTP/1.1') {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${hostOf(target)}`];
  return `${[`${method} ${path} ${version}`, ...host, ...headers].join('\r\n')}\r\n\r\n`;
}

// Sends bytes. Resolves to { status, text, gone } after an answer, after the server has closed, or after `ms`.
export async function exchange(target, bytes, { ms = 30_000, quiet = 100 } = {}) {
  const socket = await open(target);
  socket.write(bytes);
  const end = now() + ms;
  let size = -1;
  while (!socket.gone && now() < end && !(size > 0 && size === socket.taken)) {
    size = socket.taken;
    await Promise.race([sleep(quiet), socket.ended]);
  }
  const text = socket.seen.toString('latin1');
  const first = socket.first?.toString('latin1') ?? '';
  const result = { status: Number(first.match(/^HTTP\/1\.[01] (\d{3})/)?.[1] ?? 0), text, gone: socket.gone };
  socket.destroy();
  return result;
}

// Returns the body of an answer from exchange().
export const bodyOf = (text) => text.slice(text.indexOf('\r\n\r\n') + 4);

// Returns a client's frame. length: 16 or 64 for a longer form than necessary; size: the size in the header, which may be false.
export function frame(payload, { opcode = 2, fin = true, rsv = 0, masked = true, length = 0, size = payload.length } = {}) {
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  const mask = masked ? 0x80 : 0;
  let start;
  if (length === 64 || size > 65535) {
    start = Buffer.alloc(10);
    start[1] = mask | 127;
    start.writeBigUInt64BE(BigInt(size), 2);
  } else if (length === 16 || size > 125) {
    start = Buffer.from([0, mask | 126, size >> 8, size & 255]);
  } else {
    start = Buffer.from([0, mask | size]);
  }
  start[0] = first;
  return Buffer.concat([start, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload]); // the mask is zeros
}

export const message = (array) => frame(Buffer.from(encode(array)));

// Returns the server's frames in the bytes: { opcode, payload }.
export function frames(bytes) {
  const found = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    let size = bytes[at + 1] & 127;
    let begin = at + 2;
    if (size === 126) {
      size = begin + 2 <= bytes.length ? bytes.readUInt16BE(begin) : Infinity;
      begin += 2;
    } else if (size === 127) {
      size = begin + 8 <= bytes.length ? Number(bytes.readBigUInt64BE(begin)) : Infinity;
      begin += 8;
    }
    if (begin + size > bytes.length) break;
    found.push({ opcode: bytes[at] & 15, payload: bytes.subarray(begin, begin + size) });
    at = begin + size;
  }
  return found;
}

// Returns the code of the close frame among the bytes; 1005: a close without a code; 0: no close frame.
export function closeCode(bytes) {
  const close = frames(bytes).find(({ opcode }) => opcode === 8);
  if (close === undefined) return 0;
  return close.payload.length >= 2 ? close.payload.readUInt16BE(0) : 1005;
}

export const upgradeLines = (headers = []) => [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  'Sec-WebSocket-Protocol: flock.v1',
  ...headers,
];

// Opens a WebSocket, and waits `pause` ms before the request. Resolves to the socket, whose `seen` begins after the head of the answer,
// or to null if the server refused.
export async function upgrade(target, { headers = [], reads = true, pause = 0, ...options } = {}) {
  const socket = await open(target, { ...options, reads: false });
  if (pause > 0) await sleep(pause);
  if (socket.gone || socket.connecting) return null;
  socket.write(head(target, 'GET', '/ws', upgradeLines(headers)));
  let text = Buffer.alloc(0);
  const began = now();
  while (!socket.gone && !socket.halved && now() - began < 20_000) {
    const data = socket.read();
    if (data !== null) {
      text = Buffer.concat([text, data]);
      const at = text.indexOf('\r\n\r\n');
      if (at >= 0) {
        if (!text.toString('latin1').startsWith('HTTP/1.1 101')) break;
        socket.seen = text.subarray(at + 4);
        if (reads) {
          socket.on('data', (more) => {
            socket.taken += more.length;
            socket.seen = Buffer.concat([socket.seen, more]).subarray(-65536);
          });
        } else {
          socket.pause();
        }
        return socket;
      }
    } else {
      await Promise.race([new Promise((resolve) => socket.once('readable', resolve)), socket.ended, sleep(1000)]);
    }
  }
  socket.destroy();
  return null;
}

// Opens a WebSocket and sends a hello, with options.pause after a pause, too. Resolves to the socket, or to null if the server refused.
export async function join(target, fields = {}, /** @type {{ pause?: number, [option: string]: any }} */ options = {}) {
  const socket = await upgrade(target, options);
  if (options.pause) await sleep(options.pause);
  socket?.write(message(hello(fields)));
  return socket;
}

// Resolves to the map of the welcome, or to null if it does not come.
export async function welcomed(socket, ms = 20_000) {
  const began = now();
  while (!socket.gone && now() - began < ms) {
    const first = frames(socket.seen).find(({ opcode }) => opcode === 2);
    if (first !== undefined) {
      const [type, fields] = /** @type {any} */ (decode(first.payload));
      return type === WELCOME ? fields : null;
    }
    await sleep(5);
  }
  return null;
}

// Sets each parameter of the room's model to its maximum, so that boids look as far as possible.
export async function exaggerate(socket) {
  const { room } = (await welcomed(socket)) ?? { room: { params: [] } };
  for (const [name, , , max] of room.params) socket.write(message([PARAM, name, max]));
  return room.params.length;
}

// Writes the bytes repeatedly for `ms`, as fast as the socket accepts them. Resolves to the number of writes.
export async function flood(socket, bytes, ms, pause = 0) {
  const end = now() + ms;
  let times = 0;
  while (!socket.gone && now() < end) {
    times += 1;
    if (!socket.write(typeof bytes === 'function' ? bytes(times) : bytes)) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), socket.ended, sleep(end - now())]);
    }
    if (pause > 0) await sleep(pause);
    else if (times % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return times;
}
