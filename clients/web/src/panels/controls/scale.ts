// Converts a parameter's value to a position on a slider's track, 0 to 1, and back. Ranges are wide (0 to 1,000), but useful values
// lie near the initial value (80, or 0.05 of 10). If the initial value is below the middle of the range, the track is exponential and
// the initial value is in the middle of the track. Otherwise the track is linear. The ends of the range are at the ends of the track.

import { clamp } from '../../numbers';
import type { Param } from '../../net/protocol';

export const TRACK_STEP = 0.005;

const SHARE_LEAST = 0.001; // least share of the range below the initial value; with less, half of the track would have one value
const SHARE_OF_NONE = 0.1; // that share if the initial value is the minimum

export interface Scale {
  /** Returns the value at a position of the track, rounded to the precision of a TRACK_STEP there. */
  value(track: number): number;
  track(value: number): number;
}

export function createScale({ min, max, initial }: Pick<Param, 'min' | 'max' | 'initial'>): Scale {
  const span = max - min;
  const share = span <= 0 ? 1 : initial <= min ? SHARE_OF_NONE : Math.max(SHARE_LEAST, (initial - min) / span);
  // The curve b^2t - 1 begins at 0; its middle (t = 1/2) is at the share 1 / (b + 1).
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

/** Rounds to six digits, which removes the digits that 32-bit binary fractions add. */
export const tidy = (value: number): number => Number(value.toPrecision(6));
