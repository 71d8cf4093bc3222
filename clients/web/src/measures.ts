// The flock's measures as the page shows them: smoothed, written with as many digits as can be read in passing, and
// remembered for a while.

import type { Measures } from './protocol';

export interface Figure {
  name: string;
  unit: string;
  most: number | null; // that it can be; null: any
  text: string;
  of(measures: Measures): number;
}

/** In the order of the panel. */
export const FIGURES: readonly Figure[] = [
  {
    name: 'Polarization',
    unit: '',
    most: 1,
    text: 'How much all head the same way: 1 when everyone does, 0 when the headings cancel out.',
    of: ({ polarization }) => polarization,
  },
  {
    name: 'Milling',
    unit: '',
    most: 1,
    text: 'How much the flock turns about its centroid: 1 when everyone circles it the same way round, 0 when nobody does.',
    of: ({ milling }) => milling,
  },
  {
    name: 'Radius',
    unit: 'units',
    most: null,
    text: 'How far the flock spreads: the radius of gyration, which is the root mean square distance from the centroid, in world units.',
    of: ({ radius }) => radius,
  },
  {
    name: 'Speed',
    unit: 'units/tick',
    most: null,
    text: 'How fast the boids are on average, in world units a tick of the flock.',
    of: ({ speed }) => speed,
  },
  {
    name: 'Nearest',
    unit: 'units',
    most: null,
    text: 'How far it is from a boid to the one nearest to it, on average of some of them, in world units.',
    of: ({ nearest }) => nearest,
  },
];

export const HISTORY = 60; // values remembered
const HISTORY_GAP = 500; // ms between two of them
const SMOOTHING = 250; // ms: time constant

/** One of the figures as time goes by. */
export interface Course {
  /** now: ms. */
  take(value: number, now: number): void;
  /** Smoothed; NaN before the first one. */
  value(): number;
  /** The last ones, the oldest first. */
  history(): readonly number[];
}

export function createCourse(): Course {
  const history: number[] = [];
  let smooth = NaN;
  let taken = NaN; // when
  let kept = -Infinity; // when
  return {
    take(value, now) {
      const weight = Number.isNaN(smooth) ? 1 : 1 - Math.exp(-Math.max(0, now - taken) / SMOOTHING);
      smooth = Number.isNaN(smooth) ? value : smooth + weight * (value - smooth);
      taken = now;
      if (now - kept < HISTORY_GAP) return;
      kept = now;
      history.push(smooth);
      if (history.length > HISTORY) history.shift();
    },
    value: () => smooth,
    history: () => history,
  };
}

/** Four characters as long as it can be, so that it does not jump. */
export function written(value: number): string {
  const size = Math.abs(value);
  return value.toLocaleString('en', {
    minimumFractionDigits: size < 9.995 ? 2 : size < 99.95 ? 1 : 0,
    maximumFractionDigits: size < 9.995 ? 2 : size < 99.95 ? 1 : 0,
  });
}

/** The course as points of a picture of width 1 a value, from the right, and height 1. most: what reaches the top; null:
 * the largest value of the course does. */
export function curve(history: readonly number[], most: number | null): string {
  const top = most ?? Math.max(...history, Number.MIN_VALUE);
  return history
    .map((value, i) => `${HISTORY - history.length + i},${(1 - Math.min(1, Math.max(0, value / top))).toFixed(3)}`)
    .join(' ');
}
