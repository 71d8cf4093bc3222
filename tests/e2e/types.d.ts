// Types of the tests' helpers: messages of flock.v1 (protocol/PROTOCOL.md), clients and programs.
import type { TestContext } from 'node:test';
import type WebSocket from 'ws';
import type { ClientOptions } from 'ws';
import type { Socket } from 'node:net';

export type Test = TestContext;
export type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;
export type Point = [x: number, y: number];

/** A message to send: its type, then its fields. Tests also send wrong fields. */
export type Message = readonly [type: number, ...fields: any[]];

export type Control = [name: string, value: string, choices: [word: string, text: string, saved?: true][], text: string];
export type Param = [name: string, unit: string, min: number, max: number, initial: number, value: number, text: string];

export interface Room {
  code: string;
  title: string;
  instance: number;
  model: string;
  boundary: string;
  update: string;
  walls?: [x0: number, y0: number, x1: number, y1: number][];
  world: Point;
  period?: Point;
  quantum: number;
  tick_rate: number;
  snapshot_rate: number;
  policy: string;
  idle: string;
  cursor_timeout: number;
  params: Param[];
  people_max: number;
  boids_max: number;
  controls: Control[];
  look?: [shape: string, size: number];
  pen?: [number, number, number, number];
  door?: string;
  attention?: string;
  spotlight?: number;
  store_failing?: boolean;
  undo?: boolean;
  unnamed?: boolean;
  beside?: string;
  recording?: boolean;
}

export interface Welcome {
  version: number;
  server: string;
  id: number;
  token: Uint8Array;
  name: string;
  color: number;
  encoding: string;
  rate: number;
  boids: number;
  stride: number;
  time: number;
  capabilities: string[];
  room: Room;
  role?: string;
}

/** Packed snapshots also have `sequence`, `key` and `headings`. */
export interface Snapshot {
  epoch: number;
  tick: number;
  time: number;
  people: number;
  target: Point | null;
  boids: Point[];
  cursors: Map<number, Point>;
  flock: number;
  measures: number[];
  sequence: number;
  key: boolean;
  headings: number[];
}

export type SnapshotMessage = readonly [
  type: number,
  epoch: number,
  tick: number,
  time: number,
  people: number,
  targetX: number | null,
  targetY: number | null,
  boids: Uint8Array,
  cursors: Uint8Array,
  flock: number,
  measures: number[],
];

export interface Unpacked {
  key: boolean;
  sequence: number;
  steps: Point[];
  headings: number[] | null;
}

export interface Person {
  name: string;
  color: number;
  flags: number;
}

export interface Answer {
  code: string;
  type: number;
  tag: number | null;
  field: string;
  name: string;
  message: string;
  fatal: boolean;
}

export interface Hello {
  version?: number;
  room?: string;
  name?: string;
  token?: Uint8Array;
  key?: string;
  join?: string;
  encodings?: string[];
  rate?: number;
  boids?: number;
  topics?: number;
}

export interface FlockEvent {
  tick: number;
  by: number;
  who: string;
  name: string;
  what: string;
  from: string;
  to: string;
}

/** A field of a message exists after that message came; `welcome` and `snapshot` exist after join(). */
export interface Client {
  socket: WebSocket;
  messages: Message[];
  people: Map<number, Person>;
  events: FlockEvent[];
  pings: number;
  lost: number;
  closed: { code: number; reason: string } | null;
  id: number;
  role: string;
  welcome: Welcome;
  room: Room;
  stream: { rate: number; boids: number; stride: number; slow: boolean };
  key: string;
  goodbye: { code: number; after: number };
  past: { shown: boolean; span: number; back: number; speed: number; people: [number, string, number][] };
  self: { name: string; flags: number };
  clusters: { count: number; boids: number };
  whys: { own?: Why; shown?: Why };
  things: { food: [number, number, number][]; hunters: Point[] };
  swept: Swept;
  there: boolean;
  penned: { inside: number; boids: number; seconds: number; done: boolean };
  leads: Leads;
  marks: [number, number, string, string, string, string, string][];
  snapshot: Snapshot;
  promises: Promises;
  onSnapshot(snapshot: Snapshot): void;
  unpack(bin: Uint8Array): Unpacked | null;
  show(message: SnapshotMessage, boids: { steps: Point[]; key?: boolean; sequence?: number; headings?: number[] | null }): void;
  send(message: Message): void;
  sendBytes(bytes: Uint8Array | number[]): void;
  until<T>(what: string, probe: (client: Client) => T): Promise<Truthy<Awaited<T>>>;
  next(type: number, what?: string): Promise<Message>;
  untilClosed(): Promise<{ code: number; reason: string }>;
  ask(message: Message): Promise<Answer | null>;
}

/** Motion: x, y, vx, vy and the next velocity. A push: its name, x, y. A neighbour: number, x, y, whether it is too close. */
export interface Why {
  boid: number | null;
  by: number;
  tick: number;
  motion: [number, number, number, number, number, number] | null;
  zones: [number, number, number, number];
  pushes: [string, number, number][];
  near: [number, number, number, boolean][];
  seen: number;
  crowding: number;
}

/** A point: the value, samples, means and standard errors. */
export interface Swept {
  state: string;
  by: number;
  who: string;
  name: string;
  from: number;
  to: number;
  steps: number;
  warmUp: number;
  seconds: number;
  points: [number, number, number[], number[]][];
}

/** Each leader: who, x, y, boids, people. The turn: id, seconds, next. */
export interface Leads {
  leaders: [number, number, number, number, number][];
  turn: [number, number, number] | null;
}

export type ClientSettings = ClientOptions;

/** A person's name, colour and flags, or the flags alone if they have changed. */
export type PersonMessage = [id: number, name: string, color: number, flags: number] | [id: number, flags: number];

/** The server's messages by type. */
export interface Said {
  64: [type: number, welcome: Welcome];
  65: [type: number, room: Room];
  66: [type: number, values: number[]];
  67: [type: number, since: number, sequence: number, people: PersonMessage[], left: number[]];
  68: SnapshotMessage;
  69: SnapshotMessage;
  70: [type: number, rate: number, boids: number, stride: number, slow: boolean];
  71: [type: number, role: string];
  72: [type: number, token: number, time: number];
  73: [type: number, of: number, tag: number | null];
  74: [type: number, code: string, of: number, tag: number | null, field: string, name: string, message: string, fatal: boolean];
  75: [type: number, tick: number, by: number, who: string, name: string, what: string, from: string, to: string];
  76: [type: number, key: string];
  77: [type: number, code: number, after: number];
  78: [type: number, shown: boolean, span: number, back: number, speed: number, people?: [number, string, number][]];
  79: [type: number, name: string, flags: number];
  80: [type: number, leaders: Leads['leaders'], turn: Leads['turn']];
  82: [type: number, inside: number, boids: number, seconds: number, done: boolean];
  86: [type: number, food: Client['things']['food'], hunters: Client['things']['hunters']];
  83: [type: number, count: number, boids: number];
  88: [
    type: number,
    boid: number | null,
    shown: boolean,
    by: number,
    tick: number,
    motion: Why['motion'],
    zones: Why['zones'],
    pushes: Why['pushes'],
    near: Why['near'],
    seen: number,
    crowding: number,
  ];
  89: [
    type: number,
    state: string,
    by: number,
    who: string,
    name: string,
    from: number,
    to: number,
    steps: number,
    warmUp: number,
    seconds: number,
    points: Swept['points'],
  ];
  84: [type: number, there: boolean];
  81: [type: number, marks: Client['marks']];
}

export interface Promises {
  broken: string[];
  waiting: { type: number; tag: number | null }[];
  sent(message: Message): void;
  received(message: Message, known: Map<number, Person>): void;
  snapshot(snapshot: Snapshot, steps: Point[], room: Room): void;
}

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A created room. Tests may add fields. */
export interface Made {
  code: string;
  address: string;
  path: string;
  key: string;
  [more: string]: any;
}

/** A program that runs or has ended. */
export interface Program {
  pid: number;
  stdout: string;
  stderr: string;
  running: boolean;
  ended: Promise<Ending>;
  kill(signal: NodeJS.Signals): boolean;
}

export interface Server extends Program {
  url: string;
  ws: string;
  port: number;
  stop(signal?: NodeJS.Signals): Promise<Ending>;
}

export interface LaunchOptions {
  env?: NodeJS.ProcessEnv;
  command?: string[];
}

/** Options of a terminal and of flock-term in it. */
export interface OpenOptions {
  args?: string[];
  server?: string[];
  prefix?: string;
  port?: number;
  fields?: { title: string; boids: number };
  columns?: number;
  rows?: number;
  term?: string;
  locale?: string;
}

/** A tmux window; see terminal.mjs. */
export interface Terminal {
  columns: number;
  rows: number;
  screen(): Promise<string[]>;
  text(): Promise<string>;
  styled(): Promise<string>;
  type(text: string): Promise<string>;
  paste(words: string): Promise<void>;
  key(...names: string[]): Promise<string>;
  property(format: string): Promise<string>;
  pipe(file: string): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  mouse(column: number, row: number): Promise<string>;
  press(column: number, row: number): Promise<string>;
  drag(column: number, row: number): Promise<string>;
  release(column: number, row: number): Promise<string>;
  click(column: number, row: number): Promise<void>;
  button(button: number, column: number, row: number, released?: boolean): Promise<string>;
  oldButton(button: number, column: number, row: number, released?: boolean): Promise<string>;
  wheel(column: number, row: number, lines: number): Promise<string>;
  until<T>(what: string, probe: (lines: string[]) => T): Promise<Truthy<Awaited<T>>>;
  command(line: string): Promise<string[]>;
  start(...args: string[]): Promise<void>;
  modes(): Promise<string>;
  program(): Promise<number>;
}

/** A simulated server; see terminal-fake.mjs. */
export interface Fake {
  ws: string;
  heard: Message[];
  hello: Message | null;
  time(): number;
  send(message: Message): void;
  close(code: number, reason: string): void;
}

export interface ListedPerson {
  id: number;
  name: string;
  color: number;
  presenter: boolean;
  active: boolean;
}

/** The page's state; see clients/web/src/app/hook.ts. */
export interface PageState {
  status: string;
  reason: string;
  id: number | null;
  name: string;
  role: string;
  room: string;
  title: string;
  steers: boolean;
  listed: ListedPerson[];
  boids: number;
  flock: number;
  people: number;
  model: string;
  tick: number | null;
  latencyMs: number | null;
  delayMs: number | null;
  renderer: string;
  look: string;
  coloring: string;
  level: string;
  fps: number;
  frameMs: number;
  encoding: string;
  rate: number;
  limit: number;
  stride: number;
  slow: boolean;
  keyframes: number;
  lost: number;
  malformed: number;
  centroid: Point | null;
  mark: Point | null;
  measures: { polarization: number; milling: number; centroid: Point; radius: number; speed: number; nearest: number } | null;
  target: Point | null;
  cursors: { id: number; name: string; color: number; x: number; y: number }[];
  view: string;
  arrows: string[];
  world: Point | null;
  controls: Record<string, string>;
  params: Record<string, number>;
}

export interface PageHook {
  state?(): PageState;
  boids(): ({ x: number; y: number; heading: number | null } | null)[];
  toScreen(x: number, y: number): Point;
  toWorld(px: number, py: number): Point;
}

declare global {
  interface Window {
    flock: PageHook;
    axe: { run(options: object): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary: string }[] }[] }> };
    // Set by tests.
    bench: any;
    hacked?: boolean;
    edges: Uint8Array;
    said: Record<string, string[]>;
    cover(is: boolean): void;
  }
  // A test knows the kind of the element with an id. If it is wrong, the test fails.
  interface Document {
    readonly activeElement: any;
    getElementById(id: string): any;
    querySelector(selectors: string): any;
    querySelectorAll(selectors: string): NodeListOf<any>;
  }
}

export interface Frame {
  opcode: number;
  fin: boolean;
  rsv: number;
  masked: boolean;
  payload: Buffer;
}

/** An attacker's socket; see tests/attack/raw.mjs. */
export interface Attacker extends Socket {
  seen: Buffer;
  first?: Buffer;
  taken: number;
  gone: boolean;
  halved?: boolean;
  ended: Promise<unknown>;
  reset(): void;
}

/** A WebSocket by hand; see raw-websocket.mjs. */
export interface Raw {
  socket: import('node:net').Socket;
  frames: Frame[];
  ended: boolean;
  head: string | null;
  send(...frames: Uint8Array[]): void;
  sendBytewise(data: Uint8Array): Promise<void>;
  until<T>(what: string, probe: (raw: Raw) => T): Promise<Truthy<Awaited<T>>>;
  next(opcode: number, from?: number): Promise<Frame>;
  untilEnded(): Promise<{ code: number | null; reason: string }>;
  hello(): Promise<void>;
}
