import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSteering } from '../src/app/input';
import type { Room } from '../src/net/protocol';
import { room } from './samples';

function setUp() {
  const sent: (readonly [number, number] | 'away')[] = [];
  const here = { room: room() };
  const outlet = {
    cursor: (x: number, y: number) => sent.push([x, y]) > 0,
    away: () => sent.push('away'),
  };
  const steering = createSteering(outlet, () => here.room);
  const enter = (next: Room): void => {
    here.room = next;
    steering.roomChanged();
  };
  return { steering, sent, enter };
}

test('a first move is sent at once', () => {
  const { steering, sent } = setUp();
  steering.point(10, 20, 'mouse', 1000);
  assert.deepEqual(sent, [[10, 20]]);
});

test('a thousand moves a second become at most 60, and the last one arrives', () => {
  const { steering, sent } = setUp();
  for (let now = 0; now <= 2000; now++) {
    steering.point(now / 10, 50, 'mouse', now);
    if (now % 7 === 0) steering.frame(now);
  }
  assert.ok(sent.length <= 121, String(sent.length));
  assert.ok(sent.length >= 115, String(sent.length));
  steering.frame(2100);
  assert.deepEqual(sent.at(-1), [200, 50]);
});

test('on a display of 60 Hz with some jitter every frame sends', () => {
  const { steering, sent } = setUp();
  for (let frame = 0; frame < 120; frame++) {
    const now = (frame * 1000) / 60 + (frame % 2);
    steering.point(frame, 0, 'mouse', now);
    steering.frame(now);
  }
  assert.equal(sent.length, 120);
});

test('an unmoved cursor is sent again only on request', () => {
  const { steering, sent } = setUp();
  steering.point(1, 2, 'mouse', 0);
  steering.point(1, 2, 'mouse', 100);
  steering.frame(200);
  assert.equal(sent.length, 1);
  steering.repeat();
  steering.frame(300);
  assert.deepEqual(sent, [
    [1, 2],
    [1, 2],
  ]);
});

test('a cursor that could not be sent is sent as soon as possible', () => {
  const sent: [number, number][] = [];
  let open = false;
  const steering = createSteering({ cursor: (x, y) => open && sent.push([x, y]) > 0, away: () => undefined }, room);
  steering.point(1, 2, 'mouse', 0);
  steering.frame(100);
  open = true;
  steering.frame(200);
  steering.frame(300);
  assert.deepEqual(sent, [[1, 2]]);
});

test('leaving is sent once, and no waiting cursor follows it', () => {
  const { steering, sent } = setUp();
  steering.leave();
  steering.point(1, 2, 'touch', 0);
  steering.point(3, 4, 'touch', 1);
  steering.leave();
  steering.leave();
  steering.frame(100);
  assert.deepEqual(sent, [[1, 2], 'away']);
  assert.equal(steering.cursor(), null);
});

test('a cursor stays within the world for any position of the pointer', () => {
  const { steering, sent } = setUp();
  steering.point(-300, 9000, 'touch', 0);
  assert.deepEqual(sent, [[0, 400]]);
  steering.drift(700, -1);
  assert.deepEqual([steering.cursor()?.x, steering.cursor()?.y], [550, 0]);
});

test('held keys move the cursor from the middle, faster with time, and stay within the world', () => {
  const { steering, sent } = setUp();
  assert.ok(steering.keyDown('ArrowRight', 0));
  assert.ok(!steering.keyDown('KeyQ', 0));
  assert.ok(!steering.keyDown('toString', 0));
  const places: number[] = [];
  for (let now = 16; now < 2000; now += 16) {
    steering.frame(now);
    places.push(steering.cursor()?.x ?? NaN);
  }
  assert.ok(places[0] > 275);
  assert.ok(places[10] - places[9] > places[1] - places[0]);
  assert.equal(places.at(-1), 550);
  assert.ok(sent.every((message) => message !== 'away'));
  steering.keyUp('ArrowRight');
  const count = sent.length;
  for (let now = 2000; now < 3000; now += 16) steering.frame(now);
  assert.ok(sent.length <= count + 1);
});

test('opposite keys cancel out, and a diagonal is no faster', () => {
  const straight = setUp().steering;
  const diagonal = setUp().steering;
  const still = setUp().steering;
  straight.keyDown('KeyD', 0);
  diagonal.keyDown('KeyD', 0);
  diagonal.keyDown('KeyS', 0);
  still.keyDown('KeyA', 0);
  still.keyDown('KeyD', 0);
  for (const steering of [straight, diagonal, still]) steering.frame(16);
  const way = (steering: typeof still): number => {
    const at = steering.cursor();
    return at === null ? 0 : Math.hypot(at.x - 275, at.y - 200);
  };
  assert.ok(Math.abs(way(straight) - way(diagonal)) < 1e-9);
  assert.equal(way(still), 0);
});

test('the keys move the cursor on from the pointer’s position', () => {
  const { steering } = setUp();
  steering.point(100, 100, 'mouse', 0);
  steering.leave();
  steering.keyDown('ArrowDown', 100);
  steering.frame(116);
  assert.equal(steering.cursor()?.x, 100);
  assert.equal(steering.cursor()?.kind, 'key');
});

test('a view that moves below a resting pointer does not move the cursor', () => {
  const { steering, sent } = setUp();
  steering.point(100, 100, 'mouse', 0);
  steering.drift(200, 150);
  steering.frame(1000);
  assert.deepEqual(sent, [[100, 100]]);
  assert.deepEqual(steering.cursor(), { x: 200, y: 150, kind: 'mouse' });
});

test('in a smaller world the keys’ cursor moves inside, and the server learns it', () => {
  const { steering, sent, enter } = setUp();
  enter(room({ world: [2000, 1000] }));
  steering.keyDown('ArrowRight', 0);
  for (let now = 0; now < 5000; now += 16) steering.frame(now);
  assert.equal(steering.cursor()?.x, 2000);
  steering.keyUp('ArrowRight');
  enter(room());
  steering.frame(6000);
  assert.equal(steering.cursor()?.x, 550);
  assert.deepEqual(sent.at(-1), [550, 400]);
});
