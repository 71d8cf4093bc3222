import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room } from '../../../test/samples';
import type { Sample } from '../../flock/samples';
import { clock, columnsFor, columnsOf, joined, measureOf, roundTop, thinned, valueNear, within } from './columns';

const here = room({ tickRate: 10, world: [100, 100], boundary: 'wrap' });
const sample = (tick: number, some: Partial<Sample> = {}): Sample => ({
  ...{ tick, flock: 400, target: null, clusters: null },
  measures: { polarization: tick / 1000, milling: 0, centroid: [10, 50], radius: 30, speed: 2, nearest: 5 },
  ...some,
});

test('a lost connection is a gap in every line', () => {
  const samples = [10, 15, 100, 105].map((tick) => sample(tick));
  const { seconds, values } = columnsOf(samples, [measureOf('polarization'), measureOf('boids')], here);
  assert.deepEqual(seconds, [1, 1.5, 5.75, 10, 10.5]);
  assert.deepEqual(values, [
    [0.01, 0.015, null, 0.1, 0.105],
    [400, 400, null, 400, 400],
  ]);
});

test('a hidden page gets a snapshot a second, which is no gap', () => {
  const samples = [10, 20, 30].map((tick) => sample(tick));
  assert.deepEqual(columnsOf(samples, [measureOf('speed')], here).seconds, [1, 2, 3]);
});

test('the distance to the target is the shorter way around a torus, and missing without a target', () => {
  const { of } = measureOf('distance');
  assert.equal(of(sample(1, { target: [90, 50] }), here), 20);
  assert.equal(of(sample(1, { target: [90, 50] }), room({ world: [100, 100], boundary: 'walls' })), 80);
  assert.equal(of(sample(1), here), null);
});

test('a span has the samples in it, and one before and after it', () => {
  const samples = [10, 20, 30, 40, 50, 60].map((tick) => sample(tick));
  const found = (from: number, to: number): number[] => within(samples, { from, to }, here).map(({ tick }) => tick);
  assert.deepEqual(found(2.5, 4.5), [20, 30, 40, 50]);
  assert.deepEqual(found(0, 9), [10, 20, 30, 40, 50, 60]);
  assert.deepEqual(found(8, 9), [60]);
});

test('an earlier span is laid over a later one, and both keep their own times and gaps', () => {
  const samples = [10, 15, 100, 105].map((tick) => sample(tick));
  const [early, late] = [
    columnsFor({ from: 1, to: 2 }, 9.2, samples, [measureOf('polarization')], here, 100),
    columnsFor({ from: 10, to: 11 }, 0, samples, [measureOf('polarization')], here, 100),
  ];
  const { seconds, values } = joined([early, late]);
  assert.deepEqual(early, { seconds: [10.2, 10.7, 14.95, 19.2], values: [[0.01, 0.015, null, 0.1]] });
  assert.deepEqual(seconds, [1.5, 5.75, 10, 10.2, 10.5, 10.7, 14.95, 19.2]);
  assert.deepEqual(values[0].slice(2), [undefined, 0.01, undefined, 0.015, null, 0.1]);
  assert.deepEqual(values[1].slice(0, 5), [0.015, null, 0.1, undefined, 0.105]);
  assert.deepEqual([2, 3, 4].map((row) => valueNear(seconds, values[0], row)), [0.01, 0.01, 0.01]);
});

test('far from every sample, and in a gap, there is no value', () => {
  assert.equal(valueNear([0, 5], [0.5, undefined], 1), null);
  assert.equal(valueNear([0, 1], [null, undefined], 1), null);
  assert.equal(valueNear([0, 1], [undefined, undefined], 1), null);
  assert.equal(valueNear([], [], 0), null);
});

test('a long span has fewer rows, with each peak and each gap, and the same ones when it moves', () => {
  const samples = Array.from({ length: 1000 }, (_, i) => sample(5 * i + (i < 500 ? 0 : 200), { flock: i === 333 ? 999 : i === 334 ? 1 : 400 }));
  const whole = columnsOf(samples, [measureOf('boids')], here);
  const span = { from: 0, to: 520 };
  const thin = thinned(whole, 200, span);
  assert.ok(thin.seconds.length <= 210, `${thin.seconds.length} rows`);
  assert.equal(thin.seconds.length, thin.values[0].length);
  assert.deepEqual([Math.max(...(thin.values[0] as number[])), thin.values[0].includes(1), thin.values[0].filter((value) => value === null).length], [999, true, 1]);
  assert.ok(thin.seconds.every((second, i) => i === 0 || second > thin.seconds[i - 1]));
  const moved = thinned(columnsOf(samples.slice(13), [measureOf('boids')], here), 200, { from: 6, to: 526 });
  assert.deepEqual(moved.seconds.slice(10), thin.seconds.slice(-moved.seconds.length).slice(10));
  assert.deepEqual(thinned(whole, 5000, span), whole);
});

test('an axis ends with a round number', () => {
  const tops = [0.07, 0.05, 1, 1.01, 23, 30, 7, 999, 12_345].map((value) => roundTop([0, null, value]));
  assert.deepEqual(tops, [0.08, 0.05, 1, 2, 30, 30, 8, 1000, 20_000]);
  assert.deepEqual([roundTop([]), roundTop([0, null])], [1, 1]);
});

test('times are written as a clock', () => {
  assert.deepEqual([0, 5, 65, 3605].map(clock), ['0:00', '0:05', '1:05', '1:00:05']);
});
