// Several net threads on one port behave like one. To look for races among them, which the other suites do not:
//
//   make SANITIZE=thread build/tsan/flockd && FLOCKD=build/tsan/flockd node --test tests/e2e/shards.test.mjs
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { connect, CURSOR, hello, join, KEY, NAME, refused, SET } from './client.mjs';
import { FLOCKD, runToEnd, startServer, stopsInTime } from './server.mjs';
import { until } from './until.mjs';

const SHARDS = 2;
const NET = ['--net-threads', String(SHARDS)];

// The kernel spreads connections over the listening sockets by the client's port. The chance that all sixteen
// get one of two sockets is 1 : 32,768.
const MANY = 16;

const crowd = (t, server, count = MANY) =>
  Promise.all(Array.from({ length: count }, (_, i) => join(t, server.ws, { name: `Number ${i}` })));

// Processor time, in clock ticks, of each thread of the process.
const threadTicks = (pid) =>
  readdirSync(`/proc/${pid}/task`).map((task) => {
    const fields = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });

test('the server has the requested number of listening threads', async (t) => {
  const one = await startServer(t, ['--net-threads', '1', '--threads', '1']);
  const four = await startServer(t, ['--net-threads', '4', '--threads', '1']);
  assert.equal(threadTicks(four.pid).length, threadTicks(one.pid).length + 3);
});

test('clients of all threads see one another', async (t) => {
  const server = await startServer(t, NET);
  const clients = await crowd(t, server);
  const ids = clients.map(({ id }) => id).sort();
  assert.equal(new Set(ids).size, MANY, 'each is somebody else');
  for (const client of clients) {
    await client.until('everyone is there', () => client.snapshot.people === MANY && client.people.size === MANY);
    assert.deepEqual([...client.people.keys()].sort(), ids);
  }
  const place = (i) => [20 + 30 * i, 10 + 20 * i];
  clients.forEach((client, i) => client.send([CURSOR, ...place(i)]));
  for (const client of clients) {
    await client.until("everyone's cursor is where it was moved to", () =>
      clients.every((other, i) => client.snapshot.cursors.get(other.id)?.every((value, axis) => value === place(i)[axis])),
    );
  }
});

test('clients of all threads see the same flock, tick by tick, and its changes', async (t) => {
  const server = await startServer(t, [...NET, '--presenter-key', 'abcdefgh', '--boids', '300']);
  const clients = await crowd(t, server);
  const last = () => Math.max(...clients.map(({ snapshot }) => snapshot.tick));
  const seen = clients.map(() => new Map());
  clients.forEach((client, i) => client.socket.on('message', () => seen[i].set(client.snapshot.tick, client.snapshot.boids)));
  const from = last();
  const common = await until('all of them have seen the same tick', () => {
    const ticks = [...seen[0].keys()].filter((tick) => tick > from && seen.every((each) => each.has(tick)));
    return ticks.length > 5 && ticks;
  });
  for (const tick of common) {
    for (const each of seen) {
      assert.deepEqual(each.get(tick), seen[0].get(tick));
    }
  }
  clients[0].send([KEY, 'abcdefgh']);
  clients[0].send([SET, 'model', 'boids']);
  clients[1].send([NAME, 'Somebody']);
  for (const client of clients) {
    await client.until('the new model', () => client.room.model === 'boids');
    await client.until('the new name', () => client.people.get(clients[1].id)?.name === 'Somebody');
  }
});

test('an error goes to its client only', async (t) => {
  const server = await startServer(t, NET);
  const clients = await crowd(t, server);
  const errors = await Promise.all(clients.map((client, i) => refused(client, [100 + i])));
  errors.forEach(({ message }, i) => assert.match(message, new RegExp(`\\b${100 + i}\\b`)));
});

test('the page and /healthz come from every thread', async (t) => {
  const server = await startServer(t, NET);
  await crowd(t, server, 3);
  const once = { headers: { connection: 'close' } };
  const page = await (await fetch(server.url, once)).text();
  for (let i = 0; i < MANY; i += 1) {
    assert.equal(await (await fetch(server.url, once)).text(), page);
    const health = await (await fetch(`${server.url}healthz`, once)).json();
    assert.deepEqual([health.status, health.connections], ['ok', 3]);
  }
});

test('the limit of clients holds for all threads together', async (t) => {
  const server = await startServer(t, ['--net-threads', '4', '--max-clients', '5']);
  const clients = await crowd(t, server, 5);
  for (let i = 0; i < 4; i += 1) {
    const late = await connect(t, server.ws);
    late.send(hello());
    assert.equal((await late.untilClosed()).code, 3001);
  }
  for (const client of clients) {
    client.socket.close();
    await client.untilClosed();
    // The thread of the client may learn of the end later than another thread of the next client.
    await until('its slot is free', async () => (await fetch(`${server.url}readyz`)).status === 200);
    const next = await join(t, server.ws);
    assert.equal(next.closed, null);
  }
});

test('a token moves a person from one thread to another', async (t) => {
  const server = await startServer(t, NET);
  let client = await join(t, server.ws, { name: 'Ann' });
  for (let i = 0; i < MANY; i += 1) {
    const next = await join(t, server.ws, { name: 'Ann', token: client.welcome.token });
    assert.equal((await client.untilClosed()).code, 3504);
    assert.equal(next.id, client.id);
    client = next;
  }
  await client.until('she is alone', () => client.snapshot.people === 1 && client.people.size === 1);
});

for (const threads of [1, 2, 4]) {
  test(`a second flockd with ${threads} net threads on the same port says so, with status 1`, async (t) => {
    const server = await startServer(t, NET);
    const { code, stdout, stderr } = await runToEnd(t, ['--net-threads', String(threads), '--port', String(server.port)]);
    assert.match(stderr, new RegExp(`^[^\\n]*${server.port}[^\\n]*in use[^\\n]*\\n$`));
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    const again = await join(t, server.ws);
    assert.equal(again.closed, null, 'the first goes on');
  });
}

test('more threads need more file descriptors', async (t) => {
  const few = { command: ['sh', '-c', 'ulimit -n 40; exec "$0" "$@"', FLOCKD] };
  const { code, stderr } = await runToEnd(t, ['--port', '0', '--net-threads', '4'], few);
  assert.match(stderr, /^[^\n]*40 open files[^\n]*at least 82[^\n]*\n$/);
  assert.equal(code, 1);
});

test('the server can start again on its port at once', async (t) => {
  const server = await startServer(t, NET, { port: await freePort() });
  await crowd(t, server);
  await server.stop();
  const next = await startServer(t, NET, { port: server.port });
  assert.equal(next.port, server.port);
  await crowd(t, next);
});

test('at the end all threads send the reason, also with clients that read nothing', async (t) => {
  const server = await startServer(t, [...NET, '--boids', '5000']);
  const stuck = await connect(t, server.ws);
  stuck.send(hello());
  await stuck.until('a snapshot', () => stuck.snapshot);
  stuck.socket.pause();
  const clients = await crowd(t, server);
  await stopsInTime(server);
  for (const client of clients) {
    assert.equal((await client.untilClosed()).code, 3000);
  }
});
