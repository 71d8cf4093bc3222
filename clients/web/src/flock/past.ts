// The moment of its past that a room shows.

import { clamp } from '../numbers';
import type { Past } from '../net/protocol';

/** Returns how far the shown moment is before the present, s. passed: ms since the server sent it. */
export const secondsBack = ({ back, speed, span }: Past, passed: number): number => clamp(back - (speed * passed) / 1000, 0, span);
