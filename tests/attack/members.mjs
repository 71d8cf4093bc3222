// Many clients of a room that each send as much as they may.
import assert from 'node:assert/strict';
import { flood, join, openMany, welcomed } from './raw.mjs';

export const BATCH = 12; // messages in 50 ms: 240 a second are as many as a client may send
const BATCH_TIME = 50; // ms

const viewer = { boids: 1, rate: 1 }; // takes little of this process

// Lets that many clients in. fieldsOf(i): of the hello of each.
export async function enter(target, count, fieldsOf) {
  const one = async (i) => {
    const socket = await join(target, { ...viewer, ...fieldsOf(i) });
    assert.ok(socket !== null && (await welcomed(socket)) !== null, 'a client is in');
    return socket;
  };
  return openMany(target, count, one);
}

// All sockets send a batch of messages every 50 ms. batchOf(n, i): the bytes of the nth batch of socket i.
export async function sendBatches(sockets, batchOf, size, ms) {
  const times = await Promise.all(sockets.map((socket, i) => flood(socket, (n) => batchOf(n, i), ms, BATCH_TIME)));
  const gone = sockets.filter((socket) => socket.gone).length;
  return `${size * times.reduce((sum, each) => sum + each, 0)} messages of ${sockets.length} clients, ${gone} of them closed`;
}
