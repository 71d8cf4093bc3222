import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createShown } from './span';

test('at first the last two minutes are shown, and follow the flock', () => {
  const shown = createShown();
  assert.deepEqual(shown.span(30), { from: 0, to: 120 });
  assert.deepEqual(shown.span(300), { from: 180, to: 300 });
  assert.equal(shown.follows(), true);
});

test('a chosen span stays where it is, until it is to follow again', () => {
  const shown = createShown();
  shown.span(300);
  shown.show({ from: 200, to: 230 });
  assert.deepEqual(shown.span(310), { from: 200, to: 230 });
  shown.move(-0.5);
  assert.deepEqual(shown.span(320), { from: 185, to: 215 });
  shown.follow();
  assert.deepEqual(shown.span(320), { from: 290, to: 320 });
});

test('a span that reaches the newest time follows', () => {
  const shown = createShown();
  shown.span(300);
  shown.show({ from: 200, to: 290 });
  shown.move(0.5);
  assert.equal(shown.follows(), true);
});

test('zooming keeps the point under the pointer, and reaches from 5 seconds to 20 minutes', () => {
  const shown = createShown();
  shown.span(3000);
  shown.show({ from: 1000, to: 1100 });
  shown.zoom(2, 0.25);
  assert.deepEqual(shown.span(3000), { from: 1012.5, to: 1062.5 });
  shown.zoom(1000, 0.5);
  const near = shown.span(3000);
  assert.equal(near.to - near.from, 5);
  shown.zoom(0.0001, 0.5);
  const far = shown.span(3000);
  assert.equal(far.to - far.from, 1200);
});

test('a following span still follows after a zoom with the keys', () => {
  const shown = createShown();
  shown.span(3000);
  shown.zoom(2);
  assert.deepEqual(shown.span(3010), { from: 2950, to: 3010 });
});

test('no span begins before the room', () => {
  const shown = createShown();
  shown.span(500);
  for (let i = 0; i < 20; i++) shown.move(-0.5);
  assert.deepEqual(shown.span(500), { from: 0, to: 120 });
});
