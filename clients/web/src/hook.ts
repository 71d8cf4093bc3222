// window.flock: what the page shows, for tests and for the curious in the browser's console. It only reads.
//
//   flock.state()       a plain object (below) with the figures of this moment
//   flock.boids()       where each boid is shown: { x, y, heading } (heading: radians from +x toward +y, or null when it
//                       is not known), or null when it is too far away to be drawn
//   flock.toScreen(x, y) world units → CSS pixels of the window;  flock.toWorld(px, py) the other way

import type { Status } from './connection';
import type { Measures, Role, Room } from './protocol';
import type { StreamState } from './stream';
import { type Moment, boidAt, centroid, shownCount } from './timeline';
import type { Cursor } from './ui-cursors';

export interface State {
  status: Status['kind']; // connecting, connected, waiting (for the next attempt) or closed (for good)
  reason: string; // why it is waiting or closed
  id: number | null; // one's own
  name: string;
  role: Role;
  boids: number; // on the screen
  flock: number; // boids that the room has
  people: number; // in the room, all of them
  model: string;
  tick: number | null; // of the later of the two snapshots that are shown
  latencyMs: number | null; // round trip
  delayMs: number | null; // how far the playback is behind the server's clock
  renderer: 'webgl2' | '2d';
  look: string;
  fps: number;
  frameMs: number; // of the main thread, per frame
  encoding: string; // of the snapshots
  rate: number; // snapshots per second, as granted
  limit: number; // boids in each at most, as granted; 0: all
  keyframes: number; // packed snapshots that stood alone
  lost: number; // packed snapshots that were of no use
  malformed: number; // messages from the server that broke the protocol
  centroid: [number, number] | null; // of the flock as shown, world units
  measures: Measures | null; // of the whole flock, in the later of the two snapshots that are shown
  target: [number, number] | null;
  cursors: Cursor[]; // of the others, as shown
  world: [number, number] | null;
  controls: Record<string, string>; // what the room has, and what is in force
  params: Record<string, number>;
}

export interface ShownBoid {
  x: number; // world units
  y: number;
  heading: number | null;
}

export interface Hook {
  state(): State;
  boids(): (ShownBoid | null)[];
  toScreen(x: number, y: number): [number, number];
  toWorld(px: number, py: number): [number, number];
}

declare global {
  interface Window {
    flock?: Hook;
  }
}

export interface Sources {
  status(): Status;
  self(): { id: number | null; name: string; role: Role };
  room(): Room | null;
  moment(): Moment | null;
  target(): [number, number] | null;
  cursors(): Cursor[];
  people(): number;
  boids(): number;
  latencyMs(): number | null;
  delayMs(): number | null;
  renderer(): 'webgl2' | '2d';
  look(): string;
  fps(): number;
  frameMs(): number;
  malformed(): number;
  stream(): StreamState;
  toScreen(x: number, y: number): [number, number];
  toWorld(px: number, py: number): [number, number];
}

export function exposeHook(from: Sources): void {
  const state = (): State => {
    const status = from.status();
    const room = from.room();
    const moment = from.moment();
    const delay = from.delayMs();
    const { encoding, rate, limit, keyframes, lost } = from.stream();
    return {
      status: status.kind,
      reason: 'reason' in status ? status.reason : '',
      ...from.self(),
      boids: from.boids(),
      flock: moment?.b.flock ?? 0,
      people: from.people(),
      model: room?.model ?? '',
      tick: moment?.b.tick ?? null,
      latencyMs: from.latencyMs(),
      delayMs: delay === null || Number.isNaN(delay) ? null : delay,
      renderer: from.renderer(),
      look: from.look(),
      fps: from.fps(),
      frameMs: from.frameMs(),
      encoding,
      rate,
      limit,
      keyframes,
      lost,
      malformed: from.malformed(),
      centroid: moment === null || room === null ? null : centroid(moment, room),
      measures: moment?.b.measures ?? null,
      target: from.target(),
      cursors: from.cursors(),
      world: room?.world ?? null,
      controls: Object.fromEntries(room?.controls.map(({ name, value }) => [name, value]) ?? []),
      params: Object.fromEntries(room?.params.map(({ name, value }) => [name, value]) ?? []),
    };
  };
  const boids = (): (ShownBoid | null)[] => {
    const room = from.room();
    const moment = from.moment();
    if (room === null || moment === null) return [];
    return Array.from({ length: shownCount(moment) }, (_, i) => shownBoid(moment, i, room));
  };
  Object.defineProperty(window, 'flock', {
    value: Object.freeze({ state, boids, toScreen: from.toScreen, toWorld: from.toWorld }),
  });
}

function shownBoid(moment: Moment, index: number, room: Room): ShownBoid | null {
  const at = boidAt(moment, index, room);
  if (at === null) return null;
  const { headings } = moment.b;
  const [hx, hy] = [headings[2 * index], headings[2 * index + 1]];
  return {
    x: room.world[0] / 2 + at[0] * room.quantum,
    y: room.world[1] / 2 + at[1] * room.quantum,
    heading: hx === 0 && hy === 0 ? null : Math.atan2(hy, hx),
  };
}
