// An attack with a crowd: bots come first and move all the time, to take each entry of presence.
import assert from 'node:assert/strict';
import { decode, encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import * as flock from '../e2e/messages.mjs';
import { join, message, now, openMany, sleep, welcomed } from './raw.mjs';
import { createRoom } from './rooms.mjs';

const BOTS = 128; // as many as are shown
const BOT_ADDRESSES = ['127.0.0.2', '127.0.0.3'];
const CLASS_ADDRESS = '127.0.0.4';
const CLASS = 20;
const LATE = 10;
const WAIT = 20_000; // ms until all must be shown

const QUIET = { rate: 1, boids: 1 }; // clients that take little of this process

// Lets someone in. Resolves to { socket, id }.
async function enter(target, fields, localAddress) {
  const socket = await join(target, { ...QUIET, ...fields }, { localAddress });
  const welcome = socket && (await welcomed(socket));
  assert.ok(welcome, `${fields.name} is in`);
  return { socket, id: welcome.id };
}

// A client that keeps the presence list. Resolves to { ids, close } when it has a list.
async function watch(target, fields, localAddress) {
  const ids = new Set();
  const socket = new WebSocket(target.ws, 'flock.v1', { perMessageDeflate: false, localAddress });
  socket.on('open', () => socket.send(encode(flock.hello({ ...QUIET, ...fields, encodings: ['plain'] }))));
  await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the viewer is out')));
    socket.on('message', (/** @type {Buffer} */ data) => {
      if (data[1] !== flock.PRESENCE) return;
      const [, since, , people, left] = /** @type {any} */ (decode(data));
      if (since === 0) ids.clear();
      for (const id of left) ids.delete(id);
      for (const [id] of people) ids.add(id);
      resolve(null);
    });
  });
  return { ids, close: () => socket.terminate() };
}

async function presence(target, ms) {
  const room = await createRoom(target, { boids: 50 });
  assert.ok(room !== null, 'a room');
  const bots = await openMany(target, BOTS, (i) => enter(target, { room: room.code, name: `bot ${i}` }, BOT_ADDRESSES[i % BOT_ADDRESSES.length]));
  let turn = 0;
  const move = (people) => people.forEach(({ socket }, i) => socket.write(message([flock.CURSOR, 10 + i, 10 + (turn % 50)])));
  const pupils = [];
  let viewer;
  const moving = setInterval(() => {
    turn += 1;
    move(bots);
    if (turn % 20 === 0) move(pupils.slice(0, CLASS));
  }, 50);
  try {
    const teacher = await enter(target, { room: room.code, key: room.key, name: 'teacher' }, CLASS_ADDRESS);
    const pupil = (i) => enter(target, { room: room.code, name: `pupil ${i}` }, CLASS_ADDRESS);
    pupils.push(...(await openMany(target, CLASS, pupil)));
    await sleep(ms);
    pupils.push(...(await openMany(target, LATE, (i) => pupil(CLASS + i)))); // they never move
    viewer = await watch(target, { room: room.code, name: 'viewer' }, CLASS_ADDRESS);
    const people = [teacher, ...pupils];
    const { ids } = viewer;
    const shown = () => people.filter(({ id }) => ids.has(id)).length;
    const end = now() + WAIT;
    while (shown() < people.length && now() < end) await sleep(50);
    assert.equal(shown(), people.length, 'all people are shown');
    await sleep(ms + 1000); // at least one more list
    assert.equal(shown(), people.length, 'all people are still shown');
    return `${people.length} of ${people.length} people in presence, beside ${bots.length} bots`;
  } finally {
    clearInterval(moving);
    viewer?.close();
  }
}

export const crowds = [{ name: 'presence', about: 'bots that take each entry of presence', short: true, needs: 'own', outside: true, args: ['--cursor-timeout', '1'], run: presence }];
