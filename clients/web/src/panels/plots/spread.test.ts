import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room } from '../../../test/samples';
import type { Frame } from '../../flock/timeline';
import { BARS, SECTORS, barsOf, distancesOf, headingsOf } from './spread';

const SIDE = 1600; // quanta
const open = room({ quantum: 0.5, period: null });
const torus = room({ quantum: 0.5, boundary: 'wrap', period: [SIDE, SIDE / 2] });

/** Pseudorandom numbers, 0 to 1: xorshift. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function frameOf(points: readonly (readonly [number, number])[], some: Partial<Frame> = {}): Frame {
  return { count: points.length, stride: 1, flock: points.length, positions: Int16Array.from(points.flat()), ...some } as Frame;
}

function scattered(count: number, seed: number, width = SIDE, height = SIDE / 2): Frame {
  const random = createRandom(seed);
  return frameOf(Array.from({ length: count }, () => [Math.floor((random() - 0.5) * width), Math.floor((random() - 0.5) * height)] as const));
}

/** Compares each boid with each other. */
function compared({ positions, count }: Frame, { quantum, period }: typeof open): number[] {
  const way = (from: number, to: number, axis: 0 | 1): number => {
    const d = Math.abs(from - to);
    return period === null ? d : Math.min(d, period[axis] - d);
  };
  return Array.from({ length: count }, (_, i) => {
    const all = Array.from({ length: count }, (__, j) =>
      j === i ? Infinity : Math.sqrt(way(positions[2 * i], positions[2 * j], 0) ** 2 + way(positions[2 * i + 1], positions[2 * j + 1], 1) ** 2),
    );
    return Math.min(...all) * quantum;
  }).sort((a, b) => a - b);
}

const sorted = (values: Float64Array | null): number[] => [...(values ?? [])].sort((a, b) => a - b);

test('each boid’s distance is that to its nearest other, in a torus the shorter way', () => {
  for (const [where, seed] of [[open, 1], [torus, 2]] as const)
    for (const count of [2, 3, 17, 400])
      assert.deepEqual(sorted(distancesOf(scattered(count, seed * count), where)), compared(scattered(count, seed * count), where), `${count}`);
});

test('boids in a small heap, in a line, and at the same place have their distances, too', () => {
  for (const where of [open, torus]) {
    const heap = scattered(300, 5, 30, 30);
    const line = frameOf(Array.from({ length: 50 }, (_, i) => [3 * i * i - 700, 7] as const).filter(([x]) => x < 790));
    const same = frameOf([[5, 5], [5, 5], [90, -40]]);
    for (const each of [heap, line, same]) assert.deepEqual(sorted(distancesOf(each, where)), compared(each, where));
  }
});

test('of a large flock a sample is looked at', () => {
  assert.equal(distancesOf(scattered(7919, 3), torus)?.length, 2000);
  const heap = distancesOf(scattered(20_000, 4, 40, 40), torus);
  assert.ok(heap !== null && heap.length > 20 && heap.length < 2000, `${heap?.length} of a heap`);
});

test('a part of a flock says nothing about distances', () => {
  assert.equal(distancesOf(scattered(100, 6), open)?.length, 100);
  assert.equal(distancesOf({ ...scattered(100, 6), stride: 2 }, open), null);
  assert.equal(distancesOf(scattered(1, 6), open), null);
});

test('boids beyond the range of positions are left out', () => {
  assert.equal(distancesOf(frameOf([[0, 0], [10, 0], [32_767, 0]]), open)?.length, 2);
});

test('headings are counted by sector; boids without one are not', () => {
  const headings = Int16Array.from([32_767, 0, 32_000, -100, 0, 32_767, -32_767, 0, 0, 0]);
  const { counts, of } = headingsOf({ count: 5, headings } as Frame);
  assert.deepEqual([of, counts[0], counts[SECTORS / 4], counts[SECTORS / 2]], [4, 2, 1, 1]);
});

test('bars have all distances; the last bar has the largest', () => {
  const { counts, of } = barsOf(Float64Array.from([0, 0.4, 9.99, 10]), 10);
  assert.deepEqual([counts[0], counts[BARS - 1], of], [2, 2, 4]);
});
