// Which boids of a snapshot are near each other. The search uses a grid of cells.

import type { Room } from '../net/protocol';
import { clamp } from '../numbers';
import { type Frame, saturated } from './timeline';

const SIDE_MAX = 256; // cells in a row or column of the grid
const LEAPS = [7919, 7907]; // primes: boid k × leap modulo the count is the k-th one of a sample

/** How far boids look for neighbours: parameters of several models. Each model has exactly one. */
const LOOKS = ['separation_max', 'neighbor_distance', 'view_radius', 'view_distance'];

/** Returns how near two boids are that are neighbours, world units: see the topic clusters of PROTOCOL.md. 0: the model is unknown. */
export const neighbourDistance = ({ params }: Room): number => params.find(({ name }) => LOOKS.includes(name))?.value ?? 0;

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
export function areaOf({ positions, count }: Frame, { period }: Room): [number, number, number, number] {
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

export interface Near {
  /** Returns up to `most` others that are nearest to boid i and nearer than `distance` (quanta), the nearest first. */
  of(i: number, most: number, distance: number): readonly Neighbour[];
  /** How many distances it has computed. */
  work(): number;
}

export interface Neighbour {
  boid: number;
  square: number; // of the distance, quanta
}

/** Finds near boids of that frame. */
export function createNear(frame: Frame, room: Room): Near {
  const { positions } = frame;
  const { period } = room;
  const { columns, rows, column, row, side, starts, boids } = gridOf(frame, room);
  const [periodX, periodY] = period ?? [Infinity, Infinity];
  let found: Neighbour[] = []; // the nearest first
  let work = 0;

  /** Adds the boids of a cell that are nearer to boid i than `square`, or than the last one of `most`. */
  function searchCell(i: number, cell: number, most: number, square: number): void {
    work += starts[cell + 1] - starts[cell];
    for (let at = starts[cell]; at < starts[cell + 1]; at++) {
      const boid = boids[at];
      const x = Math.abs(positions[2 * boid] - positions[2 * i]);
      const y = Math.abs(positions[2 * boid + 1] - positions[2 * i + 1]);
      const apart = Math.min(x, periodX - x) ** 2 + Math.min(y, periodY - y) ** 2;
      if (boid === i || apart >= square || apart >= (found[most - 1]?.square ?? Infinity)) continue;
      if (found.some((each) => each.boid === boid)) continue; // a small torus has the same cell on both sides
      const next = found.findIndex((each) => each.square > apart);
      found.splice(next < 0 ? found.length : next, 0, { boid, square: apart });
      if (found.length > most) found.pop();
    }
  }

  /** Searches the cells that are `ring` cells away from boid i. */
  function searchRing(i: number, ring: number, most: number, square: number): void {
    for (let y = -ring; y <= ring; y++) {
      const step = Math.abs(y) === ring ? 1 : 2 * ring;
      for (let x = -ring; x <= ring; x += step) {
        const [across, down] = [column(i) + x, row(i) + y];
        const inside = across >= 0 && across < columns && down >= 0 && down < rows;
        if (inside) searchCell(i, down * columns + across, most, square);
        else if (period !== null) searchCell(i, modulo(down, rows) * columns + modulo(across, columns), most, square);
      }
    }
  }

  return {
    of(i, most, distance) {
      found = [];
      const rings = Math.max(columns, rows);
      for (let ring = 0; ring <= rings; ring++) {
        const covered = (Math.max(0, ring - 1) * side) ** 2;
        if (covered >= distance ** 2 || (found.length === most && found[most - 1].square <= covered)) break;
        searchRing(i, ring, most, distance ** 2);
      }
      return found;
    },
    work: () => work,
  };
}

/** Returns the boids of a sample, in an order that is spread over the flock: all boids, until the caller stops. */
export function* spreadBoids({ positions, count }: Frame): Generator<number> {
  const leap = LEAPS.find((each) => count % each !== 0) ?? 1;
  for (let k = 0; k < count; k++) {
    const i = (k * leap) % count;
    if (!saturated(positions[2 * i]) && !saturated(positions[2 * i + 1])) yield i;
  }
}
