// The vectors that all codecs of flock.v1 must match (protocol/vectors/README.md).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode } from '../src/net/decode';
import {
  type Change,
  type Flags,
  type Person,
  type Request,
  type ServerMessage,
  encodeAway,
  encodeCursor,
  encodeHello,
  encodePing,
  encodeRequest,
  request,
} from '../src/net/protocol';
import { FLAG_OWNER, FLAG_TEAM, TEAM_SHIFT } from '../src/net/messages';
import { fromHex, toHex } from '../src/app/settings';
import { boidAt, createTimeline } from '../src/flock/timeline';
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

interface Row {
  number: number;
  name: string;
  answered?: boolean;
  fields: { name: string }[];
}
const { messages, fromClient } = (await import(`${REPOSITORY}/protocol/schema.mjs`)) as {
  messages: Row[];
  fromClient: (row: Row) => boolean;
};

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const OTHERS: Record<string, (message: Fields) => Uint8Array> = {
  hello: ({ room, name, token, key, join, encodings, rate, boids, topics }) =>
    encodeHello({
      room: String(room),
      name: String(name),
      token: token === null ? null : fromHex(String(token)),
      key: String(key ?? ''),
      join: String(join ?? ''),
      encodings: encodings as string[],
      rate: Number(rate),
      boids: Number(boids),
      topics: Number(topics),
    }),
  cursor: ({ x, y }) => encodeCursor(Number(x), Number(y)),
  away: () => encodeAway(),
  ping: ({ t }) => encodePing(Number(t)),
};

type Build = (...fields: unknown[]) => Request;

function said(message: Fields): Uint8Array {
  const type = String(message['type']);
  const tag = message['tag'];
  const row = messages.find(({ name, answered }) => name === type && answered === true);
  if (row === undefined) return OTHERS[type](message);
  const build = request[type as keyof typeof request] as unknown as Build;
  return encodeRequest(build(...row.fields.map(({ name }) => message[name])), typeof tag === 'number' ? tag : undefined);
}

/** Whether this client can send the message. Its pings are numbers. */
const sayable = (message: Fields): boolean => typeof message['t'] !== 'string';

for (const { name, hex, message, canonical } of vectors.client) {
  if (canonical !== true || message === null || message === undefined || !sayable(message)) continue;
  test(`encoded byte for byte: ${name}`, () => assert.equal(toHex(said(message)), hex));
}

for (const row of messages) {
  const side = fromClient(row) ? 'client' : 'server';
  test(`a vector tests ${row.name} (${row.number}) in both directions`, () => {
    const canonical = vectors[side].filter((vector) => vector.canonical === true && vector.message?.['type'] === row.name);
    assert.ok(canonical.some(({ message }) => side === 'server' || sayable(message ?? {})));
    // The row's number is the first element of the message.
    for (const { name, hex } of canonical) assert.equal(bytes(hex)[1], row.number, name);
    if (side === 'server') for (const { hex } of canonical) assert.equal(decode(bytes(hex)).kind, row.name);
  });
}

// JavaScript has no floats apart from integers: it accepts 1.0 as the integer 1.
const isFloat = (name: string): boolean => name.endsWith('a float');

for (const { name, hex, message, error } of vectors.server) {
  if (isFloat(name)) continue;
  test(`decoded: ${name}`, () => {
    const heard = decode(bytes(hex));
    if (error !== undefined) assert.equal(heard.kind, 'malformed');
    else if (message === null) assert.equal(heard.kind, 'ignored');
    else assert.deepEqual(asVector(heard), known(message));
  });
}

test('decoding a message cut at any byte does not throw', () => {
  for (const { hex } of vectors.server) {
    const whole = bytes(hex);
    for (let size = 0; size < whole.length; size++) assert.equal(typeof decode(whole.subarray(0, size)).kind, 'string');
  }
});

test('positions match PROTOCOL.md', () => {
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

/** Returns a decoded message in the form of the vectors. */
function asVector(message: ServerMessage): Fields {
  const { kind: type, ...fields } = message;
  switch (message.kind) {
    case 'welcome':
      return { ...fields, type, version: 1, token: toHex(message.token), room: roomFields(message.room) };
    case 'room':
      return { type, ...roomFields(message.room) };
    case 'presence':
      return {
        type,
        since: message.since,
        sequence: message.sequence,
        people: message.people.map(personFields),
        left: message.left,
        ...(message.away && { away: message.away.map(absentFields) }),
      };
    case 'past': {
      const { people, kind: _, ...rest } = message;
      return { ...rest, type, ...(people && { people: people.map(absentFields) }) };
    }
    case 'leads':
      return { type, leaders: message.leaders.map((each) => Object.values(each)), turn: message.turn && Object.values(message.turn) };
    case 'marks':
      return { type, marks: message.marks.map((each) => Object.values(each)) };
    case 'things':
      return { type, food: message.food.map((each) => Object.values(each)), hunters: message.hunters.map((each) => Object.values(each)) };
    case 'pushes':
      return {
        ...fields,
        type,
        boids: message.boids.map(({ number, x, y, pushes }) => [number, x, y, pushes.map((each) => [each.x, each.y])]),
      };
    case 'why': {
      const { kind: _, motion, zones, pushes, near, ...rest } = message;
      const values = (of: readonly object[]): unknown[] => of.map((each) => Object.values(each));
      return {
        ...rest,
        type,
        motion: motion && Object.values(motion),
        zones: Object.values(zones),
        pushes: values(pushes),
        near: values(near),
      };
    }
    case 'swept': {
      const { kind: _, warmUp, points, ...rest } = message;
      return { ...rest, type, warm_up: warmUp, points: points.map((each) => Object.values(each)) };
    }
    case 'self':
      return { type, name: message.name, flags: flagsOf(message) };
    case 'error': {
      const { after, type: answers, kind: _, ...rest } = message;
      return { ...rest, ...(after > 0 && { after }), type, answers };
    }
    case 'done':
      return { ...fields, type, answers: message.type };
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

/** Returns the message with only the flags of a person that this client knows. */
function known(message: Fields | undefined): Fields | undefined {
  if (message?.['type'] === 'self') return { ...message, flags: Number(message['flags']) & (3 + FLAG_OWNER + FLAG_TEAM) };
  if (message?.['type'] !== 'presence') return message;
  const people = message['people'] as unknown[][];
  return { ...message, people: people.map((person) => [...person.slice(0, -1), Number(person.at(-1)) & (3 + FLAG_OWNER + FLAG_TEAM)]) };
}

const flagsOf = ({ presenter, active, owner, team }: Flags): number =>
  Number(presenter) + 2 * Number(active) + FLAG_OWNER * Number(owner) + (team << TEAM_SHIFT);

const absentFields = ({ id, name, color, ...is }: Person): unknown[] => [id, name, color, flagsOf(is)].slice(0, flagsOf(is) > 0 ? 4 : 3);

const personFields = ({ id, identity, ...is }: Change): unknown[] => {
  const flags = flagsOf(is);
  return identity === null ? [id, flags] : [id, identity.name, identity.color, flags];
};

const roomFields = (from: ReturnType<typeof room>): Fields => {
  const { tickRate, snapshotRate, cursorTimeout, peopleMax, boidsMax, period, params, walls, controls, ...others } = from;
  const { undo, look, click, attention, spotlight, storeFailing, door, locked, unnamed, beside, recording, ground, pen, ...rest } = others;
  return {
    ...rest,
    tick_rate: tickRate,
    snapshot_rate: snapshotRate,
    cursor_timeout: cursorTimeout,
    people_max: peopleMax,
    boids_max: boidsMax,
    ...(period !== null && { period }),
    ...(walls.length > 0 && { walls }),
    ...(look !== null && { look: [look.shape, look.size] }),
    ...(click > 0 && { click }),
    ...(undo && { undo }),
    ...(attention !== null && { attention }),
    ...(spotlight > 0 && { spotlight }),
    ...(storeFailing && { store_failing: true }),
    ...(door === 'closed' && { door }),
    ...(locked && { locked }),
    ...(unnamed && { unnamed }),
    ...(beside !== '' && { beside }),
    ...(recording && { recording }),
    ...(ground !== '' && { ground }),
    ...(pen !== null && { pen }),
    params: params.map(({ name, unit, min, max, initial, value, text }) => [name, unit, min, max, initial, value, text]),
    controls: controls.map(({ name, value, choices, text }) => [
      name,
      value,
      choices.map((choice) => [choice.value, choice.text, ...(choice.saved ? [true] : [])]),
      text,
    ]),
  };
};
