import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode as unpack, encode } from '@msgpack/msgpack';
import {
  cleanName,
  decode,
  encodeAway,
  encodeCursor,
  encodeHello,
  encodeName,
  encodePing,
  encodeWant,
  validRoom,
} from '../src/protocol';
import { roomMap, snapshotMessage, welcomeMap } from './samples';

const decoded = (message: unknown): ReturnType<typeof decode> => decode(encode(message));

test('messages of this client are the arrays of PROTOCOL.md', () => {
  const token = new Uint8Array(16).fill(7);
  assert.deepEqual(
    unpack(encodeHello({ room: 'lobby', name: 'Ada', rate: 60, encodings: ['packed', 'plain'], token })),
    [1, 1, 'lobby', 'Ada', ['packed', 'plain'], 60, token],
  );
  assert.deepEqual(unpack(encodeHello({ room: 'lobby', name: '', rate: 0, encodings: ['plain'], token: null })), [
    1,
    1,
    'lobby',
    '',
    ['plain'],
    0,
    null,
  ]);
  assert.deepEqual(unpack(encodeCursor(12.5, -3)), [2, 12.5, -3]);
  assert.deepEqual(unpack(encodeAway()), [3]);
  assert.deepEqual(unpack(encodePing(6_000_000_000)), [4, 6_000_000_000]);
  assert.deepEqual(unpack(encodeName('Ada')), [5, 'Ada']);
  assert.deepEqual(unpack(encodeWant(15, 1000)), [13, 15, 1000]);
});

test('a cursor travels as float 32', () => {
  assert.equal(encodeCursor(0.1, 0.2).length, 1 + 1 + 5 + 5);
});

test('a welcome is decoded with its room and schema', () => {
  const message = decoded([16, welcomeMap()]);
  assert.ok(message.kind === 'welcome');
  assert.equal(message.id, 7);
  assert.equal(message.token.length, 16);
  assert.deepEqual(message.room.world, [550, 400]);
  assert.equal(message.room.quantum, 1 / 16);
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

test('what is new is ignored at every depth', () => {
  assert.deepEqual(decoded([99, 'news']), { kind: 'ignored', type: 99 });
  const later = decoded([
    16,
    {
      ...welcomeMap(),
      mood: 'good',
      room: { ...roomMap(), weather: ['rain'], params: [['inertia', '', 0, 2, 1, 1.5, 'how much', 'more']] },
    },
    'extra',
  ]);
  assert.equal(later.kind, 'welcome');
  assert.deepEqual(decoded([19, [[1, 'Ada', 0xff0000, 'viewer']], 5]), {
    kind: 'presence',
    people: [{ id: 1, name: 'Ada', color: 0xff0000 }],
  });
  assert.equal(decoded([...snapshotMessage({ boids: [[0, 0]] }), 'extra']).kind, 'snapshot');
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
});

test('a snapshot of a server that tells no more than the boids is that of all', () => {
  const message = decoded(snapshotMessage({ boids: [[1, 2]] }).slice(0, 9));
  assert.ok(message.kind === 'snapshot');
  assert.equal(message.flock, 1);
  assert.equal(message.measures, null);
});

test('a target is two numbers, or nil twice', () => {
  const none = decoded(snapshotMessage({ target: null }));
  assert.ok(none.kind === 'snapshot');
  assert.equal(none.target, null);
  const half: unknown[] = snapshotMessage({ target: [1, 2] });
  half[5] = null;
  assert.equal(decoded(half).kind, 'malformed');
});

test('pong, params, error and room are decoded', () => {
  assert.deepEqual(decoded([21, 5, 6]), { kind: 'pong', t: 5, time: 6 });
  assert.deepEqual(decoded([18, [1, 2.5]]), { kind: 'params', values: [1, 2.5] });
  assert.deepEqual(decoded([22, 'range', 'x', 'too far', false]), {
    kind: 'error',
    code: 'range',
    field: 'x',
    message: 'too far',
    fatal: false,
  });
  assert.equal(decoded([17, roomMap()]).kind, 'room');
});

const HOSTILE: [string, unknown][] = [
  ['not an array', { a: 1 }],
  ['an empty array', []],
  ['a negative type', [-1]],
  ['a type that is no number', ['20']],
  ['a welcome without a map', [16, [1]]],
  ['a welcome of another version', [16, { ...welcomeMap(), version: 2 }]],
  ['a short token', [16, { ...welcomeMap(), token: new Uint8Array(15) }]],
  ['an id beyond 32 bits', [16, { ...welcomeMap(), id: 2 ** 32 }]],
  ['a rate of zero', [16, { ...welcomeMap(), rate: 0 }]],
  ['a world of NaN', [17, { ...roomMap(), world: [NaN, 400] }]],
  ['a world with one side', [17, { ...roomMap(), world: [550] }]],
  ['a quantum of zero', [17, { ...roomMap(), quantum: 0 }]],
  ['parameters that are no arrays', [17, { ...roomMap(), params: ['inertia'] }]],
  ['presence of strings', [19, ['Ada']]],
  ['boids as an array', [20, 1, 1, 1, 1, null, null, [1, 2], new Uint8Array(0)]],
  ['half a boid', [20, 1, 1, 1, 1, null, null, new Uint8Array(6), new Uint8Array(0)]],
  ['half a cursor', [20, 1, 1, 1, 1, null, null, new Uint8Array(4), new Uint8Array(12)]],
  ['cursors of more people than there can be', [20, 1, 1, 1, 1, null, null, new Uint8Array(4), new Uint8Array(8 * 1025)]],
  ['a target at infinity', [20, 1, 1, 1, 1, Infinity, 0, new Uint8Array(4), new Uint8Array(0)]],
  ['packed boids as an array', [23, 1, 1, 1, 1, null, null, [1, 2], new Uint8Array(0), 2, null]],
  ['packed boids of no flock', [23, 1, 1, 1, 1, null, null, new Uint8Array(6), new Uint8Array(0)]],
  ['six measures', [...snapshotMessage({}).slice(0, 10), [1, 2, 3, 4, 5, 6]]],
  ['measures of NaN', [...snapshotMessage({}).slice(0, 10), [1, 2, 3, 4, 5, 6, NaN]]],
  ['a stream of no rate', [25, 0, 0]],
  ['a snapshot that ends early', [20, 1, 1]],
  ['a time before zero', [21, 1, -1]],
];

for (const [what, message] of HOSTILE) {
  test(`malformed: ${what}`, () => assert.equal(decoded(message).kind, 'malformed'));
}

test('bytes that are no MessagePack, cut off or with something after them, are malformed', () => {
  const whole = encode(snapshotMessage({ boids: [[1, 2]] }));
  for (let size = 0; size < whole.length; size++)
    assert.equal(decode(whole.slice(0, size)).kind, 'malformed', `${size} bytes`);
  assert.equal(decode(new Uint8Array([...whole, 0])).kind, 'malformed');
  assert.equal(decode(new Uint8Array([0xc1])).kind, 'malformed');
  assert.equal(decode(new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff])).kind, 'malformed');
  assert.equal(decode(whole).kind, 'snapshot');
});

test('names are cut to 64 bytes between characters and rid of what the server refuses', () => {
  assert.equal(cleanName('  Ada \u0007 Lovelace\n'), 'Ada Lovelace');
  assert.equal(cleanName('a\u202Eb\u2028c'), 'a b c');
  assert.equal(cleanName('\ud800'), '');
  assert.equal(new TextEncoder().encode(cleanName('é'.repeat(60))).length, 64);
  assert.equal(cleanName(`${'x'.repeat(62)}🐦`), 'x'.repeat(62));
});

test('rooms are named as PROTOCOL.md says', () => {
  for (const name of ['lobby', 'a', '0-9', 'x'.repeat(32)]) assert.ok(validRoom(name), name);
  for (const name of ['', 'Lobby', 'a b', 'x'.repeat(33), 'ä']) assert.ok(!validRoom(name), name);
});
