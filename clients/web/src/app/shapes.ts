// For each preset the ground, the shape and the colours of the start page's moving pictures. Rooms have the same grounds and shapes.

import { GROUNDS, type Hue, type Pattern } from '../draw/grounds/table';
import type { Shape } from '../draw/look';
import type { Color } from '../draw/scene';
import type { ThemeName } from './theme';

export interface Look {
  pattern: Pattern; // of the ground
  hue: Hue;
  tail: string; // the colour of the line behind a boid; empty: none
  size: number; // of a boid, CSS pixels in a picture 240 pixels wide
  shape: Shape;
  colors: readonly Color[]; // boid i has the colour i modulo their number
}

interface Sketch {
  ground: string;
  tail?: number; // its opacity, of 255
  size?: number;
  shape?: Shape;
  colors?: readonly number[]; // 0xRRGGBB, on a dark ground
  onLight?: readonly number[]; // on a light ground; missing: the same
}

const PLAIN: Required<Sketch> = { ground: 'floor', tail: 64, size: 8, shape: 'arrow', colors: [0x8fd3ff], onLight: [0x0b62a8] };

const SKETCHES: Readonly<Record<string, Sketch>> = {
  murmuration: { ground: 'dusk', tail: 40, size: 6, shape: 'bird', onLight: [0x10131c, 0x1b1726] },
  sardines: {
    ...{ ground: 'water', tail: 44, size: 10, shape: 'fish' },
    ...{ colors: [0xbcd9ea, 0xd9ecf5, 0xa9cde2], onLight: [0x1f5673, 0x2b6d8c, 0x174661] },
  },
  bees: { ground: 'comb', tail: 40, size: 9, shape: 'bee', colors: [0xffc933], onLight: [0xffc933] },
  sheep: { ground: 'meadow', tail: 0, size: 10, shape: 'sheep', colors: [0xf4f0e4, 0xfbf8f0] },
  march: { ground: 'sand', tail: 40, size: 9, shape: 'ant', colors: [0xe0a868, 0xd08f50], onLight: [0x4a2d1c] },
  crowd: {
    ...{ ground: 'pavement', tail: 0, size: 9, shape: 'person' },
    ...{ colors: [0xe08a74, 0x7fa8d8, 0x86c093, 0xbf94d2, 0xdcb65c], onLight: [0xa8432f, 0x2f5a8c, 0x3f7349, 0x714884, 0x99701f] },
  },
  billiards: {
    ...{ ground: 'cloth', tail: 0, shape: 'ball' },
    colors: [0xf4d03f, 0x4e83e4, 0xe8564e, 0x9b6fd0, 0xe67e22, 0x7fd3a1, 0xb45c50, 0xf5f2e6],
  },
  original: {
    ...{ ground: 'stage', tail: 30, size: 24, shape: 'blur' },
    colors: [0xff6b6b, 0xffd166, 0x06d6a0, 0x4cc9f0, 0xb388ff, 0xff9f6b, 0x9be564, 0xff7ab8, 0x7adfff, 0xffe66d, 0x8cffc1, 0xc0a2ff],
    onLight: [0xe03b3b, 0xd99a00, 0x04a37a, 0x1690b8, 0x7a45e0, 0xe0662c, 0x5aa820, 0xd93a86, 0x2a9fd0, 0xc2a800, 0x28b070, 0x8455e6],
  },
  'js-birds': { ground: 'paper', colors: [0xffe08a], onLight: [0x8a5a00] },
  'vex-crowd': { ground: 'floor', size: 9, shape: 'person' },
  'ue4-fish': { ground: 'tank', tail: 0, size: 12, shape: 'fish', colors: [0xffa04d, 0xffbf73], onLight: [0xc2560a, 0xd97a1f] },
  'cpp-boids': { ground: 'blueprint', tail: 50, shape: 'triangle', colors: [0xb6f0a0], onLight: [0x1f7a3c] },
};

export function lookOf(preset: string, theme: ThemeName): Look {
  const sketch = SKETCHES[preset] ?? PLAIN;
  const { ground, tail, size, shape } = { ...PLAIN, ...sketch };
  const { pattern, [theme]: hue } = GROUNDS[ground];
  const dark = sketch.colors ?? PLAIN.colors;
  const colors = hue.light ? (sketch.onLight ?? (sketch.colors ? dark : PLAIN.onLight)) : dark;
  return {
    ...{ pattern, hue, size, shape },
    tail: tail === 0 ? '' : hue.ink + tail.toString(16),
    colors: colors.map((value): Color => [(value >> 16) / 255, ((value >> 8) & 0xff) / 255, (value & 0xff) / 255]),
  };
}
