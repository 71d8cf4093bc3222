// The server's messages, packed by a complete library for MessagePack.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import { unpack } from '../src/net/unpack';

const EDGES = [0, 1, 127, 128, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER];
const NUMBERS = [...EDGES, ...EDGES.map((edge) => -edge - 1), 0.5, -1.25, Math.PI, Infinity];
const TEXTS = ['', 'Ada', 'あ', '한국어', '🐦', ...[31, 32, 255, 256, 16_384].map((length) => 'x'.repeat(length))];
const BYTES = [0, 1, 255, 256, 65_536].map((length) => new Uint8Array(length).fill(7));
const LISTS = [0, 15, 16, 1024].map((length) => Array.from({ length }, (_, i) => i));
const MAPS = [0, 1, 15, 16, 256].map((size) => Object.fromEntries(Array.from({ length: size }, (_, i) => [`key ${i}`, [i]])));
const MESSAGE = [7, 'room', null, true, false, { name: 'Ada', at: [1.5, -2], packed: new Uint8Array([1, 2]) }];

test('each value is read as the library has packed it', () => {
  for (const value of [...NUMBERS, ...TEXTS, ...BYTES, ...LISTS, ...MAPS, MESSAGE]) assert.deepEqual(unpack(encode(value)), value);
  assert.deepEqual(unpack(encode([0.5], { forceFloat32: true })), [0.5]);
});

test('every form of a size and a number is read', () => {
  const forms: [unknown, ...number[]][] = [
    [1, 0xcf, 0, 0, 0, 0, 0, 0, 0, 1],
    [-1, 0xd3, ...new Array<number>(8).fill(0xff)],
    ['a', 0xdb, 0, 0, 0, 1, 0x61],
    [[5], 0xdd, 0, 0, 0, 1, 5],
    [{ a: 5 }, 0xdf, 0, 0, 0, 1, 0xd9, 1, 0x61, 5],
    [new Uint8Array([9]), 0xc6, 0, 0, 0, 1, 9],
  ];
  for (const [value, ...bytes] of forms) assert.deepEqual(unpack(Uint8Array.from(bytes)), value);
});

test('a message in a part of a buffer is read', () => {
  const whole = Uint8Array.from([99, ...encode(MESSAGE), 99]);
  assert.deepEqual(unpack(whole.subarray(1, -1)), MESSAGE);
  assert.deepEqual(unpack(encode(MESSAGE).slice().buffer), MESSAGE);
});

test('a message that ends early, goes on, is too large or is no message is refused', () => {
  const whole = encode(MESSAGE);
  for (let size = 0; size < whole.length; size++) assert.throws(() => unpack(whole.subarray(0, size)), `${size} bytes`);
  assert.throws(() => unpack(Uint8Array.from([...whole, 0])), /message/);
  for (const large of ['x'.repeat(16_385), new Array(1025).fill(0), Object.fromEntries(Array.from({ length: 257 }, (_, i) => [i, i]))])
    assert.throws(() => unpack(encode(large)), /size/);
  for (const bytes of [[0xc1], [0xc7, 1, 1, 1], [0xd4, 1, 1], [0xc6, 0xff, 0xff, 0xff, 0xff]])
    assert.throws(() => unpack(Uint8Array.from(bytes)));
});

test('keys that are no names are left out', () => {
  assert.deepEqual(unpack(Uint8Array.from([0x82, 5, 0x91, 6, 0xa1, 0x61, 7])), { a: 7 });
  assert.deepEqual(unpack(encode({ ['__proto__']: { a: 1 }, b: 2 })), { b: 2 });
});

test('a million nested arrays are refused', () => {
  assert.throws(() => unpack(new Uint8Array(1_000_000).fill(0x91)), RangeError);
});
