// Guessed keys: the sixth wrong key of a connection closes it, and an address has a budget of wrong keys.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { assertError, call, createRoom, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const { connect, hello, join, refused } = flock;
const KEY = 'a-long-key-of-the-lobby-42';

const failures = async (server) => {
  const text = await (await fetch(`${server.url}metrics`, { headers: { connection: 'close' } })).text();
  const read = (name) => Number(text.match(new RegExp(`^flockd_${name} (\\d+)$`, 'm'))?.[1]);
  const refused = (limit) => read(`refused_total\\{limit="${limit}"\\}`);
  return { presenter: read('key_failures_total\\{key="presenter"\\}'), closed: refused('keys'), address: refused('address-keys'), total: refused('total-keys') };
};

test('a burst of keys ends with the sixth wrong key', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const other = await join(t, server.ws);
  const client = await join(t, server.ws);
  for (let i = 0; i < 470; i++) client.send([flock.KEY, i === 20 ? KEY : `guess-${i}`]);
  const { code, reason } = await client.untilClosed();
  assert.deepEqual([code, reason], [3508, 'too many wrong keys']);
  const errors = client.messages.filter(([type]) => type === flock.ERROR).map(flock.readError);
  assert.deepEqual(errors.map((error) => error.code), Array(6).fill('key'));
  assert.deepEqual(errors.map((error) => error.fatal), [false, false, false, false, false, true]);
  assert.deepEqual(client.goodbye, { code: 3508, after: null });
  assert.equal(client.role, 'viewer');
  const { presenter, closed } = await failures(server);
  assert.deepEqual({ presenter, closed }, { presenter: 6, closed: 1 }, 'no more were looked at');
  assert.equal(other.closed, null, 'nobody else is affected');
  const again = await join(t, server.ws, { token: client.welcome.token });
  assert.equal(again.role, 'viewer', 'nothing was found by it');
});

test('an address with too many wrong keys has to wait for more keys; its members stay', async (t) => {
  const server = await startServer(t, ['--rooms', 'presenter', '--presenter-key', KEY]);
  const made = await createRoom(server, {}, { key: KEY });
  const patch = (key) => call(server, 'PATCH', roomOf(made), { key, body: { title: 'Mine' } });
  const create = (key) => call(server, 'POST', '/api/rooms', { key, body: {} });
  for (let i = 0; i < 15; i++) {
    assertError(await patch(`guess-${i}`), { status: 403, code: 'key' });
    assertError(await create(`guess-${i}`), { status: 403, code: 'key' });
  }
  const answer = await until('the budget is used up', async () => {
    const one = await patch('guess');
    return one.status === 429 ? one : null;
  });
  assertError(answer, { status: 429, code: 'flood' });
  assert.match(answer.headers.get('retry-after'), /^[12]$/);
  assert.equal((await patch(made.key)).status, 204, 'a key that flockd made waits for nobody');
  for (let i = 0; i < 20; i++) assertError(await create(`guess-${i}`), { status: 403, code: 'key' });
  const counted = await failures(server);
  assert.ok(counted.presenter >= 30 && counted.address >= 1 && counted.total === 0, JSON.stringify(counted));
});

test('options set the number of tries', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--key-tries', '2', '--address-key-tries', '5', '--total-key-tries', '1']);
  const client = await join(t, server.ws);
  client.send([flock.KEY, 'guess-0']);
  client.send([flock.KEY, 'guess-1']);
  assert.equal((await client.untilClosed()).code, 3508);
  const other = await join(t, server.ws);
  assert.equal((await other.ask([flock.KEY, 'guess-2'])).code, 'key');
  const { code, message } = await other.ask([flock.KEY, 'guess-3']);
  assert.equal(code, 'flood');
  assert.match(message, /^key: too many wrong keys were tried; try again in [1-9]\d* s$/);
  assert.deepEqual(await failures(server), { presenter: 3, closed: 1, address: 0, total: 1 });
});

// Keeps sending wrong join keys over one connection after the other, each as soon as the last is closed. *guesser.stop ends it.
async function guess(t, server, room, guesser) {
  while (!guesser.stop) {
    const client = await connect(t, server.ws);
    client.send(hello({ room, join: `guess-${guesser.sent++}` }));
    await until('the end of a guess', () => client.closed !== null || guesser.stop);
    guesser.waited ||= client.messages.some((message) => message[0] === flock.ERROR && !flock.readError(message).fatal);
    client.socket.terminate();
  }
}

test('a pupil who keeps sending wrong keys keeps no class out of the same address, nor its teacher', async (t) => {
  const CHOSEN = 'teacher-of-2026'; // flockd has not made it, so its compares are limited, too
  const server = await startServer(t, ['--presenter-key', CHOSEN]);
  assert.equal((await call(server, 'PATCH', '/api/rooms/lobby', { key: CHOSEN, body: { join_key: 'owls' } })).status, 204);
  const began = Date.now();
  const guesser = { sent: 0, stop: false, waited: false };
  const guesses = Array.from({ length: 8 }, () => guess(t, server, 'lobby', guesser));
  await until('the guesser has to wait', () => guesser.waited);

  const pupils = Array.from({ length: 24 }, (_, i) => join(t, server.ws, { name: `Pupil ${i}`, join: 'owls' }));
  const teacher = await join(t, server.ws, { name: 'Teacher', key: CHOSEN });
  assert.equal(teacher.role, 'presenter');
  await Promise.all(pupils);
  guesser.stop = true;
  await Promise.all(guesses);
  const text = await (await fetch(`${server.url}metrics`, { headers: { connection: 'close' } })).text();
  const seconds = (Date.now() - began) / 1000; // all in which guesses were compared
  const compared = Number(text.match(/^flockd_key_failures_total\{key="join"\} (\d+)$/m)?.[1]);
  assert.ok(compared >= 60 && compared <= 61 + seconds, `${compared} of ${guesser.sent} guesses in ${seconds} s`);
});

test('a class with one right key passes the many keys of a guesser at its address', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { join_key: 'owls' });
  const guesser = { sent: 0, stop: false, waited: false };
  const guesses = Array.from({ length: 40 }, () => guess(t, server, room.code, guesser)); // 40 s of tries
  await until('the guesser waits with all connections', () => guesser.waited && guesser.sent >= 100);
  const began = performance.now();
  const teacher = await join(t, server.ws, { room: room.code, key: room.key });
  assert.equal(teacher.role, 'presenter');
  await Promise.all(Array.from({ length: 24 }, (_, i) => join(t, server.ws, { name: `Pupil ${i}`, room: room.code, join: 'owls' })));
  const seconds = (performance.now() - began) / 1000;
  assert.ok(seconds < 20, `${seconds} s`);
  guesser.stop = true;
  await Promise.all(guesses);
});

const RECORDING = readFileSync(new URL('../recordings/boids.flock', import.meta.url));

// Keeps requesting rooms with wrong keys of the server, each as soon as the last is answered. crowd.stop ends it.
async function guessServer(server, i, crowd) {
  while (!crowd.stop) {
    const { status } = await call(server, 'POST', '/api/rooms', { key: `guess-${i}-${crowd.answered}`, body: { boids: 1 } });
    crowd.statuses.add(status);
    crowd.answered += 1;
  }
}

test('the server’s own key is compared, too, while many requests of its address guess it', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--rooms', 'presenter', '--address-key-tries', '240', '--total-key-tries', '1000']);
  const crowd = { answered: 0, stop: false, statuses: new Set() };
  const guesses = Array.from({ length: 20 }, (_, i) => guessServer(server, i, crowd));
  await until('guesses have to wait', () => crowd.answered > 250);
  const began = performance.now();
  const made = await call(server, 'POST', '/api/rooms', { key: KEY, body: { boids: 1 } });
  const played = await call(server, 'POST', '/api/rooms', { key: KEY, headers: { 'content-type': 'application/octet-stream' }, body: RECORDING });
  const seconds = (performance.now() - began) / 1000;
  crowd.stop = true;
  assert.deepEqual([made.status, played.status], [201, 201], JSON.stringify([made.body, played.body]));
  t.diagnostic(`two rooms after ${seconds.toFixed(1)} s`);
  assert.ok(seconds < 40, `${seconds} s`); // 10 s, and what a busy machine adds
  await Promise.all(guesses);
  assert.deepEqual([...crowd.statuses], [403], 'guesses wait, too, and are told that they are wrong');
});

test('keys guessed for a room do not delay the server’s own key', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const room = await createRoom(server, { join_key: 'owls' });
  const crowd = guessers(t, server, room.code, 40, (sent) => `guess-${sent}`);
  await until('most of them wait', () => crowd.sent > 100 && crowd.waiting > 20);
  const { status, body } = await call(server, 'POST', '/api/rooms', { key: KEY, body: { boids: 1 } });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal((await call(server, 'DELETE', roomOf(room), { key: KEY })).status, 204);
  crowd.stop = true;
});

// Keeps guessing the key of a room with each kind of request, each as soon as the last is answered. crowd.stop ends it.
async function guessRooms(server, i, crowd) {
  for (let sent = 0; !crowd.stop; sent += 1) {
    const key = `guess-${i}-${sent}`;
    const kinds = /** @type {[string, string, unknown?][]} */ ([
      ['DELETE', crowd.room],
      ['PATCH', crowd.room, { listed: false }],
      ['PATCH', '/api/rooms/lobby', { title: 'Mine' }],
      ['GET', '/api/rooms/lobby/recording'],
    ]);
    const [method, path, body] = kinds[sent % kinds.length];
    const { status } = await call(server, method, path, { key, body });
    crowd.statuses.add(status);
    crowd.answered += 1;
  }
}

test('requests with the server’s own key are answered, too, while many requests of its address guess at rooms', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--address-key-tries', '600', '--total-key-tries', '1000']);
  const [room, other] = [await createRoom(server), await createRoom(server)];
  const crowd = { room: roomOf(other), answered: 0, stop: false, statuses: new Set() };
  const guesses = Array.from({ length: 20 }, (_, i) => guessRooms(server, i, crowd));
  await until('guesses have to wait', () => crowd.answered > 620);
  const began = performance.now();
  const asked = [
    call(server, 'PATCH', roomOf(room), { key: KEY, body: { listed: true } }),
    call(server, 'PATCH', '/api/rooms/lobby', { key: KEY, body: { title: 'Owls' } }),
    call(server, 'POST', '/api/rooms/lobby/branch', { key: KEY, body: {} }),
  ];
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  statuses.push((await call(server, 'DELETE', roomOf(room), { key: KEY })).status);
  const seconds = (performance.now() - began) / 1000;
  t.diagnostic(`after ${seconds.toFixed(1)} s`);
  assert.deepEqual(statuses, [204, 204, 201, 204]);
  assert.ok(seconds < 40, `${seconds} s`); // 4 s, and what a busy machine adds
  assert.equal((await call(server, 'PATCH', roomOf(other), { key: other.key, body: { title: 'Mine' } })).status, 204, 'a key that flockd made waits for nobody');
  crowd.stop = true;
  await Promise.all(guesses);
  assert.deepEqual([...crowd.statuses], [403], 'guesses wait, too, and are told that they are wrong');
});

test('requests that end rooms give no more tries of the server’s key than others', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--address-key-tries', '12']); // one each 5 s: a stall between two requests is shorter
  const room = await createRoom(server);
  const end = async (key) => {
    const began = performance.now();
    const { status } = await call(server, 'DELETE', roomOf(room), { key });
    return { status, seconds: (performance.now() - began) / 1000 };
  };
  for (let i = 0; i < 11; i += 1) assert.equal((await end(`guess-${i}`)).status, 403);
  await until('a guess has to wait', async () => (await end('another-guess')).seconds > 0.9);
  const { status, seconds } = await end(KEY);
  assert.equal(status, 204);
  assert.ok(seconds > 0.9, `the right key after ${seconds} s`);
});

for (const { who, options, keyOf } of [
  { who: 'an operator chose', options: ['--presenter-key', KEY], keyOf: () => KEY },
  { who: 'flockd made', options: [], keyOf: (server) => server.stdout.match(/--key (\S+)/)[1] },
]) {
  test(`a new key of the lobby replaces the server’s key that ${who}, in requests as in hellos`, async (t) => {
    const server = await startServer(t, options);
    const old = keyOf(server);
    const teacher = await join(t, server.ws, { key: old });
    const room = await createRoom(server);
    /** @param {string} key @param {[method: string, path: string, body?: unknown]} request */
    const statusOf = async (key, [method, path, body]) => {
      const init = { method, headers: { authorization: `Bearer ${key}`, connection: 'close', ...(body && { 'content-type': 'application/json' }) }, body: body && JSON.stringify(body) };
      return (await fetch(new URL(path, server.url), init)).status;
    };
    /** @type {[method: string, path: string, body?: unknown][]} */
    const asked = [
      ...[{ title: 'Owls' }, { run: 'paused' }, { newcomers: true }, { join_key: null }, { listed: true, title: 'Owls' }].map((body) => /** @type {[string, string, unknown]} */ (['PATCH', '/api/rooms/lobby', body])),
      ['GET', '/api/rooms/lobby/recording'],
      ['GET', '/api/rooms/lobby/recording?names=true'],
      ['POST', '/api/rooms/lobby/branch', {}],
    ];
    const statuses = (key) => Promise.all(asked.map((each) => statusOf(key, each)));
    const done = [204, 204, 204, 204, 204, 200, 200, 201];
    assert.deepEqual(await statuses(old), done, 'before');
    for (const time of ['first', 'second']) {
      const before = teacher.key ?? old;
      assert.equal(await teacher.ask([flock.REKEY]), null);
      assert.deepEqual(await statuses(teacher.key), done, `the ${time} new key, at once`);
      for (const key of new Set([old, before])) assert.deepEqual(await statuses(key), Array(8).fill(403), 'an old key');
    }
    assert.equal((await join(t, server.ws, { key: old })).role, 'viewer');
    assert.equal((await join(t, server.ws, { key: teacher.key })).role, 'presenter');
    assert.equal(await statusOf(old, ['PATCH', '/api/rooms/lobby', { listed: false }]), 204, 'the server’s key unlists any room');
    assert.equal(await statusOf(teacher.key, ['PATCH', '/api/rooms/lobby', { listed: true }]), 204, 'and the lobby’s key the lobby');
    assert.equal(await statusOf(old, ['POST', '/api/rooms', {}]), 201, 'the server’s key makes rooms');
    assert.equal(await statusOf(teacher.key, ['DELETE', roomOf(room)]), 403);
    assert.equal(await statusOf(old, ['DELETE', roomOf(room)]), 204, 'and ends them');
  });
}

test('a new key works in requests at once', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--tick-rate', '5', '--snapshot-rate', '5']);
  const room = await createRoom(server);
  const teacher = await join(t, server.ws, { room: room.code, key: room.key });
  for (let times = 0; times < 5; times += 1) {
    assert.equal(await teacher.ask([flock.REKEY]), null);
    assert.equal((await call(server, 'PATCH', roomOf(room), { key: teacher.key, body: { listed: true } })).status, 204);
  }
});

test('a client that goes while its request waits in line delays no one', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--address-key-tries', '60']);
  for (let i = 0; i < 60; i += 1) await call(server, 'POST', '/api/rooms', { key: `guess-${i}`, body: { boids: 0 } });
  const gone = new AbortController();
  const waiting = Array.from({ length: 30 }, (_, i) =>
    fetch(new URL('/api/rooms', server.url), { method: 'POST', signal: gone.signal, headers: { authorization: `Bearer guess-${i}`, 'content-type': 'application/json' }, body: '{"boids":1}' }).catch(() => null),
  );
  await Promise.race(waiting); // the first has had its turn; 29 wait
  gone.abort();
  await Promise.all(waiting);
  const began = performance.now();
  assert.equal((await call(server, 'POST', '/api/rooms', { key: KEY, body: { boids: 1 } })).status, 201);
  const seconds = (performance.now() - began) / 1000;
  assert.ok(seconds < 15, `${seconds} s`); // 2 s; 30 s if the others were still in line
});

// Guessers who reconnect as soon as their key was refused. key(): the next key to send. crowd.stop ends them.
function guessers(t, server, room, count, key) {
  const crowd = { sent: 0, waiting: 0, stop: false };
  const come = () => {
    if (crowd.stop) return;
    const socket = new WebSocket(server.ws, 'flock.v1', { perMessageDeflate: false });
    let waits = false;
    socket.on('open', () => {
      crowd.sent += 1;
      socket.send(encode(hello({ room, join: key(crowd.sent) })));
    });
    socket.on('message', () => {
      crowd.waiting += Number(!waits);
      waits = true;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      crowd.waiting -= Number(waits);
      setTimeout(come, 20);
    });
    atEnd(t, () => socket.terminate());
  };
  atEnd(t, () => (crowd.stop = true));
  for (let i = 0; i < count; i += 1) come();
  return crowd;
}

const CROWDS = /** @type {[string, number, (sent: number) => string][]} */ ([
  ['40 connections that all send the same wrong key, another one each second', 40, () => `guess-${Math.floor(Date.now() / 1000)}`],
  ['600 connections that send a wrong key each', 600, (sent) => `guess-${sent}`],
  ['600 connections that send each wrong key 25 times', 600, (sent) => `guess-${Math.floor(sent / 25)}`],
]);

for (const [what, count, key] of CROWDS) {
  test(`a class and its teacher pass ${what}, from their address`, async (t) => {
    const server = await startServer(t);
    const room = await createRoom(server, { join_key: 'owls' });
    const crowd = guessers(t, server, room.code, count, key);
    await until('most of them wait', () => crowd.sent > count + 60 && crowd.waiting > count / 2);
    const began = performance.now();
    const pupils = Promise.all(Array.from({ length: 24 }, (_, i) => join(t, server.ws, { name: `Pupil ${i}`, room: room.code, join: 'owls' })));
    const teacher = await join(t, server.ws, { room: room.code, key: room.key });
    assert.equal(teacher.role, 'presenter');
    const teachers = (performance.now() - began) / 1000;
    await pupils;
    const seconds = (performance.now() - began) / 1000;
    t.diagnostic(`the teacher after ${teachers.toFixed(1)} s, the class after ${seconds.toFixed(1)} s`);
    assert.ok(seconds < 20, `${seconds} s`); // 5 s, and what a busy machine adds
  });
}

test('a hello whose keys have to wait is told how long, and then compared', async (t) => {
  const server = await startServer(t, ['--address-key-tries', '6']); // one each 10 s
  const room = await createRoom(server, { join_key: 'owls' });
  const secondsOf = ({ message }) => Number(message.match(/about (\d+) s$/)?.[1]);
  const say = async (join) => {
    const client = await connect(t, server.ws);
    const error = await refused(client, hello({ room: room.code, join }));
    return { client, error, seconds: secondsOf(error) };
  };
  for (const { error } of await Promise.all(Array.from({ length: 6 }, (_, i) => say(`guess-${i}`)))) assert.equal(error.fatal, true);
  const began = performance.now();
  const wrong = await say('hawks');
  assert.deepEqual([wrong.error.code, wrong.error.field, wrong.error.fatal], ['join', 'join', false]);
  assert.ok(wrong.seconds >= 1 && wrong.seconds <= 10, wrong.error.message);
  wrong.client.send([flock.CURSOR, 1, 1]); // an eager client does no harm
  const right = await say('owls');
  const between = (performance.now() - began) / 1000; // or less
  assert.ok(right.seconds >= wrong.seconds + 9 - between && right.seconds <= 20, right.error.message);
  const gone = await say('gone');
  gone.client.send([flock.PING, 7]);
  assert.equal((await gone.client.next(flock.PONG))[1], 7, 'it measures its line while it waits');
  assert.equal((await gone.client.ask([flock.NAME, 'Ada'])).code, 'full', 'it may do nothing else');
  const waits = () => gone.client.messages.filter(([type]) => type === flock.ERROR).map(flock.readError).filter(({ code }) => code === 'join');
  await until('it is told again', () => waits().length > 1);
  const [first, second, ...more] = waits();
  assert.deepEqual(more, [], 'it is told before its turn');
  assert.ok(secondsOf(second) < secondsOf(first), `${first.message}, then ${second.message}`);
  gone.client.socket.terminate(); // gives its turn up
  const owner = await join(t, server.ws, { room: room.code, key: room.key });
  assert.equal(owner.role, 'presenter', 'a key that flockd made does not wait');

  assert.deepEqual(await wrong.client.untilClosed(), { code: 3509, reason: "this is not the room's join key" });
  await right.client.until('a welcome', () => right.client.welcome !== undefined);
  await join(t, server.ws, { room: room.code, join: 'owls' }); // the right key has left a try
});

test('wrong keys are logged with the address and without the key', async (t) => {
  const server = await startServer(t, ['--rooms', 'presenter', '--presenter-key', KEY]);
  const client = await join(t, server.ws, { key: 'guess-of-the-hello' });
  assert.equal((await client.ask([flock.KEY, 'guess-of-a-message'])).code, 'key');
  await call(server, 'POST', '/api/rooms', { key: 'guess-of-the-api', body: {} });
  await until('the lines', () => server.stderr.split('\n').length > 3);
  const lines = server.stderr.trim().split('\n');
  assert.deepEqual(lines, [
    'flockd: warning: a wrong presenter key for room lobby from 127.0.0.1',
    'flockd: warning: a wrong presenter key for room lobby from 127.0.0.1',
    'flockd: warning: a wrong presenter key of the server from 127.0.0.1',
  ]);
});

test('flockd warns of a weak chosen key at its start', async (t) => {
  for (const [key, weak] of /** @type {[string, boolean][]} */ ([['class-of-2026', true], ['aaaaaaaaaaaaaaaaaaaaaaaa', true], [KEY, false]])) {
    const server = await startServer(t, ['--presenter-key', key]);
    const lines = server.stderr.split('\n').filter((line) => line !== '');
    assert.equal(lines.length, weak ? 1 : 0, server.stderr);
    if (weak) assert.match(lines[0], /^flockd: warning: the presenter key can be guessed: /);
    assert.ok(!server.stderr.includes(key));
    await server.stop();
  }
});

test('a room with a join key admits people with the key, and says that it is locked', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const made = await createRoom(server, { join_key: 'bees-at-noon' });
  const told = async () => (await call(server, 'GET', roomOf(made))).body;
  assert.equal((await told()).locked, true);
  assert.ok(!JSON.stringify(await told()).includes('bees'));
  for (const options of [{}, { join: 'wasps' }, { key: 'guess' }]) {
    const client = await connect(t, server.ws);
    const error = await refused(client, hello({ room: made.code, ...options }));
    assert.deepEqual([error.code, error.field, error.fatal], ['join', 'join', true], error.message);
    const reason = options.join ? "this is not the room's join key" : 'the room needs a join key';
    assert.deepEqual(await client.untilClosed(), { code: 3509, reason });
  }
  const ben = await join(t, server.ws, { room: made.code, join: 'bees-at-noon' });
  assert.equal(ben.role, 'viewer');
  assert.equal((await join(t, server.ws, { room: made.code, key: made.key })).role, 'presenter');

  const patch = (join_key) => call(server, 'PATCH', roomOf(made), { key: made.key, body: { join_key } });
  assert.equal((await patch('wasps')).status, 204);
  await join(t, server.ws, { room: made.code, join: 'wasps' });
  assert.equal((await join(t, server.ws, { room: made.code, token: ben.welcome.token })).id, ben.id, 'who was there comes back');
  assert.equal((await patch(null)).status, 204);
  assert.equal((await told()).locked, undefined);
  await join(t, server.ws, { room: made.code });
  for (const bad of ['', 'bee', 'BEES-AT-NOON', 'x'.repeat(65), 5]) {
    assertError(await patch(bad), { status: 400, field: 'join_key' }, String(bad));
  }
  assert.ok(!server.stderr.includes('bees') && !server.stderr.includes('wasps'));
});
