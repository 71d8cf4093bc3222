import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Pace, type Period, type Want, createPace, strideFor } from '../src/net/pace';

const FLOCK = 100_000;

/** The stream that a server grants. */
interface Granted {
  rate: number;
  boids: number;
}

/** A page that gets the stream that it asks for. */
interface Page {
  pace: Pace;
  wants: Want[]; // each different from the one before
  /** how: returns the figures of a second with a granted stream. */
  live(seconds: number, how?: (granted: Granted) => Partial<Period>): void;
  last(): Want;
}

function page(full = 60, flock = FLOCK): Page {
  const pace = createPace();
  pace.restart(full);
  const wants: Want[] = [pace.want()];
  return {
    pace,
    wants,
    last: () => wants[wants.length - 1],
    live(seconds, how = () => ({})) {
      for (let i = 0; i < seconds; i++) {
        const { rate, boids } = wants[wants.length - 1];
        const granted = { rate: rate || full, boids: boids === 0 ? flock : flock / strideFor(flock, boids) };
        const well = { came: granted.rate, frames: 60, decoding: 30, drawing: 120 };
        pace.look({ passed: 1000, flock, slow: false, ...well, ...how(granted) });
        const next = pace.want();
        if (next.rate !== rate || next.boids !== boids) wants.push(next);
      }
    },
  };
}

/** ms: time of a frame with all boids. With fewer boids it takes less. */
const drawing =
  (ms: number) =>
  ({ boids }: Granted): Partial<Period> => {
    const took = (ms * boids) / FLOCK;
    const frames = Math.max(1, Math.min(60, Math.floor(1000 / took)));
    return { frames, drawing: frames * took, decoding: 0 };
  };

test('a fast page wants the whole stream', () => {
  const { wants, live } = page();
  live(600);
  assert.deepEqual(wants, [{ rate: 0, boids: 0 }]);
});

test('on a slow connection the page wants no less', () => {
  const { wants, live } = page();
  live(60, () => ({ came: 1 }));
  live(60, () => ({ came: 0 }));
  live(60, ({ rate }) => ({ came: rate / 2 }));
  assert.equal(wants.length, 1);
});

test('a second of strain changes nothing', () => {
  const { wants, live } = page();
  live(20);
  for (let i = 0; i < 20; i++) {
    live(1, () => ({ frames: 10, drawing: 900 }));
    live(5);
  }
  assert.equal(wants.length, 1);
});

test('strain in every other second has an effect', () => {
  const { last, live } = page();
  for (let i = 0; i < 6; i++) {
    live(1, ({ boids }) => (boids === FLOCK ? { frames: 25, drawing: 900 } : {}));
    live(1);
  }
  assert.deepEqual(last(), { rate: 0, boids: 50_000 });
});

test('when drawing takes too long, the page asks for fewer boids at the same rate', () => {
  const { last, live } = page();
  live(20, drawing(40));
  assert.deepEqual(last(), { rate: 0, boids: 50_000 });
});

test('the steps match the server’s grants: every 2nd, 3rd, 4th, 6th … boid', () => {
  const { wants, live } = page();
  // Always slightly too slow, with any number of boids.
  live(200, () => ({ frames: 38, drawing: 38 * 25, decoding: 0 }));
  assert.deepEqual(wants.map(({ boids }) => boids).slice(0, 9), [0, 50_000, 33_334, 25_000, 16_667, 12_500, 8334, 6250, 4167]);
  assert.equal(Math.min(...wants.slice(1).map(({ boids }) => boids)), 1042, 'every 96th; every 128th would be 782');
});

test('a page that is much too slow asks for much less at once', () => {
  const { wants, live } = page();
  live(8, drawing(600));
  assert.deepEqual(wants[1], { rate: 0, boids: 4167 });
  assert.ok(wants.length <= 3, JSON.stringify(wants));
});

test('with the fewest boids, the page asks for fewer snapshots, down to about 5 a second', () => {
  const { wants, last, live } = page(60, 1500);
  live(200, () => ({ frames: 30, drawing: 900, decoding: 0 }));
  assert.deepEqual(last(), { rate: 5, boids: 0 });
  assert.deepEqual(
    wants.map(({ rate }) => rate),
    [0, 30, 20, 15, 10, 8, 5],
  );
});

test('when decoding takes too long, the page asks for fewer snapshots', () => {
  const { last, live } = page();
  live(60, ({ rate }) => ({ frames: 30, decoding: 15 * rate, drawing: 100 }));
  assert.deepEqual(last(), { rate: 30, boids: 0 });
});

test('with few frames because of a slow graphics processor, the page asks for fewer boids', () => {
  const { last, live } = page();
  live(60, ({ boids }) => ({ frames: boids > 40_000 ? 12 : 50, drawing: 30, decoding: 10 }));
  assert.deepEqual(last(), { rate: 0, boids: 33_334 });
});

test('30 frames a second, as on a phone that saves energy, are enough', () => {
  const { wants, live } = page();
  live(600, () => ({ frames: 30, drawing: 100, decoding: 20 }));
  assert.equal(wants.length, 1);
});

test('few frames for another reason do not lower the rate', () => {
  const { last, live } = page(60, 1500);
  live(60, () => ({ frames: 10, drawing: 20, decoding: 5 }));
  assert.deepEqual(last(), { rate: 0, boids: 0 });
});

test('24 ms a frame are fast enough, and 20 frames a second', () => {
  for (const how of [
    { frames: 40, drawing: 960, decoding: 0 },
    { frames: 40, drawing: 480, decoding: 480 },
    { frames: 20, drawing: 100, decoding: 0 },
  ]) {
    const { wants, live } = page();
    live(60, () => how);
    assert.equal(wants.length, 1, JSON.stringify(how));
  }
});

test('after the strain the stream returns step by step', () => {
  const { wants, live, last } = page();
  live(60, drawing(100));
  const lowest = wants.length;
  assert.ok(lowest >= 2);
  live(300, drawing(4));
  assert.deepEqual(last(), { rate: 0, boids: 0 });
  assert.ok(wants.slice(lowest - 1).every(({ boids }, i, all) => i === 0 || boids === 0 || boids > all[i - 1].boids));
});

test('a step is undone only if frames are expected to take at most 18 ms', () => {
  for (const [ms, boids] of [
    [18, 0],
    [18.5, 50_000],
  ]) {
    const { last, live } = page();
    live(20, drawing(40));
    live(60, () => ({ frames: 50, drawing: (50 * ms) / 2, decoding: 0 }));
    assert.equal(last().boids, boids, `${ms} ms`);
  }
});

test('a step that was undone too early is seldom undone again', () => {
  const { wants, live } = page();
  live(3600, drawing(40));
  assert.ok(wants.length <= 50, `${wants.length} changes in an hour`);
  // With drawing times that do not follow the number of boids, the page has to try.
  const other = page();
  other.live(3600, ({ boids }) => ({ frames: boids > 60_000 ? 30 : 60, drawing: boids > 60_000 ? 900 : 60 }));
  assert.ok(other.wants.length >= 4 && other.wants.length <= 60, `${other.wants.length} changes in an hour`);
});

test('the number of boids that a page draws stays when the flock grows', () => {
  const { pace, last, live } = page();
  live(20, drawing(40));
  const { boids } = last();
  for (let i = 0; i < 5; i++)
    pace.look({ passed: 1000, slow: false, flock: FLOCK * (1 + i), came: 60, frames: 60, decoding: 500, drawing: 500 });
  assert.equal(pace.want().boids, boids);
});

test('periods without snapshots or frames are not judged', () => {
  const { wants, live } = page();
  live(60, () => ({ came: 0, frames: 5, drawing: 900 }));
  live(60, () => ({ frames: 0, drawing: 0 }));
  assert.equal(wants.length, 1);
});

test('a new connection starts with the last want', () => {
  const { pace, last, live } = page();
  live(20, drawing(40));
  const held = last();
  pace.restart(30);
  live(3, () => ({ frames: 5, drawing: 900 }));
  assert.deepEqual(last(), held);
});

test('strides are 1, 2, 3, 4, 6, 8, 12 …: the smallest that is enough', () => {
  assert.deepEqual(
    [300, 299, 150, 149, 100, 99, 75, 50, 37, 25].map((boids) => strideFor(300, boids)),
    [1, 2, 2, 3, 3, 4, 4, 6, 12, 12],
  );
  assert.equal(strideFor(0, 100), 1);
});

test('the steps agree with the terminal’s', () => {
  interface Vector {
    about: string;
    rate: number; // Hz
    flock: number;
    steps: { periods: number; over: number; calm: boolean; rate_wanted: number; boids_wanted: number }[];
  }
  const vectors = JSON.parse(readFileSync(`${REPOSITORY}/clients/vectors/pace.json`, 'utf8')) as Vector[];
  assert.ok(vectors.length > 0);
  for (const { about, rate, flock, steps } of vectors) {
    const pace = createPace();
    pace.restart(rate);
    for (const { periods, over, calm, rate_wanted, boids_wanted } of steps) {
      // With up to 24 ms of decoding per frame the page is fast enough.
      const decoding = over > 1 ? 24 * 30 * over : calm ? 0 : 24 * 30 * 0.95;
      for (let i = 0; i < periods; i++) pace.look({ passed: 1000, came: 30, frames: 30, decoding, drawing: 0, flock, slow: false });
      assert.deepEqual(pace.want(), { rate: rate_wanted, boids: boids_wanted }, about);
    }
  }
});
