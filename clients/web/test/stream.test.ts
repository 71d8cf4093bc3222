import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode as unpack, encode } from '@msgpack/msgpack';
import { decode } from '../src/net/decode';
import { type Packed, type Welcome, encodeRequest } from '../src/net/protocol';
import type { Ask } from '../src/net/requests';
import { type SnapshotStream, createStream } from '../src/net/stream';
import { roomMap, snapshot, welcomeMap } from './samples';

const TICK_RATE = 30;
const FLOCK = 10_000;

interface Bench {
  stream: SnapshotStream;
  sent: unknown[];
  pass(ms: number): void;
  now(): number;
}

/** loses: whether a request is lost. */
function setUp(loses: () => boolean = () => false): Bench {
  let now = 1000;
  const sent: unknown[] = [];
  const ask: Ask = (request, answered) => {
    sent.push(unpack(encodeRequest(request)));
    if (loses()) answered?.({ kind: 'lost' });
  };
  const stream = createStream({ ask, now: () => now });
  stream.hello();
  stream.welcomed(welcomed({ encoding: 'packed' }));
  return { stream, sent, pass: (ms) => (now += ms), now: () => now };
}

function welcomed(changes: object, ofRoom: object = {}): Welcome {
  const welcome = decode(encode([64, { ...welcomeMap(), ...changes, room: { ...roomMap(), ...ofRoom } }]));
  assert.ok(welcome.kind === 'welcome');
  return welcome;
}

/** key: a keyframe with one boid at 10, 20 that heads down. delta: the boid stays. */
function packed(kind: 'key' | 'delta', sequence: number): Packed {
  const header = [kind === 'key' ? 1 : 0, 0, 0, 0, sequence, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const boids = Uint8Array.from([...header, ...(kind === 'key' ? [10, 0, 20, 0, 64] : []), 0xff]);
  return { ...snapshot({ tick: sequence }), kind: 'packed', boids, flock: 1 };
}

test('packed snapshots are decoded to positions, keyframes also to headings', () => {
  const { stream } = setUp();
  const first = stream.take(packed('key', 1), 1000);
  assert.deepEqual([...(first?.boids ?? [])], [10, 0, 20, 0]);
  assert.deepEqual([...(first?.headings ?? [])], [64]);
  const second = stream.take(packed('delta', 2), 1033);
  assert.deepEqual([...(second?.boids ?? [])], [10, 0, 20, 0]);
  assert.equal(second?.headings, null);
  const granted = { full: 30, rate: 30, boids: 0, stride: 1, slow: false };
  assert.deepEqual(stream.state(), { encoding: 'packed', ...granted, keyframes: 1, lost: 0 });
});

test('plain snapshots are unchanged', () => {
  const { stream } = setUp();
  const message = snapshot({ boids: [[1, 2]] });
  assert.deepEqual(stream.take(message, 1000), { ...message, headings: null, stride: 1 });
});

test('the page asks for a keyframe when a snapshot is missing, at most once a second', () => {
  const { stream, sent, pass, now } = setUp();
  stream.take(packed('key', 1), now());
  for (let sequence = 3; sequence < 63; sequence++) {
    pass(33);
    assert.equal(stream.take(packed('delta', sequence), now()), null);
  }
  assert.deepEqual(sent, [
    [6, 60, 0],
    [6, 60, 0],
  ]);
  assert.equal(stream.state().lost, 60);
  assert.notEqual(stream.take(packed('key', 63), now()), null);
  assert.notEqual(stream.take(packed('delta', 64), now()), null);
});

test('a new connection begins with a keyframe', () => {
  const { stream, now } = setUp();
  stream.take(packed('key', 1), now());
  stream.welcomed(welcomed({}));
  assert.equal(stream.take(packed('delta', 2), now()), null);
});

/** Runs the stream of a large flock and draws 30 frames per second. every: ticks per snapshot; drawing: ms per frame. */
function live({ stream, pass, now }: Bench, seconds: number, { every = 1, drawing = 2 }): void {
  const end = now() + 1000 * seconds;
  for (let tick = 1; now() < end; tick++) {
    pass(1000 / TICK_RATE);
    if (tick % every === 0) stream.take({ ...snapshot({ tick, boids: [[0, 0]] }), flock: FLOCK }, now());
    stream.drew(drawing);
    stream.tick(now());
  }
}

test('slow frames lead to fewer boids; a slow connection does not', () => {
  const bench = setUp();
  live(bench, 20, { every: 10 });
  assert.deepEqual(bench.sent, []);
  live(bench, 6, { drawing: 45 });
  assert.deepEqual(bench.sent, [[6, 60, 5000]]);
  bench.stream.granted({ kind: 'stream', rate: 30, boids: 5000, stride: 2, slow: false });
  const { rate, boids, stride, slow } = bench.stream.state();
  assert.deepEqual([rate, boids, stride, slow], [30, 5000, 2, false]);
  assert.equal(bench.stream.take(snapshot({ boids: [[1, 2]] }), bench.now())?.stride, 2);
});

test('the stream state has the server’s report of a slow connection', () => {
  const bench = setUp();
  bench.stream.granted({ kind: 'stream', rate: 10, boids: 0, stride: 1, slow: true });
  assert.equal(bench.stream.state().slow, true);
  live(bench, 20, { every: 3 });
  assert.deepEqual(bench.sent, []);
  bench.stream.welcomed(welcomed({}));
  assert.equal(bench.stream.state().slow, false);
});

test('hello has the last want, so the page sends no further want', () => {
  const bench = setUp();
  assert.deepEqual(bench.stream.hello(), { rate: 60, boids: 0 });
  live(bench, 6, { drawing: 45 });
  assert.equal(bench.sent.length, 1);
  assert.deepEqual(bench.stream.hello(), { rate: 60, boids: 5000 });
  bench.stream.welcomed(welcomed({ boids: 5000, stride: 2 }));
  bench.stream.watch(true);
  live(bench, 1.2, {});
  assert.equal(bench.sent.length, 1);
});

test('a page that keeps up sends no want on a new connection', () => {
  const { stream, sent } = setUp();
  stream.watch(true);
  assert.deepEqual(sent, []);
});

test('a room with more than 60 snapshots a second is divided to at most 60', () => {
  const { stream } = setUp();
  for (const [snapshotRate, full] of [
    [30, 30],
    [60, 60],
    [100, 50],
    [240, 60],
  ]) {
    stream.welcomed(welcomed({}, { tick_rate: 240, snapshot_rate: snapshotRate }));
    assert.equal(stream.state().full, full);
  }
});

test('a hidden page asks for 1 snapshot per second and judges no periods', () => {
  const bench = setUp();
  for (let i = 0; i < 10; i++) {
    live(bench, 0.9, { drawing: 45 });
    bench.stream.watch(false);
    bench.pass(60_000);
    bench.stream.watch(true);
  }
  live(bench, 1.5, {});
  assert.equal(bench.sent.length, 20);
  assert.deepEqual(bench.sent.slice(0, 2), [
    [6, 1, 0],
    [6, 60, 0],
  ]);
});

test('a topic stays as long as one part of the page needs it', () => {
  const { stream, sent } = setUp();
  const CLUSTERS = 8;
  const topics = (): unknown[] => sent.splice(0).map((message) => (message as unknown[])[3]);
  stream.subscribe(CLUSTERS, true);
  stream.subscribe(CLUSTERS, true, 'plots');
  assert.deepEqual(topics(), [CLUSTERS]);
  assert.equal(stream.subscribe(CLUSTERS, false), true);
  assert.deepEqual(topics(), []);
  stream.subscribe(2, true, 'plots');
  assert.equal(stream.subscribe(CLUSTERS, false, 'plots'), false);
  assert.deepEqual(topics(), [CLUSTERS | 2, 2]);
});

test('topics and a rate whose request was lost are asked for again: while the room was out of reach, or among too many messages', () => {
  let lost = true;
  const bench = setUp(() => lost);
  const CLUSTERS = 8;
  bench.stream.subscribe(CLUSTERS, true);
  bench.sent.length = 0;
  lost = false;
  bench.stream.watch(true); // the room is within reach again
  assert.deepEqual(bench.sent, [[6, 60, 0, CLUSTERS]]);
  lost = true;
  bench.stream.watch(false);
  lost = false;
  live(bench, 3, {});
  assert.deepEqual(
    bench.sent.slice(1),
    [
      [6, 1, 0, 0],
      [6, 1, 0, 0],
    ],
    'a second later, and once',
  );
});
