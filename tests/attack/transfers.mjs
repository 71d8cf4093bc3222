// Attacks with transfers of recordings: large ones without end, and places that are held with a byte at a time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { at, exchange, head, join, now, open, sleep, welcomed } from './raw.mjs';
import { createRoom } from './rooms.mjs';
import { recording } from './crafted.mjs';
import { crowded, lateRefused, upload } from './recordings.mjs';
import { STRICT } from './target.mjs';

const GOOD = readFileSync(new URL('../recordings/boids.flock', import.meta.url));
const PATIENCE = { quiet: 20_000 }; // ms: the server closes the connection after its answer
const keyed = (key) => [`Authorization: Bearer ${key}`, 'Connection: close'];
const recordingOf = (target, room, method = 'GET') => head(target, method, `/api/rooms/${room.code}/recording`, keyed(room.key));

// ---- large downloads ----

const SIZE = 30e6; // bytes

async function heads(target, ms) {
  const { room, error, bytes } = await upload(target, crowded());
  assert.ok(room !== undefined && bytes > SIZE, `a room with ${bytes} bytes: ${error}`);
  await target.begin?.();
  const end = now() + ms;
  const told = new Map();
  const repeat = async (method) => {
    while (now() < end) {
      const { status } = await exchange(target, recordingOf(target, room, method), PATIENCE);
      told.set(`${method} ${status}`, (told.get(`${method} ${status}`) ?? 0) + 1);
    }
  };
  await Promise.all(['HEAD', 'HEAD', 'GET', 'GET'].map(repeat));
  assert.ok(told.get('HEAD 200') > 0 && told.get('GET 200') > 0, `some are answered: ${[...told]}`);
  return `${(bytes / 1e6).toFixed(1)} MB: ${[...told].map(([what, count]) => `${count} × ${what}`).join(', ')}`;
}

// ---- held places ----

const HOLDERS = 4;
const LANES = 3; // of an address, each for uploads and for downloads
const MAX = 32 << 20; // bytes of an upload
const OTHER_TIME = 1000; // ms for a small transfer from another address

const TURN = 100; // ms

// Announces the largest upload and sends a part of it every 100 ms, again after each refusal.
async function holdUpload(target, end, held, part = GOOD.subarray(0, 1)) {
  while (now() < end) {
    const socket = await open(target);
    socket.write(head(target, 'POST', '/api/rooms', ['Content-Type: application/octet-stream', `Content-Length: ${MAX}`]));
    held.uploads += 1;
    while (!socket.gone && !socket.halved && socket.taken === 0 && now() < end) {
      socket.write(part);
      await Promise.race([sleep(TURN), socket.ended]);
    }
    socket.destroy();
  }
}

// Reads a recording slowly, again after each refusal.
async function holdDownload(target, room, end, held, part = 1) {
  while (now() < end) {
    const socket = await open(target, { reads: false });
    socket.write(recordingOf(target, room));
    const begun = await Promise.race([new Promise((resolve) => socket.once('readable', () => resolve(`${socket.read(15)}`))), socket.ended, sleep(end - now())]);
    if (begun === 'HTTP/1.1 200 OK') {
      held.downloads += 1;
      while (!socket.gone && now() < end) {
        socket.read(Math.min(part, socket.readableLength));
        await Promise.race([sleep(TURN), socket.ended]);
      }
    }
    socket.destroy();
    await sleep(20);
  }
}

// Asks for transfers of others, in turn and one at a time, so that these do not take places from each other. Adds to each of them the
// times (ms) of its transfers, or the statuses of refusals.
async function askInTurn(others, end) {
  while (now() < end) {
    for (const other of others) {
      const began = now();
      const { status } = await exchange(other.from, other.bytes, PATIENCE);
      if (status === 200 || status === 201) other.times.push(Math.round(now() - began));
      else other.refusals.push(status);
      await sleep(50);
    }
  }
}

const goodUpload = (target, lines) =>
  Buffer.concat([Buffer.from(head(target, 'POST', '/api/rooms', ['Content-Type: application/octet-stream', `Content-Length: ${GOOD.length}`, ...lines])), GOOD]);

async function places(target, ms) {
  const addresses = Array.from({ length: HOLDERS }, (_, i) => at(target, `127.0.4.${i + 1}`));
  const held = { uploads: 0, downloads: 0 };
  const rooms = [];
  for (const from of addresses) {
    const { room, error } = await upload(from, crowded());
    assert.ok(room !== undefined, `each has a large recording: ${error}`);
    rooms.push(room);
  }
  const stranger = at(target, '127.0.4.100');
  const teacher = at(target, '127.0.4.101');
  const own = await createRoom(stranger, { boids: 10 });
  assert.ok(own !== null, 'a room of somebody else');
  const member = await join(stranger, { room: own.code });
  assert.ok(member !== null && (await welcomed(member)) !== null, 'its past begins');
  const end = now() + ms + 1000;
  const holding = addresses.flatMap((from, i) => Array.from({ length: LANES }, () => [holdUpload(from, end, held), holdDownload(from, rooms[i], end, held)]).flat());
  const begun = now();
  while ((held.uploads < HOLDERS || held.downloads < HOLDERS) && now() < begun + 20_000) await sleep(20);
  assert.ok(held.uploads >= HOLDERS && held.downloads >= HOLDERS, `places are held: ${JSON.stringify(held)}`);
  await target.begin?.();
  const other = (what, from, bytes) => ({ what, from, bytes, times: /** @type {number[]} */ ([]), refusals: /** @type {number[]} */ ([]) });
  const lobby = { code: 'lobby', key: target.key };
  const uploads = [other('uploads', stranger, goodUpload(stranger, ['Connection: close'])), other("teacher's uploads", teacher, goodUpload(teacher, keyed(target.key)))];
  const downloads = [other('downloads', stranger, recordingOf(stranger, own)), other("teacher's downloads", teacher, recordingOf(teacher, lobby))];
  await Promise.all([askInTurn(uploads, end), askInTurn(downloads, end)]);
  await Promise.all(holding);
  const all = [...uploads, ...downloads];
  const said = all.map(({ what, times, refusals }) => `${times.length} of ${times.length + refusals.length} ${what} within ${Math.max(0, ...times)} ms${refusals.length > 0 ? ` (${[...new Set(refusals)]})` : ''}`).join(', ');
  assert.ok(all.every(({ times, refusals }) => refusals.length === 0 && Math.max(0, ...times) <= OTHER_TIME), `others have places: ${said}`);
  return `${said}, beside ${held.uploads} uploads and ${held.downloads} downloads of ${HOLDERS} addresses`;
}

// ---- places that are held above the least rate ----

const PART = 2 << 10; // bytes each 100 ms
const SLOW = 6; // addresses: as many as there are places without a key, of eight
const HELD_TIME = 1300; // ms: a transfer gives way 1.1 s after the client's kernel has taken megabytes
const REST_TIME = 400; // ms
const FIRST_TIME = 500; // ms for the first transfer of an address
const OWN = recording([{ rounds: 10, padding: 100_000 }]);
const OWN_PART = 25 << 10; // bytes each 100 ms

// People upload and download a recording, each for the first time and once.
async function newcomers(target, room, end) {
  const told = { uploads: /** @type {number[]} */ ([]), downloads: /** @type {number[]} */ ([]), refusals: /** @type {number[]} */ ([]) };
  for (let i = 1; now() < end; i += 1) {
    const from = at(target, `127.0.${8 + (i >> 8)}.${i & 255}`);
    const both = [
      { times: told.uploads, bytes: goodUpload(from, ['Connection: close']) },
      { times: told.downloads, bytes: recordingOf(from, room) },
    ];
    await Promise.all(
      both.map(async ({ times, bytes }) => {
        const began = now();
        const { status } = await exchange(from, bytes, PATIENCE);
        if (status === 200 || status === 201) times.push(Math.round(now() - began));
        else told.refusals.push(status);
      }),
    );
    await sleep(50);
  }
  return told;
}

// Uploads a recording of 100 KB in 0.4 s, again and again from one address. Resolves to the statuses of the answers.
async function uploadAgain(from, end) {
  const statuses = [];
  const lines = ['Content-Type: application/octet-stream', `Content-Length: ${OWN.length}`, 'Connection: close'];
  while (now() < end) {
    const socket = await open(from);
    socket.write(head(from, 'POST', '/api/rooms', lines));
    for (let at = 0; at < OWN.length && !socket.gone && socket.taken === 0; at += OWN_PART) {
      socket.write(OWN.subarray(at, at + OWN_PART));
      await Promise.race([sleep(TURN), socket.ended]);
    }
    await socket.ended;
    statuses.push(Number(`${socket.first}`.slice(9, 12)));
    socket.destroy();
  }
  return statuses;
}

// Addresses fill all places, a little faster than the least rate, and come again at once. After `before` ms others come.
const slow = (addresses, before) => async (target, ms) => {
  const holders = Array.from({ length: addresses }, (_, i) => at(target, `127.0.6.${i + 1}`));
  const { room, error } = await upload(holders[0], crowded());
  assert.ok(room !== undefined, `a large recording: ${error}`);
  const own = await createRoom(at(target, '127.0.7.1'), { boids: 10 });
  assert.ok(own !== null, 'a room of somebody else');
  const member = await join(at(target, '127.0.7.1'), { room: own.code });
  assert.ok(member !== null && (await welcomed(member)) !== null, 'its past begins');
  const held = { uploads: 0, downloads: 0 };
  const end = now() + before + ms + REST_TIME;
  const part = Buffer.alloc(PART);
  const holding = [...holders, ...holders].flatMap((from) => [holdUpload(from, end, held, part), holdDownload(from, room, end, held, PART)]);
  const begun = now();
  while ((held.uploads < SLOW || held.downloads < SLOW) && now() < begun + 20_000) await sleep(20);
  assert.ok(held.uploads >= SLOW && held.downloads >= SLOW, `places are held: ${JSON.stringify(held)}`);
  await sleep(before);
  await target.begin?.();
  const [{ uploads, downloads, refusals }, again] = await Promise.all([newcomers(target, own, end), uploadAgain(at(target, '127.0.7.2'), end)]);
  await Promise.all(holding);
  const longest = Math.max(0, ...uploads, ...downloads);
  const said = `${uploads.length} uploads and ${downloads.length} downloads of as many addresses within ${longest} ms, ${refusals.length} refused (${[...new Set(refusals)]}), ${again.length} uploads of one address (${[...new Set(again)]}), beside ${held.uploads} uploads and ${held.downloads} downloads of ${addresses}`;
  assert.ok(uploads.length > 0 && downloads.length > 0 && refusals.length === 0 && longest <= FIRST_TIME, said);
  assert.ok(again.length > 1 && again.every((status) => status === 201), said);
  return said;
};

// ---- recordings that take long to check ----

const CHECKERS = 6; // addresses
const MAKE_TIME = 500; // ms to make a room with the server's key

// Several addresses upload recordings without end, and a teacher makes rooms.
async function checks(target, ms) {
  const bytes = lateRefused();
  const end = now() + ms;
  const told = { checked: 0, refused: new Set() };
  const check = async (from) => {
    while (now() < end) {
      const { error } = await upload(from, bytes);
      told.checked += Number(/--max-clients/.test(error));
      told.refused.add(error.slice(0, 60));
    }
  };
  const checking = Array.from({ length: CHECKERS }, (_, i) => check(at(target, `127.0.5.${i + 1}`)));
  const teacher = at(target, '127.0.5.100');
  const times = [];
  await target.begin?.();
  while (now() < end) {
    const began = now();
    const { status } = await exchange(teacher, Buffer.concat([Buffer.from(head(teacher, 'POST', '/api/rooms', ['Content-Type: application/json', 'Content-Length: 11', ...keyed(target.key)])), Buffer.from('{"boids":5}')]), PATIENCE);
    assert.equal(status, 201, 'the teacher gets a room');
    times.push(Math.round(now() - began));
    await sleep(100);
  }
  await Promise.all(checking);
  const said = `${times.length} rooms of a teacher within ${Math.max(...times)} ms beside ${told.checked} checked recordings of ${CHECKERS} addresses`;
  assert.ok(told.checked > 0, `recordings are checked: ${[...told.refused]}`);
  assert.ok(Math.max(...times) <= MAKE_TIME, said);
  return said;
}

const strict = { ...STRICT, begins: true };
const EIGHT = ['--max-transfers', '8']; // six places without a key

export const transfers = [
  { name: 'film-checks', about: 'recordings that take long to check', ...strict, needs: 'key', outside: true, memory: 400, args: [...strict.args, '--rooms-per-hour', '1000'], run: checks },
  { name: 'film-heads', about: 'downloads of a recording of 31 MB, and requests for its head alone', ...strict, memory: 96, run: heads },
  { name: 'held-transfers', about: 'four addresses hold all the places for transfers that they get', ...strict, tight: EIGHT, needs: 'key', outside: true, memory: 250, args: [...strict.args, '--rooms-per-hour', '1000'], run: places },
  { name: 'slow-transfers', about: 'six addresses hold all places for transfers, above the least rate', ...strict, tight: EIGHT, outside: true, short: true, alone: true, memory: 250, run: slow(SLOW, HELD_TIME) },
  { name: 'slow-returning', about: 'sixteen addresses hold places for transfers in turn, above the least rate', ...strict, tight: EIGHT, outside: true, memory: 250, run: slow(16, 4000) },
  { name: 'slow-crowd', about: 'sixty-four addresses hold places for transfers in turn, above the least rate', ...strict, outside: true, memory: 250, run: slow(64, 8000) },
];
