// The map of very many boids without a GPU. It is smooth and has the colours of the boids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMap } from '../src/draw/map2d';
import type { Placed } from '../src/draw/placed';
import type { Scene } from '../src/draw/scene';
import { FakeCanvas, fakeCanvases } from './canvas';

const WIDTH = 60; // CSS pixels; a cell has 3
const RED = [1, 0, 0] as const;

/** Returns the map's pixels, as rows of [red, green, blue, opacity], for red boids at these places. */
function drawn(places: readonly (readonly [number, number])[]): number[][][] {
  const [screen, made] = [new FakeCanvas(), fakeCanvases()];
  const scene = { camera: { width: WIDTH, height: WIDTH }, spacing: 2, map: 1 } as Scene;
  const [x, y] = [0, 1].map((axis) => Float32Array.from(places, (place) => place[axis]));
  const boids = { count: places.length, x, y, color: new Uint8Array(places.length) } as unknown as Placed;
  createMap()?.draw(screen.getContext() as CanvasRenderingContext2D, scene, [RED], boids);
  const [[, image]] = made[0].called('putImageData') as [string, ImageData][];
  const pixel = (column: number, row: number): number[] => [...image.data.slice(4 * (row * image.width + column)).slice(0, 4)];
  return Array.from({ length: image.height }, (_, row) => Array.from({ length: image.width }, (__, column) => pixel(column, row)));
}

test('a boid that crosses from one cell into the next moves the picture evenly, without a jump', () => {
  const middle = (at: number): number => {
    let [sum, moment] = [0, 0];
    for (const row of drawn([[at, 30]])) {
      for (const [column, [, , , opacity]] of row.entries()) {
        sum += opacity;
        moment += opacity * column;
      }
    }
    return (3 * moment) / sum;
  };
  for (let at = 27; at < 33; at += 0.5) {
    const step = middle(at + 0.5) - middle(at);
    assert.ok(step > 0.3 && step < 0.7, `half a pixel moves the picture by ${step.toFixed(2)}`);
  }
});

test('neighbouring cells of an even crowd differ little, and each has the boids’ colour', () => {
  const places = Array.from({ length: 900 }, (_, i) => [(i % 30) * 2 + 0.7, Math.floor(i / 30) * 2 + 0.3] as const);
  const inner = drawn(places)
    .slice(3, -3)
    .map((row) => row.slice(3, -3));
  const opacities = inner.flat().map(([, , , opacity]) => opacity);
  assert.ok(Math.max(...opacities) - Math.min(...opacities) < 25, `${Math.min(...opacities)} to ${Math.max(...opacities)}`);
  for (const [red, green] of inner.flat()) assert.ok(red > 250 && green === 0);
});
