// The messages of flock.v1: the one table of their numbers, fields, bounds and traits. From it `make protocol` (generate.mjs)
// makes the C tables (messages.h, fields.h), the page's twin (clients/web/src/net/messages.ts), the tests' numbers
// (tests/e2e/numbers.mjs) and the tables of PROTOCOL.md.
//
// A new message of clients is one row here, a function of its handler and a line in vectors/vectors.json.

/** Bounds, named so that C, the page and the tables share them: PROTO_<name> in C.
 * @type {Record<string, [number, string]>} */
export const limits = {
  MESSAGE_MAX: [1024, 'bytes, from a client'],
  STATE_MAX: [16384, 'bytes, from the server, snapshots aside'],
  NAME_MAX: [64, 'bytes of UTF-8, without the NUL'],
  TITLE_MAX: [64, 'bytes of a room\'s title'],
  VALUE_MAX: [64, 'bytes of a value: in an event, of a control, or a preset\'s name'],
  ROOM_MAX: [32, 'bytes of a room\'s code as people type it, or of a parameter\'s name'],
  WORD_MAX: [16, 'bytes of a model, boundary, policy, encoding, control or error code'],
  TEXT_MAX: [160, 'bytes of a sentence'],
  KEY_MAX: [64, 'bytes of a presenter key or a join key'],
  TOKEN_SIZE: [16, 'bytes'],
  ENCODINGS_MAX: [8, 'in a hello'],
  PARAMS_MAX: [32, 'of a model'],
  PEOPLE_MAX: [128, 'in a presence'],
  AWAY_MAX: [16, 'in a presence'],
  CONTROLS_MAX: [16, 'of a room'],
  CAPABILITIES_MAX: [8, 'in a welcome'],
  CHOICES_MAX: [32, 'of a control'],
  WALLS_MAX: [64, 'of a room'],
  ADD_MAX: [10000, 'boids added by one message'],
  RATE_MAX: [240, 'ticks or snapshots a second'],
  BOIDS_MAX: [1000000, 'of a flock'],
  BOID_SIZE: [4, 'bytes of a boid in a plain snapshot'],
  CURSOR_SIZE: [8, 'bytes of a cursor in a snapshot'],
  MEASURES: [7, 'numbers in a snapshot'],
  PERIOD_MAX: [16384, 'steps after which a torus comes around'],
  FLAG_PRESENTER: [1, 'of a person'],
  FLAG_ACTIVE: [2, 'of a person: the cursor moved within the room\'s cursor timeout'],
  FLAG_OWNER: [32, 'of a presenter who has shown the room\'s key'],
  FLAG_TEAM: [28, 'of a person: three bits, the team times 4; 0: no team'],
  TEAM_SHIFT: [2, 'of the team in a person\'s flags'],
  TEAMS_MAX: [4, 'teams of a room'],
  LEADERS_MAX: [128, 'in a leads'],
  TOPIC_LEADS: [1, 'the number of the topic leads'],
  TOPIC_MARKS: [2, 'the number of the topic marks'],
  TOPIC_PENNED: [4, 'the number of the topic penned'],
  TOPIC_CLUSTERS: [8, 'the number of the topic clusters'],
  TOPIC_THINGS: [16, 'the number of the topic things'],
  FOOD_MAX: [64, 'pieces in a things'],
  AMOUNT_MAX: [1000000, 'units of food'],
  HUNTERS_MAX: [16, 'in a things'],
  TOPIC_WHY: [32, 'the number of the topic why: the boid that a person has picked'],
  TOPIC_SHOWN: [64, 'the number of the topic shown: the boid that a presenter shows'],
  TOPIC_PUSHES: [128, 'the number of the topic pushes: vectors of the rules of a parameter that changes'],
  MARKS_MAX: [200, 'in a marks'],
  PICKS_MAX: [32, 'people of a room who have picked a boid'],
  PUSHES_MAX: [16, 'vectors in a why'],
  NEAR_MAX: [16, 'neighbours in a why'],
  SAMPLE_MAX: [24, 'boids in a pushes'],
  RULES_MAX: [4, 'rules in a pushes'],
  TOPIC_SWEPT: [256, 'the number of the topic swept'],
  SWEEP_STEPS_MAX: [64, 'values of a sweep'],
  SWEEP_MEASURES: [6, 'measures of a sweep'],
};

/** The senders of messages, and their constants in C. */
export const senders = {
  anyone: ['PROTO_STRANGER', 'a connection before its hello'],
  member: ['PROTO_MEMBER', 'anyone in a room'],
  presenter: ['PROTO_DIRECTOR', 'presenters only'],
  drawer: ['PROTO_DRAWER', 'presenters, and viewers while the control `drawing` is `all`'],
};

/** The traits of a client's message: constant in C, its comment, and words for PROTOCOL.md. */
export const traits = {
  flock: ['PROTO_CHANGES_FLOCK', 'changes the flock, its controls or presets; refused in the past', 'not in the past'],
  history: ['PROTO_IN_HISTORY', 'the history repeats it, or starts a new part after it'],
  repeatable: ['PROTO_REPEATABLE', 'its effect follows from the message and the checkpoint before it'],
  undoable: ['PROTO_UNDOABLE', 'a presenter can undo it (not every control of `set`)', 'undo'],
  announced: ['PROTO_ANNOUNCED', 'all members get an event', 'event'],
  noted: ['PROTO_NOTED', 'the audit log has it'],
  series: ['PROTO_SERIES', 'several in a row are one change, such as the drag of a slider'],
  moves: ['PROTO_MOVES', 'moves boids or takes them away, so undo keeps them (`set`: the control says it)'],
  counted: ['PROTO_COUNTED', 'its values are numbers of boids'],
  apart: ['PROTO_APART', 'each one is an event of its own, also in quick succession'],
  marked: ['PROTO_MARKED', 'the timeline of the past has a mark of it'],
  bare: ['PROTO_BARE', 'its event has no values'],
};

/** The handlers of clients' messages, each with its file. A row without a `handler` belongs to the room. */
export const handlers = {
  session: 'server/net/session/session_receive.c',
  room: 'server/room/messages*.c',
  scene: 'server/scene/apply.c',
};

/** Codes of errors, in the order of enum proto_code. */
export const codes = {
  malformed: 'not a MessagePack array of the expected form',
  type: 'not a message that clients send',
  range: 'a value outside its range',
  state: 'not at this time. Examples: nothing to undo, a second hello, a message before hello, a step while the flock runs, a second name within 3 seconds',
  version: 'a version other than 1',
  encoding: 'the server has none of the encodings',
  room: 'no room has that code',
  full: 'the room or the server has no free slot, or no memory, or ticks would cost more than the server allows',
  flood: 'too many messages or changes ([limits](#limits)), or too many [wrong keys](#wrong-keys) from this address',
  role: 'only a presenter may do this',
  key: 'not the room\'s key',
  removed: 'a presenter has removed this person',
  join: 'the room has a join key, and the hello\'s is missing, wrong, or not compared after too many [wrong keys](#wrong-keys). Not fatal: the hello\'s keys wait for their turn',
  door: 'the room\'s [door](#44-door) is closed to newcomers',
};

/** Codes with which a server closes a connection. Those without a name are WebSocket's own. */
export const closes = [
  [3000, 'SHUTDOWN', 'the server is shutting down; come back'],
  [3001, 'FULL', 'the room or the server is full, or has reached its bandwidth limit; come back'],
  [3002, 'STALLED', 'the client read nothing for too long, or answered no WebSocket ping'],
  [3500, 'PROTOCOL', 'the client broke the protocol; the error before it says how'],
  [3501, 'VERSION', 'version or encoding not supported'],
  [3502, 'ROOM', 'no such room'],
  [3503, 'FLOOD', 'too many messages, or too many bytes besides messages'],
  [3504, 'REPLACED', 'the same person connected from elsewhere: the token was used again'],
  [3505, 'NO_HELLO', 'no hello in time'],
  [3506, 'ENDED', 'the room has ended'],
  [3507, 'REMOVED', 'a presenter removed this person'],
  [3508, 'KEYS', 'too many wrong keys'],
  [3509, 'JOIN', 'the room needs its join key: ask the person for it'],
  [3510, 'DOOR', 'a presenter has closed the room\'s [door](#44-door) to newcomers'],
  [1002, null, 'a frame or a close that RFC 6455 does not allow'],
  [1003, null, 'a text frame'],
  [1007, null, 'a close whose reason is not UTF-8'],
  [1009, null, 'a message longer than 1,024 bytes'],
];

// ---- kinds of fields: enum field_kind in form.h ----

const UINT32 = 2 ** 32 - 1;
const UINT64 = 2n ** 64n - 1n;
export const SAFE = 2 ** 53 - 1; // the largest integer up to which JavaScript's numbers are exact

const uint = (name, min, max, text, more) => ({ name, kind: 'UINT32', min, max, text, ...more });
const uint64 = (name, text, more) => ({ name, kind: 'UINT64', min: 0, max: UINT64, text, ...more });
const uintOrNil = (name, text, more) => ({ name, kind: 'UINT32_NIL', min: 0, max: UINT32, text, ...more });
const typeOrNil = (name, text) => ({ name, kind: 'TYPE', text });
const number = (name, text, more) => ({ name, kind: 'NUMBER', text, ...more });
const positive = (name, text, more) => ({ name, kind: 'POSITIVE', text, ...more });
const bool = (name, text, more) => ({ name, kind: 'BOOL', text, ...more });
const word = (name, min, max, text) => ({ name, kind: 'WORD', min, max, text });
const identifier = (name, min, max, text) => ({ name, kind: 'IDENTIFIER', min, max, text });
const line = (name, min, max, text) => ({ name, kind: 'LINE', min, max, text });
const str = (name, max, text) => ({ name, kind: 'TEXT', min: 0, max, text });
const role = (name, text, more) => ({ name, kind: 'ROLE', text, ...more });
const code = (name, text) => ({ name, kind: 'CODE', text });
/** A field whose struct, encoder and decoder are written by hand. */
const other = (name, type, range, text, more) => ({ name, kind: null, type, range, text, ...more });
/** @param {string} limit */
const upTo = (limit) => `up to ${limits[limit][0]}`;

/** How the page reads a value where that does not follow from the kind: a reader, which is the name of a function in
 * clients/web/src/net/read.ts and its arguments; or an object with the reader as `read`, the name on the page as `as` (false: the
 * page drops the value; '...': it has several), another field that belongs to it as `second`, and the value for a missing or nil one
 * as `missing` or `nil`. Bounds are wider than a server's, so that a page understands later servers. */
const reads = (page) => ({ page });
const RATE = ['number', 0.001, 1000]; // Hz
const ID = ['uint', 0, UINT32];
const SAFE_UINT = ['uint'];

const PARAM = { name: ['text'], unit: ['text'], min: ['number'], max: ['number'], initial: ['number'], value: ['number'], text: ['text'] };
const CONTROL = { name: ['text'], value: ['text'], choices: ['list', ['record', { value: ['text'], text: ['text'], saved: ['isTrue'] }]], text: ['text'] };

const COUNT = ['uint', 0, UINT32];
const LEADER = { who: ID, x: ['number'], y: ['number'], boids: COUNT, people: COUNT };
const TURN = { id: ID, seconds: COUNT, next: ID };
const POINT = { x: ['number'], y: ['number'] };
const FOOD = { ...POINT, amount: COUNT };
const MARK = { back: ['number'], by: ID, who: ['text'], name: ['text'], what: ['text'], from: ['text'], to: ['text'] };
const PUSH = { name: ['text'], x: ['number'], y: ['number'] };
const NEAR = { number: COUNT, x: ['number'], y: ['number'], close: ['bool'] };
const PUSHED = { number: COUNT, ...POINT, pushes: ['list', ['record', POINT]] };
const MOTION = { x: ['number'], y: ['number'], vx: ['number'], vy: ['number'], nextX: ['number'], nextY: ['number'] };
const SWEPT_POINT = { value: ['number'], samples: COUNT, means: ['list', ['number']], errors: ['list', ['number']] };
const ZONES = { view: ['number'], viewAngle: ['number'], close: ['number'], closeAngle: ['number'] };

const optional = { optional: true };
const id = (text) => uint('id', 1, UINT32, text);
const presetName = (text) => line('name', 1, 'VALUE_MAX', text);

// ---- messages ----

/** Every field of a message, in its order. A `map` is a message whose single element is a map with these keys. */
export const messages = [
  {
    number: 1,
    name: 'hello',
    who: 'anyone',
    handler: 'session',
    about: 'the first message, once',
    answer: 'welcome',
    custom: true,
    fields: [
      other('version', 'uint', '1', 'the protocol version'),
      other('room', 'str', '1–32 letters, digits, spaces and hyphens', 'the code of the room, such as `lobby` or `fk7-2mx`. Case, spaces and hyphens do not count. If no room has the code: error `room`, close 3502'),
      other('name', 'line', '0–64 bytes', 'the name that others see. With an empty or invisible name, or a second name within [3 seconds](#names), the person keeps the name of its token. Without a token the server picks a name. It also picks one for a viewer with [a presenter\'s name](#names)'),
      other('options', 'map', '', 'the table below; the server ignores unknown keys'),
    ],
    options: [
      other('token', 'bin or nil', '16 bytes', 'the token of an earlier [welcome](#64-welcome): makes this connection [the same person](#people). An unknown token counts as nil', { missing: 'nil' }),
      other('key', 'word', '1–64 bytes', 'the room\'s presenter key. With a wrong one you join as a viewer, and the error `key` or [`flood`](#wrong-keys) follows the welcome', { missing: 'none' }),
      other('join', 'word', '1–64 bytes', 'the room\'s [join key](#join-keys)', { missing: 'none' }),
      other('encodings', 'array of words', '1–8 words of 1–16 bytes', 'the [snapshot](#68-snapshot) encodings that the client reads, best first. The server takes the first that it has. If it has none: error `encoding`, close 3501. Every server has `plain`; flockd also has [`packed`](#packed-boids)', { missing: '`["plain"]`' }),
      other('rate', 'uint', '0–240', 'the most snapshots a second that the client wants; 0: no limit', { missing: '0' }),
      other('boids', 'uint', '0–1,000,000', 'the most boids that the client wants in a snapshot; 0: no limit', { missing: '0' }),
      other('topics', 'uint', '', 'the sum of the numbers of the [topics](#topics) that the client subscribes to. The server ignores unknown numbers', { missing: '0' }),
    ],
  },
  {
    number: 2,
    name: 'cursor',
    who: 'member',
    about: 'this person\'s cursor is here',
    fields: [number('x', 'within the range of [positions](#positions)', { unit: 'world units' }), number('y', 'within the range of [positions](#positions)', { unit: 'world units' })],
  },
  { number: 3, name: 'away', who: 'member', about: 'the cursor has left', fields: [] },
  {
    number: 4,
    name: 'ping',
    who: 'member',
    handler: 'session',
    about: 'asks for the server\'s clock',
    answer: 'pong',
    fields: [uint64('t', 'a number of your choice; the pong repeats it')],
  },
  { number: 5, name: 'name', who: 'member', about: 'a new name for this person', answered: true, fields: [line('name', 1, 'NAME_MAX', 'the new name')] },
  {
    number: 6,
    name: 'want',
    who: 'member',
    about: 'fewer snapshots or boids, or more again; topics',
    answered: true,
    answer: 'stream',
    fields: [
      uint('rate', 0, 'RATE_MAX', 'the most snapshots a second; 0: no limit'),
      uint('boids', 0, 'BOIDS_MAX', 'the most boids in a snapshot; 0: no limit'),
      uintOrNil('topics', 'the sum of the numbers of the [topics](#topics) that the client subscribes to. The server ignores unknown numbers. Nil or missing: the subscription stays. Only a want with a tag may have this field', optional),
    ],
  },
  { number: 7, name: 'key', who: 'member', about: 'asks for the presenter\'s role', answered: true, answer: 'role', traits: 'noted', fields: [word('key', 1, 'KEY_MAX', 'the room\'s presenter key')] },
  {
    number: 16,
    name: 'set',
    who: 'presenter',
    handler: 'scene',
    about: 'chooses a value of a control',
    answered: true,
    traits: 'flock history repeatable undoable announced noted marked',
    fields: [word('name', 1, 'WORD_MAX', 'the [control](#controls)'), line('value', 1, 'VALUE_MAX', 'a choice of that control')],
  },
  {
    number: 17,
    name: 'param',
    who: 'presenter',
    handler: 'scene',
    about: 'sets a parameter of the model',
    answered: true,
    traits: 'flock history repeatable undoable announced noted series marked',
    fields: [identifier('name', 1, 'ROOM_MAX', 'a parameter of the room\'s schema'), number('value', 'the new value, within the parameter\'s range')],
  },
  {
    number: 18,
    name: 'add',
    who: 'presenter',
    handler: 'scene',
    about: 'adds boids at a point',
    answered: true,
    traits: 'flock history repeatable undoable announced noted series counted marked',
    fields: [
      number('x', 'within the range of [positions](#positions)', { unit: 'world units' }),
      number('y', 'within the range of [positions](#positions)', { unit: 'world units' }),
      uint('count', 1, 'ADD_MAX', 'boids to add'),
    ],
  },
  {
    number: 19,
    name: 'remove',
    who: 'presenter',
    handler: 'scene',
    about: 'removes the boids added last',
    answered: true,
    traits: 'flock history repeatable undoable announced noted series moves counted marked',
    fields: [uint('count', 1, 'BOIDS_MAX', 'boids to remove; one boid always stays')],
  },
  { number: 20, name: 'reset', who: 'presenter', handler: 'scene', about: 'starts the flock again', answered: true, traits: 'flock history repeatable undoable announced noted moves counted marked bare', fields: [] },
  { number: 21, name: 'step', who: 'presenter', handler: 'scene', about: 'one tick of a paused flock', answered: true, traits: 'flock history repeatable noted', fields: [] },
  { number: 22, name: 'title', who: 'presenter', handler: 'scene', about: 'renames the room', answered: true, traits: 'announced noted', fields: [line('title', 1, 'TITLE_MAX', 'the new title')] },
  { number: 23, name: 'expel', who: 'presenter', about: 'removes a person', answered: true, traits: 'noted', fields: [id('the person to remove')] },
  {
    number: 24,
    name: 'appoint',
    who: 'presenter',
    about: 'gives a person a role',
    answered: true,
    traits: 'noted',
    fields: [id('the person'), role('role', 'the new role')],
  },
  { number: 25, name: 'rekey', who: 'presenter', about: 'makes a new presenter key', answered: true, answer: 'key', traits: 'noted', fields: [] },
  { number: 26, name: 'undo', who: 'presenter', handler: 'scene', about: 'takes back the last change of the flock', answered: true, traits: 'flock history announced noted marked', fields: [] },
  {
    number: 27,
    name: 'rename',
    who: 'presenter',
    about: 'gives a person another name',
    answered: true,
    traits: 'announced noted',
    fields: [id('the person, who must be in the room'), line('name', 1, 'NAME_MAX', 'the new name')],
  },
  {
    number: 28,
    name: 'attention',
    who: 'presenter',
    about: 'asks everyone to look up',
    answered: true,
    traits: 'announced noted',
    fields: [bool('on', 'false: it is over'), line('text', 0, 'TEXT_MAX', 'a sentence to show; may be empty')],
  },
  {
    number: 29,
    name: 'spotlight',
    who: 'presenter',
    handler: 'scene',
    about: 'marks a person\'s cursor for all',
    answered: true,
    traits: 'history announced noted',
    fields: [uint('id', 0, UINT32, 'the person, who must be in the room; 0: no person')],
  },
  { number: 44, name: 'door', who: 'presenter', about: 'lets newcomers in, or not', answered: true, traits: 'noted', fields: [bool('open', 'false: the server refuses newcomers from now on')] },
  { number: 45, name: 'naming', who: 'presenter', about: 'asks people for a name, or not', answered: true, traits: 'noted', fields: [bool('ask', 'false: clients do not ask for names from now on')] },
  {
    number: 46,
    name: 'beside',
    who: 'presenter',
    about: 'shows everyone another room beside this one',
    answered: true,
    traits: 'noted',
    fields: [line('code', 0, 'ROOM_MAX', 'the [code](#rooms) of the other room; empty: no other room')],
  },
  {
    number: 53,
    name: 'pick',
    who: 'member',
    about: 'picks a boid, to see why it turns',
    answered: true,
    fields: [uint('boid', 0, UINT32, 'the number of a boid that the room shows'), bool('shown', 'true: shows the boid to all people; presenters only')],
  },
  { number: 54, name: 'unpick', who: 'member', about: 'ends this person\'s pick', answered: true, fields: [] },
  {
    number: 55,
    name: 'sweep',
    who: 'presenter',
    about: 'measures the flock by one parameter',
    answered: true,
    traits: 'flock noted',
    fields: [
      identifier('name', 1, 'ROOM_MAX', 'a parameter of the room\'s schema'),
      number('from', 'its first value, within its range'),
      number('to', 'its last value, within its range; not the first one'),
      uint('steps', 2, 'SWEEP_STEPS_MAX', 'values, evenly spaced, the first and the last among them'),
      uint('warm_up', 0, 60, 'time at each value before the samples', { unit: 's' }),
      uint('seconds', 2, 120, 'time of the samples at each value', { unit: 's' }),
    ],
  },
  { number: 56, name: 'unsweep', who: 'presenter', about: 'stops the sweep', answered: true, traits: 'noted', fields: [] },
  { number: 32, name: 'rewind', who: 'presenter', about: 'shows a moment of the past', answered: true, fields: [number('back', '0 or more: how long before the present', { unit: 's' })] },
  {
    number: 33,
    name: 'play',
    who: 'presenter',
    about: 'plays the past',
    answered: true,
    fields: [number('speed', '−16 to 16: a factor of the original speed; below 0: backwards; 0: stops')],
  },
  { number: 34, name: 'live', who: 'presenter', about: 'shows the present again', answered: true, traits: 'noted', fields: [] },
  { number: 35, name: 'resume', who: 'presenter', about: 'continues from the moment shown', answered: true, traits: 'noted', fields: [] },
  { number: 36, name: 'save', who: 'presenter', handler: 'scene', about: 'saves a preset', answered: true, traits: 'flock history repeatable announced noted apart', fields: [presetName('of the preset')] },
  { number: 37, name: 'forget', who: 'presenter', handler: 'scene', about: 'removes a saved preset', answered: true, traits: 'flock history repeatable announced noted apart', fields: [presetName('of a preset that was saved in this room')] },
  { number: 38, name: 'team', who: 'member', about: 'moves this person to a team', answered: true, fields: [uint('team', 1, 'TEAMS_MAX', 'the new team, at most the number in the control `teams`')] },
  {
    number: 48,
    name: 'food',
    who: 'drawer',
    handler: 'scene',
    about: 'drops food',
    answered: true,
    traits: 'flock history repeatable undoable announced noted marked bare',
    fields: [
      number('x', 'within the range of [positions](#positions)', { unit: 'world units' }),
      number('y', 'within the range of [positions](#positions)', { unit: 'world units' }),
      uint('amount', 1, 'AMOUNT_MAX', 'units that boids can eat'),
    ],
  },
  {
    number: 49,
    name: 'hunter',
    who: 'drawer',
    handler: 'scene',
    about: 'sets a hunter loose',
    answered: true,
    traits: 'flock history repeatable undoable announced noted marked bare',
    fields: [
      number('x', 'within the range of [positions](#positions)', { unit: 'world units' }),
      number('y', 'within the range of [positions](#positions)', { unit: 'world units' }),
    ],
  },
  {
    number: 50,
    name: 'wall',
    who: 'drawer',
    handler: 'scene',
    about: 'draws a wall',
    answered: true,
    traits: 'flock history repeatable undoable announced noted marked bare',
    fields: [
      number('x1', 'of one end; within the range of [positions](#positions)', { unit: 'world units' }),
      number('y1', 'of one end; within the range of [positions](#positions)', { unit: 'world units' }),
      number('x2', 'of the other end; within the range of [positions](#positions)', { unit: 'world units' }),
      number('y2', 'of the other end; within the range of [positions](#positions)', { unit: 'world units' }),
    ],
  },
  {
    number: 51,
    name: 'erase',
    who: 'presenter',
    handler: 'scene',
    about: 'removes food, a hunter or a wall',
    answered: true,
    traits: 'flock history repeatable undoable announced noted marked',
    fields: [number('x', 'of the point', { unit: 'world units' }), number('y', 'of the point', { unit: 'world units' }), number('within', 'the greatest distance from that point', { unit: 'world units' })],
  },
  { number: 52, name: 'clear', who: 'presenter', handler: 'scene', about: 'removes all food, hunters and walls', answered: true, traits: 'flock history repeatable undoable announced noted marked bare', fields: [] },
  { number: 39, name: 'skip', who: 'presenter', handler: 'scene', about: 'ends the turn of the person who leads', answered: true, traits: 'flock history repeatable noted', fields: [] },

  {
    number: 64,
    name: 'welcome',
    about: 'you are in the room',
    custom: true,
    map: true,
    fields: [
      uint('version', 1, 1, 'the protocol version', reads({ as: false })),
      str('server', 'ROOM_MAX', 'the server\'s name and version, such as `flockd 0.1.0`'),
      uint('id', 0, UINT32, 'this person\'s [id](#people) in presence and snapshots'),
      other('token', 'bin', '16 bytes', 'send it in a later hello to be the same person again. Secret: its owner can act as you', reads(['copy', 'TOKEN_SIZE'])),
      str('name', 'NAME_MAX', 'this person\'s name, as given or as the server picked it'),
      uint('color', 0, 0xffffff, '0xRRGGBB'),
      other('role', 'str', '', '`presenter`; missing, or any other word: viewer', { ...optional, page: { read: ['role'], missing: 'viewer' } }),
      str('encoding', 'WORD_MAX', 'the encoding of the snapshots that follow'),
      positive('rate', 'snapshots a second that follow, as in a [stream](#70-stream)', { member: 'stream.rate', page: RATE }),
      uint('boids', 0, UINT32, 'the most boids in a snapshot; 0: no limit', { member: 'stream.boids' }),
      uint('stride', 1, UINT32, 'snapshots hold every stride-th boid', { member: 'stream.stride' }),
      uint64('time', 'the server\'s clock', { unit: 'µs', range: 'below 2^53' }),
      other('capabilities', 'array of str', '', 'features of this server: `packed` (the encoding), `topics` ([topics](#topics)), `rooms` (anyone may create rooms), `rooms-with-key` (only with the server\'s key)', reads(['list', ['text']])),
      other('room', 'map', '', 'the [room](#65-room)', reads(['message', 'room'])),
    ],
  },
  {
    number: 65,
    name: 'room',
    about: 'what the room is',
    custom: true,
    map: true,
    fields: [
      str('code', 'ROOM_MAX', 'the room\'s [code](#rooms): `lobby`, or 6 characters'),
      str('title', 'TITLE_MAX', 'the room\'s title for people; may be empty'),
      { name: 'instance', kind: 'UINT64', min: 0, max: SAFE, text: 'random at each start of the server. The server\'s clock starts again with it, so times of two instances cannot be compared' },
      str('model', 'WORD_MAX', 'the flock model that runs, such as `swarm`'),
      str('boundary', 'WORD_MAX', '`open` (no edge), `wrap` (a torus) or `walls`'),
      str('update', 'WORD_MAX', 'the order in which boids move. `synchronous`: all at once, each reads the flock before the tick. `sequential`: one after another, each reads the moves before its own'),
      other('world', 'array of 2 numbers', '16–65,536 each', 'width and height of the world, world units', { page: ['pair', ['number', 1, 1e6]] }),
      positive('quantum', 'world units per step of a [position](#positions)', { page: ['number', 1e-6, 1e3] }),
      other('period', 'array of 2 uint', '1–16,384 each', 'steps of x and y after which a torus comes around; missing unless the boundary is `wrap`', { ...optional, page: { read: ['pair', ['uint', 1, 'PERIOD_MAX']], missing: null } }),
      uint('tick_rate', 1, 'RATE_MAX', 'ticks of the flock per second', { page: ['number', 1, 1000] }),
      uint('snapshot_rate', 1, 'RATE_MAX', 'snapshots per second, at most tick_rate', { page: ['number', 0.001, 'tick_rate'] }),
      str('policy', 'WORD_MAX', 'how cursors become the target. `mean`: of the active ones. `latest`: the one that moved last. `nearest`: each boid follows the cursor nearest to it. `presenter`: the mean of the presenters\' cursors. `teams` and `relay`: see [class modes](#class-modes)'),
      str('idle', 'WORD_MAX', 'what the target does without an active cursor: `wander` or `hold`'),
      positive('cursor_timeout', 'a cursor that has not moved for this time does not steer', { unit: 's', page: ['number', Number.MIN_VALUE] }),
      other('params', 'array', upTo('PARAMS_MAX'), 'the model\'s parameters, each `[name, unit, min, max, initial, value, text]`: str, str, 4 numbers, str. initial is the value of the preset or model that was chosen last. If the model itself has another value, an eighth element, number, is that value', { page: ['list', ['record', PARAM]] }),
      uint('people_max', 1, UINT32, 'the most people that the room can have'),
      uint('boids_max', 1, UINT32, 'the most boids that the room can have with its present update order'),
      other('controls', 'array', upTo('CONTROLS_MAX'), 'what presenters can choose with [set](#16-set), each `[name, value, choices, text]`: see [controls](#controls)', { page: { read: ['list', ['record', CONTROL]], missing: [] } }),
      other('undo', 'bool', '', 'true: a change can be taken back with [undo](#26-undo); missing: none can', { ...optional, page: { read: ['bool'], missing: false } }),
      other('attention', 'str', 'up to 160 bytes', 'a presenter asks for [attention](#28-attention) with this text, which may be empty; missing: no presenter does', { ...optional, page: { read: ['text'], missing: null } }),
      other('spotlight', 'uint', '', 'the id of the person whose cursor is [marked](#29-spotlight); missing: no person', { ...optional, page: { read: ID, missing: 0 } }),
      other('store_failing', 'bool', '', 'true: the server cannot write rooms to its store. The room continues in memory, and a crash would lose new changes. Clients show this to presenters. Missing: the store works, or there is none', { ...optional, page: { read: ['bool'], missing: false } }),
      other('door', 'str', '', '`closed`: the room takes [no newcomers](#44-door); missing: it does', { ...optional, page: { read: ['text'], missing: 'open' } }),
      other('unnamed', 'bool', '', 'true: clients [do not ask for names](#45-naming); missing: they may', { ...optional, page: { read: ['bool'], missing: false } }),
      other('beside', 'str', 'up to 32 bytes', 'the code of the room that clients show [beside](#46-beside) this one; missing: none', { ...optional, page: { read: ['text'], missing: '' } }),
      other('recording', 'bool', '', 'true: the room plays a recording, and has no [present](#32-rewind) yet; missing: it has one', { ...optional, page: { read: ['bool'], missing: false } }),
      other('locked', 'bool', '', 'true: the room has a [join key](#join-keys); missing: none', { ...optional, page: { read: ['bool'], missing: false } }),
      other('walls', 'array', upTo('WALLS_MAX'), 'wall segments, each `[x1, y1, x2, y2]` in world units; missing: none', { ...optional, page: { read: ['list', ['wall']], missing: [] } }),
      other('look', 'array', '', 'the boids\' look, `[shape, size]`: str and number above 0. shape is `arrow`, `triangle`, `bird`, `fish`, `sheep`, `bee`, `person` (from above) or `ant` (each turned to its heading), `ball`, or `blur` (a blurred circle). The boids of `ball` and `blur` have random colours; of the others, colours say how they move. size is in world units: a circle\'s diameter, otherwise the length. Missing or unknown shape: the client chooses', { ...optional, page: { read: ['record', { shape: ['text'], size: ['number', Number.MIN_VALUE] }], missing: null } }),
      other('click', 'uint', '1–10,000', 'a presenter\'s click on the flock [adds](#18-add) this many boids; missing: it adds none unless the client has a tool for it', { ...optional, page: { read: ['uint', 1, 'ADD_MAX'], missing: 0 } }),
      other('ground', 'str', '', 'the name of what clients draw behind the boids, such as `meadow`; missing or unknown: the client chooses', { ...optional, page: { read: ['text'], missing: '' } }),
      other('pen', 'array of 4 numbers', '', 'the part of the world in which boids are counted, `[left, top, right, bottom]` in world units; missing: none', { ...optional, page: { read: ['wall'], missing: null } }),
    ],
  },
  {
    number: 66,
    name: 'params',
    about: 'new values of the parameters',
    custom: true,
    fields: [other('values', 'array of numbers', upTo('PARAMS_MAX'), 'all values, in the order of the room\'s schema', { page: ['list', ['number']] })],
  },
  {
    number: 67,
    name: 'presence',
    about: 'the list of people, or changes to it',
    custom: true,
    fields: [
      other('since', 'uint', '', '0: this is the whole list, replace yours. Otherwise these are changes to the list of that sequence, which is the last list that the server sent to this client', { page: SAFE_UINT }),
      other('sequence', 'uint', '', 'the number of the new list', { page: SAFE_UINT }),
      other('people', 'array', upTo('PEOPLE_MAX'), 'a new or changed person: `[id, name, color, flags]` (uint, str, uint, uint). A person in the list whose flags alone changed: `[id, flags]` (uint, uint)', { page: ['list', ['change']] }),
      other('left', 'array of uint', upTo('PEOPLE_MAX'), 'ids to remove from the list', { page: ['list', ID] }),
      other('away', 'array or nil', upTo('AWAY_MAX'), '[presenters who have left](#67-presence), each `[id, name, color]` or `[id, name, color, flags]`, last first: always the whole list. Nil or missing: unchanged, or no one if since is 0', { ...optional, page: { read: ['list', ['absent']], missing: null } }),
    ],
  },
  {
    number: 68,
    name: 'snapshot',
    about: 'the flock at a tick, in the encoding `plain`',
    custom: true,
    fields: [
      other('epoch', 'uint', '', 'changes when boid *i* of this snapshot may not be boid *i* of the last one; do not interpolate across it', { page: SAFE_UINT }),
      other('tick', 'uint', 'below 2^53', 'ticks of the flock since the room began', { page: SAFE_UINT }),
      other('time', 'uint', 'below 2^53', 'the server\'s clock at this tick, µs. Play snapshots back by it, not by their arrival ([Time](#time))', { page: SAFE_UINT }),
      other('people', 'uint', '', 'all people who are connected to the room', { page: SAFE_UINT }),
      other('target_x', 'number or nil', '', 'x of the point that the flock follows, world units. Nil: no target, or one for each boid (policies `nearest` and `teams`)', { page: { read: ['target'], as: 'target', second: 'target_y' } }),
      other('target_y', 'number or nil', '', 'its y; nil if target_x is nil', { page: { as: false } }),
      other('boids', 'bin', '4 bytes a boid', 'x and y of each boid as two int16, see [positions](#positions). In the order of the boids\' numbers; every stride-th boid, from boid 0 on', { page: ['bins', 'BOID_SIZE', 'BOIDS_MAX'] }),
      other('cursors', 'bin', '8 bytes a cursor', 'id as uint32, x and y as two int16. All active cursors of the people [shown](#67-presence), yours included. Ignore an unknown id', { page: ['bins', 'CURSOR_SIZE', 1024] }),
      other('flock', 'uint', '', 'boids that the room has; boids holds all of them if the stride is 1', { page: SAFE_UINT }),
      other('measures', 'array of 7 numbers, or nil', '', 'measures of the whole flock: see below', { page: { read: ['measures'], nil: null } }),
    ],
  },
  {
    number: 69,
    name: 'packed',
    about: 'the same, in the encoding `packed`',
    custom: true,
    same: 68,
    fields: [
      other('epoch', 'uint', '', '', { page: SAFE_UINT }),
      other('tick', 'uint', '', '', { page: SAFE_UINT }),
      other('time', 'uint', '', '', { page: SAFE_UINT }),
      other('people', 'uint', '', '', { page: SAFE_UINT }),
      other('target_x', 'number or nil', '', '', { page: { read: ['target'], as: 'target', second: 'target_y' } }),
      other('target_y', 'number or nil', '', '', { page: { as: false } }),
      other('boids', 'bin', '', '', { page: ['bin', 20 + 14 * Number(limits.BOIDS_MAX[0])] }),
      other('cursors', 'bin', '', '', { page: ['bins', 'CURSOR_SIZE', 1024] }),
      other('flock', 'uint', '', '', { page: SAFE_UINT }),
      other('measures', 'array of 7 numbers, or nil', '', '', { page: { read: ['measures'], nil: null } }),
    ],
  },
  {
    number: 70,
    name: 'stream',
    about: 'what the next snapshots hold',
    fields: [
      positive('rate', 'snapshots a second, at most the room\'s snapshot_rate', reads(RATE)),
      uint('boids', 0, UINT32, 'the most boids in a snapshot; 0: no limit'),
      uint('stride', 1, UINT32, 'snapshots hold every stride-th boid'),
      bool('slow', 'true: less than the client wants, because the client reads too slowly or the server limits what it sends'),
    ],
  },
  { number: 71, name: 'role', about: 'this person\'s new role', struct: 'enum proto_role', fields: [role('role', '`viewer` or `presenter`; any other word: viewer')] },
  { number: 72, name: 'pong', about: 'the answer to a ping', fields: [uint64('t', 'as in the ping'), uint64('time', 'the server\'s clock', { unit: 'µs', range: 'below 2^53' })] },
  {
    number: 73,
    name: 'done',
    about: 'the server did what a request asks for',
    fields: [uint('type', 0, UINT32, 'the request\'s type'), uintOrNil('tag', 'the request\'s [tag](#requests-and-answers); nil if it had none')],
  },
  {
    number: 74,
    name: 'error',
    about: 'the server refused a message',
    fields: [
      code('code', 'a word from the table below'),
      typeOrNil('type', 'the type of the refused message; nil if it cannot be read'),
      uintOrNil('tag', 'the [tag](#requests-and-answers) of that message; nil if it had none or it cannot be read'),
      str('field', 'ROOM_MAX', 'the field or option at fault, by its name on this page. `past`: the room shows its [past](#78-past). Empty: the whole message'),
      str('name', 'ROOM_MAX', 'the control or parameter that a [set](#16-set), [param](#17-param) or [sweep](#55-sweep) named; otherwise empty'),
      str('message', 'TEXT_MAX', 'a sentence for people'),
      bool('fatal', 'true: the server closes the connection next; false: it ignored the message'),
      uint('after', 0, UINT32, 'seconds until the same message may succeed; missing if time alone changes nothing', { ...optional, page: ['integerOr0'] }),
    ],
  },
  {
    number: 75,
    name: 'event',
    about: 'what has just happened',
    fields: [
      uint64('tick', 'as in [snapshots](#68-snapshot)', { range: 'below 2^53' }),
      uint('by', 0, UINT32, 'the id of the person who did it; 0: no person in the room. A change by 0 was made [over HTTP](../docs/API.md)'),
      str('who', 'NAME_MAX', 'that person\'s name at the time; empty if by is 0'),
      str('name', 'WORD_MAX', 'what happened, such as `param`: see below'),
      str('what', 'ROOM_MAX', 'more about it, such as the parameter'),
      str('from', 'VALUE_MAX', 'the value before'),
      str('to', 'VALUE_MAX', 'the value after'),
    ],
  },
  { number: 76, name: 'key', constant: 'NEW_KEY', struct: 'struct proto_key', about: 'the room\'s new presenter key', fields: [str('key', 'KEY_MAX', 'the key')] },
  {
    number: 77,
    name: 'goodbye',
    about: 'the server closes the connection next',
    fields: [
      uint('code', 0, UINT32, 'the [close code](#close-codes) that follows', reads(['uint', 0, 0xffff])),
      uintOrNil('after', 'milliseconds after which to come back; nil: as the [close code](#close-codes) says', reads({ read: SAFE_UINT, nil: null })),
    ],
  },
  {
    number: 78,
    name: 'past',
    about: 'whether the room shows its past',
    fields: [
      bool('shown', 'false: the room shows the present, and all other fields are 0'),
      number('span', 'how far back a presenter can go', { unit: 's' }),
      number('back', 'how long before the present the moment shown is. With a speed other than 0 it moves on after this message', { unit: 's' }),
      number('speed', 'as in [play](#33-play)'),
      other('people', 'array', upTo('PEOPLE_MAX'), 'people whose cursors may be in that moment, each `[id, name, color]` or `[id, name, color, flags]`. The name is empty if unknown. For people in the presence list, the presence counts, except for the team: the [flags](#67-presence) name the team in that moment, and no flags mean no team', { ...optional, page: { read: ['list', ['absent']] } }),
    ],
  },
  {
    number: 79,
    name: 'self',
    about: 'your own name and flags',
    fields: [str('name', 'NAME_MAX', 'this person\'s name'), uint('flags', 0, UINT32, 'this person\'s flags, as in presence', reads({ read: ['flags'], as: '...' }))],
  },
  {
    number: 80,
    name: 'leads',
    about: 'who leads how many boids',
    custom: true,
    fields: [
      other('leaders', 'array', upTo('LEADERS_MAX'), 'each `[who, x, y, boids, people]` (uint, 2 numbers, 2 uint): see below', { page: ['list', ['record', LEADER]] }),
      other('turn', 'array or nil', '3 uint', '`[id, seconds, next]`: who leads, the seconds left rounded up, and who leads next; nil unless the policy is `relay` and cursors lead', { page: { read: ['record', TURN], nil: null } }),
    ],
  },
  {
    number: 81,
    name: 'marks',
    about: 'who changed what in the past',
    custom: true,
    fields: [
      other('marks', 'array', upTo('MARKS_MAX'), 'each `[back, by, who, name, what, from, to]` (number, uint, 5 str): see below', { page: ['list', ['record', MARK]] }),
    ],
  },
  {
    number: 82,
    name: 'penned',
    about: 'how many boids are in the pen',
    fields: [
      uint('inside', 0, UINT32, 'boids in the pen of the room; 0 without a pen'),
      uint('boids', 0, UINT32, 'boids in the room; 0 without a pen'),
      uint('seconds', 0, UINT32, 'how long the flock has run since it was started again or got its preset, until all boids were in the pen'),
      bool('done', 'all boids have been in the pen at the same time; seconds no longer grow'),
    ],
  },
  {
    number: 83,
    name: 'clusters',
    about: 'how many clusters the flock has',
    fields: [
      uint('count', 0, UINT32, 'clusters: groups of at least 3 boids that are connected by neighbours'),
      uint('boids', 0, UINT32, 'boids that were looked at: all, or a sample of a flock of more than 20,000'),
    ],
  },
  {
    number: 84,
    name: 'reach',
    about: 'whether the room can be reached',
    fields: [bool('there', 'false: this server cannot reach the server that has the room; the connection stays open')],
  },
  {
    number: 86,
    name: 'things',
    about: 'food and hunters',
    custom: true,
    fields: [
      other('food', 'array', upTo('FOOD_MAX'), 'each `[x, y, amount]` (2 numbers, uint): world units, and the units that are left', { page: ['list', ['record', FOOD]] }),
      other('hunters', 'array', upTo('HUNTERS_MAX'), 'each `[x, y]` (2 numbers), world units', { page: ['list', ['record', POINT]] }),
    ],
  },
  {
    number: 88,
    name: 'why',
    about: 'why a boid turns',
    custom: true,
    fields: [
      other('boid', 'uint or nil', '', 'the boid\'s number. Nil with shown: no presenter shows a boid. Nil without shown: the server has [ended your pick](#53-pick)', { page: { read: COUNT, nil: null } }),
      other('shown', 'bool', '', 'true: of the topic 64, the boid that a presenter shows; false: of the topic 32, your own pick', { page: ['bool'] }),
      other('by', 'uint', '', 'the id of the presenter who shows the boid; 0: of the topic 32', { page: ID }),
      other('tick', 'uint', 'below 2^53', 'ticks of the flock before the one that is explained, as in [snapshots](#68-snapshot)', { page: SAFE_UINT }),
      other('motion', 'array of 6 numbers, or nil', '', '`[x, y, vx, vy, next_x, next_y]`: position, velocity, and the velocity after the tick. Nil: the flock has no such boid now', { page: { read: ['record', MOTION], nil: null } }),
      other('zones', 'array of 4 numbers', '', '`[view, view_angle, close, close_angle]`: how far the boid sees others and at which distance they are too close; the full angles of the cones, in degrees', { page: ['record', ZONES] }),
      other('pushes', 'array', upTo('PUSHES_MAX'), 'a vector of each rule, `[name, x, y]` (str, 2 numbers): see below', { page: ['list', ['record', PUSH]] }),
      other('near', 'array', upTo('NEAR_MAX'), 'the nearest neighbours, each `[number, x, y, close]` (uint, 2 numbers, bool)', { page: ['list', ['record', NEAR]] }),
      other('seen', 'uint', '', 'all neighbours', { page: COUNT }),
      other('crowding', 'uint', '', 'how many of them are too close', { page: COUNT }),
    ],
  },
  {
    number: 90,
    name: 'pushes',
    about: 'what the rules of a changing parameter do',
    custom: true,
    fields: [
      other('rules', 'array', upTo('RULES_MAX'), 'the names (str) of the rules, as in [why](#88-why); empty: no such parameter changes', { page: ['list', ['text']] }),
      other('tick', 'uint', 'below 2^53', 'ticks of the flock before the one that is explained; 0 without rules', { page: SAFE_UINT }),
      other('boids', 'array', upTo('SAMPLE_MAX'), 'the sample, each `[number, x, y, pushes]` (uint, 2 numbers, array): pushes has `[x, y]` for each of the rules', { page: ['list', ['record', PUSHED]] }),
    ],
  },
  {
    number: 89,
    name: 'swept',
    about: 'a sweep and its points',
    custom: true,
    fields: [
      other('state', 'str', '', 'see below; `none`: the room has made no sweep, and all other fields are 0 or empty', { page: ['text'] }),
      other('by', 'uint', '', 'the id of the presenter who started it', { page: ID }),
      other('who', 'str', 'up to 64 bytes', 'that presenter\'s name at the time', { page: ['text'] }),
      other('name', 'str', 'up to 32 bytes', 'the parameter', { page: ['text'] }),
      other('from', 'number', '', 'as in [sweep](#55-sweep)', { page: ['number'] }),
      other('to', 'number', '', 'as in sweep', { page: ['number'] }),
      other('steps', 'uint', '', 'as in sweep', { page: COUNT }),
      other('warm_up', 'uint', '', 'as in sweep; s', { page: { read: COUNT, as: 'warmUp' } }),
      other('seconds', 'uint', '', 'as in sweep', { page: COUNT }),
      other('points', 'array', upTo('SWEEP_STEPS_MAX'), 'the values that are complete, each `[value, samples, means, errors]` (number, uint, 2 arrays of 6 numbers): see below', { page: ['list', ['record', SWEPT_POINT]] }),
    ],
  },
];

export const fromClient = ({ number }) => number < 64;

/** The value of a bound: a number, or the name of a limit. */
export const bound = (value) => (typeof value === 'string' ? limits[value][0] : value);
