// Pointers and keys on the plot. The plot is 100 CSS pixels wide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, fire } from '../../../test/document';
import { listenOver, listenToKeys } from './gestures';
import { createShown } from './span';

function setUp() {
  createPage('<div id="plot" tabindex="0"><div id="over"></div></div>');
  const [host, over] = [find(document, '#plot'), find(document, '#over')];
  over.getBoundingClientRect = () => ({ left: 10, width: 100 }) as DOMRect;
  const shown = createShown();
  const seen = { points: [] as number[], changes: 0, reads: 0 };
  let at: number | null = null;
  const span = () => shown.span(1000);
  span();
  const options = {
    ...{ host, shown },
    pointed: () => at,
    point: (second: number) => void seen.points.push((at = second)),
    timeAt: (part: number) => span().from + part * (span().to - span().from),
    step: (from: number | null, by: number) => (from ?? 1000) + by,
    jump: (from: number | null, by: number) => (from === null ? null : from + 100 * by),
    onChange: () => void seen.changes++,
    onRead: () => void seen.reads++,
  };
  listenOver(over, options);
  listenToKeys(options);
  return { host, over, shown, seen, span };
}

const finger = (pointerId: number, clientX: number): Record<string, unknown> => ({ pointerType: 'touch', pointerId, clientX });

test('the wheel zooms around the pointer, and scrolls nothing', () => {
  const { over, seen, span } = setUp();
  const before = span();
  const { prevented } = fire(over, 'wheel', { deltaY: -200, clientX: 60 });
  const after = span();
  assert.ok(prevented && after.to - after.from < before.to - before.from);
  assert.ok(Math.abs((after.from + after.to) / 2 - 940) < 1e-9);
  assert.equal(seen.changes, 1);
});

test('one finger reads values', () => {
  const { over, seen } = setUp();
  fire(over, 'pointerdown', finger(1, 10));
  fire(over, 'pointermove', finger(1, 60));
  fire(over, 'pointerup', finger(1, 60));
  fire(over, 'pointermove', finger(1, 90));
  assert.deepEqual(seen.points, [880, 940]);
});

test('two fingers zoom and move', () => {
  const { over, span } = setUp();
  fire(over, 'pointerdown', finger(1, 50));
  fire(over, 'pointerdown', finger(2, 70));
  fire(over, 'pointermove', finger(1, 30));
  const zoomed = span();
  assert.equal(zoomed.to - zoomed.from, 60);
  fire(over, 'pointermove', finger(1, 40));
  fire(over, 'pointermove', finger(2, 80));
  assert.ok(span().from > 0 && span().to < 1000);
});

test('the focused plot takes its keys from the page: arrows do not steer, plus adds no boids', () => {
  const { host, shown, seen, span } = setUp();
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', '+', '-', '=', 'PageUp', 'PageDown', 'End'])
    assert.deepEqual(fire(host, 'keydown', { key }), { prevented: true, arrived: false }, key);
  assert.equal(shown.follows(), true);
  assert.deepEqual(fire(host, 'keydown', { key: 'g' }), { prevented: false, arrived: true });
  assert.deepEqual(fire(host, 'keydown', { key: '+', ctrlKey: true }), { prevented: false, arrived: true });
  seen.points.length = 0;
  fire(host, 'keydown', { key: 'ArrowLeft', shiftKey: true });
  assert.equal(seen.points.length, 1);
  fire(host, 'keydown', { key: 'PageUp' });
  assert.equal(shown.follows(), false);
  assert.ok(span().to < 1000);
});
