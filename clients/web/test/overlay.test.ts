import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOverlay } from '../src/draw/overlay';
import type { Scene } from '../src/draw/scene';
import { room } from './samples';

type Call = [name: string, ...values: unknown[]];

/** A canvas whose pen writes down what it is told. */
class FakeCanvas {
  width = 0;
  height = 0;
  readonly calls: Call[] = [];
  private readonly pen = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (fields, name: string) =>
        fields[name] ??
        ((...values: unknown[]) => {
          this.calls.push([name, ...values]);
          return { addColorStop: () => undefined };
        }),
      set: (fields, name: string, value) => {
        fields[name] = value;
        return true;
      },
    },
  );

  getContext(): unknown {
    return this.pen;
  }
}

/** How wide the target's ring and its glow are, where words and marks are so large. */
function widths(large: number): { ring: number; glow: number } {
  Object.defineProperty(globalThis, 'document', { value: { createElement: () => new FakeCanvas() }, configurable: true });
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
