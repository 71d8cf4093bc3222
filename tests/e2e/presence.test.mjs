// The people shown in a room with more than 128: the list is stable and full. tests/unit/test_room_presence.c tests its cost, and the
// rate of names, in simulated time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const SHOWN = 128;
const MOVING = 150;

// A person who moves a cursor and reads one snapshot a second, which costs this process little. Resolves to { id, send, leave }.
async function mover(t, server, name) {
  const socket = new WebSocket(server.ws, 'flock.v1', { perMessageDeflate: false });
  atEnd(t, () => socket.terminate());
  socket.on('error', () => {});
  const send = (message) => socket.send(encode(message));
  socket.on('open', () => send(flock.hello({ name, rate: 1, boids: 1, encodings: ['packed'] })));
  const id = await new Promise((resolve, reject) => {
    socket.on('close', () => reject(new Error('it was not let in')));
    socket.on('message', (/** @type {Buffer} */ data) => data[1] === flock.WELCOME && resolve(/** @type {any} */ (decode(data))[1].id));
  });
  return { id, send, leave: () => socket.close() };
}

// Counts the watcher's presence messages from now on.
function count(watcher) {
  const sums = { presences: 0, named: new Set(), names: [], left: 0 };
  watcher.socket.on('message', (data) => {
    if (data[1] !== flock.PRESENCE) return;
    const [, , , people, left] = /** @type {any} */ (decode(data));
    sums.presences++;
    sums.left += left.length;
    for (const [id, name] of people.filter((person) => person.length > 2)) {
      sums.named.add(id);
      sums.names.push(name);
    }
  });
  return sums;
}

// At each tick that the watcher sees, moves a tenth of the cursors and calls also(). Ends after that number of the server's seconds,
// when all have moved.
async function moveFor(seconds, watcher, movers, also = (/** @type {number} */ _tick) => {}) {
  const { time } = watcher.snapshot;
  let last = -1;
  let turn = 0;
  await watcher.until(`${seconds} s of moving`, () => {
    const { tick } = watcher.snapshot;
    if (tick === last) return false;
    movers.forEach(({ send }, i) => i % 10 === turn % 10 && send([flock.CURSOR, 20 + 3 * i, 50 + (tick % 200)]));
    last = tick;
    turn++;
    also(tick);
    return turn >= 10 && watcher.snapshot.time > time + seconds * 1e6;
  });
}

test('with 150 people who move and one who takes new names, the shown people stay the same', async (t) => {
  const server = await startServer(t, ['--cursor-timeout', '600']); // all move, also on a slow machine
  const renaming = await mover(t, server, 'Name 0');
  const watcher = await flock.join(t, server.ws, { name: 'Watcher' });
  const movers = [renaming];
  while (movers.length < MOVING) movers.push(...(await Promise.all(Array.from({ length: 10 }, (_, i) => mover(t, server, `Mover ${movers.length + i}`)))));
  for (let round = 0; round < 2; round++) await moveFor(1.1, watcher, movers); // it gets a list once a second
  await watcher.until('as many as can be are shown', () => watcher.people.size === SHOWN);
  await watcher.until('all are counted', () => watcher.snapshot.people === movers.length + 1);

  const ids = () => [...watcher.people.keys()].sort((a, b) => a - b);
  const shown = ids();
  const { time } = watcher.snapshot;
  const sums = count(watcher);
  await moveFor(4, watcher, movers, (tick) => tick % 10 === 0 && renaming.send([flock.NAME, `Name ${tick}`]));
  const seconds = (watcher.snapshot.time - time) / 1e6;
  assert.ok(sums.presences <= seconds + 1, `${sums.presences} in ${seconds} s`);
  assert.deepEqual(ids(), shown, 'those who are shown stay');
  assert.equal(sums.left, 0);
  assert.ok([...sums.named].every((id) => id === renaming.id), `of nobody else a name was sent: ${[...sums.named]}`);
  for (const id of watcher.snapshot.cursors.keys()) assert.ok(watcher.people.has(id), `the cursor of ${id}, who is not shown`);
  const names = new Set(sums.names);
  assert.ok(names.size <= seconds / 3 + 1, `a name every three seconds: ${[...names]}`);

  const leaving = movers.filter(({ id }) => watcher.people.has(id)).slice(0, 10);
  leaving.forEach(({ leave }) => leave());
  const staying = movers.filter((each) => !leaving.includes(each));
  const gone = new Set(leaving.map(({ id }) => id));
  await watcher.until('they are counted no more', () => watcher.snapshot.people === staying.length + 1);
  await moveFor(1, watcher, staying);
  await watcher.until('others are shown instead', () => watcher.people.size === SHOWN && leaving.every(({ id }) => !watcher.people.has(id)));
  assert.ok(ids().every((id) => !gone.has(id)));
  assert.deepEqual(ids().filter((id) => shown.includes(id)), shown.filter((id) => !gone.has(id)), 'and nobody else has gone');

  // All shown people keep moving, so Late is not shown. Late gets its own name, and whether its cursor is active.
  const late = await flock.join(t, server.ws, { name: 'Late', rate: 1 });
  await late.until('the list', () => late.people.size === SHOWN);
  assert.ok(!late.people.has(late.id));
  assert.equal(await late.ask([flock.NAME, 'Later']), null);
  const told = moveFor(1, watcher, [...staying, late]);
  await late.until('what it is', () => late.self?.name === 'Later' && late.self.flags === flock.ACTIVE);
  await told;
  assert.ok(!late.people.has(late.id));
});

test('with few people the list has all of them, yourself included', async (t) => {
  const server = await startServer(t);
  const clients = await Promise.all(Array.from({ length: 12 }, (_, i) => flock.join(t, server.ws, { name: `Number ${i}` })));
  for (const client of clients) {
    await client.until('all twelve', () => clients.every(({ id, welcome }) => client.people.get(id)?.name === welcome.name));
    assert.equal(client.people.size, 12);
  }
});

test('presence comes at most once a second, and at most once a snapshot', async (t) => {
  const server = await startServer(t);
  const watcher = await flock.join(t, server.ws);
  const rare = await flock.connect(t, server.ws);
  const order = []; // messages to the client with one snapshot a second
  rare.socket.on('message', (data) => order.push(data[1]));
  rare.send(flock.hello({ rate: 1 }));
  await rare.until('a snapshot', () => rare.snapshot);
  const coming = await flock.join(t, server.ws);
  const sums = count(watcher);
  const { time } = watcher.snapshot;
  await moveFor(3, watcher, [], (tick) => coming.send(tick % 50 < 25 ? [flock.CURSOR, 100 + (tick % 50), 100] : [flock.AWAY]));
  const seconds = (watcher.snapshot.time - time) / 1e6;
  assert.ok(sums.presences > 0 && sums.presences <= seconds + 1, `${sums.presences} in ${seconds} s`);
  const of = (type) => order.filter((each) => each === type).length;
  assert.ok(of(flock.PRESENCE) <= of(flock.SNAPSHOT) + 1, `${of(flock.PRESENCE)} with ${of(flock.SNAPSHOT)} snapshots`);
});
