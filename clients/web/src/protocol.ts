// flock.v1 on the wire (protocol/PROTOCOL.md): what this client says, encoded, and what the server says, decoded and
// checked. Nothing here throws: a message that is not what the protocol promises comes out as `malformed` with the
// reason, so that the render loop only ever sees values of the right type and range.

import { Decoder, encode } from '@msgpack/msgpack';

export const VERSION = 1;
export const SUBPROTOCOL = 'flock.v1';
export const TOKEN_SIZE = 16;
export const NAME_MAX = 64; // bytes of UTF-8
export const BOID_SIZE = 4; // bytes
export const CURSOR_SIZE = 8; // bytes
export const BOIDS_MAX = 1_000_000;
const CURSORS_MAX = 1024; // in a snapshot: as many as people in a presence
const PACKED_MAX = 20 + 14 * BOIDS_MAX; // bytes of packed boids
const UINT32_MAX = 0xffffffff;
const RATE_MIN = 0.001; // Hz
const RATE_MAX = 1000;

export interface Param {
  name: string;
  unit: string;
  min: number;
  max: number;
  initial: number;
  value: number;
  text: string;
}

/** What a presenter chooses from a list. */
export interface Control {
  name: string;
  value: string; // empty: none of the choices is in force
  choices: { value: string; text: string }[];
  text: string;
}

export type Role = 'viewer' | 'presenter';

/** A wall's two ends, world units. */
export type Wall = [number, number, number, number];

export interface Room {
  name: string;
  model: string;
  boundary: string;
  world: [number, number]; // world units
  quantum: number; // world units a step of a position
  tickRate: number;
  snapshotRate: number;
  policy: string;
  idle: string;
  params: Param[];
  walls: Wall[];
  controls: Control[]; // none: nobody changes this room
  boidsMax: number; // 0 without controls
}

export interface Person {
  id: number;
  name: string;
  color: number; // 0xRRGGBB
}

export interface Welcome extends Person {
  kind: 'welcome';
  server: string;
  token: Uint8Array;
  role: Role;
  encoding: string;
  rate: number; // snapshots per second
  time: number; // µs
  room: Room;
}

/** What the whole flock does. */
export interface Measures {
  polarization: number; // 0 to 1
  milling: number; // 0 to 1
  centroid: [number, number]; // world units
  radius: number; // of gyration, world units
  speed: number; // mean, world units a tick
  nearest: number; // mean distance to the nearest other, world units
}

/** boids and cursors are views into the message that they came in. */
export interface Sight {
  epoch: number;
  tick: number;
  time: number; // µs
  people: number;
  target: [number, number] | null; // world units
  boids: Uint8Array;
  cursors: Uint8Array;
  flock: number; // boids of the room, of which these may be a part
  measures: Measures | null;
}

/** boids: positions, BOID_SIZE bytes each. */
export interface Snapshot extends Sight {
  kind: 'snapshot';
}

/** boids: as packed.ts reads them. */
export interface Packed extends Sight {
  kind: 'packed';
}

/** What will follow. */
export interface Stream {
  kind: 'stream';
  rate: number; // snapshots per second
  boids: number; // in each, at most; 0: all
}

export interface ServerError {
  kind: 'error';
  code: string;
  field: string;
  message: string;
  fatal: boolean;
}

export type ServerMessage =
  | Welcome
  | { kind: 'room'; room: Room }
  | { kind: 'params'; values: number[] }
  | { kind: 'presence'; people: Person[] }
  | Snapshot
  | Packed
  | Stream
  | { kind: 'pong'; t: number; time: number }
  | ServerError
  | { kind: 'role'; role: Role }
  | { kind: 'ignored'; type: number }
  | { kind: 'malformed'; why: string };

export interface Hello {
  room: string;
  name: string;
  rate: number; // snapshots per second wanted, 0: all
  encodings: readonly string[]; // the best first
  token: Uint8Array | null;
}

// Float 32 is exact to 1/256 of a world unit at the edge of the largest range, and half the size.
const pack = (message: unknown[]): Uint8Array<ArrayBuffer> => encode(message, { forceFloat32: true });

export const encodeHello = (hello: Hello): Uint8Array<ArrayBuffer> =>
  pack([1, VERSION, hello.room, hello.name, hello.encodings, hello.rate, hello.token]);
export const encodeCursor = (x: number, y: number): Uint8Array<ArrayBuffer> => pack([2, x, y]);
export const encodeAway = (): Uint8Array<ArrayBuffer> => pack([3]);
export const encodePing = (t: number): Uint8Array<ArrayBuffer> => pack([4, t]);
export const encodeName = (name: string): Uint8Array<ArrayBuffer> => pack([5, name]);
export const encodeKey = (key: string): Uint8Array<ArrayBuffer> => pack([6, key]);
export const encodeSet = (name: string, value: string): Uint8Array<ArrayBuffer> => pack([7, name, value]);
export const encodeParam = (name: string, value: number): Uint8Array<ArrayBuffer> => pack([8, name, value]);
export const encodeAdd = (x: number, y: number, count: number): Uint8Array<ArrayBuffer> => pack([9, x, y, count]);
export const encodeRemove = (count: number): Uint8Array<ArrayBuffer> => pack([10, count]);
export const encodeReset = (): Uint8Array<ArrayBuffer> => pack([11]);
export const encodeStep = (): Uint8Array<ArrayBuffer> => pack([12]);
export const encodeWant = (rate: number, boids: number): Uint8Array<ArrayBuffer> => pack([13, rate, boids]);

/** A name as the server accepts it: no control, line-separating or direction-changing characters, at most 64 bytes. */
export function cleanName(text: string): string {
  const plain = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  const encoder = new TextEncoder();
  let name = '';
  let size = 0;
  for (const character of plain) {
    size += encoder.encode(character).length;
    if (size > NAME_MAX) break;
    name += character;
  }
  return name.trim();
}

export const validRoom = (name: string): boolean => /^[a-z0-9-]{1,32}$/.test(name);

const decoder = new Decoder({
  maxStrLength: 16_384,
  maxBinLength: PACKED_MAX,
  maxArrayLength: 1024,
  maxMapLength: 256,
  maxExtLength: 0,
});

export function decode(data: ArrayBuffer | Uint8Array): ServerMessage {
  try {
    const message = decoder.decode(data);
    if (!Array.isArray(message)) throw new Malformed('message', 'an array');
    const [type, ...fields] = message as unknown[];
    return dispatch(uint(type, 'type', UINT32_MAX), fields);
  } catch (error) {
    return { kind: 'malformed', why: error instanceof Error ? error.message : String(error) };
  }
}

class Malformed extends Error {
  constructor(field: string, expected: string) {
    super(`${field}: expected ${expected}`);
  }
}

function dispatch(type: number, fields: unknown[]): ServerMessage {
  switch (type) {
    case 16:
      return welcome(map(fields[0], 'welcome'));
    case 17:
      return { kind: 'room', room: room(map(fields[0], 'room')) };
    case 18:
      return { kind: 'params', values: array(fields[0], 'values').map((value) => number(value, 'value')) };
    case 19:
      return { kind: 'presence', people: array(fields[0], 'people').map(person) };
    case 20:
      return snapshot(fields);
    case 23:
      return { kind: 'packed', ...sight(fields, bin(fields[6], 'boids', PACKED_MAX), uint(fields[8], 'flock')) };
    case 21:
      return { kind: 'pong', t: uint(fields[0], 't'), time: uint(fields[1], 'time') };
    case 22:
      return {
        kind: 'error',
        code: text(fields[0], 'code'),
        field: text(fields[1], 'field'),
        message: text(fields[2], 'message'),
        fatal: fields[3] === true,
      };
    case 24:
      return { kind: 'role', role: role(fields[0]) };
    case 25:
      return {
        kind: 'stream',
        rate: number(fields[0], 'rate', RATE_MIN, RATE_MAX),
        boids: uint(fields[1], 'boids', UINT32_MAX),
      };
    default:
      return { kind: 'ignored', type };
  }
}

function welcome(from: Record<string, unknown>): Welcome {
  const version = uint(from['version'], 'version');
  if (version !== VERSION) throw new Malformed('version', String(VERSION));
  const token = bin(from['token'], 'token', TOKEN_SIZE);
  if (token.length !== TOKEN_SIZE) throw new Malformed('token', `${TOKEN_SIZE} bytes`);
  return {
    kind: 'welcome',
    server: text(from['server'], 'server'),
    id: uint(from['id'], 'id', UINT32_MAX),
    token: token.slice(),
    name: text(from['name'], 'name'),
    color: uint(from['color'], 'color', 0xffffff),
    role: from['role'] === undefined ? 'viewer' : role(from['role']),
    encoding: text(from['encoding'], 'encoding'),
    rate: number(from['rate'], 'rate', RATE_MIN, RATE_MAX),
    time: uint(from['time'], 'time'),
    room: room(map(from['room'], 'room')),
  };
}

/** A role that this client does not know may do no more than a viewer. */
const role = (from: unknown): Role => (text(from, 'role') === 'presenter' ? 'presenter' : 'viewer');

function room(from: Record<string, unknown>): Room {
  const world = array(from['world'], 'world');
  const controls = optional(from['controls'], 'controls').map(control);
  return {
    name: text(from['name'], 'name'),
    model: text(from['model'], 'model'),
    boundary: text(from['boundary'], 'boundary'),
    world: [number(world[0], 'world', 1, 1e6), number(world[1], 'world', 1, 1e6)],
    quantum: number(from['quantum'], 'quantum', 1e-6, 1e3),
    tickRate: number(from['tick_rate'], 'tick_rate', 1, 1000),
    snapshotRate: number(from['snapshot_rate'], 'snapshot_rate', 0.001, 1000),
    policy: text(from['policy'], 'policy'),
    idle: text(from['idle'], 'idle'),
    params: array(from['params'], 'params').map(param),
    walls: optional(from['walls'], 'walls').map(wall),
    controls,
    boidsMax: controls.length > 0 ? uint(from['boids_max'], 'boids_max', UINT32_MAX, 1) : 0,
  };
}

const optional = (from: unknown, field: string): unknown[] => (from === undefined ? [] : array(from, field));

function control(from: unknown): Control {
  const [name, value, choices, about] = array(from, 'controls');
  return {
    name: text(name, 'controls.name'),
    value: text(value, 'controls.value'),
    choices: array(choices, 'controls.choices').map((choice) => {
      const [word, meaning] = array(choice, 'controls.choices');
      return { value: text(word, 'controls.choices'), text: text(meaning, 'controls.choices') };
    }),
    text: text(about, 'controls.text'),
  };
}

function wall(from: unknown): Wall {
  const [x1, y1, x2, y2] = array(from, 'walls').map((value) => number(value, 'walls'));
  if (y2 === undefined) throw new Malformed('walls', '4 numbers');
  return [x1, y1, x2, y2];
}

function param(from: unknown): Param {
  const [name, unit, min, max, initial, value, about] = array(from, 'params');
  return {
    name: text(name, 'params.name'),
    unit: text(unit, 'params.unit'),
    min: number(min, 'params.min'),
    max: number(max, 'params.max'),
    initial: number(initial, 'params.default'),
    value: number(value, 'params.value'),
    text: text(about, 'params.text'),
  };
}

function person(from: unknown): Person {
  const [id, name, color] = array(from, 'people');
  return { id: uint(id, 'id', UINT32_MAX), name: text(name, 'name'), color: uint(color, 'color', 0xffffff) };
}

function snapshot(fields: unknown[]): Snapshot {
  const boids = bin(fields[6], 'boids', BOIDS_MAX * BOID_SIZE);
  if (boids.length % BOID_SIZE !== 0) throw new Malformed('boids', `a multiple of ${BOID_SIZE} bytes`);
  // A server that sends no flock sends all of it.
  const flock = fields[8] === undefined ? boids.length / BOID_SIZE : uint(fields[8], 'flock');
  return { kind: 'snapshot', ...sight(fields, boids, flock) };
}

function sight(fields: unknown[], boids: Uint8Array, flock: number): Sight {
  const [epoch, tick, time, people, x, y, , marks, , figures] = fields;
  const cursors = bin(marks, 'cursors', CURSORS_MAX * CURSOR_SIZE);
  if (cursors.length % CURSOR_SIZE !== 0) throw new Malformed('cursors', `a multiple of ${CURSOR_SIZE} bytes`);
  return {
    epoch: uint(epoch, 'epoch'),
    tick: uint(tick, 'tick'),
    time: uint(time, 'time'),
    people: uint(people, 'people'),
    target: x === null && y === null ? null : [number(x, 'target_x'), number(y, 'target_y')],
    boids,
    cursors,
    flock,
    measures: figures === null || figures === undefined ? null : measures(array(figures, 'measures')),
  };
}

function measures(from: unknown[]): Measures {
  const [polarization, milling, x, y, radius, speed, nearest] = from
    .slice(0, 7)
    .map((value) => number(value, 'measures'));
  if (nearest === undefined) throw new Malformed('measures', '7 numbers');
  return { polarization, milling, centroid: [x, y], radius, speed, nearest };
}

function uint(value: unknown, field: string, max = Number.MAX_SAFE_INTEGER, min = 0): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Malformed(field, `an integer from ${min} to ${max}`);
}

function number(value: unknown, field: string, min = -Infinity, max = Infinity): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max) return value;
  throw new Malformed(field, `a number from ${min} to ${max}`);
}

function text(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw new Malformed(field, 'a string');
}

function bin(value: unknown, field: string, max: number): Uint8Array {
  if (value instanceof Uint8Array && value.length <= max) return value;
  throw new Malformed(field, `at most ${max} bytes`);
}

function array(value: unknown, field: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new Malformed(field, 'an array');
}

function map(value: unknown, field: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array))
    return value as Record<string, unknown>;
  throw new Malformed(field, 'a map');
}
