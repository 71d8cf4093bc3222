import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCrowd, measure } from '../src/flock/crowd';
import { type Frame, createTimeline } from '../src/flock/timeline';
import { room, snapshot } from './samples';

/** Returns a frame with boids on a square grid around the world's middle. side: of the grid, world units. */
function grid(count: number, side: number): Frame {
  const columns = Math.ceil(Math.sqrt(count));
  const at = (i: number): number => Math.round(((i / (columns - 1)) * side - side / 2) * 16);
  const timeline = createTimeline(room(), 30);
  const boids = Array.from({ length: count }, (_, i): [number, number] => [at(i % columns), at(Math.floor(i / columns))]);
  timeline.push(snapshot({ time: 0, boids }), 0);
  return timeline.newest() as Frame;
}

test('the spacing of a flock is that of its boids', () => {
  for (const [count, side] of [
    [100, 300],
    [400, 200],
    [10_000, 390],
  ]) {
    const spacing = measure(grid(count, side), room());
    const even = side / Math.sqrt(count);
    assert.ok(spacing > 0.85 * even && spacing < 1.25 * even, `${count} in ${side}: ${spacing}, not ${even}`);
  }
});

test('a flock at one point, or without a boid in range, still has a size', () => {
  for (const [x, y] of [
    [0, 0],
    [-32768, 0],
  ]) {
    const timeline = createTimeline(room(), 30);
    timeline.push(
      snapshot({
        time: 0,
        boids: [
          [x, y],
          [x, y],
        ],
      }),
      0,
    );
    const spacing = measure(timeline.newest() as Frame, room());
    assert.ok(spacing > 1 && spacing < 600, String(spacing));
  }
});

test('the spacing follows slowly, but at once when the number of boids changes', () => {
  const crowd = createCrowd();
  const wide = crowd.follow(grid(100, 300), room(), 16);
  const dense = { ...grid(100, 30), serial: 2 };
  const first = crowd.follow(dense, room(), 16);
  assert.ok(first > 0.95 * wide && first < wide);
  let later = first;
  for (let i = 0; i < 600; i++) later = crowd.follow(dense, room(), 16);
  assert.ok(later < 0.15 * wide);
  const more = { ...grid(400, 300), serial: 3 };
  assert.equal(crowd.follow(more, room(), 16), measure(more, room()));
});

test('a flock with more than twice or less than half the boids counts as another flock', () => {
  for (const [count, atOnce] of [
    [200, false],
    [201, true],
    [50, false],
    [49, true],
  ] as const) {
    const crowd = createCrowd();
    const wide = crowd.follow(grid(100, 300), room(), 16);
    const next = { ...grid(count, 30), serial: 2 };
    const spacing = crowd.follow(next, room(), 16);
    assert.equal(spacing < 0.5 * wide, atOnce, String(count));
  }
});
