// The Canvas2D renderer, for browsers without WebGL2 or without a GPU. It draws boids as one path per colour, or as streaks
// of pixels if there are many, and trails as lines on a smaller canvas that fades.

import type { Camera } from './camera';
import type { Room } from '../net/protocol';
import { COLORS, type Color, type Renderer, type Scene, TRAIL_STRENGTH, TRAIL_TIME, boidOpacity, css, paletteOf } from './scene';
import type { Shape } from './look';
import { type Moment, around, saturated, shownCount } from '../flock/timeline';

const DARTS = 4000; // boids; a larger flock is drawn as streaks, pixel by pixel
const DART_MIN = 4; // CSS pixels; shorter boids are drawn as streaks too
const STREAK = 1.1; // length of a streak, in lengths of a boid
const SPRITE = 64; // pixels of a blurred circle's picture
const TRAIL_SCALE = 0.5; // of the trails' canvas, to CSS pixels
const TRAIL_BOIDS = DARTS; // a larger flock has no trails: they would take too long
// A weaker fade would leave traces: with 8 bits, a change of less than half a step is lost.
const FADE = 0.2;
const FADE_TIME = TRAIL_TIME / 14; // ms between fades

/** The corners of a boid: pairs of distances along the heading and across it, in lengths of the boid. */
type Outline = readonly number[];
const OUTLINES: Record<Exclude<Shape, 'blur'>, Outline> = {
  arrow: [0.54, 0, -0.45, 0.32, -0.27, 0, -0.45, -0.32],
  triangle: [0.54, 0, -0.4, 0.3, -0.4, -0.3],
  fish: [0.54, 0, 0.3, 0.15, 0.1, 0.17, -0.1, 0.13, -0.22, 0.03, -0.5, 0.2, -0.5, -0.2, -0.22, -0.03, -0.1, -0.13, 0.1, -0.17, 0.3, -0.15],
};

/** Returns null if the canvas has no 2D context. */
export function create2dRenderer(canvas: HTMLCanvasElement): Renderer | null {
  const pen = canvas.getContext('2d', { alpha: false });
  const trailPen = document.createElement('canvas').getContext('2d');
  const streakPen = document.createElement('canvas').getContext('2d');
  return pen === null || trailPen === null || streakPen === null ? null : createPlainRenderer(pen, trailPen, streakPen);
}

function createPlainRenderer(
  pen: CanvasRenderingContext2D,
  trailPen: CanvasRenderingContext2D,
  streakPen: CanvasRenderingContext2D,
): Renderer {
  let background: CanvasGradient | string = css(COLORS.dark.edge);
  let place = '';
  let fading = 0; // ms since the trails last faded
  let streaks: ImageData | null = null; // of CSS pixels
  const sprites = new Map<string, HTMLCanvasElement>(); // by colour

  function draw(scene: Scene): void {
    const { camera, room, moment } = scene;
    prepare(scene);
    pen.setTransform(camera.ratio, 0, 0, camera.ratio, 0, 0);
    pen.fillStyle = background;
    pen.fillRect(0, 0, camera.width, camera.height);
    if (room === null || moment === null) return;
    const tints = scene.tint?.of(moment.b, room) ?? null;
    const palette = paletteOf(scene);
    const boids: Each = (index, run) => each(camera, room, moment, tints, index, palette.length, run);
    if (scene.trails && shownCount(moment) <= TRAIL_BOIDS) drawTrails(scene, moment.perMs, palette, boids);
    drawBoids(scene, shownCount(moment), palette, boids);
  }

  /** Resizes the canvases when the window, the camera or the look has changed. */
  function prepare({ camera, shape, theme }: Scene): void {
    const { width, height, ratio, left, top } = camera;
    const now = [width, height, ratio, left, top, shape, theme].join();
    if (now === place) return;
    place = now;
    pen.canvas.width = Math.max(1, Math.round(camera.width * camera.ratio));
    pen.canvas.height = Math.max(1, Math.round(camera.height * camera.ratio));
    trailPen.canvas.width = Math.max(1, Math.ceil(camera.width * TRAIL_SCALE));
    trailPen.canvas.height = Math.max(1, Math.ceil(camera.height * TRAIL_SCALE));
    streaks = null;
    const [x, y] = [camera.width / 2, camera.height / 2];
    const gradient = pen.createRadialGradient(x, y, 0, x, y, 0.62 * Math.max(camera.width, camera.height));
    gradient.addColorStop(0, css(COLORS[theme].middle));
    gradient.addColorStop(1, css(COLORS[theme].edge));
    background = gradient;
  }

  function drawTrails({ length, passed }: Scene, perMs: number, palette: readonly Color[], boids: Each): void {
    const { canvas } = trailPen;
    trailPen.setTransform(1, 0, 0, 1, 0, 0);
    fading += passed;
    if (fading >= FADE_TIME) {
      trailPen.globalCompositeOperation = 'destination-out';
      trailPen.globalAlpha = 1 - (1 - FADE) ** Math.floor(fading / FADE_TIME);
      trailPen.fillRect(0, 0, canvas.width, canvas.height);
      trailPen.globalCompositeOperation = 'source-over';
      fading %= FADE_TIME;
    }
    trailPen.setTransform(TRAIL_SCALE, 0, 0, TRAIL_SCALE, 0, 0);
    trailPen.globalAlpha = TRAIL_STRENGTH * 0.4; // strokes add up here; WebGL takes their maximum
    trailPen.lineWidth = length * 0.3 + 0.5;
    trailPen.lineCap = 'round';
    const back = passed * perMs;
    palette.forEach((color, index) => {
      trailPen.beginPath();
      boids(index, (x, y, _hx, _hy, dx, dy) => {
        trailPen.moveTo(x - dx * back, y - dy * back);
        trailPen.lineTo(x, y);
      });
      trailPen.strokeStyle = css(color);
      trailPen.stroke();
    });
    pen.drawImage(canvas, 0, 0, canvas.width / TRAIL_SCALE, canvas.height / TRAIL_SCALE);
  }

  function drawBoids({ camera, shape, length }: Scene, count: number, palette: readonly Color[], boids: Each): void {
    pen.globalAlpha = boidOpacity(shape, count);
    const many = shape !== 'blur' && count > DARTS;
    if (many || length < DART_MIN) drawStreaks(camera, palette, boids, length);
    else if (shape === 'blur') drawSprites(palette.map(picture), boids, length * 0.62);
    else drawOutlines(palette, boids, length, OUTLINES[shape]);
    pen.globalAlpha = 1;
  }

  /** A streak fades from its opaque head to its end. It is 1 CSS pixel wide, or 2 if it is long. */
  function drawStreaks(camera: Camera, palette: readonly Color[], boids: Each, size: number): void {
    const length = Math.round(size * STREAK);
    const lanes = size < DART_MIN ? 1 : 2;
    streaks ??= makeStreaks(camera);
    const { data, width, height } = streaks;
    const pixels = new Uint32Array(data.buffer);
    pixels.fill(0);
    palette.forEach((color, index) => {
      const [r, g, b] = color.map((value) => Math.round(value * 255));
      const shades = Uint32Array.from({ length }, (_, i) => {
        const opacity = Math.round(255 * (1 - i / length) ** 0.7);
        return ((opacity << 24) | (b << 16) | (g << 8) | r) >>> 0;
      });
      boids(index, (x, y, hx, hy) => {
        for (let i = 0; i < length * lanes; i++) {
          const along = i >> (lanes - 1);
          const across = i & (lanes - 1);
          const px = Math.floor(x - along * hx - across * hy);
          const py = Math.floor(y - along * hy + across * hx);
          if (px < 0 || px >= width || py < 0 || py >= height) continue;
          const at = py * width + px;
          // The highest byte is the opacity, so the head of one boid hides the end of another.
          if (shades[along] > pixels[at]) pixels[at] = shades[along];
        }
      });
    });
    streakPen.putImageData(streaks, 0, 0);
    pen.drawImage(streakPen.canvas, 0, 0);
  }

  function makeStreaks(camera: Camera): ImageData {
    streakPen.canvas.width = Math.max(1, Math.ceil(camera.width));
    streakPen.canvas.height = Math.max(1, Math.ceil(camera.height));
    return streakPen.createImageData(streakPen.canvas.width, streakPen.canvas.height);
  }

  function drawSprites(from: HTMLCanvasElement[], boids: Each, reach: number): void {
    from.forEach((image, index) => boids(index, (x, y) => pen.drawImage(image, x - reach, y - reach, 2 * reach, 2 * reach)));
  }

  function drawOutlines(palette: readonly Color[], boids: Each, size: number, outline: Outline): void {
    palette.forEach((color, index) => {
      pen.beginPath();
      boids(index, (x, y, hx, hy) => {
        for (let i = 0; i < outline.length; i += 2) {
          const [along, across] = [outline[i] * size, outline[i + 1] * size];
          const [px, py] = [x + along * hx - across * hy, y + along * hy + across * hx];
          if (i === 0) pen.moveTo(px, py);
          else pen.lineTo(px, py);
        }
      });
      pen.fillStyle = css(color);
      pen.fill();
    });
  }

  function picture(color: Color): HTMLCanvasElement {
    const made = sprites.get(css(color)) ?? sprite(color);
    sprites.set(css(color), made);
    return made;
  }

  return { kind: '2d', draw };
}

/** A boid's position (CSS pixels), its heading, and its movement from the earlier frame to the later one (CSS pixels). */
type Run = (x: number, y: number, hx: number, hy: number, dx: number, dy: number) => void;

/** Calls run() for each boid of the colour with that index in the palette. */
type Each = (index: number, run: Run) => void;

/** As Each does; without tints the boids take turns with the colours. Leaves out boids whose position is out of range. */
function each(
  camera: Camera,
  room: Room,
  { a, b, alpha }: Moment,
  tints: Uint8Array | null,
  index: number,
  colors: number,
  run: Run,
): void {
  const from = a.positions;
  const to = b.positions;
  const step = room.quantum * camera.scale;
  const middleX = camera.left + (room.world[0] / 2) * camera.scale;
  const middleY = camera.top + (room.world[1] / 2) * camera.scale;
  const [periodX, periodY] = room.period ?? [0, 0];
  const t = Math.min(1, alpha);
  const end = 2 * Math.min(a.count, b.count);
  const [first, stride] = tints === null ? [2 * index, 2 * colors] : [0, 2];
  for (let i = first; i < end; i += stride) {
    if (tints !== null && tints[i / 2] !== index) continue;
    if (saturated(from[i]) || saturated(from[i + 1]) || saturated(to[i]) || saturated(to[i + 1])) continue;
    let dx = to[i] - from[i];
    let dy = to[i + 1] - from[i + 1];
    let x = from[i] + dx * alpha;
    let y = from[i + 1] + dy * alpha;
    if (periodX > 0) {
      dx -= periodX * Math.round(dx / periodX);
      dy -= periodY * Math.round(dy / periodY);
      x = around(from[i], to[i], alpha, periodX);
      y = around(from[i + 1], to[i + 1], alpha, periodY);
    }
    let hx = a.headings[i] + (b.headings[i] - a.headings[i]) * t;
    let hy = a.headings[i + 1] + (b.headings[i + 1] - a.headings[i + 1]) * t;
    if (hx === 0 && hy === 0) [hx, hy] = [dx, dy];
    const length = Math.sqrt(hx * hx + hy * hy);
    const unit = length > 0 ? 1 / length : 0;
    run(middleX + x * step, middleY + y * step, hx * unit, unit > 0 ? hy * unit : -1, dx * step, dy * step);
  }
}

function sprite(color: Color): HTMLCanvasElement {
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
