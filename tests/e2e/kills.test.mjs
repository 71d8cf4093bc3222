// Kills flockd repeatedly while people steer. After each start all rooms are back, none older than its stored state. KILLS=200:
// 200 times.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { call, createRoom, MANY_ROOMS, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KILLS = Number(process.env.KILLS ?? 20);
const ROOMS = 4;
const MOST_LUCK = 400; // ms that a flockd runs on after all rooms are stored
const INTERVAL = 0.1; // s
const TICKS_KEPT = 30 * INTERVAL + 1; // in which the server stores a ticking room once
const MODELS = ['swarm', 'boids', 'vision', 'birds', 'steering'];

async function writes(server) {
  const text = await (await fetch(`${server.url}metrics`)).text();
  return Number(text.match(/^flockd_store_writes_total (\d+)$/m)[1]);
}

// A room with a presenter who steers.
async function enter(t, server, room) {
  const client = await flock.join(t, server.ws, { room: room.code, key: room.key });
  const timer = setInterval(() => client.send([flock.CURSOR, Math.random() * 500, Math.random() * 400]), 50);
  client.socket.on('close', () => clearInterval(timer));
  return client;
}

// Renames the room, notes its tick and boids, and waits until at least this state is stored.
async function keep(server, room, client) {
  room.title = `lesson ${Math.floor(Math.random() * 1e6)}`;
  assert.equal(await client.ask([flock.TITLE, room.title]), null);
  room.tick = client.snapshot.tick;
  room.boids = client.snapshot.boids.length;
  // The server stores it within the interval, when at most one other write is under way.
  await client.until('a checkpoint', () => client.snapshot.tick > room.tick + TICKS_KEPT);
  const before = await writes(server);
  await until('it is kept', async () => (await writes(server)) > before + 1);
}

test(`after each of ${KILLS} kills every room is back, not older than its stored state`, { timeout: KILLS * 15_000 }, async (t) => {
  const data = mkdtempSync(path.join(tmpdir(), 'flockd-kills-'));
  atEnd(t, () => rmSync(data, { recursive: true }));
  const start = () => startServer(t, ['--data', data, '--checkpoint-interval', String(INTERVAL), ...MANY_ROOMS]);
  const rooms = [];
  let server = await start();
  for (let kill = 0; kill < KILLS; kill++) {
    if (rooms.length === ROOMS) {
      const [oldest] = rooms.splice(0, 1);
      assert.equal((await call(server, 'DELETE', roomOf(oldest), { key: oldest.key })).status, 204);
    }
    rooms.push(await createRoom(server, { model: MODELS[kill % MODELS.length], boids: 20 + kill }));
    await Promise.all(rooms.map(async (room) => keep(server, room, await enter(t, server, room))));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * MOST_LUCK));
    server.kill('SIGKILL');
    await server.ended;
    server = await start();
    for (const room of rooms) {
      const { status, body } = await call(server, 'GET', roomOf(room));
      assert.equal(status, 200, `${room.code} is back after kill ${kill + 1}`);
      assert.equal(body.title, room.title);
      assert.equal(body.boids, room.boids);
      const client = await flock.join(t, server.ws, { room: room.code });
      assert.ok(client.snapshot.tick >= room.tick, `${room.code} is at tick ${client.snapshot.tick}, and was kept at ${room.tick}`);
      client.socket.close();
    }
  }
});
