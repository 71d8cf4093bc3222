import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrowTo } from '../src/draw/arrow';
import { toScreen, toWorld } from '../src/draw/camera';
import { type ViewMode, type Viewport, type Whereabouts, createViewport } from '../src/draw/viewport';
import { room } from './samples';

const DESKTOP = [1440, 900] as const;
const PORTRAIT = [360, 740] as const;

interface Bench {
  viewport: Viewport;
  modes: ViewMode[];
  moves(): number;
  /** Shows the flock at one position for `ms`. */
  pass(ms: number, flock: Whereabouts | null, changes?: Parameters<typeof room>[0]): void;
}

function setUp([innerWidth, innerHeight]: readonly [number, number], still = false): Bench {
  const modes: ViewMode[] = [];
  let [now, moves] = [0, 0];
  const viewport = createViewport({
    window: { innerWidth, innerHeight, devicePixelRatio: 1 },
    covers: () => ({ right: 0, bottom: 0 }),
    still: () => still,
    onMove: () => moves++,
    onMode: (mode) => modes.push(mode),
  });
  const rooms = new Map<string, ReturnType<typeof room>>();
  return {
    viewport,
    modes,
    moves: () => moves,
    pass(ms, flock, changes = {}) {
      const key = JSON.stringify(changes);
      const here = rooms.get(key) ?? room(changes);
      rooms.set(key, here);
      for (const end = now + ms; now < end; now += 16) viewport.frame(here, flock, now);
    },
  };
}

const home: Whereabouts = { x: 275, y: 200, radius: 40 };

/** Whether the circle with the flock's radius is in the window. */
function seen({ viewport }: Bench, { x, y, radius }: Whereabouts): boolean {
  const { width, height, scale } = viewport.camera();
  const [px, py] = toScreen(viewport.camera(), x, y);
  const reach = radius * scale;
  return px >= reach && py >= reach && px <= width - reach && py <= height - reach;
}

test('with the flock inside, the camera shows the whole world and stands still', () => {
  const bench = setUp(DESKTOP);
  bench.pass(100, home);
  const { camera } = bench.viewport;
  assert.ok(toScreen(camera(), 0, 0).every((each) => each >= 0));
  const before = bench.moves();
  for (let i = 0; i < 100; i++) bench.pass(50, { ...home, x: 100 + 350 * Math.abs(Math.sin(i / 9)) });
  assert.equal(bench.moves(), before);
});

test('in an open world the camera widens for a flock that leaves it, and comes back', () => {
  const bench = setUp(DESKTOP);
  bench.pass(100, home);
  const { scale } = bench.viewport.camera();
  const away = { x: 900, y: -250, radius: 60 };
  bench.pass(3000, away);
  assert.ok(seen(bench, away));
  assert.ok(toScreen(bench.viewport.camera(), 0, 400)[0] >= 0, 'the world is seen, too');
  assert.ok(bench.viewport.camera().scale < scale);
  bench.pass(5000, home);
  assert.ok(Math.abs(bench.viewport.camera().scale - scale) < 1e-9);
});

test('the flock is visible wherever it flies', () => {
  for (const size of [DESKTOP, PORTRAIT]) {
    const bench = setUp(size);
    bench.pass(100, home);
    for (let i = 0; i < 60; i++) {
      const flock = { x: 275 + 80 * i * Math.cos(i / 5), y: 200 + 80 * i * Math.sin(i / 5), radius: 30 + i };
      bench.pass(2500, flock);
      assert.ok(seen(bench, flock), `at ${flock.x}, ${flock.y} in ${size}`);
    }
  }
});

test('the camera glides: no frame jumps', () => {
  const bench = setUp(DESKTOP);
  bench.pass(100, home);
  let [last] = toScreen(bench.viewport.camera(), 275, 200);
  let most = 0;
  for (let i = 0; i < 120; i++) {
    bench.pass(16, { x: 1500, y: 200, radius: 40 });
    const [x] = toScreen(bench.viewport.camera(), 275, 200);
    most = Math.max(most, Math.abs(x - last));
    last = x;
  }
  assert.ok(most > 0 && most < 60, `${most} pixels`);
});

test('with reduced motion the next view appears at once', () => {
  const bench = setUp(DESKTOP, true);
  bench.pass(100, home);
  bench.pass(32, { x: 1500, y: 200, radius: 40 });
  assert.ok(seen(bench, { x: 1500, y: 200, radius: 40 }));
});

test('in a world with an edge the camera stays still', () => {
  const bench = setUp(DESKTOP);
  bench.pass(100, home, { boundary: 'wrap' });
  const before = bench.moves();
  bench.pass(3000, { x: 540, y: 390, radius: 200 }, { boundary: 'wrap' });
  assert.equal(bench.moves(), before);
});

test('in portrait on a phone the camera follows the flock, which fills the window', () => {
  const bench = setUp(PORTRAIT);
  const flock = { x: 100, y: 300, radius: 40 };
  bench.pass(2000, flock);
  assert.equal(bench.viewport.mode(), 'follow');
  const { scale } = bench.viewport.camera();
  assert.ok(scale > 1.5, `${scale} pixels a unit instead of 0.62`);
  assert.ok(seen(bench, flock));
  const other = { ...flock, x: 450 };
  bench.pass(3000, other);
  assert.ok(seen(bench, other));
  const before = bench.moves();
  bench.pass(3000, { ...other, x: 470 });
  assert.equal(bench.moves(), before, 'it rests while the flock moves a little');
});

test('while a person draws on a phone, the camera shows the whole world and rests', () => {
  const bench = setUp(PORTRAIT);
  bench.pass(3000, home, { boundary: 'walls' });
  assert.equal(bench.viewport.mode(), 'follow');
  bench.viewport.hold(true);
  bench.pass(1000, home, { boundary: 'walls' });
  const { camera } = bench.viewport;
  assert.equal(bench.viewport.mode(), 'all');
  assert.ok(toScreen(camera(), 0, 0)[0] >= 0 && toScreen(camera(), 550, 400)[0] <= PORTRAIT[0]);
  const before = bench.moves();
  for (let i = 0; i < 100; i++) bench.pass(100, { ...home, x: 100 + 350 * Math.abs(Math.sin(i / 9)) }, { boundary: 'walls' });
  assert.equal(bench.moves(), before);
  bench.viewport.hold(false);
  bench.pass(3000, home, { boundary: 'walls' });
  assert.equal(bench.viewport.mode(), 'follow');
  assert.ok(seen(bench, home));
});

test('a view that a person has chosen stays while that person draws', () => {
  const bench = setUp(PORTRAIT);
  bench.pass(3000, home);
  bench.viewport.zoom(2, 100, 100);
  const before = bench.viewport.camera();
  for (const is of [true, false]) {
    bench.viewport.hold(is);
    bench.pass(1000, home);
    assert.deepEqual(bench.viewport.camera(), before);
  }
});

test('a zoomed view stays until it is reset', () => {
  const bench = setUp(DESKTOP);
  bench.pass(100, home);
  const all = bench.viewport.camera();
  const point = toWorld(all, 400, 300);
  bench.viewport.zoom(2, 400, 300);
  assert.deepEqual(toScreen(bench.viewport.camera(), ...point).map(Math.round), [400, 300], 'what is below the fingers stays there');
  assert.equal(Math.round((100 * bench.viewport.camera().scale) / all.scale), 200);
  bench.viewport.zoom(1, 400, 300, 10, -20);
  assert.deepEqual(toScreen(bench.viewport.camera(), ...point).map(Math.round), [410, 280]);
  bench.pass(5000, { x: 2000, y: 0, radius: 40 });
  assert.equal(bench.viewport.mode(), 'free');
  for (let i = 0; i < 50; i++) bench.viewport.zoom(3, 0, 0);
  assert.ok(bench.viewport.camera().scale <= 16.001 * all.scale);
  for (let i = 0; i < 50; i++) bench.viewport.zoom(0.3, 0, 0);
  assert.ok(bench.viewport.camera().scale >= 0.499 * all.scale);
  bench.viewport.back();
  bench.pass(3000, home);
  assert.ok(Math.abs(bench.viewport.camera().scale - all.scale) < 1e-9);
  assert.deepEqual(bench.modes, ['free', 'all']);
});

test('with a limit of the scale the view has the same middle', () => {
  for (const size of [DESKTOP, PORTRAIT]) {
    const { viewport, pass } = setUp(size, true);
    const flock = { x: 300, y: 200, radius: 50 };
    pass(1000, flock);
    const [best, middle] = [viewport.camera().scale, toWorld(viewport.camera(), size[0] / 2, size[1] / 2)];
    assert.equal(viewport.best(), best);
    viewport.limit(best / 2);
    pass(100, flock);
    assert.equal(viewport.camera().scale, best / 2);
    const [x, y] = toWorld(viewport.camera(), size[0] / 2, size[1] / 2);
    assert.ok(Math.hypot(x - middle[0], y - middle[1]) < 1e-6);
    assert.equal(viewport.best(), best);
    viewport.limit(2 * best);
    pass(100, flock);
    assert.equal(viewport.camera().scale, best);
  }
});

test('an arrow at the edge shows direction and distance of what is outside', () => {
  const bench = setUp(DESKTOP);
  bench.pass(100, home);
  const { viewport } = bench;
  assert.equal(arrowTo(viewport.camera(), [275, 200]), null);
  const arrow = arrowTo(viewport.camera(), [2000, 200]);
  assert.ok(arrow !== null && Math.abs(arrow.angle) < 1e-9 && arrow.x > 1380 && arrow.x < 1440);
  assert.equal(Math.round(arrow.distance), Math.round(2000 - toWorld(viewport.camera(), arrow.x, arrow.y)[0]));
  assert.equal(arrowTo(viewport.camera(), [2000, 200], 1600), null, 'a flock that reaches into the window is seen');
  assert.ok((arrowTo(viewport.camera(), [275, -3000])?.y ?? 0) < 60);
});
