// The colours of clusters: boids that are connected by neighbours have the same colour. Boids without a cluster are grey.

import { areaOf, neighbourDistance } from '../flock/near';
import { type Frame, saturated } from '../flock/timeline';
import type { Room } from '../net/protocol';
import { toneColor } from './palette';
import { COLORS, type Color, OWN_COLORS, type Theme, type Tint } from './scene';

const LEAST = 3; // boids of a cluster
const PERIOD = 200; // ms between two counts
const WORK_MAX = 2_000_000; // distances computed for a count; then the rest is not connected
const TURN = 137.5; // degrees of hue from one colour to the next

/** Returns the cluster of each boid: the lowest index of a boid in it. distance: of neighbours, quanta. */
export function clustersOf(frame: Frame, room: Room, distance: number): Uint32Array {
  const { positions, count } = frame;
  const root = Uint32Array.from({ length: count }, (_, i) => i);
  const rootOf = (i: number): number => {
    while (root[i] !== i) i = root[i] = root[root[i]];
    return i;
  };
  function join(i: number, j: number): void {
    const [a, b] = [rootOf(i), rootOf(j)];
    root[Math.max(a, b)] = Math.min(a, b);
  }
  // All boids of a cell are neighbours: its diagonal is shorter than the distance.
  const [left, top, width, height] = areaOf(frame, room);
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.ceil((side * Math.SQRT2) / distance)));
  const [periodX, periodY] = room.period ?? [Infinity, Infinity];
  const cells = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    if (saturated(positions[2 * i]) || saturated(positions[2 * i + 1])) continue;
    const column = Math.floor(((positions[2 * i] - left) * columns) / width) % columns;
    const cell = (Math.floor(((positions[2 * i + 1] - top) * rows) / height) % rows) * columns + column;
    const boids = cells.get(cell);
    if (boids === undefined) cells.set(cell, [i]);
    else {
      boids.push(i);
      join(boids[0], i);
    }
  }
  let work = 0;
  function touch(some: readonly number[], others: readonly number[]): boolean {
    for (const i of some) {
      for (const j of others) {
        work++;
        const x = Math.abs(positions[2 * i] - positions[2 * j]);
        const y = Math.abs(positions[2 * i + 1] - positions[2 * j + 1]);
        if (Math.min(x, periodX - x) ** 2 + Math.min(y, periodY - y) ** 2 < distance ** 2) return true;
      }
    }
    return false;
  }
  for (const [cell, boids] of cells) {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    for (let y = 0; y <= 2; y++) {
      for (let x = y === 0 ? 1 : -2; x <= 2; x++) {
        const [across, down] = [column + x, row + y];
        if (room.period === null && (across < 0 || across >= columns || down >= rows)) continue;
        const others = cells.get((down % rows) * columns + ((across + 2 * columns) % columns));
        if (others === undefined || others === boids || work > WORK_MAX || rootOf(boids[0]) === rootOf(others[0])) continue;
        if (touch(boids, others)) join(boids[0], others[0]);
      }
    }
  }
  return root.map((_, i) => rootOf(i));
}

/** Writes the colour of each cluster, 1 to OWN_COLORS - 1, or 0 for boids without one. A cluster keeps its colour while its first boid
 * stays in it, and clusters have different colours while there are enough. */
export function colorClusters(clusters: Uint32Array, out: Uint8Array): void {
  const sizes = new Uint32Array(clusters.length);
  for (const each of clusters) sizes[each]++;
  const colors = new Map<number, number>();
  const used = new Set<number>();
  const most = OWN_COLORS - 1;
  clusters.forEach((first, i) => {
    if (first === i && sizes[i] >= LEAST) {
      let color = i % most;
      while (used.has(color) && used.size < most) color = (color + 1) % most;
      used.add(color);
      colors.set(i, color + 1);
    }
    out[i] = colors.get(first) ?? 0;
  });
}

export function createClusterColors(): (theme: Theme) => Tint {
  let index = new Uint8Array();
  let counted = -Infinity; // ms
  let drawn = '';
  let colors: readonly Color[] = [];

  function of(frame: Frame, room: Room): Uint8Array {
    const now = performance.now();
    if (index.length === frame.count && now - counted < PERIOD) return index;
    counted = now;
    if (index.length !== frame.count) index = new Uint8Array(frame.count);
    // In a sample of every n-th boid, neighbours are farther apart.
    const distance = (neighbourDistance(room) / room.quantum) * Math.sqrt(frame.stride);
    if (distance > 0) colorClusters(clustersOf(frame, room, distance), index);
    return index;
  }

  return (theme) => {
    const { light } = COLORS[theme];
    if (drawn !== `${theme}${light}`) {
      drawn = `${theme}${light}`;
      const [lightness, chroma] = light ? [0.5, 0.15] : [0.78, 0.14];
      colors = Array.from({ length: OWN_COLORS }, (_, i) => toneColor([lightness, i === 0 ? 0 : chroma, TURN * i]));
    }
    return { colors, of };
  };
}
