// A client of flock.v1, written from protocol/PROTOCOL.md alone: what a stranger's client would be.
import { decode, encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { atEnd } from './atend.mjs';
import { createUnpacker } from './packed.mjs';
import { until } from './until.mjs';

export const HELLO = 1;
export const CURSOR = 2;
export const AWAY = 3;
export const PING = 4;
export const NAME = 5;
export const KEY = 6;
export const SET = 7;
export const PARAM = 8;
export const ADD = 9;
export const REMOVE = 10;
export const RESET = 11;
export const STEP = 12;
export const WANT = 13;
export const WELCOME = 16;
export const ROOM = 17;
export const PARAMS = 18;
export const PRESENCE = 19;
export const SNAPSHOT = 20;
export const PONG = 21;
export const ERROR = 22;
export const PACKED = 23;
export const ROLE = 24;
export const STREAM = 25;

export const hello = ({ version = 1, room = 'lobby', name = '', encodings = ['plain'], rate = 0, token = null } = {}) => [
  HELLO,
  version,
  room,
  name,
  encodings,
  rate,
  token,
];

// Connects without a hello. The client keeps all messages in `messages`, the last of each kind under its name, and
// in `closed` how the connection ended: { code, reason }. `onSnapshot` is called with each snapshot; `lost` counts the
// packed ones that were of no use.
export async function connect(t, url, options = {}) {
  const socket = new WebSocket(url, 'flock.v1', { perMessageDeflate: false, ...options });
  const client = { socket, messages: [], people: new Map(), closed: null, lost: 0, onSnapshot: () => {} };
  const unpack = createUnpacker();
  const take = (snapshot) => {
    client.snapshot = snapshot;
    client.onSnapshot(snapshot);
  };
  socket.binaryType = 'nodebuffer';
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? decode(data, { useBigInt64: false }) : ['text', data.toString()];
    client.messages.push(message);
    switch (message[0]) {
      case WELCOME:
        client.welcome = message[1];
        client.room = message[1].room;
        break;
      case ROOM:
        client.room = message[1];
        break;
      case PARAMS:
        message[1].forEach((value, i) => (client.room.params[i][5] = value));
        break;
      case PRESENCE:
        client.people = new Map(message[1].map(([id, name, color]) => [id, { name, color }]));
        break;
      case SNAPSHOT:
        take(readSnapshot(message, readPlain(message[7]), client.room));
        break;
      case PACKED: {
        const unpacked = unpack(message[7]);
        if (unpacked === null) client.lost++;
        else take({ ...readSnapshot(message, unpacked.places, client.room), ...unpacked });
        break;
      }
      default:
    }
  });
  socket.on('error', () => {}); // told by how it closes, too
  socket.on('close', (code, reason) => (client.closed = { code, reason: reason.toString() }));

  client.send = (message) => socket.send(encode(message));
  client.sendBytes = (bytes) => socket.send(Buffer.from(bytes));
  client.until = (what, probe) => until(what, () => probe(client), () => describe(client));
  client.next = async (type, what) => {
    const from = client.messages.length;
    return client.until(what ?? `a message of type ${type}`, () => client.messages.slice(from).find((m) => m[0] === type));
  };
  client.untilClosed = () => client.until('the connection is closed', () => client.closed);
  atEnd(t, () => socket.terminate());
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return client;
}

// Connects, says hello and waits for the first snapshot and the presence list.
export async function join(t, url, fields = {}) {
  const client = await connect(t, url);
  client.send(hello(fields));
  await client.until('a welcome, who is here, and a snapshot', () => client.welcome && client.people.size > 0 && client.snapshot);
  client.id = client.welcome.id;
  return client;
}

// Says something wrong and resolves to the error's { code, field, message, fatal }.
export async function refused(client, message) {
  const answer = client.next(ERROR, 'an error');
  if (message instanceof Uint8Array) {
    client.sendBytes(message);
  } else {
    client.send(message);
  }
  const [, code, field, text, fatal] = await answer;
  return { code, field, message: text, fatal };
}

// The steps of a bin of plain boids.
function readPlain(bin) {
  const bytes = Buffer.from(bin);
  return Array.from({ length: bytes.length / 4 }, (_, i) => [bytes.readInt16LE(4 * i), bytes.readInt16LE(4 * i + 2)]);
}

function readSnapshot([, epoch, tick, time, people, targetX, targetY, , cursors, flock, measures], places, room) {
  const [width, height] = room.world;
  const point = ([x, y]) => [width / 2 + x * room.quantum, height / 2 + y * room.quantum];
  const cursorBytes = Buffer.from(cursors);
  const cursorAt = (at) => point([cursorBytes.readInt16LE(at), cursorBytes.readInt16LE(at + 2)]);
  return {
    epoch,
    tick,
    time,
    people,
    target: targetX === null ? null : [targetX, targetY],
    boids: places.map(point),
    cursors: new Map(
      Array.from({ length: cursorBytes.length / 8 }, (_, i) => [cursorBytes.readUInt32LE(8 * i), cursorAt(8 * i + 4)]),
    ),
    flock,
    measures,
  };
}

// The mean of points.
export const centroid = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);

export const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

function describe(client) {
  const last = client.messages.slice(-3).map((message) => JSON.stringify(message).slice(0, 200));
  return `closed: ${JSON.stringify(client.closed)}; ${client.messages.length} messages, the last:\n${last.join('\n')}`;
}
