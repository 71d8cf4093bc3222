// The colours of boids. Each list of colours has STEPS entries: around all headings, or from the least to the most.

import type { Shape } from './look';
import { COLORS, type Color, OWN_COLORS, type Scene } from './scene';
import { clamp, mix } from '../numbers';

export const STEPS = OWN_COLORS;

/** Lightness, chroma and hue in degrees of the colour space OKLCH. */
export type Tone = readonly [number, number, number];

/** Returns the nearest sRGB colour. The matrices come from https://bottosson.github.io/posts/oklab/. */
export function toneColor([lightness, chroma, hue]: Tone): Color {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const encode = (value: number): number => clamp(value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055, 0, 1);
  return [
    encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** The colours around all headings: a tone, how much lighter boids are that move up or down, and how far the hue swings, degrees;
 * missing: all the way around. With a swing, boids that move to the right are lighter and paler, and to the left darker and fuller. */
export type Wheel = readonly [tone: Tone, flash: number, swing?: number];
export type Ramp = readonly [least: Tone, most: Tone];

/** On a dark ground, and on a light one. */
export type OnGrounds<Colors> = readonly [dark: Colors, light: Colors];

/** The colours of a shape that has others than the usual ones. */
export interface Tones {
  heading?: OnGrounds<Wheel>;
  speed?: OnGrounds<Ramp>;
  neighbours?: OnGrounds<Ramp>;
  /** Boid i has the colour i modulo STEPS. light: on a light ground; theme: of the room's ground. */
  own?(light: boolean, theme: Scene['theme']): readonly Color[];
}

const USUAL: Required<Omit<Tones, 'own'>> = {
  heading: [
    [[0.8, 0.13, 250], 0.03],
    [[0.5, 0.135, 250], 0],
  ],
  speed: [
    [
      [0.7, 0.13, 275],
      [0.94, 0.14, 110],
    ],
    [
      [0.55, 0.1, 195],
      [0.36, 0.18, 345],
    ],
  ],
  neighbours: [
    [
      [0.62, 0.17, 285],
      [0.93, 0.14, 450],
    ],
    [
      [0.6, 0.13, 60],
      [0.3, 0.14, -70],
    ],
  ],
};

let special: Partial<Record<Shape, Tones>> = {};

/** Uses these colours for their shapes. They are loaded with the shapes. */
export function useTones(tones: Partial<Record<Shape, Tones>>): void {
  special = tones;
  known.clear();
}

const PALER = 0.5;

const ramp = ([least, most]: Ramp): Color[] =>
  Array.from({ length: STEPS }, (_, i) => {
    const t = i / (STEPS - 1);
    return toneColor([mix(least[0], most[0], t), mix(least[1], most[1], t), mix(least[2], most[2], t)]);
  });

const wheel = ([[lightness, chroma, hue], flash, swing]: Wheel): Color[] =>
  Array.from({ length: STEPS }, (_, i) => {
    const turn = (2 * Math.PI * i) / STEPS;
    const turned = swing === undefined ? (360 * i) / STEPS : swing * Math.sin(turn);
    if (swing === undefined) return toneColor([lightness + flash * Math.sin(turn) ** 2, chroma, hue + turned]);
    return toneColor([lightness + flash * Math.cos(turn), chroma * (1 - PALER * Math.cos(turn)), hue + turned]);
  });

function colorsOf({ theme, shape, coloring }: Pick<Scene, 'theme' | 'shape' | 'coloring'>): readonly Color[] {
  const { light, own } = COLORS[theme];
  const tones = special[shape] ?? {};
  if (coloring === 'own') return tones.own?.(light, theme) ?? own;
  const at = light ? 1 : 0;
  if (coloring === 'heading') return wheel((tones.heading ?? USUAL.heading)[at]);
  return ramp((tones[coloring] ?? USUAL[coloring])[at]);
}

const known = new Map<string, readonly Color[]>();

/** Returns the boids' colours: as the preset or this person says, or the leaders'. The same list for the same colours. */
export function paletteOf({ theme, shape, coloring, tint }: Pick<Scene, 'theme' | 'shape' | 'coloring' | 'tint'>): readonly Color[] {
  if (tint !== null) return tint.colors;
  const { light, own, plain } = COLORS[theme];
  if (plain) return own;
  const key = [theme, light, shape, coloring].join();
  const colors = known.get(key) ?? colorsOf({ theme, shape, coloring });
  known.set(key, colors);
  return colors;
}

/** Returns the factors of a colour's brightness: of a boid without others near it, and what very many of them add. */
export const glowOf = ({
  theme,
  shape,
  coloring,
  tint,
}: Pick<Scene, 'theme' | 'shape' | 'coloring' | 'tint'>): readonly [number, number] => {
  const { light, plain } = COLORS[theme];
  if (plain) return [1, 0];
  if (tint === null && coloring === 'own' && special[shape]?.own !== undefined) return [1, 0]; // of wool and clothes
  return light ? [1.08, -0.32] : [0.88, 0.26];
};
