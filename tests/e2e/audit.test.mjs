// The audit log has the lines that docs/AUDIT.md shows, and no key or token.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { call, createRoom, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { root, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const { connect, hello, join, refused } = flock;
const KEY = 'key-of-the-lobby';
const PAGE = readFileSync(path.join(root, 'docs/AUDIT.md'), 'utf8');

function folder(t) {
  const made = mkdtempSync(path.join(tmpdir(), 'flockd-audit-'));
  atEnd(t, () => rmSync(made, { recursive: true }));
  return made;
}

test('flockd writes the lines of docs/AUDIT.md', async (t) => {
  const file = path.join(folder(t), 'audit.log');
  const server = await startServer(t, ['--audit-log', file]);
  const written = () => readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  const recorded = (count) => until(`${count} lines`, () => written().length >= count, () => readFileSync(file, 'utf8'));

  const room = await createRoom(server, { title: 'Bees', join_key: 'bees-at-noon' });
  const enter = { room: room.code };
  const ada = await join(t, server.ws, { ...enter, name: 'Ada', key: room.key });
  for (const options of [{ join: 'wasps' }, {}]) {
    const client = await connect(t, server.ws);
    await refused(client, hello({ ...enter, name: 'Ben', ...options }));
    await client.untilClosed();
  }
  const ben = await join(t, server.ws, { ...enter, name: 'Ben', join: 'bees-at-noon' });
  assert.equal((await ben.ask([flock.KEY, 'a-guess'])).code, 'key');
  const patch = (key, body) => call(server, 'PATCH', roomOf(room), { key, body });
  assert.equal((await patch('a-guess', { title: 'Mine' })).status, 403);
  /** @type {import('./types.d.ts').Message[]} */
  const changes = [
    [flock.SET, 'run', 'paused'],
    [flock.PARAM, 'inertia', 2],
    [flock.ADD, 100, 100, 3],
    [flock.APPOINT, ben.id, 'presenter'],
    [flock.REKEY],
  ];
  for (const message of changes) {
    assert.equal(await ada.ask(message), null, JSON.stringify(message));
  }
  assert.equal((await patch(ada.key, { title: 'Wasps', join_key: null })).status, 204);
  assert.equal(await ada.ask([flock.EXPEL, ben.id]), null);
  ada.socket.close();
  await recorded(17);
  assert.equal((await call(server, 'DELETE', roomOf(room), { key: ada.key })).status, 204);
  await recorded(18);

  const expected = PAGE.match(/```json\n([\s\S]*?)```/)[1].trim().split('\n').map((line) => JSON.parse(line));
  const lines = written();
  const connections = new Map();
  for (const line of lines) {
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Math.abs(Date.parse(line.time) - Date.now()) < 60_000);
    line.time = '';
    assert.equal(line.room, room.code);
    line.room = 'FK72MX';
    if (line.connection === undefined) continue;
    if (!connections.has(line.connection)) connections.set(line.connection, connections.size + 1);
    line.connection = connections.get(line.connection);
  }
  expected.forEach((line) => (line.time = ''));
  assert.deepEqual(lines, expected);

  const text = readFileSync(file, 'utf8') + server.stderr;
  const token = Buffer.from(ben.welcome.token).toString('hex');
  for (const secret of [room.key, ada.key, 'bees-at-noon', 'wasps', 'a-guess', token]) assert.ok(!text.includes(secret), secret);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

// Strangers of 40 addresses come and leave, over and over. `joins` counts.
function churn(t, server) {
  const crowd = { joins: 0, over: false };
  atEnd(t, () => (crowd.over = true));
  const come = (/** @type {number} */ i) => {
    if (crowd.over) return;
    const socket = new WebSocket(server.ws, 'flock.v1', { localAddress: `127.50.0.${1 + (i % 40)}` });
    socket.on('open', () => socket.send(encode(hello({ room: 'lobby' }))));
    socket.on('error', () => {});
    socket.once('message', () => {
      crowd.joins += 1;
      socket.terminate();
    });
    socket.on('close', () => come(i + 7));
  };
  for (let i = 0; i < 16; i += 1) come(i);
  return crowd;
}

// Joins from eight addresses, and sends the same from each, again after each answer.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {import('./types.d.ts').Server} server
 * @param {{ over: boolean }} crowd
 * @param {import('./types.d.ts').Hello} fields
 * @param {import('./types.d.ts').Message} message
 */
async function repeat(t, server, crowd, fields, message) {
  const clients = await Promise.all(Array.from({ length: 8 }, (_, i) => join(t, server.ws, fields, { localAddress: `127.60.0.${1 + i}` })));
  for (const client of clients) {
    client.socket.on('message', () => {
      const [type] = client.messages.at(-1);
      if (!crowd.over && (type === flock.DONE || type === flock.ERROR)) client.send([...message, 1]);
    });
    client.send([...message, 1]);
  }
}

test('floods of strangers hide no line of a presenter of the lobby', async (t) => {
  const file = path.join(folder(t), 'audit.log');
  const server = await startServer(t, ['--audit-log', file, '--presenter-key', KEY]);
  const written = () => readFileSync(file, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));
  assert.equal((await call(server, 'PATCH', '/api/rooms/lobby', { key: KEY, body: { drawing: 'all' } })).status, 204);
  const crowd = churn(t, server);
  const own = await createRoom(server);
  await repeat(t, server, crowd, { room: own.code, key: own.key }, [flock.TITLE, 'a flood of presenters']);
  await repeat(t, server, crowd, { room: 'lobby' }, [flock.FOOD, 100, 100, 1]);
  await until('lines are lost', () => written().some(({ event }) => event === 'lost'));

  const teacher = await join(t, server.ws, { room: 'lobby', name: 'Ada', key: KEY }, { localAddress: '127.0.0.77' });
  for (let i = 0; i < 20; i += 1) { // 24 lines fit into the share of a second
    const { joins } = crowd;
    await until('strangers come', () => crowd.joins >= joins + 25);
    assert.equal(await teacher.ask([flock.CLEAR]), null);
  }
  const colleague = await join(t, server.ws, { room: 'lobby', name: 'Ben', key: KEY }, { localAddress: '127.0.0.79' });
  assert.equal(await teacher.ask([flock.EXPEL, colleague.id]), null);
  const guesser = await join(t, server.ws, { room: 'lobby' }, { localAddress: '127.0.0.78' });
  assert.equal((await guesser.ask([flock.KEY, 'a-guess'])).code, 'key');
  const made = await createRoom(server, { title: 'Bees' }, { key: KEY });
  assert.equal((await call(server, 'PATCH', roomOf(made), { key: 'a-guess', body: { title: 'Mine' } })).status, 403);
  assert.equal((await call(server, 'PATCH', roomOf(made), { key: made.key, body: { title: 'Wasps' } })).status, 204);
  assert.equal((await call(server, 'DELETE', roomOf(made), { key: made.key })).status, 204);
  teacher.socket.close();
  await guesser.until('the teacher leaves', () => !guesser.people.has(teacher.id));
  crowd.over = true;
  await server.stop();

  const lines = written();
  const eventsOf = (/** @type {(line: any) => boolean} */ which) => lines.filter(which).map(({ event }) => event);
  assert.deepEqual(eventsOf(({ address }) => address === '127.0.0.77'), ['join', ...Array(21).fill('change'), 'leave']);
  assert.deepEqual(eventsOf(({ address }) => address === '127.0.0.79'), ['join', 'leave']);
  assert.deepEqual(eventsOf(({ address, event }) => address === '127.0.0.78' && event === 'wrong-key'), ['wrong-key']);
  assert.deepEqual(eventsOf(({ room }) => room === made.code), ['room-created', 'wrong-key', 'change', 'room-ended']);
});

test('at its start flockd reports a file that it cannot write', async (t) => {
  const { code, stderr } = await runToEnd(t, ['--port', '0', '--audit-log', path.join(folder(t), 'no', 'audit.log')]);
  assert.equal(code, 1);
  assert.match(stderr, /--audit-log: '.*\/no\/audit.log' cannot be written: No such file or directory/);
});

test('at its start flockd reports a named pipe without a reader', async (t) => {
  const pipe = path.join(folder(t), 'audit.pipe');
  execFileSync('mkfifo', [pipe]);
  const { code, stderr } = await runToEnd(t, ['--port', '0', '--audit-log', pipe]);
  assert.equal(code, 1);
  assert.match(stderr, /--audit-log: '.*\/audit.pipe' cannot be written: a named pipe without a reader/);
});

test('a full disk only loses lines', async (t) => {
  const server = await startServer(t, ['--audit-log', '/dev/full']);
  const client = await join(t, server.ws);
  await until('it is said', () => /the audit log cannot be written: No space left on device/.test(server.stderr));
  const { tick } = client.snapshot;
  await client.until('the flock goes on', () => client.snapshot.tick > tick + 10);
});

test('flockd says when the audit log needs rotation', async (t) => {
  const file = path.join(folder(t), 'audit.log');
  writeFileSync(file, '');
  truncateSync(file, (100 << 20) - 10);
  const server = await startServer(t, ['--audit-log', file]);
  await join(t, server.ws);
  await until('it says so', () => /the audit log has 100 MiB: rotate it/.test(server.stderr), () => server.stderr);
});
