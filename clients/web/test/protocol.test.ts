import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode as unpack, encode } from '@msgpack/msgpack';
import { decode } from '../src/net/decode';
import type { Presence } from '../src/net/protocol';
import { encodeAway, encodeCursor, encodeHello, encodePing, encodeRequest, request } from '../src/net/protocol';
import { roomMap, snapshotMessage, welcomeMap } from './samples';

const decoded = (message: unknown): ReturnType<typeof decode> => decode(encode(message));

test('messages of this client are the arrays of PROTOCOL.md', () => {
  const token = new Uint8Array(16).fill(7);
  const hello = {
    room: 'FK72MX',
    name: 'Ada',
    token,
    key: 'abc-1',
    join: 'bees',
    encodings: ['packed', 'plain'],
    rate: 60,
    boids: 5,
    topics: 1,
  };
  const options = { token, key: 'abc-1', join: 'bees', encodings: ['packed', 'plain'], rate: 60, boids: 5, topics: 1 };
  assert.deepEqual(unpack(encodeHello(hello)), [1, 1, 'FK72MX', 'Ada', options]);
  assert.deepEqual(
    unpack(encodeHello({ room: 'lobby', name: '', token: null, key: '', join: '', encodings: ['plain'], rate: 0, boids: 0, topics: 0 })),
    [1, 1, 'lobby', '', {}],
  );
  assert.deepEqual(unpack(encodeCursor(12.5, -3)), [2, 12.5, -3]);
  assert.deepEqual(unpack(encodeAway()), [3]);
  assert.deepEqual(unpack(encodePing(6_000_000_000)), [4, 6_000_000_000]);
});

test('requests have their tag at the end, or none', () => {
  const said = [
    request.name('Ada'),
    request.want(15, 1000),
    request.key('abc-1'),
    request.set('model', 'boids'),
    request.param('inertia', 2.5),
    request.add(1.5, 2.5, 10),
    request.remove(10),
    request.reset(),
    request.step(),
    request.title('Ada’s flock'),
    request.expel(9),
    request.appoint(9, 'presenter'),
    request.rekey(),
    request.rewind(2.5),
    request.play(-1),
    request.live(),
    request.resume(),
  ];
  const expected = [
    [5, 'Ada'],
    [6, 15, 1000],
    [7, 'abc-1'],
    [16, 'model', 'boids'],
    [17, 'inertia', 2.5],
    [18, 1.5, 2.5, 10],
    [19, 10],
    [20],
    [21],
    [22, 'Ada’s flock'],
    [23, 9],
    [24, 9, 'presenter'],
    [25],
    [32, 2.5],
    [33, -1],
    [34],
    [35],
  ];
  assert.deepEqual(
    said.map((each) => unpack(encodeRequest(each))),
    expected,
  );
  assert.deepEqual(
    said.map((each) => unpack(encodeRequest(each, 4_294_967_295))),
    expected.map((each) => [...each, 4_294_967_295]),
  );
});

test('a cursor is encoded as float 32', () => {
  assert.equal(encodeCursor(0.1, 0.2).length, 1 + 1 + 5 + 5);
});

test('a welcome is decoded with its room and schema', () => {
  const message = decoded([64, welcomeMap()]);
  assert.ok(message.kind === 'welcome');
  assert.equal(message.id, 7);
  assert.equal(message.role, 'viewer');
  assert.equal(message.token.length, 16);
  assert.deepEqual([message.rate, message.boids, message.stride], [30, 0, 1]);
  assert.deepEqual(message.capabilities, ['packed', 'rooms', 'teleport']);
  const { code, title, instance, period, world, quantum, peopleMax, boidsMax, cursorTimeout } = message.room;
  assert.deepEqual([code, title, instance, peopleMax, boidsMax], ['FK72MX', 'Ada’s flock', 77, 100, 1000]);
  assert.deepEqual([world, quantum, period, cursorTimeout], [[550, 400], 1 / 16, null, 3]);
  assert.deepEqual(message.room.params[0], {
    name: 'inertia',
    unit: '',
    min: 0,
    max: 2,
    initial: 1,
    value: 1.5,
    text: 'how much',
  });
});

test('a torus has a period', () => {
  const message = decoded([65, { ...roomMap(), boundary: 'wrap', period: [8800, 6400] }]);
  assert.ok(message.kind === 'room');
  assert.deepEqual(message.room.period, [8800, 6400]);
});

test('a room marks one person’s cursor, or none', () => {
  for (const [more, person] of [
    [{}, 0],
    [{ spotlight: 0 }, 0],
    [{ spotlight: 42 }, 42],
  ] as const) {
    const message = decoded([65, { ...roomMap(), ...more }]);
    assert.ok(message.kind === 'room');
    assert.equal(message.room.spotlight, person);
  }
});

test('unknown elements are ignored at every depth', () => {
  assert.deepEqual(decoded([99, 'news']), { kind: 'ignored', type: 99 });
  const later = decoded([
    64,
    {
      ...welcomeMap(),
      mood: 'good',
      room: { ...roomMap(), weather: ['rain'], params: [['inertia', '', 0, 2, 1, 1.5, 'how much', 'more']] },
    },
    'extra',
  ]);
  assert.equal(later.kind, 'welcome');
  assert.equal(decoded([...snapshotMessage({ boids: [[0, 0]] }), 'extra']).kind, 'snapshot');
  assert.deepEqual(decoded([71, 'king']), { kind: 'role', role: 'viewer' });
});

test('presence is a list of changes', () => {
  const people = [
    [1, 'Ada', 0xff0000, 3],
    [2, 2],
    [3, 'Ben', 0xff, 8, 'more'],
  ];
  const away = [[4, 'Cem', 0xff00, 'more']];
  assert.equal((decoded([67, 4, 5, [], [9], null]) as Presence).away, null);
  assert.deepEqual((decoded([67, 4, 5, [], [9], []]) as Presence).away, []);
  assert.deepEqual(decoded([67, 4, 5, people, [9], away, 'extra']), {
    kind: 'presence',
    since: 4,
    sequence: 5,
    people: [
      { id: 1, identity: { id: 1, name: 'Ada', color: 0xff0000 }, presenter: true, active: true, owner: false, team: 0 },
      { id: 2, identity: null, presenter: false, active: true, owner: false, team: 0 },
      { id: 3, identity: { id: 3, name: 'Ben', color: 0xff }, presenter: false, active: false, owner: false, team: 2 },
    ],
    left: [9],
    away: [{ id: 4, name: 'Cem', color: 0xff00, presenter: false, active: false, owner: false, team: 0 }],
  });
});

test('a snapshot keeps its boids and cursors as bytes', () => {
  const message = decoded(
    snapshotMessage({
      boids: [
        [1, -1],
        [300, -300],
      ],
      cursors: [[9, 4, 5]],
      target: [10, 20],
    }),
  );
  assert.ok(message.kind === 'snapshot');
  assert.deepEqual([...message.boids], [1, 0, 255, 255, 44, 1, 212, 254]);
  assert.deepEqual([...message.cursors], [9, 0, 0, 0, 4, 0, 5, 0]);
  assert.deepEqual(message.target, [10, 20]);
  assert.deepEqual([message.flock, message.measures], [2, null]);
});

test('a target is two numbers, or nil twice', () => {
  const none = decoded(snapshotMessage({ target: null }));
  assert.ok(none.kind === 'snapshot');
  assert.equal(none.target, null);
  const half: unknown[] = snapshotMessage({ target: [1, 2] });
  half[5] = null;
  assert.equal(decoded(half).kind, 'malformed');
});

test('the small messages are decoded', () => {
  const small: [unknown[], object][] = [
    [[66, [1, 2.5]], { kind: 'params', values: [1, 2.5] }],
    [[70, 7.5, 100, 3, true], { kind: 'stream', rate: 7.5, boids: 100, stride: 3, slow: true }],
    [[71, 'presenter'], { kind: 'role', role: 'presenter' }],
    [[72, 5, 6], { kind: 'pong', t: 5, time: 6 }],
    [[73, 16, 42], { kind: 'done', type: 16, tag: 42 }],
    [[73, 16, null], { kind: 'done', type: 16, tag: null }],
    [
      [75, 9, 7, 'Ada', 'set', 'preset', '', 'bees'],
      { kind: 'event', tick: 9, by: 7, who: 'Ada', name: 'set', what: 'preset', from: '', to: 'bees' },
    ],
    [[76, 'abc'], { kind: 'key', key: 'abc' }],
    [[77, 3000, 1500], { kind: 'goodbye', code: 3000, after: 1500 }],
    [[77, 3506, null], { kind: 'goodbye', code: 3506, after: null }],
    [[79, 'Ada', 3], { kind: 'self', name: 'Ada', presenter: true, active: true, owner: false, team: 0 }],
    [[78, true, 10, 5, -1, null], { kind: 'past', shown: true, span: 10, back: 5, speed: -1 }],
    [
      [
        78,
        true,
        10,
        5,
        -1,
        [
          [2, 'Bo', 0x112233, 8],
          [3, '', 1, 'more'],
        ],
      ],
      {
        ...{ kind: 'past', shown: true, span: 10, back: 5, speed: -1 },
        people: [
          { id: 2, name: 'Bo', color: 0x112233, presenter: false, active: false, owner: false, team: 2 },
          { id: 3, name: '', color: 1, presenter: false, active: false, owner: false, team: 0 },
        ],
      },
    ],
  ];
  for (const [message, expected] of small) {
    assert.deepEqual(decoded(message), expected);
    assert.deepEqual(decoded([...message, 'more']), expected);
  }
  assert.equal(decoded([65, roomMap()]).kind, 'room');
});

test('an error names its message and the field at fault', () => {
  assert.deepEqual(decoded([74, 'range', 17, 5, 'value', 'inertia', 'too much', false]), {
    kind: 'error',
    code: 'range',
    type: 17,
    tag: 5,
    field: 'value',
    name: 'inertia',
    message: 'too much',
    fatal: false,
    after: 0,
  });
  const soon = decoded([74, 'state', 5, null, 'name', '', 'not yet', false, 3]);
  assert.ok(soon.kind === 'error' && soon.after === 3);
  const other = decoded([74, 'malformed', null, null, '', '', 'no array', true]);
  assert.ok(other.kind === 'error');
  assert.deepEqual([other.type, other.tag, other.fatal], [null, null, true]);
});

const bytes = (size: number): Uint8Array => new Uint8Array(size);
const sight = (type: number, boids: unknown, cursors: unknown, target: number | null = null): unknown[] => [
  ...[type, 1, 1, 1, 1, target, target],
  ...[boids, cursors, 1, null],
];

const HOSTILE: [string, unknown][] = [
  ['not an array', { a: 1 }],
  ['an empty array', []],
  ['a negative type', [-1]],
  ['a type that is no number', ['68']],
  ['a welcome without a map', [64, [1]]],
  ['a welcome of another version', [64, { ...welcomeMap(), version: 2 }]],
  ['a short token', [64, { ...welcomeMap(), token: bytes(15) }]],
  ['an id beyond 32 bits', [64, { ...welcomeMap(), id: 2 ** 32 }]],
  ['a rate of zero', [64, { ...welcomeMap(), rate: 0 }]],
  ['a stride of zero', [64, { ...welcomeMap(), stride: 0 }]],
  ['a world of NaN', [65, { ...roomMap(), world: [NaN, 400] }]],
  ['a world with one side', [65, { ...roomMap(), world: [550] }]],
  ['a quantum of zero', [65, { ...roomMap(), quantum: 0 }]],
  ['a period of nothing', [65, { ...roomMap(), period: [0, 6400] }]],
  ['a room without an instance', [65, { ...roomMap(), instance: null }]],
  ['parameters that are no arrays', [65, { ...roomMap(), params: ['inertia'] }]],
  ['presence of strings', [67, 0, 1, ['Ada'], []]],
  ['somebody without flags', [67, 0, 1, [[1, 'Ada', 5]], []]],
  ['presence without those who left', [67, 0, 1, []]],
  ['boids as an array', sight(68, [1, 2], bytes(0))],
  ['half a boid', sight(68, bytes(6), bytes(0))],
  ['half a cursor', sight(68, bytes(4), bytes(12))],
  ['cursors of more people than there can be', sight(68, bytes(4), bytes(8 * 1025))],
  ['a target at infinity', sight(68, bytes(4), bytes(0), Infinity)],
  ['boids of no flock', sight(68, bytes(4), bytes(0)).slice(0, 9)],
  ['packed boids as an array', sight(69, [1, 2], bytes(0))],
  ['packed boids of no flock', sight(69, bytes(6), bytes(0)).slice(0, 9)],
  ['six measures', [...snapshotMessage({}).slice(0, 10), [1, 2, 3, 4, 5, 6]]],
  ['measures of NaN', [...snapshotMessage({}).slice(0, 10), [1, 2, 3, 4, 5, 6, NaN]]],
  ['a snapshot that ends early', [68, 1, 1]],
  ['a stream of no rate', [70, 0, 0, 1, false]],
  ['a stream of no stride', [70, 30, 0, 0, false]],
  ['a stream that does not say why', [70, 30, 0, 1]],
  ['a time before zero', [72, 1, -1]],
  ['a done of nothing', [73, null, 1]],
  ['an error without a tag', [74, 'range', 'x', 'too far', false]],
  ['an event of nobody', [75, 1, null, '', 'reset', '', '', '']],
  ['a goodbye in the past', [77, 3000, -1]],
];

test('the messages from which the tests make malformed ones are valid', () => {
  assert.equal(decoded(sight(68, bytes(4), bytes(8))).kind, 'snapshot');
  assert.equal(decoded(sight(69, bytes(6), bytes(8))).kind, 'packed');
});

for (const [what, message] of HOSTILE) {
  test(`malformed: ${what}`, () => assert.equal(decoded(message).kind, 'malformed'));
}

test('bytes that are no MessagePack, cut off or with something after them, are malformed', () => {
  const whole = encode(snapshotMessage({ boids: [[1, 2]] }));
  for (let size = 0; size < whole.length; size++) assert.equal(decode(whole.slice(0, size)).kind, 'malformed', `${size} bytes`);
  assert.equal(decode(new Uint8Array([...whole, 0])).kind, 'malformed');
  assert.equal(decode(new Uint8Array([0xc1])).kind, 'malformed');
  assert.equal(decode(new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff])).kind, 'malformed');
  assert.equal(decode(whole).kind, 'snapshot');
});
