// The frames of the screen: the scene of each frame, and the order and number of calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../src/draw/scene';
import { createViewport } from '../src/draw/viewport';
import { type Model, createModel } from '../src/flock/model';
import { type Loop, createLoop } from '../src/app/loop';
import type { View } from '../src/app/view';
import { set } from './document';
import { room, snapshot, welcome } from './samples';

interface Bench {
  loop: Loop;
  model: Model;
  drawn: Scene[];
  heard: string[];
  took: number[];
  /** Runs a frame at the time `now`, ms. work: ms that drawing takes. */
  frame(now: number, work?: number): void;
}

function setUp({ trails = true, views = [] }: { trails?: boolean; views?: View[] } = {}): Bench {
  let [clock, working] = [0, 0];
  const frames: FrameRequestCallback[] = [];
  set('requestAnimationFrame', (run: FrameRequestCallback) => frames.push(run));
  set('performance', { now: () => clock });
  const model = createModel();
  const drawn: Scene[] = [];
  const heard: string[] = [];
  const took: number[] = [];
  const viewport = createViewport({
    window: { innerWidth: 1100, innerHeight: 800, devicePixelRatio: 1 },
    covers: () => ({ right: 0, bottom: 0 }),
    still: () => true,
    onMove: () => {},
    onMode: () => {},
  });
  const loop = createLoop({
    model,
    viewport,
    renderer: {
      kind: '2d',
      draw(scene) {
        heard.push('draw');
        drawn.push(scene);
        clock += working;
      },
    },
    ground: () => null,
    tint: () => null,
    layers: {
      ...{ add: () => {}, show: () => {}, large: () => 1 },
      wants: () => true,
      isOn: (name) => name === 'trails' && trails,
      draw: () => void heard.push('layers'),
    },
    views,
    look: () => ({ shape: 'arrow', coloring: 'heading', size: 0 }),
    still: () => false,
    theme: () => 'light',
    onFrame: () => heard.push('frame'),
    onDrawn: (each) => took.push(each),
  });
  loop.run();
  const frame = (now: number, work = 0): void => {
    [clock, working] = [now, work];
    const next = frames.splice(0);
    assert.equal(next.length, 1, 'one frame is asked for at a time');
    next[0](now);
  };
  return { loop, model, drawn, heard, took, frame };
}

const see = (model: Model, tick: number, x: number): void =>
  model.apply(
    { kind: 'sighting', sighting: snapshot({ tick, time: (tick * 1e6) / 30, boids: [[x, 0]], target: [10 * tick, 20] }) },
    (tick * 1000) / 30,
  );

test('each frame is sampled once, then drawn, then shown by the views', () => {
  const scenes: (Scene | undefined)[] = [];
  const bench = setUp({ views: [{ frame: (scene) => scenes.push(scene) }, {}, { frame: (scene) => scenes.push(scene) }] });
  assert.equal(bench.loop.scene(), null);
  bench.frame(1000);
  assert.deepEqual(bench.heard, ['frame', 'draw', 'layers']);
  assert.deepEqual(scenes, [bench.drawn[0], bench.drawn[0]], 'all show the same');
  assert.equal(bench.loop.scene(), bench.drawn[0]);
  bench.frame(1016);
  assert.deepEqual(bench.heard, ['frame', 'draw', 'layers', 'frame', 'draw', 'layers']);
  assert.equal(bench.loop.scene(), bench.drawn[1]);
});

test('before there is a flock the scene is empty', () => {
  const { drawn, frame } = setUp();
  frame(1000);
  const { now, room: here, moment, target, theme, trails } = drawn[0];
  assert.deepEqual(
    { now, here, moment, target, theme, trails },
    { now: 1000, here: null, moment: null, target: null, theme: 'light', trails: true },
  );
});

test('the scene has the room, the moment, and a target between its two frames', () => {
  const { model, drawn, frame } = setUp();
  model.apply(welcome(), 0);
  for (let tick = 0; tick < 30; tick++) {
    see(model, tick, 10 * tick);
    frame((tick * 1000) / 30);
  }
  const { room: here, moment, target, length } = drawn[drawn.length - 1];
  assert.equal(here?.code, room().code);
  assert.ok(moment !== null && target !== null);
  assert.ok(Math.abs(target[0] - 10 * (moment.a.tick + moment.alpha)) < 1e-9 && target[1] === 20, `${target}`);
  assert.ok(length > 0);
});

test('without the layer `trails` the scene has no trails', () => {
  const { drawn, frame } = setUp({ trails: false });
  frame(1000);
  assert.equal(drawn[0].trails, false);
});

test('animations do not jump after a pause', () => {
  const { drawn, frame } = setUp();
  for (const now of [1000, 1016, 9000, 8990]) frame(now); // the last time is before the previous one
  assert.deepEqual(
    drawn.slice(1).map(({ passed }) => passed),
    [16, 100, 0],
  );
});

test('views are called for figures every 400 ms, at any rate of frames', () => {
  for (const gap of [4, 16, 100, 900]) {
    const told: number[] = [];
    const { frame } = setUp({ views: [{ figures: (now) => told.push(now) }] });
    for (let now = 10_000; now < 20_000; now += gap) frame(now);
    assert.equal(told[0], 10_000, 'at once');
    const gaps = told.slice(1).map((now, i) => now - told[i]);
    assert.ok(
      gaps.every((each) => each > 400 && each <= Math.max(900, 400 + gap)),
      `${gaps}`,
    );
  }
});

test('the loop measures the number and the time of frames', () => {
  const { loop, took, frame } = setUp();
  for (let i = 0; i < 400; i++) frame(1000 + 20 * i, 5);
  assert.ok(Math.abs(loop.measured.fps - 50) < 0.5, `${loop.measured.fps}`);
  assert.ok(Math.abs(loop.measured.frameMs - 5) < 0.1, `${loop.measured.frameMs}`);
  assert.deepEqual(new Set(took), new Set([5]));
});
