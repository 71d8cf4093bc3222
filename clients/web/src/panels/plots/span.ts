// The span of time that the plots show. It follows the newest sample until the person chooses another one.

import { clamp } from '../../numbers';
import type { Span } from './columns';

const LEAST = 5; // s
const MOST = 1200; // s
const START = 120; // s

export interface Shown {
  /** Returns the span. newest: the flock's time, s. */
  span(newest: number): Span;
  follows(): boolean;
  follow(): void;
  show(span: Span): void;
  /** Zooms by the factor around the point that is this part of the span from its beginning. */
  zoom(factor: number, part?: number): void;
  /** Moves by that part of the span; below 0: to earlier times. */
  move(part: number): void;
}

export function createShown(): Shown {
  let length = START;
  let newest = 0;
  let end: number | null = null; // null: it follows the newest sample

  const last = (): number => end ?? newest;

  /** Follows again if the span ends with the newest sample. */
  const endAt = (next: number): void => void (end = next >= newest ? null : next);

  return {
    span(now) {
      newest = now;
      const to = Math.max(last(), length); // the room's time begins with 0
      return { from: to - length, to };
    },
    follows: () => end === null,
    follow: () => void (end = null),
    show({ from, to }) {
      length = clamp(to - from, LEAST, MOST);
      endAt((from + to + length) / 2);
    },
    zoom(factor, part = end === null ? 1 : 0.5) {
      const before = length;
      length = clamp(length / factor, LEAST, MOST);
      endAt(last() + (1 - part) * (length - before));
    },
    move: (part) => endAt(Math.max(last() + part * length, length)),
  };
}
