// Which moment of its past a room shows.

import { clamp } from '../numbers';
import type { Past } from '../net/protocol';

/** Seconds before the present, passed milliseconds after the server said so. */
export const secondsBack = ({ back, speed, span }: Past, passed: number): number => clamp(back - (speed * passed) / 1000, 0, span);
