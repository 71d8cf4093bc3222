// How boids are drawn: in the look that this person has chosen, or else in the preset's.

import type { Room, RoomLook } from '../net/protocol';
import { clamp } from '../numbers';

/** arrow, triangle and fish show the heading. blur is a soft circle, and each boid has its own colour. */
export const SHAPES = ['arrow', 'triangle', 'fish', 'blur'] as const;
export type Shape = (typeof SHAPES)[number];

/** The shapes that a person can choose. */
export const LOOKS = ['arrow', 'blur'] as const satisfies readonly Shape[];
export type Look = (typeof LOOKS)[number];

/** size: of a boid, world units; 0: it depends on the distance between boids. */
export interface Drawn {
  shape: Shape;
  size: number;
}

function ownLook(room: Room | null): (RoomLook & Drawn) | null {
  const shape = SHAPES.find((each) => each === room?.look?.shape);
  return shape === undefined || room?.look == null ? null : { shape, size: room.look.size };
}

/** chosen: the look that this person chose; null: use the preset's. */
export function drawnLook(chosen: Look | null, room: Room | null): Drawn {
  const own = ownLook(room);
  return own !== null && (chosen ?? own.shape) === own.shape ? own : { shape: chosen ?? LOOKS[0], size: 0 };
}

/** Returns the next choice in a cycle of the preset's look and all others. */
export function nextLook(chosen: Look | null, room: Room | null): Look | null {
  const first = drawnLook(null, room).shape;
  const all = [null, ...LOOKS.filter((look) => look !== first)];
  const now = all.findIndex((each) => (each ?? first) === drawnLook(chosen, room).shape);
  return all[(now + 1) % all.length];
}

const SIZE_LEAST = 3.5; // CSS pixels, of a boid whose preset sets a size
// A blurred circle fades to 0 at 0.62 of its length and to one half at 0.56 of that, where its edge seems to be.
const BLUR_EDGE = 0.62 * 0.56;

/** Returns the length of a drawn boid, CSS pixels. spacing: distance between boids; scale: of a world unit; both in CSS pixels. */
export function boidLength({ shape, size }: Drawn, spacing: number, scale: number): number {
  if (size > 0) return Math.max(SIZE_LEAST, (size * scale) / (shape === 'blur' ? 2 * BLUR_EDGE : 1));
  return shape === 'blur' ? clamp(1.3 * spacing, 3.5, 44) : clamp(0.72 * spacing, 2.2, 24);
}
