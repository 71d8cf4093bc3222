// Where the end of a wall snaps to: ends of other walls, and edges of the world.

import { clamp } from '../../numbers';
import type { Room } from '../../net/protocol';
import type { Point } from './sketch';

const snapped = (at: number, side: number, reach: number): number => (at < reach ? 0 : side - at < reach ? side : at);

/** Returns the point of the world that is nearest to that point. */
export const inside = ([x, y]: Point, [width, height]: Point): Point => [clamp(x, 0, width), clamp(y, 0, height)];

/** reach: the distance from which a point snaps, world units. */
export function snap(at: Point, { walls, world }: Pick<Room, 'walls' | 'world'>, reach: number): Point {
  const [x, y] = inside(at, world);
  let nearest: Point = [snapped(x, world[0], reach), snapped(y, world[1], reach)];
  let least = reach;
  for (const [x1, y1, x2, y2] of walls) {
    for (const end of [[x1, y1], [x2, y2]] as const) {
      const distance = Math.hypot(end[0] - x, end[1] - y);
      if (distance >= least) continue;
      least = distance;
      nearest = end;
    }
  }
  return nearest;
}
