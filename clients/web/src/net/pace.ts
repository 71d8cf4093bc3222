// How much of the stream of snapshots to ask for: what the page cannot draw fast enough, it does without. Where drawing
// takes too long, boids are left out, then snapshots; where decoding does, snapshots, then boids. Once all goes well for a
// while, the step taken last is undone; if that was too early, the next try comes later.
//
// Whether the line is too slow is the server's to judge. This knows no clock and no page: it is given what happened in each
// period of about a second.

/** What happened in a period. */
export interface Period {
  passed: number; // ms
  came: number; // snapshots
  frames: number; // drawn
  decoding: number; // ms of the main thread
  drawing: number; // ms of the main thread
  flock: number; // boids that the room has
  slow: boolean; // the server grants less than was asked for
}

/** What a client asks for. rate: snapshots per second, boids: in each at most; 0: all. */
export interface Want {
  rate: number;
  boids: number;
}

export interface Pace {
  look(period: Period): void;
  want(): Want;
  /** What was before says nothing of what comes: another connection, or nobody was looking. rate: what all is,
   * snapshots per second. */
  restart(rate: number): void;
}

type Step = 'rate' | 'boids';
type Strain = 'decoding' | 'drawing' | 'frames';

const RATE_LEAST = 5; // Hz
const BOIDS_LEAST = 1024;
const STRAIN = 2; // of a period that does not go well; one that does takes 1 of it away
const STRAIN_MOST = 4; // a step is taken
const SETTLE = 3000; // ms after a step in which nothing counts: until the stream is another, and what was under way is drawn
const FRAME_MOST = 24; // ms of the main thread a frame: motion at less than 40 Hz is seen to stutter
const FRAME_CALM = 18; // expected of it after a step back
// A processor of graphics that cannot keep up costs the main thread nothing: it shows in the frames. Some browsers draw
// only 30 a second to save energy, which is no strain.
const FRAMES_LEAST = 20; // Hz
const FRAMES_CALM = 25; // Hz
/** What helps against a strain, the best first. */
const HELP: Record<Strain, readonly Step[]> = {
  decoding: ['rate', 'boids'],
  drawing: ['boids', 'rate'],
  frames: ['boids'],
};
const ENOUGH = 1.3; // times too slow that the next period may still show
const PATIENCE = 8000; // ms of calm before a step is undone
const PATIENCE_MAX = 240_000;
const HOLD = 30_000; // ms that an undone step has to go well

export function createPace(): Pace {
  let rate = 0; // what all is
  const steps: Step[] = []; // as they were taken
  const divisors = [1]; // of the rate; the last one holds
  const limits = [Infinity]; // boids; the last one holds
  let strained = 0; // toward STRAIN_MOST
  let calm = 0; // ms
  let settling = SETTLE; // ms left
  let undone = Infinity; // ms since a step was undone
  let patience = PATIENCE;

  /** Every how many-th boid or snapshot there is after the step taken last of that kind, or the back-th before it. */
  const strideOf = (step: Step, flock: number, back = 0): number =>
    step === 'rate' ? divisors[divisors.length - 1 - back] : strideFor(flock, limits[limits.length - 1 - back]);

  /** How many times as much there was before the step taken last of that kind. */
  const ratio = (step: Step, flock: number): number => strideOf(step, flock) / strideOf(step, flock, 1);

  function strain({ passed, frames, decoding, drawing }: Period): Strain | null {
    if (drawing > FRAME_MOST * frames) return 'drawing';
    if (decoding + drawing > FRAME_MOST * frames) return 'decoding';
    return 1000 * frames < FRAMES_LEAST * passed ? 'frames' : null;
  }

  /** How many times too slow it is. */
  const excess = ({ passed, frames, decoding, drawing }: Period): number =>
    Math.max((decoding + drawing) / (FRAME_MOST * frames), (FRAMES_LEAST * passed) / (1000 * frames));

  /** Whether what was taken away last, if it came back, would do no harm. */
  function isCalm({ passed, frames, decoding, drawing, flock, slow }: Period): boolean {
    if (slow) return false; // little comes: that says nothing about more
    const last = steps.at(-1);
    const more = last === undefined ? 1 : ratio(last, flock);
    const expected = more * decoding + (last === 'boids' ? more : 1) * drawing;
    return expected <= FRAME_CALM * frames && 1000 * frames >= FRAMES_CALM * passed;
  }

  /** Whether that step was taken: the rate and the boids have an end. */
  function take(step: Step, flock: number): boolean {
    const stride = after(strideOf(step, flock));
    if (step === 'rate') {
      if (rate / stride < RATE_LEAST) return false;
      divisors.push(stride);
    } else {
      const boids = Math.ceil(flock / stride);
      if (boids < BOIDS_LEAST) return false;
      limits.push(boids);
    }
    steps.push(step);
    return true;
  }

  function lower(why: Strain, period: Period): void {
    let over = excess(period);
    do {
      const step = HELP[why].find((each) => take(each, period.flock));
      if (step === undefined) break;
      over /= ratio(step, period.flock);
    } while (over > ENOUGH);
    // A step back that was too early is taken again.
    patience = undone < HOLD ? Math.min(2 * patience, PATIENCE_MAX) : Math.max(PATIENCE, patience / 2);
    undone = Infinity;
    settle();
  }

  function raise(): void {
    (steps.pop() === 'rate' ? divisors : limits).pop();
    undone = 0;
    settle();
  }

  function settle(): void {
    settling = SETTLE;
    strained = calm = 0;
  }

  return {
    look(period) {
      const { passed, came, frames } = period;
      undone += passed;
      settling -= passed;
      if (settling > 0 || came === 0 || frames === 0) return; // nothing to judge by
      const why = strain(period);
      strained = why === null ? Math.max(0, strained - 1) : strained + STRAIN;
      if (why !== null) calm = 0;
      else if (isCalm(period)) calm += passed;
      if (why !== null && strained >= STRAIN_MOST) lower(why, period);
      else if (calm >= patience && steps.length > 0) raise();
    },
    want() {
      const divisor = divisors[divisors.length - 1];
      const limit = limits[limits.length - 1];
      return { rate: divisor === 1 ? 0 : Math.ceil(rate / divisor), boids: limit === Infinity ? 0 : limit };
    },
    restart(all) {
      rate = all;
      settle();
    },
  };
}

/** The smallest of 1, 2, 3, 4, 6, 8, 12 … with which every such boid of the flock makes no more than that: what a server
 * grants. */
export function strideFor(flock: number, boids: number): number {
  let stride = 1;
  while (Math.ceil(flock / stride) > boids) stride = after(stride);
  return stride;
}

/** What follows in 1, 2, 3, 4, 6, 8, 12 … */
function after(value: number): number {
  if (value < 2) return 2;
  const power = 2 ** Math.floor(Math.log2(value));
  return value === power ? 1.5 * power : 2 * power;
}
