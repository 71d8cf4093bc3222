// How boids are drawn: the preset's shape and colours, unless this person has chosen others; and the level of detail.

import type { Room } from '../net/protocol';
import { clamp } from '../numbers';

/** ball and blur have no heading. blur is a soft circle. */
export const SHAPES = ['arrow', 'triangle', 'bird', 'fish', 'sheep', 'bee', 'ball', 'person', 'ant', 'blur'] as const;
export type Shape = (typeof SHAPES)[number];

/** A boid's colour says its heading, its speed, the number of boids near it, or which boid it is. */
export const COLORINGS = ['heading', 'speed', 'neighbours', 'own'] as const;
export type Coloring = (typeof COLORINGS)[number];
/** Or its cluster, whose colours are a tint. */
export type ChosenColoring = Coloring | 'clusters';

/** The colours of shapes that do not show the heading. */
const COLORING: Partial<Record<Shape, Coloring>> = {
  ...{ bird: 'neighbours', bee: 'speed', triangle: 'speed' },
  ...{ sheep: 'own', person: 'own', ball: 'own', blur: 'own' },
};

/** This person's choice; null: as in the preset. */
export interface Choice {
  shape: Shape | null;
  coloring: ChosenColoring | null;
}

/** size: of a boid, world units; 0: it depends on the distance between boids. */
export interface Drawn {
  shape: Shape;
  coloring: Coloring;
  size: number;
}

/** Returns how the boids of that room are drawn. A shape that the page does not know is an arrow. */
export function drawnLook(chosen: Choice, room: Room | null): Drawn {
  const own = SHAPES.find((each) => each === room?.look?.shape);
  const shape = chosen.shape ?? own ?? 'arrow';
  const coloring = chosen.coloring === 'clusters' ? 'own' : chosen.coloring;
  return { shape, coloring: coloring ?? COLORING[shape] ?? 'heading', size: shape === own ? (room?.look?.size ?? 0) : 0 };
}

const SIZE_LEAST = 3.5; // CSS pixels, of a boid whose preset sets a size
const CLOSEST = 2.4; // a boid is drawn no longer than this number of distances between boids
// A blurred circle fades to 0 at 0.62 of its length and to one half at 0.56 of that, where its edge seems to be.
const BLUR_EDGE = 0.62 * 0.56;
const LIGHT = 0.05; // least diameter of a blurred circle whose preset sets a size, as a share of the window's shorter side

/** Returns the length of a drawn boid, CSS pixels. spacing: distance between boids; scale: of a world unit; side: the window's shorter
 * side; all in CSS pixels. */
export function boidLength({ shape, size }: Drawn, spacing: number, scale: number, side = 0): number {
  const length = Math.min(shape === 'blur' ? Math.max(size * scale, LIGHT * side) : size * scale, CLOSEST * spacing);
  if (size > 0) return Math.max(SIZE_LEAST, length / (shape === 'blur' ? 2 * BLUR_EDGE : 1));
  if (shape === 'blur') return clamp(1.3 * spacing, 3.5, 44);
  return shape === 'arrow' || shape === 'triangle' ? clamp(0.72 * spacing, 2.6, 24) : clamp(1.1 * spacing, 2.6, 32);
}

/** shape: each boid has its shape; arrow: boids are too small for it; map: boids are too near to one another to be seen. */
export type Level = 'shape' | 'arrow' | 'map';

const SHAPED = [6.5, 8]; // CSS pixels: a shorter boid loses its shape, a longer one gets it
const MAPPED = [2.6, 3.2]; // CSS pixels between boids: nearer ones become a map, farther ones become boids again
const MAP_LEAST = 5000; // boids of a map

/** Returns the level of detail. Each level has two bounds, so a flock near a bound keeps its level. */
export function levelOf(before: Level, { shape }: Pick<Drawn, 'shape'>, length: number, spacing: number, count: number): Level {
  if (count >= MAP_LEAST && spacing < MAPPED[before === 'map' ? 1 : 0]) return 'map';
  if (shape === 'arrow' || shape === 'triangle' || shape === 'blur') return 'shape';
  return length < SHAPED[before === 'shape' ? 0 : 1] ? 'arrow' : 'shape';
}
