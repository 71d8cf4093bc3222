// The flock's measures for display: smoothed, with few digits, and with a short history.

import type { Measures } from '../net/protocol';
import type { texts } from '../texts/texts';

export type FigureName = keyof typeof texts.measures.figures;

export interface Figure {
  name: FigureName;
  unit: string; // by the server's name
  most: number | null; // the maximum; null: none
  of(measures: Measures): number;
}

/** In the order of the panel. */
export const FIGURES: readonly Figure[] = [
  {
    name: 'polarization',
    unit: '',
    most: 1,
    of: ({ polarization }) => polarization,
  },
  {
    name: 'milling',
    unit: '',
    most: 1,
    of: ({ milling }) => milling,
  },
  {
    name: 'radius',
    unit: 'units',
    most: null,
    of: ({ radius }) => radius,
  },
  {
    name: 'speed',
    unit: 'units/tick',
    most: null,
    of: ({ speed }) => speed,
  },
  {
    name: 'nearest',
    unit: 'units',
    most: null,
    of: ({ nearest }) => nearest,
  },
];

export const HISTORY = 60; // values remembered
const HISTORY_GAP = 500; // ms between two of them
const SMOOTHING = 250; // ms: time constant

/** The course of a figure over time. */
export interface Course {
  /** now: ms. */
  take(value: number, now: number): void;
  /** The smoothed value; NaN before the first one. */
  value(): number;
  /** The last values, the oldest first. */
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

/** Returns the course as points of a picture: 1 unit wide per value, from the right, and 1 unit high. most: the value at the
 * top; null: the largest value of the course. */
export function curve(history: readonly number[], most: number | null): string {
  const top = most ?? Math.max(...history, Number.MIN_VALUE);
  return history.map((value, i) => `${HISTORY - history.length + i},${(1 - Math.min(1, Math.max(0, value / top))).toFixed(3)}`).join(' ');
}
