// Places for transfers of recordings, among several addresses.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import tls from 'node:tls';
import { call, createRoom, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import { createAuthority } from './authority.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';
import { recording } from '../attack/crafted.mjs';

const ELSEWHERE = '127.0.0.66';
const ONE = ['--max-transfers', '2', '--net-threads', '2']; // one place, and one for a key
const SIZE = 5 << 20;
const TOLD = /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*\{"error":\{"code":"full","field":"","message":"the transfer took long, [^]*another address/i;

// Begins to send a recording of `size` bytes. Resolves to the connection, the text that it receives, and whether it is closed.
async function send(t, server, bytes, size, { localAddress = '127.0.0.1', secure = false } = {}) {
  const how = { port: server.port, host: '127.0.0.1', localAddress };
  const socket = secure ? tls.connect({ ...how, rejectUnauthorized: false }) : net.connect(how);
  const upload = { socket, text: '', closed: false };
  atEnd(t, () => socket.destroy());
  socket.setEncoding('latin1').on('error', () => {});
  socket.on('data', (part) => (upload.text += part));
  socket.on('close', () => (upload.closed = true));
  await once(socket, secure ? 'secureConnect' : 'connect');
  socket.write(`POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\nContent-Length: ${size}\r\n\r\n`);
  socket.write(bytes);
  return upload;
}

// An address holds the only place with a part of an upload. flockd gives the place to another address, and answers the first with 503.
async function replace(t, server, secure) {
  const file = recording([{ rounds: 10 }]);
  const statusOf = async () => {
    const upload = await send(t, server, file, file.length, { secure });
    await until('an answer', () => upload.text !== '');
    upload.socket.destroy();
    return upload.text.slice(0, 12);
  };
  const hold = () => send(t, server, Buffer.alloc(1000), SIZE, { localAddress: ELSEWHERE, secure });
  let held = await hold();
  await until('the place is taken', async () => {
    if (held.text !== '' && !TOLD.test(held.text)) held = await hold(); // a probe had the place
    return (await statusOf()) === 'HTTP/1.1 503' || TOLD.test(held.text);
  });
  await until('the other address has it', async () => (await statusOf()) === 'HTTP/1.1 201');
  await until('the client is told', () => TOLD.test(held.text), () => held.text);
  held.socket.end(); // flockd may have closed it already
  await until('it is closed', () => held.closed);
  const again = await send(t, server, Buffer.alloc(SIZE), SIZE, { localAddress: ELSEWHERE, secure });
  await until('its memory is free', () => /^HTTP\/1\.1 400 /.test(again.text), () => again.text);
}

test('an address without a transfer gets the place of an upload that takes long', async (t) => {
  await replace(t, await startServer(t, [...ONE, '--rewind-memory', '16']), false); // 7 MiB for an address
});

test('… over TLS, too', async (t) => {
  const authority = await createAuthority(t);
  const pair = authority.install(await authority.issue({}));
  await replace(t, await startServer(t, [...ONE, '--rewind-memory', '16', ...pair]), true);
});

test('… or the place of a download that takes long', async (t) => {
  const file = recording([1, 2, 3].map(() => ({ rounds: 10, padding: 4_000_000 })));
  const server = await startServer(t, ONE);
  const { status, body: room } = await call(server, 'POST', '/api/rooms', { headers: { 'content-type': 'application/octet-stream' }, body: new Uint8Array(file) });
  assert.equal(status, 201);
  const slow = net.connect({ port: server.port, host: '127.0.0.1', localAddress: ELSEWHERE });
  atEnd(t, () => slow.destroy());
  slow.on('error', () => {});
  slow.write(`GET ${roomOf(room)}/recording HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${room.key}\r\n\r\n`);
  await once(slow, 'readable');
  assert.equal(String(slow.read(15)), 'HTTP/1.1 200 OK');
  const own = await createRoom(server);
  const member = await flock.join(t, server.ws, { room: own.code });
  await member.until('some ticks', () => member.snapshot.tick > 3);
  const take = async () => {
    const response = await fetch(new URL(`${roomOf(own)}/recording`, server.url), { headers: { authorization: `Bearer ${own.key}`, connection: 'close' } });
    return (await response.arrayBuffer()).byteLength > 0 && response.status === 200;
  };
  await until('the other address has it', take);
  let size = 0;
  slow.on('data', (part) => (size += part.length));
  await once(slow, 'close');
  assert.ok(size < file.length, 'the connection closes before the end of the file');
});
