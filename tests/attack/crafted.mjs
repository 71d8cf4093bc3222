// Recordings as no flockd makes them: a real one, with another checkpoint, other inputs and other parts.
import { readFileSync } from 'node:fs';
import { decode, encode } from '@msgpack/msgpack';

const HEAD = 12; // bytes: the name, kind and version, and the checksum of all else
const HERE = 15; // fields of a person who is in the room
const PERIOD = 33_333; // µs between two ticks

const read = (bytes) => /** @type {any} */ (decode(bytes.subarray(HEAD)));

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

function checksum(...parts) {
  let sum = 0xffffffff;
  for (const part of parts) for (const byte of part) sum = CRC[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return ~sum >>> 0;
}

function seal(kind, map) {
  const body = Buffer.from(encode(map, { maxDepth: 10 }));
  const head = Buffer.from('flock\x1a..\0\0\0\0', 'latin1');
  head[6] = kind.charCodeAt(0);
  head[7] = 1;
  head.writeUInt32LE(checksum(head.subarray(0, 8), body), 8);
  return Buffer.concat([head, body]);
}

const base = () => read(readFileSync(new URL('../recordings/boids.flock', import.meta.url)));

const numbers = (count, make) => Buffer.from(Float32Array.from({ length: count }, (_, i) => make(i)).buffer);

// A flock of that many boids, spread over a world. Returns the fields of a checkpoint's flock.
function flockOf(boids, [width, height]) {
  const side = Math.ceil(Math.sqrt(boids));
  return {
    boids,
    width,
    height,
    number: Buffer.from(Uint32Array.from({ length: boids }, (_, i) => i).buffer),
    x: numbers(boids, (i) => ((i % side) + 0.5) * (width / side)),
    y: numbers(boids, (i) => (Math.floor(i / side) + 0.5) * (height / side)),
    vx: numbers(boids, (i) => Math.cos(i)),
    vy: numbers(boids, (i) => Math.sin(i)),
  };
}

// A person who is here. The names are as long as they may be.
const person = (slot) => [slot, slot + 1, 0, 0, 0xffb000, 0, 1, `${slot}`.padEnd(32, 'x'), Buffer.alloc(16), 1, 0, slot % 500, slot % 300, slot, slot + 1];

/**
 * The people of a checkpoint: `here` in the room, and `free` slots for others.
 * @param {number} here
 */
export function peopleOf(here, free = 0) {
  const shown = Uint32Array.from({ length: Math.min(here, 128) }, (_, i) => i);
  const people = Array.from({ length: here }, (_, slot) => person(slot));
  const slots = Array.from({ length: free }, (_, i) => here + i);
  if (people.some((fields) => fields.length !== HERE)) throw new Error('a person here has 15 fields');
  return { last_id: here, generation: here, shown_until: 0, people, free: slots, handles_free: [], shown: Buffer.from(shown.buffer) };
}

// The inputs of a part, one byte after the other. No time passes but in ticks.
function varint(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80);
  return [...bytes, value];
}

const twice = (count, bytes) => Buffer.concat(Array(count).fill(Buffer.from(bytes)));
export const ticks = (count) => Buffer.alloc(count, 0xc0);
export const joins = (count) => twice(count, [5, 0, 0, 0]);
export const aways = (count) => twice(count, [4, 1]);
export const moves = (slot, count) => twice(count, [3, ...varint(slot + 1), 0, 2, 2]);
export function said(array) {
  const bytes = Buffer.from(encode(array));
  return Buffer.concat([Buffer.from([10, 0, ...varint(bytes.length)]), bytes]);
}

/** @typedef {{ boids?: number, world?: [number, number], flock?: object, params?: object, people?: object, settings?: object, padding?: number }} Checkpoint */

// The bytes of a checkpoint after `round` rounds, which were all ticks.
function checkpoint(round, /** @type {Checkpoint} */ { boids = 1, world = [550, 400], flock = {}, params = {}, people = peopleOf(0), settings = {}, padding = 0 }) {
  const state = read(base().states[0]);
  return seal('R', {
    ...state,
    settings: { ...state.settings, boids, ...settings },
    time: { ...state.time, clock: (round + 1) * PERIOD, ticks: round, rounds: round },
    people,
    flock: { ...state.flock, ...flockOf(boids, world), ...flock, params: { ...state.flock.params, ...params } },
    ...(padding > 0 ? { padding: Buffer.alloc(padding) } : {}),
  });
}

/**
 * Returns the file of a recording. Each part has a checkpoint and that many ticks.
 * @param {(Checkpoint & { rounds: number, before?: Buffer, inputs?: Buffer })[]} parts with `before` the first tick, or `inputs` instead
 */
export function recording(parts, fields = {}) {
  const index = Buffer.alloc(32 * parts.length);
  let round = 0;
  const states = [];
  for (const [i, part] of parts.entries()) {
    states.push(checkpoint(round, part));
    index.writeBigUInt64LE(BigInt(round), 32 * i);
    index.writeBigUInt64LE(BigInt(round), 32 * i + 8);
    index.writeBigUInt64LE(BigInt((round + 1) * PERIOD), 32 * i + 16);
    index.writeUInt32LE(part.rounds, 32 * i + 24);
    index.writeUInt32LE(i > 0 ? 1 : 0, 32 * i + 28);
    round += part.rounds;
  }
  const inputs = parts.map(({ rounds, before = Buffer.alloc(0), inputs: all }) => all ?? Buffer.concat([before, ticks(rounds)]));
  return seal('H', { ...base(), index, states, inputs, ...fields });
}
