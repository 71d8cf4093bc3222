// The WebSocket itself, as in RFC 6455: the cases of Autobahn's groups 1 to 7 and 9 that fit a server of binary messages of at most
// 1,024 bytes. Also the upgrade and floods, which Autobahn leaves out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from '@msgpack/msgpack';
import { ERROR, hello, PING as ASK, PONG as ANSWER, readError, WELCOME } from './messages.mjs';
import { answerTo, BINARY, CLOSE, closing, CONTINUATION, frame, message, open, PING, PONG, request, TEXT } from './raw-websocket.mjs';
import { startServer } from './server.mjs';

const bytes = (length, byte = 0x2a) => Buffer.alloc(length, byte);
const split = (data, ...at) => [0, ...at].map((from, i) => data.subarray(from, at[i]));

// Whether the server still answers requests.
async function assertWell(raw, what) {
  const number = raw.frames.length;
  raw.send(message([ASK, number]));
  await raw.until(`${what}: an answer`, () =>
    raw.frames.slice(number).some(({ opcode, payload }) => {
      if (opcode !== BINARY) return false;
      const [type, t] = /** @type {any} */ (decode(payload));
      return type === ANSWER && t === number;
    }),
  );
  assert.equal(raw.ended, false, what);
  assert.ok(raw.frames.every(({ fin, rsv, masked }) => fin && rsv === 0 && !masked), `${what}: frames as a server sends them`);
}

const join = async (t, server, options) => {
  const raw = await open(t, server.port, options);
  await raw.hello();
  return raw;
};

// Each case has its own connection, all at once: [name, bytes, code of the close]. null: maybe no close frame.
async function assertClosed(t, server, cases) {
  await Promise.all(
    cases.map(async ([what, sent, ...codes]) => {
      const raw = await join(t, server);
      raw.send(sent);
      const { code } = await raw.untilEnded();
      assert.ok(codes.includes(code), `${what}: ${code}, expected ${codes}`);
    }),
  );
}

test('the server answers an upgrade as in RFC 6455', async (t) => {
  const server = await startServer(t);
  for (const change of [{}, { Connection: 'keep-alive, Upgrade' }, { Upgrade: 'WebSocket' }, { 'Sec-WebSocket-Extensions': 'permessage-deflate' }]) {
    const { head } = await open(t, server.port, { change });
    assert.match(head, /^HTTP\/1\.1 101 /);
    assert.match(head, /^Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r?$/im);
    assert.match(head, /^Sec-WebSocket-Protocol: flock\.v1\r?$/im);
    assert.doesNotMatch(head, /^Sec-WebSocket-Extensions:/im);
  }
});

test('an upgrade that RFC 6455 does not allow is refused with the reason', async (t) => {
  const server = await startServer(t);
  /** @type {[status: number, word: string, change: object, line?: object][]} */
  const refused = [
    [400, 'Host', { Host: null }],
    [400, 'Connection', { Connection: null }],
    [400, 'Connection', { Connection: 'keep-alive' }],
    [400, 'Key', { 'Sec-WebSocket-Key': null }],
    [400, 'Key', { 'Sec-WebSocket-Key': 'c2hvcnQ=' }],
    [400, 'Key', { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25j!!==' }],
    [400, 'HTTP/1.1', {}, { version: '1.0' }],
    [400, 'GET', {}, { method: 'POST' }],
    [426, 'version', { 'Sec-WebSocket-Version': '8' }],
    [426, 'version', { 'Sec-WebSocket-Version': '0' }],
    [426, 'version', { 'Sec-WebSocket-Version': '13, 8' }],
    [426, 'version', { 'Sec-WebSocket-Version': null }],
  ];
  for (const [status, word, change, line] of refused) {
    const answer = await answerTo(t, server.port, request(server.port, change, line));
    assert.match(answer, new RegExp(`^HTTP/1\\.[01] ${status} [^]*\r\n\r\n.*${word}`), `${JSON.stringify(change)}: ${answer}`);
    assert.equal(/^sec-websocket-version: 13\r$/im.test(answer), status === 426, answer);
  }
});

test('1: a message may come in one frame, one byte a segment, or with a longer length field than necessary', async (t) => {
  const server = await startServer(t);
  const asked = encode([ASK, 7]);
  await Promise.all([
    ...[1, 2, 8].map(async (length) => {
      const raw = await join(t, server);
      raw.send(frame(BINARY, asked, { length }));
      await assertWell(raw, `a length in ${length} bytes`); // libwebsockets accepts non-minimal lengths
    }),
    (async () => {
      const raw = await open(t, server.port);
      await raw.sendBytewise(message(hello()));
      await raw.next(BINARY);
      await raw.sendBytewise(frame(BINARY, asked));
      await assertWell(raw, 'bytewise');
    })(),
    // Sizes with different forms of the length. None is a message of flock.v1, so the server answers with errors.
    ...[0, 125, 126, 127, 128, 1023, 1024].map(async (size) => {
      const raw = await join(t, server);
      raw.send(frame(BINARY, bytes(size)));
      await raw.untilEnded();
      const error = raw.frames.filter(({ opcode, payload }) => opcode === BINARY && payload[1] === ERROR).at(-1);
      assert.equal(readError(/** @type {any} */ (decode(error.payload))).code, 'malformed', `${size} bytes`);
    }),
  ]);
});

test('2: a pong repeats the ping\'s bytes; pongs get no answer', async (t) => {
  const server = await startServer(t);
  for (const payload of [[], Buffer.from('Hello, world!'), Buffer.of(0, 255, 254, 253, 252, 251, 0, 255), bytes(125, 254)]) {
    const raw = await join(t, server);
    raw.send(frame(PONG, payload), frame(PONG, 'unasked'), frame(PING, payload));
    assert.deepEqual([...(await raw.next(PONG)).payload], [...Buffer.from(payload)]);
    await assertWell(raw, `a ping of ${payload.length} bytes`);
    assert.equal(raw.frames.filter(({ opcode }) => opcode === PONG).length, 1);
  }
  const raw = await join(t, server);
  await raw.sendBytewise(frame(PING, bytes(125, 254)));
  assert.equal((await raw.next(PONG)).payload.length, 125);
  for (let i = 0; i < 10; i++) {
    const from = raw.frames.length;
    raw.send(frame(PING, [i]));
    assert.deepEqual([...(await raw.next(PONG, from)).payload], [i]);
  }
});

test('2, 3, 4: control frames that are too long, reserved bits and opcodes end the connection', async (t) => {
  const server = await startServer(t);
  /** @type {[opcode: number, payload: any][]} */
  const kinds = [[BINARY, [0x91, 3]], [PING, []], [PONG, []], [CLOSE, closing(1000)]];
  await assertClosed(t, server, [
    ['a ping of 126 bytes', frame(PING, bytes(126)), 1002, null],
    ['a close of 126 bytes', frame(CLOSE, closing(1000, bytes(124))), 1002, null],
    ...kinds.flatMap(([opcode, payload]) => [1, 2, 3, 4, 5, 6, 7].map((rsv) => [`bits ${rsv} of ${opcode}`, frame(opcode, payload, { rsv }), 1002])),
    ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => [`the opcode ${opcode}`, frame(opcode, [1]), 1002]),
    ['a length of 2^63', Buffer.of(0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4), 1002, null],
  ]);
});

test('5: fragments with control frames between them are one message', async (t) => {
  const server = await startServer(t);
  const asked = encode([ASK, 1_000_000]);
  for (const between of [[], [frame(PING, 'between')], [frame(PONG, 'between')]]) {
    const raw = await join(t, server);
    const from = raw.frames.length;
    const [first, second, third] = split(asked, 1, 4);
    raw.send(frame(BINARY, first, { fin: false }), ...between, frame(CONTINUATION, [], { fin: false }), frame(CONTINUATION, second, { fin: false }), ...between);
    raw.send(frame(CONTINUATION, third), ...between);
    await raw.until('the answer', () => raw.frames.slice(from).some(({ opcode, payload }) => opcode === BINARY && payload[1] === ANSWER));
    await assertWell(raw, `with ${between.length} between`);
  }
});

test('5: fragments out of order, and control frames in fragments, end the connection', async (t) => {
  const server = await startServer(t);
  const begun = frame(BINARY, [0x91], { fin: false });
  await assertClosed(t, server, [
    ['a ping in fragments', Buffer.concat([frame(PING, 'one', { fin: false }), frame(CONTINUATION, 'two')]), 1002],
    ['a pong in fragments', frame(PONG, [], { fin: false }), 1002],
    ['a close in fragments', frame(CLOSE, closing(1000), { fin: false }), 1002],
    ['a continuation of nothing', frame(CONTINUATION, [3]), 1002],
    ['a fragment that continues nothing', frame(CONTINUATION, [3], { fin: false }), 1002],
    ['a continuation after the end', Buffer.concat([begun, frame(CONTINUATION, [3]), frame(CONTINUATION, [3])]), 1002],
    ['another message within one', Buffer.concat([begun, frame(BINARY, [0x91, 3])]), 1002],
    ['another beginning within one', Buffer.concat([begun, begun]), 1002],
  ]);
});

test('6: text is refused, well-formed or not', async (t) => {
  const server = await startServer(t);
  await assertClosed(
    t,
    server,
    ['Hello-µ@ßöäüàá-UTF-8!!', '', Buffer.of(0xce, 0xba, 0xe1, 0xbd, 0xed, 0xa0, 0x80)].map((text) => ['text', frame(TEXT, text), 1003]),
  );
});

test('7: the server answers a close with its code, and reads nothing after it', async (t) => {
  const server = await startServer(t);
  await assertClosed(t, server, [
    ['without a code', frame(CLOSE), null],
    ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999].map((code) => [`${code}`, frame(CLOSE, closing(code)), code]),
    ['with a reason', frame(CLOSE, closing(1000, 'that is all ☺')), 1000],
    ['with the longest reason', frame(CLOSE, closing(1000, bytes(123))), 1000],
    ['twice', Buffer.concat([frame(CLOSE, closing(1000)), frame(CLOSE, closing(1001))]), 1000, null],
    ['with a ping after it', Buffer.concat([frame(CLOSE, closing(1000)), frame(PING, 'late')]), 1000],
    ['with a message after it', Buffer.concat([frame(CLOSE, closing(1000)), message([ASK, 1])]), 1000],
    ['within a message', Buffer.concat([frame(BINARY, [0x91], { fin: false }), frame(CLOSE, closing(1000))]), 1000],
  ]);
});

test('7: the server answers an invalid close with another code', async (t) => {
  const server = await startServer(t);
  await assertClosed(t, server, [
    ['half a code', frame(CLOSE, [3]), 1002],
    ...[0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999].map((code) => [`${code}`, frame(CLOSE, closing(code)), 1002]),
    ['a reason that is not UTF-8', frame(CLOSE, Buffer.concat([closing(1000), Buffer.of(0xce, 0xba, 0xed, 0xa0, 0x80)])), 1007],
    ['a reason that ends within a character', frame(CLOSE, Buffer.concat([closing(1000), Buffer.of(0xe2, 0x98)])), 1007],
  ]);
});

test('9: a message of more than 1,024 bytes is refused at its beginning, whole or in fragments', async (t) => {
  const server = await startServer(t);
  const million = frame(BINARY, bytes(1 << 20));
  await assertClosed(t, server, [
    ['1,025 bytes', frame(BINARY, bytes(1025)), 1009],
    ['64 KB', frame(BINARY, bytes(65536)), 1009],
    ['the head of 16 MB', Buffer.of(0x82, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, ...bytes(300)), 1009],
    ['1 MB', million, 1009, null],
    ['in fragments', Buffer.concat(Array(17).fill(frame(BINARY, bytes(64), { fin: false })).map((each, i) => (i === 0 ? each : frame(CONTINUATION, bytes(64), { fin: false })))), 1009],
  ]);
});

test('the server closes connections with frames without a mask', async (t) => {
  const server = await startServer(t);
  const first = await open(t, server.port);
  first.send(frame(BINARY, encode(hello()), { masked: false }));
  const { code, reason } = await first.untilEnded();
  assert.equal(code, 1002);
  assert.match(reason, /mask/);
  assert.ok(first.frames.every(({ opcode, payload }) => opcode !== BINARY || payload[1] !== WELCOME), 'it was not let in');
  const later = await join(t, server);
  for (let i = 0; i < 50; i++) later.send(frame(BINARY, encode([ASK, i]), { masked: false }));
  assert.equal((await later.untilEnded()).code, 1002);
});

test('the server closes connections that send before the upgrade is answered', async (t) => {
  const server = await startServer(t);
  const raw = await open(t, server.port, { early: message(hello()) });
  assert.equal((await raw.untilEnded()).code, 1002);
});

test('a flood of control frames or empty fragments ends the connection, and a few do not', async (t) => {
  const server = await startServer(t);
  const good = await join(t, server);
  const floods = {
    pings: frame(PING),
    'long pings': frame(PING, bytes(125)),
    pongs: frame(PONG),
    'pongs that nobody asked for': frame(PONG, [1, 2, 3, 4]),
    fragments: frame(CONTINUATION, [], { fin: false }),
  };
  const timer = setInterval(() => good.send(frame(PING, 'I am here'), frame(PONG, 'and here')), 50);
  t.after(() => clearInterval(timer));
  await Promise.all(
    Object.entries(floods).map(async ([what, each]) => {
      const raw = await join(t, server);
      if (what === 'fragments') raw.send(frame(BINARY, [0x91], { fin: false }));
      const many = Buffer.concat(Array(Math.ceil(20_000 / each.length)).fill(each)); // more than may come in four seconds
      const sending = setInterval(() => !raw.socket.destroyed && raw.socket.writableLength === 0 && raw.send(many), 20);
      t.after(() => clearInterval(sending));
      const { code, reason } = await raw.untilEnded();
      clearInterval(sending);
      assert.equal(code, 3503, what);
      assert.match(reason, /outside messages/);
    }),
  );
  await assertWell(good, 'a few');
});
