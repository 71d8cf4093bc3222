// The leader of each boid, and colours with enough contrast to the ground.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useGround } from '../src/draw/grounds';
import { GROUNDS } from '../src/draw/grounds/table';
import { COLORS, THEMES } from '../src/draw/scene';
import { createTerritory, isInformed, onGround } from '../src/draw/territory';
import type { Frame } from '../src/flock/timeline';
import { PEOPLE, contrast } from './contrast';
import { room } from './samples';

const WORLD = room({ world: [960, 600], quantum: 1 });
const TORUS = room({ world: [960, 600], quantum: 1, boundary: 'wrap', period: [960, 600] });

let serial = 0;
/** A frame of boids at these points of the world. */
const frame = (...points: [number, number][]): Frame =>
  ({
    serial: ++serial,
    stride: 1,
    count: points.length,
    positions: Int16Array.from(points.flatMap(([x, y]) => [x - 480, y - 300])),
  }) as Frame;

test('a boid belongs to the nearest leader', () => {
  const territory = createTerritory();
  territory.divide(
    [
      { x: 100, y: 300, index: 1 },
      { x: 500, y: 300, index: 2 },
    ],
    WORLD,
    0,
  );
  assert.deepEqual([...territory.of(frame([0, 0], [285, 10], [315, 590], [959, 599]), WORLD)].slice(0, 4), [1, 1, 2, 2]);
});

test('around a torus the shorter way counts, and elsewhere it does not', () => {
  const leaders = [
    { x: 100, y: 300, index: 1 },
    { x: 500, y: 300, index: 2 },
  ];
  for (const [here, expected] of [
    [TORUS, 1],
    [WORLD, 2],
  ] as const) {
    const territory = createTerritory();
    territory.divide(leaders, here, 0);
    assert.equal(territory.of(frame([900, 300]), here)[0], expected);
  }
});

test('a boid beyond the world has the leader of the nearest edge', () => {
  const territory = createTerritory();
  territory.divide(
    [
      { x: 10, y: 300, index: 1 },
      { x: 950, y: 300, index: 2 },
    ],
    WORLD,
    0,
  );
  assert.deepEqual([...territory.of(frame([-4000, -900], [9000, 4000]), WORLD)].slice(0, 2), [1, 2]);
});

test('leaders that move take boids of the same snapshot with them', () => {
  const territory = createTerritory();
  const boids = frame([300, 300]);
  territory.divide(
    [
      { x: 0, y: 300, index: 1 },
      { x: 500, y: 300, index: 2 },
    ],
    WORLD,
    0,
  );
  assert.equal(territory.of(boids, WORLD)[0], 2);
  territory.divide(
    [
      { x: 290, y: 300, index: 1 },
      { x: 500, y: 300, index: 2 },
    ],
    WORLD,
    0,
  );
  assert.equal(territory.of(boids, WORLD)[0], 1);
});

test('a boid that is not informed has no leader, also in a part of the flock', () => {
  const territory = createTerritory();
  territory.divide([{ x: 100, y: 300, index: 1 }], WORLD, 5);
  const of = (share: number, stride: number): number[] => {
    const boids = { ...frame([1, 1], [2, 2], [3, 3], [4, 4]), stride };
    const params = [{ name: 'informed', unit: '', min: 0, max: 1, initial: 1, value: share, text: '' }];
    return [...territory.of(boids, { ...WORLD, params })].slice(0, 4);
  };
  assert.deepEqual(of(0.5, 1), [5, 1, 5, 1]);
  assert.deepEqual(of(0.5, 2), [5, 5, 5, 5], 'boids 0, 2, 4 and 6');
  assert.deepEqual(of(0, 1), [5, 5, 5, 5]);
  assert.deepEqual(of(1, 1), [1, 1, 1, 1]);
  const share = Math.fround(0.1);
  assert.equal(Array.from({ length: 1000 }, (_, boid) => boid).filter((boid) => isInformed(boid, share)).length, 100);
});

/** Their light theme is between dark and light. Their balls and sheep have an outline. */
const BETWEEN = ['cloth', 'meadow'];

test('a colour of a person stands out from every ground', () => {
  for (const [name, ground] of [['none', undefined] as const, ...Object.entries(GROUNDS)]) {
    useGround(ground);
    for (const theme of THEMES) {
      if (theme === 'light' && BETWEEN.includes(name)) continue;
      const { middle, edge } = COLORS[theme];
      for (const color of PEOPLE) {
        for (const below of [middle, edge]) {
          const found = contrast(onGround(color, COLORS[theme]), below);
          assert.ok(found >= 3, `${color.toString(16)} on ${name}, ${theme}: ${found.toFixed(2)}`);
        }
      }
    }
  }
  useGround(undefined);
});
