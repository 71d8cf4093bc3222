// Decodes and checks the server's messages (protocol/PROTOCOL.md). Nothing here throws: a message that breaks the protocol
// becomes `malformed` with the reason, so the render loop only gets values of the right type and range. Unknown types, keys and
// elements are ignored.

import { Decoder } from '@msgpack/msgpack';
import {
  ADD_MAX,
  DONE,
  ERROR,
  EVENT,
  FLAG_ACTIVE,
  FLAG_PRESENTER,
  GOODBYE,
  NEW_KEY,
  PACKED,
  PARAMS,
  PAST,
  PERIOD_MAX,
  PONG,
  PRESENCE,
  ROLE,
  ROOM,
  SELF,
  SNAPSHOT,
  STREAM,
  WELCOME,
} from './messages';
import {
  BOIDS_MAX,
  BOID_SIZE,
  CURSOR_SIZE,
  type Change,
  type Control,
  type Granted,
  type Identity,
  type Measures,
  type Param,
  type Role,
  type Room,
  type RoomLook,
  type ServerError,
  type ServerMessage,
  type Sight,
  type Snapshot,
  TOKEN_SIZE,
  VERSION,
  type Wall,
  type Welcome,
} from './protocol';

const CURSORS_MAX = 1024; // in a snapshot
const PACKED_MAX = 20 + 14 * BOIDS_MAX; // bytes of packed boids
const UINT32_MAX = 0xffffffff;
const COLOR_MAX = 0xffffff;
const RATE_MIN = 0.001; // Hz
const RATE_MAX = 1000;

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
    case WELCOME:
      return welcome(map(fields[0], 'welcome'));
    case ROOM:
      return { kind: 'room', room: room(map(fields[0], 'room')) };
    case PARAMS:
      return { kind: 'params', values: array(fields[0], 'values').map((value) => number(value, 'value')) };
    case PRESENCE:
      return {
        kind: 'presence',
        since: uint(fields[0], 'since'),
        sequence: uint(fields[1], 'sequence'),
        people: array(fields[2], 'people').map(change),
        left: array(fields[3], 'left').map((id) => uint(id, 'left', UINT32_MAX)),
        away: fields[4] == null ? null : identities(fields[4], 'away'),
      };
    case SNAPSHOT:
      return snapshot(fields);
    case PACKED:
      return { kind: 'packed', ...sight(fields, bin(fields[6], 'boids', PACKED_MAX)) };
    case STREAM:
      return {
        kind: 'stream',
        ...granted(fields[0], fields[1], fields[2]),
        slow: boolean(fields[3], 'slow'),
      };
    case ROLE:
      return { kind: 'role', role: role(fields[0]) };
    case PONG:
      return { kind: 'pong', t: uint(fields[0], 't'), time: uint(fields[1], 'time') };
    case DONE:
      return { kind: 'done', type: uint(fields[0], 'type', UINT32_MAX), tag: orNil(fields[1], 'tag', UINT32_MAX) };
    case ERROR:
      return error(fields);
    case EVENT:
      return {
        kind: 'event',
        tick: uint(fields[0], 'tick'),
        by: uint(fields[1], 'by', UINT32_MAX),
        who: text(fields[2], 'who'),
        name: text(fields[3], 'name'),
        what: text(fields[4], 'what'),
        from: text(fields[5], 'from'),
        to: text(fields[6], 'to'),
      };
    case NEW_KEY:
      return { kind: 'key', key: text(fields[0], 'key') };
    case GOODBYE:
      return { kind: 'goodbye', code: uint(fields[0], 'code', 0xffff), after: orNil(fields[1], 'after') };
    case PAST:
      return {
        kind: 'past',
        shown: boolean(fields[0], 'shown'),
        span: number(fields[1], 'span'),
        back: number(fields[2], 'back'),
        speed: number(fields[3], 'speed'),
        ...(fields[4] != null && { people: identities(fields[4], 'people') }),
      };
    case SELF:
      return { kind: 'self', name: text(fields[0], 'name'), ...flags(fields[1]) };
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
    color: uint(from['color'], 'color', COLOR_MAX),
    role: from['role'] === undefined ? 'viewer' : role(from['role']),
    encoding: text(from['encoding'], 'encoding'),
    ...granted(from['rate'], from['boids'], from['stride']),
    time: uint(from['time'], 'time'),
    capabilities: array(from['capabilities'], 'capabilities').map((word) => text(word, 'capabilities')),
    room: room(map(from['room'], 'room')),
  };
}

const granted = (rate: unknown, boids: unknown, stride: unknown): Granted => ({
  rate: number(rate, 'rate', RATE_MIN, RATE_MAX),
  boids: uint(boids, 'boids', UINT32_MAX),
  stride: uint(stride, 'stride', UINT32_MAX, 1),
});

function error([code, type, tag, field, name, message, fatal, after]: unknown[]): ServerError {
  return {
    kind: 'error',
    code: text(code, 'code'),
    type: orNil(type, 'type', UINT32_MAX),
    tag: orNil(tag, 'tag', UINT32_MAX),
    field: text(field, 'field'),
    name: text(name, 'name'),
    message: text(message, 'message'),
    fatal: boolean(fatal, 'fatal'),
    after: typeof after === 'number' && Number.isInteger(after) ? after : 0,
  };
}

/** Treats an unknown role as viewer. */
const role = (from: unknown): Role => (text(from, 'role') === 'presenter' ? 'presenter' : 'viewer');

function room(from: Record<string, unknown>): Room {
  const tickRate = number(from['tick_rate'], 'tick_rate', 1, 1000);
  return {
    code: text(from['code'], 'code'),
    title: text(from['title'], 'title'),
    instance: uint(from['instance'], 'instance'),
    model: text(from['model'], 'model'),
    boundary: text(from['boundary'], 'boundary'),
    update: text(from['update'], 'update'),
    world: pair(from['world'], 'world', (side) => number(side, 'world', 1, 1e6)),
    quantum: number(from['quantum'], 'quantum', 1e-6, 1e3),
    period: from['period'] === undefined ? null : pair(from['period'], 'period', (steps) => uint(steps, 'period', PERIOD_MAX, 1)),
    tickRate,
    snapshotRate: number(from['snapshot_rate'], 'snapshot_rate', RATE_MIN, tickRate),
    policy: text(from['policy'], 'policy'),
    idle: text(from['idle'], 'idle'),
    cursorTimeout: number(from['cursor_timeout'], 'cursor_timeout', Number.MIN_VALUE),
    params: array(from['params'], 'params').map(param),
    walls: optional(from['walls'], 'walls').map(wall),
    controls: optional(from['controls'], 'controls').map(control),
    look: from['look'] === undefined ? null : look(array(from['look'], 'look')),
    click: from['click'] === undefined ? 0 : uint(from['click'], 'click', ADD_MAX, 1),
    peopleMax: uint(from['people_max'], 'people_max', UINT32_MAX, 1),
    boidsMax: uint(from['boids_max'], 'boids_max', UINT32_MAX, 1),
    undo: from['undo'] !== undefined && boolean(from['undo'], 'undo'),
    attention: from['attention'] === undefined ? null : text(from['attention'], 'attention'),
    spotlight: from['spotlight'] === undefined ? 0 : uint(from['spotlight'], 'spotlight', UINT32_MAX),
    storeFailing: from['store_failing'] !== undefined && boolean(from['store_failing'], 'store_failing'),
  };
}

function pair(from: unknown, field: string, read: (value: unknown) => number): [number, number] {
  const values = array(from, field);
  return [read(values[0]), read(values[1])];
}

const optional = (from: unknown, field: string): unknown[] => (from === undefined ? [] : array(from, field));

const look = ([shape, size]: unknown[]): RoomLook => ({
  shape: text(shape, 'look'),
  size: number(size, 'look', Number.MIN_VALUE),
});

function control(from: unknown): Control {
  const [name, value, choices, about] = array(from, 'controls');
  return {
    name: text(name, 'controls.name'),
    value: text(value, 'controls.value'),
    choices: array(choices, 'controls.choices').map((choice) => {
      const [word, meaning, saved] = array(choice, 'controls.choices');
      return { value: text(word, 'controls.choices'), text: text(meaning, 'controls.choices'), saved: saved === true };
    }),
    text: text(about, 'controls.text'),
  };
}

function wall(from: unknown): Wall {
  const [x1, y1, x2, y2] = array(from, 'walls')
    .slice(0, 4)
    .map((value) => number(value, 'walls'));
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

const identities = (value: unknown, name: string): Identity[] => array(value, name).map((who) => identity(array(who, name)));

const identity = (fields: unknown[]): Identity => ({
  id: uint(fields[0], 'id', UINT32_MAX),
  name: text(fields[1], 'name'),
  color: uint(fields[2], 'color', COLOR_MAX),
});

/** [id, name, color, flags], or [id, flags] if only the flags have changed. */
function change(from: unknown): Change {
  const fields = array(from, 'people');
  const id = uint(fields[0], 'id', UINT32_MAX);
  const whole = typeof fields[1] === 'string';
  return { id, identity: whole ? identity(fields) : null, ...flags(fields[whole ? 3 : 1]) };
}

function flags(from: unknown): { presenter: boolean; active: boolean } {
  const bits = uint(from, 'flags', UINT32_MAX);
  return { presenter: (bits & FLAG_PRESENTER) !== 0, active: (bits & FLAG_ACTIVE) !== 0 };
}

function snapshot(fields: unknown[]): Snapshot {
  const boids = bin(fields[6], 'boids', BOIDS_MAX * BOID_SIZE);
  if (boids.length % BOID_SIZE !== 0) throw new Malformed('boids', `a multiple of ${BOID_SIZE} bytes`);
  return { kind: 'snapshot', ...sight(fields, boids) };
}

function sight(fields: unknown[], boids: Uint8Array): Sight {
  const [epoch, tick, time, people, x, y, , marks, flock, figures] = fields;
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
    flock: uint(flock, 'flock'),
    measures: figures === null ? null : measures(array(figures, 'measures')),
  };
}

function measures(from: unknown[]): Measures {
  const [polarization, milling, x, y, radius, speed, nearest] = from.slice(0, 7).map((value) => number(value, 'measures'));
  if (nearest === undefined) throw new Malformed('measures', '7 numbers');
  return { polarization, milling, centroid: [x, y], radius, speed, nearest };
}

function uint(value: unknown, field: string, max = Number.MAX_SAFE_INTEGER, min = 0): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Malformed(field, `an integer from ${min} to ${max}`);
}

const orNil = (value: unknown, field: string, max?: number): number | null => (value === null ? null : uint(value, field, max));

function boolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new Malformed(field, 'a boolean');
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
