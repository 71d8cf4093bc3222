// Attacks of many addresses at once: a crowd in the lobby, joins, heads of requests, and changes over HTTP.
import assert from 'node:assert/strict';
import * as flock from '../e2e/messages.mjs';
import { enter } from './members.mjs';
import { at, exchange, flood, frame, head, join, message, now, open, openMany, sleep, upgradeLines, welcomed } from './raw.mjs';
import { createRoom } from './rooms.mjs';
import { STRICT } from './target.mjs';

const addressOf = (target, i, count) => at(target, `127.0.12.${1 + (i % count)}`);
const manyAddresses = (target, i) => at(target, `127.20.${i % 12}.${1 + (Math.floor(i / 12) % 250)}`);

// ---- heads ----

// Heads of nearly 16 KB, which grow by a byte at a time and never end.
async function heads(target, ms) {
  const sockets = await openMany(target, 600, (i) => open(addressOf(target, i, 16)));
  const begin = head(target, 'GET', '/', Array.from({ length: 14 }, (_, i) => `x-${i}: ${'a'.repeat(1000)}`)).slice(0, -2);
  sockets.forEach((socket) => socket.write(begin));
  await target.begin?.();
  const end = now() + ms;
  const one = async (i) => {
    let bytes = 0;
    let socket = sockets[i];
    while (now() < end) {
      if (socket.gone || bytes > 1500) {
        socket.destroy();
        socket = await open(addressOf(target, i, 16));
        socket.write(begin);
        bytes = 0;
      }
      socket.write('a');
      bytes += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return bytes;
  };
  await Promise.all(sockets.map((_, i) => one(i)));
  return `${sockets.length} connections`;
}

// Heads that grow by a byte each ms, mostly in a packet of its own: to look at one packet, a kernel searches all of them. The first
// client stops in time to read the answer.
async function packets(target, ms) {
  const sockets = await openMany(target, 60, () => open(addressOf(target, 0, 1)));
  const text = head(target, 'GET', '/', [`x: ${'a'.repeat(14_000)}`]);
  const sent = sockets.map(() => 0);
  await target.begin?.();
  for (const end = now() + Math.max(ms, 6000); now() < end; await sleep(1)) {
    for (const [i, socket] of sockets.entries()) {
      if (!socket.gone && (i > 0 || sent[0] < 3000)) socket.write(text[sent[i]++]);
    }
  }
  assert.match(sockets[0].seen.toString(), /^HTTP.1.1 431 [^]*at most 1,024 packets/, `he is told why, after ${sent[0]} bytes`);
  return `${Math.max(...sent)} bytes each`;
}

// ---- the lobby ----

// Clients of many addresses join the lobby and leave, with long names, all topics and a stream of their own.
async function joins(target, ms) {
  const end = now() + ms;
  let count = 0;
  await target.begin?.();
  const one = async (i) => {
    for (let n = 0; now() < end; n += 1) {
      const socket = await join(addressOf(target, i, 40), { room: 'lobby', name: `${'ﷺ'.repeat(19)}${i % 10}${n % 100}`, encodings: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'packed'], rate: 1 + ((n + i) % 30), boids: 1 + (n % 12), topics: 0xffff });
      if (socket !== null && (await welcomed(socket, 3000)) !== null) count += 1;
      socket?.destroy();
    }
  };
  await Promise.all(Array.from({ length: 200 }, (_, i) => one(i)));
  return `${count} joins of 40 addresses`;
}

// Visitors of 8 addresses join the lobby with long names, 150 a second, and stay for a second.
async function longNames(target, ms) {
  const end = now() + ms;
  let count = 0;
  await target.begin?.();
  const one = async (i) => {
    for (let n = 0; now() < end; n += 1) {
      const name = `${'ﷺ'.repeat(19)}${String.fromCharCode(65 + (i % 26))}${n % 1000}`;
      const socket = await join(addressOf(target, i, 8), { room: 'lobby', name, encodings: ['packed'], topics: 0xffff });
      if (socket !== null && (await welcomed(socket, 3000)) !== null) count += 1;
      await sleep(1000);
      socket?.destroy();
    }
  };
  await Promise.all(Array.from({ length: 150 }, (_, i) => one(i)));
  return `${count} visits of 8 addresses`;
}

// 60 viewers of one address draw walls in turn, which everyone may: each wall sends everyone the room.
async function walls(target, ms) {
  const teacher = await join(target, { room: 'lobby', key: target.key });
  assert.ok(teacher !== null && (await welcomed(teacher)) !== null, 'the teacher is in');
  teacher.write(message([flock.SET, 'drawing', 'all']));
  const sockets = await enter(addressOf(target, 0, 1), 60, () => ({ room: 'lobby' }));
  await target.begin?.();
  const end = now() + Math.max(ms, 5000);
  let count = 0;
  for (; now() < end; await sleep(50)) {
    const n = count++ % sockets.length;
    sockets[n].write(message([flock.WALL, 5 * n, 50, 5 * n + 20, 90]));
  }
  return `${count} walls of ${sockets.length} viewers`;
}

// Cursors and asks of 2,000 clients of 20 addresses.
async function cursors(target, ms) {
  const sockets = [];
  for (let a = 0; a < 20; a += 1) sockets.push(...(await enter(addressOf(target, a, 20), 100, () => ({ room: 'lobby' }))));
  const batches = Array.from({ length: 16 }, (_, n) => Buffer.concat(Array.from({ length: 120 }, (_, k) => message([flock.CURSOR, (n * 120 + k) % 500, k]))));
  await target.begin?.();
  await Promise.all(sockets.map((socket, i) => flood(socket, (n) => batches[(n + i) % 16], ms, 500)));
  return `${sockets.length} clients, ${sockets.filter((socket) => socket.gone).length} of them closed`;
}

const VIEWERS = 9000;

// Viewers of 20 addresses that ask for one snapshot a second: the same one for all of them.
async function viewers(target, ms) {
  const sockets = await openMany(target, VIEWERS, (i) => join(addressOf(target, i, 20), { room: 'lobby', rate: 1 }));
  const last = sockets[VIEWERS - 1];
  assert.ok(last !== null && (await welcomed(last)) !== null, 'the last one is in');
  await target.begin?.();
  await sleep(Math.max(ms, 3000)); // a second has one such snapshot
  return `${sockets.filter((socket) => socket !== null && !socket.gone).length} viewers`;
}

// The same, and requests whose paths of 15 KB take long to read.
async function viewersAndPaths(target, ms) {
  let over = false;
  let count = 0;
  const text = head(target, 'GET', `/${'%41'.repeat(5000)}`, ['Connection: close']);
  const one = async (i) => {
    for (; !over; count += 1) await exchange(addressOf(target, i, 20), text, { quiet: 3000, ms: 5000 });
  };
  /** @type {Promise<void>[]} */
  let asking = [];
  const begin = async () => {
    await target.begin?.();
    asking = Array.from({ length: 400 }, (_, i) => one(i));
  };
  const said = await viewers(Object.assign(Object.create(target), { begin }), ms);
  over = true;
  await Promise.all(asking);
  return `${said}, ${count} requests`;
}

// Clients of 3,000 addresses in the lobby that send all cursors of a second in one moment, while a teacher is in from the good client's
// address.
async function bursts(target, ms) {
  const teacher = await join(at(target, '127.0.0.1'), { room: 'lobby', key: target.key });
  assert.ok(teacher !== null && (await welcomed(teacher)) !== null, 'the teacher is in');
  const sockets = await openMany(target, VIEWERS, (i) => join(manyAddresses(target, i), { room: 'lobby', rate: 1 }));
  const last = sockets[VIEWERS - 1];
  assert.ok(last !== null && (await welcomed(last)) !== null, 'the last one is in');
  const burst = Buffer.concat(Array.from({ length: 230 }, (_, n) => message([flock.CURSOR, n, n])));
  await target.begin?.();
  let count = 0;
  for (const end = now() + Math.max(ms, 6000); now() < end; await sleep(1000)) {
    for (const socket of sockets) {
      if (socket === null || socket.gone || socket.writableLength > 0) continue;
      socket.write(burst);
      count += 1;
    }
  }
  return `${count} bursts of ${VIEWERS} clients`;
}

// Lets a teacher in, from an address without attackers.
async function teach(target) {
  const teacher = await join(at(target, '127.0.0.77'), { room: 'lobby', key: target.key });
  assert.ok(teacher !== null && (await welcomed(teacher)) !== null, 'the teacher of a class is in');
}

// Clients of 1,500 addresses in the lobby that take all snapshots, ask for nearly as much as they may, and read the answers.
const ASKERS = 1500;
const ASKED = 230; // requests in a second: 240 are allowed
const PING = 0x89; // the first byte of a ping, which is a write of its own

async function answers(target, ms) {
  const sockets = await openMany(target, ASKERS, (i) => join(manyAddresses(target, i), { room: 'lobby', boids: 1 }));
  await teach(target);
  const last = sockets[ASKERS - 1];
  assert.ok(last !== null && (await welcomed(last)) !== null, 'the last one is in');
  const read = (socket) => socket?.removeAllListeners('data').on('data', (data) => data[0] === PING && socket.write(frame(data.subarray(2, 2 + data[1]), { opcode: 10 })));
  sockets.forEach(read);
  const burst = Buffer.concat(Array.from({ length: ASKED }, (_, n) => message([flock.NAME, 'ﷺ'.repeat(21), n % 2])));
  await target.begin?.();
  let count = 0;
  for (const end = now() + Math.max(ms, 8000); now() < end; await sleep(1000)) {
    for (const socket of sockets) {
      if (socket === null || socket.gone || socket.writableLength > 0) continue;
      socket.write(burst);
      count += ASKED;
    }
  }
  return `${count} requests of ${ASKERS} clients`;
}

// Visitors of 3,000 addresses who each say hello, ask for as much as a newcomer may in the same moment, and leave.
const VISITS = 18; // each 10 ms
const STAY = 1000; // ms

async function visits(target, ms) {
  const asks = Buffer.concat([message(flock.hello({ room: 'lobby', boids: 1, rate: 4 })), ...Array.from({ length: 460 }, (_, n) => message([flock.WANT, 1, 12, 511, n % 2]))]);
  const count = { visits: 0, asked: 0 };
  const visit = async (from) => {
    const socket = await open(from, { reads: false });
    if (socket.gone) return;
    count.visits += 1;
    socket.once('data', () => {
      socket.on('data', () => {});
      socket.write(asks);
      count.asked += 1;
      setTimeout(() => socket.destroy(), STAY);
    });
    socket.write(head(from, 'GET', '/ws', upgradeLines()));
  };
  await teach(target);
  await target.begin?.();
  const began = now();
  for (const end = began + Math.max(ms, 8000); now() < end; await sleep(10)) {
    for (const due = ((now() - began) / 10) * VISITS; count.visits < due; ) {
      await Promise.all(Array.from({ length: VISITS }, (_, i) => visit(manyAddresses(target, count.visits + i))));
    }
  }
  return `${count.asked} of ${count.visits} visitors asked`;
}

// Visitors of 3,000 addresses that say hello in one moment, take all topics, and leave.
async function hellos(target, ms) {
  const hello = message(flock.hello({ room: 'lobby', topics: 511 }));
  let count = 0;
  await teach(target);
  await target.begin?.();
  for (const end = now() + Math.max(ms, 8000); now() < end; ) {
    const sockets = [];
    for (let i = 0; i < 3000; i += 250) {
      sockets.push(...(await openMany(target, 250, (k) => open(manyAddresses(target, i + k)))));
    }
    const upgraded = sockets.map((socket) => new Promise((resolve) => socket?.once('data', resolve).once('close', resolve) ?? resolve(null)));
    for (const socket of sockets) socket?.write(head(target, 'GET', '/ws', upgradeLines()));
    await Promise.all(upgraded);
    for (const socket of sockets) socket?.write(hello);
    count += sockets.length;
    await sleep(STAY / 2);
    for (const socket of sockets) socket?.destroy();
  }
  return `${count} hellos`;
}

// Messages of a client of the lobby.
const MIXED = Buffer.concat([[flock.CURSOR, 100.5, 100.5], [flock.PICK, 3, false, 1], [flock.AWAY], [flock.WANT, 30, 5, 511, 1], [flock.PING, 1], [flock.NAME, 's', 1]].map(message));

// Runs these at the same time: people who send what they may, short requests, and joins.
async function mixture(target, ms) {
  const rooms = await openMany(target, 12, (i) => createRoom(addressOf(target, i, 2), { boids: 5000, world: [300, 300], model: 'vision' }));
  const presenters = await openMany(target, 12, (i) => join(addressOf(target, i, 2), { boids: 1, rate: 1, room: rooms[i].code, key: rooms[i].key }));
  assert.ok(presenters.every((socket) => socket !== null), 'presenters of busy rooms');
  const sockets = [];
  for (let a = 0; a < 16; a += 1) sockets.push(...(await enter(addressOf(target, a, 16), 48, () => ({ room: 'lobby' }))));
  await target.begin?.();
  const end = now() + Math.max(ms, 6000);
  const count = { requests: 0, joins: 0 };
  const ask = async (i) => {
    const from = at(target, `127.0.13.${1 + (i % 8)}`);
    for (; now() < end; count.requests += 1) await exchange(from, head(from, 'GET', '/healthz', ['Connection: close']), { quiet: 3000, ms: 5000 });
  };
  const come = async (i) => {
    for (; now() < end; count.joins += 1) (await join(at(target, `127.0.14.${1 + (i % 8)}`), { room: 'lobby' }))?.destroy();
  };
  const rewind = async (socket) => {
    for (let n = 0; now() < end && !socket.gone; n += 1) {
      socket.write(message(n % 8 === 0 ? [flock.REWIND, n % 16] : [flock.PLAY, n % 2 ? 16 : -16]));
      await sleep(60);
    }
  };
  const many = (times, one) => Array.from({ length: times }, (_, i) => one(i));
  await Promise.all([...sockets.map((socket) => flood(socket, MIXED, end - now(), 40)), ...presenters.map(rewind), ...many(64, ask), ...many(32, come)]);
  return `${sockets.length} people, ${presenters.length} busy rooms, ${count.requests} requests, ${count.joins} joins`;
}

// ---- HTTP ----

const BODY = JSON.stringify({ preset: 'murmuration', model: 'vision', boundary: 'walls', policy: 'teams', teams: '4', turn: '30', cursors: 'scare', viewers: 'steer', layers: 'trails+target+links', coloring: 'clusters', title: 'ﷺ'.repeat(20), parameters: { speed: 3 } });
const OTHER = JSON.stringify({ preset: 'sardines', update: 'sequential', attention: 'x'.repeat(160), newcomers: false, naming: false, listed: true, join_key: null });

// All changes at once, of dense rooms of 16 addresses.
async function patches(target, ms) {
  const rooms = [];
  for (let i = 0; i < 16; i += 1) {
    const room = await createRoom(addressOf(target, i, 16), { boids: 5000, world: [16, 16] });
    assert.ok(room !== null, 'a room of his own');
    rooms.push(room);
  }
  const end = now() + ms;
  const told = new Map();
  await target.begin?.();
  const one = async (i) => {
    const room = rooms[i % 16];
    const from = addressOf(target, i, 16);
    for (let n = i; now() < end; n += 1) {
      const body = n % 2 ? BODY : OTHER;
      const { status } = await exchange(from, head(from, 'PATCH', `/api/rooms/${room.code}`, [`Authorization: Bearer ${room.key}`, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close']) + body, { quiet: 5000 });
      told.set(status, (told.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 128 }, (_, i) => one(i)));
  return [...told].map(([status, count]) => `${count} × ${status}`).join(', ');
}

// The list of as many rooms as 17 addresses can make.
async function lists(target, ms) {
  let rooms = 0;
  const make = async (i) => {
    const room = await createRoom(addressOf(target, i, 17), { boids: 1, listed: true, title: 'ﷺ'.repeat(20) });
    rooms += Number(room !== null);
  };
  for (let i = 0; i < 850; i += 17) await Promise.all(Array.from({ length: 17 }, (_, k) => make(i + k)));
  const end = now() + ms;
  let count = 0;
  await target.begin?.();
  const one = async (i) => {
    const from = addressOf(target, i, 32);
    while (now() < end) {
      const { status } = await exchange(from, head(from, 'GET', '/api/rooms', ['Connection: close']), { quiet: 5000 });
      count += Number(status === 200);
    }
  };
  await Promise.all(Array.from({ length: 128 }, (_, i) => one(i)));
  return `${count} lists of ${rooms} rooms`;
}

// Requests and upgrades of many addresses, as fast as they go.
async function requests(target, ms) {
  const end = now() + ms;
  let count = 0;
  const texts = [
    head(target, 'GET', '/', ['If-None-Match: "x"', 'Range: bytes=0-1,3-4,5-6', 'Accept-Encoding: gzip, br, deflate', `Cookie: ${'c'.repeat(8000)}`, 'Connection: close']),
    head(target, 'GET', '/api/rooms/lobby', ['Connection: close']),
    head(target, 'GET', `/${'%2e%2e/'.repeat(1000)}`, ['Connection: close']),
  ];
  await target.begin?.();
  const one = async (i) => {
    for (let n = i; now() < end; n += 1) {
      await exchange(addressOf(target, i, 100), texts[n % texts.length], { quiet: 3000, ms: 5000 });
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 300 }, (_, i) => one(i)));
  return `${count} requests of 100 addresses`;
}

// Connections of 1,000 addresses send their requests for the page in one moment, each second.
async function moments(target, ms) {
  const text = head(target, 'GET', '/r/lobby', ['Connection: close']);
  let count = 0;
  await target.begin?.();
  for (const end = now() + Math.max(ms, 5000); now() < end; ) {
    const sockets = [];
    for (let i = 0; i < 2500; i += 250) {
      sockets.push(...(await openMany(target, 250, (k) => open(at(target, `127.21.${(i + k) % 4}.${1 + (((i + k) >> 2) % 250)}`)))));
      await sleep(50);
    }
    for (const socket of sockets) socket?.write(text);
    count += sockets.length;
    await sleep(400);
    for (const socket of sockets) socket?.destroy();
  }
  return `${count} requests`;
}

// ---- half-closed ----

async function halves(target, ms) {
  const sockets = [];
  for (let a = 0; a < 10; a += 1) sockets.push(...(await enter(addressOf(target, a, 10), 50, () => ({ room: 'lobby', rate: 30 }))));
  await target.begin?.();
  sockets.forEach((socket, i) => (i % 2 ? socket.end() : socket.end(message([flock.CURSOR, 5, 5]).subarray(0, 5))));
  const end = now() + ms;
  while (now() < end) {
    const more = await openMany(target, 100, (i) => open(addressOf(target, i, 10), { allowHalfOpen: true }));
    more.forEach((socket, i) => socket.end(i % 2 ? head(target, 'GET', '/api/rooms', []) : 'GET / HT'));
    await sleep(50);
  }
  return `${sockets.filter((socket) => socket.gone).length} of ${sockets.length} closed`;
}

const strict = { ...STRICT, begins: true };
const oneProcessor = { ...strict, gap: 65, command: ['taskset', '-c', '0'], args: [...strict.args, '--net-threads', '1'] };
const manyRooms = ['--rooms-per-hour', '1000'];

export const strangers = [
  { name: 'heads-bytewise', about: 'heads of requests that grow by a byte at a time', ...strict, run: heads },
  { name: 'heads-packets', about: 'heads of requests in packets of a byte', ...strict, run: packets },
  { name: 'joins-lobby', about: 'joins of 40 addresses, with long names and all topics', ...strict, run: joins },
  { name: 'walls-limited', about: 'viewers who draw walls, where the total bandwidth is limited', ...strict, args: [...strict.args, '--total-bandwidth', '1000'], run: walls },
  { name: 'visits-limited', about: 'visitors with long names, where the total bandwidth is limited', ...strict, args: [...strict.args, '--total-bandwidth', '1000'], run: longNames },
  { name: 'cursors-lobby', about: 'cursors of 2,000 clients of 20 addresses', ...strict, run: cursors },
  { name: 'viewers', about: '9,000 viewers of the lobby, of 20 addresses', ...oneProcessor, run: viewers },
  { name: 'viewers-paths', about: 'the same, and requests with paths of 15 KB', ...oneProcessor, run: viewersAndPaths },
  { name: 'cursors-bursts', about: 'cursors of 9,000 clients of 3,000 addresses, each second in one moment', ...oneProcessor, gap: 100, run: bursts },
  { name: 'answers-many', about: 'requests of 1,500 clients of 1,500 addresses that are answered', ...oneProcessor, gap: 100, answer: undefined, run: answers },
  { name: 'answers-visits', about: 'visitors of 3,000 addresses who ask for much and leave, 1,800 a second', ...oneProcessor, gap: 100, join: 1500, health: 400, api: 400, answer: undefined, run: visits },
  { name: 'hellos-moment', about: 'visitors of 3,000 addresses who say hello in one moment and take all topics', ...oneProcessor, gap: 100, run: hellos },
  { name: 'mixture', about: 'people who send all they may, requests, joins, and busy rooms', ...oneProcessor, gap: 100, memory: 192, run: mixture },
  { name: 'patches', about: 'changes of dense rooms over HTTP, of 16 addresses', ...strict, memory: 128, run: patches },
  { name: 'lists-full', about: 'the list of all rooms that 17 addresses can make', ...strict, memory: 128, args: [...strict.args, ...manyRooms], run: lists },
  { name: 'requests-many', about: 'requests of 100 addresses', ...strict, run: requests },
  { name: 'requests-moment', about: 'requests of 1,000 addresses in one moment, each second', ...strict, run: moments },
  { name: 'halves', about: 'connections of which one half is closed', ...strict, run: halves },
];
