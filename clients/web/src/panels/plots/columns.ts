// The samples as columns of numbers: the flock's time, and each measure.

import { FIGURES } from '../../flock/measures';
import type { Sample } from '../../flock/samples';
import type { Room } from '../../net/protocol';

const GAP = 3; // s without a sample that are a gap in the lines

export const NAMES = ['polarization', 'milling', 'radius', 'speed', 'nearest', 'clusters', 'boids', 'distance'] as const;
export type MeasureName = (typeof NAMES)[number];

export interface Measure {
  name: MeasureName;
  unit: string; // by the server's name
  most: number | null; // the maximum; null: none
  /** Returns null if the sample lacks the measure. */
  of(sample: Sample, room: Room): number | null;
}

/** Returns the distance from the centroid to the target, world units. In a torus, it is the shorter way. */
function distance({ target, measures: { centroid } }: Sample, { world, boundary }: Room): number | null {
  if (target === null) return null;
  const [x, y] = [0, 1].map((axis) => {
    const way = target[axis] - centroid[axis];
    return boundary === 'wrap' ? way - world[axis] * Math.round(way / world[axis]) : way;
  });
  return Math.hypot(x, y);
}

export const MEASURES: readonly Measure[] = [
  ...FIGURES.map(({ name, unit, most, of }) => ({ name, unit, most, of: ({ measures }: Sample) => of(measures) })),
  { name: 'clusters' as const, unit: '', most: null, of: ({ clusters }: Sample) => clusters },
  { name: 'boids' as const, unit: '', most: null, of: ({ flock }: Sample) => flock },
  { name: 'distance' as const, unit: 'units', most: null, of: distance },
];

export const measureOf = (name: MeasureName): Measure => MEASURES[NAMES.indexOf(name)];

/** A span of the flock's time, s. */
export interface Span {
  from: number;
  to: number;
}

export interface Columns {
  seconds: number[];
  /** A list for each measure. null: a gap, or the sample lacks the measure. */
  values: (number | null)[][];
}

/** Returns the index of the first sample at that tick or after it. */
function firstFrom(samples: readonly Sample[], tick: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (samples[middle].tick < tick) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the samples of the span, and one before and after it, so that lines reach the edges. */
export function within(samples: readonly Sample[], { from, to }: Span, { tickRate }: Room): readonly Sample[] {
  const first = firstFrom(samples, from * tickRate);
  return samples.slice(Math.max(0, first - 1), firstFrom(samples, to * tickRate) + 1);
}

/** Returns the columns of those measures, with a row of nulls in each gap. */
export function columnsOf(samples: readonly Sample[], measures: readonly Measure[], room: Room): Columns {
  const columns: Columns = { seconds: [], values: measures.map(() => []) };
  const { seconds, values } = columns;
  for (const sample of samples) {
    const at = sample.tick / room.tickRate;
    const before = seconds.at(-1) ?? at;
    if (at - before > GAP) {
      seconds.push((before + at) / 2);
      for (const each of values) each.push(null);
    }
    seconds.push(at);
    measures.forEach(({ of }, index) => values[index].push(of(sample, room)));
  }
  return columns;
}

/** Returns columns with at most about `most` rows: of several rows, the least and the largest value of each measure. A gap stays. The
 * same rows go together as long as the span is as long, so that nothing flickers when it moves. */
export function thinned({ seconds, values }: Columns, most: number, { from, to }: Span): Columns {
  if (seconds.length <= most) return { seconds, values };
  const thin: Columns = { seconds: [], values: values.map(() => []) };
  const wide = (2 * (to - from)) / most; // of a part that becomes two rows, s
  const partOf = (row: number): number => Math.floor(seconds[row] / wide);
  const isGap = (row: number): boolean => values.every((column) => column[row] === null);
  for (let first = 0, next = 1; first < seconds.length; first = next++) {
    while (next < seconds.length && partOf(next) === partOf(first) && !isGap(next) && !isGap(first)) next++;
    const rows = next - first > 1 ? [0, 1] : [0];
    for (const row of rows) thin.seconds.push(seconds[row === 0 ? first : next - 1]);
    values.forEach((column, index) => thin.values[index].push(...extremes(column, first, next).slice(0, rows.length)));
  }
  return thin;
}

/** Returns the least and the largest value of those rows, in the order of time; null: there is none. */
function extremes(column: readonly (number | null)[], first: number, end: number): [number | null, number | null] {
  let [least, largest] = [-1, -1];
  for (let row = first; row < end; row++) {
    const value = column[row];
    if (value === null) continue;
    if (least < 0 || value < (column[least] as number)) least = row;
    if (largest < 0 || value > (column[largest] as number)) largest = row;
  }
  const at = (row: number): number | null => (row < 0 ? null : column[row]);
  return least <= largest ? [at(least), at(largest)] : [at(largest), at(least)];
}

/** Returns the columns of those measures in the span, with at most about `most` rows, their seconds later by `ahead`. */
export function columnsFor(span: Span, ahead: number, samples: readonly Sample[], measures: readonly Measure[], room: Room, most: number): Columns {
  const { seconds, values } = thinned(columnsOf(within(samples, span, room), measures, room), most, span);
  return { seconds: seconds.map((second) => second + ahead), values };
}

/** Several columns in one table. undefined: the columns have no value at that second, but no gap either. */
export interface Table {
  seconds: readonly number[];
  values: readonly (readonly (number | null | undefined)[])[];
}

/** Puts columns with seconds of their own into one table, one after the other. */
export function joined(all: readonly Columns[]): Table {
  if (all.length === 1) return all[0];
  const seconds = [...new Set(all.flatMap((each) => each.seconds))].sort((a, b) => a - b);
  const rows = new Map(seconds.map((second, row) => [second, row]));
  const values = all.flatMap(({ seconds: own, values: columns }) => {
    const at = own.map((second) => rows.get(second) as number);
    return columns.map((column) => {
      const wide = new Array<number | null | undefined>(seconds.length).fill(undefined);
      column.forEach((value, index) => (wide[at[index]] = value));
      return wide;
    });
  });
  return { seconds, values };
}

/** Returns the value of the column that is nearest to the row, at most a second away. */
export function valueNear(seconds: Table['seconds'], column: Table['values'][number], row: number): number | null {
  for (let step = 0; step < seconds.length; step++)
    for (const at of [row - step, row + step]) {
      const value = column[at];
      if (value !== undefined) return Math.abs(seconds[at] - seconds[row]) <= 1 ? value : null;
    }
  return null;
}

/** Returns the smallest round number that is at least the largest value: 1, 2, 3, 4, 5, 6, 8 or 10 times a power of ten. */
export function roundTop(values: Iterable<number | null>): number {
  let most = 0;
  for (const value of values) if (value !== null && value > most) most = value;
  if (most === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return Number((power * ([1, 2, 3, 4, 5, 6, 8].find((factor) => factor * power >= most) ?? 10)).toPrecision(6));
}

/** Returns the flock's time as a clock: 1:05, or 1:00:05. */
export function clock(second: number): string {
  const all = Math.floor(second + 1e-6);
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
