import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room } from '../../../test/samples';
import type { Things } from '../../net/protocol';
import { createGlide } from './glide';
import { foodRadius } from './paint';

const hunters = (...all: [number, number][]): Things => ({ kind: 'things', food: [], hunters: all.map(([x, y]) => ({ x, y })) });
const plane = room({ world: [200, 100], boundary: 'walls' });
const torus = room({ world: [200, 100], boundary: 'wrap' });

test('a hunter moves from one message to the next', () => {
  const glide = createGlide();
  glide.take(hunters([10, 20]), plane, 1000);
  assert.deepEqual(glide.at(1050), [{ x: 10, y: 20, angle: 0 }]);
  glide.take(hunters([10, 40]), plane, 1100);
  assert.deepEqual(glide.at(1150), [{ x: 10, y: 30, angle: Math.PI / 2 }]);
  assert.deepEqual(glide.at(1200), glide.at(5000), 'it waits for the next message');
  assert.deepEqual(glide.at(5000), [{ x: 10, y: 40, angle: Math.PI / 2 }]);
  glide.take(hunters([10, 40]), plane, 5000);
  assert.equal(glide.at(5100)[0].angle, Math.PI / 2, 'a hunter at rest keeps its direction');
});

test('a hunter crosses the edge of a torus the short way', () => {
  const glide = createGlide();
  glide.take(hunters([195, 50]), torus, 0);
  glide.take(hunters([5, 50]), torus, 100);
  assert.deepEqual(glide.at(150), [{ x: 0, y: 50, angle: 0 }]);
  assert.deepEqual(glide.at(125), [{ x: 197.5, y: 50, angle: 0 }]);
});

test('a new hunter does not move there from another one', () => {
  const glide = createGlide();
  glide.take(hunters([10, 20]), plane, 0);
  glide.take(hunters([10, 20], [90, 90]), plane, 100);
  assert.deepEqual(
    glide.at(110).map(({ x, y }) => [x, y]),
    [
      [10, 20],
      [90, 90],
    ],
  );
});

test('food shrinks while boids eat it', () => {
  const sizes = [1, 100, 500, 1000, 1_000_000].map(foodRadius);
  for (let i = 1; i < 4; i++) assert.ok(sizes[i] > sizes[i - 1]);
  assert.equal(sizes[3], sizes[4]);
  assert.ok(sizes[0] > 3, 'the last unit can be seen');
});
