// Samples: messages of a server before MessagePack encodes them, and decoded rooms and snapshots.

import type { Measures, Room, Snapshot, Welcome } from '../src/net/protocol';
import type { Sighting } from '../src/net/stream';

export const roomMap = (): Record<string, unknown> => ({
  code: 'FK72MX',
  title: 'Ada’s flock',
  instance: 77,
  model: 'swarm',
  boundary: 'open',
  update: 'synchronous',
  world: [550, 400],
  quantum: 1 / 16,
  tick_rate: 30,
  snapshot_rate: 30,
  policy: 'mean',
  idle: 'wander',
  cursor_timeout: 3,
  people_max: 100,
  boids_max: 1000,
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
  boids: 0,
  stride: 1,
  time: 1000,
  capabilities: ['packed', 'rooms', 'teleport'],
  room: roomMap(),
});

export interface SnapshotSample {
  epoch?: number;
  tick?: number;
  time?: number; // µs
  target?: [number, number] | null;
  boids?: [number, number][]; // quanta
  cursors?: [number, number, number][]; // id, quanta
  stride?: number;
  measures?: Measures;
}

export function snapshotMessage(sample: SnapshotSample): unknown[] {
  const { epoch = 1, tick = 1, time = 0, target = null } = sample;
  const { boids, cursors } = bytes(sample);
  return [68, epoch, tick, time, 1, target?.[0] ?? null, target?.[1] ?? null, boids, cursors, boids.length / 4, null];
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
    measures: sample.measures ?? null,
    headings: null,
    stride: sample.stride ?? 1,
  };
}

/** Puts boids and cursors at odd offsets, where they may be in a message. */
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
  code: 'FK72MX',
  title: '',
  instance: 77,
  model: 'swarm',
  boundary: 'open',
  update: 'synchronous',
  world: [550, 400],
  quantum: 1 / 16,
  period: null,
  tickRate: 30,
  snapshotRate: 30,
  policy: 'mean',
  idle: 'wander',
  cursorTimeout: 3,
  params: [],
  walls: [],
  controls: [],
  look: null,
  ground: '',
  pen: null,
  click: 0,
  peopleMax: 100,
  boidsMax: 1000,
  undo: false,
  attention: null,
  spotlight: 0,
  storeFailing: false,
  door: 'open',
  locked: false,
  unnamed: false,
  beside: '',
  recording: false,
  ...changes,
});

export const welcome = (changes: Partial<Welcome> = {}): Welcome => ({
  kind: 'welcome',
  id: 7,
  name: 'Ada',
  color: 0x112233,
  server: 'flockd',
  token: new Uint8Array(16),
  role: 'viewer',
  encoding: 'plain',
  time: 0,
  rate: 30,
  boids: 0,
  stride: 1,
  capabilities: [],
  room: room(),
  ...changes,
});
