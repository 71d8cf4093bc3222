// How headings and distances to the nearest boid are spread in a snapshot. The cost is bounded: of a large flock it takes a sample.

import { type Frame, saturated } from '../../flock/timeline';
import type { Room } from '../../net/protocol';
import { clamp } from '../../numbers';

export const SECTORS = 24;
export const BARS = 20;
const HEADINGS_MAX = 20_000; // boids whose headings are counted
const FLOCK_MAX = 50_000; // boids in the grid; with more, distances are not measured
const LOOKED_MAX = 2000; // boids whose nearest others are searched
const WORK_MAX = 1_000_000; // distances computed for a snapshot; after them the search ends with fewer boids
const LEAPS = [7919, 7907]; // primes: boid k × leap modulo the count is the k-th one of a sample
const SIDE_MAX = 256; // cells in a row or column of the grid

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

/** Cells of boids over an area. The boids of cell c are boids[starts[c]] to boids[starts[c + 1] - 1]. */
interface Grid {
  columns: number;
  rows: number;
  column(i: number): number; // of boid i
  row(i: number): number;
  side: number; // the shorter side of a cell, quanta
  starts: Uint32Array;
  boids: Uint32Array;
}

/** The area of the torus, or else the area that has all boids: left, top, width and height, quanta. */
function areaOf({ positions, count }: Frame, { period }: Room): [number, number, number, number] {
  if (period !== null) return [-period[0] / 2, -period[1] / 2, period[0], period[1]];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 2 * count; i += 2) {
    left = Math.min(left, positions[i]);
    right = Math.max(right, positions[i]);
    top = Math.min(top, positions[i + 1]);
    bottom = Math.max(bottom, positions[i + 1]);
  }
  return [left, top, right - left + 1, bottom - top + 1];
}

function gridOf(frame: Frame, room: Room): Grid {
  const { positions, count } = frame;
  const [left, top, width, height] = areaOf(frame, room);
  const columns = clamp(Math.round(Math.sqrt((count * width) / height)), 1, SIDE_MAX);
  const rows = clamp(Math.round(Math.sqrt((count * height) / width)), 1, SIDE_MAX);
  const column = (i: number): number => clamp(Math.floor(((positions[2 * i] - left) * columns) / width), 0, columns - 1);
  const row = (i: number): number => clamp(Math.floor(((positions[2 * i + 1] - top) * rows) / height), 0, rows - 1);
  const starts = new Uint32Array(columns * rows + 1);
  const boids = new Uint32Array(count);
  for (let i = 0; i < count; i++) starts[row(i) * columns + column(i) + 1]++;
  for (let c = 0; c < columns * rows; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  for (let i = 0; i < count; i++) boids[next[row(i) * columns + column(i)]++] = i;
  return { columns, rows, column, row, side: Math.min(width / columns, height / rows), starts, boids };
}

const modulo = (value: number, size: number): number => ((value % size) + size) % size;

/** Returns a function that finds the distance from boid i to its nearest other, quanta, and counts the distances that it computes. */
function createSearch(frame: Frame, room: Room): { nearest(i: number): number; work(): number } {
  const { positions } = frame;
  const { period } = room;
  const { columns, rows, column, row, side, starts, boids } = gridOf(frame, room);
  const [periodX, periodY] = period ?? [Infinity, Infinity];
  let work = 0;

  /** Returns the square of the distance from boid i to the nearest other in a cell, or `least` if that is less. */
  function searchCell(i: number, cell: number, least: number): number {
    let nearest = least;
    for (let at = starts[cell]; at < starts[cell + 1]; at++) {
      const other = boids[at];
      if (other === i) continue;
      const x = Math.abs(positions[2 * other] - positions[2 * i]);
      const y = Math.abs(positions[2 * other + 1] - positions[2 * i + 1]);
      nearest = Math.min(nearest, Math.min(x, periodX - x) ** 2 + Math.min(y, periodY - y) ** 2);
    }
    work += starts[cell + 1] - starts[cell];
    return nearest;
  }

  /** Searches the cells that are `ring` cells away from boid i. */
  function searchRing(i: number, ring: number, before: number): number {
    let least = before;
    for (let y = -ring; y <= ring; y++) {
      const step = Math.abs(y) === ring ? 1 : 2 * ring;
      for (let x = -ring; x <= ring; x += step) {
        const [across, down] = [column(i) + x, row(i) + y];
        const inside = across >= 0 && across < columns && down >= 0 && down < rows;
        if (period !== null) least = searchCell(i, modulo(down, rows) * columns + modulo(across, columns), least);
        else if (inside) least = searchCell(i, down * columns + across, least);
      }
    }
    return least;
  }

  return {
    nearest(i) {
      let least = Infinity;
      for (let ring = 0; ring <= Math.max(columns, rows) && least > (Math.max(0, ring - 1) * side) ** 2; ring++)
        least = searchRing(i, ring, least);
      return Math.sqrt(least);
    },
    work: () => work,
  };
}

/** Returns the distances from boids of the frame to their nearest others, world units. null: the frame has too many boids, too few, or
 * not all boids of the flock. */
export function distancesOf(frame: Frame, room: Room): Float64Array | null {
  const { positions, count, stride } = frame;
  if (stride > 1 || count > FLOCK_MAX || count < 2) return null;
  const search = createSearch(frame, room);
  const leap = LEAPS.find((each) => count % each !== 0) ?? 1;
  const found: number[] = [];
  for (let k = 0; k < count && found.length < LOOKED_MAX && search.work() < WORK_MAX; k++) {
    const i = (k * leap) % count;
    if (!saturated(positions[2 * i]) && !saturated(positions[2 * i + 1])) found.push(search.nearest(i) * room.quantum);
  }
  return Float64Array.from(found);
}

/** Returns how many distances are in each of BARS equal parts below `top`. */
export function barsOf(distances: Float64Array, top: number): Spread {
  const counts = new Array<number>(BARS).fill(0);
  for (const each of distances) counts[clamp(Math.floor((each / top) * BARS), 0, BARS - 1)]++;
  return { counts, of: distances.length };
}
