// window.flock: its values before and after the first flock; scripts cannot change it.
import assert from 'node:assert/strict';
import { arrowsIn, centroidIn } from '../src/draw/overlay';
import { test } from 'node:test';
import { toScreen } from '../src/draw/camera';
import type { Scene } from '../src/draw/scene';
import { createViewport } from '../src/draw/viewport';
import { type Model, createModel } from '../src/flock/model';
import type { Source } from '../src/net/source';
import { type Hook, exposeHook } from '../src/app/hook';
import { set } from './document';
import { room, snapshot, welcome } from './samples';

const STREAM = { encoding: 'packed', rate: 15, boids: 500, stride: 2, slow: true, keyframes: 3, lost: 1 };

interface Bench {
  hook: Hook;
  model: Model;
  viewport: ReturnType<typeof createViewport>;
  page: { flock?: Hook };
  /** Draws the flock with that target. */
  look(target: [number, number]): void;
}

function setUp(offset: number | null = 5): Bench {
  let scene: Scene | null = null;
  const page: { flock?: Hook } = {};
  set('window', page);
  const model = createModel();
  const viewport = createViewport({
    window: { innerWidth: 1100, innerHeight: 800, devicePixelRatio: 1 },
    covers: () => ({ right: 0, bottom: 0 }),
    still: () => true,
    onMove: () => {},
    onMode: () => {},
  });
  const source: Partial<Source> = {
    stream: () => STREAM,
    roundTrip: () => 12,
    offset: () => offset,
    malformed: () => 4,
  } as Partial<Source>;
  exposeHook({
    model,
    viewport,
    arrowsIn,
    centroidIn,
    source: source as Source,
    renderer: { kind: '2d', draw: () => {} },
    layers: { add: () => {}, show: () => {}, draw: () => {}, large: () => 1, wants: () => true, isOn: (name) => name === 'centroid' },
    loop: { run: () => {}, scene: () => scene, measured: { fps: 60, frameMs: 2 } },
    name: () => 'Ada',
    look: () => ({ shape: 'arrow', coloring: 'heading', size: 0 }),
    steers: () => true,
  });
  assert.ok(page.flock !== undefined);
  const look = (target: [number, number]): void => {
    const shown = model.shown();
    scene = { camera: viewport.camera(), room: model.room(), moment: shown?.moment ?? null, target } as Scene;
  };
  return { hook: page.flock, model, viewport, page, look };
}

const FAR = 32_767; // quanta: the end of the range of positions

function withFlock(bench: Bench): void {
  bench.model.apply(
    welcome({
      room: room({
        title: 'Bees',
        controls: [{ name: 'run', value: 'paused', choices: [], text: '' }],
        params: [{ name: 'inertia', unit: '', min: 0, max: 2, initial: 1, value: 1.5, text: '' }],
      }),
    }),
    0,
  );
  for (const tick of [0, 1, 2])
    bench.model.apply(
      {
        kind: 'sighting',
        sighting: snapshot({
          tick,
          time: tick * 33_000,
          measures: { polarization: 1, milling: 0, centroid: [100, 50], radius: 5, speed: 1, nearest: 2 },
          boids: [
            [16 * tick, 0],
            [FAR, 0],
            [-80, 160],
          ],
        }),
      },
      33 * tick,
    );
  bench.viewport.frame(bench.model.room(), null, 0);
  bench.model.sample(5000); // late enough to show the last snapshot
}

test('before there is a flock every field exists and is empty', () => {
  const { hook } = setUp(null);
  const state = hook.state();
  const { status, room: code, boids, flock, people, tick, delayMs, centroid, target, world, controls, params } = state;
  assert.deepEqual(
    { status, code, boids, flock, people, tick, delayMs, centroid, target, world, controls, params },
    {
      status: 'connecting',
      code: '',
      boids: 0,
      flock: 0,
      people: 0,
      tick: null,
      delayMs: null,
      centroid: null,
      target: null,
      world: null,
      controls: {},
      params: {},
    },
  );
  assert.deepEqual(hook.boids(), []);
  assert.equal(JSON.stringify(state).length > 100, true, 'it is plain: a test can carry it out of the page');
});

test('the state names why there is no connection', () => {
  const { hook, model } = setUp();
  model.apply({ kind: 'status', status: { kind: 'closed', code: 3507, reason: 'removed' } }, 0);
  assert.deepEqual([hook.state().status, hook.state().reason], ['closed', 'removed']);
});

test('with a flock, the figures are those of the picture', () => {
  const bench = setUp();
  withFlock(bench);
  bench.look([9000, 100]);
  const state = bench.hook.state();
  assert.deepEqual(
    [state.id, state.name, state.role, state.room, state.title, state.model],
    [7, 'Ada', 'viewer', 'FK72MX', 'Bees', 'swarm'],
  );
  assert.deepEqual([state.boids, state.flock, state.tick, state.world], [3, 3, 2, [550, 400]]);
  assert.deepEqual([state.controls, state.params], [{ run: 'paused' }, { inertia: 1.5 }]);
  assert.deepEqual(
    [state.encoding, state.rate, state.limit, state.stride, state.slow, state.keyframes, state.lost],
    ['packed', 15, 500, 2, true, 3, 1],
  );
  assert.deepEqual([state.latencyMs, state.malformed, state.fps, state.frameMs, state.renderer, state.look], [12, 4, 60, 2, '2d', 'arrow']);
  assert.deepEqual([state.steers, state.mark, state.arrows, state.view], [true, [100, 50], ['target'], 'all']);
  assert.deepEqual(state.target, [9000, 100]);
  const timeline = bench.model.timeline();
  assert.equal(state.delayMs, (timeline?.lag() ?? NaN) + 5, 'the delay of playback, on the server’s clock');
});

test('boids have their shown positions, a heading once it is known, and null beyond the range', () => {
  const bench = setUp();
  withFlock(bench);
  const [mover, far, rests] = bench.hook.boids();
  assert.ok(mover !== null && rests !== null);
  assert.ok(mover.x >= 275 + 32 / 16 && mover.y === 200, JSON.stringify(mover)); // 16 quanta are a world unit
  assert.ok(Math.abs(mover.heading ?? NaN) < 1e-3, 'it flies right');
  assert.equal(far, null);
  assert.deepEqual(rests, { x: 275 - 80 / 16, y: 200 + 160 / 16, heading: null });
});

test('world units and the window’s pixels convert to each other by the camera', () => {
  const bench = setUp();
  withFlock(bench);
  const { hook, viewport } = bench;
  const at = hook.toScreen(100, 150);
  assert.deepEqual(at, toScreen(viewport.camera(), 100, 150));
  const [x, y] = hook.toWorld(...at);
  assert.ok(Math.hypot(x - 100, y - 150) < 1e-9);
});

test('no script can replace window.flock or a part of it', () => {
  const { hook, page } = setUp();
  assert.ok(Object.isFrozen(hook));
  assert.throws(() => (page.flock = { ...hook }), TypeError);
  assert.throws(() => (hook.boids = () => []), TypeError);
  assert.throws(() => delete page.flock, TypeError);
});
