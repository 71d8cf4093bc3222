// The vectors that every codec of flock.v1 is held against (protocol/vectors/README.md).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type ServerMessage,
  decode,
  encodeAdd,
  encodeAway,
  encodeCursor,
  encodeHello,
  encodeKey,
  encodeName,
  encodeParam,
  encodePing,
  encodeRemove,
  encodeReset,
  encodeSet,
  encodeStep,
  encodeWant,
} from '../src/protocol';
import { fromHex, toHex } from '../src/settings';
import { boidAt, createTimeline } from '../src/timeline';
import { room, snapshot } from './samples';

type Fields = Record<string, unknown>;
interface Vector {
  name: string;
  hex: string;
  message?: Fields | null;
  error?: Fields;
  canonical?: boolean;
}
interface Position {
  world: [number, number];
  quantum: number;
  step: [number, number];
  position: [number, number];
}

const vectors = JSON.parse(readFileSync(`${REPOSITORY}/protocol/vectors/vectors.json`, 'utf8')) as {
  client: Vector[];
  server: Vector[];
  positions: Position[];
};

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const ENCODERS: Record<string, (message: Fields) => Uint8Array> = {
  hello: ({ room, name, encodings, rate, token }) =>
    encodeHello({
      room: String(room),
      name: String(name),
      encodings: encodings as string[],
      rate: Number(rate),
      token: token === null ? null : fromHex(String(token)),
    }),
  cursor: ({ x, y }) => encodeCursor(Number(x), Number(y)),
  away: () => encodeAway(),
  ping: ({ t }) => encodePing(Number(t)),
  name: ({ name }) => encodeName(String(name)),
  key: ({ key }) => encodeKey(String(key)),
  set: ({ name, value }) => encodeSet(String(name), String(value)),
  param: ({ name, value }) => encodeParam(String(name), Number(value)),
  add: ({ x, y, count }) => encodeAdd(Number(x), Number(y), Number(count)),
  remove: ({ count }) => encodeRemove(Number(count)),
  reset: () => encodeReset(),
  step: () => encodeStep(),
  want: ({ rate, boids }) => encodeWant(Number(rate), Number(boids)),
};

/** What this client has cause to say: its pings are numbers. */
const sayable = (message: Fields): boolean => typeof message['t'] !== 'string';

let said = 0;
for (const { name, hex, message, canonical } of vectors.client) {
  if (canonical !== true || message === null || message === undefined || !sayable(message)) continue;
  said++;
  test(`said byte for byte: ${name}`, () => assert.equal(toHex(ENCODERS[String(message['type'])](message)), hex));
}

test('the vectors hold all that this client says, and all that it hears', () => {
  assert.ok(said >= 32, String(said));
  const kinds = new Set(vectors.server.map(({ message }) => message?.['type']));
  for (const kind of ['welcome', 'room', 'params', 'presence', 'snapshot', 'pong', 'error', 'packed', 'role', 'stream'])
    assert.ok(kinds.has(kind), kind);
});

for (const { name, hex, message, error } of vectors.server) {
  test(`heard: ${name}`, () => {
    const heard = decode(bytes(hex));
    if (error !== undefined) assert.equal(heard.kind, 'malformed');
    else if (message === null) assert.equal(heard.kind, 'ignored');
    else assert.deepEqual(asVector(heard), message);
  });
}

test('whatever is cut off a message, decoding does not throw', () => {
  for (const { hex } of vectors.server) {
    const whole = bytes(hex);
    for (let size = 0; size < whole.length; size++) assert.equal(typeof decode(whole.subarray(0, size)).kind, 'string');
  }
});

test('positions are where PROTOCOL.md says', () => {
  for (const { world, quantum, step, position } of vectors.positions) {
    const here = room({ world, quantum });
    const timeline = createTimeline(here, 30);
    const boids = new Uint8Array(Int16Array.from(step).buffer);
    const cursors = new Uint8Array([1, 0, 0, 0, ...boids]);
    timeline.push({ ...snapshot({}), boids, cursors }, 0);
    const moment = timeline.sample(0);
    assert.ok(moment !== null);
    const [x, y] = boidAt(moment, 0, here) ?? [NaN, NaN];
    assert.deepEqual([world[0] / 2 + x * quantum, world[1] / 2 + y * quantum], position);
    assert.deepEqual(moment.a.cursors.get(1), position);
  }
});

/** A decoded message as the vectors write it. */
function asVector(message: ServerMessage): Fields {
  const { kind: type, ...fields } = message;
  switch (message.kind) {
    case 'welcome':
      return { ...fields, type, version: 1, token: toHex(message.token), room: roomFields(message.room) };
    case 'room':
      return { type, ...roomFields(message.room) };
    case 'presence':
      return { type, people: message.people.map(({ id, name, color }) => [id, name, color]) };
    case 'snapshot':
    case 'packed': {
      const { kind: _, target, boids, cursors, measures, ...rest } = message;
      const view = new DataView(cursors.buffer, cursors.byteOffset, cursors.byteLength);
      return {
        type,
        ...rest,
        target_x: target?.[0] ?? null,
        target_y: target?.[1] ?? null,
        boids: message.kind === 'packed' ? toHex(boids) : pairs(boids),
        cursors: Array.from({ length: cursors.length / 8 }, (_unused, i) => [
          view.getUint32(8 * i, true),
          view.getInt16(8 * i + 4, true),
          view.getInt16(8 * i + 6, true),
        ]),
        measures: measures === null ? null : Object.values(measures).flat(),
      };
    }
    default:
      return { type, ...fields };
  }
}

function pairs(from: Uint8Array): [number, number][] {
  const steps = new Int16Array(from.slice().buffer);
  return Array.from({ length: steps.length / 2 }, (_, i) => [steps[2 * i], steps[2 * i + 1]]);
}

const roomFields = ({
  tickRate,
  snapshotRate,
  params,
  walls,
  controls,
  boidsMax,
  ...rest
}: ReturnType<typeof room>): Fields => ({
  ...rest,
  tick_rate: tickRate,
  snapshot_rate: snapshotRate,
  params: params.map(({ name, unit, min, max, initial, value, text }) => [name, unit, min, max, initial, value, text]),
  ...(walls.length > 0 && { walls }),
  ...(controls.length > 0 && {
    boids_max: boidsMax,
    controls: controls.map(({ name, value, choices, text }) => [
      name,
      value,
      choices.map((choice) => [choice.value, choice.text]),
      text,
    ]),
  }),
});
