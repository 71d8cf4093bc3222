import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Layers, createLayers } from '../src/draw/layers';
import { arrowsIn, overlayLayers } from '../src/draw/overlay';
import type { Scene } from '../src/draw/scene';
import { FakeCanvas, fakeCanvases } from './canvas';
import { room } from './samples';

/** Returns the layers on that canvas. large: the size of words and marks; own: this person's cursor. */
function overlay(canvas: FakeCanvas, large: number, own: [number, number] | null): Layers {
  const layers = createLayers(canvas as unknown as HTMLCanvasElement, () => large);
  layers.add(...overlayLayers(() => own));
  return layers;
}

const scene = (more: Partial<Scene>): Scene =>
  ({
    ...{
      camera: { width: 800, height: 600, scale: 1, left: 0, top: 0, ratio: 1 },
      room: room(),
      moment: null,
      target: null,
      theme: 'dark',
    },
    ...more,
  }) as unknown as Scene;

/** Returns the widths of the target's ring and its glow. large: the size of words and marks. */
function widths(large: number): { ring: number; glow: number } {
  fakeCanvases();
  const canvas = new FakeCanvas();
  overlay(canvas, large, null).draw(scene({ target: [300, 200] }));
  const [, , left, top, width, height] = canvas.calls.find(([name]) => name === 'drawImage') ?? [];
  const [, x, y, radius] = canvas.calls.find(([name]) => name === 'arc') ?? [];
  assert.deepEqual([Number(left) + Number(width) / 2, Number(top) + Number(height) / 2], [x, y], 'around the ring');
  return { ring: 2 * Number(radius), glow: Number(width) };
}

test('the target and its glow grow on a projector like the text', () => {
  const desk = widths(1);
  assert.deepEqual(widths(2), { ring: 2 * desk.ring, glow: 2 * desk.glow });
});

/** Returns the drawn lines between the person's own cursor and the target. */
function parts(boundary: string, own: [number, number], target: [number, number]): unknown[] {
  fakeCanvases();
  const canvas = new FakeCanvas();
  const here = room({ boundary, world: [550, 400], walls: [] });
  const barriers = boundary === 'walls' ? 4 : 0;
  overlay(canvas, 1, own).draw(scene({ room: here, target }));
  return canvas.called('lineTo').slice(barriers);
}

test('a line leads from the own cursor to the target, unless the way between them wraps around', () => {
  for (const boundary of ['wrap', 'open', 'walls']) assert.equal(parts(boundary, [100, 200], [200, 200]).length, 1, boundary);
  for (const boundary of ['open', 'walls']) assert.equal(parts(boundary, [20, 200], [530, 200]).length, 1, boundary);
  assert.deepEqual(parts('wrap', [20, 200], [530, 200]), [], 'across the left and right edges');
  assert.deepEqual(parts('wrap', [100, 20], [100, 380]), [], 'across the upper and lower ones');
  assert.deepEqual(parts('open', [100, 200], [120, 200]), [], 'so short that it is hidden');
});

test('layers are drawn in their order, and again only when their contents have changed', () => {
  fakeCanvases();
  const canvas = new FakeCanvas();
  const layers = createLayers(canvas as unknown as HTMLCanvasElement, () => 1);
  const done: string[] = [];
  const shown = { value: 1 };
  layers.add(
    { name: 'upper', order: 2, shows: () => [shown.value], paint: () => void done.push('upper') },
    { name: 'moved', order: 3, move: () => void done.push('moved') },
    { name: 'lower', order: 1, shows: () => [], paint: () => void done.push('lower') },
    { name: 'empty', order: 0, shows: () => null, paint: () => assert.fail() },
  );
  layers.draw(scene({}));
  assert.deepEqual(done.splice(0), ['lower', 'upper', 'moved']);
  layers.draw(scene({}));
  assert.deepEqual(done.splice(0), ['moved'], 'elements move in each frame');
  shown.value = 2;
  layers.draw(scene({}));
  assert.deepEqual(done.splice(0), ['lower', 'upper', 'moved']);
});

test('a layer that is off is not drawn', () => {
  fakeCanvases();
  const layers = createLayers(new FakeCanvas() as unknown as HTMLCanvasElement, () => 1);
  let [drawn, may] = [0, true];
  layers.add({ name: 'one', order: 1, may: () => may, move: () => void drawn++ });
  const draw = (): number => {
    drawn = 0;
    layers.draw(scene({}));
    return drawn;
  };
  assert.deepEqual([layers.isOn('one'), draw()], [true, 1]);
  layers.show('one', false);
  assert.deepEqual([layers.isOn('one'), draw()], [false, 0]);
  layers.show('one', true);
  may = false;
  assert.deepEqual([layers.isOn('one'), draw()], [false, 0]);
  assert.equal(layers.isOn('none'), false);
  assert.throws(() => layers.add({ name: 'one', order: 2 }));
});

test('where the flock and the target are beyond the same edge, the words of one arrow do not cover the other’s', () => {
  const measures = { centroid: [900, 300], radius: 10 };
  const moment = { a: { measures }, b: { measures }, alpha: 0 } as unknown as Scene['moment'];
  const arrows = (target: [number, number]): string[] =>
    Object.keys(arrowsIn(scene({ room: room({ boundary: 'open' }), moment, target }), 1));
  assert.deepEqual(arrows([1200, 320]), ['flock']);
  assert.deepEqual(arrows([900, -200]), ['flock', 'target']);
  assert.deepEqual(arrows([400, -200]), ['flock', 'target']);
});
