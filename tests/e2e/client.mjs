// A client of flock.v1, written from protocol/PROTOCOL.md only.
import assert from 'node:assert/strict';
import { decode, encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { atEnd } from './atend.mjs';
import * as flock from './messages.mjs';
import { createUnpacker } from './packed.mjs';
import { createPromises } from './promises.mjs';
import { until } from './until.mjs';

export * from './messages.mjs';

const { hello, readError, readPlain, readSnapshot } = flock;

// The effect of each message on the client.
/** @type {{ [Type in keyof import('./types.d.ts').Said]?: (client: import('./types.d.ts').Client, message: import('./types.d.ts').Said[Type]) => void }} */
const TAKE = {
  [flock.WELCOME]: (client, [, welcome]) => {
    Object.assign(client, { welcome, room: welcome.room, role: welcome.role ?? 'viewer', id: welcome.id });
  },
  [flock.ROOM]: (client, [, room]) => (client.room = room),
  [flock.PARAMS]: (client, [, values]) => values.forEach((value, i) => (client.room.params[i][5] = value)),
  [flock.PRESENCE]: (client, [, since, , people, left]) => {
    if (since === 0) client.people = new Map();
    for (const person of people) {
      const known = client.people.get(person[0]) ?? { name: '', color: 0, flags: 0 };
      const [id, name, color, flags] = person.length === 4 ? person : [person[0], known.name, known.color, person[1]];
      client.people.set(id, { name, color, flags });
    }
    left.forEach((id) => client.people.delete(id));
  },
  [flock.STREAM]: (client, [, rate, boids, stride, slow]) => (client.stream = { rate, boids, stride, slow }),
  [flock.ROLE]: (client, [, role]) => (client.role = role),
  [flock.NEW_KEY]: (client, [, key]) => (client.key = key),
  [flock.EVENT]: (client, [, tick, by, who, name, what, from, to]) => client.events.push({ tick, by, who, name, what, from, to }),
  [flock.PAST]: (client, [, shown, span, back, speed, people = []]) => (client.past = { shown, span, back, speed, people }),
  [flock.LEADS]: (client, [, leaders, turn]) => (client.leads = { leaders, turn }),
  [flock.THINGS]: (client, [, food, hunters]) => (client.things = { food, hunters }),
  [flock.REACH]: (client, [, there]) => (client.there = there),
  [flock.PENNED]: (client, [, inside, boids, seconds, done]) => (client.penned = { inside, boids, seconds, done }),
  [flock.CLUSTERS]: (client, [, count, boids]) => (client.clusters = { count, boids }),
  [flock.WHY]: (client, [, boid, shown, by, tick, motion, zones, pushes, near, seen, crowding]) =>
    (client.whys[shown ? 'shown' : 'own'] = { boid, by, tick, motion, zones, pushes, near, seen, crowding }),
  [flock.SWEPT]: (client, [, state, by, who, name, from, to, steps, warmUp, seconds, points]) =>
    (client.swept = { state, by, who, name, from, to, steps, warmUp, seconds, points }),
  [flock.MARKS]: (client, [, marks]) => (client.marks = marks),
  [flock.SELF]: (client, [, name, flags]) => (client.self = { name, flags }),
  [flock.GOODBYE]: (client, [, code, after]) => (client.goodbye = { code, after }),
  [flock.SNAPSHOT]: (client, message) => client.show(message, { steps: readPlain(message[7]) }),
  [flock.PACKED]: (client, message) => {
    const unpacked = client.unpack(message[7]);
    if (unpacked === null) client.lost++;
    else client.show(message, unpacked);
  },
};

// Connects without a hello. The client stores all messages in `messages`, the last of each kind under its name, and the close in
// `closed`: { code, reason }. It calls `onSnapshot` with each snapshot. `lost` counts useless packed snapshots, `pings` WebSocket
// pings.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {string} url
 * @param {import('./types.d.ts').ClientSettings} options
 */
export async function connect(t, url, options = {}) {
  const socket = new WebSocket(url, 'flock.v1', { perMessageDeflate: false, ...options });
  /** @type {Partial<import('./types.d.ts').Client>} */
  const begin = { socket, messages: [], people: new Map(), events: [], whys: {}, pings: 0, closed: null, lost: 0, onSnapshot: () => {} };
  const client = /** @type {import('./types.d.ts').Client} */ (begin);
  const promises = createPromises();
  client.promises = promises;
  client.unpack = createUnpacker();
  client.show = (message, { steps, ...more }) => {
    client.snapshot = /** @type {import('./types.d.ts').Snapshot} */ ({ ...readSnapshot(message, steps, client.room), ...more });
    promises.snapshot(client.snapshot, steps, client.room);
    client.onSnapshot(client.snapshot);
  };
  socket.binaryType = 'nodebuffer';
  socket.on('message', (data, isBinary) => {
    const message = /** @type {import('./types.d.ts').Message} */ (isBinary ? decode(/** @type {Buffer} */ (data), { useBigInt64: false }) : ['text', data.toString()]);
    client.messages.push(message);
    promises.received(message, client.people);
    const take = /** @type {Record<number, ((client: import('./types.d.ts').Client, message: unknown) => void) | undefined>} */ (TAKE)[message[0]];
    take?.(client, message);
  });
  socket.on('ping', () => client.pings++);
  socket.on('error', () => {}); // the close has the code, too
  socket.on('close', (code, reason) => (client.closed = { code, reason: reason.toString() }));

  client.send = (message) => {
    promises.sent(message);
    socket.send(encode(message));
  };
  client.sendBytes = (bytes) => socket.send(Uint8Array.from(bytes));
  client.until = (what, probe) => until(what, () => probe(client), () => describe(client));
  client.next = async (type, what) => {
    const from = client.messages.length;
    return client.until(what ?? `a message of type ${type}`, () => client.messages.slice(from).find((m) => m[0] === type));
  };
  client.untilClosed = () => client.until('the connection is closed', () => client.closed);
  let tag = 0;
  client.ask = (message) => ask(client, message, ++tag);
  atEnd(t, () => {
    socket.terminate();
    assert.deepEqual(promises.broken.slice(0, 3), [], 'the server keeps what the page promises');
  });
  await new Promise((resolve, reject) => {
    socket.once('open', () => resolve(null));
    socket.once('error', reject);
  });
  return client;
}

// Connects, says hello and waits for the first snapshot and the presence list.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {string} url
 * @param {import('./types.d.ts').Hello} fields
 * @param {import('./types.d.ts').ClientSettings} options
 */
export async function join(t, url, fields = {}, options = {}) {
  const client = await connect(t, url, options);
  client.send(hello(fields));
  await client.until('a welcome, who is here, and a snapshot', () => client.welcome && client.people.size > 0 && client.snapshot);
  return client;
}

// Sends a request with a tag. Resolves to its error's fields, or to null after done.
/**
 * @param {import('./types.d.ts').Client} client
 * @param {import('./types.d.ts').Message} message
 * @param {number} tag
 */
async function ask(client, message, tag) {
  const from = client.messages.length;
  client.send([...message, tag]);
  const answers = () => client.messages.slice(from).filter(([type]) => type === flock.DONE || type === flock.ERROR);
  const mine = (answer) => answer[answer[0] === flock.DONE ? 2 : 3] === tag;
  const answer = await client.until(`an answer to ${JSON.stringify(message)}`, () => answers().find(mine));
  return answer[0] === flock.ERROR ? readError(answer) : null;
}

// Sends a wrong message and resolves to the error: { code, type, tag, field, name, message, fatal }.
/**
 * @param {import('./types.d.ts').Client} client
 * @param {import('./types.d.ts').Message | Uint8Array} message
 */
export async function refused(client, message) {
  const answer = client.next(flock.ERROR, 'an error');
  if (message instanceof Uint8Array) {
    client.sendBytes(message);
  } else {
    client.send(message);
  }
  return readError(await answer);
}

// The control of that name in the client's room.
/**
 * @param {import('./types.d.ts').Client} client
 * @param {string} name
 */
export function control({ room }, name) {
  const [, value, choices, text] = room.controls.find(([each]) => each === name) ?? assert.fail(`no control ${name}`);
  return { value, choices: choices.map(([word]) => word), text };
}

// The value of that parameter in the client's room.
/** @type {(client: import('./types.d.ts').Client, name: string) => number | undefined} */
export const param = ({ room }, name) => room.params.find(([each]) => each === name)?.[5];

// The client's grants, without repeats and without grants for a slow line. A line also counts as slow when the machine has no time
// for the client, which no test measures.
/** @param {import('./types.d.ts').Client} client */
export function grants({ welcome, messages }) {
  let { rate, boids, stride } = welcome;
  const told = [];
  for (const [type, ...fields] of messages) {
    if (type !== flock.STREAM || fields[3] || [rate, boids, stride].join() === fields.slice(0, 3).join()) continue;
    [rate, boids, stride] = /** @type {number[]} */ (fields);
    told.push({ rate, boids, stride });
  }
  return told;
}

// The mean of points.
/** @param {import('./types.d.ts').Point[]} points */
export function centroid(points) {
  /** @param {0 | 1} axis */
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return /** @type {import('./types.d.ts').Point} */ ([mean(0), mean(1)]);
}

/** @type {(a: import('./types.d.ts').Point, b: import('./types.d.ts').Point) => number} */
export const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

/** @param {import('./types.d.ts').Client} client */
function describe(client) {
  const last = client.messages.slice(-3).map((message) => JSON.stringify(message).slice(0, 200));
  return `closed: ${JSON.stringify(client.closed)}; ${client.messages.length} messages, the last:\n${last.join('\n')}`;
}
