import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Wall } from '../../net/protocol';
import { inside, snap } from './snap';

const walls: Wall[] = [
  [50, 50, 100, 50],
  [100, 58, 180, 90],
];
const world: [number, number] = [200, 100];

test('the end of a wall snaps to the nearest end of another wall', () => {
  assert.deepEqual(snap([53, 48], { walls, world }, 10), [50, 50]);
  assert.deepEqual(snap([101, 53], { walls, world }, 10), [100, 50]);
  assert.deepEqual(snap([101, 55], { walls, world }, 10), [100, 58]);
  assert.deepEqual(snap([120, 30], { walls, world }, 10), [120, 30], 'not to one that is far');
});

test('the end of a wall snaps to the edges of the world, and stays inside', () => {
  assert.deepEqual(snap([4, 30], { walls, world }, 10), [0, 30]);
  assert.deepEqual(snap([195, 96], { walls, world }, 10), [200, 100]);
  assert.deepEqual(snap([-40, 130], { walls, world }, 10), [0, 100]);
  assert.deepEqual(snap([90, 30], { walls: [], world }, 0), [90, 30]);
});

test('what is drawn beside the world comes to its edge', () => {
  assert.deepEqual(inside([-40, 30], world), [0, 30]);
  assert.deepEqual(inside([210, 130], world), [200, 100]);
  assert.deepEqual(inside([90, 30], world), [90, 30]);
});
