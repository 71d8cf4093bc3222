import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HISTORY, createCourse, curve } from '../src/flock/measures';
import { written } from '../src/texts/texts';
import { type Moment, centroidAt, createTimeline } from '../src/flock/timeline';
import { room, snapshot } from './samples';

test('figures keep their width', () => {
  assert.deepEqual([0, 0.5, 9.994, 9.996, 12.34, 99.94, 99.96, 1234.5].map(written), [
    ...['0.00', '0.50', '9.99', '10.0', '12.3', '99.9', '100', '1,235'],
  ]);
});

test('a course changes smoothly, at the same speed for any rate of updates', () => {
  const after = (gap: number): number => {
    const course = createCourse();
    course.take(0, 0);
    for (let now = gap; now <= 600; now += gap) course.take(1, now);
    return course.value();
  };
  assert.ok(after(10) > 0.5 && after(10) < 1);
  assert.ok(Math.abs(after(10) - after(100)) < 1e-9);
});

test('a course remembers the last 30 seconds', () => {
  const course = createCourse();
  for (let now = 0; now < 120_000; now += 100) course.take(now, now);
  assert.equal(course.history().length, HISTORY);
  const [oldest, newest] = [course.history()[0], course.history()[HISTORY - 1]];
  assert.ok(Math.abs(newest - oldest - 500 * (HISTORY - 1)) < 1);
});

test('a curve comes in from the right, and never leaves its picture', () => {
  assert.equal(curve([], 1), '');
  assert.equal(curve([0.25, 2], 1), `${HISTORY - 2},0.750 ${HISTORY - 1},0.000`);
  assert.equal(curve([1, 4], null), `${HISTORY - 2},0.750 ${HISTORY - 1},0.000`);
  assert.equal(curve([0], null), `${HISTORY - 1},1.000`);
});

test('the centroid moves from one snapshot to the next, the short way around a torus', () => {
  const at = (boundary: string, alpha: number): [number, number] | null => {
    const here = room({ boundary });
    const timeline = createTimeline(here, 30);
    [530, 40].forEach((x, i) => {
      const others = { polarization: 0, milling: 0, radius: 1, speed: 1, nearest: 1 };
      const sighting = snapshot({ time: 33_000 * i, boids: [[0, 0]] });
      timeline.push({ ...sighting, measures: { ...others, centroid: [x, 200] } }, 33 * i);
    });
    return centroidAt({ ...(timeline.sample(0) as Moment), alpha }, here);
  };
  assert.deepEqual(at('open', 0.5), [285, 200]);
  assert.deepEqual(at('wrap', 0.25), [545, 200]);
  assert.deepEqual(at('wrap', 0.5), [10, 200]);
});

test('without measures no centroid is known', () => {
  const timeline = createTimeline(room(), 30);
  timeline.push(snapshot({ boids: [[0, 0]] }), 0);
  assert.equal(centroidAt(timeline.sample(0) as Moment, room()), null);
});
