// flock.v1 (protocol/PROTOCOL.md): the values of messages, and the encoders of this client's messages. decode.ts decodes the server's.

import { type Hello, type Request, type Role, away, cursor, hello, ping } from './messages';
import { pack } from './pack';

export { BOIDS_MAX, BOID_SIZE, CURSOR_SIZE, HELLO, TOKEN_SIZE, type Request, type Role, request } from './messages';

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

/** A setting with a list of choices. */
export interface Control {
  name: string;
  value: string; // empty: no choice is in force
  choices: { value: string; text: string; saved: boolean }[]; // saved: by a presenter, in this room
  text: string;
}

/** A wall's two ends, world units. */
export type Wall = [number, number, number, number];

/** The look of boids. */
export interface RoomLook {
  shape: string; // an unknown shape is drawn as an arrow
  size: number; // world units: a circle's diameter, or the boid's length
}

export interface Room {
  code: string; // canonical
  title: string; // may be empty
  instance: number; // a new value means that the server's clock started again
  model: string;
  boundary: string;
  update: string; // the order in which boids move
  world: [number, number]; // world units
  quantum: number; // world units per step of a position
  period: [number, number] | null; // the torus' size, steps; null: no torus
  tickRate: number;
  snapshotRate: number;
  policy: string;
  idle: string;
  cursorTimeout: number; // s
  params: Param[];
  walls: Wall[];
  controls: Control[];
  look: RoomLook | null;
  click: number; // boids that a presenter's click adds
  ground: string; // behind the boids; empty or unknown: the page's own
  pen: Wall | null; // in which boids are counted: left, top, right, bottom
  peopleMax: number;
  boidsMax: number;
  undo: boolean; // there is something to undo
  attention: string | null; // a presenter's message to all, may be empty; null: no presenter asks for attention
  spotlight: number; // the id of the person whose cursor is marked; 0: none
  storeFailing: boolean; // the server cannot store changes
  door: string; // 'closed': no newcomers
  locked: boolean; // the room has a join key
  unnamed: boolean; // people may join without a name: the page does not ask
  beside: string; // the code of the second room on every screen; empty: none
  recording: boolean; // the room plays a recording, and has no present yet
}

/** A person's id, name and colour. */
export interface Identity {
  id: number;
  name: string;
  color: number; // 0xRRGGBB
}

export interface Flags {
  presenter: boolean;
  active: boolean; // its cursor moved within the cursor timeout
  owner: boolean; // a presenter who has shown the room's key
  team: number; // 0: none
}

export type Person = Identity & Flags;

/** The granted stream. */
export interface Granted {
  rate: number; // snapshots per second
  boids: number; // maximum in each snapshot; 0: all
  stride: number; // a snapshot has every stride-th boid
}

export interface Stream extends Granted {
  kind: 'stream';
  slow: boolean; // reduced because the connection is slow
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

/** A new or changed person. identity: null if only the flags have changed. */
export interface Change extends Flags {
  id: number;
  identity: Identity | null;
}

/** Changes to the list of people with the sequence `since`; since 0: the whole list. */
export interface Presence {
  kind: 'presence';
  since: number;
  sequence: number;
  people: Change[];
  left: number[]; // ids
  /** Presenters who have left and may come back; null: unchanged, or none in a whole list. */
  away: Person[] | null;
}

/** Measures of the whole flock. */
export interface Measures {
  polarization: number; // 0 to 1
  milling: number; // 0 to 1
  centroid: [number, number]; // world units
  radius: number; // of gyration, world units
  speed: number; // mean, world units per tick
  nearest: number; // mean distance to the nearest other, world units
}

/** boids and cursors are views into the message's bytes. */
export interface Sight {
  epoch: number;
  tick: number;
  time: number; // µs
  people: number;
  target: [number, number] | null; // world units
  boids: Uint8Array;
  cursors: Uint8Array;
  flock: number; // number of boids in the room
  measures: Measures | null;
}

/** boids: positions, BOID_SIZE bytes each. */
export interface Snapshot extends Sight {
  kind: 'snapshot';
}

/** boids: packed, for packed.ts. */
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
  type: number | null; // type of the refused message
  tag: number | null;
  field: string; // the wrong field; empty: the whole message
  name: string; // of the control or parameter in it, if any
  message: string;
  fatal: boolean;
  after: number; // s after which the request may succeed; 0: waiting does not help
}

/** An event in the room. */
export interface RoomEvent {
  kind: 'event';
  tick: number;
  by: number; // the person's id; 0: the person is not in the room
  who: string; // the person's name
  name: string; // the kind of event
  what: string; // the control or parameter, if any
  from: string; // the old value
  to: string; // the new value
}

/** The server is about to close. */
export interface Goodbye {
  kind: 'goodbye';
  code: number; // code of the close that follows
  after: number | null; // ms until the client should reconnect; null: unknown
}

/** Whether the room shows its past, and the moment that it shows. */
export interface Past {
  kind: 'past';
  shown: boolean;
  span: number; // s before the present of the earliest moment
  back: number; // s before the present of the shown moment
  speed: number; // 1: original speed; below 0: backwards
  people?: Person[]; // people whose cursors may be shown, with their teams of that moment; names may be empty
}

/** This person's own state, for a list of people without this person. */
export interface Self extends Flags {
  name: string;
}

/** A leader of boids: a person, or a team of the policy `teams`. */
export interface Leader {
  who: number; // the person's id, or the team, from 1
  x: number; // world units
  y: number;
  boids: number;
  people: number; // with active cursors
}

/** The turn of the policy `relay`. An id is 0 without such a person. */
export interface Turn {
  id: number;
  seconds: number; // left, rounded up
  next: number;
}

/** The topic leads. turn: null unless the policy is relay. */
export interface Leads {
  kind: 'leads';
  leaders: Leader[];
  turn: Turn | null;
}

/** A change of the past: an event, and how long before the end of the past it was, s. */
export interface Mark extends Omit<RoomEvent, 'kind' | 'tick'> {
  back: number;
}

/** The topic penned. seconds: until all boids were in the pen (done). */
export interface Penned {
  kind: 'penned';
  inside: number;
  boids: number;
  seconds: number;
  done: boolean;
}

/** there: whether the server can reach the server that has the room. */
export interface Reach {
  kind: 'reach';
  there: boolean;
}

/** The topic clusters. boids: that were looked at; fewer than the flock has: a sample. */
export interface Clusters {
  kind: 'clusters';
  count: number;
  boids: number;
}

/** The topic things: food with the units that are left, and hunters. */
export interface Things {
  kind: 'things';
  food: { x: number; y: number; amount: number }[]; // world units
  hunters: { x: number; y: number }[];
}

/** The samples at one value of a sweep. The means of the measures, and their standard errors: polarization, milling, radius, speed,
 * nearest, clusters. */
export interface SweptPoint {
  value: number;
  samples: number;
  means: number[];
  errors: number[];
}

/** The topic swept: the newest sweep of the room. state: none, running, done, or why it ended. */
export interface Swept {
  kind: 'swept';
  state: string;
  by: number;
  who: string;
  name: string; // of the parameter
  from: number;
  to: number;
  steps: number;
  warmUp: number; // s
  seconds: number;
  points: SweptPoint[];
}

/** A rule's vector, units a tick. */
export interface Push {
  name: string;
  x: number;
  y: number;
}

/** A neighbour, and its displacement from the boid, world units. */
export interface Near {
  number: number;
  x: number;
  y: number;
  close: boolean; // too close
}

/** Where a boid is and how it moves, in world units and units a tick; nextX, nextY: its velocity after the tick. */
export interface Motion {
  x: number;
  y: number;
  vx: number;
  vy: number;
  nextX: number;
  nextY: number;
}

/** Radii in world units and full angles in degrees. */
export interface Zones {
  view: number;
  viewAngle: number;
  close: number;
  closeAngle: number;
}

/** Why a boid turns in the tick after `tick`. */
export interface Why {
  kind: 'why';
  boid: number | null; // null: no presenter shows one
  shown: boolean; // by the presenter of the id `by`; false: this person's pick
  by: number;
  tick: number;
  motion: Motion | null; // null: the flock has no such boid
  zones: Zones;
  pushes: Push[]; // they add up to the change of velocity
  near: Near[]; // the nearest first
  seen: number; // neighbours
  crowding: number; // neighbours that are too close
}

/** The rules of a changing parameter push a sample of boids. */
export interface Pushes {
  kind: 'pushes';
  rules: string[]; // their names; none: no such parameter changes
  tick: number;
  boids: { number: number; x: number; y: number; pushes: { x: number; y: number }[] }[]; // world units; units a tick for each rule
}

/** The topic marks, in ascending order of time. */
export interface Marks {
  kind: 'marks';
  marks: Mark[];
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
  | Leads
  | Penned
  | Clusters
  | Reach
  | Things
  | Why
  | Pushes
  | Marks
  | Swept
  | { kind: 'ignored'; type: number }
  | { kind: 'malformed'; why: string };

export const encodeHello = (message: Hello): Uint8Array<ArrayBuffer> => pack(hello(message));
export const encodeCursor = (x: number, y: number): Uint8Array<ArrayBuffer> => pack(cursor(x, y));
export const encodeAway = (): Uint8Array<ArrayBuffer> => pack(away());
export const encodePing = (t: number): Uint8Array<ArrayBuffer> => pack(ping(t));

/** tag: repeated in the answer. */
export const encodeRequest = (message: Request, tag?: number): Uint8Array<ArrayBuffer> =>
  pack(tag === undefined ? [...message] : [...message, tag]);
