// The contents of a frame, and the sizes and colours that both renderers use.

import type { Camera } from './camera';
import type { Room, Wall } from '../net/protocol';
import type { Frame, Moment } from '../flock/timeline';
import { clamp } from '../numbers';
import type { Shape } from './look';

/** Colours of boids that mean something, such as who leads them. */
export interface Tint {
  colors: readonly Color[]; // at most OWN_COLORS
  /** An index into `colors` for each boid of the frame. Valid until the next call. */
  of(frame: Frame, room: Room): Uint8Array;
}

export interface Scene {
  now: number; // ms of the page's clock
  camera: Camera;
  room: Room | null;
  moment: Moment | null;
  shape: Shape; // of a boid
  length: number; // of a boid, CSS pixels
  target: [number, number] | null; // world units
  theme: Theme;
  trails: boolean;
  tint: Tint | null; // null: the look's own colours
  passed: number; // ms since the previous frame
}

export interface Renderer {
  readonly kind: 'webgl2' | '2d';
  draw(scene: Scene): void;
}

/** Boids of a large flock overlap, so they are more transparent. */
export const boidOpacity = (shape: Shape, count: number): number => {
  const magnitude = Math.log10(Math.max(1, count));
  return shape === 'blur' ? clamp(0.95 - 0.12 * magnitude, 0.3, 0.8) : clamp(1.1 - 0.07 * magnitude, 0.72, 1);
};

/** Returns everything that reflects boids: the room's walls, and the world's edges if they do. */
export function barriers({ boundary, world: [right, bottom], walls }: Room): Wall[] {
  if (boundary !== 'walls') return walls;
  return [...walls, [0, 0, right, 0], [right, 0, right, bottom], [right, bottom, 0, bottom], [0, bottom, 0, 0]];
}

export const BARRIER_WIDTH = 1.6; // CSS pixels
export const BARRIER_OPACITY = 0.62;

export const TRAIL_TIME = 900; // ms until a trail has faded
export const TRAIL_STRENGTH = 0.8; // of a fresh trail

/** sRGB, 0 to 1. */
export type Color = readonly [number, number, number];

export const css = ([r, g, b]: Color, alpha = 1): string =>
  `rgba(${Math.round(r * 255)}, ${Math.round(g * 255)}, ${Math.round(b * 255)}, ${alpha})`;

/** dark: for a screen; light: for a projector in a bright room. */
export const THEMES = ['dark', 'light'] as const;
/** system: the colours that the operating system forces on pages (forced-colors). */
export type Theme = (typeof THEMES)[number] | 'system';

export interface Colors {
  light: boolean; // the background is light
  plain: boolean; // lines are neither thin nor transparent
  middle: Color; // of the background
  edge: Color;
  frame: Color;
  ink: Color; // of the target and the centroid
  palette: readonly Color[]; // a boid's colour is in this list, or between two neighbours in it
  own: readonly Color[]; // for blurred circles: boid i has the colour i modulo OWN_COLORS
}

export const OWN_COLORS = 32;

/** Returns pseudorandom colours that contrast with the background. All clients have the same ones. */
function ownColors(light: boolean): Color[] {
  let state = 12; // a linear congruential generator with the constants of Numerical Recipes
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return Array.from({ length: OWN_COLORS }, () => {
    const color = [random(), random(), random()];
    const [least, most] = [Math.min(...color), Math.max(...color)];
    const [r, g, b] = color.map((value) => (light ? (0.8 * (value - least)) / (most - least) : value / most));
    return [r, g, b];
  });
}

export const paletteOf = ({ theme, shape, tint }: Scene): readonly Color[] =>
  tint?.colors ?? (shape === 'blur' ? COLORS[theme].own : COLORS[theme].palette);

const PAINTED: Record<(typeof THEMES)[number], Colors> = {
  dark: {
    light: false,
    plain: false,
    middle: [0.058, 0.082, 0.132],
    edge: [0.02, 0.027, 0.047],
    frame: [0.62, 0.74, 0.95],
    ink: [0.88, 0.93, 1.0],
    palette: [
      [0.56, 0.83, 1.0],
      [0.68, 0.9, 0.98],
      [0.62, 0.72, 1.0],
      [0.78, 0.74, 1.0],
      [0.55, 0.93, 0.87],
    ],
    own: ownColors(false),
  },
  light: {
    light: true,
    plain: false,
    middle: [1.0, 1.0, 1.0],
    edge: [0.92, 0.945, 0.97],
    frame: [0.2, 0.33, 0.5],
    ink: [0.05, 0.12, 0.24],
    palette: [
      [0.04, 0.3, 0.62],
      [0.02, 0.42, 0.6],
      [0.16, 0.22, 0.66],
      [0.36, 0.18, 0.62],
      [0.0, 0.42, 0.42],
    ],
    own: ownColors(true),
  },
};

export const COLORS: Record<Theme, Colors> = { ...PAINTED, system: PAINTED.dark };

/** read: returns a system colour by its CSS name. */
export function useSystemColors(read: (name: string) => Color): void {
  const [ground, text, mark] = [read('Canvas'), read('CanvasText'), read('Highlight')];
  const light = ground[1] > 0.5;
  const palette = PAINTED.dark.palette.map(() => text);
  const own = PAINTED.dark.own.map(() => text);
  COLORS.system = { light, plain: true, middle: ground, edge: ground, frame: text, ink: mark, palette, own };
}
