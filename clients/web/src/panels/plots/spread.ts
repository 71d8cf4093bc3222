// How headings and distances to the nearest boid are spread in a snapshot. The cost is bounded: of a large flock it takes a sample.

import { createNear, spreadBoids } from '../../flock/near';
import type { Frame } from '../../flock/timeline';
import type { Room } from '../../net/protocol';
import { clamp } from '../../numbers';

export const SECTORS = 24;
export const BARS = 20;
const HEADINGS_MAX = 20_000; // boids whose headings are counted
const FLOCK_MAX = 50_000; // boids in the grid; with more, distances are not measured
const LOOKED_MAX = 2000; // boids whose nearest others are searched
const WORK_MAX = 1_000_000; // distances computed for a snapshot; after them the search ends with fewer boids

/** counts: boids in each part. of: boids that were looked at. */
export interface Spread {
  counts: number[];
  of: number;
}

/** Returns the boids that head into each sector. The first sector is around +x, and the next ones follow toward +y. */
export function headingsOf({ headings, count }: Frame): Spread {
  const counts = new Array<number>(SECTORS).fill(0);
  const step = Math.max(1, Math.ceil(count / HEADINGS_MAX));
  let of = 0;
  for (let i = 0; i < count; i += step) {
    const [x, y] = [headings[2 * i], headings[2 * i + 1]];
    if (x === 0 && y === 0) continue;
    const sector = Math.round((Math.atan2(y, x) / (2 * Math.PI)) * SECTORS);
    counts[(sector + SECTORS) % SECTORS]++;
    of++;
  }
  return { counts, of };
}

/** Returns the distances from boids of the frame to their nearest others, world units. null: the frame has too many boids, too few, or
 * not all boids of the flock. */
export function distancesOf(frame: Frame, room: Room): Float64Array | null {
  const { count, stride } = frame;
  if (stride > 1 || count > FLOCK_MAX || count < 2) return null;
  const near = createNear(frame, room);
  const found: number[] = [];
  for (const boid of spreadBoids(frame)) {
    if (found.length === LOOKED_MAX || near.work() > WORK_MAX) break;
    for (const { square } of near.of(boid, 1, Infinity)) found.push(Math.sqrt(square) * room.quantum);
  }
  return Float64Array.from(found);
}

/** Returns how many distances are in each of BARS equal parts below `top`. */
export function barsOf(distances: Float64Array, top: number): Spread {
  const counts = new Array<number>(BARS).fill(0);
  for (const each of distances) counts[clamp(Math.floor((each / top) * BARS), 0, BARS - 1)]++;
  return { counts, of: distances.length };
}
