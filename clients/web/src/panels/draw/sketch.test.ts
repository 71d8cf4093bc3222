import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Request, request } from '../../net/protocol';
import { type Point, type Sketch, createSketch } from './sketch';

/** Makes a sketch in a world of 100 × 100, whose walls snap to multiples of 10. */
function make(): { sketch: Sketch; sent: Request[] } {
  const sent: Request[] = [];
  const inside = ([x, y]: Point): Point => [Math.min(100, Math.max(0, x)), Math.min(100, Math.max(0, y))];
  const snap = ([x, y]: Point): Point => [10 * Math.round(x / 10), 10 * Math.round(y / 10)];
  const sketch = createSketch({ snap, inside, reach: () => 5, send: (message) => void sent.push(message) });
  return { sketch, sent };
}

test('a drag draws a wall from end to end', () => {
  const { sketch, sent } = make();
  sketch.press([11, 12]);
  assert.deepEqual(sketch.start(), [10, 10]);
  sketch.release([52, 78], true);
  assert.deepEqual(sent, [request.wall(10, 10, 50, 80)]);
  assert.equal(sketch.start(), null);
});

test('a click on each end draws a wall', () => {
  const { sketch, sent } = make();
  sketch.press([11, 12]);
  sketch.release([11, 12], false);
  assert.deepEqual(sent, []);
  sketch.press([52, 78]);
  sketch.release([52, 78], false);
  assert.deepEqual(sent, [request.wall(10, 10, 50, 80)]);
});

test('a wall without length is not drawn', () => {
  const { sketch, sent } = make();
  sketch.press([11, 12]);
  sketch.release([13, 9], true);
  assert.deepEqual(sent, []);
  assert.equal(sketch.start(), null);
});

test('a second finger cancels a drag, and not an earlier click on an end', () => {
  const { sketch, sent } = make();
  sketch.press([11, 12]);
  sketch.cancel();
  assert.equal(sketch.start(), null);
  sketch.press([21, 22]);
  sketch.release([21, 22], false);
  sketch.press([80, 80]);
  sketch.cancel();
  assert.deepEqual(sketch.start(), [20, 20]);
  sketch.press([41, 42]);
  sketch.release([41, 42], false);
  assert.deepEqual(sent, [request.wall(20, 20, 40, 40)]);
});

test('food and hunters are placed where the pointer is released, inside the world', () => {
  const { sketch, sent } = make();
  sketch.choose('food');
  sketch.press([11, 12]);
  assert.equal(sketch.start(), null);
  sketch.release([53, 78], true);
  sketch.choose('hunter');
  sketch.press([-20, 130]);
  sketch.release([-20, 130], false);
  assert.deepEqual(sent, [request.food(53, 78, 500), request.hunter(0, 100)]);
});

test('the eraser removes what is within its reach', () => {
  const { sketch, sent } = make();
  sketch.choose('erase');
  sketch.press([11, 12]);
  sketch.release([11, 12], false);
  assert.deepEqual(sent, [request.erase(11, 12, 5)]);
});

test('keys place both ends of a wall', () => {
  const { sketch, sent } = make();
  sketch.place([11, 12]);
  assert.deepEqual(sketch.start(), [10, 10]);
  sketch.place([52, 78]);
  assert.deepEqual(sent, [request.wall(10, 10, 50, 80)]);
});

test('another choice forgets the first end of a wall', () => {
  const { sketch, sent } = make();
  sketch.place([11, 12]);
  sketch.choose('food');
  sketch.choose('wall');
  sketch.place([52, 78]);
  assert.deepEqual(sent, []);
  assert.deepEqual(sketch.start(), [50, 80]);
});
