// The start page's moving pictures: what the build writes is what the page reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { line } from '../miniatures.mjs';
import { type Miniature, boidsAt, lengthOf, pathsOf, targetAt } from '../src/flock/miniature';

const FRAMES = 5;

function miniature(paths: readonly (readonly number[])[], more: Partial<Miniature> = {}): Miniature {
  const boids = paths.length / 2;
  return {
    width: 480,
    height: 320,
    torus: false,
    boids,
    frames: FRAMES,
    interval: 100,
    start: 0,
    walls: [],
    paths: paths.map(line).join(''),
    ...more,
  };
}

test('paths are read as they were written: standing, jumping, far and negative ones', () => {
  const paths = [
    [7, 7, 7, 7, 7],
    [0, 1, 3, 6, 10],
    [-480, 479, -480, 479, -480],
    [45, 46, -46, -45, 90],
    [4000, 3999, 0, 91, -91],
    [-1, 0, 1, 0, -1],
  ];
  const read = pathsOf(miniature(paths));
  const axes = paths.map((_, axis) => Array.from({ length: FRAMES }, (__, frame) => read[2 * ((axis >> 1) * FRAMES + frame) + (axis & 1)]));
  assert.deepEqual(axes, paths);
});

test('between two frames a boid moves evenly and heads where it goes', () => {
  const picture = miniature([
    [0, 10, 10, 10, 10],
    [0, 0, 20, 20, 20],
  ]);
  const paths = pathsOf(picture);
  assert.deepEqual(boidsAt(picture, paths, 50), [{ x: 5, y: 0, heading: 0 }]);
  assert.deepEqual(boidsAt(picture, paths, 125), [{ x: 10, y: 5, heading: Math.PI / 2 }]);
  assert.deepEqual(boidsAt(picture, paths, lengthOf(picture))[0].x, 10);
});

test('a path beyond the edge of a torus comes back at the other edge', () => {
  const picture = miniature(
    [
      [470, 490, 500, 500, 500],
      [-10, -10, -10, -10, -10],
    ],
    { torus: true },
  );
  const paths = pathsOf(picture);
  assert.deepEqual(boidsAt(picture, paths, 100)[0], { x: 10, y: 310, heading: 0 });
});

test('the target is on the path that a room leads its flock when no cursor is active', () => {
  const [x, y] = targetAt(miniature([]), 20_000);
  assert.ok(Math.abs(x - 480 * (0.5 + 0.3 * Math.sin((2 * Math.PI * 20) / 23))) < 1e-9);
  assert.ok(Math.abs(y - 320 * (0.5 + 0.3 * Math.sin((2 * Math.PI * 20) / 31 + 1))) < 1e-9);
});
