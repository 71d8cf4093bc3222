// A miniature: a few seconds of a small flock, recorded when the page was built (miniatures.mjs), for the start page.

export interface Miniature {
  width: number; // of the world; its unit is the step of a position
  height: number;
  torus: boolean; // the world's opposite edges are one
  boids: number;
  frames: number;
  interval: number; // ms between two frames
  start: number; // ms from the flock's first tick to the first frame
  walls: readonly (readonly number[])[]; // x1, y1, x2, y2
  /** For each boid its x at all frames and its y at all frames: the first value, the first step, and the changes of the step. */
  paths: string;
}

const DIGITS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((digit) => !'"\\'.includes(digit));
const BASE = DIGITS.length - 1; // the last digit announces a number of two digits
const VALUES = new Map(DIGITS.map((digit, i) => [digit, i]));

/** Returns the x and y of each boid at each frame, as [x, y] of boid 0 at frame 0, of boid 0 at frame 1, and so on. A path of a
 * torus continues beyond the edges. */
export function pathsOf({ boids, frames, paths }: Miniature): Float32Array {
  const out = new Float32Array(2 * boids * frames);
  let at = 0;
  const digit = (): number => VALUES.get(paths[at++] ?? '') ?? 0;
  function number(): number {
    const first = digit();
    const code = first < BASE ? first : digit() * BASE + digit();
    return code % 2 === 1 ? -(code + 1) / 2 : code / 2;
  }
  for (let line = 0; line < 2 * boids; line++) {
    let value = 0;
    let step = 0;
    for (let frame = 0; frame < frames; frame++) {
      const read = number();
      if (frame === 0) value = read;
      else value += step = frame === 1 ? read : step + read;
      out[2 * ((line >> 1) * frames + frame) + (line & 1)] = value;
    }
  }
  return out;
}

/** A boid at a moment of a miniature. */
export interface MiniatureBoid {
  x: number;
  y: number;
  heading: number; // radians from +x toward +y
}

/** Returns the boids at the time `at` (ms after the first frame, less than the miniature's length). */
export function boidsAt({ width, height, torus, boids, frames, interval }: Miniature, paths: Float32Array, at: number): MiniatureBoid[] {
  const frame = Math.min(Math.floor(at / interval), frames - 2);
  const part = at / interval - frame;
  const within = (value: number, size: number): number => (torus ? value - size * Math.floor(value / size) : value);
  return Array.from({ length: boids }, (_, boid) => {
    const from = 2 * (boid * frames + frame);
    const [x, y, nextX, nextY] = [paths[from], paths[from + 1], paths[from + 2], paths[from + 3]];
    return {
      x: within(x + part * (nextX - x), width),
      y: within(y + part * (nextY - y), height),
      heading: Math.atan2(nextY - y, nextX - x),
    };
  });
}

/** The ms after which a miniature begins again. */
export const lengthOf = ({ frames, interval }: Miniature): number => (frames - 1) * interval;

const TURN = 2 * Math.PI;

/** Returns the point that leads the flock at that time, on the server's path for rooms without an active cursor. */
export function targetAt({ width, height, start }: Miniature, at: number): [number, number] {
  const seconds = (start + at) / 1000;
  return [width * (0.5 + 0.3 * Math.sin((TURN * seconds) / 23)), height * (0.5 + 0.3 * Math.sin((TURN * seconds) / 31 + 1))];
}
