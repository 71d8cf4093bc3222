// flock.v1 as in protocol/PROTOCOL.md, with a client written from that page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import { createRoom } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const { connect, hello, join, readError, refused } = flock;

test('the welcome has everything that a client needs', async (t) => {
  const server = await startServer(t, ['--room-people', '40', '--room-boids', '5000']);
  const made = await createRoom(server);
  const { welcome, people } = await join(t, server.ws, { room: made.code, name: 'Ann' });
  assert.equal(welcome.version, 1);
  assert.match(welcome.server, /^flockd \d/);
  assert.equal(welcome.token.length, 16);
  assert.equal(welcome.name, 'Ann');
  assert.equal(welcome.encoding, 'plain');
  assert.deepEqual([welcome.rate, welcome.boids, welcome.stride], [30, 0, 1]);
  assert.ok(welcome.color >= 0 && welcome.color <= 0xffffff);
  assert.ok(welcome.capabilities.includes('packed') && welcome.capabilities.every((word) => /^[a-z0-9-]{1,16}$/.test(word)));
  const { params, controls, title, instance, ...room } = welcome.room;
  assert.deepEqual(room, {
    code: made.code,
    model: 'swarm',
    boundary: 'open',
    update: 'synchronous',
    world: [550, 400],
    quantum: 1 / 8,
    tick_rate: 30,
    snapshot_rate: 30,
    policy: 'mean',
    idle: 'wander',
    cursor_timeout: 600,
    people_max: 40,
    boids_max: 5000,
    look: ['blur', 12],
    ground: 'stage',
  });
  assert.equal(typeof title, 'string');
  assert.ok(Number.isSafeInteger(instance) && instance >= 0, `${instance}`);
  assert.equal(welcome.role ?? 'viewer', 'viewer');
  for (const [name, value, choices, text] of controls) {
    assert.match(name, /^[a-z]+$/);
    assert.ok(value === '' || choices.some(([word]) => word === value), name);
    assert.ok(text.length > 0 && choices.length > 1 && choices.every(([, about]) => about.length > 0), name);
  }
  assert.ok(params.length > 0);
  for (const [name, unit, min, max, initial, value, text] of params) {
    assert.match(name, /^[a-z_]+$/);
    assert.equal(typeof unit, 'string');
    assert.ok(min <= initial && initial <= max && min <= value && value <= max, name);
    assert.ok(text.length > 0);
  }
  assert.deepEqual(people.get(welcome.id), { name: 'Ann', color: welcome.color, flags: 0 });
});

test('a client without a name gets one', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  assert.ok(client.welcome.name.length > 0);
  assert.equal(client.people.get(client.id).name, client.welcome.name);
});

for (const boids of [1, 12, 2000]) {
  test(`snapshots of ${boids} boids follow one another`, async (t) => {
    const server = await startServer(t, ['--boids', String(boids)]);
    const client = await join(t, server.ws);
    const from = client.messages.length;
    const snapshots = await client.until('10 snapshots', () => {
      const those = client.messages.slice(from).filter(([type, , , , , , , bytes]) => type === flock.SNAPSHOT && bytes.length === 4 * boids);
      return those.length >= 10 && those;
    });
    for (let i = 1; i < snapshots.length; i += 1) {
      const [, epoch, tick, time, people] = snapshots[i];
      const [, epochBefore, tickBefore, timeBefore] = snapshots[i - 1];
      assert.equal(epoch, epochBefore);
      assert.ok(tick > tickBefore && time > timeBefore, 'time goes on');
      assert.equal(people, 1);
    }
    assert.notDeepEqual(snapshots[0][7], snapshots[9][7], 'the flock moves');
  });
}

test('snapshots come at the requested rate', async (t) => {
  const server = await startServer(t, ['--tick-rate', '60']);
  for (const [asked, granted] of [[10, 10], [60, 60], [0, 60], [240, 60]]) {
    const client = await join(t, server.ws, { rate: asked });
    assert.equal(client.welcome.rate, granted);
    // By the server's clock, which does not depend on delivery. A busy machine misses some.
    const period = 1e6 / granted;
    const gaps = () => {
      const times = client.messages.filter(([type]) => type === flock.SNAPSHOT).map(([, , , time]) => time);
      return times.slice(1).map((time, i) => time - times[i]);
    };
    await client.until('ten that follow the one before', () => gaps().filter((gap) => gap < 1.5 * period).length >= 10);
    assert.ok(gaps().every((gap) => gap > 0.99 * period), `${granted} a second, and no more: ${gaps()}`);
  }
});

// Some have fields of a wrong type, which the types do not describe.
/** @type {{ what: string, fields: any, code: string, field: string, close: number }[]} */
const BAD_HELLOS = [
  { what: 'another version', fields: { version: 2 }, code: 'version', field: 'version', close: 3501 },
  { what: 'no encoding that the server has', fields: { encodings: ['morse'] }, code: 'encoding', field: 'encodings', close: 3501 },
  { what: 'no encoding at all', fields: { encodings: [] }, code: 'range', field: 'encodings', close: 3500 },
  { what: 'a room that is not there', fields: { room: 'nowhere' }, code: 'room', field: 'room', close: 3502 },
  { what: 'a code that no room has', fields: { room: 'FK7 2MX' }, code: 'room', field: 'room', close: 3502 },
  { what: 'no room', fields: { room: '' }, code: 'range', field: 'room', close: 3500 },
  { what: 'a room that cannot be', fields: { room: 'no_such' }, code: 'range', field: 'room', close: 3500 },
  { what: 'a room of 33 bytes', fields: { room: 'x'.repeat(33) }, code: 'range', field: 'room', close: 3500 },
  { what: 'a room that is a number', fields: { room: 7 }, code: 'malformed', field: 'room', close: 3500 },
  { what: 'a name with a control character', fields: { name: 'a\u001b[2Jb' }, code: 'range', field: 'name', close: 3500 },
  { what: 'a name that is too long', fields: { name: 'x'.repeat(65) }, code: 'range', field: 'name', close: 3500 },
  { what: 'a rate out of range', fields: { rate: 241 }, code: 'range', field: 'rate', close: 3500 },
  { what: 'more boids than there can be', fields: { boids: 1_000_001 }, code: 'range', field: 'boids', close: 3500 },
  { what: 'a token that is too short', fields: { token: new Uint8Array(15) }, code: 'range', field: 'token', close: 3500 },
  { what: 'a key that cannot be one', fields: { key: 'Key' }, code: 'range', field: 'key', close: 3500 },
  { what: 'nine encodings', fields: { encodings: Array(9).fill('plain') }, code: 'range', field: 'encodings', close: 3500 },
];

for (const { what, fields, code, field, close } of BAD_HELLOS) {
  test(`hello with ${what} ends the connection`, async (t) => {
    const server = await startServer(t);
    const client = await connect(t, server.ws);
    const error = await refused(client, hello(fields));
    assert.deepEqual([error.type, error.code, error.field, error.fatal], [flock.HELLO, code, field, true], error.message);
    assert.ok(error.message.length > 0);
    const closed = await client.untilClosed();
    assert.equal(closed.code, close);
    assert.ok(closed.reason.length > 0);
  });
}

/** @type {{ what: string, message: any }[]} */
const MALFORMED_HELLOS = [
  { what: 'no options', message: hello().slice(0, 4) },
  { what: 'options that are no map', message: [...hello().slice(0, 4), ['plain']] },
  { what: 'a field too many', message: [...hello(), null] },
];
for (const { what, message } of MALFORMED_HELLOS) {
  test(`hello with ${what} is malformed`, async (t) => {
    const server = await startServer(t);
    const client = await connect(t, server.ws);
    const error = await refused(client, message);
    assert.deepEqual([error.type, error.code, error.fatal], [flock.HELLO, 'malformed', true], error.message);
    assert.equal((await client.untilClosed()).code, 3500);
  });
}

test('the server ignores unknown options of hello', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws, /** @type {object} */ ({ name: 'Zoe', hat: { size: [1, 2.5, null] }, '': new Uint8Array(3), shoes: -1, token: null }));
  assert.equal(client.welcome.name, 'Zoe');
  assert.equal(client.messages.filter(([type]) => type === flock.ERROR).length, 0);
});

test('hello requests a stream, and the welcome grants it', async (t) => {
  const server = await startServer(t, ['--boids', '1000']);
  const client = await join(t, server.ws, { rate: 7, boids: 100 });
  assert.deepEqual([client.welcome.rate, client.welcome.boids, client.welcome.stride], [5, 100, 12]);
  assert.equal(client.snapshot.boids.length, 84);
  assert.deepEqual(flock.grants(client), [], 'the welcome has said it');
});

for (const room of ['LOBBY', ' lob by ', 'Lob-by']) {
  test(`the lobby is found as '${room}'`, async (t) => {
    const server = await startServer(t);
    const client = await join(t, server.ws, { room });
    assert.equal(client.room.code, 'lobby');
  });
}

const NO_MESSAGES = [
  { what: 'nothing', bytes: [] },
  { what: 'a map', bytes: encode({ type: 1 }) },
  { what: 'an empty array', bytes: encode([]) },
  { what: 'a byte that means nothing', bytes: [0xc1] },
  { what: 'half a message', bytes: encode(hello()).subarray(0, 9) },
  { what: 'two messages', bytes: Buffer.concat([encode([3]), encode([3])]) },
  { what: 'an array said to have 4 billion elements', bytes: [0xdd, 0xff, 0xff, 0xff, 0xff, 0x01] },
  { what: 'arrays 900 deep', bytes: [...Array(900).fill(0x91), 0x01] },
];

for (const { what, bytes } of NO_MESSAGES) {
  for (const joined of [false, true]) {
    test(`${what} ends the connection ${joined ? 'after' : 'before'} hello`, async (t) => {
      const server = await startServer(t);
      const client = await (joined ? join : connect)(t, server.ws);
      const error = await refused(client, Uint8Array.from(bytes));
      assert.deepEqual([error.code, error.fatal], ['malformed', true], error.message);
      assert.equal((await client.untilClosed()).code, 3500);
    });
  }
}

test('a text frame ends the connection', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  client.socket.send('hello');
  assert.equal((await client.untilClosed()).code, 1003);
});

test('a message longer than 1,024 bytes ends the connection, whole or in pieces', async (t) => {
  const server = await startServer(t);
  const whole = await join(t, server.ws);
  whole.sendBytes(new Uint8Array(1025));
  assert.equal((await whole.untilClosed()).code, 1009);

  const pieces = await join(t, server.ws);
  for (let i = 0; i < 5 && !pieces.closed; i += 1) {
    pieces.socket.send(new Uint8Array(256), { fin: false });
  }
  assert.equal((await pieces.untilClosed()).code, 1009);
});

test('the server reads a message in pieces like a whole one', async (t) => {
  const server = await startServer(t);
  const client = await connect(t, server.ws);
  const bytes = encode(hello({ name: 'Piecemeal' }));
  client.socket.send(bytes.subarray(0, 3), { fin: false });
  client.socket.send(bytes.subarray(3, 10), { fin: false });
  client.socket.send(bytes.subarray(10), { fin: true });
  await client.until('a welcome', () => client.welcome);
  assert.equal(client.welcome.name, 'Piecemeal');
});

const FAR = 4371; // beyond the positions of the default world: 550 / 2 + 32767 / 8 = 4370.9
/** @type {{ what: string, message: import('./types.d.ts').Message, code: string, field?: string }[]} */
const IGNORED = [
  { what: 'a type that it does not know', message: [99, 1], code: 'type' },
  { what: 'a type of the server', message: [flock.SNAPSHOT, 1], code: 'type' },
  { what: 'a second element too many', message: [flock.NAME, 'Ann', 1, 1], code: 'malformed' },
  { what: 'a tag of text', message: [flock.NAME, 'Ann', 'tag'], code: 'malformed', field: 'tag' },
  { what: 'a tag of more than 32 bits', message: [flock.NAME, 'Ann', 2 ** 32], code: 'range', field: 'tag' },
  { what: 'a field too many', message: [flock.CURSOR, 1, 2, 3], code: 'malformed' },
  { what: 'a field too few', message: [flock.CURSOR, 1], code: 'malformed' },
  { what: 'a cursor at NaN', message: [flock.CURSOR, NaN, 1], code: 'range', field: 'x' },
  { what: 'a cursor at infinity', message: [flock.CURSOR, 1, -Infinity], code: 'range', field: 'y' },
  { what: 'a cursor out of reach', message: [flock.CURSOR, FAR, 1], code: 'range', field: 'x' },
  { what: 'a cursor of text', message: [flock.CURSOR, '1', 1], code: 'malformed', field: 'x' },
  { what: 'an empty name', message: [flock.NAME, ''], code: 'range', field: 'name' },
  { what: 'a ping in the past', message: [flock.PING, -1], code: 'malformed', field: 't' },
];

test('the server answers a wrong message with an error, and the connection continues', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  for (const { what, message, code, field = '' } of IGNORED) {
    const error = await refused(client, message);
    assert.equal(error.code, code, `${what}: ${error.message}`);
    assert.equal(error.field, code === 'type' ? error.field : field, what);
    assert.deepEqual([error.type, error.fatal], [message[0], false], what);
  }
  await client.next(flock.SNAPSHOT);
  assert.equal(client.closed, null);
  assert.equal(client.snapshot.cursors.size, 0, 'no cursor came of it');
});

test('a second hello ends the connection', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  const error = await refused(client, hello());
  assert.deepEqual([error.code, error.fatal], ['state', true]);
  assert.equal((await client.untilClosed()).code, 3500);
});

test('a cursor before hello is refused', async (t) => {
  const server = await startServer(t);
  const client = await connect(t, server.ws);
  const error = await refused(client, [flock.CURSOR, 1, 2]);
  assert.equal(error.code, 'state');
});

test('the server answers a flood once, then ignores messages, then closes', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  const error = client.next(flock.ERROR);
  for (let i = 0; i < 1000; i += 1) {
    client.send([flock.CURSOR, i % 500, 100]);
  }
  const { code, fatal } = readError(await error);
  assert.deepEqual([code, fatal], ['flood', false]);
  await client.next(flock.SNAPSHOT);
  assert.equal(client.messages.filter(([type]) => type === flock.ERROR).length, 1);
  for (let i = 0; i < 4000; i += 1) {
    client.send([flock.CURSOR, i % 500, 100]);
  }
  assert.equal((await client.untilClosed()).code, 3503);
});

test('more than 32 errors end the connection', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  for (let i = 0; i < 300; i += 1) {
    client.send([99]);
  }
  assert.equal((await client.untilClosed()).code, 3500);
  const errors = client.messages.filter(([type]) => type === flock.ERROR);
  assert.ok(errors.length >= 33, `${errors.length} errors`); // and the errors forgiven since
  assert.equal(readError(errors.at(-1)).fatal, true);
});

test('a pong repeats any ping, with the time', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  for (const sent of [0, 4_294_967_296, Number.MAX_SAFE_INTEGER]) {
    const pong = client.next(flock.PONG);
    client.send([flock.PING, sent]);
    const [, returned, time] = await pong;
    assert.equal(returned, sent);
    assert.ok(time >= client.welcome.time);
  }
});

test('a token makes a returning client the same person', async (t) => {
  const server = await startServer(t);
  const first = await join(t, server.ws, { name: 'Ann' });
  first.socket.close();
  await first.untilClosed();
  const again = await join(t, server.ws, { name: 'Ann', token: first.welcome.token });
  assert.equal(again.id, first.id);
  assert.equal(again.welcome.color, first.welcome.color);
  const other = await join(t, server.ws, { name: 'Ann', token: new Uint8Array(16) });
  assert.notEqual(other.id, first.id);
});

test('a token that is used twice moves to the new connection', async (t) => {
  const server = await startServer(t);
  const first = await join(t, server.ws, { name: 'Ann' });
  const second = await join(t, server.ws, { name: 'Ann', token: first.welcome.token });
  assert.equal((await first.untilClosed()).code, 3504);
  assert.equal(second.id, first.id);
  await second.until('one person is here', () => second.snapshot.people === 1 && second.people.size === 1);
});

test('all members see people join, rename themselves and leave', async (t) => {
  const server = await startServer(t);
  const ann = await join(t, server.ws, { name: 'Ann' });
  const ben = await join(t, server.ws, { name: 'Ben' });
  await ann.until('Ann sees Ben', () => ann.people.get(ben.id)?.name === 'Ben');
  assert.equal(ann.people.get(ben.id).color, ben.welcome.color);
  await ben.until('Ben sees Ann', () => ben.people.get(ann.id)?.name === 'Ann');
  await ann.until('two people are counted', () => ann.snapshot.people === 2);
  ben.send([flock.NAME, 'Benjamin']);
  await ann.until('Ann sees the new name', () => ann.people.get(ben.id)?.name === 'Benjamin');
  ben.socket.close();
  await ann.until('Ann sees that Ben has left', () => !ann.people.has(ben.id) && ann.snapshot.people === 1);
});

test("others' cursors are at their last position until they leave", async (t) => {
  const server = await startServer(t);
  const ann = await join(t, server.ws, { name: 'Ann' });
  const ben = await join(t, server.ws, { name: 'Ben' });
  ben.send([flock.CURSOR, 123.5, 301.25]);
  const [x, y] = await ann.until("Ben's cursor is shown", () => ann.snapshot.cursors.get(ben.id));
  assert.deepEqual([x, y], [123.5, 301.25]);
  ben.send([flock.AWAY]);
  await ann.until("Ben's cursor is gone", () => !ann.snapshot.cursors.has(ben.id));
  ben.send([flock.CURSOR, 10, 10]);
  await ann.until("Ben's cursor is back", () => ann.snapshot.cursors.has(ben.id));
  ben.socket.close();
  await ann.until('it leaves with him', () => !ann.snapshot.cursors.has(ben.id));
});

test('the server moves a cursor beyond the world to its edge, so no one leads the flock away', async (t) => {
  const server = await startServer(t, ['--boundary', 'open']);
  const ann = await join(t, server.ws, { name: 'Ann' });
  const ben = await join(t, server.ws, { name: 'Ben' });
  ben.send([flock.CURSOR, 4000, -3000]);
  assert.deepEqual(await ann.until("Ben's cursor is shown", () => ann.snapshot.cursors.get(ben.id)), [550, 0]);
  await ann.until('the flock chases it there', () => near(ann.snapshot.target, [550, 0]));
  ben.send([flock.CURSOR, -1, 400.5]);
  await ann.until('the other corner', () => near(ann.snapshot.target, [0, 400]));
});

const near = (target, point) => target !== null && flock.distance(target, point) < 1;

test('policy mean: the flock chases the middle of the cursors', async (t) => {
  const server = await startServer(t);
  const ann = await join(t, server.ws);
  const ben = await join(t, server.ws);
  ann.send([flock.CURSOR, 100, 100]);
  await ann.until('her own cursor alone', () => near(ann.snapshot.target, [100, 100]));
  ben.send([flock.CURSOR, 300, 200]);
  await ann.until('the middle of both', () => near(ann.snapshot.target, [200, 150]));
  ann.send([flock.AWAY]);
  await ann.until('his alone', () => near(ann.snapshot.target, [300, 200]));
});

test('policy latest: the flock chases the cursor that moved last', async (t) => {
  const server = await startServer(t, ['--policy', 'latest']);
  const ann = await join(t, server.ws);
  assert.equal(ann.room.policy, 'latest');
  const ben = await join(t, server.ws);
  ann.send([flock.CURSOR, 100, 100]);
  await ann.until('hers', () => near(ann.snapshot.target, [100, 100]));
  ben.send([flock.CURSOR, 300, 200]);
  await ann.until('his', () => near(ann.snapshot.target, [300, 200]));
  ann.send([flock.CURSOR, 101, 100]);
  await ann.until('hers again', () => near(ann.snapshot.target, [101, 100]));
});

test('the flock follows the cursor', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  for (const point of /** @type {import('./types.d.ts').Point[]} */ ([[60, 60], [480, 340], [60, 340]])) {
    client.send([flock.CURSOR, ...point]);
    await client.until('the flock is there', () => flock.distance(flock.centroid(client.snapshot.boids), point) < 60);
  }
});

test('idle hold: without cursors there is no target', async (t) => {
  const server = await startServer(t, ['--idle', 'hold']);
  const client = await join(t, server.ws);
  client.send([flock.CURSOR, 100, 120]);
  await client.until('the target is there', () => near(client.snapshot.target, [100, 120]));
  client.send([flock.AWAY]);
  await client.until('there is none', () => client.snapshot.cursors.size === 0 && client.snapshot.target === null);
});

test('idle wander: without cursors the target moves about', async (t) => {
  const server = await startServer(t);
  const client = await join(t, server.ws);
  const from = client.snapshot.target;
  await client.until('it has gone some way', () => flock.distance(client.snapshot.target, from) > 30);
});

test('a cursor that rests for --cursor-timeout no longer steers', async (t) => {
  const server = await startServer(t, ['--cursor-timeout', '1', '--idle', 'wander']);
  const resting = await join(t, server.ws);
  const moving = await join(t, server.ws);
  let step = 0;
  await moving.until('both count', () => {
    step += 1;
    resting.send([flock.CURSOR, 100 + (step % 2) / 4, 100]);
    moving.send([flock.CURSOR, 300 + (step % 2) / 4, 100]);
    return near(moving.snapshot.target, [200, 100]);
  });
  await moving.until('one counts', () => {
    step += 1;
    if (step % 5 === 0) {
      moving.send([flock.CURSOR, 300 + (step % 2) / 4, 100]);
    }
    return near(moving.snapshot.target, [300, 100]);
  });
});

test('with the key in its hello a client joins as a presenter', async (t) => {
  const server = await startServer(t, ['--presenter-key', 'key-of-the-test']);
  const right = await join(t, server.ws, { key: 'key-of-the-test' });
  assert.equal(right.welcome.role, 'presenter');
  assert.equal(right.people.get(right.id).flags, flock.PRESENTER | flock.OWNER);
  assert.equal(await right.ask([flock.SET, 'model', 'boids']), null);
});

test('with a wrong key in its hello a client joins as a viewer, and gets an error', async (t) => {
  const server = await startServer(t, ['--presenter-key', 'key-of-the-test']);
  const wrong = await join(t, server.ws, { key: 'key-of-the-tent' });
  assert.equal(wrong.role, 'viewer');
  const types = wrong.messages.map(([type]) => type);
  assert.ok(types.indexOf(flock.ERROR) > types.indexOf(flock.WELCOME), `after the welcome: ${types}`);
  const error = readError(wrong.messages.find(([type]) => type === flock.ERROR));
  assert.deepEqual([error.code, error.type, error.field, error.fatal], ['key', flock.HELLO, 'key', false]);
  assert.equal((await wrong.ask([flock.RESET])).code, 'role');
});

test('a full server asks new clients to come back', async (t) => {
  const server = await startServer(t, ['--max-clients', '2']);
  const ann = await join(t, server.ws);
  await join(t, server.ws);
  const third = await connect(t, server.ws);
  third.send(hello());
  assert.equal((await third.untilClosed()).code, 3001);
  ann.socket.close();
  await ann.untilClosed();
  await join(t, server.ws);
});
