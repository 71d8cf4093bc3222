// The Canvas2D renderer, for browsers without WebGL2 or without a GPU. Shapes, stamps and the map come from detail2d.ts, which is
// loaded after the first picture. Until then, and where boids are many and small, it draws streaks of pixels.

import type { Camera } from './camera';
import type { Detail2d } from './detail2d';
import { paletteOf } from './palette';
import { type Placed, createPlacer } from './placed';
import { createRims, drawBackdrop } from './rims2d';
import { COLORS, type Color, type Load, type Renderer, type Scene, boidOpacity, css, fills } from './scene';
import { type Trails, createTrails } from './trails2d';
import { shownCount } from '../flock/timeline';

const STAMPED = 20_000; // boids; a larger flock is drawn as streaks
const STREAK = 1.1; // length of a streak, in lengths of a boid
const SPRITE = 64; // pixels of a blurred circle's picture
const TRAIL_BOIDS = 3000; // a larger flock has no trails: they would take too long

/** Returns null if the canvas has no 2D context. */
export function create2dRenderer(canvas: HTMLCanvasElement, load: Load): Renderer | null {
  const pen = canvas.getContext('2d', { alpha: false });
  const trails = createTrails();
  const pixelPen = document.createElement('canvas').getContext('2d');
  return pen === null || trails === null || pixelPen === null ? null : createPlainRenderer(pen, pixelPen, trails, load);
}

function createPlainRenderer(pen: CanvasRenderingContext2D, pixelPen: CanvasRenderingContext2D, trails: Trails, load: Load): Renderer {
  let background: CanvasGradient | string = css(COLORS.dark.edge);
  let place = '';
  let pixels: ImageData | null = null; // of streaks
  const lights = new Map<string, HTMLCanvasElement>(); // by colour
  const placeBoids = createPlacer();
  const rims = createRims();
  let asked = false; // for the detail
  let detail: Detail2d | null = null; // null: it is not loaded

  function draw(scene: Scene): void {
    const { camera, room, moment, map } = scene;
    prepare(scene);
    pen.setTransform(camera.ratio, 0, 0, camera.ratio, 0, 0);
    drawBackground(scene);
    if (room === null || moment === null) return;
    const palette = paletteOf(scene);
    const boids = placeBoids(scene, room, moment);
    if (scene.trails && shownCount(moment) <= TRAIL_BOIDS) trails.draw(pen, scene, palette, boids);
    if (scene.shape !== 'blur' || map > 0) loadDetail();
    detail?.drawMap(pen, scene, palette, boids);
    if (map < 1) drawBoids(scene, palette, boids);
    if (scene.backdrop !== null && scene.backdrop.rim > 0) rims.draw(pen, scene, scene.backdrop);
    pen.globalAlpha = 1;
  }

  function drawBackground({ camera, backdrop }: Scene): void {
    const full = backdrop !== null && backdrop.opacity === 1 && fills(backdrop, camera);
    if (!full) {
      pen.fillStyle = background;
      pen.fillRect(0, 0, camera.width, camera.height);
    }
    if (backdrop === null) return;
    pen.globalAlpha = backdrop.opacity;
    drawBackdrop(pen, backdrop, camera);
    pen.globalAlpha = 1;
  }

  /** Resizes the canvases when the window, the camera or the look has changed. */
  function prepare(scene: Scene): void {
    const { camera, shape, theme } = scene;
    const { width, height, ratio, left, top } = camera;
    const { middle, edge } = COLORS[theme];
    const now = [width, height, ratio, left, top, shape, theme, middle, edge].join();
    if (now === place) return;
    place = now;
    pen.canvas.width = Math.max(1, Math.round(camera.width * camera.ratio));
    pen.canvas.height = Math.max(1, Math.round(camera.height * camera.ratio));
    trails.reset(scene);
    const [x, y] = [camera.width / 2, camera.height / 2];
    const gradient = pen.createRadialGradient(x, y, 0, x, y, 0.62 * Math.max(camera.width, camera.height));
    gradient.addColorStop(0, css(middle));
    gradient.addColorStop(1, css(edge));
    background = gradient;
  }

  function loadDetail(): void {
    if (asked) return;
    asked = true;
    void load(() => import('./detail2d')).then(({ createDetail2d }) => (detail = createDetail2d()));
  }

  function drawBoids(scene: Scene, palette: readonly Color[], boids: Placed): void {
    const { camera, shape, length, map } = scene;
    pen.globalAlpha = boidOpacity(shape, boids.count) * (1 - map);
    if (shape === 'blur') drawLights(palette, boids, length * 0.62);
    else if (detail === null || boids.count > STAMPED) drawStreaks(camera, palette, boids, length);
    else detail.drawShapes(pen, scene, shape, palette, boids);
  }

  /** A streak fades from its opaque head to its end. */
  function drawStreaks(camera: Camera, palette: readonly Color[], { count, x, y, hx, hy, color }: Placed, size: number): void {
    const length = Math.round(size * STREAK);
    const { image, words } = preparePixels(Math.ceil(camera.width), Math.ceil(camera.height));
    const { width, height } = image;
    const shades = palette.map(([r, g, b]) =>
      Uint32Array.from({ length }, (_, i) => wordOf(255 * r, 255 * g, 255 * b, Math.round(255 * (1 - i / length) ** 0.7))),
    );
    for (let i = 0; i < count; i++) {
      const shade = shades[color[i]];
      for (let along = 0; along < 2 * length; along++) {
        const [step, side] = [along >> 1, along & 1];
        const px = Math.floor(x[i] - step * hx[i] - side * hy[i]);
        const py = Math.floor(y[i] - step * hy[i] + side * hx[i]);
        if (px < 0 || px >= width || py < 0 || py >= height) continue;
        const at = py * width + px;
        // The highest byte is the opacity, so the head of one boid hides the end of another.
        if (shade[step] > words[at]) words[at] = shade[step];
      }
    }
    pixelPen.putImageData(image, 0, 0);
    pen.drawImage(pixelPen.canvas, 0, 0);
  }

  /** Returns an empty picture of that size, and its pixels. */
  function preparePixels(width: number, height: number): { image: ImageData; words: Uint32Array } {
    if (pixels === null || pixels.width !== width || pixels.height !== height) {
      pixelPen.canvas.width = Math.max(1, width);
      pixelPen.canvas.height = Math.max(1, height);
      pixels = pixelPen.createImageData(pixelPen.canvas.width, pixelPen.canvas.height);
    }
    const words = new Uint32Array(pixels.data.buffer);
    words.fill(0);
    return { image: pixels, words };
  }

  function drawLights(palette: readonly Color[], { count, x, y, color }: Placed, reach: number): void {
    for (let i = 0; i < count; i++) pen.drawImage(lightOf(palette[color[i]]), x[i] - reach, y[i] - reach, 2 * reach, 2 * reach);
  }

  function lightOf(color: Color): HTMLCanvasElement {
    const known = lights.get(css(color));
    if (known !== undefined) return known;
    const made = light(color);
    lights.set(css(color), made);
    return made;
  }

  return { kind: '2d', draw };
}

/** Returns a pixel of an ImageData. */
const wordOf = (r: number, g: number, b: number, opacity: number): number => ((opacity << 24) | (b << 16) | (g << 8) | r) >>> 0;

function light(color: Color): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SPRITE;
  const pen = canvas.getContext('2d');
  if (pen === null) return canvas;
  const half = SPRITE / 2;
  const gradient = pen.createRadialGradient(half, half, half * 0.12, half, half, half);
  gradient.addColorStop(0, css(color));
  gradient.addColorStop(1, css(color, 0));
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, SPRITE, SPRITE);
  return canvas;
}
