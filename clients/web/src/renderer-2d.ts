// Canvas2D, for browsers without WebGL2. The same picture in plainer means: boids are drawn in one path a colour, and
// trails are what a translucent background leaves of the frames before.

import type { Camera } from './camera';
import type { Room } from './protocol';
import { BACKGROUND, type Color, type Look, PALETTE, type Renderer, type Scene, TRAIL_TIME, boidLength, boidOpacity } from './scene';
import { type Moment, around, saturated, shownCount } from './timeline';

const SIMPLE = 4; // pixels of length below which a dart is drawn as a square
const SPRITE = 64; // pixels of a blurred circle's picture

const css = ([r, g, b]: Color, alpha = 1): string =>
  `rgba(${Math.round(r * 255)}, ${Math.round(g * 255)}, ${Math.round(b * 255)}, ${alpha})`;

/** null when not even this is to be had of the canvas. */
export function create2dRenderer(canvas: HTMLCanvasElement): Renderer | null {
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) return null;
  const pen = context;
  let background: CanvasGradient | string = css(BACKGROUND.edge);
  let place = '';
  let sprites: HTMLCanvasElement[] | null = null;

  function draw(scene: Scene): void {
    const { camera, room, moment } = scene;
    const fresh = prepare(camera, scene.look);
    pen.setTransform(camera.ratio, 0, 0, camera.ratio, 0, 0);
    pen.globalAlpha = scene.trails && !fresh ? 1 - Math.exp((-3 * scene.passed) / TRAIL_TIME) : 1;
    pen.fillStyle = background;
    pen.fillRect(0, 0, camera.width, camera.height);
    pen.globalAlpha = 1;
    if (room === null) return;
    drawFrame(camera, room);
    if (moment !== null) drawBoids(scene, room, moment);
  }

  /** Makes the canvas fit; true when the picture starts anew. */
  function prepare(camera: Camera, look: Look): boolean {
    const width = Math.max(1, Math.round(camera.width * camera.ratio));
    const height = Math.max(1, Math.round(camera.height * camera.ratio));
    const now = [width, height, camera.left, camera.top, look].join();
    if (now === place) return false;
    place = now;
    canvas.width = width;
    canvas.height = height;
    const [x, y] = [camera.width / 2, camera.height / 2];
    const gradient = pen.createRadialGradient(x, y, 0, x, y, 0.62 * Math.max(camera.width, camera.height));
    gradient.addColorStop(0, css(BACKGROUND.middle));
    gradient.addColorStop(1, css(BACKGROUND.edge));
    background = gradient;
    return true;
  }

  function drawFrame(camera: Camera, room: Room): void {
    pen.strokeStyle = css(BACKGROUND.frame, 0.16);
    pen.lineWidth = 1;
    pen.strokeRect(camera.left, camera.top, room.world[0] * camera.scale, room.world[1] * camera.scale);
  }

  function drawBoids({ camera, look }: Scene, room: Room, moment: Moment): void {
    const size = boidLength(look, shownCount(moment), camera, room);
    pen.globalAlpha = boidOpacity(look, shownCount(moment));
    const palette = PALETTE[look];
    palette.forEach((color, index) => {
      if (look === 'blur') {
        sprites ??= palette.map(sprite);
        const picture = sprites[index];
        each(camera, room, moment, index, palette.length, (x, y) => {
          pen.drawImage(picture, x - size * 0.62, y - size * 0.62, size * 1.24, size * 1.24);
        });
        return;
      }
      pen.beginPath();
      if (size < SIMPLE) each(camera, room, moment, index, palette.length, (x, y) => pen.rect(x - size / 4, y - size / 4, size / 2, size / 2));
      else each(camera, room, moment, index, palette.length, (x, y, hx, hy) => dart(x, y, hx * size, hy * size));
      pen.fillStyle = css(color);
      pen.fill();
    });
    pen.globalAlpha = 1;
  }

  function dart(x: number, y: number, hx: number, hy: number): void {
    pen.moveTo(x + 0.54 * hx, y + 0.54 * hy);
    pen.lineTo(x - 0.45 * hx - 0.32 * hy, y - 0.45 * hy + 0.32 * hx);
    pen.lineTo(x - 0.27 * hx, y - 0.27 * hy);
    pen.lineTo(x - 0.45 * hx + 0.32 * hy, y - 0.45 * hy - 0.32 * hx);
  }

  return { kind: '2d', draw };
}

/** Calls back for every stride-th boid from first on that can be drawn, with its place (CSS pixels) and heading. */
function each(
  camera: Camera,
  room: Room,
  { a, b, alpha }: Moment,
  first: number,
  stride: number,
  run: (x: number, y: number, hx: number, hy: number) => void,
): void {
  const from = a.positions;
  const to = b.positions;
  const step = room.quantum * camera.scale;
  const middleX = camera.left + (room.world[0] / 2) * camera.scale;
  const middleY = camera.top + (room.world[1] / 2) * camera.scale;
  const wrap = room.boundary === 'wrap';
  const periodX = room.world[0] / room.quantum;
  const periodY = room.world[1] / room.quantum;
  const t = Math.min(1, alpha);
  const end = 2 * Math.min(a.count, b.count);
  for (let i = 2 * first; i < end; i += 2 * stride) {
    if (saturated(from[i]) || saturated(from[i + 1]) || saturated(to[i]) || saturated(to[i + 1])) continue;
    const x = wrap ? around(from[i], to[i], alpha, periodX) : from[i] + (to[i] - from[i]) * alpha;
    const y = wrap ? around(from[i + 1], to[i + 1], alpha, periodY) : from[i + 1] + (to[i + 1] - from[i + 1]) * alpha;
    let hx = a.headings[i] + (b.headings[i] - a.headings[i]) * t;
    let hy = a.headings[i + 1] + (b.headings[i + 1] - a.headings[i + 1]) * t;
    const length = Math.sqrt(hx * hx + hy * hy);
    hx = length > 0 ? hx / length : 0;
    hy = length > 0 ? hy / length : -1;
    run(middleX + x * step, middleY + y * step, hx, hy);
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
