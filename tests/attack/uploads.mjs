// Attacks with uploaded recordings: slow, huge, damaged, and many at the same time.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { exchange, head, now, open, sleep } from './raw.mjs';

const MAX = 32 << 20; // bytes of a recording
const GOOD = readFileSync(new URL('../recordings/boids.flock', import.meta.url));
const ANSWERS = [201, 400, 403, 409, 413, 429, 503];

const request = (target, length, query = '') =>
  Buffer.from(head(target, 'POST', `/api/rooms${query}`, ['Content-Type: application/octet-stream', `Content-Length: ${length}`, 'Connection: close']));

// Announces the largest upload, and sends one byte every 100 ms.
async function stall(target, end) {
  const socket = await open(target);
  socket.write(request(target, MAX));
  while (!socket.gone && now() < end) {
    socket.write(GOOD.subarray(0, 1));
    await Promise.race([sleep(100), socket.ended]);
  }
  socket.destroy();
}

// Disconnects during an upload.
async function leave(target) {
  const socket = await open(target);
  socket.write(request(target, MAX));
  socket.write(Buffer.alloc(1 << 20));
  await Promise.race([sleep(20), socket.ended]);
  socket.destroy();
}

function damaged() {
  const bytes = Buffer.from(GOOD);
  const at = randomBytes(4).readUInt32LE() % bytes.length;
  bytes[at] ^= 1 << (at % 8);
  return bytes;
}

const QUERIES = ['', '?title=a', '?title=%00', '?wings=2', '?title=a&title=b', `?title=${'x'.repeat(400)}`, `?${'a=1&'.repeat(20)}`, '?listed', '?%ff=%ff', '?join_key=%20'];

async function uploads(target, ms) {
  const end = now() + ms;
  const told = new Map();
  const note = ({ status }) => told.set(status, (told.get(status) ?? 0) + 1);
  const send = async (bytes, query, size = bytes.length) => note(await exchange(target, Buffer.concat([request(target, size, query), bytes]), { quiet: 300 }));
  const again = async (act) => {
    while (now() < end) await act();
  };
  const huge = Buffer.alloc(MAX);
  GOOD.copy(huge);
  let turn = 0;
  await Promise.all([
    stall(target, end),
    again(() => leave(target)),
    again(() => send(huge, '')),
    again(() => send(Buffer.alloc(1 << 16), '', MAX + 1)),
    ...Array.from({ length: 4 }, () => again(() => send(damaged(), QUERIES[turn++ % QUERIES.length]))),
    again(() => send(GOOD, '?listed=true')),
  ]);
  const others = [...told.keys()].filter((status) => !ANSWERS.includes(status) && status !== 0);
  assert.deepEqual(others, [], 'each is a room or refused');
  assert.ok((told.get(201) ?? 0) <= 60, `one address makes 60 rooms an hour, and made ${told.get(201)}`);
  return [...told].map(([status, count]) => `${count} × ${status}`).join(', ');
}

export const uploading = [{ name: 'uploads', about: 'recordings that are slow, huge, damaged or many', run: uploads }];
