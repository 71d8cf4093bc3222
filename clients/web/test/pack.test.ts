// Packed messages of this client, decoded by a complete library for MessagePack.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from '@msgpack/msgpack';
import { type Value, pack } from '../src/net/pack';

const INTEGERS = [0, 1, 31, 32, 127, 128, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER];
const NEGATIVE = [-1, -32, -33, -128, -129, -32_768, -32_769, -(2 ** 31)];
const TEXTS = ['', 'Ada', 'あ', '한국어', '🐦', 'x'.repeat(31), 'x'.repeat(32), 'é'.repeat(200)];
const BYTES = [new Uint8Array(0), Uint8Array.from({ length: 16 }, (_, i) => i), new Uint8Array(300).fill(7)];

test('each value is packed as the library packs it', () => {
  const values: Value[] = [
    ...INTEGERS,
    ...NEGATIVE,
    0.5,
    -1.25,
    true,
    false,
    1e9 + 0.5,
    ...TEXTS,
    ...BYTES,
    [],
    [1, ['a'], {}],
    { a: 1, b: [2.5, 'c'] },
  ];
  for (const value of values) assert.deepEqual([...pack(value)], [...encode(value, { forceFloat32: true })], JSON.stringify(value));
});

test('a number beyond the range of integers is packed as a float', () => {
  for (const value of [-(2 ** 31) - 1, -(2 ** 60), 2 ** 60]) assert.equal(decode(pack(value)), value);
});

test('a message with too many elements is refused', () => {
  assert.throws(() => pack(Array.from({ length: 16 }, () => 1)), RangeError);
});
