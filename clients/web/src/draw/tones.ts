// The colours of single shapes, such as wool and clothes. Loaded with the shapes, after the first picture.

import type { Shape } from './look';
import { STEPS, type Tone, type Tones, toneColor, useTones } from './palette';
import type { Color } from './scene';

/** Returns STEPS numbers from 0 to 1 that are spread evenly. */
const SPREAD = Array.from({ length: STEPS }, (_, i) => (i * 0.618) % 1);

/** Of balls: the colours of a pool table. */
const POOL: readonly Color[] = [
  [0.96, 0.82, 0.25],
  [0.4, 0.62, 0.97],
  [0.96, 0.44, 0.39],
  [0.74, 0.54, 0.95],
  [0.95, 0.58, 0.2],
  [0.5, 0.86, 0.62],
  [0.87, 0.5, 0.56],
  [0.97, 0.95, 0.9],
];

const BLACK_SHEEP = 13; // its place in the list of wool

/** Returns the colours of wool: white to cream by day, bluish in the moonlight of the dark theme, darker on a light page. */
function wool(light: boolean, night: boolean): Color[] {
  const [lightness, chroma, hue]: Tone = light ? [0.62, 0.03, 75] : night ? [0.88, 0.022, 245] : [0.93, 0.022, 88];
  return SPREAD.map((part, i) =>
    i === BLACK_SHEEP
      ? toneColor([night ? 0.665 : 0.3, 0.035, 55])
      : toneColor([lightness + 0.06 * (part - 0.5), chroma * (0.6 + 0.8 * part), hue]),
  );
}

/** Chroma and hue of coats, as in a street. */
const COATS: readonly (readonly [number, number])[] = [
  [0.13, 27],
  [0.1, 255],
  [0.02, 250],
  [0.08, 150],
  [0.11, 75],
  [0.09, 330],
  [0.06, 55],
  [0.08, 205],
];

const coats = (light: boolean): Color[] =>
  SPREAD.map((part, i) => toneColor([(light ? 0.48 : 0.75) + 0.12 * (part - 0.5), ...COATS[i % COATS.length]]));

const TONES: Partial<Record<Shape, Tones>> = {
  ball: { own: (light) => SPREAD.map((_, i) => POOL[i % POOL.length].map((value) => (light ? 0.78 : 1) * value) as unknown as Color) },
  sheep: { own: (light, theme) => wool(light, theme === 'dark') },
  person: { own: coats },
  fish: {
    heading: [
      [[0.88, 0.09, 228], 0.05, 75],
      [[0.39, 0.115, 230], -0.04, 70],
    ],
  },
  ant: {
    heading: [
      [[0.83, 0.11, 62], 0.06, 50],
      [[0.36, 0.1, 45], -0.06, 55],
    ],
  },
  bee: {
    speed: [
      [
        [0.75, 0.16, 55],
        [0.95, 0.12, 105],
      ],
      [
        [0.6, 0.14, 76],
        [0.5, 0.16, 45],
      ],
    ],
  },
  bird: {
    neighbours: [
      [
        [0.7, 0.09, 290],
        [0.96, 0.06, 430],
      ],
      [
        [0.3, 0.09, 300],
        [0.1, 0.03, 275],
      ],
    ],
  },
};

/** Adds the colours of shapes to the palette. */
export const useShapeTones = (): void => useTones(TONES);
