// window.flock: read-only access to the shown values, for tests. Only a browser that a program controls loads it, after the first
// picture.
//
//   flock.state()          a plain object (State, below) with the present figures
//   flock.boids()          each boid as shown: { x, y, heading } (heading: radians from +x toward +y; null: unknown), or null
//                          if the boid is too far away to be drawn
//   flock.toScreen(x, y)   converts world units to CSS pixels of the window
//   flock.toWorld(px, py)  converts CSS pixels of the window to world units

import { toScreen, toWorld } from '../draw/camera';
import type { Drawn } from '../draw/look';
import type { Layers } from '../draw/layers';
import type { arrowsIn, centroidIn } from '../draw/overlay';
import type { Renderer } from '../draw/scene';
import type { ViewMode, Viewport } from '../draw/viewport';
import { othersCursors } from '../flock/cursors';
import type { Model } from '../flock/model';
import { type Moment, boidAt, centroid, shownCount } from '../flock/timeline';
import type { Status } from '../net/connection';
import type { Measures, Person, Role, Room } from '../net/protocol';
import type { Source } from '../net/source';
import type { Loop } from './loop';

export interface State {
  status: Status['kind']; // connecting, connected, waiting (for the next attempt) or closed (without further attempts)
  reason: string; // why the connection is waiting or closed
  id: number | null; // of this person
  name: string;
  role: Role;
  room: string; // its code
  title: string;
  steers: boolean; // whether this person's cursor counts
  listed: Person[]; // people in the list; this person first
  boids: number; // on the screen
  flock: number; // boids in the room
  people: number; // in the room
  model: string;
  tick: number | null; // of the later one of the two shown snapshots
  latencyMs: number | null; // round trip
  delayMs: number | null; // how far the playback is behind the server's clock
  renderer: 'webgl2' | '2d';
  look: string; // the boids' shape
  coloring: string; // the meaning of their colours
  level: string; // of detail: shape, arrow or map
  fps: number;
  frameMs: number; // of the main thread, per frame
  encoding: string; // of the snapshots
  rate: number; // snapshots per second, as granted
  limit: number; // maximum of boids in a snapshot, as granted; 0: all
  stride: number; // a snapshot has every stride-th boid
  slow: boolean; // the server grants less than the page asked for, because the connection is slow
  keyframes: number; // packed keyframes
  lost: number; // packed snapshots that the page could not decode
  malformed: number; // messages from the server that broke the protocol
  centroid: [number, number] | null; // of the flock as shown, world units
  mark: [number, number] | null; // where the centroid is drawn, world units; null: it is not drawn
  measures: Measures | null; // of the whole flock, in the later one of the two shown snapshots
  target: [number, number] | null;
  cursors: { id: number; name: string; x: number; y: number }[]; // of other people, as shown, world units
  view: ViewMode;
  arrows: string[]; // 'flock' or 'target', if an arrow points to it
  world: [number, number] | null;
  controls: Record<string, string>; // the chosen value of each control of the room
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

export interface HookOptions {
  arrowsIn: typeof arrowsIn;
  centroidIn: typeof centroidIn;
  model: Model;
  source: Source;
  viewport: Viewport;
  renderer: Renderer;
  layers: Layers;
  loop: Loop;
  name(): string;
  look(): Drawn;
  steers(): boolean;
}

export function exposeHook(options: HookOptions): void {
  const { model, source, viewport, layers, loop } = options;

  const delay = (): number | null => {
    const timeline = model.timeline();
    const offset = source.offset();
    const behind = timeline === null || offset === null ? NaN : timeline.lag() + offset;
    return Number.isNaN(behind) ? null : behind;
  };

  const state = (): State => {
    const status = model.status();
    const scene = loop.scene();
    const shown = model.shown();
    const room = shown?.room ?? model.room();
    const moment = shown?.moment ?? null;
    const { encoding, rate, boids: limit, stride, slow, keyframes, lost } = source.stream();
    return {
      status: status.kind,
      reason: 'reason' in status ? status.reason : '',
      id: model.welcome()?.id ?? null,
      name: options.name(),
      role: model.role(),
      room: room?.code ?? '',
      title: room?.title ?? '',
      steers: options.steers(),
      listed: model.people.all(),
      boids: moment === null ? 0 : shownCount(moment),
      flock: moment?.b.flock ?? 0,
      people: model.timeline()?.newest()?.people ?? 0,
      model: room?.model ?? '',
      tick: moment?.b.tick ?? null,
      latencyMs: source.roundTrip(),
      delayMs: delay(),
      renderer: options.renderer.kind,
      look: options.look().shape,
      coloring: options.look().coloring,
      level: scene?.level ?? 'shape',
      fps: loop.measured.fps,
      frameMs: loop.measured.frameMs,
      encoding,
      rate,
      limit,
      stride,
      slow,
      keyframes,
      lost,
      malformed: source.malformed(),
      centroid: moment === null || room === null ? null : centroid(moment, room),
      mark: scene !== null && layers.isOn('centroid') ? options.centroidIn(scene) : null,
      measures: moment?.b.measures ?? null,
      target: scene?.target ?? null,
      cursors: moment === null ? [] : othersCursors(model, moment).map(({ person: { id, name }, at: [x, y] }) => ({ id, name, x, y })),
      view: viewport.mode(),
      arrows: scene === null ? [] : Object.keys(options.arrowsIn(scene, layers.large())),
      world: room?.world ?? null,
      controls: Object.fromEntries(room?.controls.map(({ name, value }) => [name, value]) ?? []),
      params: Object.fromEntries(room?.params.map(({ name, value }) => [name, value]) ?? []),
    };
  };
  const boids = (): (ShownBoid | null)[] => {
    const shown = model.shown();
    if (shown === null) return [];
    const { room, moment } = shown;
    return Array.from({ length: shownCount(moment) }, (_, i) => shownBoid(moment, i, room));
  };
  const hook: Hook = {
    state,
    boids,
    toScreen: (x, y) => toScreen(viewport.camera(), x, y),
    toWorld: (px, py) => toWorld(viewport.camera(), px, py),
  };
  Object.defineProperty(window, 'flock', { value: Object.freeze(hook) });
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
