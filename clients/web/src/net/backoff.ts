// The pause before the next attempt to connect: 0.5 s, doubling to 15 s, times a random factor from 0.5 to 1. The factor keeps
// the clients of a restarted server from coming back at the same moment.

const FIRST = 500; // ms
const LONGEST = 15_000; // ms

export const backoff = (failures: number, random: () => number = Math.random): number =>
  Math.min(LONGEST, FIRST * 2 ** Math.min(failures, 16)) * (0.5 + 0.5 * random());

/** Whether the client reconnects after a close with this code (PROTOCOL.md, Close codes). */
export const comesBack = (code: number): boolean => code < 3500;
