// A WebSocket of RFC 6455 by hand: sends bytes that no library would send, and collects the answers.
import { once } from 'node:events';
import net from 'node:net';
import { randomBytes } from 'node:crypto';
import { encode } from '@msgpack/msgpack';
import { atEnd } from './atend.mjs';
import { hello } from './messages.mjs';
import { until } from './until.mjs';

export const CONTINUATION = 0;
export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

// A correct upgrade with changes. `change`: headers to set, or to leave out (null). version: of HTTP.
/**
 * @param {number} port
 * @param {Record<string, string | null>} change
 * @param {{ version?: string, method?: string }} options
 */
export function request(port, change = {}, { version = '1.1', method = 'GET' } = {}) {
  const headers = {
    Host: `127.0.0.1:${port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': 'flock.v1',
    ...change,
  };
  const lines = Object.entries(headers).filter(([, value]) => value !== null);
  return `${method} /ws HTTP/${version}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

// A client's frame. `length`: bytes of the length field; 0: the shortest form.
/**
 * @param {number} opcode
 * @param {Uint8Array | number[] | string} payload
 * @param {{ fin?: boolean, rsv?: number, masked?: boolean, length?: number }} options
 */
export function frame(opcode, payload = [], { fin = true, rsv = 0, masked = true, length = 0 } = {}) {
  const data = Buffer.from(payload);
  const size = length || (data.length < 126 ? 1 : data.length < 65536 ? 2 : 8);
  const head = Buffer.alloc(size === 1 ? 2 : 2 + size);
  head[0] = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  head[1] = (masked ? 0x80 : 0) | (size === 1 ? data.length : size === 2 ? 126 : 127);
  if (size === 2) head.writeUInt16BE(data.length, 2);
  if (size === 8) head.writeBigUInt64BE(BigInt(data.length), 2);
  if (!masked) return Buffer.concat([head, data]);
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, data.map((byte, i) => byte ^ mask[i % 4])]);
}

// The payload of a close.
/**
 * @param {number} code
 * @param {string} reason
 */
export function closing(code, /** @type {string | Buffer} */ reason = '') {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return Buffer.concat([head, typeof reason === 'string' ? Buffer.from(reason) : reason]);
}

/** @param {import('./types.d.ts').Message} fields */
export const message = (fields) => frame(BINARY, encode(fields));

// The server's complete frames so far: [{ opcode, fin, rsv, masked, payload }], and the bytes after them.
/**
 * @param {Buffer} bytes
 * @returns {[import('./types.d.ts').Frame[], Buffer]}
 */
function parse(bytes) {
  const frames = [];
  for (;;) {
    const [first, second] = bytes;
    const size = (second & 0x7f) < 126 ? 0 : (second & 0x7f) === 126 ? 2 : 8;
    if (bytes.length < 2 + size) return [frames, bytes];
    const length = size === 0 ? second & 0x7f : size === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (bytes.length < 2 + size + length) return [frames, bytes];
    const payload = bytes.subarray(2 + size, 2 + size + length);
    frames.push({ opcode: first & 15, fin: first >= 0x80, rsv: (first >> 4) & 7, masked: second >= 0x80, payload });
    bytes = bytes.subarray(2 + size + length);
  }
}

// Connects, sends `text` and resolves to the server's whole answer until it closes.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {number} port
 * @param {string} text
 */
export async function answerTo(t, port, text) {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  atEnd(t, () => socket.destroy());
  socket.on('data', (data) => (answer += data));
  socket.on('error', () => {});
  socket.setTimeout(60_000, () => socket.destroy(new Error('the server does not end the connection')));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

// Upgrades. The result has the server's frames in `frames`; `ended` says whether the connection is closed. It answers the server's
// pings unless `pongs` is false. Sends `early` together with the request.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {number} port
 * @param {{ pongs?: boolean, change?: Record<string, string | null>, early?: string | Uint8Array }} options
 */
export async function open(t, port, { pongs = true, change = {}, early = '' } = {}) {
  const socket = net.connect(port, '127.0.0.1').setNoDelay(true);
  const raw = /** @type {import('./types.d.ts').Raw} */ (/** @type {Partial<import('./types.d.ts').Raw>} */ ({ socket, frames: [], ended: false, head: null }));
  /** @type {Buffer} */
  let bytes = Buffer.alloc(0);
  /** @type {string | null} */
  let head = null;
  atEnd(t, () => socket.destroy());
  socket.on('error', () => {});
  socket.on('close', () => (raw.ended = true));
  socket.on('data', (data) => {
    bytes = Buffer.concat([bytes, data]);
    const end = head === null ? bytes.indexOf('\r\n\r\n') : 0;
    if (end < 0) return;
    if (head === null) {
      head = bytes.subarray(0, end).toString('latin1');
      bytes = bytes.subarray(end + 4);
    }
    const [frames, rest] = parse(bytes);
    bytes = rest;
    raw.frames.push(...frames);
    for (const { opcode, payload } of frames) {
      if (opcode === PING && pongs && !socket.destroyed) answer(frame(PONG, payload));
    }
  });
  // Not within another frame.
  const held = [];
  let bytewise = false;
  const answer = (pong) => (bytewise ? held.push(pong) : socket.write(pong));
  raw.send = (...frames) => socket.write(Buffer.concat(frames));
  // Each byte in its own segment, unless the kernel joins them again.
  raw.sendBytewise = async (data) => {
    bytewise = true;
    for (const byte of data) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    bytewise = false;
    socket.write(Buffer.concat(held.splice(0)));
  };
  raw.until = (what, probe) => until(what, () => probe(raw), () => `ended: ${raw.ended}; frames: ${JSON.stringify(raw.frames.map(({ opcode }) => opcode))}`);
  raw.next = (opcode, from = 0) => raw.until(`a frame of opcode ${opcode}`, () => raw.frames.slice(from).find((each) => each.opcode === opcode));
  // Resolves to the server's close: { code, reason }. code is null without a close frame or without a code.
  raw.untilEnded = async () => {
    await raw.until('the connection is over', () => raw.ended || raw.frames.some(({ opcode }) => opcode === CLOSE));
    const close = raw.frames.find(({ opcode }) => opcode === CLOSE);
    if (close === undefined || close.payload.length < 2) return { code: null, reason: '' };
    return { code: close.payload.readUInt16BE(), reason: close.payload.subarray(2).toString() };
  };
  raw.hello = async () => {
    raw.send(message(hello()));
    await raw.next(BINARY);
  };
  socket.write(Buffer.concat([Buffer.from(request(port, change)), Buffer.from(early)]));
  await raw.until('the upgrade', () => head !== null || raw.ended);
  raw.head = head;
  return raw;
}
