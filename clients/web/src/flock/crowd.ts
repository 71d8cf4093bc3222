// The spacing of the flock, which decides the size of a drawn boid: the side of the square per boid in the area that the
// flock covers. It changes slowly, so that sizes never jump.

import { clamp } from '../numbers';
import type { Room } from '../net/protocol';
import { type Frame, saturated } from './timeline';

const SAMPLES = 512; // boids that are measured
const FOLLOW = 1500; // ms: time constant
// Of a uniformly filled ellipse, the mean distance from the middle along an axis is 4 / 3π of the half axis.
const HALF_AXIS = (3 * Math.PI) / 4;

export interface Crowd {
  /** Takes the frame that is shown; returns the spacing, world units. passed: ms since the previous call. */
  follow(frame: Frame, room: Room, passed: number): number;
}

export function createCrowd(): Crowd {
  let serial = 0;
  let count = 0;
  let wanted = 0;
  let spacing = 0;
  return {
    follow(frame, room, passed) {
      if (frame.serial !== serial) {
        // A very different number of boids is another flock: take its spacing at once.
        if (frame.count > 2 * count || 2 * frame.count < count) spacing = 0;
        serial = frame.serial;
        count = frame.count;
        wanted = measure(frame, room);
      }
      if (spacing === 0) spacing = wanted;
      spacing += (wanted - spacing) * (1 - Math.exp(-passed / FOLLOW));
      return spacing;
    },
  };
}

/** Returns the side of the square per boid of the frame, world units. */
export function measure(frame: Frame, room: Room): number {
  const [width, height] = room.world;
  const area = width * height;
  if (frame.count === 0) return Math.sqrt(area);
  const step = 2 * Math.ceil(frame.count / SAMPLES);
  const { positions } = frame;
  let [seen, x, y, x1, y1] = [0, 0, 0, 0, 0];
  for (let i = 0; i < 2 * frame.count; i += step) {
    if (saturated(positions[i]) || saturated(positions[i + 1])) continue;
    seen++;
    x += positions[i];
    y += positions[i + 1];
  }
  for (let i = 0; i < 2 * frame.count; i += step) {
    if (saturated(positions[i]) || saturated(positions[i + 1])) continue;
    x1 += Math.abs(positions[i] - x / seen);
    y1 += Math.abs(positions[i + 1] - y / seen);
  }
  if (seen === 0) return Math.sqrt(area / frame.count);
  const covered = Math.PI * HALF_AXIS ** 2 * (x1 / seen) * (y1 / seen) * room.quantum ** 2;
  return Math.sqrt(clamp(covered, area / 400, area) / frame.count);
}
