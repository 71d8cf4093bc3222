// The contents of a frame, and the sizes and colours that both renderers use.

import type { Camera } from './camera';
import type { Room, Wall } from '../net/protocol';
import { type Frame, type Moment, shownCount } from '../flock/timeline';
import { clamp, mix } from '../numbers';
import type { Coloring, Level, Shape } from './look';

/** Colours of boids that mean something, such as who leads them. */
export interface Tint {
  colors: readonly Color[]; // at most OWN_COLORS
  /** An index into `colors` for each boid of the frame. Valid until the next call. */
  of(frame: Frame, room: Room): Uint8Array;
}

/** A painted ground, behind the boids. */
export interface Backdrop {
  picture: HTMLCanvasElement;
  version: number; // changes when it is painted again
  camera: Camera; // that it is painted for
  opacity: number; // 0 to 1
  sway: number; // how far it moves, CSS pixels; 0: it is still
  rim: number; // CSS pixels from the world's edge inward, over which it covers boids; 0: it covers none
  walls: boolean; // it shows the walls
  framed: boolean; // the world's frame is drawn over it
}

export interface Scene {
  now: number; // ms of the page's clock
  camera: Camera;
  room: Room | null;
  moment: Moment | null;
  shape: Shape; // of a boid
  coloring: Coloring;
  level: Level;
  map: number; // how much of the level `map` shows: 0 none, 1 all
  length: number; // of a boid, CSS pixels
  spacing: number; // between boids, CSS pixels
  beat: number; // wing beats since the page began; 0: boids keep still
  target: [number, number] | null; // world units
  theme: Theme;
  trails: boolean;
  tint: Tint | null; // null: the look's own colours
  passed: number; // ms since the previous frame
  backdrop: Backdrop | null; // null: a plain background
}

/** Returns where the picture of a backdrop is drawn: the scale and the offset, CSS pixels. */
export function placeOf({ camera: from }: Pick<Backdrop, 'camera'>, to: Camera): [number, number, number] {
  const scale = to.scale / from.scale;
  return [scale, to.left - from.left * scale, to.top - from.top * scale];
}

/** Whether the picture of a backdrop fills the window. */
export function fills(backdrop: Pick<Backdrop, 'camera'>, to: Camera): boolean {
  const [scale, left, top] = placeOf(backdrop, to);
  const { width, height } = backdrop.camera;
  return left <= 0 && top <= 0 && left + width * scale >= to.width && top + height * scale >= to.height;
}

export interface Renderer {
  readonly kind: 'webgl2' | '2d';
  draw(scene: Scene): void;
}

/** Loads a part of the page; tries until it is there. */
export type Load = <Part>(load: () => Promise<Part>) => Promise<Part>;

/** Boids of a large flock overlap, so they are more transparent. */
export const boidOpacity = (shape: Shape, count: number): number => {
  const magnitude = Math.log10(Math.max(1, count));
  return shape === 'blur' ? clamp(0.95 - 0.12 * magnitude, 0.3, 0.8) : clamp(1.1 - 0.07 * magnitude, 0.72, 1);
};

const CROWD_MAX = 20_000; // boids; the brightness of more of them does not show how crowded they are

/** Whether how crowded boids are can be seen. */
export const isCrowdShown = ({ coloring, tint }: Scene, moment: Moment): boolean =>
  (coloring === 'neighbours' && tint === null) || shownCount(moment) <= CROWD_MAX;

/** Returns everything that reflects boids: the room's walls, and the world's edges if they do. */
export function barriers({ boundary, world: [right, bottom], walls }: Room): Wall[] {
  if (boundary !== 'walls') return walls;
  return [...walls, [0, 0, right, 0], [right, 0, right, bottom], [right, bottom, 0, bottom], [0, bottom, 0, 0]];
}

export const BARRIER_WIDTH = 1.6; // CSS pixels
export const BARRIER_OPACITY = 0.62;

/** Returns the ms until a trail has faded. */
export const trailTime = (shape: Shape): number => (shape === 'blur' ? 3600 : 900);
/** Strengths of a fresh trail. Birds, fish and insects leave little, and sheep nothing. */
const TRAILS: Partial<Record<Shape, number>> = { bird: 0.5, fish: 0.3, bee: 0.3, ball: 0.35, person: 0.3, ant: 0.35, sheep: 0 };
export const trailStrength = (shape: Shape): number => TRAILS[shape] ?? 0.8;

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
  own: readonly Color[]; // if each boid has its own colour, boid i has the colour i modulo OWN_COLORS
}

export const OWN_COLORS = 32;
const OWN_LEAST = 0.48; // luminance, on a dark background
const OWN_MOST = 0.12; // on a light one

/** Returns about the relative luminance of WCAG 2. */
export const luminance = ([r, g, b]: Color): number => 0.2126 * r ** 2.2 + 0.7152 * g ** 2.2 + 0.0722 * b ** 2.2;

/** Returns the colour, made paler or darker until its luminance is about in that range. */
export function within([r, g, b]: Color, least: number, most: number): Color {
  const found = luminance([r, g, b]);
  const dark = Math.min(1, (most / found) ** (1 / 2.2));
  const pale = Math.max(0, (least - found) / (1 - found));
  return [mix(r * dark, 1, pale), mix(g * dark, 1, pale), mix(b * dark, 1, pale)];
}

/** Returns pseudorandom colours that contrast with the background. All clients have the same ones. */
function ownColors(light: boolean): Color[] {
  let state = 12; // a linear congruential generator with the constants of Numerical Recipes
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return Array.from({ length: OWN_COLORS }, () => {
    const color = [random(), random(), random()];
    const [least, most] = [Math.min(...color), Math.max(...color)];
    const [r, g, b] = color.map((value) => (light ? 0.05 + (0.85 * (value - least)) / (most - least) : value / most));
    return within([r, g, b], light ? 0 : OWN_LEAST, light ? OWN_MOST : 1);
  });
}

const PAINTED: Record<(typeof THEMES)[number], Colors> = {
  dark: {
    light: false,
    plain: false,
    middle: [0.058, 0.082, 0.132],
    edge: [0.02, 0.027, 0.047],
    frame: [0.62, 0.74, 0.95],
    ink: [0.88, 0.93, 1.0],
    own: ownColors(false),
  },
  light: {
    light: true,
    plain: false,
    middle: [1.0, 1.0, 1.0],
    edge: [0.92, 0.945, 0.97],
    frame: [0.2, 0.33, 0.5],
    ink: [0.05, 0.12, 0.24],
    own: ownColors(true),
  },
};

export const COLORS: Record<Theme, Colors> = { ...PAINTED, system: PAINTED.dark };

/** Uses these colours in place of the page's own. */
export function useColors(of: Partial<Record<(typeof THEMES)[number], Partial<Colors>>>): void {
  for (const theme of THEMES) COLORS[theme] = { ...PAINTED[theme], ...of[theme] };
}
