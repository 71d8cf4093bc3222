// Pairs of parameters, and the order in which they get their initial values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairOf, waysBack } from '../src/flock/pairs';
import type { Param } from '../src/net/protocol';

const param = (name: string, initial: number, value: number): Param => ({
  ...{ name, unit: '', min: 0, max: 100, initial, value, text: '' },
});

test('a minimum and a maximum are a pair', () => {
  const params = [param('min_speed', 1, 1), param('max_speed', 3, 3), param('max_force', 1, 1), param('sight_min', 1, 1)];
  assert.deepEqual(pairOf(params, 'min_speed'), { other: params[1], least: true });
  assert.deepEqual(pairOf(params, 'max_speed'), { other: params[0], least: false });
  for (const name of ['max_force', 'sight_min', 'minimum', 'speed']) assert.equal(pairOf(params, name), null);
});

test('setting initial values never makes a contradicting pair', () => {
  for (const [low, high] of [
    [5, 6],
    [1, 2],
    [3, 4],
    [2, 6],
  ]) {
    const params = [param('speed_min', 3, low), param('speed_max', 4, high), param('force', 1, 2)];
    const now = new Map(params.map(({ name, value }) => [name, value]));
    for (const { name, initial } of waysBack(params)) {
      now.set(name, initial);
      assert.ok((now.get('speed_min') ?? 0) <= (now.get('speed_max') ?? 0), `${low} to ${high}: ${name}`);
    }
    assert.deepEqual([...now.values()], [3, 4, 1]);
  }
});
