// The messages between two rooms beside each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromFrame, toFrame } from './messages';

test('messages of frames are read', () => {
  for (const message of [
    { kind: 'here' },
    { kind: 'chosen' },
    { kind: 'close' },
    { kind: 'plots' },
    { kind: 'controls', open: true },
    { kind: 'title', title: 'Bees' },
    { kind: 'cursor', at: [0.25, 1] },
    { kind: 'cursor', at: null },
    { kind: 'camera', at: [0.5, -2, 1.5] },
    { kind: 'camera', at: null },
    { kind: 'scale', scale: 0.5 },
    { kind: 'shows', projector: true, measures: false, plots: true },
  ])
    assert.deepEqual(fromFrame({ ...message, more: 1 }), message);
  assert.deepEqual(toFrame({ kind: 'choice', chosen: true, controls: false }), { kind: 'choice', chosen: true, controls: false });
  assert.deepEqual(toFrame({ kind: 'shows', projector: false, measures: true, more: 1 }), {
    kind: 'shows',
    projector: false,
    measures: true,
    plots: false,
  });
  assert.deepEqual(toFrame({ kind: 'cursor', at: [0, 0.5] }), { kind: 'cursor', at: [0, 0.5] });
  assert.deepEqual(toFrame({ kind: 'scale', scale: 2, more: 1 }), { kind: 'scale', scale: 2 });
  assert.deepEqual(toFrame({ kind: 'camera', at: [0, 0.5, 2] }), { kind: 'camera', at: [0, 0.5, 2] });
});

test('invalid messages are ignored', () => {
  for (const data of [null, undefined, 7, 'chosen', [], {}, { kind: 'leave' }, { kind: 'title' }, { kind: 'choice' }])
    assert.equal(fromFrame(data), null);
  for (const data of [null, 'choice', {}, { kind: 'here' }]) assert.equal(toFrame(data), null);
  for (const at of [undefined, [], [0.5], [0.5, 0.5, 0.5], [0.5, 1.1], [-0.1, 0], [NaN, 0], ['0', '0'], { 0: 0, 1: 0 }]) {
    assert.equal(fromFrame({ kind: 'cursor', at }), null);
    assert.equal(toFrame({ kind: 'cursor', at }), null);
  }
  for (const at of [undefined, [0.5, 0.5], [0.5, 0.5, 0], [0.5, 0.5, -1], [0.5, 0.5, NaN], ['0', 0, 1]])
    assert.equal(toFrame({ kind: 'camera', at }), null);
  for (const scale of [undefined, 0, -1, NaN, Infinity, '1', null]) {
    assert.equal(fromFrame({ kind: 'scale', scale }), null);
    assert.equal(toFrame({ kind: 'scale', scale }), null);
  }
});
