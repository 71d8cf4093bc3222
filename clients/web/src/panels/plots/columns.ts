// The samples as columns of numbers: the flock's time, and each measure.

import { FIGURES } from '../../flock/measures';
import type { Sample } from '../../flock/samples';
import type { Room } from '../../net/protocol';

const GAP = 3; // s without a sample that are a gap in the lines
const ROWS_MAX = 6000; // rows that columns remember, also of samples that have been forgotten

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

/** Returns the last sample up to the span's end, or undefined. */
export const lastIn = (samples: readonly Sample[], { to }: Span, { tickRate }: Room): Sample | undefined => samples[firstFrom(samples, to * tickRate + 0.5) - 1];

/** Returns the measures of that sample. */
export const newestIn = (samples: readonly Sample[], span: Span, room: Room, measures: readonly Measure[]): (number | null)[] => {
  const last = lastIn(samples, span, room);
  return measures.map(({ of }) => (last ? of(last, room) : null));
};

/** The values of all MEASURES of samples that the plots have shown; NaN: the sample lacks the measure. */
const known = new WeakMap<Sample, Float64Array>();

function valuesOf(sample: Sample, room: Room): Float64Array {
  const found = known.get(sample) ?? Float64Array.from(MEASURES, ({ of }) => of(sample, room) ?? NaN);
  known.set(sample, found);
  return found;
}

/** Columns to which samples can be added. */
interface Growing extends Columns {
  add(sample: Sample): void;
}

/** Makes columns of those measures, with a row of nulls in each gap. Samples of the same `wide` seconds become two rows, with the least
 * and the largest value of each measure; a sample without values is a row of its own. wide: 0: each sample is a row. */
function grow(measures: readonly Measure[], room: Room, wide: number): Growing {
  const seconds: number[] = [];
  const values = measures.map((): (number | null)[] => []);
  const places = measures.map((each) => MEASURES.indexOf(each));
  const [least, largest] = [0, 1].map(() => new Float64Array(measures.length)); // of the last part
  const [lowAt, highAt] = [0, 1].map(() => new Uint32Array(measures.length)); // … and which of its samples have them
  let [before, part, count] = [Infinity, NaN, 0];

  function begin(at: number, of: Float64Array): void {
    seconds.push(at);
    count = 1;
    for (let i = 0; i < places.length; i++) {
      const value = of[places[i]];
      values[i].push(Number.isNaN(value) ? null : value);
      least[i] = largest[i] = value;
      lowAt[i] = highAt[i] = 0;
    }
  }

  /** Adds a sample to the last part, which becomes the last two rows. */
  function widen(at: number, of: Float64Array): void {
    const second = count === 1 ? seconds.length : seconds.length - 1;
    seconds[second] = at;
    for (let i = 0; i < places.length; i++) {
      const value = of[places[i]];
      const none = Number.isNaN(least[i]); // so far
      if (none || value < least[i]) {
        least[i] = value;
        lowAt[i] = count;
      }
      if (none || value > largest[i]) {
        largest[i] = value;
        highAt[i] = count;
      }
      const rises = lowAt[i] <= highAt[i];
      const [low, high] = Number.isNaN(least[i]) ? [null, null] : [least[i], largest[i]];
      values[i][second - 1] = rises ? low : high;
      values[i][second] = rises ? high : low;
    }
    count++;
  }

  return {
    seconds,
    values,
    add(sample) {
      const at = sample.tick / room.tickRate;
      const of = valuesOf(sample, room);
      if (at - before > GAP) {
        seconds.push((before + at) / 2);
        for (const each of values) each.push(null);
        part = NaN;
      }
      const empty = places.every((place) => Number.isNaN(of[place]));
      const next = wide > 0 ? Math.floor(at / wide) : NaN;
      if (next === part && !empty) widen(at, of);
      else begin(at, of);
      before = at;
      part = empty ? NaN : next;
    },
  };
}

/** Returns the columns of those measures, with a row for each sample, and a row of nulls in each gap. */
export function columnsOf(samples: readonly Sample[], measures: readonly Measure[], room: Room): Columns {
  const { seconds, values, add } = grow(measures, room, 0);
  samples.forEach(add);
  return { seconds, values };
}

/** Returns the width of a part with two rows, at which the span has at most about `most` rows; 0: all its samples fit. Parts begin at
 * the same times as long as the span is as long, so that nothing flickers when it moves. */
const widthFor = ({ from, to }: Span, rows: number, most: number): number => (rows <= most ? 0 : (2 * (to - from)) / most);

/** Returns the columns of those measures in the span, with at most about `most` rows, their seconds later by `ahead`. Of several
 * samples, the columns have the least and the largest value of each measure. A gap stays. */
export function columnsFor(span: Span, ahead: number, samples: readonly Sample[], measures: readonly Measure[], room: Room, most: number): Columns {
  const inside = within(samples, span, room);
  const { seconds, values, add } = grow(measures, room, widthFor(span, inside.length, most));
  inside.forEach(add);
  return { seconds: seconds.map((second) => second + ahead), values };
}

/** Returns the columns of all samples, with at most about `most` rows in the span. Remembers them, so that a new sample costs one row. */
export function createColumns(): (span: Span, samples: readonly Sample[], measures: readonly Measure[], room: Room, most: number) => Columns {
  let [taken, made, columns]: [Sample[], unknown[], Growing | null] = [[], [], null];
  return (span, samples, measures, room, most) => {
    const rows = firstFrom(samples, span.to * room.tickRate) - firstFrom(samples, span.from * room.tickRate);
    const parts = [widthFor(span, rows, most), room.tickRate, ...measures];
    const last = samples.lastIndexOf(taken[taken.length - 1]);
    taken.splice(0, taken.length - 1 - last); // samples that have been forgotten
    const same = parts.length === made.length && parts.every((each, i) => each === made[i]);
    const goes = taken.length > 0 && taken.length === last + 1 && taken[0] === samples[0];
    if (columns === null || !same || !goes || columns.seconds.length > ROWS_MAX) {
      columns = grow(measures, room, widthFor(span, rows, most));
      taken = [];
      made = parts;
    }
    for (const sample of samples.slice(taken.length)) {
      columns.add(sample);
      taken.push(sample);
    }
    return columns;
  };
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

/** Returns the times of a span: 1:05 – 3:05. */
export const timesOf = ({ from, to }: Span): string => `${clock(from)} – ${clock(to)}`;
