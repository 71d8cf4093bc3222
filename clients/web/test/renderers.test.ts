// The calls of the two renderers to the canvas.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create2dRenderer } from '../src/draw/canvas2d';
import type { Load, Renderer, Scene, Tint } from '../src/draw/scene';
import { createWebglRenderer } from '../src/draw/webgl';
import { FakeCanvas, fakeCanvases } from './canvas';
import { room } from './samples';

const frameOf = (serial: number, positions: number[]) => ({
  ...{ serial, count: positions.length / 2, cursors: new Map() },
  ...{ positions: Int16Array.from(positions), headings: Int16Array.from(positions.map((_, i) => (i % 2 === 0 ? 32767 : 0))) },
});

/** Returns a scene with three boids that fly to the right, at a quarter of the way from one snapshot to the next. */
function scene(trails: boolean, tint: Tint | null = null): Scene {
  const moment = { a: frameOf(1, [0, 0, 100, 0, 200, 0]), b: frameOf(2, [40, 0, 140, 0, 240, 0]), alpha: 0.25, perMs: 0.03 };
  const camera = { width: 800, height: 600, scale: 1, left: 0, top: 0, ratio: 1 };
  const look = {
    shape: 'arrow',
    coloring: 'heading',
    level: 'shape',
    map: 0,
    beat: 0,
    theme: 'dark',
    length: 12,
    spacing: 20,
    trails,
    tint,
    passed: 16,
  };
  return { ...{ now: 1000, camera, room: room(), moment, target: null, backdrop: null }, ...look } as unknown as Scene;
}

/** Loads nothing, so everything is drawn with what the page has at first. */
const load: Load = () => new Promise(() => undefined);
const loaded = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const asCanvas = (canvas: FakeCanvas): HTMLCanvasElement => canvas as unknown as HTMLCanvasElement;

function renderer(made: Renderer | null): Renderer {
  assert.ok(made !== null);
  return made;
}

test('Canvas2D: each boid draws its path of the frame onto a canvas of trails, which is shown', async () => {
  for (const trails of [true, false]) {
    const [canvas, hidden] = [new FakeCanvas(), fakeCanvases()];
    const drawn = renderer(create2dRenderer(asCanvas(canvas), (part) => part()));
    drawn.draw(scene(trails));
    const [paths, streaks] = hidden;
    assert.equal(paths.called('lineTo').length, trails ? 3 : 0);
    assert.equal(canvas.called('drawImage').filter(([, picture]) => picture === paths).length, trails ? 1 : 0);
    const [[, fromX, fromY] = [], [, toX, toY] = []] = [paths.called('moveTo')[0], paths.called('lineTo')[0]];
    if (trails) assert.ok(Number(fromX) < Number(toX) && fromY === toY, 'it ends where the boid is now');
    assert.equal(canvas.called('drawImage').filter(([, picture]) => picture === streaks).length, 1, 'the first picture of the boids');
    await loaded();
    drawn.draw(scene(trails));
    assert.ok(canvas.called('fill').length > 0, 'the boids in their shape');
  }
});

test('WebGL2: the paths of the frame are drawn into the texture of trails, the boids onto the screen', () => {
  for (const trails of [true, false]) {
    const canvas = new FakeCanvas();
    renderer(createWebglRenderer(asCanvas(canvas), load, () => assert.fail('broken'))).draw(scene(trails));
    let [buffer, blending]: unknown[] = [null, 'FUNC_ADD'];
    const drawn: unknown[] = [];
    for (const [name, first, second] of canvas.calls) {
      if (name === 'bindFramebuffer') buffer = second;
      if (name === 'blendEquation') blending = first;
      if (name === 'drawArraysInstanced') drawn.push([buffer === null ? 'screen' : 'texture', blending]);
    }
    const boids = ['screen', 'FUNC_ADD'];
    assert.deepEqual(drawn, trails ? [['texture', 'MAX'], boids] : [boids]);
    assert.equal(canvas.called('drawArraysInstanced').at(-1)?.at(-1), 3, 'boids');
  }
});

const RED = [1, 0, 0] as const;
const BLUE = [0, 0, 1] as const;
/** The first and the last boid are red, the other one is blue. */
const tint: Tint = { colors: [RED, BLUE], of: () => Uint8Array.of(0, 1, 0) };

test('Canvas2D: boids and their trails have the colours of the tint', async () => {
  const [canvas, hidden] = [new FakeCanvas(), fakeCanvases()];
  const drawn = renderer(create2dRenderer(asCanvas(canvas), (part) => part()));
  drawn.draw(scene(false, tint));
  await loaded();
  drawn.draw(scene(true, tint));
  const [paths] = hidden;
  assert.equal(paths.called('lineTo').length, 3, 'each boid once');
  const pen = paths.getContext() as { strokeStyle: string };
  assert.match(pen.strokeStyle, /^rgba\(0, 0, [1-9]\d+, 1\)$/, 'the last colour, not as bright as the boid');
  assert.match((canvas.getContext() as { fillStyle: string }).fillStyle, /^rgba\([1-9]\d+, 0, 0, 1\)$/, 'the last boid');
  drawn.draw(scene(true));
  assert.equal(paths.called('lineTo').length, 6, 'and without one as before');
});

test('WebGL2: boids and their trails have the colours of the tint, and then none again', () => {
  const canvas = new FakeCanvas();
  const drawn = renderer(createWebglRenderer(asCanvas(canvas), load, () => assert.fail('broken')));
  drawn.draw(scene(true, tint));
  const uploads = canvas.called('bufferData').filter(([, , data]) => data instanceof Uint8Array);
  assert.deepEqual(
    uploads.map(([, , data]) => [...(data as Uint8Array)]),
    [[0, 1, 0]],
    'a byte a boid, once a frame',
  );
  assert.deepEqual(
    canvas
      .called('enableVertexAttribArray')
      .slice(-2)
      .map(([, at]) => at),
    [4, 4],
    'boids and trails',
  );
  assert.ok(canvas.called('uniform3fv').some(([, , colors]) => String(colors) === '1,0,0,0,0,1'));
  drawn.draw(scene(true));
  assert.deepEqual(
    canvas
      .called('disableVertexAttribArray')
      .map(([, at]) => at)
      .filter((at) => at === 4),
    [4, 4],
  );
});

test('WebGL2: a lost context that comes back draws on; one that stays away for seconds of drawing is broken', () => {
  const canvas = new FakeCanvas();
  let broken = 0;
  const drawn = renderer(createWebglRenderer(asCanvas(canvas), load, () => broken++));
  const draw = (frames: number): void => {
    for (let i = 0; i < frames; i++) drawn.draw({ ...scene(false), passed: 100 });
  };
  const lose = (): unknown => canvas.listeners.get('webglcontextlost')?.({ preventDefault: () => undefined } as Event);
  for (let times = 0; times < 3; times++) {
    lose();
    draw(30);
    canvas.listeners.get('webglcontextrestored')?.({} as Event);
    draw(1);
  }
  assert.equal(broken, 0);
  assert.equal(canvas.called('drawArraysInstanced').length, 3);
  lose();
  draw(41);
  assert.equal(broken, 1);
});
