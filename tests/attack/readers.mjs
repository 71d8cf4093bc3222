// Attacks of clients that read nothing or too little.
import assert from 'node:assert/strict';
import * as flock from '../e2e/messages.mjs';
import { createRoom } from './rooms.mjs';
import { flood, join, message, now, openMany, sleep } from './raw.mjs';

const BIG = ['--boids', '5000'];

async function never(target, ms) {
  const sockets = await openMany(target, 150, () => join(target, { encodings: ['plain'] }, { reads: false }));
  await sleep(ms);
  return `${sockets.filter((socket) => socket !== null && !socket.gone).length} that never read`;
}

// Clients that read a few bytes every 100 ms.
async function slowly(target, ms) {
  const sockets = (await openMany(target, 60, () => join(target, { encodings: ['plain'] }, { reads: false }))).filter((socket) => socket !== null);
  const end = now() + ms;
  while (now() < end) {
    sockets.forEach((socket, i) => socket.read(100 + i * 20) ?? socket.read());
    await sleep(100);
  }
  const lost = sockets.filter((socket) => socket.gone).length;
  assert.equal(lost, 0, 'who reads slowly but steadily stays');
  return `${sockets.length} at 1 to 13 KB/s`;
}

async function neverInRooms(target, ms) {
  const rooms = [];
  for (let i = 0; i < 12; i += 1) rooms.push(await createRoom(target, { boids: 500 }));
  const made = rooms.filter((room) => room !== null);
  const sockets = await openMany(target, made.length * 10, (i) =>
    join(target, { room: made[i % made.length].code, encodings: ['plain'] }, { reads: false }),
  );
  await sleep(ms);
  return `${sockets.filter((socket) => socket !== null && !socket.gone).length} that never read, in ${made.length} rooms`;
}

// Alternates between reading nothing and reading all, so that the server often changes each stream.
async function eased(target, ms) {
  const sockets = (await openMany(target, 60, () => join(target, { encodings: ['plain'] }, { reads: false }))).filter((socket) => socket !== null);
  const end = now() + ms;
  for (let turn = 0; now() < end; turn += 1) {
    for (const socket of sockets) {
      if (turn % 2 === 0) while (socket.read() !== null);
      socket.write(message([flock.WANT, turn % 2 === 0 ? 0 : 1, turn % 3 === 0 ? 0 : 100]));
    }
    await sleep(250);
  }
  return `${sockets.length} clients`;
}

// Sends requests without reading the answers.
async function deaf(target, ms) {
  const sockets = (await openMany(target, 20, () => join(target, {}, { reads: false }))).filter((socket) => socket !== null);
  await Promise.all(sockets.map((socket) => flood(socket, message([flock.WANT, 30, 100]), ms, 2)));
  return `${sockets.length} clients`;
}

export const readers = [
  { name: 'never-readers', about: 'clients that never read, of 5,000 boids', short: true, args: BIG, run: never },
  { name: 'slow-readers', about: 'clients that read 1 to 13 KB/s, of 5,000 boids', args: BIG, run: slowly },
  { name: 'never-in-rooms', about: 'clients that never read, in many rooms', args: ['--rooms-per-hour', '1000'], run: neverInRooms },
  { name: 'eased', about: 'clients whose line turns bad and good, all at once', args: BIG, run: eased },
  { name: 'deaf', about: 'clients that ask and do not read the answers', run: deaf },
];
