// Limits of bandwidth: a client gets its limit, a message about it, and the present flock.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import * as flock from './client.mjs';
import { atEnd } from './atend.mjs';
import { root, startServer } from './server.mjs';
import { until } from './until.mjs';

const BOIDS = ['--model', 'boids', '--boids', '3000', '--world', '2000x2000'];
const KB = 1000;
const LOAD = path.resolve(root, process.env.FLOCK_LOAD ?? 'build/flock-load');
const LIMIT = 'client_bandwidth_bytes{rooms="server"}';

// All of 127.0.0.0/8 is this machine, so a test can have clients of other addresses than 127.0.0.1.
const ELSEWHERE = { localAddress: '127.0.0.66' };

// The answer { status, body } to another address.
/** @type {(server: import('./types.d.ts').Server, method: string, path: string, body?: string, localAddress?: string) => Promise<{ status: number | undefined, body: string }>} */
const requestElsewhere = (server, method, path, body = '', localAddress = ELSEWHERE.localAddress) =>
  new Promise((resolve, reject) => {
    const headers = { connection: 'close', ...(body && { 'content-type': 'application/json' }) };
    const request = http.request({ host: '127.0.0.1', port: server.port, method, path, localAddress, headers }, async (answer) => {
      resolve({ status: answer.statusCode, body: (await answer.setEncoding('utf8').toArray()).join('') });
    });
    request.on('error', reject).end(body);
  });

// The samples of /metrics with these names.
async function metrics(server, ...names) {
  const text = await (await fetch(`${server.url}metrics`, { headers: { connection: 'close' } })).text();
  return names.map((name) => Number(text.split('\n').find((line) => line.startsWith(`flockd_${name} `))?.split(' ').at(-1)));
}

// Joins and counts the received bytes. `used(seconds)` resolves to them over that time, by the server's clock, and to the largest message.
async function counting(t, server) {
  const client = await flock.join(t, server.ws);
  let [bytes, largest] = [0, 0];
  client.socket.on('message', (/** @type {Buffer} */ data) => {
    bytes += data.length;
    largest = Math.max(largest, data.length);
  });
  /** @param {number} least */
  const used = async (least) => {
    const { time } = client.snapshot;
    const before = bytes;
    largest = 0;
    const end = time + least * 1e6;
    await client.until(`${least} seconds`, () => client.snapshot.time >= end);
    return { bytes: bytes - before, seconds: (client.snapshot.time - time) / 1e6, largest };
  };
  return Object.assign(client, { used });
}

// A server that stood still has a second's credit for each client. It sends a message that is larger than the rest of the credit.
/** @type {(used: { bytes: number, seconds: number, largest: number }, rate: number) => void} */
function assertWithin({ bytes, seconds, largest }, rate) {
  assert.ok(bytes <= rate * (seconds + 1) + largest, `${bytes} B in ${seconds} s, the largest ${largest} B`);
}

// tests/unit/test_outlet_line.c tests that a client below the limit is not limited, and the share of the limit that is used.
test('with --client-bandwidth no client gets more', async (t) => {
  const server = await startServer(t, [...BOIDS, '--client-bandwidth', '16', '--metrics-rooms', '0']);
  const client = await counting(t, server);
  await client.until('it is granted less', () => client.stream?.slow);
  await client.used(1); // its credit
  assertWithin(await client.used(3), 16 * KB);
  const [limit, withheld] = await metrics(server, LIMIT, 'bandwidth_withheld_total');
  assert.equal(limit, 16 * KB);
  assert.ok(withheld > 0);
});

// A quarter of its share pays for lists of people: 1,000 bytes a second.
test('a client with little bandwidth hears of everyone who joins, a little later', async (t) => {
  const server = await startServer(t, ['--boids', '20', '--client-bandwidth', '4']);
  const client = await counting(t, server);
  for (let i = 0; i < 16; i++) await flock.join(t, server.ws, { name: `${'x'.repeat(60)}${i}` });
  await client.until('it knows 16 others', () => client.people.size === 17);
  await client.used(1);
  assertWithin(await client.used(3), 4 * KB);
});

test('--total-bandwidth is shared out evenly', async (t) => {
  const server = await startServer(t, [...BOIDS, '--total-bandwidth', '64']);
  const clients = [];
  for (let i = 0; i < 4; i++) clients.push(await counting(t, server));
  await Promise.all(clients.map((client) => client.until('it is granted less', () => client.stream?.slow)));
  await Promise.all(clients.map((client) => client.used(1)));
  const used = await Promise.all(clients.map((client) => client.used(3)));
  for (const each of used) assertWithin(each, 14 * KB);
  assert.deepEqual(await metrics(server, LIMIT), [14 * KB]);
});

test('a crowd in a room of a stranger leaves the lobby what it needs of --total-bandwidth', async (t) => {
  const server = await startServer(t, ['--boids', '60', '--total-bandwidth', '400']);
  const pupil = await counting(t, server);
  const { body } = await requestElsewhere(server, 'POST', '/api/rooms', JSON.stringify({ boids: 1000 }));
  const { code } = JSON.parse(body);
  const crowd = spawn(LOAD, ['--clients', '90', '--codes', code, '--encoding', 'packed', '--seconds', '600', server.ws], { stdio: 'ignore' });
  atEnd(t, () => crowd.kill('SIGKILL'));
  await until('strangers get less', async () => (await metrics(server, 'clients_eased'))[0] === 90);
  await pupil.used(4);
  assert.ok(!pupil.stream?.slow, 'the lobby has all its snapshots');
  assert.deepEqual(await metrics(server, 'clients_eased'), [90]);
});

test('a small --total-bandwidth has fewer slots; a client without one learns when to come back', async (t) => {
  const server = await startServer(t, ['--total-bandwidth', '8']);
  assert.match(server.stderr, /--total-bandwidth suffices for 3 clients, not for 10000/);
  for (let i = 0; i < 3; i++) await flock.join(t, server.ws);
  const fourth = await flock.connect(t, server.ws);
  fourth.send(flock.hello());
  assert.equal((await fourth.untilClosed()).code, 3001);
  assert.ok(fourth.goodbye.after >= 5000);
});


test('an address has a part of --total-bandwidth for pages and answers: beyond it the server refuses only this address', async (t) => {
  const server = await startServer(t, ['--total-bandwidth', '8']); // a minute of an eighth: 60 KB, of which one address has 15
  const page = new URL('r/lobby', server.url);
  const [, script] = (await (await fetch(page)).text()).match(/src="([^"]+\.js)"/);
  const refusal = await until('the page is refused', async () => {
    const answer = await fetch(new URL(script, page), { headers: { 'accept-encoding': 'identity', connection: 'close' } });
    if (answer.status === 503) return answer;
    return void (await answer.arrayBuffer());
  });
  assert.equal(refusal.headers.get('retry-after'), '5');
  assert.match(await refusal.text(), /bandwidth limit; try again/);
  const rooms = await fetch(new URL('api/rooms', server.url));
  assert.equal(rooms.status, 503);
  assert.equal((await rooms.json()).error.code, 'full');
  assert.equal((await fetch(new URL('healthz', server.url))).status, 200);
  const [refused] = await metrics(server, 'refused_total{limit="bandwidth"}');
  assert.ok(refused >= 2);
  await flock.join(t, server.ws);
  const large = await startServer(t, ['--total-bandwidth', '400']);
  await until('the page is refused', async () => (await fetch(new URL(script, new URL('r/lobby', large.url)))).status === 503);
  assert.equal((await requestElsewhere(large, 'GET', '/r/lobby')).status, 200);
});

test('many addresses that load the page without end leave a newcomer the whole page', async (t) => {
  const server = await startServer(t, ['--total-bandwidth', '800']);
  const text = (await requestElsewhere(server, 'GET', '/r/lobby', '', '127.0.0.50')).body;
  const files = [...text.matchAll(/(?:src|href)="\.\.(\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file);
  assert.ok(files.length > 1, text);
  // Each greedy address asks again until it is refused.
  const greedy = async (/** @type {string} */ address) => {
    while ((await requestElsewhere(server, 'GET', files[0], '', address)).status === 200);
  };
  await Promise.all(Array.from({ length: 40 }, (_, i) => greedy(`127.0.1.${i + 1}`)));
  for (const file of ['/r/lobby', ...files]) assert.equal((await requestElsewhere(server, 'GET', file, '', '127.0.0.51')).status, 200, file);
  assert.equal((await requestElsewhere(server, 'GET', files[0], '', '127.0.1.1')).status, 503, 'a greedy address');
});

test('a client that joins again and again is refused when the bandwidth is used up; others can join', async (t) => {
  const server = await startServer(t, [...BOIDS, '--total-bandwidth', '16']);
  const attempt = async () => {
    const client = await flock.connect(t, server.ws);
    client.send(flock.hello({ encodings: ['plain'] }));
    await client.until('a snapshot or the end', () => client.snapshot || client.closed);
    client.socket.terminate();
    return client;
  };
  const refused = await until('a join is refused', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, attempt));
    return clients.find(({ snapshot }) => snapshot === undefined);
  });
  await flock.join(t, server.ws, {}, ELSEWHERE);
  assert.deepEqual(refused.closed, { code: 3001, reason: 'the server has reached its bandwidth limit; try again in a moment' });
  assert.ok(refused.goodbye.after >= 5000);
});
