import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode as unpack, encode } from '@msgpack/msgpack';
import { type Packed, decode } from '../src/protocol';
import { type SnapshotStream, createStream } from '../src/stream';
import { snapshot, welcomeMap } from './samples';

const TICK_RATE = 30;

interface Bench {
  stream: SnapshotStream;
  sent: unknown[];
  pass(ms: number): void;
  now(): number;
}

function setUp(): Bench {
  let now = 1000;
  const sent: unknown[] = [];
  const stream = createStream({ send: (message) => sent.push(unpack(message)), now: () => now });
  const welcome = decode(encode([16, { ...welcomeMap(), encoding: 'packed' }]));
  assert.ok(welcome.kind === 'welcome');
  stream.welcomed(welcome);
  return { stream, sent, pass: (ms) => (now += ms), now: () => now };
}

/** One boid at 10, 20 that heads down, or has not strayed. */
function packed(kind: 'key' | 'delta', sequence: number): Packed {
  const header = [kind === 'key' ? 1 : 0, 0, 0, 0, sequence, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const boids = Uint8Array.from([...header, ...(kind === 'key' ? [10, 0, 20, 0, 64] : []), 0xff]);
  return { ...snapshot({ tick: sequence }), kind: 'packed', boids, flock: 1 };
}

test('packed snapshots come out as positions, with the headings of a keyframe', () => {
  const { stream } = setUp();
  const first = stream.take(packed('key', 1), 1000, TICK_RATE);
  assert.deepEqual([...(first?.boids ?? [])], [10, 0, 20, 0]);
  assert.deepEqual([...(first?.headings ?? [])], [64]);
  const second = stream.take(packed('delta', 2), 1033, TICK_RATE);
  assert.deepEqual([...(second?.boids ?? [])], [10, 0, 20, 0]);
  assert.equal(second?.headings, null);
  assert.deepEqual(stream.state(), { encoding: 'packed', full: 30, rate: 30, limit: 0, keyframes: 1, lost: 0 });
});

test('plain snapshots come out as they are', () => {
  const { stream } = setUp();
  const message = snapshot({ boids: [[1, 2]] });
  assert.deepEqual(stream.take(message, 1000, TICK_RATE), { ...message, headings: null });
});

test('a lost thread is asked for, not more than once a second, and taken up with a keyframe', () => {
  const { stream, sent, pass, now } = setUp();
  stream.take(packed('key', 1), now(), TICK_RATE);
  for (let sequence = 3; sequence < 63; sequence++) {
    pass(33);
    assert.equal(stream.take(packed('delta', sequence), now(), TICK_RATE), null);
  }
  assert.deepEqual(sent, [
    [13, 30, 0],
    [13, 30, 0],
  ]);
  assert.equal(stream.state().lost, 60);
  assert.notEqual(stream.take(packed('key', 63), now(), TICK_RATE), null);
  assert.notEqual(stream.take(packed('delta', 64), now(), TICK_RATE), null);
});

test('a new connection has a thread of its own', () => {
  const { stream, now } = setUp();
  stream.take(packed('key', 1), now(), TICK_RATE);
  const welcome = decode(encode([16, welcomeMap()]));
  assert.ok(welcome.kind === 'welcome');
  stream.welcomed(welcome);
  assert.equal(stream.take(packed('delta', 2), now(), TICK_RATE), null);
});

/** Takes snapshots of every so many ticks, at 30 ticks a second, and looks 20 times a second. */
function live({ stream, pass, now }: Bench, seconds: number, every: () => number): void {
  let tick = 1000 * Math.round(now());
  for (const end = now() + 1000 * seconds; now() < end;) {
    tick += every();
    pass((every() * 1000) / TICK_RATE);
    stream.take(snapshot({ tick, time: now() * 1000, boids: [[0, 0]] }), now(), TICK_RATE);
    stream.tick(now());
  }
}

test('when the server leaves out snapshots, less is asked for; what is granted is no loss', () => {
  const bench = setUp();
  live(bench, 10, () => 1);
  assert.deepEqual(bench.sent, []);
  live(bench, 3, () => 2);
  assert.deepEqual(bench.sent, [[13, 15, 0]]);
  bench.stream.granted({ kind: 'stream', rate: 15, boids: 0 });
  live(bench, 7, () => 2);
  assert.equal(bench.sent.length, 1);
  assert.equal(bench.stream.state().rate, 15);
});

test('a new connection is told at once what held before', () => {
  const bench = setUp();
  live(bench, 6, () => 2);
  const before = bench.sent.length;
  assert.ok(before >= 1);
  const welcome = decode(encode([16, welcomeMap()]));
  assert.ok(welcome.kind === 'welcome');
  bench.stream.welcomed(welcome);
  bench.stream.watch(true);
  assert.equal(bench.sent.length, before + 1);
  assert.deepEqual(bench.sent.at(-1), bench.sent.at(-2));
  live(bench, 1.2, () => 1);
  assert.equal(bench.sent.length, before + 1);
});

test('a new connection of a page that keeps up is told nothing', () => {
  const { stream, sent } = setUp();
  stream.watch(true);
  assert.deepEqual(sent, []);
});

test('while nobody looks little is asked for, and what happens does not count', () => {
  const bench = setUp();
  for (let i = 0; i < 10; i++) {
    live(bench, 0.9, () => 4);
    bench.stream.watch(false);
    bench.stream.granted({ kind: 'stream', rate: 1, boids: 0 });
    bench.pass(60_000);
    bench.stream.watch(true);
    bench.stream.granted({ kind: 'stream', rate: 30, boids: 0 });
  }
  live(bench, 1.5, () => 1);
  assert.equal(bench.sent.length, 20);
  assert.deepEqual(bench.sent.slice(0, 2), [
    [13, 1, 0],
    [13, 30, 0],
  ]);
});
