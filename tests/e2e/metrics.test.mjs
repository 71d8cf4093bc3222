// /metrics counts exactly, to the last snapshot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { freePort } from '../../docker/cluster.mjs';
import { call, createRoom } from './api.mjs';
import { atEnd } from './atend.mjs';
import { ADD, connect, CURSOR, hello, join, NAME, PACKED, refused, SNAPSHOT, WANT } from './client.mjs';
import { launch, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const ROOM = '{room="lobby"}';
const RUNNER = '{runner="0"}';
const SAMPLE = /^(flockd_[a-z_]+)(\{(?:[a-z]+="[^"\\]*",?)+\})? (\d+(?:\.\d+)?(?:e-?\d+)?)$/;

// Reads /metrics like Prometheus, and more strictly: each family is described once, before its samples, and no sample comes twice.
// Resolves to the samples by name, without "flockd_" and with labels.
async function scrape(server) {
  const response = await fetch(`${server.url}metrics`, { headers: { connection: 'close' } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4');
  const text = await response.text();
  assert.ok(text.endsWith('\n'));
  const samples = new Map();
  const types = new Map();
  let family;
  let described;
  for (const line of text.slice(0, -1).split('\n')) {
    const help = line.match(/^# HELP (flockd_[a-z_]+) \S.*$/);
    const type = line.match(/^# TYPE (flockd_[a-z_]+) (counter|gauge|histogram)$/);
    if (help) {
      [, described] = help;
    } else if (type) {
      [, family] = type;
      assert.equal(family, described, 'help, then type');
      assert.ok(!types.has(family), `${family} once`);
      types.set(family, type[2]);
    } else {
      const [, name, labels = '', value] = line.match(SAMPLE) ?? assert.fail(`no sample: ${line}`);
      const suffix = types.get(family) === 'histogram' ? '_(bucket|sum|count)' : '';
      assert.match(name, new RegExp(`^${family}${suffix}$`));
      assert.equal(name.endsWith('_total'), types.get(family) === 'counter');
      const key = name.slice('flockd_'.length) + labels;
      assert.ok(!samples.has(key), `${key} once`);
      samples.set(key, Number(value));
    }
  }
  return samples;
}

const closes = (samples) => [...samples].filter(([name, value]) => name.startsWith('closes_total') && value > 0);

const sumOf = (entries) => entries.reduce((sum, [, value]) => sum + value, 0);

// Reads the totals in the log's last line.
function totals(stderr) {
  const line = /(\d+) connections; of (\d+) snapshots offered (\d+) sent, (\d+) skipped; (\d+) bytes sent/;
  const [connections, offered, sent, skipped, bytes] = stderr.match(line)?.slice(1).map(Number) ?? assert.fail(stderr);
  return { connections, offered, sent, skipped, bytes };
}

// A client that counts and does not decode; it joins at once. The second byte of a message is its type.
async function counting(t, server, fields = {}) {
  const socket = new WebSocket(server.ws, 'flock.v1', { perMessageDeflate: false });
  const client = { socket, snapshots: 0, bytes: 0, closed: null };
  socket.on('message', (/** @type {Buffer} */ data) => {
    client.bytes += data.length;
    client.snapshots += data[1] === SNAPSHOT || data[1] === PACKED ? 1 : 0;
  });
  socket.on('open', () => socket.send(encode(hello(fields))));
  socket.on('error', () => {});
  socket.on('close', (code) => (client.closed = code));
  atEnd(t, () => socket.terminate());
  await until('a snapshot', () => client.snapshots > 0);
  return client;
}

test('numbers of people and boids, and their messages', async (t) => {
  const server = await startServer(t, ['--boids', '34', '--open-controls']);
  const before = await scrape(server);
  assert.equal(before.get('clients_connected'), 0);
  assert.equal(before.get('connections_total'), 0);
  const ann = await join(t, server.ws);
  const ben = await join(t, server.ws);
  await connect(t, server.ws); // says nothing
  ann.send([NAME, 'Ann']);
  ann.send([CURSOR, 1, 2]);
  ann.send([ADD, 5, 5, 10]);
  await refused(ben, [99]);
  await refused(ben, [CURSOR, 1e9, 0]);
  await ben.until('there are more boids', () => ben.snapshot.boids.length === 44);
  const after = await scrape(server);
  assert.equal(after.get('clients_connected'), 3);
  assert.equal(after.get('connections_total'), 3);
  assert.equal(after.get('messages_received_total'), 7);
  assert.equal(after.get('errors_answered_total'), 2);
  assert.equal(after.get(`room_people${ROOM}`), 2);
  assert.equal(after.get(`room_boids${ROOM}`), 44);
});

// Resolves to the samples now and after a number of ticks.
async function twice(server, ticks) {
  const name = `room_ticks_total${ROOM}`;
  const first = await scrape(server);
  const second = await until(`${ticks} ticks`, async () => {
    const samples = await scrape(server);
    return samples.get(name) >= first.get(name) + ticks && samples;
  });
  return [first, second];
}

test('ticks, their lateness and their time', async (t) => {
  const server = await startServer(t, ['--tick-rate', '60', '--sim-threads', '1']);
  await counting(t, server); // an empty room does not tick
  const [first, second] = await twice(server, 60);
  for (const samples of [first, second]) {
    for (const name of ['runner_tick_lateness_seconds', 'runner_tick_duration_seconds']) {
      const buckets = [...samples].filter(([key]) => key.startsWith(`${name}_bucket${RUNNER.slice(0, -1)},`));
      const values = buckets.map(([, value]) => value);
      const bounds = buckets.map(([key]) => Number(key.match(/le="(.*)"/)[1].replace('+Inf', 'Infinity')));
      assert.deepEqual(values, [...values].sort((a, b) => a - b), 'each bucket has those below as well');
      assert.deepEqual(bounds, [...bounds].sort((a, b) => a - b));
      assert.equal(bounds.at(-1), Infinity);
      assert.equal(samples.get(`${name}_count${RUNNER}`), values.at(-1));
      assert.ok(samples.get(`${name}_sum${RUNNER}`) > 0);
    }
  }
  // Ticks continue during the reading: each count a tick lies between the ticks before and after.
  for (const name of ['runner_tick_duration_seconds_count', 'runner_ticks_total']) {
    assert.ok(first.get(`${name}${RUNNER}`) <= second.get(`room_ticks_total${ROOM}`) + 1, name);
    assert.ok(second.get(`${name}${RUNNER}`) >= first.get(`room_ticks_total${ROOM}`) - 1, name);
  }
  for (const [name, value] of first) {
    assert.ok(second.get(name) >= value || name === 'clients_connected', `${name} does not go back`);
  }
});

test('the server encodes a snapshot once for all clients, and not without clients', async (t) => {
  const server = await startServer(t, ['--tick-rate', '60', '--snapshot-rate', '20']);
  /** @type {(scrapes: Map<string, number>[], name: string) => number} */
  const increase = ([before, after], name) => after.get(name) - before.get(name);
  const elsewhere = await join(t, server.ws, { room: (await createRoom(server)).code });
  await elsewhere.until('30 ticks of another room', () => elsewhere.snapshot.tick > 30);
  const none = await scrape(server);
  assert.deepEqual([none.get(`room_ticks_total${ROOM}`), none.get(`room_frames_encoded_total${ROOM}`)], [0, 0]);
  elsewhere.socket.close();
  const clients = await Promise.all(Array.from({ length: 10 }, () => counting(t, server)));
  const some = await twice(server, 60);
  const ticks = increase(some, `room_ticks_total${ROOM}`);
  const encoded = increase(some, `room_frames_encoded_total${ROOM}`);
  // More if the machine has no time for a client, whose stream then changes.
  assert.ok(encoded >= ticks / 3 - 2 && encoded < ((ticks / 3) * clients.length) / 3, `${encoded} in ${ticks} ticks, for ${clients.length} clients`);
  await until('each has been sent some', () => clients.every(({ snapshots }) => snapshots > 3));
});

test('packed snapshots are deltas, and a keyframe for a new client', async (t) => {
  const server = await startServer(t, ['--boids', '100', '--tick-rate', '120', '--snapshot-rate', '120']);
  await counting(t, server, { encodings: ['packed'] });
  const samples = await until('90 have been sent', async () => {
    const all = await scrape(server);
    return all.get('snapshots_sent_total') >= 90 && all;
  });
  const of = (what, label = '') => samples.get(`${what}_total${label}`);
  const encoded = of('room_keyframes_encoded', ROOM);
  const frames = of('room_frames_encoded', ROOM);
  assert.ok(encoded >= 1 && encoded < frames / 2, `${encoded} of ${frames} encoded`);
  assert.ok(of('keyframes_sent') >= 1 && of('keyframes_sent') < 45, `${of('keyframes_sent')} sent`);
  assert.ok(frames >= 90);
});

test('closes of connections by code', async (t) => {
  const server = await startServer(t, ['--max-clients', '3']);
  const ann = await join(t, server.ws, { name: 'Ann' });
  const again = await join(t, server.ws, { name: 'Ann', token: ann.welcome.token }); // 3504
  await ann.untilClosed();
  const wrong = await connect(t, server.ws);
  await refused(wrong, hello({ room: 'attic' })); // 3502
  await wrong.untilClosed();
  const text = await connect(t, server.ws);
  text.socket.send('text'); // 1003
  await text.untilClosed();
  for (const code of [1000, 4321, undefined]) {
    const client = await join(t, server.ws);
    client.socket.close(code);
    await client.untilClosed();
  }
  const broken = await join(t, server.ws);
  broken.socket.terminate(); // 1006
  await again.until('it is gone', () => again.snapshot.people === 1);
  const others = [await join(t, server.ws), await join(t, server.ws)];
  const late = await connect(t, server.ws); // 3001
  late.send(hello());
  await late.untilClosed();
  const samples = await until('all are counted', async () => {
    const all = await scrape(server);
    return all.get('clients_connected') === 1 + others.length && all;
  });
  assert.deepEqual(
    closes(samples),
    ['1000', '1003', '1005', '1006', '3001', '3502', '3504', 'other'].map((code) => [`closes_total{code="${code}"}`, 1]),
  );
});

// Half of them take packed snapshots.
const group = (t, server, count, rates = [0]) =>
  Promise.all(
    Array.from({ length: count }, (_, i) => {
      const encodings = [i % 2 === 0 ? 'plain' : 'packed'];
      return counting(t, server, { rate: rates[i % rates.length], encodings });
    }),
  );

// Clients of each kind: at their own rate, at changing rates, sometimes slow, never reading, joining and leaving.
async function crowd(t, server) {
  const reading = await group(t, server, 8, [0, 0, 20, 7, 1]);
  const slow = await group(t, server, 4);
  const stuck = await group(t, server, 4);
  stuck.forEach(({ socket }) => socket.pause());
  for (const turn of [1, 2]) {
    slow.forEach(({ socket }) => socket.pause());
    const coming = await group(t, server, 4);
    for (let i = 2; i < 16; i += 1) {
      reading[2 + (i % 6)].socket.send(encode([WANT, (7 * i * turn) % 31, 0]));
    }
    const { snapshots } = reading[0];
    await until('others have gone on', () => reading[0].snapshots > snapshots + 15);
    coming.forEach(({ socket }, i) => (i % 2 === 0 ? socket.terminate() : socket.close()));
    slow.forEach(({ socket }) => socket.resume());
    const { snapshots: then } = slow[0];
    await until(`slow ones have gone on, for the ${turn}. time`, () => slow[0].snapshots > then + 10);
  }
  return { reading, slow, stuck };
}

function assertConserved({ offered, sent, skipped }) {
  assert.equal(offered, sent + skipped, `${offered} = ${sent} + ${skipped}`);
}

/** @type {(samples: Map<string, number>) => any} */
const counted = (samples) => Object.fromEntries(['offered', 'sent', 'skipped'].map((what) => [what, samples.get(`snapshots_${what}_total`)]));

test('each offered snapshot is sent or skipped, while clients come and go', async (t) => {
  const server = await startServer(t, ['--boids', '3000', '--net-threads', '2', '--stall-timeout', '4']);
  const { reading, slow, stuck } = await crowd(t, server);
  await until('those who take nothing are given up', async () => (await scrape(server)).get('closes_total{code="3002"}') >= stuck.length);
  [...reading, ...slow].forEach(({ socket }, i) => (i % 3 === 0 ? socket.terminate() : socket.close()));
  const samples = await until('all have left', async () => {
    const all = await scrape(server);
    return all.get('clients_connected') === 0 && all;
  });
  assertConserved(counted(samples));
  assert.ok(samples.get('snapshots_skipped_total') > 0);
  assert.ok(samples.get('choked_total') > 0);
  assert.equal(sumOf(closes(samples)), samples.get('connections_total'));
  await server.stop();
  const { connections, ...snapshots } = totals(server.stderr);
  assert.equal(connections, samples.get('connections_total'));
  assert.deepEqual(snapshots, { ...counted(samples), bytes: samples.get('bytes_sent_total') });
});

test('each offered snapshot is sent or skipped, with clients that stay', async (t) => {
  const server = await startServer(t, ['--boids', '3000', '--net-threads', '2']);
  const { stuck } = await crowd(t, server);
  await server.stop();
  const snapshots = totals(server.stderr);
  assertConserved(snapshots);
  assert.ok(snapshots.skipped >= stuck.length);
});

test('a client that reads all has received each sent byte', async (t) => {
  const server = await startServer(t, ['--boids', '1000', '--net-threads', '2']);
  const clients = await group(t, server, 10, [0, 0, 30, 15, 3]);
  const slow = clients.slice(0, 2);
  slow.forEach(({ socket }) => socket.pause());
  await until('they cannot be sent all', async () => (await scrape(server)).get('choked_total') > 60);
  slow.forEach(({ socket }) => socket.resume());
  const { snapshots } = slow[0];
  await until('they have caught up', () => slow[0].snapshots > snapshots + 30);
  const stopped = server.stop();
  await until('all are told of the end', () => clients.every(({ closed }) => closed === 3000));
  await stopped;
  const { sent, skipped, bytes } = totals(server.stderr);
  assert.equal(sent, clients.reduce((sum, client) => sum + client.snapshots, 0));
  assert.equal(bytes, clients.reduce((sum, client) => sum + client.bytes, 0));
  assert.ok(skipped > 0);
});

test('rooms: the busiest have their own figures, the others a sum', async (t) => {
  const server = await startServer(t, ['--metrics-rooms', '2', '--boids', '10', '--sim-threads', '2']);
  const rooms = [];
  const alone = (await scrape(server)).get('rooms_memory_bytes') ?? 0;
  for (const boids of [20, 30, 40, 50]) rooms.push({ boids, ...(await createRoom(server, { boids, listed: true })) });
  const busy = rooms[2];
  const clients = await Promise.all([busy, busy, busy, rooms[0]].map(({ code }) => join(t, server.ws, { room: code })));
  await until('it is the busiest', async () => (await scrape(server)).get(`room_ticks_total{room="${busy.code}"}`) > 20);
  const samples = await scrape(server);
  assert.equal(samples.get(`room_people{room="${busy.code}"}`), 3);
  assert.equal(samples.get(`room_boids{room="${busy.code}"}`), 40);
  const of = (family) => [...samples].filter(([name]) => name.startsWith(`${family}{`));
  assert.equal(of('room_people').length, 3, 'two and the others');
  assert.equal(sumOf(of('room_people')), clients.length);
  assert.equal(sumOf(of('room_boids')), 150);
  assert.deepEqual([samples.get('rooms'), samples.get('boids')], [5, 150]);
  assert.ok(alone > 0 && (samples.get('rooms_memory_bytes') ?? 0) > 3 * alone, 'each room has memory');
  assert.equal(sumOf(of('runner_rooms')), 5);
  assert.equal(sumOf(of('runner_rooms_running')), 2);
  assert.equal(of('runner_ticks_total').length, 2, 'of two sim threads');
});

test('the metrics do not have the code of an unlisted room', async (t) => {
  const server = await startServer(t);
  const { code } = await createRoom(server, { boids: 77 });
  await join(t, server.ws, { room: code });
  await until('it is counted', async () => [...(await scrape(server))].some(([name, value]) => name.startsWith('room_boids{room="unlisted-') && value === 77));
  const text = await (await fetch(`${server.url}metrics`)).text();
  assert.ok(!text.includes(code));
});

test('refusals count by their limit', async (t) => {
  const server = await startServer(t, ['--max-rooms', '2', '--room-people', '1', '--max-boids', '50']);
  await call(server, 'POST', '/api/rooms', { body: { boids: 39 } }); // a boid too many
  const room = await createRoom(server);
  await call(server, 'POST', '/api/rooms', { body: { boids: 1 } }); // one room too many
  const first = await join(t, server.ws, { room: room.code, key: room.key });
  assert.equal((await first.ask([ADD, 100, 100, 100])).code, 'full'); // as above
  const second = await connect(t, server.ws);
  await refused(second, hello({ room: room.code })); // one person too many
  await second.untilClosed();
  const samples = await scrape(server);
  assert.deepEqual(['rooms', 'people', 'boids', 'clients'].map((limit) => samples.get(`refused_total{limit="${limit}"}`)), [1, 1, 2, 0]);
  const few = await startServer(t, ['--room-boids', '100']);
  const bodies = [{ boids: 101 }, { preset: 'march' }, { boids: 0 }, { boids: 'many' }, { boids: 100 }]; // the first two ask for too many
  for (const body of bodies) await call(few, 'POST', '/api/rooms', { body });
  assert.equal((await scrape(few)).get('refused_total{limit="boids"}'), 2);
  const small = await startServer(t, ['--max-clients', '1']);
  await join(t, small.ws);
  const third = await connect(t, small.ws);
  third.send(hello()); // one client too many
  await third.untilClosed();
  assert.equal((await scrape(small)).get('refused_total{limit="clients"}'), 1);
  const strict = await startServer(t, ['--rooms-per-hour', '1']);
  await createRoom(strict);
  await call(strict, 'POST', '/api/rooms', { body: {} }); // a room too soon
  assert.equal((await scrape(strict)).get('refused_total{limit="rate"}'), 1);
});

test('the totals at the end are a line of the log in its format', async (t) => {
  const server = launch(t, ['--port', '0', '--log-format', 'json']);
  await until('it listens', () => server.stderr.includes('listening'));
  server.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
  const lines = server.stderr.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(totals(lines.at(-1).message), { connections: 0, offered: 0, sent: 0, skipped: 0, bytes: 0 });
});

test('/readyz answers 200 while more people can join', async (t) => {
  const server = await startServer(t, ['--max-clients', '1']);
  const ready = async () => {
    const response = await fetch(`${server.url}readyz`);
    return [response.status, (await response.json()).status];
  };
  assert.deepEqual(await ready(), [200, 'ready']);
  const client = await join(t, server.ws);
  assert.deepEqual(await ready(), [503, 'full']);
  client.socket.close();
  await until('its place is free', async () => (await ready())[0] === 200);
});

test('with --metrics-key the figures need the key, and guessing it is limited', async (t) => {
  const key = 'the-key-of-prometheus-17';
  const server = await startServer(t, ['--metrics-key', key, '--address-key-tries', '6']); // one more after 10 s
  const ask = (path, authorization) =>
    fetch(server.url + path, { headers: { connection: 'close', ...(authorization && { authorization }) } });
  assert.doesNotMatch(server.stderr, /guessed/);
  const without = await ask('metrics');
  assert.deepEqual([without.status, without.headers.get('www-authenticate')], [401, 'Bearer']);
  assert.deepEqual(await (await ask('healthz')).json(), { status: 'ok' });
  assert.deepEqual(await (await ask('healthz', 'Basic YTpi')).json(), { status: 'ok' }); // of a proxy in front
  assert.equal((await ask('readyz')).status, 200);
  assert.equal((await (await ask('healthz', `Bearer ${key}`)).json()).rooms, 1);
  assert.match(await (await ask('metrics', `Bearer ${key}`)).text(), /^flockd_key_failures_total\{key="metrics"\} 0$/m);
  for (const wrong of ['guess', `${key}8`, key.slice(1), '', 'x'.repeat(500)]) {
    assert.equal((await ask('metrics', `Bearer ${wrong}`)).status, wrong === '' || wrong.length > 64 ? 401 : 403, wrong);
  }
  assert.equal((await ask('healthz', 'Bearer guess')).status, 403);
  assert.match(await (await ask('metrics', `Bearer ${key}`)).text(), /^flockd_key_failures_total\{key="metrics"\} 4$/m);
  await until('no more guesses are looked at', async () => (await ask('metrics', 'Bearer guess')).status === 429);
  const late = await ask('metrics', `Bearer ${key}`);
  assert.equal(late.status, 429);
  assert.ok(Number(late.headers.get('retry-after')) >= 1);
  assert.match(server.stderr, /a wrong metrics key of the server from 127\.0\.0\.1/);
  assert.doesNotMatch(server.stderr, /prometheus/);
});

test('with --admin-bind only that port has the figures', async (t) => {
  const port = await freePort();
  const server = await startServer(t, ['--admin-bind', `127.0.0.1:${port}`, '--net-threads', '2']);
  const admin = `http://127.0.0.1:${port}/`;
  assert.equal((await fetch(`${server.url}metrics`)).status, 404);
  assert.deepEqual(await (await fetch(`${server.url}healthz`)).json(), { status: 'ok' });
  assert.match(await (await fetch(`${admin}metrics`)).text(), /^flockd_clients_connected 0$/m);
  assert.deepEqual(Object.keys(await (await fetch(`${admin}healthz`)).json()), ['status', 'version', 'rooms', 'connections', 'data']);
  assert.equal((await fetch(`${admin}readyz`)).status, 200);
  for (const path of ['', 'r/lobby', 'api/rooms', 'ws']) {
    assert.equal((await fetch(admin + path)).status, 404, path);
  }
  await assert.rejects(connect(t, `ws://127.0.0.1:${port}/ws`), /404/);
  const { code, stderr } = await runToEnd(t, ['--port', '0', '--admin-bind', `127.0.0.1:${port}`]);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`${port}[^]*in use`));
});
