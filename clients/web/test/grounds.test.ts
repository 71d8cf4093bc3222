// The grounds: marks and walls can be seen on them, in both themes and at any time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGrounds } from '../src/draw/grounds';
import { colorOf } from '../src/draw/grounds/paint';
import { GROUNDS } from '../src/draw/grounds/table';
import { THEMES } from '../src/draw/scene';
import { FakeCanvas, fakeCanvases } from './canvas';
import { set } from './document';
import { room } from './samples';

function luminance(text: string): number {
  const [r, g, b] = colorOf(text).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

for (const [name, ground] of Object.entries(GROUNDS)) {
  test(`marks and walls have a contrast of 3 to the ground ${name}, in both themes`, () => {
    for (const theme of THEMES) {
      const { ink, frame, stops, light } = ground[theme];
      for (const stop of stops) {
        for (const color of [ink, frame])
          assert.ok(contrast(color, stop) >= 3, `${theme}: ${color} on ${stop} has ${contrast(color, stop).toFixed(2)}`);
      }
      const [middle, bound] = [stops.reduce((sum, stop) => sum + luminance(stop), 0) / stops.length, 0.18];
      assert.ok(
        light ? middle > bound : middle < 2 * bound,
        `${theme}: boids contrast with the ground, whose luminance is ${middle.toFixed(2)}`,
      );
    }
  });
}

test('the light theme is lighter than the dark one on every ground', () => {
  for (const [name, { dark, light }] of Object.entries(GROUNDS)) {
    dark.stops.forEach((stop, i) => assert.ok(luminance(light.stops[i]) > luminance(stop), `${name}: ${stop}`));
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
  assert.equal(above.style.transform, 'none');
  grounds.of(meadow, { ...camera, scale: 2, left: 30 }, 'dark', 1010, true);
  assert.equal(above.style.transform, 'translate(30px, 0px) scale(2)', 'the camera glides');
  grounds.of(meadow, { ...camera, scale: 2, left: 30 }, 'dark', 1500, true);
  assert.equal(above.style.transform, 'none', 'it rests, and the fence is painted again');
  grounds.of(room({ ground: 'stage' }), camera, 'dark', 2000, true);
  assert.ok(above.hidden, 'a stage has no fence');
});
