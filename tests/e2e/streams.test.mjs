// Streams of snapshots: packed and plain, all or a part.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

// Stores every snapshot of a client by its tick, with the grant at that time.
function byTick(client) {
  const ticks = new Map();
  client.onSnapshot = (snapshot) => ticks.set(snapshot.tick, { ...snapshot, grant: client.stream });
  return ticks;
}

function assertSamePositions(packed, plain) {
  assert.equal(packed.boids.length, plain.boids.length);
  packed.boids.forEach((point, i) => assert.deepEqual(point, plain.boids[i], `boid ${i} of tick ${plain.tick}`));
}

// On three threads, each with its own copies of frames.
test('packed and plain show the same flock through all changes', async (t) => {
  const rates = ['--tick-rate', '60', '--snapshot-rate', '60'];
  const server = await startServer(t, ['--open-controls', '--boids', '200', '--net-threads', '3', ...rates]);
  const plain = await flock.join(t, server.ws);
  const plainTicks = byTick(plain);
  assert.equal(plain.welcome.encoding, 'plain');
  const others = [];
  for (let i = 0; i < 3; i++) {
    const packed = await flock.join(t, server.ws, { encodings: ['packed', 'plain'] });
    assert.equal(packed.welcome.encoding, 'packed');
    others.push({ packed, ticks: byTick(packed) });
  }
  /** @type {import('./types.d.ts').Message[]} */
  const changes = [
    [flock.CURSOR, 100, 100],
    [flock.ADD, 200, 200, 333],
    [flock.SET, 'model', 'boids'],
    [flock.SET, 'boundary', 'wrap'],
    [flock.REMOVE, 77],
    [flock.SET, 'preset', 'billiards'],
    [flock.RESET],
    [flock.SET, 'preset', 'sheep'],
  ];
  for (const change of changes) {
    plain.send(change);
    const from = plain.snapshot.tick;
    await plain.until('30 more ticks', () => plain.snapshot.tick > from + 30);
    for (const { packed, ticks } of others) {
      await until('the same tick of both', () => packed.snapshot.tick >= plain.snapshot.tick);
      const isWhole = (snapshot) => snapshot !== undefined && snapshot.boids.length === snapshot.flock;
      const common = () => [...plainTicks.keys()].filter((tick) => isWhole(ticks.get(tick)) && isWhole(plainTicks.get(tick)));
      await until('some ticks of which both have seen all', () => common().length >= 5);
      for (const tick of common()) assertSamePositions(ticks.get(tick), plainTicks.get(tick));
      assert.equal(packed.lost, 0);
    }
    for (const ticks of [plainTicks, ...others.map((other) => other.ticks)]) ticks.clear();
  }
});

test('a want is granted as in PROTOCOL.md, and later all of it again', async (t) => {
  const server = await startServer(t, ['--boids', '1000', '--snapshot-rate', '30']);
  const plain = await flock.join(t, server.ws);
  const all = byTick(plain);
  for (const encoding of ['packed', 'plain']) {
    const client = await flock.join(t, server.ws, { encodings: [encoding] });
    const { epoch } = client.snapshot;
    const granted = (grant) => client.until(`it is granted ${JSON.stringify(grant)}`, () => isDeepStrictEqual(flock.grants(client).at(-1), grant));
    client.send([flock.WANT, 7, 100]);
    await granted({ rate: 5, boids: 100, stride: 12 }); // 30 / 6 is the highest rate below 7, 1000 / 12 the most of 100
    await client.until('fewer boids', () => client.snapshot.boids.length === 84);
    assert.equal(client.snapshot.flock, 1000);
    assert.notEqual(client.snapshot.epoch, epoch); // boid 1 is another one now
    const some = byTick(client);
    const whole = () => [...some.keys()].filter((tick) => some.get(tick).boids.length === 84 && all.get(tick)?.boids.length === 1000);
    await client.until('four snapshots that both have seen', () => whole().length >= 4);
    const few = [...some.values()];
    few.slice(1).forEach(({ tick, grant }, i) => {
      if (grant === few[i].grant) assert.ok(tick - few[i].tick >= 6, `${tick - few[i].tick} ticks between two snapshots`);
    });
    for (const tick of whole()) {
      assert.deepEqual(some.get(tick).boids, all.get(tick).boids.filter((_, i) => i % 12 === 0));
      assert.deepEqual(some.get(tick).measures, all.get(tick).measures); // of the whole flock
    }
    client.send([flock.WANT, 0, 0]);
    await granted({ rate: 30, boids: 0, stride: 1 });
    await client.until('all boids', () => client.snapshot.boids.length === 1000);
    assert.equal(client.lost, 0);
  }
});

test('a part of the flock stays the same part while boids come and go', async (t) => {
  const server = await startServer(t, ['--open-controls', '--boids', '200']);
  const plain = await flock.join(t, server.ws);
  const all = byTick(plain);
  const parts = [];
  for (const encoding of ['packed', 'plain']) {
    const client = await flock.join(t, server.ws, { encodings: [encoding] });
    client.send([flock.WANT, 0, 128]);
    await client.next(flock.STREAM);
    await client.until('fewer boids', () => client.snapshot.boids.length === 100);
    parts.push({ client, some: byTick(client) });
  }
  const STRIDES = [1, 2, 3, 4, 6, 8, 12];
  const stride = (count) => STRIDES.find((every) => Math.ceil(count / every) <= 128);
  const strides = new Map(); // by epoch
  /** @type {import('./types.d.ts').Message[]} */
  const changes = [[flock.ADD, 200, 200, 56], [flock.ADD, 100, 100, 1], [flock.REMOVE, 1], [flock.ADD, 9, 9, 700], [flock.REMOVE, 900]];
  // Of all that the server can send: on a busy machine it takes a client's line for slow at times.
  const isGood = (snapshot) => snapshot !== undefined && !snapshot.grant?.slow;
  const common = (some) => [...some.keys()].filter((tick) => isGood(some.get(tick)) && isGood(all.get(tick)));
  for (const change of changes) {
    const { flock: size } = plain.snapshot;
    assert.equal(await plain.ask(change), null);
    const { tick: first } = await plain.until('the change', () => plain.snapshot.flock !== size && plain.snapshot);
    await until('ten ticks after it that both have seen', () => parts.every(({ some }) => common(some).filter((tick) => tick >= first).length >= 10));
  }
  for (const { client, some } of parts) {
    for (const tick of common(some)) {
      const { boids, epoch } = some.get(tick);
      const whole = all.get(tick).boids;
      const every = stride(whole.length);
      assert.deepEqual(boids, whole.filter((_, i) => i % every === 0), `tick ${tick}`);
      assert.equal(strides.get(epoch) ?? every, every, 'each part has epochs of its own');
      strides.set(epoch, every);
    }
    assert.deepEqual(new Set(common(some).map((tick) => stride(all.get(tick).boids.length))), new Set([1, 2, 3, 8]));
    const told = flock.grants(client).map(({ stride: every }) => every);
    assert.deepEqual(told, [2, 3, 2, 8, 1], 'each change is told');
    assert.equal(client.lost, 0);
  }
});

test('a want out of range is refused and changes nothing', async (t) => {
  const server = await startServer(t);
  const client = await flock.join(t, server.ws, { encodings: ['packed'] });
  assert.deepEqual((await client.ask([flock.WANT, 241, 0])).field, 'rate');
  assert.deepEqual((await client.ask([flock.WANT, 0, 1000001])).field, 'boids');
  assert.deepEqual(flock.grants(client), []);
  const { tick } = client.snapshot;
  await client.until('more snapshots', () => client.snapshot.tick > tick + 5);
  assert.equal(client.lost, 0);
});

test('a client that missed a delta gets a keyframe for a want', async (t) => {
  const server = await startServer(t);
  const client = await flock.join(t, server.ws, { encodings: ['packed'] });
  await client.until('a delta', () => !client.snapshot.key);
  const keyframes = [];
  client.onSnapshot = (snapshot) => snapshot.key && keyframes.push(snapshot); // several may come at once
  client.send([flock.WANT, 0, 0]);
  const [keyframe] = await client.until('a keyframe', () => keyframes.length > 0 && keyframes);
  assert.equal(keyframe.headings.length, 12);
  await client.until('a delta again', () => !client.snapshot.key && client.snapshot.sequence > keyframe.sequence);
  assert.equal(client.lost, 0);
});

test('a packed stream has no keyframe without a reason', async (t) => {
  const server = await startServer(t, ['--tick-rate', '240', '--snapshot-rate', '240', '--presenter-key', 'key-of-the-test']);
  const client = await flock.join(t, server.ws, { encodings: ['packed'], key: 'key-of-the-test' });
  const keys = [];
  let last = client.snapshot.sequence;
  let grant = client.stream;
  client.onSnapshot = ({ key, sequence, epoch }) => {
    // All others have a reason: skipped snapshots, or another stream, also when the machine has no time for the client.
    if (key && sequence === last + 1 && client.stream === grant) keys.push(epoch);
    last = sequence;
    grant = client.stream;
  };
  const { sequence, epoch } = client.snapshot;
  await client.until('700 snapshots', () => client.snapshot.sequence > sequence + 700);
  assert.deepEqual(keys, []);
  client.send([flock.RESET]);
  await client.until('the keyframe of a new epoch', () => keys.length === 1);
  assert.ok(keys[0] > epoch);
});

test('snapshots have the flock\'s measures', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boundary', 'walls', '--boids', '500']);
  const client = await flock.join(t, server.ws, { encodings: ['packed'] });
  await client.until('some ticks', () => client.snapshot.tick > 5 && client.snapshot.boids.length === 500);
  const { boids, measures } = client.snapshot;
  const [polarization, milling, x, y, gyration, speed, nearest] = measures;
  assert.equal(measures.length, 7);
  assert.ok(flock.distance([x, y], flock.centroid(boids)) < 0.1);
  const spread = Math.sqrt(boids.reduce((sum, boid) => sum + flock.distance(boid, [x, y]) ** 2, 0) / boids.length);
  assert.ok(Math.abs(gyration - spread) < 0.1, `${gyration}, expected ${spread}`);
  assert.ok(polarization >= 0 && polarization <= 1.001 && milling >= 0 && milling <= 1.001);
  assert.ok(speed > 0 && nearest > 0 && nearest < 100);
});

// A reset makes keyframes, which soon fill the kernel's buffer for a client.
test('a client that stops reading misses snapshots, catches up at once and slows no other client', async (t) => {
  const server = await startServer(t, ['--open-controls', '--model', 'boids', '--boids', '20000', '--world', '8000x8000', '--tick-limit', '60']);
  const slow = await flock.join(t, server.ws, { encodings: ['packed'] });
  const other = await flock.join(t, server.ws, { encodings: ['packed'] });
  other.send([flock.WANT, 0, 64]); // sees every tick, and costs this process little
  await other.until('few boids', () => other.snapshot.boids.length <= 64);
  const gaps = [];
  let last = slow.snapshot.sequence;
  slow.onSnapshot = ({ sequence, key }) => {
    if (sequence !== last + 1) gaps.push({ missed: sequence - last - 1, key });
    last = sequence;
  };
  slow.socket.pause();
  for (let i = 0; i < 30; i++) {
    const { tick } = other.snapshot;
    other.send([flock.RESET]);
    await other.until('another tick', () => other.snapshot.tick > tick);
  }
  slow.socket.resume();
  const { time } = other.snapshot;
  await until('the slow one is where the other was', () => slow.snapshot.time >= time);
  assert.ok(gaps.length > 0, 'it missed nothing');
  assert.ok(gaps.every(({ key }) => key));
  assert.deepEqual([slow.lost, other.lost], [0, 0]);
  const { sequence } = slow.snapshot;
  await slow.until('it goes on', () => slow.snapshot.sequence > sequence + 3);
});

// 4 MB: more than the kernel's buffers take at once.
test('a client that reads late gets the whole of a large snapshot, and what follows', async (t) => {
  const server = await startServer(t, ['--open-controls', '--model', 'boids', '--boids', '1000000', '--world', '30000x30000', '--tick-rate', '2']);
  const choked = async () => Number(/^flockd_choked_total (.*)$/m.exec(await (await fetch(`${server.url}metrics`)).text())?.[1]);
  const client = await flock.join(t, server.ws, { boids: 1000 });
  await client.until('few boids', () => client.snapshot.boids.length <= 1000);
  let late = false;
  let whole = false; // it may come only once: who reads late gets fewer boids from then on
  client.onSnapshot = ({ boids }) => (whole ||= boids.length === 1000000);
  // Pauses in the middle of a large message. Before it, the server would wait for the answer to its ping, and then send fewer boids.
  const { _socket: line } = /** @type {any} */ (client.socket);
  line.on('data', (/** @type {Buffer} */ bytes) => bytes.length > 20_000 && !late && client.socket.pause());
  client.send([flock.WANT, 0, 0]);
  await until('a part of the large message', () => client.socket.isPaused);
  // Counted from here: the server may have held the large message back for a moment, until the small ones before it were read.
  const before = await choked();
  await until('the server waits for the client', async () => (await choked()) > before);
  assert.equal(whole, false);
  late = true;
  client.send([flock.PING, 17]);
  client.socket.resume();
  await client.until('all boids', () => whole);
  await client.until('a pong', () => client.messages.some(([type, value]) => type === flock.PONG && value === 17));
  assert.equal(await client.ask([flock.REMOVE, 999000]), null);
  await client.until('few boids again', () => client.snapshot.boids.length === 1000);
});

// Each client checks each snapshot by its newest room: whether the positions are of that world.
test('no snapshot goes before the room that it is of, while presenters change its boundary', async (t) => {
  const server = await startServer(t, ['--open-controls', '--preset', 'march']);
  const presenter = await flock.join(t, server.ws);
  const clients = [presenter];
  for (const encodings of [['plain'], ['packed', 'plain']]) {
    for (const rate of [0, 15, 7]) clients.push(await flock.join(t, server.ws, { encodings, rate }));
  }
  for (let i = 0; i < 24; i++) {
    const from = presenter.snapshot.tick;
    const ticks = i % 6; // also less than a snapshot of the slowest stream
    assert.equal(await presenter.ask([flock.SET, 'boundary', i % 2 === 0 ? 'open' : 'wrap']), null);
    await presenter.until('some ticks', () => presenter.snapshot.tick > from + ticks);
  }
  for (const client of clients) {
    await client.until('the last boundary, and a snapshot of it', () => client.room.boundary === 'wrap' && client.snapshot.tick >= presenter.snapshot.tick);
    assert.deepEqual(client.promises.broken, []);
    assert.equal(client.lost, 0);
  }
});

test('the server closes a client that reads nothing, even if it sends messages', async (t) => {
  const flags = ['--model', 'boids', '--boids', '20000', '--world', '8000x8000', '--stall-timeout', '1'];
  const server = await startServer(t, flags);
  /** @type {import('./types.d.ts').Message[]} */
  const messages = [[flock.WANT, 0, 0], [flock.PING, 1], [flock.AWAY]];
  for (const message of messages) {
    const client = await flock.connect(t, server.ws);
    client.send(flock.hello());
    client.socket.pause();
    const saying = setInterval(() => client.send(message), 50);
    atEnd(t, () => clearInterval(saying));
  }
  const given = `flockd_closes_total{code="3002"} ${messages.length}\n`;
  await until('all are given up', async () => (await (await fetch(`${server.url}metrics`)).text()).includes(given));
});

test('the server closes only a client that answers no ping for --stall-timeout', async (t) => {
  const server = await startServer(t, ['--stall-timeout', '3']);
  const lively = await flock.join(t, server.ws);
  const silent = await flock.connect(t, server.ws, { autoPong: false });
  silent.send(flock.hello());
  await silent.until('a snapshot', () => silent.snapshot);
  assert.equal((await silent.untilClosed()).code, 3002);
  assert.ok(silent.pings > 0);
  assert.equal(lively.closed, null);
  await lively.next(flock.SNAPSHOT);
});

test('a client that sends wants all the time still sees the flock', async (t) => {
  const server = await startServer(t, ['--tick-rate', '60', '--snapshot-rate', '60']);
  const client = await flock.join(t, server.ws, { encodings: ['packed'] });
  const saying = setInterval(() => client.send([flock.WANT, 0, 0]), 10);
  atEnd(t, () => clearInterval(saying));
  const keys = [];
  let snapshots = 0;
  let grant = client.stream;
  client.onSnapshot = ({ time, key, sequence }) => {
    if (key && isDeepStrictEqual(client.stream, grant)) keys.push({ time, sequence }); // each want is answered, with the same grant
    grant = client.stream;
    snapshots++;
  };
  await client.until('many snapshots, and a keyframe now and then', () => snapshots > 30 && keys.length >= 2);
  assert.equal(client.lost, 0);
  for (let i = 1; i < keys.length; i++) {
    const apart = keys[i].time - keys[i - 1].time; // a second of the server's clock; ticks may be late
    assert.ok(apart > 0.5e6, `${apart} µs between keyframes: ${JSON.stringify(keys)}`);
  }
});
