// Attacks whose work grows with the people of a room, with its pairs of boids, or with the rooms that end at once.
import assert from 'node:assert/strict';
import * as flock from '../e2e/messages.mjs';
import { recording } from './crafted.mjs';
import { BATCH, enter, sendBatches } from './members.mjs';
import { at, exchange, flood, frame, head, message, now, sleep } from './raw.mjs';
import { upload } from './recordings.mjs';
import { createRoom } from './rooms.mjs';
import { STRICT } from './target.mjs';

const ADDRESS_JOINS = 400; // that an address has without waiting

// Lets that many clients into a room, from as many addresses as that takes. fieldsOf(i): of the hello of each.
async function fill(target, room, count, fieldsOf) {
  const sockets = [];
  for (let first = 0; first < count; first += ADDRESS_JOINS) {
    const from = at(target, `127.0.8.${1 + first / ADDRESS_JOINS}`);
    sockets.push(...(await enter(from, Math.min(ADDRESS_JOINS, count - first), (i) => ({ room, ...fieldsOf(first + i) }))));
  }
  return sockets;
}

// All sockets send as many messages as they may: messageOf(n, i) is the nth of socket i.
const sendAll = (sockets, messageOf, ms) =>
  sendBatches(sockets, (n, i) => Buffer.concat(Array.from({ length: BATCH }, (_, k) => message(messageOf(n * BATCH + k, i)))), BATCH, ms);

// ---- names ----

const WIDE = 'ﷺ'; // which is compared as 18 characters
const wide = (i) => `${WIDE.repeat(19)}${i}`;

// Presenters rename themselves beside 3,000 viewers. A room gives people their numbers in the order in which they come.
async function names(target, ms) {
  const room = await createRoom(target, { boids: 1 });
  assert.ok(room !== null, 'a room of his own');
  const viewers = await fill(target, room.code, 3000, (i) => ({ name: wide(i) }));
  const presenters = await enter(target, 20, (i) => ({ room: room.code, key: room.key, name: `p${i}` }));
  await target.begin?.();
  const said = await sendAll(presenters, (n, i) => [flock.RENAME, viewers.length + 1 + i, wide(`p${n % 7}`)], ms);
  return `${said}, who rename each other beside ${viewers.length} viewers`;
}

// The same the other way round.
async function manyPresenters(target, ms) {
  const room = await createRoom(target, { boids: 1 });
  assert.ok(room !== null, 'a room of his own');
  const presenters = await fill(target, room.code, 2000, (i) => ({ name: wide(i), key: room.key }));
  const viewers = await enter(at(target, '127.0.8.100'), 50, (i) => ({ room: room.code, name: `v${i}` }));
  await target.begin?.();
  const said = await sendAll(viewers, (n) => [flock.NAME, wide(`v${n % 7}`), n], ms);
  return `${said}, who rename themselves beside ${presenters.length} presenters`;
}

async function lobbyNames(target, ms) {
  await enter(at(target, '127.0.8.100'), 8, (i) => ({ room: 'lobby', name: wide(`p${i}`), key: target.key }));
  const viewers = await fill(target, 'lobby', 300, (i) => ({ name: `v${i}` }));
  await target.begin?.();
  return sendAll(viewers, (n) => [flock.NAME, wide(`v${n % 7}`), n], ms);
}

// ---- what changes people ----

const POLICIES = [
  [flock.SET, 'policy', 'teams'],
  [flock.SET, 'teams', '4'],
  [flock.SET, 'teams', '2'],
  [flock.SET, 'policy', 'relay'],
  [flock.SKIP],
  [flock.ADD, 5, 5, 1],
  [flock.REMOVE, 1],
  [flock.SPOTLIGHT, 5],
  [flock.DOOR, false],
  [flock.DOOR, true],
  [flock.SET, 'cursors', 'scare'],
  [flock.SET, 'cursors', 'lead'],
];

async function policies(target, ms) {
  const room = await createRoom(target, { boids: 100 });
  assert.ok(room !== null, 'a room of his own');
  const viewers = await fill(target, room.code, 3000, () => ({}));
  const presenters = await enter(target, 20, () => ({ room: room.code, key: room.key }));
  viewers.forEach((socket) => socket.write(message([flock.CURSOR, 5, 5])));
  await target.begin?.();
  return `${await sendAll(presenters, (n) => POLICIES[n % POLICIES.length], ms)} beside ${viewers.length} viewers`;
}

// ---- measures ----

const CROWD = 2500;

// Two crowds that do not move. All boids of one are just too far from all boids of the other, but near enough to a box around them. Those
// of a crowd are side by side.
function crowds() {
  const floats = (make) => Buffer.from(Float32Array.from({ length: 2 * CROWD }, (_, i) => make(i)).buffer);
  const still = floats(() => 0);
  const params = { neighbor_distance: 80, desired_separation: 0, max_speed: 0, max_force: 0, separation_weight: 0, alignment_weight: 0, cohesion_weight: 0, seek_weight: 0, flee_weight: 0, flee_distance: 1 };
  const x = floats((i) => (i === 1 ? 112 : i % 2 === 0 ? i / 10_000 : 57 + i / 10_000));
  const y = floats((i) => (i === 1 ? 57 : i % 2 === 0 ? 35 : 112));
  return recording([{ rounds: 30, boids: 2 * CROWD, flock: { params, x, y, vx: still, vy: still } }]);
}

// In rooms of four addresses, which also sweep.
async function measures(target, ms) {
  const bytes = crowds();
  const sweepers = [];
  for (let i = 0; i < 12; i += 1) {
    const from = at(target, `127.0.9.${1 + (i % 4)}`);
    const { room, error } = await upload(from, bytes);
    assert.ok(room !== undefined, `a room of his own: ${error}`);
    const [presenter] = await enter(from, 1, () => ({ room: room.code, key: room.key, topics: 0xffff }));
    presenter.write(Buffer.concat([[flock.LIVE], [flock.PICK, 7, true]].map(message)));
    sweepers.push(presenter);
  }
  await target.begin?.();
  await Promise.all(sweepers.map((socket) => flood(socket, message([flock.SWEEP, 'seek_weight', 0, 1, 64, 0, 120]), ms, 500)));
  return `${sweepers.length} rooms of four addresses, with all topics and sweeps`;
}

const MODEST = { boids: 2500, world: [120, 120] };

async function manyTopics(target, ms) {
  const make = async (i) => {
    const from = at(target, `127.0.2.${1 + (i % 8)}`);
    const room = await createRoom(from, MODEST);
    if (room === null) return false;
    const sockets = await enter(from, 4, (k) => ({ room: room.code, topics: 0xffff, ...(k === 0 ? { key: room.key } : {}) }));
    sockets.forEach((socket, k) => socket.write(message([flock.PICK, 100 * k, k === 0])));
    return true;
  };
  const made = [];
  for (let i = 0; i < 240; i += 8) made.push(...(await Promise.all(Array.from({ length: 8 }, (_, k) => make(i + k)))));
  await target.begin?.();
  await sleep(ms);
  return `${made.filter((good) => good).length} rooms`;
}

// ---- ends ----

// Rooms of eight addresses get one client each. All clients leave at once, so all rooms end at once.
async function ends(target, ms) {
  const sockets = [];
  let rooms = 0;
  const one = async (i) => {
    const from = at(target, `127.0.2.${1 + (i % 8)}`);
    const room = await createRoom(from, { boids: 2000 });
    if (room === null) return;
    rooms += 1;
    sockets.push(...(await enter(from, 1, () => ({ room: room.code }))));
  };
  for (let i = 0; i < 400; i += 8) await Promise.all(Array.from({ length: 8 }, (_, k) => one(i + k)));
  for (const socket of sockets) socket.destroy();
  await sleep(1500);
  await target.begin?.();
  await sleep(Math.max(ms, 3000));
  const { text } = await exchange(target, head(target, 'GET', '/healthz', ['Connection: close']));
  return `${rooms} rooms, ${text.match(/"rooms":(\d+)/)?.[1]} left`;
}

// ---- the network ----

async function metrics(target, ms) {
  for (let i = 0; i < 200; i += 1) await createRoom(at(target, `127.0.2.${1 + (i % 8)}`), { boids: 1 });
  const end = now() + ms;
  let count = 0;
  await target.begin?.();
  const repeat = async (i) => {
    const from = at(target, `127.0.8.${1 + (i % 16)}`);
    while (now() < end) {
      const { status } = await exchange(from, head(from, 'GET', '/metrics', ['Connection: close']), { quiet: 5000 });
      count += Number(status === 200);
    }
  };
  await Promise.all(Array.from({ length: 128 }, (_, i) => repeat(i)));
  return `${count} requests of 16 addresses`;
}

async function fragments(target, ms) {
  const sockets = await fill(target, 'lobby', 500, () => ({}));
  const bytes = Buffer.from([0x93, 2, 5, 5]); // a cursor
  const parts = Array.from(bytes, (byte, i) => frame(Buffer.from([byte]), { opcode: i === 0 ? 2 : 0, fin: i === bytes.length - 1 }));
  const batch = Buffer.concat(Array(8).fill(Buffer.concat(parts)));
  await target.begin?.();
  return sendBatches(sockets, () => batch, 32, ms);
}

const strict = { ...STRICT, begins: true };
const manyRooms = ['--rooms-per-hour', '1000'];

export const larges = [
  { name: 'names', about: 'presenters who rename each other beside thousands of viewers', ...strict, memory: 128, run: names },
  { name: 'names-presenters', about: 'viewers who rename themselves beside thousands of presenters', ...strict, memory: 128, run: manyPresenters },
  { name: 'names-lobby', about: 'viewers of the lobby who rename themselves beside its presenters', ...strict, needs: 'key', outside: true, run: lobbyNames },
  { name: 'policies', about: 'presenters who deal thousands of viewers into teams and turns', ...strict, memory: 128, run: policies },
  { name: 'measures', about: 'flocks whose measures compare all pairs of boids', ...strict, memory: 256, run: measures },
  { name: 'many-topics', about: 'picks and all topics in many rooms', ...strict, memory: 400, args: [...strict.args, ...manyRooms], run: manyTopics },
  { name: 'ends', about: 'hundreds of rooms that end at once', ...strict, memory: 400, outside: false, args: [...strict.args, ...manyRooms, '--room-idle', '3'], run: ends },
  { name: 'metrics', about: 'the metrics of many rooms without end', ...strict, args: [...strict.args, ...manyRooms], run: metrics },
  { name: 'fragments', about: 'messages in fragments of a byte', ...strict, run: fragments },
];
