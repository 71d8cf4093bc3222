// How boids are drawn: the preset's look until this person chooses another one, its colours, its size and its level of detail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLORINGS, type Choice, type Level, SHAPES, boidLength, drawnLook, levelOf } from '../src/draw/look';
import { STEPS, glowOf, paletteOf } from '../src/draw/palette';
import { COLORS, type Color, type Scene, type Theme } from '../src/draw/scene';
import { useSystemColors } from '../src/draw/system';
import { useShapeTones } from '../src/draw/tones';
import { contrast, luminance } from './contrast';
import { room } from './samples';

useShapeTones();
const ORIGINAL = room({ look: { shape: 'blur', size: 12 } });
const FISH = room({ look: { shape: 'fish', size: 18 } });
const NONE: Choice = { shape: null, coloring: null };

test('boids look as in their preset, and otherwise are arrows', () => {
  assert.deepEqual(drawnLook(NONE, ORIGINAL), { shape: 'blur', coloring: 'own', size: 12 });
  assert.deepEqual(drawnLook(NONE, FISH), { shape: 'fish', coloring: 'heading', size: 18 });
  for (const here of [room(), null, room({ look: { shape: 'star', size: 3 } })])
    assert.deepEqual(drawnLook(NONE, here), { shape: 'arrow', coloring: 'heading', size: 0 });
});

test('a chosen shape and chosen colours count; the preset’s shape has the preset’s size', () => {
  assert.deepEqual(drawnLook({ shape: 'bee', coloring: null }, FISH), { shape: 'bee', coloring: 'speed', size: 0 });
  assert.deepEqual(drawnLook({ shape: 'fish', coloring: null }, FISH), { shape: 'fish', coloring: 'heading', size: 18 });
  assert.deepEqual(drawnLook({ shape: null, coloring: 'neighbours' }, ORIGINAL), { shape: 'blur', coloring: 'neighbours', size: 12 });
});

test('a boid’s size follows the scale of the world and the distance between boids, and has a visible minimum', () => {
  const of = { shape: 'fish', coloring: 'heading', size: 18 } as const;
  assert.equal(boidLength(of, 50, 2), 36);
  assert.equal(boidLength(of, 5, 2), 12, 'no longer than 2.4 distances');
  assert.equal(boidLength(of, 5, 0.01), 3.5);
  const wide = boidLength({ shape: 'blur', coloring: 'own', size: 12 }, 50, 1);
  assert.ok(Math.abs(wide * 0.62 * 0.56 - 6) < 1e-9, 'half of a circle’s light is within its radius of 6');
  const large = boidLength({ shape: 'blur', coloring: 'own', size: 12 }, 50, 1, 1080);
  assert.ok(Math.abs(large * 0.62 * 0.56 - 27) < 1e-9, 'on a large screen a circle’s diameter is a twentieth of the height');
  assert.equal(boidLength({ shape: 'arrow', coloring: 'heading', size: 0 }, 10, 3).toFixed(3), '7.200');
  for (const shape of SHAPES) assert.ok(boidLength({ shape, coloring: 'own', size: 0 }, 0.01, 0.01) >= 2.6, shape);
});

test('small boids are arrows, and very many are a map; at a bound nothing flickers', () => {
  const after = (before: Level, length: number, spacing: number, count = 50_000): Level =>
    levelOf(before, { shape: 'bird' }, length, spacing, count);
  assert.equal(after('shape', 12, 12), 'shape');
  assert.equal(after('shape', 4, 5), 'arrow');
  assert.equal(after('arrow', 3, 2), 'map');
  assert.equal(after('arrow', 3, 2, 400), 'arrow', 'a few boids are no map');
  for (const length of [6.6, 7, 7.9]) assert.deepEqual([after('shape', length, 9), after('arrow', length, 9)], ['shape', 'arrow']);
  for (const spacing of [2.7, 3.1]) assert.deepEqual([after('map', 3, spacing), after('arrow', 3, spacing)], ['map', 'arrow']);
  assert.equal(levelOf('shape', { shape: 'arrow' }, 3, 5, 400), 'shape', 'an arrow has no simpler shape');
});

const colors = (theme: Theme, shape: Scene['shape'], coloring: Scene['coloring']): readonly Color[] =>
  paletteOf({ theme, shape, coloring, tint: null });

test('all colours can be told from a plain ground', () => {
  for (const theme of ['dark', 'light'] as const) {
    for (const shape of SHAPES) {
      for (const coloring of COLORINGS.filter((each) => each !== 'own')) {
        const list = colors(theme, shape, coloring);
        assert.equal(list.length, STEPS);
        for (const color of list) {
          const least = Math.min(contrast(color, COLORS[theme].middle), contrast(color, COLORS[theme].edge));
          assert.ok(least >= 3, `${theme} ${shape} ${coloring}: ${color} ${least}`);
        }
      }
    }
  }
});

const distance = (a: Color, b: Color): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

test('colours of the heading differ, and come around without a jump', () => {
  for (const theme of ['dark', 'light'] as const) {
    const wheel = colors(theme, 'arrow', 'heading');
    wheel.forEach((color, i) => {
      assert.ok(distance(color, wheel[(i + STEPS / 2) % STEPS]) > 0.3, `${theme}: opposite headings ${i}`);
      assert.ok(distance(color, wheel[(i + 1) % STEPS]) < 0.2, `${theme}: near headings ${i}`);
    });
  }
});

/** Returns how different two colours look: the distance in OKLab, in which 0.02 is just visible. */
function difference(one: Color, other: Color): number {
  const [a, b] = [one, other].map((color) => {
    const [r, g, blue] = color.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * blue);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * blue);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * blue);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  });
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

test('fish and ants that head elsewhere have a clearly different colour, and those with the same heading have one', () => {
  for (const theme of ['dark', 'light'] as const) {
    for (const shape of ['fish', 'ant'] as const) {
      const wheel = colors(theme, shape, 'heading');
      wheel.forEach((color, i) => {
        const [opposite, aside, near] = [STEPS / 2, STEPS / 4, 1].map((turn) => difference(color, wheel[(i + turn) % STEPS]));
        assert.ok(opposite >= 0.12, `${theme} ${shape}: opposite headings ${i} differ by ${opposite.toFixed(3)}`);
        assert.ok(aside >= 0.06, `${theme} ${shape}: headings ${i} and a quarter of a turn differ by ${aside.toFixed(3)}`);
        assert.ok(near <= 0.06, `${theme} ${shape}: near headings ${i} differ by ${near.toFixed(3)}`);
      });
    }
  }
});

test('speed and neighbours go from one end to the other, also without colour vision', () => {
  for (const theme of ['dark', 'light'] as const) {
    for (const coloring of ['speed', 'neighbours'] as const) {
      const list = colors(theme, 'arrow', coloring).map(luminance);
      const rises = list.slice(1).filter((value, i) => value > list[i]).length;
      assert.ok(theme === 'dark' ? rises === STEPS - 1 : rises === 0, `${theme} ${coloring}: ${rises}`);
    }
  }
});

/** Returns how far a colour is from grey. */
const tint = (color: Color): number => Math.max(...color) - Math.min(...color);

test('sheep have the colours of wool, and people those of coats, until a person chooses another colouring', () => {
  const sheep = room({ look: { shape: 'sheep', size: 25 } });
  const crowd = room({ look: { shape: 'person', size: 16 } });
  assert.equal(drawnLook(NONE, sheep).coloring, 'own');
  assert.equal(drawnLook(NONE, crowd).coloring, 'own');
  assert.equal(drawnLook({ shape: null, coloring: 'heading' }, sheep).coloring, 'heading');
  for (const theme of ['dark', 'light'] as const) {
    const wool = colors(theme, 'sheep', 'own');
    assert.ok(
      wool.every((color) => tint(color) < 0.2),
      `${theme}: no sheep is pink or green`,
    );
    const middle = luminance(wool[0]);
    assert.equal(wool.filter((color) => luminance(color) < middle / 2).length, 1, `${theme}: one of ${STEPS} is a black sheep`);
    assert.ok(new Set(colors(theme, 'person', 'own').map(String)).size > 20, `${theme}: many coats`);
    const by = colors(theme, 'sheep', 'heading');
    by.forEach((color, i) => assert.ok(distance(color, by[(i + STEPS / 2) % STEPS]) > 0.3, `${theme}: a chosen colouring works`));
  }
});

test('boids of wool, cloth or paint keep their brightness in a crowd; others say how near they are', () => {
  const glow = (shape: Scene['shape'], coloring: Scene['coloring']): readonly number[] =>
    glowOf({ theme: 'dark', shape, coloring, tint: null });
  for (const shape of ['sheep', 'person', 'ball'] as const) assert.deepEqual(glow(shape, 'own'), [1, 0], shape);
  assert.ok(glow('sheep', 'heading')[1] > 0 && glow('arrow', 'own')[1] > 0);
});

test('blurred circles have their own colours, which contrast with the background', () => {
  for (const theme of ['dark', 'light'] as const) {
    const own = colors(theme, 'blur', 'own');
    assert.ok(new Set(own.slice(0, 12).map(String)).size === 12, 'twelve boids, twelve colours');
    for (const color of own) {
      const most = Math.max(...color.map((value, i) => Math.abs(value - COLORS[theme].middle[i])));
      assert.ok(most > 0.5, `${theme}: ${color}`);
    }
    assert.equal(colors(theme, 'fish', 'own'), own);
  }
});

test('with forced colours all boids have the colour of text', () => {
  useSystemColors((name) => (name === 'CanvasText' ? [1, 1, 0] : [0, 0, 0]));
  for (const coloring of COLORINGS) for (const color of colors('system', 'bee', coloring)) assert.deepEqual(color, [1, 1, 0]);
});

test('the same colours are the same list, and leaders’ colours replace them', () => {
  assert.equal(colors('dark', 'ant', 'heading'), colors('dark', 'ant', 'heading'));
  const tint = { colors: [[1, 0, 0]] as const, of: () => new Uint8Array() };
  assert.equal(paletteOf({ theme: 'dark', shape: 'ant', coloring: 'heading', tint }), tint.colors);
});
