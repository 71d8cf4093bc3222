// Messages of a server, as the values that MessagePack makes of them, and rooms and snapshots as decoded.

import type { Room, Snapshot } from '../src/protocol';
import type { Sighting } from '../src/timeline';

export const roomMap = (): Record<string, unknown> => ({
  name: 'lobby',
  model: 'swarm',
  boundary: 'open',
  world: [550, 400],
  quantum: 1 / 16,
  tick_rate: 30,
  snapshot_rate: 30,
  policy: 'mean',
  idle: 'wander',
  params: [['inertia', '', 0, 2, 1, 1.5, 'how much']],
});

export const welcomeMap = (): Record<string, unknown> => ({
  version: 1,
  server: 'flockd 0.1.0',
  id: 7,
  token: new Uint8Array(16).fill(1),
  name: 'Ada',
  color: 0x112233,
  encoding: 'plain',
  rate: 30,
  time: 1000,
  room: roomMap(),
});

export interface SnapshotSample {
  epoch?: number;
  tick?: number;
  time?: number; // µs
  target?: [number, number] | null;
  boids?: [number, number][]; // quanta
  cursors?: [number, number, number][]; // id, quanta
}

export function snapshotMessage(sample: SnapshotSample): unknown[] {
  const { epoch = 1, tick = 1, time = 0, target = null } = sample;
  const { boids, cursors } = bytes(sample);
  return [20, epoch, tick, time, 1, target?.[0] ?? null, target?.[1] ?? null, boids, cursors, boids.length / 4, null];
}

export function snapshot(sample: SnapshotSample): Snapshot & Sighting {
  const { epoch = 1, tick = 1, time = 0, target = null } = sample;
  const flock = sample.boids?.length ?? 0;
  return {
    kind: 'snapshot',
    epoch,
    tick,
    time,
    people: 1,
    target,
    ...bytes(sample),
    flock,
    measures: null,
    headings: null,
  };
}

/** Both at odd offsets, as they come out of a message. */
function bytes({ boids = [], cursors = [] }: SnapshotSample): { boids: Uint8Array; cursors: Uint8Array } {
  const buffer = new ArrayBuffer(1 + 4 * boids.length + 8 * cursors.length);
  const view = new DataView(buffer);
  boids.forEach(([x, y], i) => {
    view.setInt16(1 + 4 * i, x, true);
    view.setInt16(3 + 4 * i, y, true);
  });
  const from = 1 + 4 * boids.length;
  cursors.forEach(([id, x, y], i) => {
    view.setUint32(from + 8 * i, id, true);
    view.setInt16(from + 8 * i + 4, x, true);
    view.setInt16(from + 8 * i + 6, y, true);
  });
  return {
    boids: new Uint8Array(buffer, 1, 4 * boids.length),
    cursors: new Uint8Array(buffer, from, 8 * cursors.length),
  };
}

export const room = (changes: Partial<Room> = {}): Room => ({
  name: 'lobby',
  model: 'swarm',
  boundary: 'open',
  world: [550, 400],
  quantum: 1 / 16,
  tickRate: 30,
  snapshotRate: 30,
  policy: 'mean',
  idle: 'wander',
  params: [],
  walls: [],
  controls: [],
  boidsMax: 0,
  ...changes,
});
