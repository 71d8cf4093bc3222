// Arrows at the window's edge that point to the flock or the target beyond it.

import { type Camera, toScreen, toWorld } from './camera';
import { clamp } from '../numbers';

const INSET = 34; // CSS pixels from the window's edge to an arrow

export interface Arrow {
  x: number; // of its tip, CSS pixels
  y: number;
  angle: number; // radians from +x toward +y
  distance: number; // from the tip to the point, world units
}

/** Returns the arrow to the point `at`, or null if the circle of radius reach (world units) around it is partly in the window.
 * size: of the arrow, 1 on a desktop screen. */
export function arrowTo(camera: Camera, at: readonly [number, number], reach = 0, size = 1): Arrow | null {
  const { width, height, scale } = camera;
  const [px, py] = toScreen(camera, ...at);
  const [left, right, top, bottom] = [-px, px - width, -py, py - height];
  if (Math.max(left, right, top, bottom) <= reach * scale) return null;
  // On the line from the window's middle to the point, where it leaves the window.
  const [dx, dy] = [px - width / 2, py - height / 2];
  const [roomX, roomY] = [width, height].map((side) => Math.max(1, side / 2 - INSET * size));
  const part = clamp(Math.min(roomX / Math.abs(dx), roomY / Math.abs(dy)), 0, 1);
  const [x, y] = [width / 2 + dx * part, height / 2 + dy * part];
  const [wx, wy] = toWorld(camera, x, y);
  return { x, y, angle: Math.atan2(dy, dx), distance: Math.hypot(at[0] - wx, at[1] - wy) };
}
