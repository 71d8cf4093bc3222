// Answers that their clients do not read, or read slowly. The file is longer than kernels buffer for a client that does not read.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';
import tls from 'node:tls';
import { atEnd } from './atend.mjs';
import { createAuthority } from './authority.mjs';
import { root, startServer } from './server.mjs';
import { until } from './until.mjs';

const ELSEWHERE = '127.0.0.66';
const NAME = readdirSync(`${root}/build/web`).find((name) => /^miniatures-.*\.js$/.test(name));
const FILE = readFileSync(`${root}/build/web/${NAME}`, 'latin1');
const GET = `GET /${NAME} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const PART = 4096; // bytes

// Requests the file, and reads nothing until read() is called: parts of PART bytes, with a pause (ms) between two.
async function ask(t, server, { request = GET, secure = false, localAddress = '127.0.0.1' } = {}) {
  let go = () => {};
  const onread = {
    buffer: Buffer.alloc(PART),
    callback(size, buffer) {
      client.text += buffer.latin1Slice(0, size);
      return go(), client.reads === 0;
    },
  };
  const socket = net.connect({ port: server.port, host: '127.0.0.1', localAddress, ...(secure ? {} : { onread }) });
  const stream = secure ? tls.connect({ socket, rejectUnauthorized: false }) : socket;
  const client = { text: '', reads: NaN, error: '', ended: false, closed: false, read };
  function read(pause) {
    client.reads = pause;
    go = pause === 0 ? () => {} : () => setTimeout(() => stream.resume(), pause);
    stream.resume();
  }
  atEnd(t, () => stream.destroy());
  stream.on('error', (error) => (client.error = error.code));
  stream.on('end', () => (client.ended = true));
  stream.on('close', () => (client.closed = true));
  if (secure) {
    stream.on('data', (bytes) => (client.text += bytes.latin1Slice()));
    await once(stream, 'secureConnect');
  } else {
    await once(stream, 'connect');
  }
  stream.pause();
  stream.write(request);
  return client;
}

// After a reset, libuv reports an error or only an end.
function assertPart(client) {
  assert.ok(client.text.length < FILE.length, `${client.text.length} bytes`);
}

async function countOf(server, name) {
  const metrics = await (await fetch(new URL('metrics', server.url))).text();
  return Number(metrics.match(new RegExp(`^flockd_${name} (\\d+)$`, 'm'))[1]);
}

function assertWhole(client) {
  assert.equal(client.error, '');
  assert.ok(client.text.endsWith(`\r\n\r\n${FILE}`), `${client.text.length} bytes`);
}

const openFiles = (server) => readdirSync(`/proc/${server.pid}/fd`).length;

test('flockd discards an answer that its client does not read, but no answer that it reads slowly', async (t) => {
  const server = await startServer(t, ['--net-threads', '1']);
  const idle = [await ask(t, server), await ask(t, server, { request: GET + GET }), await ask(t, server, { request: GET.replace('1.1', '1.0') })];
  const slow = await ask(t, server);
  slow.read(150);
  await until('the idle ones are closed', async () => (await countOf(server, 'guests_dawdled_total')) === 3);
  idle.forEach((client) => client.read(0));
  await until('their ends', () => idle.every((client) => client.closed));
  idle.forEach(assertPart);
  await until('the end of the slow one', () => slow.closed);
  assertWhole(slow);
});

test('… over TLS, too', async (t) => {
  const authority = await createAuthority(t);
  const server = await startServer(t, ['--net-threads', '1', ...authority.install(await authority.issue({}))]);
  const idle = await ask(t, server, { secure: true });
  const soon = await ask(t, server, { secure: true });
  const files = openFiles(server);
  soon.read(0);
  await until('the end', () => soon.closed);
  assertWhole(soon);
  await until('both are closed', () => openFiles(server) <= files - 2, () => openFiles(server));
  idle.read(0);
  await until('its end', () => idle.closed);
  assertPart(idle);
});

test('the end of an answer comes with its last byte', async (t) => {
  const server = await startServer(t, ['--net-threads', '1']);
  const files = openFiles(server);
  const client = await ask(t, server);
  await until('the answer lingers', async () => (await countOf(server, 'http_bytes_sent_total')) >= FILE.length);
  server.kill('SIGSTOP'); // it has told the kernel already that nothing follows
  client.read(0);
  await until('the end', () => client.ended, () => client.text.length);
  server.kill('SIGCONT');
  await until('it is closed', () => client.closed);
  assertWhole(client);
  await until('its descriptor is closed', () => openFiles(server) <= files);
});

test('of unread answers, an address loses its own beyond 512', async (t) => {
  const server = await startServer(t, ['--net-threads', '1', '--address-limit', '0']);
  const files = openFiles(server);
  const early = await ask(t, server);
  early.read(150);
  const crowd = await Promise.all(Array.from({ length: 700 }, () => ask(t, server, { localAddress: ELSEWHERE })));
  await until('others had to go', async () => (await countOf(server, 'guests_displaced_total')) >= 180);
  assert.ok(openFiles(server) <= files + 520, `${openFiles(server)} descriptors`);
  crowd.forEach((client) => client.read(0));
  await until('all ends', () => crowd.every((client) => client.closed));
  assert.ok(crowd.filter(({ text }) => text.length < FILE.length).length >= 180);
  await until('the end of the early one', () => early.closed);
  assertWhole(early);
});
