// How boids are drawn: as their preset says, or else in the look that this person has chosen.

import type { Room, RoomLook } from '../net/protocol';
import { clamp } from '../numbers';

/** arrow, triangle and fish head somewhere; blur is a soft circle, and every boid has a colour of its own. */
export const SHAPES = ['arrow', 'triangle', 'fish', 'blur'] as const;
export type Shape = (typeof SHAPES)[number];

/** Those that a person may choose. */
export const LOOKS = ['arrow', 'blur'] as const satisfies readonly Shape[];
export type Look = (typeof LOOKS)[number];

/** What shape boids have now, and how long they are, world units; 0: that goes by how far they are apart. */
export interface Drawn {
  shape: Shape;
  size: number;
}

function ownLook(room: Room | null): (RoomLook & Drawn) | null {
  const shape = SHAPES.find((each) => each === room?.look?.shape);
  return shape === undefined || room?.look == null ? null : { shape, size: room.look.size };
}

/** chosen: by this person; null: none, the preset's counts. */
export function drawnLook(chosen: Look | null, room: Room | null): Drawn {
  const own = ownLook(room);
  return own !== null && (chosen ?? own.shape) === own.shape ? own : { shape: chosen ?? LOOKS[0], size: 0 };
}

/** The choice after that one: the preset's look, and each of the others. */
export function nextLook(chosen: Look | null, room: Room | null): Look | null {
  const first = drawnLook(null, room).shape;
  const all = [null, ...LOOKS.filter((look) => look !== first)];
  const now = all.findIndex((each) => (each ?? first) === drawnLook(chosen, room).shape);
  return all[(now + 1) % all.length];
}

const SIZE_LEAST = 3.5; // CSS pixels of a boid that has a size of its own
// A blurred circle fades to nothing at 0.62 of its length, and to the half at 0.56 of that: there its edge is.
const BLUR_EDGE = 0.62 * 0.56;

/** How long a boid is drawn, CSS pixels. spacing: between boids, scale: of a world unit, both CSS pixels. */
export function boidLength({ shape, size }: Drawn, spacing: number, scale: number): number {
  if (size > 0) return Math.max(SIZE_LEAST, (size * scale) / (shape === 'blur' ? 2 * BLUR_EDGE : 1));
  return shape === 'blur' ? clamp(1.3 * spacing, 3.5, 44) : clamp(0.72 * spacing, 2.2, 24);
}
