// The grounds: for each name that a room may give, a pattern and its colours in both themes.

export type Pattern = 'plain' | 'sky' | 'water' | 'grass' | 'sand' | 'felt' | 'comb' | 'ruled' | 'grid' | 'slabs';

/** Whether the ground's light comes from above. */
export const isVertical = (pattern: Pattern): boolean => pattern === 'sky' || pattern === 'water';

/** Colours are #rrggbb, unless a comment says otherwise. */
export interface Hue {
  light: boolean; // boids and their trails are darker than the ground
  stops: readonly string[]; // from the middle to the edges; of sky and water, from the top to the bottom
  line: string; // of the pattern, any CSS colour
  beyond?: string; // beyond a world with an edge, any CSS colour; missing: the ground goes on
  frame: string; // of walls
  ink: string; // of the target and other marks
}

export interface Ground {
  pattern: Pattern;
  walls?: 'fence' | 'cushion'; // missing: lines
  sway: number; // how far the ground moves, CSS pixels; 0: it is still
  rim: number; // where a torus comes around, boids fade over this share of the world's shorter side
  dark: Hue;
  light: Hue;
}

export const GROUNDS: Readonly<Record<string, Ground>> = {
  dusk: {
    ...{ pattern: 'sky', sway: 0, rim: 0.08 },
    dark: {
      ...{ light: true, stops: ['#8088bb', '#a08ab2', '#dc9f86', '#f8d09a'], line: 'rgb(255 236 214 / 0.22)' },
      ...{ frame: '#1c1630', ink: '#0d0a1a' },
    },
    light: {
      ...{ light: true, stops: ['#a9cbe9', '#cfe0f0', '#f3e9dd', '#fbdcb6'], line: 'rgb(255 255 255 / 0.5)' },
      ...{ frame: '#2f3f5c', ink: '#14213a' },
    },
  },
  water: {
    ...{ pattern: 'water', sway: 3, rim: 0.06 },
    dark: {
      ...{ light: false, stops: ['#0c4e72', '#083657', '#051e37'], line: 'rgb(150 220 255 / 0.09)' },
      ...{ frame: '#9fd4ea', ink: '#e6f6ff' },
    },
    light: {
      ...{ light: true, stops: ['#d8f3f6', '#b2e2ec', '#94d3e3'], line: 'rgb(255 255 255 / 0.14)' },
      ...{ frame: '#0d4560', ink: '#04243a' },
    },
  },
  tank: {
    ...{ pattern: 'water', sway: 2, rim: 0 },
    dark: {
      ...{ light: false, stops: ['#0d5659', '#094146', '#05282e'], line: 'rgb(160 255 235 / 0.07)', beyond: 'rgb(0 12 16 / 0.5)' },
      ...{ frame: '#a5f0ea', ink: '#e4fffb' },
    },
    light: {
      ...{ light: true, stops: ['#dff6f1', '#bae6e3', '#98d5d5'], line: 'rgb(255 255 255 / 0.14)', beyond: 'rgb(0 60 66 / 0.18)' },
      ...{ frame: '#0c5156', ink: '#04282b' },
    },
  },
  meadow: {
    ...{ pattern: 'grass', walls: 'fence', sway: 0, rim: 0 },
    dark: {
      ...{ light: false, stops: ['#214426', '#152e1a'], line: 'rgb(150 200 110 / 0.28)', beyond: 'rgb(0 20 6 / 0.35)' },
      ...{ frame: '#c9a06a', ink: '#f2ffe8' },
    },
    light: {
      ...{ light: false, stops: ['#669f48', '#4a8439'], line: 'rgb(220 245 160 / 0.3)', beyond: 'rgb(20 60 10 / 0.25)' },
      ...{ frame: '#3a2413', ink: '#0a1c06' },
    },
  },
  sand: {
    ...{ pattern: 'sand', sway: 0, rim: 0.05 },
    dark: {
      ...{ light: false, stops: ['#4d3b28', '#2b2116'], line: 'rgb(255 220 160 / 0.1)' },
      ...{ frame: '#e8c48a', ink: '#fff0d8' },
    },
    light: {
      ...{ light: true, stops: ['#f0dcb6', '#d9bb86'], line: 'rgb(150 100 40 / 0.2)' },
      ...{ frame: '#5a3a1a', ink: '#2c1808' },
    },
  },
  cloth: {
    ...{ pattern: 'felt', walls: 'cushion', sway: 0, rim: 0 },
    dark: {
      ...{ light: false, stops: ['#0b4733', '#072f22'], line: 'rgb(190 255 220 / 0.1)', beyond: '#3c2312' },
      ...{ frame: '#bfe8d2', ink: '#effff7' },
    },
    light: {
      ...{ light: false, stops: ['#3aa277', '#268260'], line: 'rgb(220 255 235 / 0.14)', beyond: '#8d5a30' },
      ...{ frame: '#f2fff8', ink: '#ffffff' },
    },
  },
  comb: {
    ...{ pattern: 'comb', sway: 0, rim: 0 },
    dark: {
      ...{ light: false, stops: ['#4a2e0b', '#221403'], line: 'rgb(255 190 70 / 0.2)' },
      ...{ frame: '#f0b64a', ink: '#fff2d2' },
    },
    light: {
      ...{ light: true, stops: ['#fdefc8', '#f3cf85'], line: 'rgb(170 100 10 / 0.3)' },
      ...{ frame: '#6b4206', ink: '#2d1a02' },
    },
  },
  paper: {
    ...{ pattern: 'ruled', sway: 0, rim: 0.04 },
    dark: {
      ...{ light: false, stops: ['#2e3136', '#212327'], line: 'rgb(190 210 240 / 0.13)', beyond: '#111316' },
      ...{ frame: '#c9d4e6', ink: '#f2f4f8' },
    },
    light: {
      ...{ light: true, stops: ['#fffdf5', '#f6efdd'], line: 'rgb(60 110 190 / 0.22)', beyond: '#cfc4ae' },
      ...{ frame: '#33415c', ink: '#14213a' },
    },
  },
  blueprint: {
    ...{ pattern: 'grid', sway: 0, rim: 0.04 },
    dark: {
      ...{ light: false, stops: ['#14365c', '#0b2240'], line: 'rgb(170 210 255 / 0.15)', beyond: 'rgb(2 10 24 / 0.45)' },
      ...{ frame: '#b9d8ff', ink: '#ecf5ff' },
    },
    light: {
      ...{ light: true, stops: ['#f6faff', '#e3edf8'], line: 'rgb(30 90 170 / 0.18)', beyond: 'rgb(30 70 130 / 0.14)' },
      ...{ frame: '#1d4f8a', ink: '#0a2447' },
    },
  },
  stage: {
    ...{ pattern: 'plain', sway: 0, rim: 0 },
    dark: { light: false, stops: ['#161622', '#030306'], line: '', frame: '#b9bdd0', ink: '#f0f1fa' },
    light: { light: true, stops: ['#ffffff', '#e4e6ee'], line: '', frame: '#3a3f55', ink: '#12152a' },
  },
  pavement: {
    ...{ pattern: 'slabs', sway: 0, rim: 0.04 },
    dark: {
      ...{ light: false, stops: ['#3a3c42', '#222428'], line: 'rgb(0 0 0 / 0.35)' },
      ...{ frame: '#d5d8e0', ink: '#f4f6fa' },
    },
    light: {
      ...{ light: true, stops: ['#ece9e2', '#d9d4c9'], line: 'rgb(90 80 60 / 0.28)' },
      ...{ frame: '#4a4436', ink: '#1f1b12' },
    },
  },
  floor: {
    ...{ pattern: 'grid', sway: 0, rim: 0.04 },
    dark: {
      ...{ light: false, stops: ['#2a2f37', '#15181d'], line: 'rgb(190 205 230 / 0.1)', beyond: 'rgb(0 0 0 / 0.3)' },
      ...{ frame: '#b9c6da', ink: '#edf2fa' },
    },
    light: {
      ...{ light: true, stops: ['#f7f9fb', '#e3e8ee'], line: 'rgb(40 60 90 / 0.13)', beyond: 'rgb(30 45 70 / 0.1)' },
      ...{ frame: '#33475f', ink: '#12233a' },
    },
  },
};
