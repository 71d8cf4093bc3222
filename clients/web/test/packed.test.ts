import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type PackedDecoder, type PackedResult, createPackedDecoder } from '../src/net/packed';

interface Frame {
  hex: string;
  result: PackedResult;
  positions?: [number, number][];
  headings?: number[] | null;
}

const { packed } = JSON.parse(readFileSync(`${REPOSITORY}/protocol/vectors/vectors.json`, 'utf8')) as {
  packed: { name: string; frames: Frame[] }[];
};

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

function places(decoder: PackedDecoder): [number, number][] {
  const { buffer, byteOffset, byteLength } = decoder.positions();
  const view = new DataView(buffer, byteOffset, byteLength);
  return Array.from({ length: byteLength / 4 }, (_, i) => [view.getInt16(4 * i, true), view.getInt16(4 * i + 2, true)]);
}

/** Decodes the frame and compares the result with the vector. known: the last frame that was decoded. */
function hold(decoder: PackedDecoder, frame: Frame, data: Uint8Array, known: Frame | undefined): void {
  assert.equal(decoder.decode(data), frame.result);
  assert.deepEqual(places(decoder), (frame.result === 'ok' ? frame : known)?.positions ?? []);
  const headings = decoder.headings();
  assert.deepEqual(headings === null ? null : [...headings], frame.headings ?? null);
}

for (const { name, frames } of packed) {
  test(`packed: ${name}`, () => {
    const decoder = createPackedDecoder();
    let known: Frame | undefined;
    for (const frame of frames) {
      hold(decoder, frame, bytes(frame.hex), known);
      if (frame.result === 'ok') known = frame;
    }
  });
}

test('frames can be at any offset of their messages, and are not retained', () => {
  for (const { frames } of packed) {
    for (let offset = 0; offset < 4; offset++) {
      const decoder = createPackedDecoder();
      let known: Frame | undefined;
      for (const frame of frames) {
        const data = bytes(frame.hex);
        const message = new Uint8Array(offset + data.length + 5).fill(0xa5);
        message.set(data, offset);
        hold(decoder, frame, message.subarray(offset, offset + data.length), known);
        if (frame.result === 'ok') known = frame;
        message.fill(0);
        assert.deepEqual(places(decoder), known?.positions ?? []);
      }
    }
  }
});

test('a frame cut at any byte is malformed, and the picture stays', () => {
  for (const { name, frames } of packed) {
    frames.forEach((frame, index) => {
      if (frame.result !== 'ok') return;
      const before = frames.slice(0, index);
      const whole = bytes(frame.hex);
      for (let size = 0; size < whole.length; size++) {
        const decoder = createPackedDecoder();
        for (const each of before) decoder.decode(bytes(each.hex));
        const shown = places(decoder);
        assert.equal(decoder.decode(whole.subarray(0, size)), 'malformed', `${name}, ${size} bytes`);
        assert.equal(decoder.headings(), null);
        assert.deepEqual(places(decoder), shown);
      }
    });
  }
});

test('random bytes never throw, and never give more boids than they can hold', () => {
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48_271) % 0x7fffffff) % below;
  const decoder = createPackedDecoder();
  const results = new Set<PackedResult>();
  for (let round = 0; round < 20_000; round++) {
    const { frames } = packed[random(packed.length)];
    const data = bytes(frames[random(frames.length)].hex);
    for (let flips = random(4); flips > 0 && data.length > 0; flips--) data[random(data.length)] = random(256);
    const before = decoder.positions().length;
    const result = decoder.decode(data);
    results.add(result);
    assert.ok(decoder.positions().length <= Math.max(before, data.length));
    if (result !== 'ok') assert.equal(decoder.headings(), null);
  }
  assert.deepEqual([...results].sort(), ['lost', 'malformed', 'ok']);
});
