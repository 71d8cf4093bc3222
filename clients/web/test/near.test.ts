// Near boids, and the layers that show them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { densityOf } from '../src/draw/density';
import { linksOf } from '../src/draw/links';
import { createNear, neighbourDistance, spreadBoids } from '../src/flock/near';
import type { Frame } from '../src/flock/timeline';
import type { Room } from '../src/net/protocol';
import { room } from './samples';

const SIDE = 1000; // quanta
const param = (name: string, value: number) => ({ name, value, unit: '', min: 0, max: 100, initial: value, text: '' });
const open = room({ quantum: 0.5, params: [param('noise', 1), param('view_radius', 30)] });
const torus = room({ ...open, boundary: 'wrap', period: [SIDE, SIDE / 2] });

function frameOf(points: readonly (readonly [number, number])[]): Frame {
  return { count: points.length, stride: 1, positions: Int16Array.from(points.flat()) } as unknown as Frame;
}

/** Boids on a curve that fills the world unevenly. */
const flockOf = (count: number): Frame =>
  frameOf(
    Array.from({ length: count }, (_, i) => [Math.round(490 * Math.sin(i * i)), Math.round(240 * Math.cos(7 * i + Math.sin(i)))] as const),
  );

function apart({ positions }: Frame, { period }: Room, i: number, j: number): number {
  const along = (axis: 0 | 1): number => {
    const way = Math.abs(positions[2 * i + axis] - positions[2 * j + axis]);
    return period === null ? way : Math.min(way, period[axis] - way);
  };
  return along(0) ** 2 + along(1) ** 2;
}

test('the nearest boids are those that a comparison with all others finds, in a torus around its edges', () => {
  for (const where of [open, torus])
    for (const count of [2, 5, 60, 500]) {
      const frame = flockOf(count);
      const near = createNear(frame, where);
      for (let i = 0; i < count; i += 7)
        for (const [most, distance] of [
          [1, Infinity],
          [3, 60],
          [3, Infinity],
          [8, 200],
        ] as const) {
          const all = Array.from({ length: count }, (_, j) => ({ j, square: apart(frame, where, i, j) })).filter(
            ({ j, square }) => j !== i && square < distance ** 2,
          );
          const wanted = all
            .map(({ square }) => square)
            .sort((a, b) => a - b)
            .slice(0, most);
          const found = near.of(i, most, distance);
          assert.deepEqual(
            found.map(({ square }) => square),
            wanted,
            `${count} boids, boid ${i}`,
          );
          assert.equal(new Set(found.map(({ boid }) => boid)).size, found.length, 'no boid twice');
        }
    }
});

test('neighbours are as near as the model looks', () => {
  assert.equal(neighbourDistance(open), 30);
  assert.equal(neighbourDistance(room({ params: [param('noise', 1)] })), 0);
});

test('a sample has each boid once, and none beyond the range of positions', () => {
  const frame = frameOf([
    [1, 1],
    [32_767, 1],
    [3, 3],
    [4, -32_768],
  ]);
  assert.deepEqual([...spreadBoids(frame)].sort(), [0, 2]);
  assert.equal(new Set(spreadBoids(flockOf(7919))).size, 7919);
});

test('links join neighbours alone, each pair once, to three for a boid that asks', () => {
  const line = frameOf([
    [0, 0],
    [50, 0],
    [100, 0],
    [400, 0],
  ]);
  const pairs = linksOf(line, open)
    .map((pair) => [...pair].sort().join('–'))
    .sort();
  assert.deepEqual(pairs, ['0–1', '1–2']);
  const around = frameOf([
    [-SIDE / 2 + 5, 0],
    [SIDE / 2 - 6, 0],
  ]);
  assert.deepEqual([linksOf(around, open).length, linksOf(around, torus).length], [0, 1]);
  assert.deepEqual(linksOf(line, room({ params: [] })), []);
});

test('a very large flock has links for a sample', () => {
  const links = linksOf(
    frameOf(Array.from({ length: 30_000 }, (_, i) => [(i % 200) * 5 - 500, Math.floor(i / 200) * 3 - 225] as const)),
    open,
  );
  assert.ok(links.length >= 300 && links.length <= 3010, `${links.length}`);
});

test('density is highest where most boids are, and 0 where none are', () => {
  const heap = Array.from({ length: 200 }, (_, i) => [100 + (i % 14), 50 + Math.floor(i / 14)] as const);
  const {
    columns,
    area: [left, top, width],
    cells,
  } = densityOf(frameOf([...heap, [-400, -200], [400, 200]]), open);
  const size = width / columns;
  const at = (x: number, y: number): number => cells[Math.floor((y - top) / size) * columns + Math.floor((x - left) / size)];
  assert.ok(at(107, 57) > 0.5, `${at(107, 57)} in the heap`);
  assert.ok(at(-400, -200) > 0 && at(-400, -200) < 0.2, `${at(-400, -200)} at a boid alone`);
  assert.equal(at(-200, 150), 0);
});
