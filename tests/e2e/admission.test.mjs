// Admission when slots are short: open connections of strangers do not lock a class out.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { call } from './api.mjs';
import { atEnd } from './atend.mjs';
import { connect, hello, join, KEY, WELCOME } from './client.mjs';
import { BINARY, frame, request } from './raw-websocket.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY_OF_ALL = 'abcdefgh';

// All of 127.0.0.0/8 is this machine, so a test can have clients of other addresses than 127.0.0.1.
const ELSEWHERE = '127.0.0.66';

// Opens connections from another address that begin with these bytes. Resolves when all are open. `said` has what each received so far;
// `closed` counts connections that the server closed, `answers` has their answers.
async function hold(t, server, count, bytes, localAddress = ELSEWHERE) {
  const held = { closed: 0, answers: [], said: Array(count).fill('') };
  const sockets = held.said.map((_, i) => {
    const socket = net.connect({ port: server.port, host: '127.0.0.1', localAddress }).setEncoding('latin1');
    socket.on('error', () => {});
    socket.on('data', (text) => (held.said[i] += text));
    socket.on('close', () => {
      held.closed += 1;
      held.answers.push(held.said[i]);
    });
    socket.write(bytes);
    return socket;
  });
  atEnd(t, () => sockets.forEach((socket) => socket.destroy()));
  held.sockets = sockets;
  await Promise.all(sockets.map((socket) => socket.connecting && once(socket, 'connect')));
  return held;
}

// Resolves to the statuses of the answers to upgrades.
async function statusesOf({ said }) {
  await until('all are answered', () => said.every((text) => text !== ''));
  return said.map((text) => text.slice(9, 12));
}

// Loads the same things as a browser: the page, its parts, and the WebSocket.
async function browse(t, server) {
  const page = await fetch(new URL('r/lobby', server.url));
  assert.equal(page.status, 200);
  const parts = [...(await page.text()).matchAll(/(?:src|href)="(\.\.?\/[\w.-]+)"/g)].map(([, name]) => name);
  assert.ok(parts.length >= 3);
  for (const part of await Promise.all(parts.map((name) => fetch(new URL(name, page.url))))) {
    assert.equal(part.status, 200);
    await part.arrayBuffer();
  }
  return join(t, server.ws);
}

const SILENT = '';
const HEAD = 'GET / HTTP/1.1\r\nHost: x\r\n';
const BODY = 'POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
const UPGRADE = request(0, { Host: 'localhost' });

// Either number is above the number of slots.
for (const [what, bytes] of Object.entries({ 'say nothing': SILENT, 'do not end their request': HEAD, 'do not end its body': BODY, 'are WebSockets without a hello': UPGRADE })) {
  test(`a class joins while another address holds connections that ${what}`, async (t) => {
    const server = await startServer(t, ['--max-clients', '30', '--net-threads', '1']);
    const held = await hold(t, server, 2200, bytes);
    const browsers = await Promise.all(Array.from({ length: 30 }, () => browse(t, server)));
    assert.equal((await fetch(`${server.url}healthz`)).status, 200);
    await until('others had to go', () => held.closed >= 50, () => held.closed);
    const tick = Math.max(...browsers.map(({ snapshot }) => snapshot.tick));
    await Promise.all(browsers.map((browser) => browser.until('the flock goes on', () => browser.snapshot.tick > tick + 5)));
  });
}

test('of requests whose body does not arrive, an address loses its own beyond 512', async (t) => {
  const server = await startServer(t, ['--net-threads', '1', '--address-limit', '0', '--request-timeout', '60']);
  const early = await hold(t, server, 1, BODY, '127.0.0.65');
  const crowd = await hold(t, server, 560, BODY);
  await until('the others had to go', () => crowd.closed >= 49, () => crowd.closed);
  assert.equal(early.closed, 0);
  early.sockets[0].write(`"boids": 1}`.padEnd(99));
  await until('the early one is answered', () => early.closed === 1);
  assert.match(early.answers[0], /^HTTP\/1.1 201 /);
});

test('a class joins, also with few descriptors', async (t) => {
  const command = ['sh', '-c', 'ulimit -n 90; exec "$0" "$@"', process.env.FLOCKD ?? 'build/flockd'];
  const server = await startServer(t, ['--max-clients', '30', '--net-threads', '1'], { command });
  assert.equal(server.stderr, '', 'there is room for 30');
  await hold(t, server, 100, SILENT);
  for (let i = 0; i < 30; i += 1) await browse(t, server);
  assert.doesNotMatch(server.stderr, /too many open files/i);
});

// Opens `count` connections that send nothing, of each address in turn. Resolves when the server has taken the connections.
async function flood(t, server, strangers, count, addresses) {
  for (let i = 0; i < count; i += 24) {
    const some = Array.from({ length: 24 }, (_, k) => hold(t, server, 1, SILENT, `127.9.0.${1 + (strangers.length + k) % addresses}`));
    strangers.push(...(await Promise.all(some)));
    const guests = 600;
    await until('the server has taken them', () => strangers.length - guests <= strangers.filter(({ closed }) => closed > 0).length);
  }
}

// 24 addresses go beyond their allowances. 240 stay within them, so only the teacher at the address of the class helps.
const FLOODS = {
  'a class on slow lines joins, although 24 addresses open connections again and again': { addresses: 24, led: false },
  'a class on slow lines joins at its teacher’s address, although 240 addresses open connections again and again': { addresses: 240, led: true },
};
for (const [title, { addresses, led }] of Object.entries(FLOODS)) {
  test(title, async (t) => {
    const command = ['sh', '-c', 'ulimit -n 900; exec "$0" "$@"', process.env.FLOCKD ?? 'build/flockd'];
    const args = ['--max-clients', '60', '--net-threads', '1', '--request-timeout', '300', '--hello-timeout', '300', '--presenter-key', KEY_OF_ALL];
    const server = await startServer(t, args, { command });
    if (led) await join(t, server.ws, { key: KEY_OF_ALL }, { localAddress: ELSEWHERE });
    const strangers = [];
    await flood(t, server, strangers, 1500, addresses);
    const pupils = await hold(t, server, 30, SILENT);
    const texts = pupils.sockets.map((socket) => {
      const text = { said: '' };
      socket.on('data', (more) => (text.said += more));
      return text;
    });
    await flood(t, server, strangers, 700, addresses);
    assert.equal(pupils.closed, 0, 'before their requests');
    for (const socket of pupils.sockets) socket.write(UPGRADE);
    await until('all are WebSockets', () => texts.every(({ said }) => /^HTTP\/1\.1 101 [^]*\r\n\r\n/.test(said)));
    await flood(t, server, strangers, 700, addresses);
    assert.equal(pupils.closed, 0, 'before their hellos');
    for (const socket of pupils.sockets) socket.write(frame(BINARY, encode(hello())));
    await until('all are welcome', () => texts.every(({ said }) => /\x82~[^]{3}@/.test(said)));
    assert.equal(pupils.closed, 0);
  });
}

test('when viewers have all slots, only presenters can join', async (t) => {
  const server = await startServer(t, ['--max-clients', '2', '--presenter-key', KEY_OF_ALL]);
  const viewers = [await join(t, server.ws), await join(t, server.ws)];
  for (const fields of [{}, { key: 'not-this-one' }]) {
    const late = await connect(t, server.ws);
    late.send(hello(fields));
    const { code, reason } = await late.untilClosed();
    assert.equal(code, 3001);
    assert.match(reason, /full/);
    assert.ok(late.goodbye.after > 0);
  }
  const presenters = [];
  for (let i = 0; i < 16; i += 1) {
    presenters.push(await join(t, server.ws, { key: KEY_OF_ALL }));
  }
  assert.ok(presenters.every(({ role }) => role === 'presenter'));
  const late = await connect(t, server.ws);
  late.send(hello({ key: KEY_OF_ALL }));
  assert.equal((await late.untilClosed()).code, 3001, 'all reserved slots are taken');
  presenters[0].socket.close();
  await presenters[0].untilClosed();
  await join(t, server.ws, { key: KEY_OF_ALL });
  assert.ok(viewers.every(({ closed }) => closed === null));
});

// Strangers of another address, who reconnect after each close. `closed` has the closes.
function strangers(t, server, count) {
  const crowd = { inside: 0, closed: [], over: false };
  const come = () => {
    if (crowd.over) return;
    const socket = new WebSocket(server.ws, 'flock.v1', { localAddress: ELSEWHERE });
    let inside = false;
    socket.on('open', () => socket.send(encode(hello())));
    socket.on('error', () => {});
    socket.on('message', (/** @type {Buffer} */ data) => {
      if (data[1] !== WELCOME) return;
      inside = true;
      crowd.inside += 1;
    });
    socket.on('close', (code, reason) => {
      crowd.inside -= Number(inside);
      crowd.closed.push({ inside, code, reason: reason.toString() });
      setTimeout(come, 50);
    });
    atEnd(t, () => socket.terminate());
  };
  atEnd(t, () => (crowd.over = true));
  for (let i = 0; i < count; i += 1) come();
  return crowd;
}

test('a class joins at its teacher\'s address, although strangers of other addresses have all slots and want them back', async (t) => {
  const server = await startServer(t, ['--max-clients', '30', '--net-threads', '2', '--presenter-key', KEY_OF_ALL]);
  const crowd = strangers(t, server, 40);
  await until('they have all places', () => crowd.inside === 30);
  const early = await connect(t, server.ws);
  early.send(hello());
  assert.equal((await early.untilClosed()).code, 3001, 'nobody speaks for that address yet');

  const teacher = await join(t, server.ws, { key: KEY_OF_ALL });
  const pupils = await Promise.all(Array.from({ length: 30 }, () => join(t, server.ws)));
  await until('the strangers are out', () => crowd.inside === 0);
  const out = crowd.closed.filter(({ inside }) => inside);
  assert.equal(out.length, 30);
  for (const { code, reason } of out) {
    assert.equal(code, 3001);
    assert.match(reason, /another client came/);
  }
  const { tick } = pupils[0].snapshot;
  await Promise.all(pupils.map((each) => each.until('the flock goes on', () => each.snapshot.tick > tick + 15)));
  const again = pupils.pop(); // reloads the page: the strangers may be faster
  again.socket.close();
  await again.untilClosed();
  pupils.push(await join(t, server.ws));
  assert.ok([teacher, ...pupils].every(({ closed }) => closed === null));
  const metrics = await (await fetch(`${server.url}metrics`)).text();
  assert.ok(Number(metrics.match(/^flockd_clients_displaced_total (\d+)$/m)[1]) >= 30);
});

test('a teacher takes no slot of the class, and presenters of their own rooms leave slots to teachers', async (t) => {
  const server = await startServer(t, ['--max-clients', '2', '--presenter-key', KEY_OF_ALL]);
  const options = { localAddress: ELSEWHERE };
  const made = (await call(server, 'POST', '/api/rooms', { body: {} })).body;
  const first = await join(t, server.ws, { key: KEY_OF_ALL }, options);
  await join(t, server.ws);
  await join(t, server.ws);
  for (let i = 0; i < 7; i += 1) await join(t, server.ws, { room: made.code, key: made.key });
  const late = await connect(t, server.ws);
  late.send(hello({ room: made.code, key: made.key }));
  assert.equal((await late.untilClosed()).code, 3001, 'half of the reserved slots are taken');
  for (let i = 0; i < 8; i += 1) assert.equal((await join(t, server.ws, { key: KEY_OF_ALL }, options)).role, 'presenter');
  assert.equal(first.closed, null);
});

test('the server does not trust presenters of rooms that anyone may create', async (t) => {
  const server = await startServer(t, ['--max-clients', '2', '--presenter-key', KEY_OF_ALL]);
  const made = (await call(server, 'POST', '/api/rooms', { body: {} })).body;
  const options = { localAddress: ELSEWHERE };
  const viewer = await join(t, server.ws);
  const owner = await join(t, server.ws, { room: made.code, key: made.key }, options);
  assert.equal(owner.role, 'presenter');
  const late = await connect(t, server.ws, options);
  late.send(hello());
  assert.equal((await late.untilClosed()).code, 3001);
  await join(t, server.ws, { key: KEY_OF_ALL }, options);
  await join(t, server.ws, {}, options);
  assert.equal((await viewer.untilClosed()).code, 3001);
  assert.equal(owner.closed, null);
});

// Only the room's join key distinguishes a class from strangers.
test('a class with its room\'s join key joins and stays, while strangers keep reconnecting', async (t) => {
  const server = await startServer(t, ['--max-clients', '30', '--rooms', 'presenter', '--presenter-key', KEY_OF_ALL]);
  const room = await call(server, 'PATCH', '/api/rooms/lobby', { key: KEY_OF_ALL, body: { join_key: 'bees-at-noon' } });
  assert.equal(room.status, 204);
  let refused = 0;
  let over = false;
  atEnd(t, () => (over = true));
  const stranger = () => {
    if (over) return;
    const socket = new WebSocket(server.ws, 'flock.v1', { localAddress: ELSEWHERE });
    socket.on('open', () => socket.send(encode(hello())));
    socket.on('error', () => {});
    socket.on('close', (code) => {
      if (code === 3509) refused += 1;
      setTimeout(stranger, 50);
    });
    atEnd(t, () => socket.terminate());
  };
  for (let i = 0; i < 40; i += 1) stranger();
  await until('strangers are refused', () => refused > 40);

  // Until the room has refused a stranger, the stranger has a slot, and the server asks a pupil to come back.
  const pupil = async () => {
    for (;;) {
      const client = await connect(t, server.ws);
      client.send(hello({ join: 'bees-at-noon' }));
      await client.until('it is let in, or has to come back', () => client.snapshot ?? client.closed);
      if (client.snapshot) return client;
      assert.equal(client.closed.code, 3001);
    }
  };
  const pupils = await Promise.all(Array.from({ length: 30 }, pupil));
  const { tick } = pupils[0].snapshot;
  await Promise.all(pupils.map((each) => each.until('the flock goes on', () => each.snapshot.tick > tick + 15)));
  assert.ok(pupils.every(({ closed }) => closed === null));
});

test('a member can still become a presenter', async (t) => {
  const server = await startServer(t, ['--max-clients', '1', '--presenter-key', KEY_OF_ALL]);
  const viewer = await join(t, server.ws);
  assert.equal(await viewer.ask([KEY, KEY_OF_ALL]), null);
});

test('the server closes a connection whose request is incomplete after the timeout', async (t) => {
  const server = await startServer(t, ['--request-timeout', '2']);
  const silent = await hold(t, server, 1, SILENT);
  const head = await hold(t, server, 1, HEAD);
  const body = await hold(t, server, 1, BODY);
  const drip = setInterval(() => [head, body].forEach(({ sockets: [socket] }) => socket.writable && socket.write(' ')), 100);
  atEnd(t, () => clearInterval(drip));
  await until('all are hung up on', () => silent.closed && head.closed && body.closed);
  assert.match(head.answers[0], /^HTTP\/1\.1 408 [^]*--request-timeout/);
  assert.match(body.answers[0], /^HTTP\/1\.1 408 /);
  assert.equal((await fetch(server.url)).status, 200);
});

test('a request may come byte by byte', async (t) => {
  const server = await startServer(t);
  const held = await hold(t, server, 1, '');
  const [socket] = held.sockets;
  socket.setNoDelay();
  for (const byte of 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n') {
    socket.write(byte);
    await new Promise(setImmediate);
  }
  await until('it is answered', () => held.closed);
  assert.match(held.answers[0], /^HTTP\/1\.1 200 /);
});

// The answers to a number of connections at once: statuses, '' without an answer.
async function askAtOnce(t, server, count, localAddress, headers = '') {
  const held = await hold(t, server, count, `GET /healthz HTTP/1.1\r\nHost: x\r\n${headers}\r\n`, localAddress);
  await until('all are answered', () => held.closed === count);
  return held.answers.map((answer) => answer.slice(9, 12));
}

const counted = (statuses, status) => statuses.filter((each) => each === status).length;

// tests/unit/test_rates.c tests the rate in simulated time; the numbers here leave a slow machine many seconds.
test('each address has its own number of connections a second', async (t) => {
  const server = await startServer(t, ['--address-limit', '1', '--net-threads', '2']);
  const statuses = await askAtOnce(t, server, 200, ELSEWHERE);
  const served = counted(statuses, '200');
  assert.ok(served >= 4 && served < 150, `${served} let in`);
  assert.ok(counted(statuses, '429') >= 4, 'others are told why not');
  assert.ok(counted(statuses, '') >= 10, 'a flood is not even told');
  const upgrades = await hold(t, server, 100, UPGRADE, '127.0.0.67');
  const told = await until('some are refused', () => upgrades.answers.find((answer) => answer !== ''));
  assert.match(told, /^HTTP\/1\.1 429 [^]*retry-after: [^]*--address-limit/);
  const metrics = await (await fetch(`${server.url}metrics`)).text();
  assert.ok(Number(metrics.match(/refused_total{limit="address"} (\d+)/)[1]) >= 200 - served);
  const free = await startServer(t, ['--address-limit', '0']);
  assert.equal(counted(await askAtOnce(t, free, 100, ELSEWHERE), '200'), 100);
});

// Not more connections than flockd accepts at once with this limit, also without time to spare: 800.
test('however often an address asks for the page, its WebSockets have a rate of their own', async (t) => {
  const server = await startServer(t, ['--address-limit', '20']); // 80 of each at once
  const rounds = Array.from({ length: 8 }, () => [
    hold(t, server, 80, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    hold(t, server, 4, UPGRADE).then(statusesOf),
  ]);
  const answers = (await Promise.all(rounds.map(([, upgrades]) => upgrades))).flat();
  assert.equal(counted(answers, '101'), 32, `${answers}`);
});

// Sends a request over one connection after the other until flood.stop; flood.count counts them.
async function floodRequests(server, flood) {
  while (!flood.stop) {
    const socket = net.connect(server.port, '127.0.0.1').on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.resume();
    flood.count += 1;
    await once(socket, 'close');
  }
}

test('a flood of connections keeps no class of the same address out', async (t) => {
  const server = await startServer(t, ['--address-limit', '100']); // 400 connections, then 100 a second
  const flood = { stop: false, count: 0 };
  const strangers = Array.from({ length: 30 }, () => floodRequests(server, flood));
  await until('the address has to wait', () => flood.count > 450);
  await Promise.all(Array.from({ length: 30 }, (_, i) => join(t, server.ws, { name: `Pupil ${i}` })));
  flood.stop = true;
  await Promise.all(strangers);
});

// The time (ms) for which the first thread of a process has worked or waited for a processor; Infinity while it does.
function workOf(pid) {
  const of = (file) => readFileSync(`/proc/${pid}/task/${pid}/${file}`, 'utf8');
  const [ran, waited] = of('schedstat').split(' ').map(Number);
  return /\) S /.test(of('stat')) ? (ran + waited) / 1e6 : Infinity;
}

// Waits until a server of one network thread has rested for half of the time since a moment. Resolves to the new moment.
const rest = ({ pid }, since) =>
  until('the server has time', () => {
    const moment = { at: performance.now(), work: workOf(pid) };
    return moment.work - since.work <= (moment.at - since.at) / 2 && moment;
  }, () => '', undefined, 1);

// A busy server resets connections that come ten times as often as an address may connect: accepting them alone costs time. On any
// machine, each connection here comes after the answer to the one before, and to a server that has rested.
test('while the server has time, no connection is reset, however often its address connects', async (t) => {
  const server = await startServer(t, ['--address-limit', '1', '--net-threads', '1']); // flockd accepts 40 connections at once, then 10 a second
  const statuses = [];
  const began = performance.now();
  let moment = await rest(server, { at: 0, work: 0 });
  while (statuses.length < 150) {
    statuses.push(...(await askAtOnce(t, server, 1, ELSEWHERE)));
    moment = await rest(server, moment);
  }
  const rate = 40 + (10 * (performance.now() - began)) / 1000;
  t.diagnostic(`${Math.round(150 - rate)} connections beyond the rate`);
  assert.equal(counted(statuses, '200'), 150, `${statuses}`);
});

// Strangers at the class's address who connect, say hello and go, over and over until the end. They go after the answer, after a
// time (ms) in the room, or at once.
function passersby(t, server, count, { stay = 0, atOnce = false } = {}) {
  const crowd = { joins: 0, over: false };
  const come = () => {
    if (crowd.over) return;
    const socket = new WebSocket(server.ws, 'flock.v1', { perMessageDeflate: false });
    socket.on('open', () => {
      crowd.joins += 1;
      socket.send(encode(hello({ rate: 1, boids: 1 })), () => atOnce && socket.terminate());
    });
    socket.on('message', (/** @type {Buffer} */ data) => data[1] === WELCOME && setTimeout(() => socket.terminate(), stay));
    socket.on('error', () => {});
    socket.on('close', () => setTimeout(come, 10));
    atEnd(t, () => socket.terminate());
  };
  atEnd(t, () => (crowd.over = true));
  for (let i = 0; i < count; i += 1) come();
  return crowd;
}

const PASSERSBY = /** @type {[string, { stay?: number, atOnce?: boolean }][]} */ ([
  ['wait for their answer', {}],
  ['stay for a moment', { stay: 200 }],
  ['do not wait for their answer', { atOnce: true }],
]);

for (const [what, options] of PASSERSBY) {
  test(`400 connections of its address that join over and over keep no class out, nor its teacher, although they ${what}`, async (t) => {
    const server = await startServer(t, ['--presenter-key', KEY_OF_ALL, '--address-limit', '200']); // 800 connections, then 200 a second
    const crowd = passersby(t, server, 400, options);
    await until('the address has to wait', () => crowd.joins > 1200);
    const began = performance.now();
    const pupils = Array.from({ length: 30 }, (_, i) => join(t, server.ws, { name: `Pupil ${i}` }));
    await Promise.all([...pupils, join(t, server.ws, { name: 'Teacher', key: KEY_OF_ALL })]);
    t.diagnostic(`the class after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  });
}

test('behind a trusted proxy people count by their own addresses, and cannot forge them', async (t) => {
  const args = ['--address-limit', '5', '--trusted-proxy', '127.0.0.64/26'];
  const server = await startServer(t, args);
  const through = (forwarded, count = 150) => askAtOnce(t, server, count, ELSEWHERE, `X-Forwarded-For: ${forwarded}\r\n`);
  assert.equal(counted(await askAtOnce(t, server, 40, ELSEWHERE), '200'), 40, 'the proxy itself');
  assert.ok(counted(await through('198.51.100.1'), '200') < 120);
  assert.ok(counted(await through('203.0.113.7, 198.51.100.1'), '200') < 120, 'what the client wrote does not count');
  assert.ok(counted(await through(`${'203.0.113.7, '.repeat(500)}198.51.100.1`), '200') < 120, 'however long');
  const upgrades = await hold(t, server, 10, request(0, { Host: 'localhost', 'X-Forwarded-For': '198.51.100.1' }));
  assert.equal(counted(await statusesOf(upgrades), '101'), 10, 'the WebSockets of its address');
  assert.equal(counted(await through('198.51.100.2', 20), '200'), 20, 'another one');
  const plain = await startServer(t, args);
  const lies = await askAtOnce(t, plain, 150, '127.0.0.1', 'X-Forwarded-For: 198.51.100.9\r\n');
  assert.ok(counted(lies, '200') < 120, 'who is no trusted proxy speaks for nobody');
});

test('the server reads a head of 16 KB, and answers a longer one with 431', async (t) => {
  const server = await startServer(t);
  const get = (headers) => `GET /healthz HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  const told = async (headers) => {
    const held = await hold(t, server, 1, get(headers));
    await until('it is answered', () => held.closed);
    return held.answers[0].slice(0, 12);
  };
  const cookie = (size) => `Cookie: ${'c'.repeat(size)}\r\n`;
  assert.equal(await told(cookie(16_300)), 'HTTP/1.1 200');
  assert.equal(await told('X-Y: z\r\n'.repeat(60)), 'HTTP/1.1 200');
  assert.equal(await told(cookie(16_400)), 'HTTP/1.1 431');
  assert.equal(await told(cookie(200_000)), 'HTTP/1.1 431');
  assert.equal(await told('X-Y: z\r\n'.repeat(70)), 'HTTP/1.1 431');
  assert.equal(await told('X-A: z\r\n'), 'HTTP/1.1 400', 'libwebsockets would wait for the end of this name');
  const client = await connect(t, server.ws, { headers: { cookie: 'c'.repeat(15_000) } });
  client.send(hello());
  await client.until('a welcome', () => client.welcome);
});

test('connections reset during their upgrade count neither as open nor as closed', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  for (let i = 0; i < 10; i += 1) {
    const { sockets } = await hold(t, server, 30, UPGRADE);
    sockets.forEach((socket) => socket.resetAndDestroy());
  }
  await until('one client is connected', async () => /^flockd_clients_connected 1$/m.test(await (await fetch(`${server.url}metrics`)).text()));
  assert.equal(client.closed, null);
});
