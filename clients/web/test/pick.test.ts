// The boid at a point of the window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Camera } from '../src/draw/camera';
import { pickBoid } from '../src/draw/pick';
import type { Shown } from '../src/flock/model';
import type { Frame } from '../src/flock/timeline';
import { room } from './samples';

const CAMERA = { scale: 2, left: 10, top: 20 } as Camera;
const frame = { stride: 3, count: 3, positions: Int16Array.from([0, 0, 10, 0, 32767, 0]) } as Frame;
const SHOWN: Shown = {
  room: room({ world: [100, 100], quantum: 1, boundary: 'open', period: null }),
  moment: { a: frame, b: frame, alpha: 0, perMs: 0 },
};

test('the nearest drawn boid is picked by its number in the flock, and none beyond the reach', () => {
  // The first two boids are at 110, 120 and 130, 120 in the window. The third one is somewhere beyond the range.
  const pick = (x: number, y: number): number | null => pickBoid(SHOWN, CAMERA, x, y, 24);
  assert.deepEqual([pick(112, 120), pick(124, 118), pick(130, 143), pick(130, 145)], [0, 3, 3, null]);
  assert.equal(pickBoid(null, CAMERA, 110, 120, 24), null);
});
