// A disk without one free byte: a small file system of its own, which this test fills from outside. Mounting it needs root.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { call, createRoom, MANY_ROOMS, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import { join } from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'key-of-the-lobby';
const ROOMS = 40;

// Resolves to the folder of a file system of that size, or null if this machine does not let the test mount one.
function smallDisk(t, size) {
  const name = mkdtempSync(path.join(tmpdir(), 'flockd-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'flockd-test', name]);
  atEnd(t, () => {
    if (status === 0) assert.equal(spawnSync('umount', [name]).status, 0);
    rmdirSync(name);
  });
  return status === 0 ? name : null;
}

// Writes a file until the disk is full to the last byte.
function fill(disk) {
  const file = openSync(path.join(disk, 'of-others'), 'a');
  let size = 65536;
  while (size > 0) {
    try {
      writeSync(file, Buffer.alloc(size, 1));
    } catch (error) {
      assert.equal(error.code, 'ENOSPC');
      size = Math.floor(size / 2);
    }
  }
  closeSync(file);
}

// Takes every byte of the disk that becomes free, until the returned function is called.
function keepFull(disk) {
  const file = path.join(disk, 'of-others');
  const child = spawn('sh', ['-c', 'exec >> "$0"; while :; do printf %4096d 0; done', file], { stdio: 'ignore' });
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

const empty = (disk) => rmSync(path.join(disk, 'of-others'));

async function metric(server, name) {
  const text = await (await fetch(`${server.url}metrics`)).text();
  return Number(text.match(new RegExp(`^flockd_${name} (\\S+)$`, 'm'))?.[1]);
}

const stored = (server) => until('all is stored', async () => (await metric(server, 'store_waiting')) === 0, () => server.stderr);

// Waits until the store has tried to write what is queued now: successfully, or in an attempt that began after this call.
async function tried(server) {
  const before = await metric(server, 'store_failures_total');
  const past = async () => (await metric(server, 'store_waiting')) === 0 || (await metric(server, 'store_failures_total')) > before + 1;
  await until('the store has tried', past, () => server.stderr);
}

const there = async (server, rooms) => {
  const answers = await Promise.all(rooms.map((room) => call(server, 'GET', roomOf(room))));
  return rooms.filter((_, i) => answers[i].status === 200).map(({ code }) => code);
};

for (const signal of /** @type {const} */ (['SIGKILL', 'SIGTERM'])) {
  test(`rooms that end on a full disk stay ended after ${signal}`, async (t) => {
    const disk = smallDisk(t, '6m');
    if (disk === null) {
      t.skip('mounting a file system needs root');
      return;
    }
    const start = () => startServer(t, ['--data', path.join(disk, 'data'), '--checkpoint-interval', '0.1', '--presenter-key', KEY, '--max-rooms', '200', ...MANY_ROOMS]);
    const end = async (server) => {
      server.kill(signal);
      await server.ended;
    };
    let server = await start();
    const lives = await createRoom(server, { title: 'It lives', boids: 300 }, { key: KEY });
    const rooms = [];
    for (let i = 0; i < ROOMS; i++) {
      rooms.push(await createRoom(server, { boids: 300 }, { key: KEY }));
    }
    await stored(server);
    fill(disk);
    const stop = keepFull(disk);
    for (const room of rooms) {
      assert.equal((await call(server, 'DELETE', roomOf(room), { key: room.key })).status, 204);
    }
    await tried(server);
    await end(server);
    await stop();

    fill(disk);
    server = await start();
    assert.deepEqual(await there(server, rooms), [], 'no room is back while the disk is full');
    assert.deepEqual(await there(server, [lives]), [lives.code]);
    assert.equal((await call(server, 'GET', roomOf(lives))).body.title, 'It lives');
    const client = await join(t, server.ws, { room: lives.code, key: lives.key });
    assert.equal(client.role, 'presenter');
    client.socket.close();
    await tried(server);
    await end(server);

    empty(disk);
    server = await start();
    assert.deepEqual(await there(server, rooms), [], 'no room is back when the disk has space');
    const writes = await metric(server, 'store_writes_total');
    const later = await createRoom(server, { title: 'Later' }, { key: KEY });
    // The answer may come before the room waits to be written.
    await until('it is written', async () => (await metric(server, 'store_writes_total')) > writes, () => server.stderr);
    await stored(server);
    await end(server);
    server = await start();
    assert.deepEqual(await there(server, [...rooms, lives, later]), [lives.code, later.code]);
    assert.equal((await call(server, 'GET', roomOf({ code: 'lobby' }))).status, 200);
  });
}
