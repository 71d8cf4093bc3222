import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RATIO_MAX, between, fit, toScreen, toWorld } from '../src/draw/camera';

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

test('the pixel ratio has a limit, and a window without size gives finite values', () => {
  assert.equal(fit([550, 400], 100, 100, 4).ratio, RATIO_MAX);
  assert.ok(fit([550, 400], 0, 0, 1).scale > 0);
});

test('the world is beside a panel that covers a part of the window', () => {
  const side = fit([550, 400], 1280, 720, 1, { right: 344, bottom: 0 });
  assert.ok(toScreen(side, 550, 0)[0] <= 1280 - 344);
  const sheet = fit([550, 400], 390, 844, 1, { right: 0, bottom: 400 });
  assert.ok(toScreen(sheet, 0, 400)[1] <= 444);
  assert.deepEqual(fit([550, 400], 200, 200, 1, { right: 200, bottom: 0 }).scale > 0, true, 'with any rest');
});

test('between two cameras, each point of the world moves on a straight line', () => {
  const from = fit([550, 400], 1280, 720, 1);
  const to = fit([1600, 1000], 1280, 720, 1);
  assert.deepEqual(toScreen(between(from, to, 0), 100, 50), toScreen(from, 100, 50));
  assert.equal(between(from, to, 1), to);
  assert.equal(between(from, to, -3), from);
  const [x0] = toScreen(from, 100, 50);
  const [x1] = toScreen(to, 100, 50);
  let before = x0;
  for (let t = 0.1; t < 1; t += 0.1) {
    const [x] = toScreen(between(from, to, t), 100, 50);
    assert.ok(Math.sign(x - before) === Math.sign(x1 - x0), 'without turning back');
    before = x;
  }
});
