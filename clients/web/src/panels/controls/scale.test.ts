import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TRACK_STEP, createScale, tidy } from './scale';

interface Range {
  min: number;
  max: number;
  initial: number;
  values: [number, number][]; // of places on the track
}

const RANGES = [
  { min: 0, max: 1000, initial: 80 },
  { min: 0, max: 10, initial: 0.05 },
  { min: 0, max: 360, initial: 270 },
  { min: 1, max: 1000, initial: 40 },
  { min: -5, max: 5, initial: 0 },
  { min: 0, max: 10, initial: 0 },
  { min: 0, max: 1e9, initial: 1 },
];

for (const range of RANGES) {
  const { min, max, initial } = range;
  test(`a slider from ${min} to ${max} with the initial value ${initial}`, () => {
    const scale = createScale(range);
    assert.equal(scale.value(0), min);
    assert.equal(scale.value(1), max);
    assert.equal(scale.track(min), 0);
    assert.ok(Math.abs(scale.track(max) - 1) < 1e-9);
    let before = -Infinity;
    for (let step = 0; step <= 1 / TRACK_STEP; step++) {
      const track = step * TRACK_STEP;
      const value = scale.value(track);
      assert.ok(value > before, `each step changes the value: ${before}, ${value}`);
      assert.ok(value >= min && value <= max, String(value));
      assert.ok(Math.abs(scale.track(value) - track) <= TRACK_STEP, 'there and back');
      assert.ok(String(value).length <= 10, `${value} is short enough to read`);
      before = value;
    }
  });
}

test('an initial value far below the middle of its range is in the middle of the track', () => {
  for (const initial of [0.05, 1, 3]) {
    const scale = createScale({ min: 0, max: 10, initial });
    assert.ok(Math.abs(scale.track(initial) - 0.5) < 1e-9, String(scale.track(initial)));
    assert.equal(scale.value(0.5), initial);
  }
});

test('a range whose initial value is above its middle is linear', () => {
  const scale = createScale({ min: 0, max: 360, initial: 270 });
  assert.equal(scale.track(180), 0.5);
});

test('values out of the range, and a range of one value, are at the ends', () => {
  const scale = createScale({ min: 0, max: 10, initial: 1 });
  assert.equal(scale.track(-3), 0);
  assert.equal(scale.track(30), 1);
  const single = createScale({ min: 4, max: 4, initial: 4 });
  assert.equal(single.track(4), 0);
  assert.equal(single.value(0.5), 4);
});

test('the terminal has the same scale', () => {
  const ranges = JSON.parse(readFileSync(`${REPOSITORY}/clients/vectors/scale.json`, 'utf8')) as Range[];
  assert.ok(ranges.length > 0);
  for (const { values, ...range } of ranges) {
    const scale = createScale(range);
    assert.deepEqual(
      values.map(([track]) => [track, scale.value(track)]),
      values,
      JSON.stringify(range),
    );
  }
});

test('32 bits do not show', () => {
  assert.equal(tidy(Math.fround(0.1)), 0.1);
  assert.equal(tidy(Math.fround(1000)), 1000);
});
