// Readers of the values in the server's messages. A reader returns a value of the right type and range, or throws Malformed with the
// value's name. decoders.ts calls the readers; it is generated from the table of messages.

import { FLAG_ACTIVE, FLAG_OWNER, FLAG_PRESENTER, FLAG_TEAM, TEAM_SHIFT } from './messages';
import type { Change, Flags, Identity, Measures, Person, Role, Wall } from './protocol';

export const UINT32_MAX = 0xffffffff;

/** Unknown keys are ignored. */
export type Fields = Readonly<Record<string, unknown>>;
/** Elements beyond the known ones are ignored. */
export type List = readonly unknown[];

export class Malformed extends Error {
  constructor(name: string, expected: string) {
    super(`${name}: expected ${expected}`);
  }
}

export function uint(value: unknown, name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Malformed(name, `an integer from ${min} to ${max}`);
}

export function number(value: unknown, name: string, min = -Infinity, max = Infinity): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max) return value;
  throw new Malformed(name, `a number from ${min} to ${max}`);
}

export function bool(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new Malformed(name, 'a boolean');
}

export function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Malformed(name, 'a string');
}

export function bin(value: unknown, name: string, max: number): Uint8Array {
  if (value instanceof Uint8Array && value.length <= max) return value;
  throw new Malformed(name, `at most ${max} bytes`);
}

/** Reads at most `most` entries of `size` bytes each. */
export function bins(value: unknown, name: string, size: number, most: number): Uint8Array {
  const bytes = bin(value, name, most * size);
  if (bytes.length % size !== 0) throw new Malformed(name, `a multiple of ${size} bytes`);
  return bytes;
}

/** Reads exactly `size` bytes. Returns a copy, because a bin is a view into the message. */
export function copy(value: unknown, name: string, size: number): Uint8Array {
  const bytes = bin(value, name, size);
  if (bytes.length !== size) throw new Malformed(name, `${size} bytes`);
  return bytes.slice();
}

export function map(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)) return value as Fields;
  throw new Malformed(name, 'a map');
}

function array(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new Malformed(name, 'an array');
}

export const list = <T>(value: unknown, name: string, read: (each: unknown) => T): T[] => array(value, name).map(read);

export function pair<T>(value: unknown, name: string, read: (each: unknown) => T): [T, T] {
  const values = array(value, name);
  return [read(values[0]), read(values[1])];
}

/** Reads an array in which each element has its own meaning. */
export const record = <T>(value: unknown, name: string, read: (of: List) => T): T => read(array(value, name));

/** Treats an unknown role as viewer. */
export const role = (value: unknown, name: string): Role => (text(value, name) === 'presenter' ? 'presenter' : 'viewer');

/** Anything but `true` is false. */
export const isTrue = (value: unknown, _name: string): boolean => value === true;

/** Anything but an integer is 0. */
export const integerOr0 = (value: unknown, _name: string): number => (typeof value === 'number' && Number.isInteger(value) ? value : 0);

export function flags(value: unknown, name: string): Flags {
  const bits = uint(value, name, 0, UINT32_MAX);
  return {
    presenter: (bits & FLAG_PRESENTER) !== 0,
    active: (bits & FLAG_ACTIVE) !== 0,
    owner: (bits & FLAG_OWNER) !== 0,
    team: (bits & FLAG_TEAM) >> TEAM_SHIFT,
  };
}

const identity = (id: unknown, name: unknown, color: unknown): Identity => ({
  id: uint(id, 'id', 0, UINT32_MAX),
  name: text(name, 'name'),
  color: uint(color, 'color', 0, 0xffffff),
});

/** A person who may have left: [id, name, color], or with flags behind it. */
export function absent(value: unknown, name: string): Person {
  const [id, called, color, bits] = array(value, name);
  return { ...identity(id, called, color), ...flags(integerOr0(bits, 'flags') >>> 0, 'flags') };
}

/** [id, name, color, flags], or [id, flags] if only the flags have changed. */
export function change(value: unknown, name: string): Change {
  const [first, second, third, fourth] = array(value, name);
  const id = uint(first, 'id', 0, UINT32_MAX);
  if (typeof second !== 'string') return { id, identity: null, ...flags(second, 'flags') };
  return { id, identity: identity(id, second, third), ...flags(fourth, 'flags') };
}

/** Returns null if both are nil: there is no target. */
export const target = (x: unknown, y: unknown): [number, number] | null =>
  x === null && y === null ? null : [number(x, 'target_x'), number(y, 'target_y')];

export function wall(value: unknown, name: string): Wall {
  const [x1, y1, x2, y2] = array(value, name);
  return [number(x1, name), number(y1, name), number(x2, name), number(y2, name)];
}

export function measures(value: unknown, name: string): Measures {
  const numbers = array(value, name).slice(0, 7);
  if (numbers.length < 7) throw new Malformed(name, '7 numbers');
  const [polarization, milling, x, y, radius, speed, nearest] = numbers.map((each) => number(each, name));
  return { polarization, milling, centroid: [x, y], radius, speed, nearest };
}
