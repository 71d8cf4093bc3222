// The layer that draws lines between neighbours: boids that are as near to each other as their model looks.

import { createNear, neighbourDistance, spreadBoids } from '../flock/near';
import { type Frame, boidAt, shownCount } from '../flock/timeline';
import type { Room } from '../net/protocol';
import { type Layer, ORDER, type Pen } from './layers';
import type { Scene } from './scene';

const EACH = 3; // neighbours that a boid's lines go to: the nearest ones
const LINKS_MAX = 3000; // lines
const WORK_MAX = 300_000; // distances computed for a snapshot
const OPACITY = 0.5;

/** Returns pairs of neighbours, each once. Of a large flock these are the pairs of a sample. */
export function linksOf(frame: Frame, room: Room): readonly (readonly [number, number])[] {
  const distance = neighbourDistance(room) / room.quantum;
  if (distance <= 0 || frame.count < 2) return [];
  const near = createNear(frame, room);
  const links = new Map<number, readonly [number, number]>();
  for (const i of spreadBoids(frame)) {
    if (links.size >= LINKS_MAX || near.work() > WORK_MAX) break;
    for (const { boid } of near.of(i, EACH, distance)) links.set(Math.min(i, boid) * frame.count + Math.max(i, boid), [i, boid]);
  }
  return [...links.values()];
}

export function linksLayer(): Layer {
  let serial = 0; // of the frame of `links`
  let links: readonly (readonly [number, number])[] = [];
  return {
    name: 'links',
    order: ORDER.links,
    shows: ({ moment }) => moment && [moment.b.serial, moment.alpha],
    paint({ context, camera, colors, shade, thin }: Pen, { moment, room }: Scene): void {
      if (moment === null || room === null) return;
      if (serial !== moment.b.serial) links = linksOf(moment.b, room);
      serial = moment.b.serial;
      const count = shownCount(moment);
      const [width, height] = room.world.map((side) => side / room.quantum / 2); // half of the world, quanta
      const scale = room.quantum * camera.scale;
      const [left, top] = [camera.left + width * scale, camera.top + height * scale];
      context.beginPath();
      for (const [i, j] of links) {
        const [from, to] = i < count && j < count ? [boidAt(moment, i, room), boidAt(moment, j, room)] : [null, null];
        // In a torus, a line that goes around its edges is left out.
        if (
          from === null ||
          to === null ||
          (room.period !== null && (Math.abs(from[0] - to[0]) > width || Math.abs(from[1] - to[1]) > height))
        )
          continue;
        context.moveTo(left + from[0] * scale, top + from[1] * scale);
        context.lineTo(left + to[0] * scale, top + to[1] * scale);
      }
      context.strokeStyle = shade(colors.ink, OPACITY);
      context.lineWidth = thin();
      context.stroke();
    },
  };
}
