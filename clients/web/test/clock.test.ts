import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClock } from '../src/net/clock';

const OFFSET = 5000; // ms by which the server's clock is ahead

/** Runs the clock for the given time over a network with those one-way delays (ms); returns when pings were sent. */
function run(clock: ReturnType<typeof createClock>, time: number, delays: (n: number) => [number, number]): number[] {
  const sent: number[] = [];
  for (let now = 0; now < time; now += 10) {
    const t = clock.ping(now);
    if (t === null) continue;
    const [there, back] = delays(sent.length);
    sent.push(now);
    clock.pong(t, (now + there + OFFSET) * 1000, now + there + back);
  }
  return sent;
}

test('five pings at once, then one every two seconds, never more than ten a second', () => {
  const sent = run(createClock(), 9000, () => [5, 5]);
  assert.deepEqual(sent.slice(0, 6), [0, 120, 240, 360, 480, 2480]);
  assert.ok(sent.length < 10);
});

test('the offset of a symmetric network is exact', () => {
  const clock = createClock();
  assert.equal(clock.offset(), null);
  run(clock, 600, () => [30, 30]);
  assert.ok(Math.abs((clock.offset() ?? NaN) - OFFSET) < 0.01);
  assert.equal(clock.roundTrip(), 60);
});

test('a few slow round trips do not change the offset', () => {
  const clock = createClock();
  run(clock, 600, (n) => (n === 1 || n === 3 ? [10, 400] : [10, 10]));
  assert.ok(Math.abs((clock.offset() ?? NaN) - OFFSET) < 0.01);
  assert.equal(clock.roundTrip(), 20);
});

test('slow round trips do not change the offset if the other trips differ a little', () => {
  const clock = createClock();
  const delays: [number, number][] = [
    [5, 15],
    [400, 10],
    [10, 10],
    [15, 5],
    [400, 10],
  ];
  run(clock, 600, (n) => delays[n]);
  assert.ok(Math.abs((clock.offset() ?? NaN) - OFFSET) < 0.01, `${clock.offset()}`);
  assert.equal(clock.roundTrip(), 20);
});

test('the clock depends only on the last eight pings', () => {
  const clock = createClock();
  const pings = (from: number, offset: (i: number) => number): void => {
    for (let i = 0; i < 8; i++) {
      const now = from + 2000 * i;
      clock.pong(clock.ping(now) ?? NaN, (now + 5 + offset(i)) * 1000, now + 10);
    }
  };
  pings(0, () => OFFSET);
  pings(20_000, (i) => 2 * OFFSET + i); // the server's clock was set
  assert.ok(Math.abs((clock.offset() ?? NaN) - 2 * OFFSET - 3.5) < 0.01, `${clock.offset()}`);
});

test('a pong after eight later pings is ignored', () => {
  const clock = createClock();
  const sent = Array.from({ length: 9 }, (_, i) => clock.ping(2000 * i) ?? NaN);
  clock.pong(sent[0], OFFSET * 1000, 20_000);
  assert.equal(clock.offset(), null);
  clock.pong(sent[1], OFFSET * 1000, 20_000);
  assert.notEqual(clock.offset(), null);
});

test('pongs without a ping, and second pongs, are ignored', () => {
  const clock = createClock();
  clock.pong(123, 1, 50);
  assert.equal(clock.offset(), null);
  const t = clock.ping(0) ?? NaN;
  clock.pong(t, OFFSET * 1000, 10);
  const known = clock.offset();
  clock.pong(t, 99 * OFFSET * 1000, 20);
  assert.equal(clock.offset(), known);
});

test('the terminal has the same clock', () => {
  interface Vector {
    about: string;
    samples: [number, number, number][]; // µs: sent, received, the server's time
    offset: number;
    trip: number;
  }
  const vectors = JSON.parse(readFileSync(`${REPOSITORY}/clients/vectors/clock.json`, 'utf8')) as Vector[];
  assert.ok(vectors.length > 0);
  for (const { about, samples, offset, trip } of vectors) {
    const clock = createClock();
    for (const [sent, received, time] of samples) {
      assert.equal(clock.ping(sent / 1000), sent, about);
      clock.pong(sent, time, received / 1000);
    }
    assert.ok(Math.abs((clock.offset() ?? NaN) - offset / 1000) < 1e-6, `${about}: ${clock.offset()}`);
    assert.ok(Math.abs((clock.roundTrip() ?? NaN) - trip / 1000) < 1e-6, `${about}: ${clock.roundTrip()}`);
  }
});
