import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOverlay } from '../src/draw/overlay';
import type { Scene } from '../src/draw/scene';
import { FakeCanvas, fakeCanvases } from './canvas';
import { room } from './samples';

/** How wide the target's ring and its glow are, where words and marks are so large. */
function widths(large: number): { ring: number; glow: number } {
  fakeCanvases();
  const canvas = new FakeCanvas();
  const overlay = createOverlay(canvas as unknown as HTMLCanvasElement, { marked: () => false, size: () => large, own: () => null });
  const camera = { width: 800, height: 600, scale: 1, left: 0, top: 0, ratio: 1 };
  overlay?.draw({ camera, room: room(), moment: null, target: [300, 200], theme: 'dark' } as unknown as Scene);
  const [, , left, top, width, height] = canvas.calls.find(([name]) => name === 'drawImage') ?? [];
  const [, x, y, radius] = canvas.calls.find(([name]) => name === 'arc') ?? [];
  assert.deepEqual([Number(left) + Number(width) / 2, Number(top) + Number(height) / 2], [x, y], 'around the ring');
  return { ring: 2 * Number(radius), glow: Number(width) };
}

test('the target and its glow are as much larger on a projector as words are', () => {
  const desk = widths(1);
  assert.deepEqual(widths(2), { ring: 2 * desk.ring, glow: 2 * desk.glow });
});

/** The lines between one's cursor and the target that are drawn in that world. */
function parts(boundary: string, own: [number, number], target: [number, number]): unknown[] {
  fakeCanvases();
  const canvas = new FakeCanvas();
  const overlay = createOverlay(canvas as unknown as HTMLCanvasElement, { marked: () => false, size: () => 1, own: () => own });
  const camera = { width: 800, height: 600, scale: 1, left: 0, top: 0, ratio: 1 };
  const here = room({ boundary, world: [550, 400], walls: [] });
  const barriers = boundary === 'walls' ? 4 : 0;
  overlay?.draw({ camera, room: here, moment: null, target, theme: 'dark' } as unknown as Scene);
  return canvas.called('lineTo').slice(barriers);
}

test('a line leads from one’s cursor to the target, unless the way between them wraps around', () => {
  for (const boundary of ['wrap', 'open', 'walls']) assert.equal(parts(boundary, [100, 200], [200, 200]).length, 1, boundary);
  for (const boundary of ['open', 'walls']) assert.equal(parts(boundary, [20, 200], [530, 200]).length, 1, boundary);
  assert.deepEqual(parts('wrap', [20, 200], [530, 200]), [], 'across the left and right edges');
  assert.deepEqual(parts('wrap', [100, 20], [100, 380]), [], 'across the upper and lower ones');
  assert.deepEqual(parts('open', [100, 200], [120, 200]), [], 'so short that it is hidden');
});
