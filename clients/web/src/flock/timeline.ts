// The flock's recent snapshots and the playout delay. add() takes snapshots as they arrive; sample() returns the two frames
// around the playhead and the playhead's position between them.
//
// The playhead is the server's clock minus a delay, which on the local clock is  now − lag.  The lag covers a snapshot's travel
// time (arrival − snapshot.time, which includes the offset of the clocks) and one interval, so that the later frame has arrived
// before the playhead leaves the earlier one. The offset cancels out, so the lag of the slowest recent snapshots is enough.
// The playhead approaches that lag by running slightly slower or faster. It never runs backward, and it jumps only after one
// of the clocks has stood still, as on a machine that slept.

import { BOID_SIZE, CURSOR_SIZE, type Measures, type Room } from '../net/protocol';
import type { Sighting } from '../net/stream';
import { clamp, median, mix, quantile } from '../numbers';

const WINDOW = 3000; // ms: lag and interval are measured over this time,
const WINDOW_MAX = 90; // and over this number of snapshots at most
const SETTLED = 12; // snapshots before the measured jitter is used
const START = 2.5; // intervals of delay to start with
const LEAST = 1.5; // intervals of delay at least
const STEP_MAX = 500; // ms: the delay covers a longer interval only in part
const MARGIN = 4; // ms on top of the measured jitter
const JITTER_MAX = 1000; // ms of delay beyond the median lag at most
const SLOWER = 0.25; // the playhead runs at 1 − SLOWER …
const FASTER = 0.1; // … to 1 + FASTER of real time while it moves to a new delay,
const FASTER_FAR = 0.5; // or 1 + FASTER_FAR if the new delay is FAR away, as after a congested connection
const FAR = 1000; // ms
const JUMP = 5000; // ms: a larger error comes from a clock that stood still; the playhead jumps
const SLEW = 500; // ms to correct an error at its first speed
const EXTRAPOLATE = 100; // ms at most beyond the newest frame
const GAP = 1000; // ms: frames farther apart are not interpolated
const FRAMES_MAX = 96;
const BOIDS_KEPT = 16_000_000; // maximum of boids in all frames together, 8 bytes each
const UNSEEN = 1000; // ms without a call of sample() after which only the newest frames are kept, as in a hidden iframe
const SPARE_MAX = 4; // frames kept for reuse
const TURN = 60; // ms: time constant of the heading's smoothing
const TURN_MAX = 50_000; // boids; in a larger flock boids are too small to show a heading
const STILL = 0.75; // quanta of movement below which a boid keeps its heading
const UNIT = 32_767; // of a heading

export interface Frame {
  serial: number; // unique: a renderer finds its upload of this frame by it
  epoch: number;
  tick: number;
  time: number; // ms, server clock
  people: number;
  target: [number, number] | null; // world units
  cursors: Map<number, [number, number]>; // id → world units
  flock: number; // number of boids in the room
  measures: Measures | null;
  stride: number; // the frame has every stride-th boid of the flock
  count: number; // boids
  positions: Int16Array; // x, y of each boid, quanta from the world's middle
  headings: Int16Array; // x, y of each boid's unit vector times 32,767; 0, 0: unknown
}

/** alpha: 0 shows a, 1 shows b, more than 1 extrapolates. a === b: there is only one frame. */
export interface Moment {
  a: Frame;
  b: Frame;
  alpha: number;
  perMs: number; // alpha per ms of playback
}

export interface Timeline {
  push(snapshot: Sighting, arrival: number): void;
  /** Sets the number of snapshots per second. */
  follow(rate: number): void;
  /** Returns the moment to show at now (ms, local clock), or null before the first snapshot. */
  sample(now: number): Moment | null;
  /** The frame that arrived last. */
  newest(): Frame | null;
  /** Local clock minus playhead, ms. With the offset of the clocks added, it is the playout delay. */
  lag(): number;
  interval(): number; // ms, measured
}

let serial = 0; // serial of the newest frame of all timelines

export function createTimeline(room: Room, rate: number): Timeline {
  let nominal = 1000 / rate; // ms
  const frames: Frame[] = []; // by time
  const spare: Frame[] = [];
  const lags: number[] = []; // ms
  const intervals: number[] = []; // ms
  let lag = NaN;
  let wanted = NaN;
  let sampled = NaN; // when the lag was last moved
  let looked = NaN; // when sample() was last called, or the first snapshot came

  function measure(snapshotTime: number, arrival: number): void {
    const last = frames.at(-1);
    if (last !== undefined && snapshotTime > last.time) remember(intervals, snapshotTime - last.time, nominal);
    remember(lags, arrival - snapshotTime, nominal);
    aim();
    if (Number.isNaN(lag)) lag = wanted;
  }

  function aim(): void {
    const step = Math.min(STEP_MAX, interval());
    const usual = median(lags);
    if (lags.length < SETTLED) {
      wanted = usual + START * step;
    } else {
      const jitter = quantile(lags, 0.97) - usual;
      wanted = usual + clamp(step + jitter + MARGIN, LEAST * step, step + JITTER_MAX);
    }
  }

  function interval(): number {
    return intervals.length < SETTLED ? nominal : median(intervals);
  }

  function slew(now: number): void {
    const passed = Number.isNaN(sampled) ? 0 : Math.max(0, now - sampled);
    sampled = now;
    if (Math.abs(wanted - lag) > JUMP) lag = wanted;
    const error = wanted - lag;
    const faster = clamp((-error / FAR) * FASTER_FAR, FASTER, FASTER_FAR);
    lag += clamp(error * Math.min(1, passed / SLEW), -faster * passed, SLOWER * passed);
  }

  function discard(count: number): void {
    spare.push(...frames.splice(0, count));
    spare.length = Math.min(spare.length, SPARE_MAX);
  }

  function sameBoids(before: Frame, after: Frame): boolean {
    return before.epoch === after.epoch && before.stride === after.stride;
  }

  function continues(before: Frame, after: Frame): boolean {
    return sameBoids(before, after) && after.time - before.time <= GAP;
  }

  return {
    push(snapshot, arrival) {
      const time = snapshot.time / 1000;
      let last = frames.at(-1);
      if (last !== undefined && time < last.time) {
        // The server's clock went back, so this is another server: forget all frames.
        discard(frames.length);
        lags.length = intervals.length = 0;
        lag = NaN;
        last = undefined;
      }
      measure(time, arrival);
      if (last !== undefined && time === last.time) {
        spare.push(last);
        frames.pop();
        last = frames.at(-1);
      }
      if (Number.isNaN(looked)) looked = arrival;
      if (arrival - looked > UNSEEN && frames.length > 1) discard(frames.length - 1);
      const kept = Math.min(FRAMES_MAX, BOIDS_KEPT / (snapshot.boids.length / BOID_SIZE));
      if (frames.length >= kept) discard(Math.ceil(frames.length + 1 - kept));
      const frame = spare.pop() ?? emptyFrame();
      fill(frame, snapshot, room);
      frame.serial = ++serial;
      frames.push(frame);
      const turns = frame.count <= TURN_MAX;
      if (turns && last !== undefined && sameBoids(last, frame)) turn(last, frame, room.period ?? [0, 0]);
      else frame.headings.fill(0, 0, 2 * frame.count);
      if (turns && snapshot.headings !== null) head(frame, snapshot.headings);
    },

    follow(next) {
      if (1000 / next === nominal) return;
      nominal = 1000 / next;
      intervals.length = 0;
      if (lags.length > 0) aim();
    },

    sample(now) {
      if (frames.length === 0) return null;
      looked = now;
      slew(now);
      const playhead = now - lag;
      // Keep the last two frames, so that extrapolation is possible.
      while (frames.length > 2 && frames[1].time <= playhead) discard(1);
      const a = frames[0];
      const b = frames[1];
      if (b === undefined) return { a, b: a, alpha: 0, perMs: 0 };
      if (!continues(a, b)) {
        const shown = playhead < b.time ? a : b;
        return { a: shown, b: shown, alpha: 0, perMs: 0 };
      }
      const span = b.time - a.time;
      const alpha = clamp(playhead - a.time, 0, span + EXTRAPOLATE) / span;
      const held = playhead < a.time || playhead > b.time + EXTRAPOLATE;
      return { a, b, alpha, perMs: held ? 0 : 1 / span };
    },

    newest: () => frames.at(-1) ?? null,
    lag: () => lag,
    interval,
  };
}

function remember(values: number[], value: number, step: number): void {
  values.push(value);
  while (values.length > clamp(WINDOW / step, SETTLED, WINDOW_MAX)) values.shift();
}

function emptyFrame(): Frame {
  return {
    serial: 0,
    epoch: 0,
    tick: 0,
    time: 0,
    people: 0,
    target: null,
    cursors: new Map(),
    flock: 0,
    measures: null,
    stride: 1,
    count: 0,
    positions: new Int16Array(0),
    headings: new Int16Array(0),
  };
}

/** Copies the positions: an Int16Array must be aligned, the bytes in the message may not be. Both are little-endian: all
 * machines that run browsers are. */
function fill(frame: Frame, snapshot: Sighting, room: Room): void {
  const count = snapshot.boids.length / BOID_SIZE;
  if (frame.positions.length < 2 * count) {
    const capacity = 2 * Math.ceil(count * 1.1);
    frame.positions = new Int16Array(capacity);
    frame.headings = new Int16Array(capacity);
  }
  new Uint8Array(frame.positions.buffer).set(snapshot.boids);
  frame.count = count;
  frame.epoch = snapshot.epoch;
  frame.tick = snapshot.tick;
  frame.time = snapshot.time / 1000;
  frame.people = snapshot.people;
  frame.target = snapshot.target;
  frame.flock = Math.max(snapshot.flock, count);
  frame.measures = snapshot.measures;
  frame.stride = snapshot.stride;
  frame.cursors.clear();
  const { buffer, byteOffset, byteLength } = snapshot.cursors;
  const view = new DataView(buffer, byteOffset, byteLength);
  for (let at = 0; at < byteLength; at += CURSOR_SIZE) {
    frame.cursors.set(view.getUint32(at, true), [
      room.world[0] / 2 + view.getInt16(at + 4, true) * room.quantum,
      room.world[1] / 2 + view.getInt16(at + 6, true) * room.quantum,
    ]);
  }
}

/** Sets a frame's headings: the direction of movement since the previous frame, smoothed. A still boid keeps its heading. */
function turn(before: Frame, frame: Frame, [periodX, periodY]: [number, number]): void {
  const blend = 1 - Math.exp(-(frame.time - before.time) / TURN);
  const known = Math.min(before.count, frame.count);
  const from = before.positions;
  const to = frame.positions;
  const old = before.headings;
  const headings = frame.headings;
  for (let i = 0; i < 2 * known; i += 2) {
    let dx = to[i] - from[i];
    let dy = to[i + 1] - from[i + 1];
    if (periodX > 0) {
      if (Math.abs(dx) > periodX / 2) dx -= Math.sign(dx) * periodX;
      if (Math.abs(dy) > periodY / 2) dy -= Math.sign(dy) * periodY;
    }
    let x = old[i];
    let y = old[i + 1];
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length > STILL) {
      const fresh = x === 0 && y === 0;
      const weight = fresh ? 1 : blend;
      x += weight * ((dx / length) * UNIT - x);
      y += weight * ((dy / length) * UNIT - y);
      const norm = Math.sqrt(x * x + y * y);
      // A turn by exactly 180° cancels out: keep the old heading for this frame.
      if (norm > 1) {
        x *= UNIT / norm;
        y *= UNIT / norm;
      } else {
        x = old[i];
        y = old[i + 1];
      }
      if (fresh) {
        old[i] = x;
        old[i + 1] = y;
      }
    }
    headings[i] = x;
    headings[i + 1] = y;
  }
  headings.fill(0, 2 * known, 2 * frame.count);
}

const TURNS = Int16Array.from({ length: 512 }, (_, i) => {
  const angle = ((i >> 1) / 128) * Math.PI;
  return Math.round(UNIT * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle)));
});

/** Sets the headings of boids that have not moved yet, from the server's keyframe. */
function head({ headings, count }: Frame, told: Uint8Array): void {
  for (let i = 0; i < count; i++) {
    if (headings[2 * i] !== 0 || headings[2 * i + 1] !== 0) continue;
    headings[2 * i] = TURNS[2 * told[i]];
    headings[2 * i + 1] = TURNS[2 * told[i] + 1];
  }
}

/** Returns a boid's drawn position, in quanta from the world's middle, or null if it is outside the range of positions. The
 * renderers compute it for all boids. */
export function boidAt(moment: Moment, index: number, room: Room): [number, number] | null {
  const a = moment.a.positions;
  const b = moment.b.positions;
  const i = 2 * index;
  if (saturated(a[i]) || saturated(a[i + 1]) || saturated(b[i]) || saturated(b[i + 1])) return null;
  const { period } = room;
  if (period === null) return [a[i] + (b[i] - a[i]) * moment.alpha, a[i + 1] + (b[i + 1] - a[i + 1]) * moment.alpha];
  return [around(a[i], b[i], moment.alpha, period[0]), around(a[i + 1], b[i + 1], moment.alpha, period[1])];
}

/** Whether a boid's coordinate is at an end of the range, so that the boid may be farther away. A cursor's is exact. */
export const saturated = (position: number): boolean => position === -32768 || position === 32767;

/** Interpolates along the shorter way around a torus of that period. The result is within ± period / 2. */
export function around(a: number, b: number, alpha: number, period: number): number {
  const delta = b - a - period * Math.round((b - a) / period);
  const value = a + delta * alpha;
  return value - period * Math.round(value / period);
}

/** Returns the number of drawn boids: both frames have them. */
export const shownCount = (moment: Moment): number => Math.min(moment.a.count, moment.b.count);

/** Returns the mean position of the drawn boids, world units, or null if there are none. In a wrap world it is the circular mean. */
export function centroid(moment: Moment, room: Room): [number, number] | null {
  const [width, height] = room.world;
  const count = shownCount(moment);
  let shown = 0;
  let x = 0;
  let y = 0;
  let [cosX, sinX, cosY, sinY] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const at = boidAt(moment, i, room);
    if (at === null) continue;
    shown++;
    const px = at[0] * room.quantum;
    const py = at[1] * room.quantum;
    x += px;
    y += py;
    cosX += Math.cos((px / width) * 2 * Math.PI);
    sinX += Math.sin((px / width) * 2 * Math.PI);
    cosY += Math.cos((py / height) * 2 * Math.PI);
    sinY += Math.sin((py / height) * 2 * Math.PI);
  }
  if (shown === 0) return null;
  if (room.boundary !== 'wrap') return [width / 2 + x / shown, height / 2 + y / shown];
  return [width / 2 + (Math.atan2(sinX, cosX) / (2 * Math.PI)) * width, height / 2 + (Math.atan2(sinY, cosY) / (2 * Math.PI)) * height];
}

/** Returns the centroid of the whole flock, as the server measured it, world units; null: unknown. */
export function centroidAt({ a, b, alpha }: Moment, { world, boundary }: Room): [number, number] | null {
  const [from, to] = [a.measures?.centroid, b.measures?.centroid];
  if (from === undefined || to === undefined) return null;
  const at = [0, 1].map((axis) => {
    const middle = world[axis] / 2;
    if (boundary !== 'wrap') return mix(from[axis], to[axis], alpha);
    return middle + around(from[axis] - middle, to[axis] - middle, alpha, world[axis]);
  });
  return [at[0], at[1]];
}

/** Interpolates a point, such as the target or a cursor, that either frame may lack. */
export function pointAt(a: [number, number] | null, b: [number, number] | null, alpha: number): [number, number] | null {
  if (a === null || b === null) return alpha < 1 ? a : b;
  const t = Math.min(alpha, 1); // a cursor is not extrapolated: people change direction
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
}
