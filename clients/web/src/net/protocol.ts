// flock.v1 (protocol/PROTOCOL.md): the values that travel, and what this client says, encoded. What the server says is
// decoded and checked in decode.ts.

import { AWAY, CURSOR, HELLO, PING, type Request, type Role } from './messages';
import { pack } from './pack';

export { BOIDS_MAX, BOID_SIZE, CURSOR_SIZE, HELLO, TOKEN_SIZE, type Request, type Role, request } from './messages';

export const VERSION = 1;
export const SUBPROTOCOL = 'flock.v1';

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
  choices: { value: string; text: string; saved: boolean }[]; // saved: by a presenter, in this room
  text: string;
}

/** A wall's two ends, world units. */
export type Wall = [number, number, number, number];

/** How boids are to be drawn. */
export interface RoomLook {
  shape: string; // what this page does not know is drawn as it likes
  size: number; // world units: of a circle the diameter, of others the length
}

export interface Room {
  code: string; // canonical
  title: string; // may be empty
  instance: number; // another one: the server's clock has begun again
  model: string;
  boundary: string;
  update: string; // the order in which boids move
  world: [number, number]; // world units
  quantum: number; // world units a step of a position
  period: [number, number] | null; // steps after which a torus comes around; null: this is none
  tickRate: number;
  snapshotRate: number;
  policy: string;
  idle: string;
  cursorTimeout: number; // s
  params: Param[];
  walls: Wall[];
  controls: Control[];
  look: RoomLook | null;
  click: number; // boids that a presenter's click adds; 0: it adds none
  peopleMax: number;
  boidsMax: number;
  undo: boolean; // there is something to undo
  attention: string | null; // what a presenter asks for attention with, maybe nothing; null: nobody does
  spotlight: number; // the id of the person whose cursor is marked; 0: nobody's
  storeFailing: boolean; // what changes now would be lost with the server
}

/** What tells one person from another. */
export interface Identity {
  id: number;
  name: string;
  color: number; // 0xRRGGBB
}

export interface Person extends Identity {
  presenter: boolean;
  active: boolean; // its cursor moved within the cursor timeout
}

/** What will follow. */
export interface Granted {
  rate: number; // snapshots per second
  boids: number; // in each, at most; 0: all
  stride: number; // a snapshot has every stride-th boid
}

export interface Stream extends Granted {
  kind: 'stream';
  slow: boolean; // less than was wanted, because the line is slow
}

export interface Welcome extends Identity, Granted {
  kind: 'welcome';
  server: string;
  token: Uint8Array;
  role: Role;
  encoding: string;
  time: number; // µs
  capabilities: string[];
  room: Room;
}

/** A person who is new or has changed; identity is null where only the rest has. */
export interface Change {
  id: number;
  identity: Identity | null;
  presenter: boolean;
  active: boolean;
}

/** Changes to the list of people with the sequence `since`; since 0: the whole list. */
export interface Presence {
  kind: 'presence';
  since: number;
  sequence: number;
  people: Change[];
  left: number[]; // ids
  /** Presenters who have left and may come back; null: as before, in a whole list nobody. */
  away: Identity[] | null;
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

/** The request with that tag was carried out. */
export interface Done {
  kind: 'done';
  type: number;
  tag: number | null;
}

export interface ServerError {
  kind: 'error';
  code: string;
  type: number | null; // of the message that it answers
  tag: number | null;
  field: string; // at fault; empty: the whole message
  name: string; // of the control or parameter in it, if any
  message: string;
  fatal: boolean;
  after: number; // s after which the same may be done; 0: time alone changes nothing
}

/** What happened at once, and is no state of the room. */
export interface RoomEvent {
  kind: 'event';
  tick: number;
  by: number; // the person's id; 0: nobody's who is here
  who: string; // the person's name
  name: string; // what was done
  what: string; // to which control or parameter, if any
  from: string; // the value before
  to: string; // and now
}

/** The server is about to close. */
export interface Goodbye {
  kind: 'goodbye';
  code: number; // of the close that follows
  after: number | null; // ms until one may come back; null: not said
}

/** Whether the room shows its past, and which moment of it. */
export interface Past {
  kind: 'past';
  shown: boolean;
  span: number; // s before the present of the earliest moment
  back: number; // and of the one shown
  speed: number; // times as fast as it was; below 0: backwards
  people?: Identity[]; // whose cursors may be in it; some have no names
}

/** How oneself is shown, where one is not in the list of people. */
export interface Self {
  name: string;
  presenter: boolean;
  active: boolean;
}

export type ServerMessage =
  | Welcome
  | { kind: 'room'; room: Room }
  | { kind: 'params'; values: number[] }
  | Presence
  | Snapshot
  | Packed
  | Stream
  | { kind: 'role'; role: Role }
  | { kind: 'pong'; t: number; time: number }
  | Done
  | ServerError
  | RoomEvent
  | { kind: 'key'; key: string }
  | Goodbye
  | Past
  | ({ kind: 'self' } & Self)
  | { kind: 'ignored'; type: number }
  | { kind: 'malformed'; why: string };

export interface Hello {
  room: string;
  name: string;
  token: Uint8Array | null;
  key: string; // empty: none
  join: string; // the room's join key; empty: none
  encodings: readonly string[]; // the best first
  rate: number; // snapshots per second wanted, 0: all
  boids: number; // in each wanted, 0: all
}

/** Options at their default are left out. */
export function encodeHello({ room, name, token, key, join, encodings, rate, boids }: Hello): Uint8Array<ArrayBuffer> {
  const options = {
    ...(token !== null && { token }),
    ...(key !== '' && { key }),
    ...(join !== '' && { join }),
    ...(encodings.join() !== 'plain' && { encodings }),
    ...(rate > 0 && { rate }),
    ...(boids > 0 && { boids }),
  };
  return pack([HELLO, VERSION, room, name, options]);
}

export const encodeCursor = (x: number, y: number): Uint8Array<ArrayBuffer> => pack([CURSOR, x, y]);
export const encodeAway = (): Uint8Array<ArrayBuffer> => pack([AWAY]);
export const encodePing = (t: number): Uint8Array<ArrayBuffer> => pack([PING, t]);

/** tag: comes back in the answer. */
export const encodeRequest = (message: Request, tag?: number): Uint8Array<ArrayBuffer> =>
  pack(tag === undefined ? [...message] : [...message, tag]);
