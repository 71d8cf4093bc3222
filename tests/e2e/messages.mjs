// The messages of flock.v1: numbers, and the decoding of snapshots.
import { HELLO } from './numbers.mjs';

export * from './numbers.mjs';

// A hello. Sends exactly the given options (token, key, encodings, rate, boids).
/** @param {import('./types.d.ts').Hello} fields */
export const hello = ({ version = 1, room = 'lobby', name = '', ...options } = {}) => /** @type {const} */ ([HELLO, version, room, name, options]);

// An error as an object.
/**
 * @param {import('./types.d.ts').Message} answer
 * @returns {import('./types.d.ts').Answer}
 */
export function readError(answer) {
  const [, code, type, tag, field, name, message, fatal] = /** @type {[number, string, number, number | null, string, string, string, boolean]} */ (answer);
  return { code, type, tag, field, name, message, fatal };
}

// The steps of a bin of plain boids.
/**
 * @param {Uint8Array} bin
 * @returns {import('./types.d.ts').Point[]}
 */
export function readPlain(bin) {
  const bytes = Buffer.from(bin);
  return Array.from({ length: bytes.length / 4 }, (_, i) => [bytes.readInt16LE(4 * i), bytes.readInt16LE(4 * i + 2)]);
}

// A snapshot whose boids have been read into steps, in world units.
/**
 * @param {import('./types.d.ts').SnapshotMessage} message
 * @param {import('./types.d.ts').Point[]} steps
 * @param {import('./types.d.ts').Room} room
 */
export function readSnapshot([, epoch, tick, time, people, targetX, targetY, , cursors, flock, measures], steps, room) {
  const [width, height] = room.world;
  /** @type {(step: import('./types.d.ts').Point) => import('./types.d.ts').Point} */
  const point = ([x, y]) => [width / 2 + x * room.quantum, height / 2 + y * room.quantum];
  const cursorBytes = Buffer.from(cursors);
  /** @param {number} at */
  const cursorAt = (at) => point([cursorBytes.readInt16LE(at), cursorBytes.readInt16LE(at + 2)]);
  return {
    epoch,
    tick,
    time,
    people,
    target: targetX === null || targetY === null ? null : /** @type {import('./types.d.ts').Point} */ ([targetX, targetY]),
    boids: steps.map(point),
    cursors: new Map(
      Array.from({ length: cursorBytes.length / 8 }, (_, i) => /** @type {const} */ ([cursorBytes.readUInt32LE(8 * i), cursorAt(8 * i + 4)])),
    ),
    flock,
    measures,
  };
}
