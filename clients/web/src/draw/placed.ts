// Where the Canvas2D renderer draws each boid of a frame of the screen, and in which of the palette's colours.

import { type Moment, around, saturated, shownCount } from '../flock/timeline';
import { createPace, crowding } from './crowding';
import { STEPS } from './palette';
import { type Scene, isCrowdShown } from './scene';
import type { Room } from '../net/protocol';

export const TURNS = 2 * STEPS; // headings, all around

export const CROWDS = 8;

export interface Placed {
  count: number;
  x: Float32Array; // CSS pixels
  y: Float32Array;
  hx: Float32Array; // heading, a unit vector
  hy: Float32Array;
  dx: Float32Array; // movement from the earlier frame to the later one, CSS pixels
  dy: Float32Array;
  turn: Uint8Array; // the heading, in parts of TURNS
  color: Uint8Array; // an index into the palette
  crowd: Uint8Array; // how crowded the boid is, in parts of CROWDS
  id: Uint32Array; // the boid's number
}

const none = (capacity: number): Placed => {
  const floats = (): Float32Array => new Float32Array(capacity);
  return {
    ...{ count: 0, x: floats(), y: floats(), hx: floats(), hy: floats(), dx: floats(), dy: floats() },
    ...{ turn: new Uint8Array(capacity), color: new Uint8Array(capacity), crowd: new Uint8Array(capacity), id: new Uint32Array(capacity) },
  };
};

/** Returns a function that places the boids of a scene. Its result is valid until the next call. Boids whose position is out of
 * range are left out. */
export function createPlacer(): (scene: Scene, room: Room, moment: Moment) => Placed {
  const pace = createPace();
  let known = new Uint8Array(0); // how crowded each boid is
  let serial = 0; // of the frame in `known`
  let placed = none(0);

  /** Returns how crowded each boid is, or null if that cannot be seen. */
  function crowdOf(scene: Scene, room: Room, moment: Moment): Uint8Array | null {
    if (!isCrowdShown(scene, moment)) return null;
    const { b } = moment;
    if (serial !== b.serial) {
      serial = b.serial;
      if (known.length < b.count) known = new Uint8Array(Math.ceil(b.count * 1.2));
      crowding(b, room, known);
    }
    return known;
  }

  return (scene, room, moment) => {
    const { camera, coloring, tint } = scene;
    const { a, b, alpha } = moment;
    const total = shownCount(moment);
    if (placed.x.length < total) placed = none(Math.ceil(total * 1.2));
    const { x, y, hx, hy, dx, dy, turn, color, crowd, id } = placed;
    const tints = tint?.of(b, room) ?? null;
    const near = crowdOf(scene, room, moment);
    const byCrowd = tints === null && coloring === 'neighbours';
    const step = room.quantum * camera.scale;
    const fast = tints === null && coloring === 'speed' ? STEPS / (2 * Math.max(1e-3, pace.follow(moment, room)) * step) : 0;
    const byTurn = tints === null && coloring === 'heading';
    const middleX = camera.left + (room.world[0] / 2) * camera.scale;
    const middleY = camera.top + (room.world[1] / 2) * camera.scale;
    const [periodX, periodY] = room.period ?? [0, 0];
    const t = Math.min(1, alpha);
    const from = a.positions;
    const to = b.positions;
    let n = 0;
    for (let boid = 0; boid < total; boid++) {
      const i = 2 * boid;
      if (saturated(from[i]) || saturated(from[i + 1]) || saturated(to[i]) || saturated(to[i + 1])) continue;
      let wayX = to[i] - from[i];
      let wayY = to[i + 1] - from[i + 1];
      let atX = from[i] + wayX * alpha;
      let atY = from[i + 1] + wayY * alpha;
      if (periodX > 0) {
        wayX -= periodX * Math.round(wayX / periodX);
        wayY -= periodY * Math.round(wayY / periodY);
        atX = around(from[i], to[i], alpha, periodX);
        atY = around(from[i + 1], to[i + 1], alpha, periodY);
      }
      let headX = a.headings[i] + (b.headings[i] - a.headings[i]) * t;
      let headY = a.headings[i + 1] + (b.headings[i + 1] - a.headings[i + 1]) * t;
      if (headX === 0 && headY === 0) [headX, headY] = [wayX, wayY];
      const length = Math.sqrt(headX * headX + headY * headY);
      x[n] = middleX + atX * step;
      y[n] = middleY + atY * step;
      hx[n] = length > 0 ? headX / length : 0;
      hy[n] = length > 0 ? headY / length : -1;
      dx[n] = wayX * step;
      dy[n] = wayY * step;
      turn[n] = Math.round((Math.atan2(hy[n], hx[n]) / (2 * Math.PI) + 1) * TURNS) % TURNS;
      id[n] = boid;
      crowd[n] = near === null ? CROWDS / 2 : (near[boid] * CROWDS) >> 8;
      if (byTurn) color[n] = turn[n] >> 1;
      else if (tints !== null) color[n] = tints[boid];
      else if (byCrowd && near !== null) color[n] = (near[boid] * STEPS) >> 8;
      else if (fast > 0) color[n] = Math.min(STEPS - 1, fast * Math.hypot(dx[n], dy[n]));
      else color[n] = boid % STEPS;
      n++;
    }
    placed.count = n;
    return placed;
  };
}
