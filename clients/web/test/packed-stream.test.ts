// Compares the page's decoder of packed boids with flockd's own: 10,000 frames that build/packed-stream writes (make unit), some
// lost, some damaged. Both decoders must return the same result for each frame, and have the same boids after it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { BOID_SIZE } from '../src/net/protocol';
import { createPackedDecoder } from '../src/net/packed';

const RESULTS = ['ok', 'lost', 'malformed'];

/** FNV-1a. */
function digest(...parts: Uint8Array[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) for (const byte of part) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

for (const seed of ['1', '2']) {
  test(`the page's and flockd's decoders agree after each frame of a hostile stream, seed ${seed}`, () => {
    const stream = execFileSync(`${REPOSITORY}/build/packed-stream`, [seed], { maxBuffer: 1 << 26 });
    const decoder = createPackedDecoder();
    const seen = new Map<string, number>();
    for (let at = 0, number = 1; at < stream.length; number++) {
      const size = stream.readUInt32LE(at);
      const result = decoder.decode(stream.subarray(at + 4, at + 4 + size));
      at += 4 + size;
      const positions = decoder.positions();
      assert.deepEqual(
        [result, positions.length / BOID_SIZE, digest(positions, decoder.headings() ?? new Uint8Array())],
        [RESULTS[stream[at]], stream.readUInt32LE(at + 1), stream.readUInt32LE(at + 5)],
        `frame ${number}`,
      );
      at += 9;
      seen.set(result, (seen.get(result) ?? 0) + 1);
    }
    for (const result of RESULTS) assert.ok((seen.get(result) ?? 0) > 100, `${result}: ${seen.get(result)}`);
  });
}
