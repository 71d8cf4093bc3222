// Rooms, their settings and their people outlive the process.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { call, createRoom, MANY_ROOMS, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { root, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const { join, param } = flock;

function folder(t) {
  const name = mkdtempSync(path.join(tmpdir(), 'flockd-data-'));
  atEnd(t, () => rmSync(name, { recursive: true }));
  return name;
}

const kept = (data, ...more) => ['--data', data, '--checkpoint-interval', '0.1', '--presenter-key', 'key-of-the-lobby', ...MANY_ROOMS, ...more];

async function metric(server, name) {
  const text = await (await fetch(`${server.url}metrics`)).text();
  return Number(text.match(new RegExp(`^flockd_${name} (\\S+)$`, 'm'))?.[1]);
}

const TICKS_KEPT = 30 * 0.1 + 1; // in which the server stores a ticking room once

// Waits until the store has the present state, while the client's room ticks. Resolves to the stored tick.
async function written(server, client) {
  const { tick } = client.snapshot;
  await client.until('a checkpoint', () => client.snapshot.tick > tick + TICKS_KEPT);
  const before = await metric(server, 'store_writes_total');
  await until('it is kept', async () => (await metric(server, 'store_writes_total')) > before + 1);
  return tick;
}

// Makes a change that the store has to write, and waits until it is written, while no room ticks.
async function writing(server, act) {
  const before = await metric(server, 'store_writes_total');
  const result = await act();
  await until('it is kept', async () => (await metric(server, 'store_writes_total')) > before && (await metric(server, 'store_waiting')) === 0);
  return result;
}

async function killed(server) {
  server.kill('SIGKILL');
  await server.ended;
}

// A client that comes back like the page: with the token of its welcome.
async function back(t, server, { welcome, room }) {
  const client = await join(t, server.ws, { room: room.code, token: welcome.token });
  await client.until('it is among the people', () => client.people.has(client.id));
  return client;
}

test('a kill changes neither a room nor its people', async (t) => {
  const data = folder(t);
  let server = await startServer(t, kept(data));
  const made = await createRoom(server, { title: 'Bees at noon', listed: true, model: 'boids', boids: 77, world: [800, 600], policy: 'latest' });
  const teacher = await join(t, server.ws, { room: made.code, key: made.key, name: 'Ada' });
  const pupil = await join(t, server.ws, { room: made.code, name: 'Bo' });
  assert.equal(await teacher.ask([flock.PARAM, 'max_speed', 5]), null);
  await pupil.until('the change', () => param(pupil, 'max_speed') === 5 && pupil.people.has(pupil.id));
  const tick = await written(server, pupil);
  await killed(server);

  server = await startServer(t, kept(data));
  const { body } = await call(server, 'GET', roomOf(made));
  assert.deepEqual(body, { code: made.code, title: 'Bees at noon', model: 'boids', people: 0, boids: 77, listed: true, path: made.path });
  const again = await back(t, server, pupil);
  assert.equal(param(again, 'max_speed'), 5);
  assert.deepEqual([again.room.title, again.room.world, again.room.policy], ['Bees at noon', [800, 600], 'latest']);
  assert.equal(again.id, pupil.id);
  assert.equal(again.people.get(again.id).name, 'Bo');
  assert.equal(again.people.get(again.id).color, pupil.people.get(pupil.id).color);
  assert.equal(again.role, 'viewer');
  assert.equal(again.snapshot.boids.length, 77);
  assert.ok(again.snapshot.tick >= tick, `${again.snapshot.tick} is not before ${tick}`);
  const presenter = await back(t, server, teacher);
  assert.equal(presenter.role, 'presenter');
  assert.equal(presenter.people.get(presenter.id).name, 'Ada');
  const { status } = await call(server, 'PATCH', roomOf(made), { body: { title: 'Bees again' }, key: made.key });
  assert.equal(status, 204, 'its key is still its key');
});

test('a saved preset survives a kill', async (t) => {
  const data = folder(t);
  let server = await startServer(t, kept(data));
  const made = await createRoom(server, { model: 'boids', boids: 40 });
  const teacher = await join(t, server.ws, { room: made.code, key: made.key, name: 'Ada' });
  assert.equal(await teacher.ask([flock.PARAM, 'max_speed', 5]), null);
  assert.equal(await teacher.ask([flock.SAVE, 'Ada’s flock']), null);
  assert.equal((await teacher.ask([flock.SAVE, 'bees'])).code, 'range');
  await teacher.until('it is told', () => teacher.events.some(({ name, to, who }) => name === 'save' && to === 'Ada’s flock' && who === 'Ada'));
  assert.equal(await teacher.ask([flock.SET, 'preset', 'march']), null);
  await teacher.until('another flock', () => teacher.room.model === 'vision');
  await written(server, teacher);
  await killed(server);

  server = await startServer(t, kept(data));
  const again = await back(t, server, teacher);
  const presets = () => again.room.controls.find(([name]) => name === 'preset');
  assert.deepEqual(presets()[2].at(-1), ['Ada’s flock', 'saved in this room', true]);
  assert.equal(await again.ask([flock.SET, 'preset', 'Ada’s flock']), null);
  await again.until('the one that was saved', () => again.room.model === 'boids' && again.snapshot.boids.length === 40 && param(again, 'max_speed') === 5);
  assert.equal(presets()[1], 'Ada’s flock');
  assert.equal(await again.ask([flock.FORGET, 'Ada’s flock']), null);
  await again.until('it is gone', () => presets()[2].every(([name]) => name !== 'Ada’s flock'));
});

test('a clean end loses nothing', async (t) => {
  const data = folder(t);
  let server = await startServer(t, kept(data, '--checkpoint-interval', '3600'));
  const made = await createRoom(server, { boids: 5 });
  const client = await join(t, server.ws, { room: made.code });
  await client.until('some ticks', () => client.snapshot.tick > 20);
  await server.stop();
  await client.untilClosed();
  const { tick } = client.snapshot;

  server = await startServer(t, kept(data));
  const again = await back(t, server, client);
  assert.ok(again.snapshot.tick >= tick, `${again.snapshot.tick} comes after ${tick}`);
});

test('a start writes no room again, and a change afterwards is still written', async (t) => {
  const data = folder(t);
  const file = path.join(data, 'flockd.sqlite');
  let server = await startServer(t, kept(data));
  const made = [];
  for (let i = 0; i < 5; i++) {
    made.push(await createRoom(server, { title: `Class ${i}`, model: 'boids', boids: 20 }));
  }
  const pupil = await join(t, server.ws, { room: made[0].code, name: 'Bo' });
  await pupil.until('some ticks', () => pupil.snapshot.tick > 20);
  pupil.socket.close();
  await server.stop();
  const before = readFileSync(file);

  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL', 'SIGTERM'])) {
    server = await startServer(t, kept(data));
    for (const [i, room] of made.entries()) {
      assert.equal((await call(server, 'GET', roomOf(room))).body.title, `Class ${i}`);
    }
    assert.deepEqual(await Promise.all(['waiting', 'writes_total', 'bytes_total'].map((name) => metric(server, `store_${name}`))), [0, 0, 0]);
    server.kill(signal);
    assert.equal((await server.ended).code, signal === 'SIGTERM' ? 0 : null);
    assert.doesNotMatch(server.stderr, /slow|lost/);
    assert.ok(readFileSync(file).equals(before), `the database is the same after ${signal}`);
  }

  server = await startServer(t, kept(data));
  await writing(server, () => call(server, 'PATCH', roomOf(made[1]), { body: { title: 'Bees' }, key: made[1].key }));
  const teacher = await join(t, server.ws, { room: made[0].code, key: made[0].key });
  assert.equal(await teacher.ask([flock.PARAM, 'max_speed', 5]), null);
  const tick = await written(server, teacher);
  await killed(server);

  server = await startServer(t, kept(data));
  const again = await back(t, server, pupil);
  assert.equal(param(again, 'max_speed'), 5);
  assert.ok(again.snapshot.tick >= tick, `${again.snapshot.tick} is not before ${tick}`);
  assert.equal((await call(server, 'GET', roomOf(made[1]))).body.title, 'Bees');
});

test('a room that has ended does not come back', async (t) => {
  const data = folder(t);
  let server = await startServer(t, kept(data));
  const made = await writing(server, () => createRoom(server));
  const other = await writing(server, () => createRoom(server));
  const ended = await writing(server, () => call(server, 'DELETE', roomOf(made), { key: made.key }));
  assert.equal(ended.status, 204);
  await killed(server);
  server = await startServer(t, kept(data));
  assert.equal((await call(server, 'GET', roomOf(made))).status, 404);
  assert.equal((await call(server, 'GET', roomOf(other))).status, 200);
});

test('the lobby continues, unless its options differ', async (t) => {
  const data = folder(t);
  let server = await startServer(t, kept(data, '--boids', '30'));
  const presenter = await join(t, server.ws, { key: 'key-of-the-lobby' });
  assert.equal(await presenter.ask([flock.ADD, 100, 100, 12]), null);
  await presenter.until('42 boids', () => presenter.snapshot.boids.length === 42);
  await written(server, presenter);
  await killed(server);
  server = await startServer(t, kept(data, '--boids', '30'));
  assert.equal((await join(t, server.ws)).snapshot.boids.length, 42);
  await killed(server);
  server = await startServer(t, kept(data, '--boids', '31'));
  assert.equal((await join(t, server.ws)).snapshot.boids.length, 31);
});

test('a second flockd with the same folder does not start', async (t) => {
  const data = folder(t);
  const server = await startServer(t, kept(data));
  const { code, stderr } = await runToEnd(t, ['--port', '0', ...kept(data)]);
  assert.equal(code, 1);
  assert.match(stderr, /flockd\.sqlite: database is locked; another flockd is using it/);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.equal((await fetch(`${server.url}healthz`)).status, 200);
});

test('flockd renames a damaged file and starts with new rooms', async (t) => {
  const data = folder(t);
  writeFileSync(path.join(data, 'flockd.sqlite'), 'no database '.repeat(1000));
  const server = await startServer(t, kept(data));
  await until('it says so', () => /flockd\.sqlite(: file is not a database| is damaged).*damaged-\d+, and flockd began a new one/.test(server.stderr), () => server.stderr);
  assert.equal(readdirSync(data).filter((name) => name.includes('damaged')).length, 1);
  await createRoom(server);
});

test('--check-data lists the stored rooms', async (t) => {
  const data = folder(t);
  const server = await startServer(t, kept(data));
  const made = await createRoom(server, { listed: true });
  await server.stop();
  const { code, stdout, stderr } = await runToEnd(t, ['--check-data', data]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`^${made.code} +\\d+ bytes, kept 20\\S+Z, listed$`, 'm'));
  assert.match(stdout, /: 2 rooms, 0 of them damaged; 0 reserved codes\n$/);
  const none = await runToEnd(t, ['--check-data', path.join(data, 'nothing')]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /^flockd: .*nothing\/flockd\.sqlite: No such file or directory; expected a folder that was flockd's --data\n$/);
});

test('with a full disk the rooms continue; /healthz, metrics and presenters report it', async (t) => {
  const data = folder(t);
  const server = await startServer(t, kept(data));
  const limit = (size) => assert.equal(spawnSync('prlimit', ['--pid', String(server.pid), `--fsize=${size}`]).status, 0);
  const health = async () => (await (await fetch(`${server.url}healthz`)).json()).data;
  assert.equal(await health(), 'ok');
  const client = await join(t, server.ws, { key: 'key-of-the-lobby' });
  assert.equal(client.room.store_failing, undefined);
  limit('1000:unlimited');
  await until('it says so', async () => (await health()) === 'failing');
  assert.equal(await metric(server, 'store_failing'), 1);
  await until('it logs why', () => /rooms are not stored, and continue in memory: .*flockd\.sqlite: .*; /.test(server.stderr), () => server.stderr);
  const { tick } = client.snapshot;
  await client.until('it ticks', () => client.snapshot.tick > tick + 10);
  await client.until('it is told', () => client.room.store_failing === true);
  assert.equal((await join(t, server.ws)).room.store_failing, true, 'who comes now is told at once');
  limit('unlimited:unlimited');
  await until('it is well again', async () => (await health()) === 'ok');
  await client.until('it is told of that, too', () => client.room.store_failing === undefined);
});

test('a stored room continues at its own rate, not at a new --tick-rate', async (t) => {
  const data = folder(t);
  let server = await startServer(t, kept(data, '--tick-rate', '10'));
  const made = await createRoom(server, { boids: 5 });
  const before = await join(t, server.ws, { room: made.code });
  await before.until('some ticks', () => before.snapshot.tick > 3);
  await server.stop();
  server = await startServer(t, kept(data, '--tick-rate', '60'));
  const after = await join(t, server.ws, { room: made.code });
  const seen = [after.snapshot];
  after.onSnapshot = (snapshot) => seen.push(snapshot);
  await after.until('some ticks', () => after.snapshot.tick > seen[0].tick + 3);
  assert.equal(after.room.tick_rate, 10);
  const [first, last] = [seen[0], seen.at(-1)];
  const ms = (last.time - first.time) / 1000 / (last.tick - first.tick); // more if ticks are dropped
  assert.ok(ms > 95, `${ms} ms from tick to tick`);
});

test('a room keeps its trust under a new --rooms', async (t) => {
  const data = folder(t);
  const start = (rooms, ...more) => startServer(t, kept(data, '--max-clients', '2', '--net-threads', '1', '--rooms', rooms, ...more));
  const elsewhere = { localAddress: '127.0.0.66' };
  // Whether a presenter of that room brings in a client of the same address while others have all slots.
  const bringsIn = async (server, { code, key }) => {
    const others = [await join(t, server.ws), await join(t, server.ws)];
    const presenter = await join(t, server.ws, { room: code, key }, elsewhere);
    assert.equal(presenter.role, 'presenter');
    const client = await flock.connect(t, server.ws, elsewhere);
    client.send(flock.hello());
    await client.until('it is in, or refused', () => client.welcome ?? client.closed);
    const all = [...others, presenter, client];
    for (const each of all) each.socket.close();
    await Promise.all(all.map((each) => each.untilClosed()));
    await until('all places are free', async () => (await metric(server, 'clients_connected')) === 0);
    return Boolean(client.welcome);
  };
  const branch = async (room) => (await call(server, 'POST', `${roomOf(room)}/branch`, { key: room.key })).body;
  const lobby = { code: 'lobby', key: 'key-of-the-lobby' };
  let server = await start('open');
  const strangers = await createRoom(server);
  await server.stop();

  server = await start('presenter', '--open-controls');
  const everyones = await createRoom(server, {}, lobby);
  const another = await branch(lobby); // a room whose members can all change its key
  await server.stop();

  server = await start('presenter');
  const teachers = await createRoom(server, {}, lobby);
  const branches = { strangers: await branch(strangers), teachers: await branch(teachers) };
  assert.equal(await bringsIn(server, strangers), false, 'anybody might create it');
  assert.equal(await bringsIn(server, everyones), false, 'all who came were its presenters');
  assert.equal(await bringsIn(server, another), false);
  assert.equal(await bringsIn(server, teachers), true);
  assert.equal(await bringsIn(server, branches.strangers), false);
  assert.equal(await bringsIn(server, branches.teachers), true);
  await server.stop();

  server = await start('open');
  assert.equal(await bringsIn(server, teachers), true, 'still');
  assert.equal(await bringsIn(server, strangers), false);
});

test('limits of an address count its rooms from before a kill', async (t) => {
  const data = folder(t);
  const start = () => startServer(t, kept(data, '--trusted-proxy', '127.0.0.1', '--max-rooms', '20'));
  const [ada, ben] = ['198.51.100.77', '198.51.100.88'];
  const create = async (server, address) => (await call(server, 'POST', '/api/rooms', { body: { boids: 5 }, headers: { 'x-forwarded-for': address } })).status;
  const createAll = async (server, address) => {
    let count = 0;
    while ((await create(server, address)) === 201) count++;
    return count;
  };
  let server = await start();
  const most = await createAll(server, ada);
  assert.ok(most > 3, `${most} rooms`);
  await until('all is stored', async () => (await metric(server, 'store_waiting')) === 0);
  await killed(server);
  for (const name of readdirSync(data)) {
    assert.ok(!readFileSync(path.join(data, name)).includes(ada), `${name} does not contain the address`);
  }

  server = await start();
  assert.equal(await createAll(server, ada), 0, 'it has all its rooms already');
  assert.ok((await createAll(server, ben)) > 0, 'another address has none');
});

test('controls are open only with --open-controls', async (t) => {
  const data = folder(t);
  const open = await startServer(t, kept(data, '--open-controls'));
  const made = await createRoom(open);
  const ada = await join(t, open.ws, { name: 'Ada' });
  assert.equal(ada.role, 'presenter');
  await open.stop();

  const closed = await startServer(t, kept(data));
  assert.equal((await join(t, closed.ws)).role, 'viewer');
  assert.equal((await join(t, closed.ws, { token: ada.welcome.token })).role, 'viewer', 'who was a presenter as everyone was');
  assert.equal((await join(t, closed.ws, { room: made.code })).role, 'viewer');
  assert.equal((await join(t, closed.ws, { room: made.code, key: made.key })).role, 'presenter');
  await closed.stop();

  const again = await startServer(t, kept(data, '--open-controls'));
  assert.equal((await join(t, again.ws)).role, 'presenter');
  assert.equal((await join(t, again.ws, { room: made.code })).role, 'presenter');
});

test('the lobby\'s key is the key of this start', async (t) => {
  const data = folder(t);
  const start = (...more) => startServer(t, ['--data', data, '--checkpoint-interval', '0.1', ...more]);
  const keyOf = (server) => server.stdout.match(/--key (\S+)/)[1];
  const roleWith = async (server, key) => (await join(t, server.ws, { key })).role;
  const first = await start();
  const made = keyOf(first);
  const ada = await join(t, first.ws, { name: 'Ada', key: made });
  await first.stop();

  const second = await start();
  assert.equal(await roleWith(second, keyOf(second)), 'presenter', 'as it is printed');
  assert.equal(await roleWith(second, made), 'viewer');
  const again = await join(t, second.ws, { token: ada.welcome.token });
  assert.equal(again.role, 'presenter', 'whoever was one stays one');
  await second.stop();

  const third = await start('--presenter-key', 'nobody-knows-this-one');
  assert.equal(await roleWith(third, 'nobody-knows-this-one'), 'presenter');
  assert.equal((await join(t, third.ws, { token: ada.welcome.token })).role, 'viewer', 'unless somebody chose another key');
});

test('a key that a presenter of the lobby made stays until flockd starts with another --presenter-key', async (t) => {
  const data = folder(t);
  const roleWith = async (server, hello) => (await join(t, server.ws, hello)).role;
  const statusOf = async (server, key) => (await call(server, 'PATCH', '/api/rooms/lobby', { key, body: { title: 'Owls' } })).status;
  const old = 'key-of-the-lobby';
  let server = await startServer(t, kept(data));
  assert.match(server.stdout, /#key=key-of-the-lobby/);
  const ada = await join(t, server.ws, { name: 'Ada', key: old });
  const ben = await join(t, server.ws, { name: 'Ben', key: old });
  ben.socket.close();
  await ben.untilClosed();
  await ada.ask([flock.REKEY]);
  await written(server, ada);
  for (const signal of /** @type {const} */ (['SIGKILL', 'SIGTERM'])) {
    server.kill(signal);
    await server.ended;
    server = await startServer(t, kept(data));
    assert.ok(!server.stdout.includes(old), server.stdout);
    assert.match(server.stdout, /as presenter +with the key that a presenter of the lobby made/);
    assert.equal(await roleWith(server, { key: old }), 'viewer');
    assert.equal(await roleWith(server, { key: ada.key }), 'presenter');
    assert.deepEqual([await statusOf(server, old), await statusOf(server, ada.key)], [403, 204]);
    assert.equal(await roleWith(server, { token: ada.welcome.token }), 'presenter');
    assert.equal(await roleWith(server, { token: ben.welcome.token }), 'viewer', 'who was away');
  }
  await server.stop();

  const options = kept(data, '--presenter-key', 'nobody-knows-this-one');
  server = await startServer(t, options);
  assert.equal(await roleWith(server, { key: 'nobody-knows-this-one' }), 'presenter');
  assert.equal(await roleWith(server, { key: ada.key }), 'viewer');
  assert.equal(await roleWith(server, { token: ada.welcome.token }), 'viewer', 'she has to show the other key');
  await server.stop();
  server = await startServer(t, kept(data));
  assert.equal(await roleWith(server, { key: old }), 'presenter', 'another start with the first key');
});

// tests/states/flockd.sqlite was written by flockd before rooms had leases. It has the lobby, a locked room of 40 boids, a room that plays
// a recording, and the code of a room that ended. The file never changes.
test('rooms of an earlier flockd continue, with their people', async (t) => {
  const data = folder(t);
  copyFileSync(path.join(root, 'tests/states/flockd.sqlite'), path.join(data, 'flockd.sqlite'));
  const server = await startServer(t, kept(data));
  const { body: room } = await call(server, 'GET', roomOf({ code: 'X33K3L' }));
  assert.equal(room.title, 'Class 4b');
  assert.equal(room.boids, 40);
  const grace = await join(t, server.ws, { room: 'X33K3L', token: Buffer.from('00000000aa4d9f1eeb984cfb0d73bbc4', 'hex') });
  assert.equal(grace.welcome.name, 'Grace');
  assert.equal(grace.welcome.role, 'presenter');
  const film = await join(t, server.ws, { room: 'KFLKLR' });
  await film.until('it still plays its recording', () => film.past?.shown);
});
