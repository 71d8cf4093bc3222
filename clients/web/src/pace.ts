// How much of the stream of snapshots to ask for. What the page cannot keep up with, it does without: first every other
// snapshot, and again, then every other boid, and again; or the boids first, where it is the drawing that takes too long.
// Once all goes well for a while, the step taken last is undone; if that was too early, the next try comes later.
//
// It knows no clock and no page: it is told what happened in each period of about a second.

/** What happened in a period. */
export interface Period {
  passed: number; // ms
  due: number; // snapshots, at the rate that was granted
  came: number; // snapshots
  skipped: number; // snapshots that the server left out
  delay: number; // ms from the server's clock at a snapshot to its arrival, median; the clocks' offset is part of it
  frames: number; // drawn
  decoding: number; // ms of the main thread
  drawing: number; // ms of the main thread
  flock: number; // boids that the room has
}

/** The fields of a want; 0: all. */
export interface Want {
  rate: number;
  boids: number;
}

export interface Pace {
  look(period: Period): void;
  /** What to ask for, of a flock of that many boids. */
  want(flock: number): Want;
  /** What was before tells nothing of what comes: another connection, or nobody was looking. rate: what all is,
   * snapshots per second. */
  restart(rate: number): void;
}

type Step = 'rate' | 'boids';
type Strain = 'skips' | 'delay' | 'decoding' | 'drawing';

const RATE_LEAST = 5; // Hz
const BOIDS_LEAST = 1024;
const STRAIN = 2; // of a period that does not go well; one that does takes 1 of it away, for snapshots are lost in bursts
const STRAIN_MOST = 4; // a step is taken
const SETTLE = 3000; // ms after a step in which nothing counts: the stream's answer, and what was under way
const SKIPS_MOST = 0.15; // of the snapshots
const ENOUGH = 1.3; // what is asked for may be so much more than what came
const DELAY_MOST = 300; // ms beyond the usual
const DELAY_CALM = 100;
const DELAY_BETTER = 0.75; // of that delay is left after a step that helped against it
const DRIFT = 0.002; // ms a ms: how fast the usual delay may grow, as of clocks that drift
const FRAME_MOST = 24; // ms of the main thread a frame: motion at less than 40 Hz is seen to stutter
const FRAME_CALM = 18; // expected of it after a step back
const PATIENCE = 8000; // ms of calm before a step is undone
const PATIENCE_MAX = 240_000;
const HOLD = 30_000; // ms that an undone step has to go well

export function createPace(): Pace {
  let rate = 0; // what all is
  const steps: Step[] = []; // as they were taken
  let usual = NaN; // delay, ms
  let beyond: number | null = null; // the delay against which the last step was taken
  let strained = 0; // toward STRAIN_MOST
  let calm = 0; // ms
  let settling = SETTLE; // ms left
  let undone = Infinity; // ms since a step was undone
  let patience = PATIENCE;

  const taken = (kind: Step): number => steps.filter((step) => step === kind).length;
  const rateAfter = (count: number): number => rate / 2 ** count;
  const boidsAfter = (count: number, flock: number): number => flock / 2 ** count;

  function possible(kind: Step, flock: number): boolean {
    return kind === 'rate'
      ? rateAfter(taken('rate') + 1) >= RATE_LEAST
      : boidsAfter(taken('boids') + 1, flock) >= BOIDS_LEAST;
  }

  function strain({ came, skipped, delay, frames, decoding, drawing }: Period): Strain | null {
    if (drawing > FRAME_MOST * frames) return 'drawing';
    if (frames > 0 && decoding + drawing > FRAME_MOST * frames) return 'decoding';
    if (skipped > SKIPS_MOST * (came + skipped)) return 'skips';
    return delay - usual > DELAY_MOST ? 'delay' : null;
  }

  /** Whether twice as much of what was taken away last would do no harm. */
  function isCalm({ skipped, delay, frames, decoding, drawing }: Period): boolean {
    const expected = 2 * decoding + (steps.at(-1) === 'boids' ? 2 : 1) * drawing;
    return skipped === 0 && delay - usual < DELAY_CALM && expected <= FRAME_CALM * frames;
  }

  function lower(why: Strain, { due, came, delay, flock }: Period): void {
    const order: Step[] = why === 'drawing' ? ['boids', 'rate'] : ['rate', 'boids'];
    // A way that carries a quarter of it is asked for a quarter at once. A step back that was too early is taken again.
    let over = (why === 'skips' || why === 'delay') && undone > HOLD ? due / came : 2;
    do {
      const step = order.find((kind) => possible(kind, flock));
      if (step === undefined) break;
      steps.push(step);
      over /= 2;
    } while (over > ENOUGH);
    beyond = why === 'delay' ? delay - usual : null;
    patience = undone < HOLD ? Math.min(2 * patience, PATIENCE_MAX) : Math.max(PATIENCE, patience / 2);
    undone = Infinity;
    settle();
  }

  function raise(): void {
    steps.pop();
    undone = 0;
    settle();
  }

  function settle(): void {
    settling = SETTLE;
    strained = calm = 0;
  }

  return {
    look(period) {
      const { passed, came, delay } = period;
      undone += passed;
      settling -= passed;
      if (came === 0) return; // nothing to judge by
      usual = delay < usual || Number.isNaN(usual) ? delay : usual + Math.min(delay - usual, DRIFT * passed);
      if (settling > 0) return;
      // A delay that less did not shorten is the way's own.
      if (beyond !== null && delay - usual > DELAY_BETTER * beyond) usual = delay;
      beyond = null;
      const why = strain(period);
      strained = why === null ? Math.max(0, strained - 1) : strained + STRAIN;
      if (why !== null) calm = 0;
      else if (isCalm(period)) calm += passed;
      if (why !== null && strained >= STRAIN_MOST) lower(why, period);
      else if (calm >= patience && steps.length > 0) raise();
    },

    want(flock) {
      const rates = taken('rate');
      const halvings = taken('boids');
      // The server grants powers of two. The greatest one below the flock's size makes half of it.
      const half = 2 ** Math.floor(Math.log2(Math.max(1, flock - 1)));
      return {
        rate: Math.ceil(rateAfter(rates)),
        boids: halvings === 0 || flock <= BOIDS_LEAST ? 0 : Math.max(BOIDS_LEAST, half / 2 ** (halvings - 1)),
      };
    },

    restart(all) {
      rate = all;
      usual = NaN;
      beyond = null;
      settle();
    },
  };
}
