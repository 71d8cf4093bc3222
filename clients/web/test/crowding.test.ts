// How crowded boids are, and how fast they usually move.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace, crowding } from '../src/draw/crowding';
import type { Frame, Moment } from '../src/flock/timeline';
import { room } from './samples';

const here = room({ world: [1600, 1000], quantum: 1 / 16, period: null });

const frameOf = (serial: number, boids: [number, number][]): Frame =>
  ({ serial, count: boids.length, positions: Int16Array.from(boids.flat().map((value) => value / here.quantum)) }) as unknown as Frame;

test('boids in a crowd are more crowded than boids alone', () => {
  const crowd = Array.from({ length: 300 }, (_, i): [number, number] => [100 + (i % 20), 100 + Math.floor(i / 20)]);
  const alone = Array.from({ length: 30 }, (_, i): [number, number] => [-700 + 45 * i, -400]);
  const out = new Uint8Array(330);
  crowding(frameOf(1, [...crowd, ...alone]), here, out);
  assert.ok(Math.min(...out.slice(0, 300)) > 100, `${out.slice(0, 300)}`);
  assert.ok(Math.max(...out.slice(300)) < 40, `${out.slice(300)}`);
});

test('in a flock without crowds all boids are about as crowded', () => {
  const boids = Array.from({ length: 1600 }, (_, i): [number, number] => [-780 + 40 * (i % 40), -480 + 24 * Math.floor(i / 40)]);
  const out = new Uint8Array(1600);
  crowding(frameOf(1, boids), here, out);
  const inside = [...out].filter((_, i) => i % 40 > 4 && i % 40 < 35 && i > 200 && i < 1400);
  assert.ok(Math.max(...inside) - Math.min(...inside) < 30, `${Math.min(...inside)} to ${Math.max(...inside)}`);
});

test('how crowded a boid is changes evenly while it moves', () => {
  const others = Array.from({ length: 400 }, (_, i): [number, number] => [((i * 37) % 300) - 150, ((i * 53) % 300) - 150]);
  const out = new Uint8Array(401);
  let before = -1;
  for (let x = -200; x <= 200; x += 2) {
    crowding(frameOf(1, [[x, 3], ...others]), here, out);
    if (before >= 0) assert.ok(Math.abs(out[0] - before) <= 8, `${before} to ${out[0]} at ${x}`);
    before = out[0];
  }
});

test('the usual speed is the mean, also across the edge of a torus', () => {
  const torus = room({ world: [1600, 1000], quantum: 1 / 16, period: [25_600, 16_000] });
  const [a, b] = [
    frameOf(1, [
      [0, 0],
      [798, 0],
    ]),
    frameOf(2, [
      [3, 4],
      [-799, 4],
    ]),
  ];
  const moment: Moment = { a, b, alpha: 0.5, perMs: 0.03 };
  assert.equal(createPace().follow(moment, torus).toFixed(1), (16 * 5).toFixed(1));
});
