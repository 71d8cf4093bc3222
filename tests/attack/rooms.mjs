// Attacks with rooms: too many rooms, guessed codes, a room that slows another room, and invalid bodies of requests.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import * as flock from '../e2e/messages.mjs';
import { bodyOf, exaggerate, exchange, flood, head, join, message, now, open, openMany, sleep } from './raw.mjs';
import { STRICT } from './target.mjs';

// Sends a body to the API. Resolves to { status, text }.
export function post(target, body, /** @type {any} */ { path = '/api/rooms', method = 'POST', lines = [], ...patience } = {}) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const all = ['Content-Type: application/json', `Content-Length: ${bytes.length}`, 'Connection: close', ...lines];
  return exchange(target, Buffer.concat([Buffer.from(head(target, method, path, all)), bytes]), { quiet: 300, ...patience });
}

// The created room, or null if the server refused it.
export async function createRoom(target, fields) {
  const { status, text } = await post(target, JSON.stringify(fields));
  return status === 201 ? JSON.parse(bodyOf(text)) : null;
}

const ALPHABET = '2346789FKLMRWXY';
const someCode = () => Array.from(randomBytes(6), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

async function creations(target, ms) {
  const end = now() + ms;
  const told = new Map();
  const one = async () => {
    while (now() < end) {
      const { status } = await post(target, '{"boids":5000,"listed":true}');
      told.set(status, (told.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 10 }, one));
  const others = [...told.keys()].filter((status) => ![201, 403, 409, 429, 503].includes(status));
  assert.deepEqual(others, [], 'each is made or refused');
  assert.ok((told.get(201) ?? 0) <= 60, `one address makes 60 an hour, and made ${told.get(201)}`);
  return [...told].map(([status, count]) => `${count} × ${status}`).join(', ');
}

async function codes(target, ms) {
  const end = now() + ms;
  let tries = 0;
  let found = 0;
  const overSockets = async () => {
    while (now() < end) {
      const socket = await join(target, { room: someCode() });
      tries += 1;
      if (socket === null) await sleep(20);
      else {
        await Promise.race([socket.ended, sleep(50)]);
        found += socket.seen[3] === flock.WELCOME ? 1 : 0;
        socket.destroy();
      }
    }
  };
  const overHttp = async () => {
    while (now() < end) {
      const { status } = await exchange(target, head(target, 'GET', `/api/rooms/${someCode()}`, ['Connection: close']), { quiet: 20 });
      tries += 1;
      found += status === 200 ? 1 : 0;
    }
  };
  await Promise.all([...Array.from({ length: 5 }, overSockets), ...Array.from({ length: 5 }, overHttp)]);
  return `${tries} codes, ${found} found`;
}

// The attacker makes a room as expensive as its presenter can, with many people.
async function starving(target, ms) {
  const room = await createRoom(target, { boids: 5000, model: 'birds', world: [16, 16] });
  assert.ok(room !== null, 'a room of his own');
  const presenter = await join(target, { room: room.code, key: room.key });
  assert.ok(presenter !== null);
  assert.ok((await exaggerate(presenter)) > 0, 'its parameters');
  const people = (await openMany(target, 40, () => join(target, { room: room.code, encodings: ['plain'] }))).filter((socket) => socket !== null);
  await Promise.all(people.map((socket, i) => flood(socket, (n) => message([flock.CURSOR, 100 + (i % 10), n % 300]), ms, 20)));
  return `${people.length} people among 5,000 boids`;
}

const deep = (depth, open, close) => open.repeat(depth) + close.repeat(depth);
const BODIES = [
  ...['', ' ', '{', '}', '[]', 'null', '"x"', '7', '{"title":}', '{"title":"a"', "{'title':'a'}", '{"title":"a"}{}', '{"title":"a"},', '\ufeff{}'],
  ...[deep(4000, '[', ']'), deep(1300, '{"a":', '}'), `{"parameters":${deep(1500, '{"a":', '}').replace('::', ':0')}}`],
  ...['{"boids":1e999}', '{"boids":-1}', '{"boids":1.5}', '{"boids":"5"}', '{"boids":99999999999999999999}', '{"boids":null}', '{"boids":0}'],
  ...['{"title":"\\u0000"}', '{"title":"a\\u0000b"}', '{"title":"\\ud800"}', '{"title":"\\u202e"}', `{"title":"${'x'.repeat(65)}"}`, '{"title":["a"]}'],
  ...['{"world":[1]}', '{"world":[1,2,3]}', '{"world":["a","b"]}', '{"world":[1e30,1e30]}', '{"world":{}}', '{"model":"none"}', '{"preset":7}'],
  ...['{"parameters":[]}', '{"parameters":{"x":1}}', '{"parameters":{"inertia":1e99}}', '{"parameters":{"inertia":"1"}}', '{"unknown":1}'],
  ...['{"title":"a","title":1}', '{"__proto__":{}}', '{"":1}', `{"${'k'.repeat(5000)}":1}`, '{"listed":"yes"}', '{"policy":"none"}', '{"boids":NaN}'],
].map((text) => Buffer.from(text));
const RAW_BODIES = [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.alloc(8192, 0x20), Buffer.alloc(8193, 0x20), Buffer.alloc(100), Buffer.from('{"title":"\xff"}', 'latin1')];

async function bodies(target) {
  const wrong = [];
  for (const body of [...BODIES, ...RAW_BODIES]) {
    const { status, text } = await post(target, body);
    const said = bodyOf(text);
    const explained = /^\{"error":\{"code":"[a-z]+","field":.*"message":".{10,}"\}\}/.test(said);
    if (status < 400 || status > 499 || !explained) wrong.push(`${body.toString('latin1').slice(0, 40)} (${body.length} bytes): ${status} ${said.slice(0, 60)}`);
  }
  assert.deepEqual(wrong, [], 'each request is refused with the reason');
  return `${BODIES.length + RAW_BODIES.length} bodies`;
}

const LATE = 500; // connections
const HELD = 300; // ms for which the last bytes of all bodies are missing
const ENDLESS = [
  `{"parameters":{${Array.from({ length: 800 }, (_, i) => `"a${i}":1`).join(',')}}}`,
  `{"parameters":{${Array.from({ length: 126 }, (_, i) => `"a${i}":${'7'.repeat(17)}.${'7'.repeat(35)}`).join(',')}}}`,
];

// Sends bodies that take long to read, whose last bytes come at the same moment, over and over.
async function lateBodies(target, ms) {
  const end = now() + ms;
  const told = new Map();
  for (let round = 0; now() < end; round += 1) {
    const body = ENDLESS[round % ENDLESS.length];
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const sockets = await openMany(target, LATE, async () => {
      const socket = await open(target);
      socket.write(head(target, 'POST', '/api/rooms', lines) + body.slice(0, -1));
      return socket;
    });
    await sleep(HELD);
    for (const socket of sockets) socket.write(body.slice(-1));
    await Promise.race([Promise.all(sockets.map((socket) => socket.ended)), sleep(5000)]);
    for (const socket of sockets) {
      const status = Number(socket.first?.toString('latin1').slice(9, 12) ?? 0);
      told.set(status, (told.get(status) ?? 0) + 1);
      socket.destroy();
    }
  }
  assert.deepEqual([...told.keys()].filter((status) => ![400, 429].includes(status)), [], 'each request is refused');
  return [...told].map(([status, count]) => `${count} × ${status}`).join(', ');
}

// Requests the list of many rooms without pause while one room changes.
async function lists(target, ms) {
  const rooms = [];
  for (let i = 0; i < 300; i += 1) rooms.push(await createRoom(target, { boids: 1, listed: true, title: `room ${i}` }));
  const made = rooms.filter((room) => room !== null);
  const end = now() + ms;
  let count = 0;
  const changing = async () => {
    for (let i = 0; now() < end; i += 1) {
      const lines = [`Authorization: Bearer ${made[0].key}`];
      await post(target, `{"title":"number ${i}"}`, { path: `/api/rooms/${made[0].code}`, method: 'PATCH', lines });
    }
  };
  const asking = async () => {
    while (now() < end) {
      const { status, text } = await exchange(target, head(target, 'GET', '/api/rooms', ['Connection: close']));
      if (status !== 200) continue;
      count += 1;
      assert.equal(text.split('"code":').length - 1, made.length + 1, 'all rooms are listed');
    }
  };
  await Promise.all([changing(), ...Array.from({ length: 6 }, asking)]);
  return `${count} lists of ${made.length} rooms`;
}

const CHANGES = [
  ['no key', [], 401],
  ['a key that is none', ['Authorization: Bearer no'], 403],
  ['another scheme', ['Authorization: Basic eDp5'], 401],
  ['a key of 4,000 bytes', [`Authorization: Bearer ${'k'.repeat(3000)}`], 403],
];

async function keysOfRooms(target, ms) {
  const end = now() + ms;
  const told = new Map();
  let tries = 0;
  const one = async () => {
    while (now() < end) {
      const lines = tries % 5 === 4 ? [`Authorization: Bearer guess${tries}key`] : CHANGES[tries % 5 % CHANGES.length][1];
      tries += 1;
      const { status } = await post(target, '{"title":"mine"}', { path: '/api/rooms/lobby', method: 'PATCH', lines });
      told.set(status, (told.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 6 }, one));
  assert.deepEqual([...told.keys()].filter((status) => ![401, 403, 429, 431, 503].includes(status)), [], 'none of them changes the room');
  return [...told].map(([status, count]) => `${count} × ${status}`).join(', ');
}

export const rooms = [
  { name: 'creations', about: 'rooms as fast as they can be made', short: true, run: creations },
  { name: 'codes', about: 'guessed codes of rooms', run: codes },
  { name: 'starving', about: 'a room as expensive as its presenter can make it', args: ['--sim-threads', '1'], run: starving },
  { name: 'bodies', about: 'bodies of the API that are none', short: true, run: bodies },
  { name: 'bodies-late', about: 'bodies of 500 requests that are complete at the same moment', short: true, ...STRICT, run: lateBodies },
  { name: 'lists', about: 'the list of many rooms, which changes, without end', args: ['--rooms-per-hour', '1000'], tight: ['--net-threads', '1'], run: lists },
  { name: 'room-keys', about: "guessed keys of the API's", run: keysOfRooms },
];
