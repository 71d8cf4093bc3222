// The boid that is drawn at a point of the window.

import type { Shown } from '../flock/model';
import { boidAt, shownCount } from '../flock/timeline';
import { type Camera, toScreen } from './camera';

/** Returns the number of the drawn boid nearest to that point of the window, within `reach` CSS pixels; null: there is none. */
export function pickBoid(shown: Shown | null, camera: Camera, px: number, py: number, reach: number): number | null {
  if (shown === null) return null;
  const { room, moment } = shown;
  let best: number | null = null;
  let least = reach;
  for (let index = 0; index < shownCount(moment); index++) {
    const at = boidAt(moment, index, room);
    if (at === null) continue;
    const [x, y] = toScreen(camera, room.world[0] / 2 + at[0] * room.quantum, room.world[1] / 2 + at[1] * room.quantum);
    const distance = Math.hypot(x - px, y - py);
    if (distance >= least) continue;
    least = distance;
    best = index * moment.a.stride;
  }
  return best;
}
