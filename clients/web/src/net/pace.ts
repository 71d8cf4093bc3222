// The part of the stream that the page asks for. A page that draws too slowly asks for fewer boids, then for fewer snapshots.
// A page that decodes too slowly asks for fewer snapshots, then for fewer boids. After a calm time the page undoes its last step. If
// the page is then strained again soon, it waits longer before the next attempt.
//
// The server judges the speed of the connection. This module uses neither clock nor page: its caller reports each period of
// about 1 s.

/** Figures of a period. */
export interface Period {
  passed: number; // ms
  came: number; // snapshots that arrived
  frames: number; // frames drawn
  decoding: number; // ms of the main thread
  drawing: number; // ms of the main thread
  flock: number; // number of boids in the room
  slow: boolean; // the server grants less than the page asked for
}

/** A client's wish. rate: snapshots per second; boids: maximum in each; 0: all. */
export interface Want {
  rate: number;
  boids: number;
}

export interface Pace {
  look(period: Period): void;
  want(): Want;
  /** Starts again after a new connection or a hidden page. rate: of the whole stream, snapshots per second. */
  restart(rate: number): void;
}

type Step = 'rate' | 'boids';
type Strain = 'decoding' | 'drawing' | 'frames';

const RATE_LEAST = 5; // Hz
const BOIDS_LEAST = 1024;
const STRAIN = 2; // added by a strained period; a calm one subtracts 1
const STRAIN_MOST = 4; // at this strain the page takes a step
const SETTLE = 3000; // ms after a step; these periods are not judged, because the stream is still changing
const FRAME_MOST = 24; // ms of the main thread per frame: at less than 40 Hz motion stutters
const FRAME_CALM = 18; // ms per frame; a step is undone if the page expects at most this
// A slow GPU takes no time of the main thread but lowers the frame rate. Some browsers draw 30 Hz to save energy, which is no
// strain.
const FRAMES_LEAST = 20; // Hz
const FRAMES_CALM = 25; // Hz
/** Remedies for each strain, the best first. */
const HELP: Record<Strain, readonly Step[]> = {
  decoding: ['rate', 'boids'],
  drawing: ['boids', 'rate'],
  frames: ['boids'],
};
const ENOUGH = 1.3; // while the page is too slow by more than this factor, it takes further steps at once
const PATIENCE = 8000; // ms of calm before a step is undone
const PATIENCE_MAX = 240_000;
const HOLD = 30_000; // ms without strain after which an undone step counts as good

export function createPace(): Pace {
  let rate = 0; // of the whole stream
  const steps: Step[] = []; // in the order in which they were taken
  const divisors = [1]; // of the rate; the last one is in force
  const limits = [Infinity]; // boids; the last one is in force
  let strained = 0; // toward STRAIN_MOST
  let calm = 0; // ms
  let settling = SETTLE; // ms left
  let undone = Infinity; // ms since a step was undone
  let patience = PATIENCE;

  /** The divisor of boids or snapshots after the last step of that kind, or after the back-th step before it. */
  const strideOf = (step: Step, flock: number, back = 0): number =>
    step === 'rate' ? divisors[divisors.length - 1 - back] : strideFor(flock, limits[limits.length - 1 - back]);

  /** The factor by which the last step of that kind reduced boids or snapshots. */
  const ratio = (step: Step, flock: number): number => strideOf(step, flock) / strideOf(step, flock, 1);

  function strainOf({ passed, frames, decoding, drawing }: Period): Strain | null {
    if (drawing > FRAME_MOST * frames) return 'drawing';
    if (decoding + drawing > FRAME_MOST * frames) return 'decoding';
    return 1000 * frames < FRAMES_LEAST * passed ? 'frames' : null;
  }

  /** The factor by which the page is too slow. */
  const excess = ({ passed, frames, decoding, drawing }: Period): number =>
    Math.max((decoding + drawing) / (FRAME_MOST * frames), (FRAMES_LEAST * passed) / (1000 * frames));

  /** Whether the page would be fast enough without the last step. */
  function isCalm({ passed, frames, decoding, drawing, flock, slow }: Period): boolean {
    if (slow) return false; // few snapshots arrive; the time that more of them would take is unknown
    const last = steps.at(-1);
    const more = last === undefined ? 1 : ratio(last, flock);
    const expected = more * decoding + (last === 'boids' ? more : 1) * drawing;
    return expected <= FRAME_CALM * frames && 1000 * frames >= FRAMES_CALM * passed;
  }

  /** Takes a step. Returns false if rate or boids cannot be reduced further. */
  function takeStep(step: Step, flock: number): boolean {
    const stride = nextStride(strideOf(step, flock));
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

  function takeSteps(why: Strain, period: Period): void {
    let over = excess(period);
    do {
      const step = HELP[why].find((each) => takeStep(each, period.flock));
      if (step === undefined) break;
      over /= ratio(step, period.flock);
    } while (over > ENOUGH);
    // If the last step was undone too early, be more patient.
    patience = undone < HOLD ? Math.min(2 * patience, PATIENCE_MAX) : Math.max(PATIENCE, patience / 2);
    undone = Infinity;
    startSettling();
  }

  function undoStep(): void {
    (steps.pop() === 'rate' ? divisors : limits).pop();
    undone = 0;
    startSettling();
  }

  function startSettling(): void {
    settling = SETTLE;
    strained = calm = 0;
  }

  return {
    look(period) {
      const { passed, came, frames } = period;
      undone += passed;
      settling -= passed;
      if (settling > 0 || came === 0 || frames === 0) return; // the period cannot be judged
      const why = strainOf(period);
      strained = why === null ? Math.max(0, strained - 1) : strained + STRAIN;
      if (why !== null) calm = 0;
      else if (isCalm(period)) calm += passed;
      if (why !== null && strained >= STRAIN_MOST) takeSteps(why, period);
      else if (calm >= patience && steps.length > 0) undoStep();
    },
    want() {
      const divisor = divisors[divisors.length - 1];
      const limit = limits[limits.length - 1];
      return { rate: divisor === 1 ? 0 : Math.ceil(rate / divisor), boids: limit === Infinity ? 0 : limit };
    },
    restart(all) {
      rate = all;
      startSettling();
    },
  };
}

/** Returns the smallest stride of 1, 2, 3, 4, 6, 8, 12 … that shows at most that number of boids, as a server grants it. */
export function strideFor(flock: number, boids: number): number {
  let stride = 1;
  while (Math.ceil(flock / stride) > boids) stride = nextStride(stride);
  return stride;
}

/** Returns the next number of 1, 2, 3, 4, 6, 8, 12 … */
function nextStride(value: number): number {
  if (value < 2) return 2;
  const power = 2 ** Math.floor(Math.log2(value));
  return value === power ? 1.5 * power : 2 * power;
}
