import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Pace, type Period, type Want, createPace } from '../src/pace';

const FLOCK = 100_000;

/** A page that gets what it asks for, second by second. how: what a second is like with so much asked for. */
interface Page {
  pace: Pace;
  wants: Want[]; // each one that is another than the one before
  live(seconds: number, how?: (granted: { rate: number; boids: number }) => Partial<Period>): void;
  last(): Want;
}

/** Every 2nd, or 4th, 8th …, until they are no more than asked for. */
function granted(boids: number, flock: number): number {
  return boids === 0 ? flock : flock / 2 ** Math.ceil(Math.log2(flock / boids));
}

function page(rate = 60, flock = FLOCK): Page {
  const pace = createPace();
  pace.restart(rate);
  const wants: Want[] = [pace.want(flock)];
  return {
    pace,
    wants,
    last: () => wants[wants.length - 1],
    live(seconds, how = () => ({})) {
      for (let i = 0; i < seconds; i++) {
        const { rate, boids } = wants[wants.length - 1];
        const well = { due: rate, came: rate, skipped: 0, delay: 5000, frames: 60, decoding: 30, drawing: 120 };
        pace.look({ passed: 1000, flock, ...well, ...how({ rate, boids: granted(boids, flock) }) });
        const next = pace.want(flock);
        if (next.rate !== rate || next.boids !== boids) wants.push(next);
      }
    },
  };
}

test('all is wanted as long as all goes well', () => {
  const { wants, live } = page();
  live(600);
  assert.deepEqual(wants, [{ rate: 60, boids: 0 }]);
});

test('a second of trouble changes nothing', () => {
  const { wants, live } = page();
  live(20);
  for (let i = 0; i < 20; i++) {
    live(1, () => ({ skipped: 30, came: 30 }));
    live(5);
  }
  assert.equal(wants.length, 1);
});

test('snapshots that are lost in bursts are lost, too', () => {
  const { last, live } = page();
  for (let i = 0; i < 6; i++) {
    live(1, ({ rate }) => (rate > 30 ? { skipped: 30, came: 30 } : {}));
    live(1);
  }
  assert.deepEqual(last(), { rate: 30, boids: 0 });
});

test('a way that carries a twentieth of it is asked for little at once', () => {
  const { wants, live } = page();
  live(6, () => ({ came: 3, skipped: 57 }));
  assert.deepEqual(wants.slice(0, 2), [
    { rate: 60, boids: 0 },
    { rate: 8, boids: 65536 },
  ]);
});

test('a way that carries a snapshot in five seconds is asked for less once that is clear', () => {
  const { wants, live } = page();
  for (let i = 0; i < 2; i++) {
    live(4, () => ({ came: 0, delay: NaN }));
    live(1, () => ({ came: 1, skipped: 299 }));
  }
  assert.equal(wants.length, 2);
});

test('what the server leaves out lowers the rate to about 5 a second, then the boids to about 1,000', () => {
  const { wants, live } = page();
  live(120, ({ rate }) => ({ came: rate / 2, skipped: rate / 2 }));
  assert.deepEqual(
    wants.map(({ rate }) => rate),
    [60, 30, 15, 8, 8, 8, 8, 8, 8, 8],
  );
  assert.deepEqual(
    wants.map(({ boids }) => boids),
    [0, 0, 0, 0, 65536, 32768, 16384, 8192, 4096, 2048],
  );
  // of 100,000 boids every 64th is 1,563, every 128th would be 782
});

test('a small flock is shown whole, whatever happens', () => {
  const { last, live } = page(60, 1500);
  live(120, ({ rate }) => ({ came: rate / 2, skipped: rate / 2 }));
  assert.deepEqual(last(), { rate: 8, boids: 0 });
});

test('a rate that is slow already is halved as long as 5 a second are left', () => {
  const { wants, live } = page(20);
  live(30, ({ rate }) => ({ came: rate / 2, skipped: rate / 2 }));
  assert.deepEqual(
    wants.slice(0, 3).map(({ rate }) => rate),
    [20, 10, 5],
  );
});

test('where drawing takes too long, boids are left out and the rate stays', () => {
  const { last, live } = page();
  live(60, ({ boids }) => ({ frames: 20, decoding: 50, drawing: (20 * 40 * boids) / FLOCK }));
  assert.deepEqual(last(), { rate: 60, boids: 65536 });
});

test('where decoding takes too long, snapshots are', () => {
  const { last, live } = page();
  live(60, ({ rate }) => ({ frames: 30, decoding: 15 * rate, drawing: 100 }));
  assert.deepEqual(last(), { rate: 30, boids: 0 });
});

test('a way that holds half of it is asked for half, and seldom for more', () => {
  const { wants, live } = page();
  live(3600, ({ rate }) => (rate > 30 ? { came: 30, skipped: rate - 30 } : {}));
  assert.ok(wants.every(({ rate }) => rate >= 30));
  assert.ok(wants.length >= 4, 'more is tried');
  assert.ok(wants.length <= 50, `${wants.length} changes in an hour`);
});

test('when the trouble is over all comes back, step by step', () => {
  const { wants, live, last } = page();
  live(30, ({ rate }) => ({ came: rate / 2, skipped: rate / 2 }));
  const lowest = wants.length;
  assert.ok(lowest >= 4);
  live(300);
  assert.deepEqual(wants.slice(lowest), wants.slice(0, lowest - 1).reverse());
  assert.deepEqual(last(), { rate: 60, boids: 0 });
});

test('a rate that was lowered comes back, however long a frame takes, as long as that is not too long', () => {
  const { last, live } = page();
  const slow = { frames: 50, drawing: 800, decoding: 20 };
  live(6, () => ({ ...slow, came: 30, skipped: 30 }));
  assert.deepEqual(last(), { rate: 30, boids: 0 });
  live(60, () => slow);
  assert.deepEqual(last(), { rate: 60, boids: 0 });
});

test('what comes later and later is asked for less, until it comes in time', () => {
  const { last, live } = page();
  live(10);
  let queue = 0; // ms
  live(60, ({ rate }) => {
    queue = Math.max(0, queue + (rate > 20 ? 12 * (rate - 20) : -500));
    return { delay: 5000 + queue };
  });
  assert.deepEqual(last(), { rate: 15, boids: 0 });
});

test('a longer way is none of the page’s fault', () => {
  const { wants, last, live } = page();
  live(20);
  live(300, () => ({ delay: 5800 }));
  assert.ok(wants.length <= 3, JSON.stringify(wants));
  assert.deepEqual(last(), { rate: 60, boids: 0 });
});

test('clocks that drift are no delay', () => {
  const { wants, live } = page();
  let now = 0;
  live(3600, () => ({ delay: 5000 + ++now }));
  assert.equal(wants.length, 1);
});

test('without snapshots there is nothing to judge by', () => {
  const { wants, live } = page();
  live(60, () => ({ came: 0, skipped: 0, delay: NaN }));
  live(2);
  assert.equal(wants.length, 1);
});

test('another connection starts with what held, and nothing else of the one before', () => {
  const { pace, last, live } = page();
  live(6, () => ({ came: 30, skipped: 30 }));
  assert.equal(last().rate, 30);
  pace.restart(60);
  live(5, () => ({ delay: 900_000 }));
  assert.deepEqual(last(), { rate: 30, boids: 0 });
});
