import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RATIO_MAX, fit, toScreen, toWorld } from '../src/camera';

for (const [width, height] of [
  [1280, 720],
  [390, 844],
  [3000, 300],
  [320, 320],
] as const) {
  test(`the whole world is visible and centred in ${width}×${height}`, () => {
    const camera = fit([550, 400], width, height, 1);
    const [left, top] = toScreen(camera, 0, 0);
    const [right, bottom] = toScreen(camera, 550, 400);
    assert.ok(left >= 0 && top >= 0 && right <= width && bottom <= height);
    assert.ok(Math.abs(left - (width - right)) < 1e-9 && Math.abs(top - (height - bottom)) < 1e-9);
    assert.ok(Math.min(left, top) <= 10 + 1e-9, 'and as large as fits');
    assert.ok(Math.abs((right - left) / (bottom - top) - 550 / 400) < 1e-9, 'undistorted');
  });
}

test('screen and world are each other’s inverse', () => {
  const camera = fit([550, 400], 801, 601, 1.5);
  const [x, y] = toWorld(camera, ...toScreen(camera, -123.4, 987.6));
  assert.ok(Math.abs(x + 123.4) < 1e-9 && Math.abs(y - 987.6) < 1e-9);
});

test('the pixel ratio is capped, and a window of no size is survived', () => {
  assert.equal(fit([550, 400], 100, 100, 4).ratio, RATIO_MAX);
  assert.ok(fit([550, 400], 0, 0, 1).scale > 0);
});
