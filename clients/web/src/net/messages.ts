// The numbers, bounds and requests of flock.v1. Made from protocol/schema.mjs by `make protocol`: edit that.

export const HELLO = 1;
export const CURSOR = 2;
export const AWAY = 3;
export const PING = 4;
export const NAME = 5;
export const WANT = 6;
export const KEY = 7;
export const SET = 16;
export const PARAM = 17;
export const ADD = 18;
export const REMOVE = 19;
export const RESET = 20;
export const STEP = 21;
export const TITLE = 22;
export const EXPEL = 23;
export const APPOINT = 24;
export const REKEY = 25;
export const UNDO = 26;
export const RENAME = 27;
export const ATTENTION = 28;
export const SPOTLIGHT = 29;
export const DOOR = 44;
export const NAMING = 45;
export const BESIDE = 46;
export const PICK = 53;
export const UNPICK = 54;
export const SWEEP = 55;
export const UNSWEEP = 56;
export const REWIND = 32;
export const PLAY = 33;
export const LIVE = 34;
export const RESUME = 35;
export const SAVE = 36;
export const FORGET = 37;
export const TEAM = 38;
export const FOOD = 48;
export const HUNTER = 49;
export const WALL = 50;
export const ERASE = 51;
export const CLEAR = 52;
export const SKIP = 39;
export const WELCOME = 64;
export const ROOM = 65;
export const PARAMS = 66;
export const PRESENCE = 67;
export const SNAPSHOT = 68;
export const PACKED = 69;
export const STREAM = 70;
export const ROLE = 71;
export const PONG = 72;
export const DONE = 73;
export const ERROR = 74;
export const EVENT = 75;
export const NEW_KEY = 76;
export const GOODBYE = 77;
export const PAST = 78;
export const SELF = 79;
export const LEADS = 80;
export const MARKS = 81;
export const PENNED = 82;
export const CLUSTERS = 83;
export const REACH = 84;
export const THINGS = 86;
export const WHY = 88;
export const PUSHES = 90;
export const SWEPT = 89;

export const MESSAGE_MAX = 1_024; // bytes, from a client
export const STATE_MAX = 16_384; // bytes, from the server, snapshots aside
export const NAME_MAX = 64; // bytes of UTF-8, without the NUL
export const TITLE_MAX = 64; // bytes of a room's title
export const VALUE_MAX = 64; // bytes of a value: in an event, of a control, or a preset's name
export const ROOM_MAX = 32; // bytes of a room's code as people type it, or of a parameter's name
export const WORD_MAX = 16; // bytes of a model, boundary, policy, encoding, control or error code
export const TEXT_MAX = 160; // bytes of a sentence
export const KEY_MAX = 64; // bytes of a presenter key or a join key
export const TOKEN_SIZE = 16; // bytes
export const ENCODINGS_MAX = 8; // in a hello
export const PARAMS_MAX = 32; // of a model
export const PEOPLE_MAX = 128; // in a presence
export const AWAY_MAX = 16; // in a presence
export const CONTROLS_MAX = 16; // of a room
export const CAPABILITIES_MAX = 8; // in a welcome
export const CHOICES_MAX = 32; // of a control
export const WALLS_MAX = 64; // of a room
export const ADD_MAX = 10_000; // boids added by one message
export const RATE_MAX = 240; // ticks or snapshots a second
export const BOIDS_MAX = 1_000_000; // of a flock
export const BOID_SIZE = 4; // bytes of a boid in a plain snapshot
export const CURSOR_SIZE = 8; // bytes of a cursor in a snapshot
export const MEASURES = 7; // numbers in a snapshot
export const PERIOD_MAX = 16_384; // steps after which a torus comes around
export const TEAM_SHIFT = 2; // of the team in a person's flags
export const TEAMS_MAX = 4; // teams of a room
export const LEADERS_MAX = 128; // in a leads
export const TOPIC_LEADS = 1; // the number of the topic leads
export const TOPIC_MARKS = 2; // the number of the topic marks
export const TOPIC_PENNED = 4; // the number of the topic penned
export const TOPIC_CLUSTERS = 8; // the number of the topic clusters
export const TOPIC_THINGS = 16; // the number of the topic things
export const FOOD_MAX = 64; // pieces in a things
export const AMOUNT_MAX = 1_000_000; // units of food
export const HUNTERS_MAX = 16; // in a things
export const TOPIC_WHY = 32; // the number of the topic why: the boid that a person has picked
export const TOPIC_SHOWN = 64; // the number of the topic shown: the boid that a presenter shows
export const TOPIC_PUSHES = 128; // the number of the topic pushes: vectors of the rules of a parameter that changes
export const MARKS_MAX = 200; // in a marks
export const PICKS_MAX = 32; // people of a room who have picked a boid
export const PUSHES_MAX = 16; // vectors in a why
export const NEAR_MAX = 16; // neighbours in a why
export const SAMPLE_MAX = 24; // boids in a pushes
export const RULES_MAX = 4; // rules in a pushes
export const TOPIC_SWEPT = 256; // the number of the topic swept
export const SWEEP_STEPS_MAX = 64; // values of a sweep
export const SWEEP_MEASURES = 6; // measures of a sweep

// Bits of a person's flags.
export const FLAG_PRESENTER = 1;
export const FLAG_ACTIVE = 2;
export const FLAG_OWNER = 32;
export const FLAG_TEAM = 28;

export type Role = 'viewer' | 'presenter';

/** A message that the server answers with one `done` or `error`. */
export type Request = readonly [type: number, ...fields: (string | number | boolean)[]];

export const request = {
  name: (name: string): Request => [5, name],
  want: (rate: number, boids: number, topics?: number): Request => [6, rate, boids, ...(topics === undefined ? [] : [topics])],
  key: (key: string): Request => [7, key],
  set: (name: string, value: string): Request => [16, name, value],
  param: (name: string, value: number): Request => [17, name, value],
  add: (x: number, y: number, count: number): Request => [18, x, y, count],
  remove: (count: number): Request => [19, count],
  reset: (): Request => [20],
  step: (): Request => [21],
  title: (title: string): Request => [22, title],
  expel: (id: number): Request => [23, id],
  appoint: (id: number, role: Role): Request => [24, id, role],
  rekey: (): Request => [25],
  undo: (): Request => [26],
  rename: (id: number, name: string): Request => [27, id, name],
  attention: (on: boolean, text: string): Request => [28, on, text],
  spotlight: (id: number): Request => [29, id],
  door: (open: boolean): Request => [44, open],
  naming: (ask: boolean): Request => [45, ask],
  beside: (code: string): Request => [46, code],
  pick: (boid: number, shown: boolean): Request => [53, boid, shown],
  unpick: (): Request => [54],
  sweep: (name: string, from: number, to: number, steps: number, warm_up: number, seconds: number): Request => [55, name, from, to, steps, warm_up, seconds],
  unsweep: (): Request => [56],
  rewind: (back: number): Request => [32, back],
  play: (speed: number): Request => [33, speed],
  live: (): Request => [34],
  resume: (): Request => [35],
  save: (name: string): Request => [36, name],
  forget: (name: string): Request => [37, name],
  team: (team: number): Request => [38, team],
  food: (x: number, y: number, amount: number): Request => [48, x, y, amount],
  hunter: (x: number, y: number): Request => [49, x, y],
  wall: (x1: number, y1: number, x2: number, y2: number): Request => [50, x1, y1, x2, y2],
  erase: (x: number, y: number, within: number): Request => [51, x, y, within],
  clear: (): Request => [52],
  skip: (): Request => [39],
} as const;

// Messages that the server answers with no `done`.

/** The first message. Without an option: token null, key '', join '', encodings ["plain"], rate 0, boids 0, topics 0. */
export interface Hello {
  room: string;
  name: string;
  token: Uint8Array | null;
  key: string;
  join: string;
  encodings: readonly string[];
  rate: number;
  boids: number;
  topics: number;
}

/** Leaves out options that have their default. */
export const hello = ({ room, name, token, key, join, encodings, rate, boids, topics }: Hello) => [
  1,
  1,
  room,
  name,
  {
    ...(token !== null && { token }),
    ...(key !== '' && { key }),
    ...(join !== '' && { join }),
    ...(encodings.join() !== 'plain' && { encodings }),
    ...(rate > 0 && { rate }),
    ...(boids > 0 && { boids }),
    ...(topics > 0 && { topics }),
  },
];

export const cursor = (x: number, y: number) => [2, x, y];
export const away = () => [3];
export const ping = (t: number) => [4, t];
