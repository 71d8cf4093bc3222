import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIGURES } from '../src/flock/measures';
import { createSeries } from '../src/flock/series';
import type { Measures } from '../src/net/protocol';

const measures = (speed: number): Measures => ({ polarization: 1, milling: 0, centroid: [1, 2], radius: 30, speed, nearest: 5 });
const SPEED = FIGURES.findIndex(({ name }) => name === 'speed');

test('without measures there is no history; with them each figure has one', () => {
  const series = createSeries();
  assert.equal(series.courses(), null);
  series.take({ tick: 1, measures: null }, 1000);
  assert.equal(series.courses(), null);
  series.take({ tick: 2, measures: measures(3) }, 1000);
  assert.equal(series.courses()?.length, FIGURES.length);
  assert.equal(series.courses()?.[SPEED].value(), 3);
});

test('a pause of the measures, a restart of the ticks, and another flock each begin a new course', () => {
  const again: [string, (series: ReturnType<typeof createSeries>) => void][] = [
    ['no measures', (series) => series.take({ tick: 3, measures: null }, 1000)],
    ['an earlier tick', (series) => series.take({ tick: 1, measures: measures(9) }, 1000)],
    ['another flock', (series) => series.restart()],
  ];
  for (const [what, happens] of again) {
    const series = createSeries();
    series.take({ tick: 2, measures: measures(3) }, 1000);
    happens(series);
    series.take({ tick: 4, measures: measures(9) }, 1000);
    assert.equal(series.courses()?.[SPEED].value(), 9, `${what}: nothing of the 3 is left`);
  }
});

test('a course follows the ticks, not the time: a paused flock adds no values', () => {
  const series = createSeries();
  for (let tick = 1; tick <= 10; tick++) series.take({ tick, measures: measures(3) }, 500);
  const history = () => series.courses()?.[SPEED].history().length;
  assert.equal(history(), 10);
  for (let i = 0; i < 50; i++) series.take({ tick: 10, measures: measures(3) }, 500);
  assert.equal(history(), 10, 'while it is paused');
  series.take({ tick: 11, measures: measures(3) }, 500);
  assert.equal(history(), 11, 'and continues with the next tick');
});
