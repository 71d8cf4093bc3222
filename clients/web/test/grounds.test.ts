// The grounds: marks and walls can be seen on them, in both themes and at any time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGrounds } from '../src/draw/grounds';
import { colorOf } from '../src/draw/grounds/paint';
import { GROUNDS } from '../src/draw/grounds/table';
import { THEMES, placeOf } from '../src/draw/scene';
import { FakeCanvas, fakeCanvases } from './canvas';
import { contrast, luminance } from './contrast';
import { set } from './document';
import { room } from './samples';

for (const [name, ground] of Object.entries(GROUNDS)) {
  test(`marks and walls have a contrast of 3 to the ground ${name}, in both themes`, () => {
    for (const theme of THEMES) {
      const { ink, frame, stops } = ground[theme];
      for (const stop of stops) {
        for (const color of [ink, frame]) {
          const found = contrast(colorOf(color), colorOf(stop));
          assert.ok(found >= 3, `${theme}: ${color} on ${stop} has ${found.toFixed(2)}`);
        }
      }
    }
  });
}

test('the light theme is lighter than the dark one on every ground', () => {
  for (const [name, { dark, light }] of Object.entries(GROUNDS)) {
    dark.stops.forEach((stop, i) => assert.ok(luminance(colorOf(light.stops[i])) > luminance(colorOf(stop)), `${name}: ${stop}`));
  }
});

test('walls are lines until the ground that shows them has appeared', () => {
  fakeCanvases();
  const above = Object.assign(new FakeCanvas(), { style: {}, hidden: false });
  set('DOMMatrix', class {});
  const grounds = createGrounds(above as unknown as HTMLCanvasElement);
  const camera = { width: 800, height: 600, scale: 1, left: 0, top: 0, ratio: 1, deviceRatio: 1 };
  const showsWalls = (now: number, still = false): boolean | undefined =>
    grounds.of(room({ ground: 'cloth' }), camera, 'dark', now, still)?.walls;
  assert.equal(showsWalls(1000), false);
  assert.equal(showsWalls(1500), false, 'it appears');
  assert.equal(showsWalls(1600), true);
  assert.equal(showsWalls(1000, true), true, 'with reduced motion it appears at once');
});

test('a fence is above the sheep: on its own canvas, which moves with the camera and is empty of ground', () => {
  fakeCanvases();
  set('DOMMatrix', class {});
  const above = Object.assign(new FakeCanvas(), { style: { transform: '', opacity: '' }, hidden: false });
  const grounds = createGrounds(above as unknown as HTMLCanvasElement);
  const camera = { width: 800, height: 600, scale: 1, left: 0, top: 0, ratio: 1, deviceRatio: 1 };
  const meadow = room({ ground: 'meadow', boundary: 'walls' });
  grounds.of(meadow, camera, 'dark', 1000, true);
  assert.ok(!above.hidden && above.called('stroke').length > 0 && above.called('fillRect').length === 0);
  assert.equal(above.style.transform, 'translate(-64px, -64px) scale(1)', 'the canvas is larger than the window');
  grounds.of(meadow, { ...camera, scale: 2, left: 30 }, 'dark', 1010, true);
  assert.equal(above.style.transform, 'translate(-98px, -128px) scale(2)', 'the camera glides');
  grounds.of(meadow, { ...camera, scale: 2, left: 30 }, 'dark', 1500, true);
  assert.equal(above.style.transform, 'translate(-64px, -64px) scale(1)', 'it rests, and the fence is painted again');
  grounds.of(room({ ground: 'stage' }), camera, 'dark', 2000, true);
  assert.ok(above.hidden, 'a stage has no fence');
});

test('a camera that follows the flock never shows an edge of the ground', () => {
  fakeCanvases();
  set('DOMMatrix', class {});
  const above = Object.assign(new FakeCanvas(), { style: { transform: '', opacity: '' }, hidden: false });
  const grounds = createGrounds(above as unknown as HTMLCanvasElement);
  const phone = { width: 390, height: 844, scale: 1, left: 0, top: 0, ratio: 2, deviceRatio: 2 };
  for (const ground of ['meadow', 'dusk']) {
    for (let now = 1000; now < 3000; now += 16) {
      const camera = { ...phone, left: -0.15 * (now - 1000), top: 0.1 * (now - 1000) }; // 180 CSS pixels a second
      const backdrop = grounds.of(room({ ground, boundary: 'walls' }), camera, 'dark', now, true);
      assert.ok(backdrop !== null);
      const [scale, left, top] = placeOf(backdrop, camera);
      assert.ok(left <= 0 && top <= 0, `${ground}: ${left}, ${top} after ${now - 1000} ms`);
      assert.ok(
        left + backdrop.camera.width * scale >= 390 && top + backdrop.camera.height * scale >= 844,
        `${ground} after ${now - 1000} ms`,
      );
    }
  }
});

test('a camera that moves without rest shows no empty window for long', () => {
  fakeCanvases();
  set('DOMMatrix', class {});
  const above = Object.assign(new FakeCanvas(), { style: { transform: '', opacity: '' }, hidden: false });
  const grounds = createGrounds(above as unknown as HTMLCanvasElement);
  const camera = { width: 800, height: 600, scale: 2, left: 0, top: 0, ratio: 1, deviceRatio: 1 };
  const comb = room({ ground: 'comb', boundary: 'walls' });
  const paintings = (from: number, to: number, step: number, scaleOf: (now: number) => number): number => {
    const versions = new Set<number>();
    for (let now = from; now < to; now += step)
      versions.add(grounds.of(comb, { ...camera, scale: scaleOf(now) }, 'dark', now, true)?.version ?? 0);
    return versions.size;
  };
  assert.equal(
    paintings(1000, 2000, 20, () => 2),
    1,
  );
  assert.equal(
    paintings(2000, 3000, 20, (now) => 2 * 0.5 ** ((now - 1980) / 1000)),
    5,
    'out: the picture becomes smaller than the window',
  );
  assert.equal(
    paintings(4000, 5000, 20, (now) => 1 + (now - 3980) / 1000),
    1,
    'in: it stays larger',
  );
});
