import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room } from '../../../test/samples';
import type { Sample } from '../../flock/samples';
import { clock, columnsFor, columnsOf, createColumns, joined, lastIn, measureOf, roundTop, valueNear, within } from './columns';

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
  const boids = [measureOf('boids')];
  const span = { from: 0, to: 520 };
  const thin = columnsFor(span, 0, samples, boids, here, 200);
  assert.ok(thin.seconds.length <= 210, `${thin.seconds.length} rows`);
  assert.equal(thin.seconds.length, thin.values[0].length);
  assert.deepEqual([Math.max(...(thin.values[0] as number[])), thin.values[0].includes(1), thin.values[0].filter((value) => value === null).length], [999, true, 1]);
  assert.ok(thin.seconds.every((second, i) => i === 0 || second > thin.seconds[i - 1]));
  const moved = columnsFor({ from: 6, to: 526 }, 0, samples.slice(13), boids, here, 200);
  assert.deepEqual(moved.seconds.slice(10), thin.seconds.slice(-moved.seconds.length).slice(10));
  assert.deepEqual(columnsFor(span, 0, samples, boids, here, 5000), columnsOf(samples, boids, here));
});

test('of several samples, a row has the least and a row the largest value, in the order of time', () => {
  const flocks = [5, 3, 9, 4, 7, 8, 6, 2, 1, 1];
  const samples = flocks.map((flock, i) => sample(5 * i, { flock, clusters: i < 5 ? null : i }));
  const { seconds, values } = columnsFor({ from: 0, to: 5 }, 0, samples, [measureOf('boids'), measureOf('clusters')], here, 4);
  assert.deepEqual(seconds, [0, 2, 2.5, 4.5]);
  assert.deepEqual(values, [
    [3, 9, 8, 1],
    [null, null, 5, 9],
  ]);
});

test('columns that grow are those that are made at once', () => {
  const measures = [measureOf('polarization'), measureOf('clusters'), measureOf('distance')];
  const grown = createColumns();
  const samples: Sample[] = [];
  let tick = 0;
  for (let i = 0; i < 400; i++) {
    tick += i % 97 === 96 ? 60 : 5 + (i % 3);
    samples.push(sample(tick, { clusters: i % 5 < 2 ? null : (i * 7) % 11, target: i % 4 === 0 ? null : [i % 100, 50] }));
    if (i === 150) samples.splice(40, 0, sample(samples[40].tick - 1)); // a replay fills a gap
    if (i > 300) samples.shift(); // the oldest is forgotten
    if (i === 380) samples.length = 100; // the server's clock started again
    tick = samples[samples.length - 1].tick;
    const span = { from: Math.max(0, tick / 10 - (i < 200 ? 60 : 90)), to: tick / 10 };
    const { seconds, values } = grown(span, samples, measures, here, 60);
    const whole = createColumns()(span, samples, measures, here, 60);
    const first = i > 300 ? 2 : 0; // the oldest rows may have samples that are forgotten
    const forgotten = seconds.length - whole.seconds.length;
    assert.deepEqual(seconds.slice(forgotten + first), whole.seconds.slice(first), `sample ${i}`);
    assert.deepEqual(values.map((column) => column.slice(forgotten + first)), whole.values.map((column) => column.slice(first)), `sample ${i}`);
  }
  assert.equal(grown({ from: 0, to: 10 }, [], measures, here, 60).seconds.length, 0);
});

test('the figures without a cursor are those of the last sample in the span', () => {
  const samples = [10, 20, 30].map((tick) => sample(tick));
  assert.deepEqual([0.5, 1, 2.9, 3, 9].map((to) => lastIn(samples, { from: 0, to }, here)?.tick), [undefined, 10, 20, 30, 30]);
});

test('an axis ends with a round number', () => {
  const tops = [0.07, 0.05, 1, 1.01, 23, 30, 7, 999, 12_345].map((value) => roundTop([0, null, value]));
  assert.deepEqual(tops, [0.08, 0.05, 1, 2, 30, 30, 8, 1000, 20_000]);
  assert.deepEqual([roundTop([]), roundTop([0, null])], [1, 1]);
});

test('times are written as a clock', () => {
  assert.deepEqual([0, 5, 65, 3605].map(clock), ['0:00', '0:05', '1:05', '1:00:05']);
});
