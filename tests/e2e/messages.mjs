// The messages of flock.v1 as protocol/PROTOCOL.md lists them: their numbers, and what a snapshot's bytes say.
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
export const SPOTLIGHT = 29;
export const REWIND = 32;
export const PLAY = 33;
export const LIVE = 34;
export const RESUME = 35;
export const SAVE = 36;
export const FORGET = 37;

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

// Flags of a person in presence.
export const PRESENTER = 1;
export const ACTIVE = 2;

// How many elements these have without a tag. Each is answered by one `done` or `error`.
export const ANSWERED = new Map([
  [NAME, 2],
  [WANT, 3],
  [KEY, 2],
  [SET, 3],
  [PARAM, 3],
  [ADD, 4],
  [REMOVE, 2],
  [RESET, 1],
  [STEP, 1],
  [TITLE, 2],
  [SPOTLIGHT, 2],
  [EXPEL, 2],
  [APPOINT, 3],
  [REKEY, 1],
  [REWIND, 2],
  [PLAY, 2],
  [LIVE, 1],
  [RESUME, 1],
  [SAVE, 2],
  [FORGET, 2],
]);

// A hello. Its options (token, key, encodings, rate, boids) are sent as they are given, and not at all when they are not.
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
