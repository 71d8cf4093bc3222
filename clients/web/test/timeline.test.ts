import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Moment, type Timeline, around, boidAt, centroid, createTimeline, pointAt } from '../src/flock/timeline';
import { room, snapshot } from './samples';

const STEP = 1000 / 30;
const OPEN = room();
const WRAP = room({ boundary: 'wrap', period: [8800, 6400] });

interface Run {
  timeline: Timeline;
  shown: { now: number; moment: Moment; x: number; playhead: number }[];
}

/** Plays snapshots of one boid at 30 Hz over a network, and samples the timeline 60 times a second. The boid moves 10 quanta per
 * snapshot. delay: ms of snapshot n. lost: whether snapshot n is lost. The server's clock is 12,345 ms ahead. */
function play(steps: number, delay: (n: number) => number, lost: (n: number) => boolean = () => false): Run {
  const timeline = createTimeline(OPEN, 30);
  const arrivals: { at: number; n: number }[] = [];
  let latest = 0;
  for (let n = 0; n < steps; n++) {
    latest = Math.max(latest, n * STEP + delay(n)); // a stream: a late snapshot delays the next ones
    if (!lost(n)) arrivals.push({ at: latest, n });
  }
  const shown: Run['shown'] = [];
  for (let now = 0; now < steps * STEP; now += 1000 / 60) {
    for (let next = arrivals[0]; next !== undefined && next.at <= now; next = arrivals[0]) {
      arrivals.shift();
      timeline.push(snapshot({ tick: next.n, time: (12_345 + next.n * STEP) * 1000, boids: [[10 * next.n, 0]] }), next.at);
    }
    const moment = timeline.sample(now);
    if (moment === null) continue;
    shown.push({ now, moment, x: boidAt(moment, 0, OPEN)?.[0] ?? NaN, playhead: now - timeline.lag() - 12_345 });
  }
  return { timeline, shown };
}

/** Returns the largest deviation of a frame's step from the usual step, as a share of the usual step. */
function unevenness(run: Run, from: number): number {
  const usual = 10 * (1000 / 60 / STEP);
  let worst = 0;
  for (let i = 1; i < run.shown.length; i++) {
    if (run.shown[i].now >= from) worst = Math.max(worst, Math.abs(run.shown[i].x - run.shown[i - 1].x - usual));
  }
  return worst / usual;
}

test('on a steady network motion is even, and at least one and a half intervals behind', () => {
  const run = play(300, () => 20);
  assert.ok(unevenness(run, 2500) < 0.01, String(unevenness(run, 2500)));
  const delay = run.timeline.lag() + 12_345;
  assert.ok(Math.abs(delay - (20 + 1.5 * STEP)) < 2, String(delay));
});

test('playback starts two and a half intervals behind', () => {
  const run = play(10, () => 5);
  assert.ok(Math.abs(run.timeline.lag() + 12_345 - (5 + 2.5 * STEP)) < 1e-6);
});

test('jitter makes the delay grow until motion is even again', () => {
  const run = play(900, (n) => 10 + (n % 3 === 0 ? 60 : 0));
  const delay = run.timeline.lag() + 12_345;
  assert.ok(delay > 70 + STEP, String(delay));
  assert.ok(delay < 70 + 4 * STEP, String(delay));
  assert.ok(unevenness(run, 8000) < 0.02, String(unevenness(run, 8000)));
});

test('when the jitter is over the delay shrinks again', () => {
  const run = play(1500, (n) => (n < 300 && n % 3 === 0 ? 90 : 10));
  assert.ok(run.timeline.lag() + 12_345 < 10 + 1.7 * STEP, String(run.timeline.lag()));
});

test('after a blocked connection, playback soon catches up', () => {
  const run = play(900, (n) => (n < 100 ? 20 : n < 400 ? 4000 : 20));
  const delayAt = (step: number): number => {
    const { now, playhead } = run.shown.find((sight) => sight.now >= step * STEP) as Run['shown'][number];
    return now - playhead;
  };
  assert.ok(delayAt(395) > 1500, String(delayAt(395)));
  assert.ok(delayAt(520 + 30 * 8) < 300, String(delayAt(520 + 30 * 8)));
  for (let i = 1; i < run.shown.length; i++) {
    const passed = run.shown[i].now - run.shown[i - 1].now;
    assert.ok(run.shown[i].playhead - run.shown[i - 1].playhead <= 1.51 * passed);
  }
});

test('the playhead never steps, and never runs backward', () => {
  const run = play(600, (n) => (n > 200 ? 150 : 10) + (n % 5) * 4);
  for (let i = 1; i < run.shown.length; i++) {
    const passed = run.shown[i].now - run.shown[i - 1].now;
    const played = run.shown[i].playhead - run.shown[i - 1].playhead;
    assert.ok(played >= 0.74 * passed && played <= 1.11 * passed, `${played} in ${passed}`);
  }
});

test('one lost snapshot is bridged without a jump', () => {
  const run = play(
    300,
    () => 20,
    (n) => n === 150,
  );
  assert.ok(unevenness(run, 3000) < 0.05, String(unevenness(run, 3000)));
});

test('after 100 ms without a snapshot the flock stands still', () => {
  const run = play(
    120,
    () => 20,
    (n) => n >= 60,
  );
  const last = run.shown.at(-1)?.x ?? NaN;
  assert.ok(Math.abs(last - (590 + (10 * 100) / STEP)) < 1e-6, String(last));
  const { moment } = run.shown.at(-1) as Run['shown'][number];
  assert.equal(moment.perMs, 0);
});

test('after a stall, playback skips the missed time', () => {
  // All snapshots of two seconds come at once, as after a sleep.
  const run = play(300, (n) => (n >= 100 && n < 160 ? 20 + (160 - n) * STEP : 20));
  const after = run.shown.find((sight) => sight.now > 161 * STEP + 400);
  assert.ok(after !== undefined);
  assert.ok(after.x > 10 * 158, `shows ${after.x / 10} at step ${after.now / STEP}`);
});

test('after the machine slept, the flock is soon up to date', () => {
  // slept: ms that the page's clock (above 0) or the server's clock (below 0) has lost
  for (const slept of [20_000, -20_000]) {
    const timeline = createTimeline(OPEN, 30);
    let held = 0;
    for (let now = 0, n = 0; now < 20_000; now += 1000 / 60) {
      for (; n * STEP <= now; n++) {
        const time = n * STEP + (n > 300 ? Math.max(0, slept) : 0);
        const arrival = n * STEP + (n > 300 ? Math.max(0, -slept) : 0);
        timeline.push(snapshot({ tick: n, time: time * 1000, boids: [[n, 0]] }), arrival);
      }
      const moment = timeline.sample(now + (now > 300 * STEP ? Math.max(0, -slept) : 0));
      if (now > 13_000 && moment?.perMs === 0) held++;
    }
    assert.equal(held, 0, `slept for ${slept} ms`);
    const shown = timeline.newest()?.time ?? NaN;
    const playhead = 20_000 + Math.max(0, -slept) - timeline.lag();
    assert.ok(shown - playhead < 4 * STEP, `${shown - playhead} ms behind`);
  }
});

test('playback adapts to another rate at once and without a jump', () => {
  for (const [before, after] of [
    [1, 4],
    [4, 1],
    [1, 2],
  ]) {
    const timeline = createTimeline(OPEN, 30 / before);
    const turn = 240; // the first step with the other rate
    let played = { now: NaN, x: NaN };
    for (let n = 0; n < 480; n += 0.5) {
      const now = n * STEP;
      if (n === turn) {
        const lag = timeline.lag();
        timeline.follow(30 / after);
        assert.ok(Math.abs(timeline.interval() - after * STEP) < 1e-9, 'at once');
        assert.equal(timeline.lag(), lag);
      }
      if (n % (n < turn ? before : after) === 0) timeline.push(snapshot({ tick: n, time: now * 1000, boids: [[10 * n, 0]] }), now);
      const x = boidAt(timeline.sample(now) as Moment, 0, OPEN)?.[0] ?? NaN;
      const speed = ((x - played.x) / (now - played.now)) * (STEP / 10);
      if (n > 120) assert.ok(speed > 0.7 && speed < 1.12, `${before} to ${after}: ${speed} at step ${n}`);
      played = { now, x };
    }
    const delay = timeline.lag();
    assert.ok(Math.abs(delay - 1.5 * after * STEP) < 8, `${before} to ${after}: ${delay}`);
  }
});

test('nothing is interpolated across an epoch', () => {
  const timeline = createTimeline(OPEN, 30);
  for (let n = 0; n < 6; n++) {
    const far = n >= 3;
    timeline.push(snapshot({ epoch: far ? 2 : 1, time: n * STEP * 1000, boids: [[far ? 5000 : 10 * n, 0]] }), n * STEP);
  }
  const seen = new Set<number>();
  for (let now = 0; now < 400; now += 1) {
    const moment = timeline.sample(now);
    const at = moment === null ? null : boidAt(moment, 0, OPEN);
    if (at !== null) seen.add(at[0]);
  }
  assert.ok(seen.has(5000));
  for (const x of seen) assert.ok(x <= 20 || x === 5000, String(x));
});

test('nothing is interpolated across a gap of seconds', () => {
  const timeline = createTimeline(OPEN, 30);
  timeline.push(snapshot({ time: 0, boids: [[0, 0]] }), 0);
  timeline.push(snapshot({ time: 5_000_000, boids: [[1000, 0]] }), 5000);
  for (let now = 5000; now < 5200; now += 5) {
    const moment = timeline.sample(now);
    assert.ok(moment !== null);
    const [x] = boidAt(moment, 0, OPEN) as [number, number];
    assert.ok(x === 0 || x === 1000, String(x));
  }
});

test('new boids appear once both frames have them', () => {
  const timeline = createTimeline(OPEN, 30);
  timeline.push(snapshot({ time: 0, boids: [[0, 0]] }), 0);
  timeline.push(
    snapshot({
      time: STEP * 1000,
      boids: [
        [1, 1],
        [7, 7],
      ],
    }),
    STEP,
  );
  timeline.push(
    snapshot({
      time: 2 * STEP * 1000,
      boids: [
        [2, 2],
        [8, 8],
      ],
    }),
    2 * STEP,
  );
  const early = timeline.sample(STEP) as Moment;
  assert.equal(Math.min(early.a.count, early.b.count), 1);
  const late = timeline.sample(500) as Moment;
  assert.equal(Math.min(late.a.count, late.b.count), 2);
});

test('playback adapts to a restarted server at once', () => {
  const timeline = createTimeline(OPEN, 30);
  for (let n = 0; n < 30; n++) timeline.push(snapshot({ time: (9000 + n * STEP) * 1000, boids: [[0, 0]] }), n * STEP);
  timeline.sample(1000);
  for (let n = 0; n < 10; n++) timeline.push(snapshot({ time: n * STEP * 1000, boids: [[500, 0]] }), 1000 + n * STEP);
  const moment = timeline.sample(1300) as Moment;
  assert.deepEqual(boidAt(moment, 0, OPEN), [500, 0]);
});

test('a boid that crosses the edge of a torus takes the short way', () => {
  const period = 550 * 16;
  assert.equal(around(period / 2 - 10, -period / 2 + 10, 0.5, period), -period / 2);
  assert.equal(around(period / 2 - 10, -period / 2 + 10, 0.25, period), period / 2 - 5);
  const timeline = createTimeline(WRAP, 30);
  timeline.push(snapshot({ time: 0, boids: [[period / 2 - 10, 0]] }), 0);
  timeline.push(snapshot({ time: STEP * 1000, boids: [[-period / 2 + 10, 0]] }), STEP);
  for (let now = 0; now < 300; now += 1) {
    const [x] = boidAt(timeline.sample(now) as Moment, 0, WRAP) as [number, number];
    assert.ok(Math.abs(x) > period / 2 - 80, String(x));
  }
  const { headings } = (timeline.sample(300) as Moment).b;
  assert.equal(headings[0], 32767, 'and heads to the right, as it moves');
});

test('a boid at the end of the range is not drawn', () => {
  const timeline = createTimeline(OPEN, 30);
  timeline.push(
    snapshot({
      time: 0,
      boids: [
        [-32768, 0],
        [0, 32767],
        [32766, -32767],
      ],
    }),
    0,
  );
  const moment = timeline.sample(0) as Moment;
  assert.deepEqual(
    [0, 1, 2].map((i) => boidAt(moment, i, OPEN)),
    [null, null, [32766, -32767]],
  );
});

test('headings follow the motion, smoothly, and are kept when a boid is still', () => {
  const timeline = createTimeline(OPEN, 30);
  let [x, y] = [0, 0];
  const push = (n: number, dx: number, dy: number): Int16Array => {
    [x, y] = [x + dx, y + dy];
    timeline.push(snapshot({ tick: n, time: n * STEP * 1000, boids: [[x, y]] }), n * STEP);
    return timeline.newest()?.headings ?? new Int16Array(2);
  };
  push(0, 0, 0);
  assert.deepEqual([...push(1, 20, 0)].slice(0, 2), [32767, 0]);
  const turning = push(2, 0, 20);
  assert.ok(turning[0] > 5000 && turning[1] > 5000, 'not all at once');
  assert.ok(Math.abs(Math.hypot(turning[0], turning[1]) - 32767) < 2);
  for (let n = 3; n < 30; n++) push(n, 0, 20);
  const settled = [...push(30, 0, 20)].slice(0, 2);
  assert.ok(settled[1] > 32700);
  assert.deepEqual([...push(31, 0, 0)].slice(0, 2), settled);
});

test('boids have their direction of movement at any rate of snapshots', () => {
  const timeline = createTimeline(OPEN, 30);
  for (let n = 0; n < 3; n++) timeline.push(snapshot({ tick: n, time: n * 1_700_000, boids: [[100 * n, 0]] }), n * 1700);
  assert.deepEqual([...(timeline.newest()?.headings ?? [])].slice(0, 2), [32767, 0]);
});

test('the first frame has headings, too', () => {
  const timeline = createTimeline(OPEN, 30);
  timeline.push(snapshot({ time: 0, boids: [[0, 0]] }), 0);
  timeline.push(snapshot({ time: STEP * 1000, boids: [[0, -50]] }), STEP);
  const moment = timeline.sample(0) as Moment;
  assert.deepEqual([...moment.a.headings].slice(0, 2), [0, -32767]);
});

test('all headings of a very large flock are unknown', () => {
  const timeline = createTimeline(OPEN, 30);
  const boids = Array.from({ length: 50_001 }, (): [number, number] => [0, 0]);
  const headings = new Uint8Array(boids.length).fill(64);
  const seen = [headings, null, headings].map((told, n) => {
    timeline.push({ ...snapshot({ time: n * STEP * 1000, boids }), headings: told }, n * STEP);
    return timeline.newest()?.headings[1];
  });
  assert.deepEqual(seen, [0, 0, 0]);
});

test('boids that have not moved have the server’s headings', () => {
  const timeline = createTimeline(OPEN, 30);
  const boids: [number, number][] = [
    [0, 0],
    [9, 9],
  ];
  timeline.push({ ...snapshot({ time: 0, boids }), headings: Uint8Array.of(0, 192) }, 0);
  const headings = (): number[] => [...(timeline.newest()?.headings ?? [])].slice(0, 4);
  assert.deepEqual(headings(), [32767, 0, 0, -32767]);
  timeline.push(snapshot({ time: STEP * 1000, boids }), STEP);
  assert.deepEqual(headings(), [32767, 0, 0, -32767], 'they stand still');
  boids[0] = [0, 50];
  for (let n = 2; n < 30; n++) {
    boids[0] = [0, 50 * n];
    timeline.push({ ...snapshot({ time: n * STEP * 1000, boids }), headings: Uint8Array.of(0, 0) }, n * STEP);
  }
  assert.ok(headings()[1] > 32700, 'what was seen counts more');
  assert.deepEqual(headings().slice(2), [0, -32767]);
});

test('bytes at an odd offset are read right, and cursors with them', () => {
  const timeline = createTimeline(OPEN, 30);
  timeline.push(snapshot({ time: 0, boids: [[-300, 511]], cursors: [[0xfffffffe, -16, 32]] }), 0);
  const frame = timeline.newest();
  assert.deepEqual([...(frame?.positions ?? [])].slice(0, 2), [-300, 511]);
  assert.deepEqual(frame?.cursors.get(0xfffffffe), [274, 202]);
});

test('memory stays bounded while the page is hidden', () => {
  const timeline = createTimeline(OPEN, 30);
  const buffers = new Set<ArrayBufferLike>();
  for (let n = 0; n < 1000; n++) {
    timeline.push(snapshot({ time: n * STEP * 1000, boids: [[0, 0]] }), n * STEP);
    buffers.add((timeline.newest() as { positions: Int16Array }).positions.buffer);
  }
  assert.ok(buffers.size < 100, String(buffers.size));
});

test('playback reuses frames and allocates no further buffers', () => {
  const timeline = createTimeline(OPEN, 30);
  const buffers = new Set<ArrayBufferLike>();
  for (let n = 0; n < 1000; n++) {
    timeline.push(
      snapshot({
        time: n * STEP * 1000,
        boids: [
          [0, 0],
          [1, 1],
        ],
      }),
      n * STEP,
    );
    timeline.sample(n * STEP);
    buffers.add((timeline.newest() as { positions: Int16Array }).positions.buffer);
  }
  assert.ok(buffers.size < 12, String(buffers.size));
});

test('the centroid is the mean of the shown boids, on a torus the circular mean', () => {
  const open = createTimeline(OPEN, 30);
  open.push(
    snapshot({
      time: 0,
      boids: [
        [-160, 0],
        [160, 320],
        [32767, 0],
      ],
    }),
    0,
  );
  assert.deepEqual(centroid(open.sample(0) as Moment, OPEN), [275, 210]);
  const wrap = createTimeline(WRAP, 30);
  wrap.push(
    snapshot({
      time: 0,
      boids: [
        [-275 * 16 + 32, 0],
        [275 * 16 - 32, 0],
      ],
    }),
    0,
  );
  const [x, y] = centroid(wrap.sample(0) as Moment, WRAP) as [number, number];
  assert.ok(Math.min(Math.abs(x), Math.abs(x - 550)) < 1e-6, String(x));
  assert.ok(Math.abs(y - 200) < 1e-6);
});

test('a new boid does not get the heading of an earlier boid with its number', () => {
  const timeline = createTimeline(OPEN, 30);
  for (let n = 0; n < 60; n++) {
    const both = n < 20 || n >= 40;
    timeline.push(
      snapshot({ tick: n, time: n * STEP * 1000, boids: [[10 * n, 0], ...(both ? [[0, 10 * n] as [number, number]] : [])] }),
      n * STEP,
    );
    timeline.sample(n * STEP);
    const { headings } = timeline.newest() as { headings: Int16Array };
    if (n === 40) assert.deepEqual([...headings.subarray(2, 4)], [0, 0]);
  }
});

test('the centroid of a single boid is the boid, in every world', () => {
  for (const world of [OPEN, WRAP]) {
    const timeline = createTimeline(world, 30);
    timeline.push(snapshot({ time: 0, boids: [[1000, -600]] }), 0);
    const [x, y] = centroid(timeline.sample(0) as Moment, world) as [number, number];
    assert.ok(Math.abs(x - (275 + 1000 / 16)) < 1e-6 && Math.abs(y - (200 - 600 / 16)) < 1e-6, `${x}, ${y}`);
  }
});

test('new cursors and targets appear in place, without a path', () => {
  assert.equal(pointAt(null, [1, 1], 0.9), null);
  assert.deepEqual(pointAt(null, [1, 1], 1), [1, 1]);
  assert.deepEqual(pointAt([0, 0], [10, 20], 0.5), [5, 10]);
  assert.deepEqual(pointAt([0, 0], [10, 20], 3), [10, 20]);
});

test('a boid wraps around after the period, which may differ from the world’s size in quanta', () => {
  const here = room({ boundary: 'wrap', period: [8801, 6400] });
  const timeline = createTimeline(here, 30);
  timeline.push(snapshot({ time: 0, boids: [[4400, 0]] }), 0);
  timeline.push(snapshot({ time: STEP * 1000, boids: [[-4400, 0]] }), STEP);
  const { a, b } = timeline.sample(4 * STEP) as Moment;
  const at = boidAt({ a, b, alpha: 0.5, perMs: 0 }, 0, here) as [number, number];
  assert.equal(Math.abs(at[0]), 4400.5, 'half a step on, over the edge');
});

test('nothing is interpolated between two strides', () => {
  const timeline = createTimeline(OPEN, 30);
  const three: [number, number][] = [
    [0, 0],
    [100, 0],
    [200, 0],
  ];
  timeline.push(snapshot({ time: 0, boids: three }), 0);
  timeline.push(snapshot({ time: STEP * 1000, boids: [three[0], three[2]], stride: 2 }), STEP);
  for (const now of [1, 2, 3, 4].map((steps) => steps * STEP)) {
    const { a, b } = timeline.sample(now) as Moment;
    assert.equal(a, b, String(now));
  }
});

test('a cursor at the end of the range is shown there', () => {
  const timeline = createTimeline(OPEN, 30);
  timeline.push(snapshot({ time: 0, cursors: [[9, 32767, -32768]] }), 0);
  assert.deepEqual(timeline.newest()?.cursors.get(9), [275 + 32767 / 16, 200 - 2048]);
});

test('no two frames of any timelines have the same serial', () => {
  const serials = new Set<number>();
  for (let i = 0; i < 3; i++) {
    const timeline = createTimeline(OPEN, 30);
    for (let n = 0; n < 5; n++) {
      timeline.push(snapshot({ time: n * STEP * 1000, boids: [[0, 0]] }), n * STEP);
      serials.add(timeline.newest()?.serial ?? NaN);
    }
  }
  assert.equal(serials.size, 15);
});

test('memory is bounded for any number of boids and any times', () => {
  const timeline = createTimeline(OPEN, 30);
  const boids = new Uint8Array(4 * 1_000_000);
  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < 200; n++) timeline.push({ ...snapshot({ time: n * 1e6 }), boids }, n);
  const taken = process.memoryUsage().arrayBuffers - before;
  assert.ok(taken < 200e6, `${taken} bytes`);
  assert.equal(timeline.newest()?.count, 1_000_000);
});

test('without frames, as in a hidden iframe, only the newest two snapshots are kept', () => {
  const timeline = createTimeline(OPEN, 30);
  const push = (n: number): void => timeline.push(snapshot({ tick: n, time: n * STEP * 1000, boids: [[n, 0]] }), n * STEP);
  for (let n = 0; n < 600; n++) push(n);
  const seen = timeline.sample(600 * STEP);
  assert.deepEqual([seen?.a.tick, seen?.b.tick], [598, 599]);
  for (let n = 600; n < 610; n++) push(n);
  assert.equal(timeline.sample(600 * STEP)?.a.tick, 598, 'when it is drawn again, they are kept');
});

test('the terminal has the same delay', () => {
  interface Vector {
    about: string;
    rate: number; // Hz
    /** push: a snapshot with a server's time arrives, µs; look: the lag at a time, µs; follow: another rate, Hz. */
    events: (['push', time: number, arrival: number] | ['look', now: number, lag: number] | ['follow', rate: number])[];
  }
  const vectors = JSON.parse(readFileSync(`${REPOSITORY}/clients/vectors/playout.json`, 'utf8')) as Vector[];
  assert.ok(vectors.length > 0);
  for (const { about, rate, events } of vectors) {
    const timeline = createTimeline(OPEN, rate);
    events.forEach(([what, at, also], index) => {
      if (what === 'follow') timeline.follow(at);
      else if (what === 'push') timeline.push(snapshot({ tick: index, time: at, boids: [[0, 0]] }), also / 1000);
      else {
        timeline.sample(at / 1000);
        assert.ok(Math.abs(timeline.lag() * 1000 - also) <= 1, `${about}: ${timeline.lag()} at ${at}`);
      }
    });
  }
});
