// Attacks with WebSocket messages: frames that RFC 6455 forbids, malformed MessagePack, and too many messages.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { encode } from '@msgpack/msgpack';
import * as flock from '../e2e/messages.mjs';
import { closeCode, exaggerate, exchange, flood, frame, frames, head, join, message, now, open, openMany, sleep, upgrade, upgradeLines } from './raw.mjs';

const joined = async (target, fields, options) => (await join(target, fields, options)) ?? assert.fail('a client is let in');
const bytes = (...values) => Buffer.from(values);

// ---- frames ----

const CLOSE = (code, reason = '') => Buffer.concat([bytes(code >> 8, code & 255), Buffer.from(reason, 'latin1')]);
// Frames that must end the connection when they follow a hello. RFC 6455 also forbids lengths in more bytes than necessary. They
// are not in this list, because libwebsockets accepts them without a report. The server limits the excess bytes of headers instead.
const FORBIDDEN = [
  ['an unmasked frame', frame(bytes(0x91, 3), { masked: false })],
  ['reserved bit 1', frame(bytes(0x91, 3), { rsv: 4 })],
  ['reserved bit 3', frame(bytes(0x91, 3), { rsv: 1 })],
  ['opcode 3', frame(bytes(), { opcode: 3 })],
  ['opcode 11', frame(bytes(), { opcode: 11 })],
  ['opcode 15', frame(bytes(), { opcode: 15 })],
  ['a ping of 126 bytes', frame(Buffer.alloc(126), { opcode: 9 })],
  ['a ping in two fragments', frame(bytes(1), { opcode: 9, fin: false })],
  ['a continuation of nothing', frame(bytes(1), { opcode: 0 })],
  ['two beginnings', Buffer.concat([frame(bytes(0x91), { fin: false }), frame(bytes(3))])],
  ['a length with the top bit', Buffer.concat([bytes(0x82, 0xff, 0x80), Buffer.alloc(11)])],
  ['a close of 1 byte', frame(bytes(3), { opcode: 8 })],
  ['close code 999', frame(CLOSE(999), { opcode: 8 })],
  ['close code 1004', frame(CLOSE(1004), { opcode: 8 })],
  ['close code 1005', frame(CLOSE(1005), { opcode: 8 })],
  ['close code 1006', frame(CLOSE(1006), { opcode: 8 })],
  ['close code 2999', frame(CLOSE(2999), { opcode: 8 })],
  ['a close with a reason that is no UTF-8', frame(CLOSE(1000, '\xff\xfe'), { opcode: 8 })],
  ['a text that is no UTF-8', frame(bytes(0xff), { opcode: 1 })],
  ['a message of 70,000 bytes', frame(Buffer.alloc(70_000))],
  ['a length of 2^40', frame(bytes(1, 2, 3), { size: 2 ** 40 })],
];

async function forbiddenFrames(target) {
  const accepted = [];
  const one = async ([what, sent]) => {
    const socket = await joined(target, {});
    while (socket.taken < 1000 && !socket.gone) await sleep(5);
    socket.seen = Buffer.alloc(0);
    socket.write(sent);
    const began = now();
    while (!socket.gone && !socket.halved && closeCode(socket.seen) === 0 && now() - began < 20_000) await sleep(5);
    const code = closeCode(socket.seen);
    const ended = socket.gone || socket.halved;
    // The server answers a close with the same code or with a protocol error. Code 1005 is never sent.
    if (!ended && code === 0) accepted.push(what);
    if (/^(a close|close code)/.test(what) && code !== 1002 && code !== 1007 && !(code === 0 && ended)) accepted.push(`${what} (answered ${code})`);
    socket.destroy();
  };
  // TLS adds bytes, which hide a missing mask.
  const cases = target.http.startsWith('https') ? FORBIDDEN.slice(1) : FORBIDDEN;
  await Promise.all(cases.map((/** @type {any} */ each) => one(each)));
  assert.deepEqual(accepted, [], 'all of them end the connection');
  return `${cases.length} kinds`;
}

/** @type {[what: string, change: (lines: string[]) => string[], version: string][]} */
const HANDSHAKES = [
  ['version 8', (lines) => lines.map((line) => line.replace('Version: 13', 'Version: 8')), 'HTTP/1.1'],
  ['no version', (lines) => lines.filter((line) => !line.includes('Version')), 'HTTP/1.1'],
  ['no key', (lines) => lines.filter((line) => !line.includes('Key')), 'HTTP/1.1'],
  ['HTTP/1.0', (lines) => lines, 'HTTP/1.0'],
  ['no Host', (lines) => lines, 'none'],
  ['no subprotocol', (lines) => lines.filter((line) => !line.includes('Protocol')), 'HTTP/1.1'],
  ['subprotocol flock.v2', (lines) => lines.map((line) => line.replace('flock.v1', 'flock.v2')), 'HTTP/1.1'],
];

async function handshakes(target) {
  const wrong = [];
  for (const [what, change, version] of HANDSHAKES) {
    const lines = change(upgradeLines());
    const text = version === 'none' ? `GET /ws HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n` : head(target, 'GET', '/ws', lines, version);
    const { status } = await exchange(target, text, { quiet: 200 });
    if (status < 400 || status > 499) wrong.push(`${what}: ${status}`);
  }
  assert.deepEqual(wrong, [], 'each is refused with a status of its own fault');
  return `${HANDSHAKES.length} handshakes`;
}

async function controlFloods(target, ms) {
  const kinds = [
    frame(Buffer.alloc(125, 'p'), { opcode: 9 }),
    frame(Buffer.alloc(0), { opcode: 9 }),
    frame(Buffer.alloc(0), { opcode: 10 }),
    Buffer.concat([frame(Buffer.alloc(0), { fin: false }), ...Array(200).fill(frame(Buffer.alloc(0), { opcode: 0, fin: false }))]),
  ];
  const sockets = await Promise.all(kinds.map(() => joined(target, {})));
  const many = kinds.map((kind) => Buffer.concat(Array(100).fill(kind)));
  await Promise.all(sockets.map((socket, i) => flood(socket, many[i], ms)));
  const isEnded = (socket) => socket.gone || socket.halved || closeCode(socket.seen) !== 0;
  const began = now();
  while (!sockets.every(isEnded) && now() - began < 20_000) await sleep(50);
  const ended = sockets.map(isEnded);
  assert.deepEqual(ended, [true, true, true, true], 'floods of pings, empty pings, pongs and empty fragments are ended');
  return 'four floods';
}

// ---- messages ----

const BOMBS = [
  Buffer.alloc(1000, 0x91), // arrays in arrays
  Buffer.alloc(1000, 0x81), // maps in maps
  bytes(0xdd, 0xff, 0xff, 0xff, 0xff),
  bytes(0xdf, 0xff, 0xff, 0xff, 0xff),
  bytes(0x92, 5, 0xdb, 0xff, 0xff, 0xff, 0xff),
  bytes(0x92, 5, 0xc6, 0x7f, 0xff, 0xff, 0xff),
  bytes(0xc9, 0x7f, 0xff, 0xff, 0xff, 1),
  bytes(0xc1),
  bytes(),
  Buffer.concat([bytes(0x95, 1, 1, 0xa5), Buffer.from('lobby'), bytes(0xa0), Buffer.alloc(900, 0x81)]),
];
const VALUES = [null, true, -1, 0, 2 ** 32, 2 ** 53, -(2 ** 53), 1e308, NaN, Infinity, -Infinity, -0, '', 'x'.repeat(900), 'a\0b', [], {}, [[[]]], new Uint8Array(16)];
const PLAIN = [
  [flock.CURSOR, 1, 2],
  [flock.AWAY],
  [flock.PING, 5],
  [flock.NAME, 'x'],
  [flock.WANT, 30, 100],
  [flock.KEY, 'kkkkkkkk'],
  [flock.SET, 'policy', 'mean'],
  [flock.PARAM, 'inertia', 1],
  [flock.ADD, 1, 1, 1],
  [flock.REMOVE, 1],
  [flock.RESET],
  [flock.STEP],
  [flock.TITLE, 'x'],
  [flock.EXPEL, 1],
  [flock.APPOINT, 1, 'viewer'],
  [flock.REKEY],
  [flock.REWIND, 1],
  [flock.PLAY, 1],
  [flock.LIVE],
  [flock.RESUME],
];

// Returns each message with each argument replaced by each wrong value, and with one argument too many or too few.
const wrongMessages = () =>
  PLAIN.flatMap((plain) => [
    ...plain.flatMap((_, at) => VALUES.map((value) => /** @type {any} */ (plain).with?.(at, value) ?? Object.assign([...plain], { [at]: value }))),
    plain.slice(0, -1),
    [...plain, 1, 1],
  ]);

async function wrongArguments(target, ms) {
  const all = [...wrongMessages().map((each) => Buffer.from(encode(each))), ...BOMBS];
  const kinds = [
    ['as a viewer', {}],
    ...(target.key ? [['as a presenter', { key: target.key }]] : []),
    ['before hello', null],
  ];
  let sent = 0;
  const end = now() + Math.max(ms, 3000);
  const each = async ([, fields]) => {
    let socket = null;
    for (const payload of all) {
      if (now() > end) return;
      if (socket === null || socket.gone || socket.halved || fields === null) {
        socket?.destroy();
        socket = fields === null ? await upgrade(target) : await join(target, fields);
      }
      if (socket === null) {
        await sleep(50);
        continue;
      }
      socket.write(frame(payload));
      sent += 1;
      if (sent % 16 === 0) await sleep(1);
    }
  };
  await Promise.all(kinds.map((/** @type {any} */ kind) => each(kind)));
  return `${sent} messages`;
}

const BAD_NAMES = [
  ...Array.from({ length: 32 }, (_, i) => `a${String.fromCharCode(i)}b`),
  ...['\x7f', '\x80', '\x9f', '\u2028', '\u2029', '\u202a', '\u202e', '\u2066', '\u2069'].map((each) => `a${each}b`),
  ...['\u200b', '\u200d\u200d', '\u2060', '\u00ad', '\u3164', '\u115f', '\ufeff', '\u{e0041}', ' ', '   ', '\u00a0\u2003'],
  'x'.repeat(65),
];
const BAD_BYTES = [bytes(0xc3), bytes(0xff), bytes(0xed, 0xa0, 0x80), bytes(0xc0, 0x80), bytes(0xf4, 0x90, 0x80, 0x80)];

// Sends names that imitate other people or break a line. The server must refuse them.
async function badNames(target) {
  const watcher = await joined(target, { name: 'watcher', encodings: ['plain'] });
  const names = [...BAD_NAMES.map((name) => Buffer.from(name)), ...BAD_BYTES];
  const refusals = [];
  for (const name of names) {
    const socket = await joined(target, {});
    while (socket.taken < 500 && !socket.gone) await sleep(2);
    socket.seen = Buffer.alloc(0);
    const str = Buffer.concat([name.length < 32 ? bytes(0xa0 | name.length) : bytes(0xd9, name.length), name]);
    socket.write(frame(Buffer.concat([bytes(0x93, flock.NAME), str, bytes(7)])));
    const began = now();
    let answer;
    while (answer === undefined && !socket.gone && now() - began < 20_000) {
      answer = frames(socket.seen).find(({ payload }) => payload[1] === flock.DONE || payload[1] === flock.ERROR);
      await sleep(2);
    }
    if (answer?.payload[1] !== flock.ERROR) refusals.push(JSON.stringify(name.toString('latin1')));
    socket.destroy();
  }
  watcher.destroy();
  assert.deepEqual(refusals, [], 'these names are refused');
  return `${names.length} names refused`;
}

// ---- floods ----

const storms = (count, make, pause) => async (target, ms) => {
  const sockets = (await openMany(target, count, (i) => join(target, { name: `storm ${i}` }))).filter((socket) => socket !== null);
  assert.ok(sockets.length > 0, 'some are let in');
  await Promise.all(sockets.map((socket, i) => flood(socket, (n) => make(i, n), ms, pause)));
  return `${sockets.length} clients`;
};

const cursors = storms(60, (i, n) => Buffer.concat(Array.from({ length: 20 }, (_, k) => message([flock.CURSOR, (i * 7 + n * 3 + k) % 500, 100]))), 20);
const renames = storms(20, (i, n) => message([flock.NAME, `${i}-${n}`.padEnd(60, 'x')]), 5);
const wants = storms(40, (i, n) => message([flock.WANT, (n * 7 + i) % 240, 1 + ((n * 13 + i) % 1000)]), 5);
const away = storms(30, (i, n) => message(n % 2 === 0 ? [flock.AWAY] : [flock.CURSOR, 10, 10]), 5);

// Guesses keys in bursts, and one key in each hello.
async function guesses(target, ms) {
  let sent = 0;
  let examined = 0;
  const end = now() + ms;
  const one = async () => {
    while (now() < end) {
      const socket = await join(target, { key: `guess-${sent}` });
      if (socket === null) {
        await sleep(20);
        continue;
      }
      socket.write(Buffer.concat(Array.from({ length: 470 }, (_, i) => message([flock.KEY, `guess-${sent + i}`]))));
      sent += 471;
      const began = now();
      while (!socket.gone && !socket.halved && now() - began < 400) await sleep(5);
      const refused = frames(socket.seen).filter(({ payload }) => payload.includes('not the room'));
      examined = Math.max(examined, refused.length);
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  assert.ok(examined <= 8, `of a burst of 470 keys ${examined} were examined; the sixth try ends the connection`);
  return `${sent} guesses, at most ${examined} examined on a connection`;
}

// Sends the right key after wrong keys. It must have no effect.
async function lateKey(target) {
  const socket = await joined(target, {});
  const keys = [...Array.from({ length: 20 }, (_, i) => `wrong-${i}-key`), target.key];
  socket.write(Buffer.concat(keys.map((key) => message([flock.KEY, key]))));
  const began = now();
  while (!socket.gone && !socket.halved && now() - began < 2000) await sleep(10);
  const roles = frames(socket.seen).filter(({ payload }) => payload[1] === flock.ROLE);
  assert.equal(roles.length, 0, 'the 21st guess is not looked at');
  assert.ok(socket.gone || socket.halved || closeCode(socket.seen) !== 0, 'who guesses is closed');
  return 'refused';
}

const takeOver = storms(1, () => Buffer.alloc(0), 1000);
async function tokens(target, ms) {
  const end = now() + ms;
  let count = 0;
  const one = async () => {
    while (now() < end) {
      const socket = await join(target, { token: randomBytes(16) });
      if (socket === null) await sleep(20);
      else count += 1;
      socket?.destroy();
    }
  };
  await Promise.all([...Array.from({ length: 10 }, one), takeOver(target, ms)]);
  return `${count} unknown tokens`;
}

// A presenter changes models, presets and boids at the highest allowed rate.
async function presenter(target, ms) {
  const socket = await joined(target, { key: target.key });
  const models = ['swarm', 'boids', 'vision', 'birds', 'steering'];
  const presets = ['bees', 'march', 'crowd', 'murmuration', 'original'];
  const make = (n) => {
    const value = (list) => list[n % list.length];
    const kinds = [
      [flock.SET, 'model', value(models)],
      [flock.SET, 'preset', value(presets)],
      [flock.ADD, 5, 5, 10_000],
      [flock.REMOVE, 10_000],
      [flock.SET, 'boundary', value(['open', 'wrap', 'walls'])],
      [flock.RESET],
    ];
    return message(kinds[(n * 5) % kinds.length]);
  };
  const times = await flood(socket, make, ms, 10);
  socket.write(Buffer.concat([message([flock.SET, 'model', 'swarm']), message([flock.SET, 'preset', 'original'])]));
  await sleep(300);
  return `${times} changes`;
}

// Makes a room whose ticks take too long. The server must drop only this room's ticks.
async function endlessTick(target, ms) {
  const socket = await joined(target, { key: target.key });
  assert.ok((await exaggerate(socket)) > 0, 'its parameters');
  for (let i = 0; i < 20; i += 1) socket.write(message([flock.ADD, 200, 200, 10_000]));
  await sleep(Math.max(ms, 2000));
  const began = now();
  const { status } = await exchange(target, head(target, 'GET', '/healthz', ['Connection: close']), { ms: 3000 });
  assert.equal(status, 200, '/healthz answers with 200');
  return `/healthz after ${Math.round(now() - began)} ms`;
}

async function stray(target, ms) {
  const end = now() + ms;
  let count = 0;
  while (now() < end) {
    const socket = await open(target);
    socket.write(randomBytes(1 + (count % 3000)));
    await Promise.race([socket.ended, sleep(20)]);
    socket.destroy();
    count += 1;
  }
  return `${count} connections with random bytes`;
}

export const messages = [
  { name: 'random-bytes', about: 'bytes that are no protocol', short: true, run: stray },
  { name: 'forbidden-frames', about: 'frames that RFC 6455 forbids', run: forbiddenFrames },
  { name: 'handshakes', about: 'handshakes that RFC 6455 forbids', run: handshakes },
  { name: 'control-floods', about: 'pings, pongs and empty fragments without end', run: controlFloods },
  { name: 'wrong-arguments', about: 'MessagePack bombs, and every message with every wrong argument', short: true, run: wrongArguments },
  { name: 'bad-names', about: 'names with every character that is none of a name', run: badNames },
  { name: 'cursors', about: 'cursors, 1,000 a second from each of 60 clients', run: cursors },
  { name: 'away', about: 'cursors that come and go', run: away },
  { name: 'renames', about: 'everyone renames himself without pause', short: true, run: renames },
  { name: 'wants', about: 'another stream with each message', run: wants },
  { name: 'guesses', about: 'guessed keys in bursts', short: true, run: guesses },
  { name: 'late-key', about: 'the right key behind twenty wrong ones', needs: 'key', outside: true, run: lateKey },
  { name: 'tokens', about: 'tokens that nobody was given', run: tokens },
  { name: 'presenter', about: 'a presenter changes everything all the time', needs: 'key', strained: true, run: presenter },
  { name: 'endless-tick', about: 'a flock that is made too expensive to tick', needs: 'own', strained: true, args: ['--model', 'birds', '--boids', '100'], run: endlessTick },
];
