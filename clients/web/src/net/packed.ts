// Decodes the boids of a packed snapshot (PROTOCOL.md, Packed boids). Like the server it stores each boid's position and last
// movement, because a delta has only each boid's deviation from its expected position.
//
// For any bytes, decoding ends after linear time, allocates at most a small multiple of their length, and does not throw.

import { BOIDS_MAX, BOID_SIZE } from './protocol';

const HEADER_SIZE = 20; // bytes
const KEY = 1; // the header's kind; a delta has 0
const PERIOD_MAX = 16_384; // steps
const BLOCK = 64; // boids with common widths of residuals
const WIDTH_BITS = 4;
const ALL_ZERO = 15; // a width: the block has no residuals
const ESCAPE = 16; // a residual with this quotient or a larger one is sent as 16 bits
const RESIDUAL_BITS = 32; // at most
// The decoder reads half a block before it checks the length.
const BEYOND = (BLOCK * RESIDUAL_BITS + WIDTH_BITS) / 32 + 3; // words after the end that the decoder may read
const SLACK = 1.25; // growth factor of a buffer

/** lost: a delta that follows an unknown snapshot. malformed: bytes that break the protocol. After both, the next snapshot must be a
 * keyframe. */
export type PackedResult = 'ok' | 'lost' | 'malformed';

/** Positions (BOID_SIZE bytes per boid) and headings of the last decoded snapshot, valid until the next call. headings: one byte
 * per boid, in 256ths of a turn from +x toward +y; null for a delta and after a failed call. */
export interface PackedDecoder {
  decode(data: Uint8Array): PackedResult;
  positions(): Uint8Array;
  headings(): Uint8Array | null;
}

interface Axis {
  gain: number; // 64ths
  shift: number; // steps
  period: number; // steps; 0: none
}

export function createPackedDecoder(): PackedDecoder {
  let place = new Int16Array(0); // x and y of each boid
  let moved = new Int16Array(0); // movement of each boid since the previous snapshot, x and y
  // An aligned copy of the message. Its words are little-endian, as are all machines that run browsers.
  let words = new Uint32Array(BEYOND);
  let bytes = new Uint8Array(words.buffer);
  let headings: Uint8Array | null = null;
  let count = 0;
  let sequence = 0;
  let lost = true;

  function copyAligned(data: Uint8Array): void {
    const needed = Math.ceil(data.length / 4) + BEYOND;
    if (needed > words.length) {
      words = new Uint32Array(Math.ceil(needed * SLACK));
      bytes = new Uint8Array(words.buffer);
    }
    bytes.set(data);
  }

  function reserve(boids: number): void {
    if (2 * boids <= place.length) return;
    const [places, movements] = [place, moved];
    place = new Int16Array(2 * Math.ceil(boids * SLACK));
    moved = new Int16Array(place.length);
    place.set(places);
    moved.set(movements);
  }

  const decodeKey = (size: number, boids: number, x: Axis, y: Axis): boolean => {
    const at = HEADER_SIZE + boids * (BOID_SIZE + 1);
    if (at > size) return false;
    moved.fill(0, 0, 2 * boids);
    if (readResiduals(words, at, size, moved, boids, x, y) !== size) return false;
    new Uint8Array(place.buffer).set(bytes.subarray(HEADER_SIZE, HEADER_SIZE + boids * BOID_SIZE));
    headings = bytes.subarray(HEADER_SIZE + boids * BOID_SIZE, at);
    return true;
  };

  const decodeDelta = (size: number, boids: number, x: Axis, y: Axis): boolean => {
    const common = Math.min(boids, count);
    const at = readResiduals(words, HEADER_SIZE, size, moved, common, x, y);
    if (at < 0 || size - at !== (boids - common) * BOID_SIZE) return false;
    move(place, moved, common, x.period, y.period);
    if (at === size) return true;
    new Uint8Array(place.buffer).set(bytes.subarray(at, size), common * BOID_SIZE);
    moved.fill(0, 2 * common, 2 * boids);
    return true;
  };

  return {
    decode(data) {
      headings = null;
      const size = data.length;
      if (size < HEADER_SIZE) {
        lost = true;
        return 'malformed';
      }
      const header = new DataView(data.buffer, data.byteOffset, HEADER_SIZE);
      const key = header.getUint8(0) === KEY;
      const number = header.getUint32(4, true);
      const boids = header.getUint32(8, true);
      const [x, y] = [0, 1].map((i) => ({
        gain: header.getInt8(2 + i),
        period: header.getUint16(12 + 2 * i, true),
        shift: header.getInt16(16 + 2 * i, true),
      }));
      const sound = header.getUint8(0) <= KEY && boids <= BOIDS_MAX && Math.max(x.period, y.period) <= PERIOD_MAX;
      if (sound && !key && (lost || number !== (sequence + 1) >>> 0)) {
        lost = true;
        return 'lost';
      }
      lost = true; // until decoding succeeds
      // The message must contain all new boids.
      const fresh = Math.max(0, boids - (key ? 0 : count)) * (BOID_SIZE + (key ? 1 : 0));
      if (!sound || fresh > size - HEADER_SIZE) return 'malformed';
      copyAligned(data);
      reserve(boids);
      if (!(key ? decodeKey : decodeDelta)(size, boids, x, y)) return 'malformed';
      lost = false;
      count = boids;
      sequence = number;
      return 'ok';
    },
    positions: () => new Uint8Array(place.buffer, 0, count * BOID_SIZE),
    headings: () => headings,
  };
}

/** Adds the expected movement and the residual to each boid. Takes a byte offset; returns the offset after the residuals, or -1
 * if they are incomplete. */
function readResiduals(words: Uint32Array, from: number, end: number, moved: Int16Array, count: number, x: Axis, y: Axis): number {
  let at = 8 * from;
  for (let first = 0; first < 2 * count; first += 2 * BLOCK) {
    const last = Math.min(first + 2 * BLOCK, 2 * count);
    at = readHalf(words, at, moved, first, last, x.gain, x.shift);
    if (at > 8 * end) return -1;
    at = readHalf(words, at, moved, first + 1, last, y.gain, y.shift);
    if (at > 8 * end) return -1;
  }
  return (at + 7) >> 3;
}

/** Reads one coordinate of a block. Takes and returns bit offsets. Most of a snapshot's decoding time is spent here. */
function readHalf(words: Uint32Array, from: number, moved: Int16Array, first: number, last: number, gain: number, shift: number): number {
  let at = from;
  const width = bitsAt(words, at) & ((1 << WIDTH_BITS) - 1);
  at += WIDTH_BITS;
  if (width === ALL_ZERO) {
    for (let i = first; i < last; i += 2) moved[i] = shift + ((gain * moved[i] + 32) >> 6);
    return at;
  }
  const low = (1 << width) - 1;
  for (let i = first; i < last; i += 2) {
    let bits = bitsAt(words, at);
    const stop = bits & -bits & 0xffff; // the 1 after the zeros, if there are at most 15
    if (stop === 0) {
      moved[i] = shift + expected(gain, moved[i]) + residualOf(bits >>> ESCAPE);
      at += RESIDUAL_BITS;
      continue;
    }
    let quotient = 31 - Math.clz32(stop);
    let size = quotient + 1 + width;
    moved[i] = shift + expected(gain, moved[i]) + residualOf((quotient << width) | ((bits >>> (quotient + 1)) & low));
    at += size;
    // Most residuals are short, so the same bits often contain another one.
    bits >>>= size;
    quotient = 31 - Math.clz32(bits & -bits); // -1: only zeros are left
    size += quotient + 1 + width;
    if (quotient < 0 || quotient >= ESCAPE || size > 32 || i + 2 >= last) continue;
    i += 2;
    moved[i] = shift + expected(gain, moved[i]) + residualOf((quotient << width) | ((bits >>> (quotient + 1)) & low));
    at += quotient + 1 + width;
  }
  return at;
}

const expected = (gain: number, moved: number): number => (gain * moved + 32) >> 6;

/** Decodes a residual, whose last bit is the sign. An Int16Array wraps around, so only 16 bits and the sign matter. */
const residualOf = (residual: number): number => ((residual >> 1) & 0x7fff) ^ -(residual & 1);

/** Returns the 32 bits from bit `at` on. Two shifts are necessary, because a shift by 32 is a shift by 0. */
const bitsAt = (words: Uint32Array, at: number): number =>
  (words[at >> 5] >>> (at & 31)) | ((words[(at >> 5) + 1] << 1) << (31 - (at & 31)));

/** Adds each boid's movement to its position, around the torus in a wrap world. */
function move(place: Int16Array, moved: Int16Array, count: number, periodX: number, periodY: number): void {
  if (periodX === 0 && periodY === 0) {
    for (let i = 0; i < 2 * count; i++) place[i] += moved[i];
    return;
  }
  moveAround(place, moved, 0, 2 * count, periodX);
  moveAround(place, moved, 1, 2 * count, periodY);
}

function moveAround(place: Int16Array, moved: Int16Array, first: number, end: number, period: number): void {
  const low = period > 0 ? -(period >> 1) : -32768;
  const high = period > 0 ? low + period : 32768;
  for (let i = first; i < end; i += 2) {
    const to = ((place[i] + moved[i]) << 16) >> 16;
    place[i] = to >= high ? to - period : to < low ? to + period : to;
  }
}
