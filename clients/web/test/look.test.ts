// The look of boids: the preset's, until this person chooses another look.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Shape, boidLength, drawnLook, nextLook } from '../src/draw/look';
import { COLORS, type Scene, type Theme, paletteOf } from '../src/draw/scene';
import { room } from './samples';

const ORIGINAL = room({ look: { shape: 'blur', size: 12 } });
const FISH = room({ look: { shape: 'fish', size: 18 } });

test('boids look as in their preset, and otherwise are arrows', () => {
  assert.deepEqual(drawnLook(null, ORIGINAL), { shape: 'blur', size: 12 });
  assert.deepEqual(drawnLook(null, FISH), { shape: 'fish', size: 18 });
  assert.deepEqual(drawnLook(null, room()), { shape: 'arrow', size: 0 });
  assert.deepEqual(drawnLook(null, null), { shape: 'arrow', size: 0 });
  assert.deepEqual(drawnLook(null, room({ look: { shape: 'star', size: 3 } })), { shape: 'arrow', size: 0 });
});

test('a chosen look counts; with the preset’s shape it has the preset’s size', () => {
  assert.deepEqual(drawnLook('arrow', ORIGINAL), { shape: 'arrow', size: 0 });
  assert.deepEqual(drawnLook('blur', ORIGINAL), { shape: 'blur', size: 12 });
  assert.deepEqual(drawnLook('blur', FISH), { shape: 'blur', size: 0 });
});

test('the cycle of looks has each look once', () => {
  const looks = (here: ReturnType<typeof room>, count: number): string[] => {
    let chosen: ReturnType<typeof nextLook> = null;
    return Array.from({ length: count }, () => drawnLook((chosen = nextLook(chosen, here)), here).shape);
  };
  assert.deepEqual(looks(room(), 3), ['blur', 'arrow', 'blur']);
  assert.deepEqual(looks(ORIGINAL, 3), ['arrow', 'blur', 'arrow']);
  assert.deepEqual(looks(FISH, 4), ['arrow', 'blur', 'fish', 'arrow']);
  assert.equal(nextLook('arrow', room()), 'blur', 'an arrow that was chosen elsewhere is the one that is there');
});

test('a boid’s size follows the scale of the world, and has a visible minimum', () => {
  const of = { shape: 'fish', size: 18 } as const;
  assert.equal(boidLength(of, 5, 2), 36);
  assert.equal(boidLength(of, 5, 0.01), 3.5);
  const wide = boidLength({ shape: 'blur', size: 12 }, 5, 1);
  assert.ok(Math.abs(wide * 0.62 * 0.56 - 6) < 1e-9, 'half of a circle’s light is within its radius of 6');
  assert.equal(boidLength({ shape: 'arrow', size: 0 }, 10, 3).toFixed(3), '7.200');
});

const scene = (theme: Theme, shape: Shape): Scene => ({ theme, shape, tint: null }) as Scene;

test('blurred circles have their own colours, which contrast with the background', () => {
  for (const theme of ['dark', 'light'] as const) {
    const own = paletteOf(scene(theme, 'blur'));
    assert.ok(new Set(own.slice(0, 12).map(String)).size === 12, 'twelve boids, twelve colours');
    for (const color of own) {
      const most = Math.max(...color.map((value, i) => Math.abs(value - COLORS[theme].middle[i])));
      assert.ok(most > 0.5, `${theme}: ${color}`);
    }
    assert.equal(paletteOf(scene(theme, 'fish')), paletteOf(scene(theme, 'arrow')));
  }
});
