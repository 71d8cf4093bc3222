// The Canvas2D renderer's detail, loaded after the first picture. It paints a small flock boid by boid, a larger flock with stamps, and
// a very large flock as a map.

import { type DensityMap, createMap } from './map2d';
import { glowOf } from './palette';
import { CROWDS, type Placed } from './placed';
import { type Color, type Scene, css } from './scene';
import { BALL_TURN, type Drawable, beatsOf, paintShape, shaded } from './shapes';
import { type Stamps, createStamps } from './stamps';
import { useShapeTones } from './tones';

const PAINTED = 160; // boids; a larger flock is drawn with stamps

export interface Detail2d {
  /** Draws the map with the scene's strength, and nothing if that is 0. */
  drawMap: DensityMap['draw'];
  /** Draws the boids, at most some thousands, with the context's present opacity. */
  drawShapes: Stamps['draw'];
}

/** Returns null if the browser has no more canvases. */
export function createDetail2d(): Detail2d | null {
  useShapeTones();
  const [stamps, map] = [createStamps(), createMap()];
  if (stamps === null || map === null) return null;
  return {
    drawMap(pen, scene, palette, boids) {
      if (scene.map > 0) map.draw(pen, scene, palette, boids);
    },
    drawShapes(pen, scene, shape, palette, boids) {
      if (boids.count <= PAINTED && scene.level !== 'arrow') paintBoids(pen, scene, shape, palette, boids);
      else stamps.draw(pen, scene, scene.level === 'shape' ? shape : 'arrow', palette, boids);
    },
  };
}

/** Paints each boid on its own, for the best picture of a small flock. */
function paintBoids(pen: CanvasRenderingContext2D, scene: Scene, shape: Drawable, palette: readonly Color[], boids: Placed): void {
  const { length, beat } = scene;
  const { count, x, y, hx, hy, color, crowd, id } = boids;
  const [alone, more] = glowOf(scene);
  const { a, d, e, f } = pen.getTransform();
  const now = beat * beatsOf(shape);
  for (let i = 0; i < count; i++) {
    const [cos, sin] = shape === 'ball' ? [Math.cos(BALL_TURN * 2 * Math.PI), Math.sin(BALL_TURN * 2 * Math.PI)] : [hx[i], hy[i]];
    pen.setTransform(a * cos, d * sin, -a * sin, d * cos, a * x[i] + e, d * y[i] + f);
    const phase = now === 0 ? 0 : now + id[i] * 0.618;
    const glow = alone + (more * (crowd[i] + 0.5)) / CROWDS;
    const [r, g, b] = palette[color[i]].map((value) => Math.min(1, value * glow));
    paintShape(pen, shape, length, 2 * Math.PI * phase, (shade) => css(shaded([r, g, b], shade)));
  }
  pen.setTransform(a, 0, 0, d, e, f);
}
