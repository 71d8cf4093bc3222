// The drawing can be seen on each ground: the boids of each preset, cursors and their names, in both themes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { useGround } from '../src/draw/grounds';
import { colorOf } from '../src/draw/grounds/paint';
import { GROUNDS } from '../src/draw/grounds/table';
import { type Drawn, boidLength, drawnLook } from '../src/draw/look';
import { STEPS, glowOf, paletteOf } from '../src/draw/palette';
import { COLORS, type Color, THEMES, boidOpacity } from '../src/draw/scene';
import { rimOf, shaded } from '../src/draw/shapes';
import { colorInPanel } from '../src/draw/why';
import { useShapeTones } from '../src/draw/tones';
import { TEAM_COLORS } from '../src/flock/leads';
import { WHY_TEXTS } from '../src/texts/why';
import { PEOPLE, contrast, over } from './contrast';
import { room } from './samples';

const LEAST = 3; // of parts of a picture: WCAG 2, 1.4.11
const RIM_LEAST = 0.9; // CSS pixels of an outline
const VARIATION = 0.94; // of a boid's brightness with WebGL2, at least
const CAMERA = { width: 1366, height: 768, scale: 1, left: 0, top: 0, ratio: 1, deviceRatio: 1 };

interface Preset {
  name: string;
  boids: number;
  ground: string;
  world: [number, number];
  look: { shape: string; size: number };
}

const PRESETS = [
  ...readFileSync(`${REPOSITORY}/server/sim/presets.c`, 'utf8').matchAll(
    /\.name = "([\w-]+)".*?\.boids = (\d+),\s+\.ground = "(\w+)".*?\.width = ([\d.]+)f,\s+\.height = ([\d.]+)f.*?\.look = \{"(\w+)", ([\d.]+)f\}/gs,
  ),
].map(
  ([, name, boids, ground, width, height, shape, size]): Preset => ({
    ...{ name, ground, boids: Number(boids), world: [Number(width), Number(height)], look: { shape, size: Number(size) } },
  }),
);

/** The colours of boids, alone and among very many. */
function litColors(theme: (typeof THEMES)[number], { shape, coloring }: Drawn): Color[] {
  const look = { theme, shape, coloring, tint: null };
  const [alone, more] = glowOf(look);
  return paletteOf(look).flatMap((color, i) => {
    const crowds = coloring === 'neighbours' ? [i / (STEPS - 1)] : [0, 1];
    return crowds.flatMap((crowd) =>
      [1, shape === 'blur' ? 1 : VARIATION].map((part): Color => {
        const [r, g, b] = color.map((value) => Math.min(1, value * part * (alone + more * crowd)));
        return [r, g, b];
      }),
    );
  });
}

test('each boid of each preset can be told from its ground, in both themes', () => {
  useShapeTones();
  assert.ok(PRESETS.length >= 13, `${PRESETS.length} presets`);
  const hidden: string[] = [];
  for (const { name, boids, ground, world, look } of PRESETS) {
    useGround(GROUNDS[ground]);
    const drawn = drawnLook({ shape: null, coloring: null }, room({ look }));
    const scale = Math.min(CAMERA.width / world[0], CAMERA.height / world[1]);
    const length = boidLength(drawn, scale * Math.sqrt((world[0] * world[1]) / boids), scale, CAMERA.height);
    const rim = rimOf(drawn.shape);
    if (rim !== null) assert.ok(rim.width * length >= RIM_LEAST, `${name}: an outline of ${(rim.width * length).toFixed(2)} pixels`);
    const opacity = boidOpacity(drawn.shape, boids);
    for (const theme of THEMES) {
      const found = GROUNDS[ground][theme].stops.map(colorOf).flatMap((stop) =>
        litColors(theme, drawn).map((color) => {
          const parts = rim === null ? [color] : [color, shaded(color, rim.shade)];
          return Math.max(...parts.map((part) => contrast(over(part, opacity, stop), stop)));
        }),
      );
      const worst = Math.min(...found);
      if (worst < LEAST) hidden.push(`${name} on ${ground}, ${theme}: ${worst.toFixed(2)}`);
    }
  }
  assert.deepEqual(hidden, []);
});

// ---- cursors, over every ground ----

const sheets = ['base', 'style'].map((name) => readFileSync(`${REPOSITORY}/clients/web/src/app/${name}.css`, 'utf8')).join('\n');

/** Returns the value that a style sheet gives a property of elements with these selectors. */
function styleOf(selectors: string, property: string): string {
  const start = sheets.search(new RegExp(`^ *${selectors.replaceAll(', ', ',\\s+').replaceAll('.', '\\.')} \\{`, 'm'));
  const found = new RegExp(`[{;]\\s+${property}: ([^;]+);`).exec(sheets.slice(start, sheets.indexOf('}', start)));
  assert.ok(start >= 0 && found !== null, `${selectors} has ${property}`);
  return found[1];
}

/** Returns the color in a value of a style sheet, over what is below. */
function painted(value: string, variables: Readonly<Record<string, string>>, below: Color): Color {
  const text = value.replace(/var\((--\w+)\)/g, (_, name: string) => variables[name]);
  const mixed = /color-mix\(in srgb, (\S+) (\d+)%, (.+)\)/.exec(text);
  if (mixed !== null) return over(painted(mixed[1], {}, below), Number(mixed[2]) / 100, painted(mixed[3], {}, below));
  const rgb = /rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)\)/.exec(text)?.slice(1).map(Number);
  if (rgb === undefined) return colorOf(/#[0-9a-f]{6}/.exec(text)?.[0] ?? '');
  return over([rgb[0] / 255, rgb[1] / 255, rgb[2] / 255], rgb[3], below);
}

/** Calls look() for each person on each stop of each ground. */
function forAll(look: (what: string, light: boolean, of: (value: string) => Color, below: Color) => void): void {
  assert.equal(PEOPLE.length, 24);
  const people = [...PEOPLE, ...TEAM_COLORS].map((color) => `#${color.toString(16).padStart(6, '0')}`);
  useGround(undefined);
  for (const theme of THEMES) {
    const light = theme === 'light';
    const { middle, edge } = COLORS[theme];
    const grounds = Object.entries(GROUNDS).map(([name, ground]) => [name, ground[theme].stops.map(colorOf)] as const);
    for (const [name, stops] of [...grounds, ['none', [middle, edge]] as const]) {
      for (const below of stops) {
        for (const person of people) {
          const ink = styleOf(light ? '.light' : ':root', '--ink');
          const variables = { '--ink': ink, '--person': person };
          look(`${person} on ${name}, ${theme}`, light, (value) => painted(value, variables, below), below);
        }
      }
    }
  }
}

test('names of people have a contrast of 4.5 on every ground, in both themes', () => {
  forAll((what, light, of) => {
    const selectors = light ? '.light .cursor bdi, .light #own-name' : '.cursor bdi, #own-name';
    const found = contrast(of(styleOf(selectors, 'color')), of(styleOf(selectors, 'background')));
    assert.ok(found >= 4.5, `${what}: ${found.toFixed(2)}`);
  });
});

test('the colours of rules have a contrast of 3 in their panel, on every ground, in both themes', () => {
  const ofSheet = (text: string): Color => {
    const [r, g, b] = (/rgba\((\d+), (\d+), (\d+)/.exec(text) ?? []).slice(1).map(Number);
    return [r / 255, g / 255, b / 255];
  };
  const rules = Object.keys(WHY_TEXTS.en.pushes);
  assert.ok(rules.length >= 8, `${rules}`);
  for (const ground of Object.values(GROUNDS)) {
    useGround(ground);
    for (const theme of THEMES) {
      const panel = painted(styleOf(theme === 'light' ? '.light' : ':root', '--solid').replace('#fff', '#ffffff'), {}, [0, 0, 0]);
      for (const rule of rules) {
        const found = contrast(ofSheet(colorInPanel(rule, theme)), panel);
        assert.ok(found >= LEAST, `${rule}, ${theme}: ${found.toFixed(2)}`);
      }
    }
  }
});

test('cursors and their rings, or their edges, have a contrast of 3 on every ground, in both themes', () => {
  const mark = styleOf('.cursor, #own', '--mark');
  for (const [selectors, color, edge] of [
    ['.cursor svg', 'fill', 'stroke'],
    ['#own::before', 'border', 'outline'],
    ['.cursor.spot::before, #own.spot::after', 'border', 'outline'],
  ]) {
    assert.match(styleOf(selectors, color), /var\(--mark\)/);
    const around = styleOf(selectors, edge);
    forAll((what, _, of, below) => {
      const found = Math.max(contrast(of(mark), below), contrast(of(around), below));
      assert.ok(found >= LEAST, `${selectors}: ${what}: ${found.toFixed(2)}`);
    });
  }
});
