// A parameter on a slider's track, 0 to 1. Ranges are wide (0 to 1,000) and what is worth trying lies near the initial
// value (80, or 0.05 of 10), so the track is exponential, with the initial value in its middle, where that value is below
// the middle of the range; else it is linear. Either way both ends of the range are at the ends of the track.

import { clamp } from '../../numbers';
import type { Param } from '../../net/protocol';

export const TRACK_STEP = 0.005;

const SHARE_LEAST = 0.001; // of the range, below its initial value: steeper, and half of the track would be all the same
const SHARE_OF_NONE = 0.1; // where the initial value is the least one

export interface Scale {
  /** The value at that place of the track, rounded to what a step there can tell apart. */
  value(track: number): number;
  track(value: number): number;
}

export function createScale({ min, max, initial }: Pick<Param, 'min' | 'max' | 'initial'>): Scale {
  const span = max - min;
  const share = span <= 0 ? 1 : initial <= min ? SHARE_OF_NONE : Math.max(SHARE_LEAST, (initial - min) / span);
  // With b^2t - 1 for a curve that begins at 0, the middle is at the share 1 / (b + 1).
  const base = share < 0.5 ? 1 / share - 1 : 1;
  const linear = base < 1.01;

  const exact = (t: number): number => min + span * (linear ? t : (base ** (2 * t) - 1) / (base ** 2 - 1));

  return {
    value(track) {
      if (track <= 0 || span <= 0) return min;
      if (track >= 1) return max;
      const value = exact(track);
      const step = 10 ** Math.floor(Math.log10(exact(track + TRACK_STEP) - value));
      return clamp(tidy(Math.round(value / step) * step), min, max);
    },
    track(value) {
      if (span <= 0) return 0;
      const share = clamp((value - min) / span, 0, 1);
      return linear ? share : Math.log(1 + share * (base ** 2 - 1)) / (2 * Math.log(base));
    },
  };
}

/** A number without the digits that binary fractions and 32 bits add to it. */
export const tidy = (value: number): number => Number(value.toPrecision(6));
