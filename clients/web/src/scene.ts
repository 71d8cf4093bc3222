// What a renderer is given each frame, and what both renderers agree on: sizes and colours.

import type { Camera } from './camera';
import type { Room, Wall } from './protocol';
import type { Moment } from './timeline';
import { clamp } from './numbers';

/** arrow: oriented darts. blur: soft coloured circles, as the first flock of this kind had. */
export const LOOKS = ['arrow', 'blur'] as const;
export type Look = (typeof LOOKS)[number];

export interface Scene {
  camera: Camera;
  room: Room | null;
  moment: Moment | null;
  spacing: number; // between boids, CSS pixels
  target: [number, number] | null; // world units
  look: Look;
  trails: boolean;
  passed: number; // ms since the frame before
}

export interface Renderer {
  readonly kind: 'webgl2' | '2d';
  draw(scene: Scene): void;
}

/** How long a boid is drawn, CSS pixels. */
export const boidLength = (look: Look, spacing: number): number =>
  look === 'arrow' ? clamp(0.72 * spacing, 2.2, 24) : clamp(1.3 * spacing, 3.5, 44);

/** The more boids, the more they overlap, and the more transparent each must be. */
export const boidOpacity = (look: Look, count: number): number => {
  const magnitude = Math.log10(Math.max(1, count));
  return look === 'arrow' ? clamp(1.1 - 0.07 * magnitude, 0.72, 1) : clamp(0.95 - 0.12 * magnitude, 0.3, 0.8);
};

/** What reflects: the room's walls, and the world's edges where they do. */
export function barriers({ boundary, world: [right, bottom], walls }: Room): Wall[] {
  if (boundary !== 'walls') return walls;
  return [...walls, [0, 0, right, 0], [right, 0, right, bottom], [right, bottom, 0, bottom], [0, bottom, 0, 0]];
}

export const BARRIER_WIDTH = 1.6; // CSS pixels
export const BARRIER_OPACITY = 0.62;

export const TRAIL_TIME = 900; // ms from a boid's passing to the last of its trail
export const TRAIL_STRENGTH = 0.8; // of a fresh trail

/** sRGB, 0 to 1. A boid's colour lies between two neighbours of its look's palette. */
export type Color = readonly [number, number, number];

export const PALETTE: Record<Look, readonly Color[]> = {
  arrow: [
    [0.56, 0.83, 1.0],
    [0.68, 0.9, 0.98],
    [0.62, 0.72, 1.0],
    [0.78, 0.74, 1.0],
    [0.55, 0.93, 0.87],
  ],
  blur: [
    [1.0, 0.42, 0.36],
    [1.0, 0.72, 0.3],
    [0.42, 0.85, 0.5],
    [0.3, 0.68, 1.0],
    [0.75, 0.48, 1.0],
  ],
};

export const BACKGROUND = {
  middle: [0.058, 0.082, 0.132] as Color,
  edge: [0.02, 0.027, 0.047] as Color,
  frame: [0.62, 0.74, 0.95] as Color,
};
