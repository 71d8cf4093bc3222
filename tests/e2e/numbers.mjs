// The numbers of flock.v1. Made from protocol/schema.mjs by `make protocol`: edit that.
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

// Flags of a person in presence.
export const PRESENTER = 1;
export const ACTIVE = 2;
export const OWNER = 32;
export const teamOf = (/** @type {number} */ flags) => (flags & 28) >> 2;

// Numbers of topics.
export const TOPIC_LEADS = 1;
export const TOPIC_MARKS = 2;
export const TOPIC_WHY = 32;
export const TOPIC_SHOWN = 64;
export const TOPIC_PUSHES = 128;
export const TOPIC_SWEPT = 256;

// How many elements each request has without a tag and optional fields.
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
  [EXPEL, 2],
  [APPOINT, 3],
  [REKEY, 1],
  [UNDO, 1],
  [RENAME, 3],
  [ATTENTION, 3],
  [SPOTLIGHT, 2],
  [DOOR, 2],
  [NAMING, 2],
  [BESIDE, 2],
  [PICK, 3],
  [UNPICK, 1],
  [SWEEP, 7],
  [UNSWEEP, 1],
  [REWIND, 2],
  [PLAY, 2],
  [LIVE, 1],
  [RESUME, 1],
  [SAVE, 2],
  [FORGET, 2],
  [TEAM, 2],
  [FOOD, 4],
  [HUNTER, 3],
  [WALL, 5],
  [ERASE, 4],
  [CLEAR, 1],
  [SKIP, 1],
]);
