// A simulated server of flock.v1, whose messages the test chooses.
import { decode, encode } from '@msgpack/msgpack';
import { WebSocketServer } from 'ws';
import { atEnd } from './atend.mjs';
import * as flock from './messages.mjs';

export const WORLD = [550, 400];

export const ROOM = {
  ...{ code: 'lobby', title: '', instance: 1, model: 'swarm', boundary: 'open', update: 'synchronous', world: WORLD, quantum: 1 / 8 },
  ...{ tick_rate: 30, snapshot_rate: 30, policy: 'mean', idle: 'hold', cursor_timeout: 10, params: [] },
  ...{ people_max: 100, boids_max: 100_000, controls: [] },
};

export const WELCOME = {
  ...{ version: 1, server: 'fake', id: 1, token: new Uint8Array(16), name: 'x', color: 255, encoding: 'plain' },
  ...{ rate: 30, boids: 0, stride: 1, time: 0, capabilities: [] },
};

// Starts the server: { ws, heard, hello, time(), send(message), close(code, reason) }. It welcomes all clients, answers pings and
// stores all messages in `heard`. It calls hear(message, answer) for each message except hello and ping.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {{ welcome?: object, room?: object, hear?: (message: import('./types.d.ts').Message, answer: (message: import('./types.d.ts').Message) => void) => void }} options
 * @returns {Promise<import('./types.d.ts').Fake>}
 */
export async function startFake(t, { welcome = {}, room = {}, hear = () => {} } = {}) {
  const fake = /** @type {import('./types.d.ts').Fake} */ (/** @type {Partial<import('./types.d.ts').Fake>} */ ({ heard: [], hello: null }));
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/ws' });
  const began = performance.now();
  fake.time = () => Math.round((performance.now() - began) * 1000);
  fake.send = (message) => server.clients.forEach((socket) => socket.send(encode(message)));
  fake.close = (code, reason) => server.clients.forEach((socket) => socket.close(code, reason));
  server.on('connection', (socket) => {
    /** @param {import('./types.d.ts').Message} message */
    const answer = (message) => socket.send(encode(message));
    socket.on('message', (data) => {
      const message = /** @type {import('./types.d.ts').Message} */ (decode(/** @type {Buffer} */ (data)));
      if (message[0] === flock.HELLO) {
        answer([flock.WELCOME, { ...WELCOME, ...welcome, room: { ...ROOM, ...room } }]);
        fake.hello = message;
      } else if (message[0] === flock.PING) {
        answer([flock.PONG, message[1], fake.time()]);
      } else {
        fake.heard.push(message);
        hear(message, answer);
      }
    });
  });
  atEnd(t, () => {
    server.clients.forEach((socket) => socket.terminate());
    server.close();
  });
  await new Promise((resolve) => server.once('listening', () => resolve(null)));
  fake.ws = `ws://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/ws`;
  return fake;
}
