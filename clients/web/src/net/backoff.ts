// How long to wait before the next attempt to connect: 0.5 s, doubling to 15 s, each times a random factor between
// 0.5 and 1 so that the clients of a server that restarts do not all come back at the same moment.

const FIRST = 500; // ms
const LONGEST = 15_000; // ms

export const backoff = (failures: number, random: () => number = Math.random): number =>
  Math.min(LONGEST, FIRST * 2 ** Math.min(failures, 16)) * (0.5 + 0.5 * random());

/** Whether a close with this code is one to come back from (PROTOCOL.md, Close codes). */
export const comesBack = (code: number): boolean => code < 3500;
