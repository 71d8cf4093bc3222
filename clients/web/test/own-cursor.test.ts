import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Model } from '../src/flock/model';
import type { Standing } from '../src/flock/standing';
import { createOwnCursor } from '../src/app/own-cursor';
import { room } from './samples';

/** Makes the person's own cursor in a room with a cursor timeout of 0.25 s. page.sent has the sent positions. */
function setUp(standing: Standing = 'steers') {
  const page = { standing, status: 'connected', takes: true, sent: [] as string[] };
  const here = room({ cursorTimeout: 0.25 });
  const model = {
    standing: () => page.standing,
    room: () => here,
    status: () => ({ kind: page.status }),
    leads: () => null,
    welcome: () => null,
  } as unknown as Model;
  const own = createOwnCursor(model, {
    cursor(x, y) {
      if (page.takes) page.sent.push(`${x},${y}`);
      return page.takes;
    },
    away: () => page.sent.push('away'),
  });
  own.room?.(here);
  return { own, page };
}

/** Replaces the page's clock by `now` of the result, ms. */
function hold(t: TestContext): { now: number } {
  const clock = { now: 1000 };
  t.mock.method(performance, 'now', () => clock.now);
  return clock;
}

test('a sent cursor steers until it has not moved for the room’s timeout', (t) => {
  const clock = hold(t);
  const { own, page } = setUp();
  assert.ok(!own.steers() && !own.used());
  own.steering.point(10, 20, 'mouse', 0);
  assert.deepEqual(page.sent, ['10,20']);
  assert.ok(own.steers() && own.used());
  clock.now += 249;
  assert.ok(own.steers());
  clock.now += 2;
  assert.ok(!own.steers(), 'it has rested for long enough');
  assert.ok(own.used(), 'but it was used');
});

test('a cursor that leaves no longer steers', (t) => {
  hold(t);
  const { own, page } = setUp();
  own.steering.point(10, 20, 'mouse', 0);
  own.steering.leave();
  assert.deepEqual(page.sent, ['10,20', 'away']);
  assert.ok(!own.steers());
});

test('a cursor that the connection refused is sent later', (t) => {
  hold(t);
  const { own, page } = setUp();
  page.takes = false;
  own.steering.point(10, 20, 'mouse', 0);
  assert.ok(!own.steers() && !own.used());
  page.takes = true;
  own.steering.frame(1000);
  assert.deepEqual(page.sent, ['10,20']);
  assert.ok(own.steers());
});

test('a viewer with a locked cursor sends no cursor and does not steer', () => {
  const { own, page } = setUp('watches');
  own.steering.point(10, 20, 'mouse', 0);
  assert.deepEqual(page.sent, []);
  assert.ok(!own.steers() && !own.used());
});

test('a cursor that a presenter locks no longer steers', (t) => {
  hold(t);
  const { own, page } = setUp();
  own.steering.point(10, 20, 'mouse', 0);
  page.standing = 'watches';
  own.role?.('viewer');
  page.standing = 'steers';
  assert.ok(!own.steers());
});

test('after a new connection the cursor is sent again', (t) => {
  hold(t);
  const { own, page } = setUp();
  own.steering.point(10, 20, 'mouse', 0);
  page.status = 'waiting';
  own.status?.({ kind: 'waiting' } as Parameters<NonNullable<typeof own.status>>[0]);
  own.steering.frame(1000);
  assert.deepEqual(page.sent, ['10,20']);
  assert.ok(!own.steers());
  page.status = 'connected';
  own.status?.({ kind: 'connected' } as Parameters<NonNullable<typeof own.status>>[0]);
  own.steering.frame(2000);
  assert.deepEqual(page.sent, ['10,20', '10,20']);
  assert.ok(own.steers());
});
