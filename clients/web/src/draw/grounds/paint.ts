// Paints a ground onto a canvas: its light, its pattern, what is beyond the world, and walls that are things. Walls have a canvas of
// their own, above the boids.

import type { Room } from '../../net/protocol';
import type { Camera } from '../camera';
import { type Color, barriers } from '../scene';
import { type Ground, type Hue, isVertical } from './table';
import { tileOf } from './tiles';

type Pen = CanvasRenderingContext2D;

export interface Painting {
  ground: Ground;
  hue: Hue;
  room: Room;
  camera: Camera;
  large: number; // the size of things; 1: as on a desktop screen
}

const RAIL = 18; // CSS pixels: width of the frame of a table
const POST = 26; // CSS pixels between two posts of a fence
const tiles = new Map<string, HTMLCanvasElement | null>();

/** Returns the colour of a text #rrggbb. */
export const colorOf = (text: string): Color => {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
  return [r, g, b];
};

/** Paints the ground, in CSS pixels of the window. */
export function paint(pen: Pen, painting: Painting): void {
  const { ground, camera } = painting;
  paintLight(pen, painting);
  if (ground.pattern === 'sky') paintSky(pen, painting);
  else paintPattern(pen, painting);
  if (ground.pattern === 'water') paintBeams(pen, camera);
  paintBeyond(pen, painting);
  if (ground.walls === 'fence') paintStraw(pen, painting);
}

/** Paints the walls alone. */
export function paintWalls(pen: Pen, painting: Painting): void {
  if (painting.ground.walls === 'fence') paintFence(pen, painting);
  if (painting.ground.walls === 'cushion') paintCushions(pen, painting);
}

function paintLight(pen: Pen, { ground, hue: { stops }, camera: { width, height } }: Painting): void {
  const [x, y] = [width / 2, height * 0.46];
  const gradient = isVertical(ground.pattern)
    ? pen.createLinearGradient(0, 0, 0, height)
    : pen.createRadialGradient(x, y, 0, x, y, 0.62 * Math.hypot(width, height));
  stops.forEach((color, i) => gradient.addColorStop(i / (stops.length - 1), color));
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, width, height);
}

/** Paints the tiles. They keep their place in the world, and about their size on the screen. */
function paintPattern(pen: Pen, { ground: { pattern }, hue: { line }, camera, large }: Painting): void {
  const key = `${pattern} ${line}`;
  const tile = tiles.get(key) ?? tileOf(pattern, line);
  tiles.set(key, tile);
  const filled = tile === null ? null : pen.createPattern(tile, 'repeat');
  if (filled === null) return;
  const scale = camera.scale * 2 ** Math.round(Math.log2(large / camera.scale));
  filled.setTransform(new DOMMatrix([scale, 0, 0, scale, camera.left, camera.top]));
  pen.fillStyle = filled;
  pen.fillRect(0, 0, camera.width, camera.height);
}

function glow(pen: Pen, x: number, y: number, reach: number, flat: number, color: (alpha: number) => string): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(1, flat);
  const light = pen.createRadialGradient(0, 0, 0, 0, 0, reach);
  for (let i = 0; i <= 6; i++) light.addColorStop(i / 6, color((1 - i / 6) ** 2));
  pen.fillStyle = light;
  pen.fillRect(-reach, -reach, 2 * reach, 2 * reach);
  pen.restore();
}

/** A low sun, bands of cloud, and hills at the foot. */
function paintSky(pen: Pen, { hue: { line, ink }, camera: { width, height } }: Painting): void {
  const side = Math.max(width, height);
  glow(pen, width * 0.72, height * 0.93, side * 0.5, 0.55, (alpha) => `rgb(255 238 205 / ${(0.55 * alpha).toFixed(3)})`);
  const [, alpha] = /\/ ([\d.]+)/.exec(line) ?? ['', '0.2'];
  for (const [x, y, reach, flat] of [
    [0.2, 0.3, 0.42, 0.045],
    [0.62, 0.2, 0.36, 0.035],
    [0.9, 0.44, 0.4, 0.04],
    [0.38, 0.56, 0.5, 0.03],
    [0.08, 0.72, 0.34, 0.03],
  ]) {
    glow(pen, x * width, y * height, reach * side, flat, (part) => `rgb(255 244 232 / ${(part * Number(alpha)).toFixed(3)})`);
  }
  for (const [base, rise, turn, strength] of [
    [0.035, 0.02, 0.9, 0.3],
    [0.012, 0.016, 2.3, 0.65],
  ]) {
    pen.beginPath();
    pen.moveTo(0, height);
    for (let x = 0; x <= width + 8; x += 8) {
      const way = (x / side) * 9 + turn;
      pen.lineTo(x, height * (1 - base) - height * rise * (0.5 + 0.5 * Math.sin(way) * Math.cos(2.3 * way + turn)));
    }
    pen.lineTo(width, height);
    pen.closePath();
    pen.globalAlpha = strength;
    pen.fillStyle = ink;
    pen.fill();
    pen.globalAlpha = 1;
  }
}

/** Light that falls into water from above. */
function paintBeams(pen: Pen, { width, height }: Camera): void {
  for (const [from, to, wide, strength] of [
    [0.12, 0.0, 0.05, 0.09],
    [0.3, 0.22, 0.09, 0.07],
    [0.55, 0.56, 0.06, 0.08],
    [0.78, 0.9, 0.11, 0.06],
  ]) {
    const light = pen.createLinearGradient(0, 0, 0, height * 0.85);
    light.addColorStop(0, `rgb(255 255 255 / ${strength})`);
    light.addColorStop(1, 'rgb(255 255 255 / 0)');
    pen.beginPath();
    pen.moveTo(width * from, 0);
    pen.lineTo(width * (from + wide), 0);
    pen.lineTo(width * (to + 2.6 * wide), height);
    pen.lineTo(width * (to - wide), height);
    pen.closePath();
    pen.fillStyle = light;
    pen.fill();
  }
}

function worldPath(pen: Pen, { camera, room }: Painting, margin = 0): void {
  const [width, height] = room.world.map((side) => side * camera.scale + 2 * margin);
  pen.rect(camera.left - margin, camera.top - margin, width, height);
}

/** Begins a path around all that is farther than the margin from the world. */
function outsidePath(pen: Pen, painting: Painting, margin = 0): void {
  pen.beginPath();
  pen.rect(0, 0, painting.camera.width, painting.camera.height);
  worldPath(pen, painting, margin);
}

function paintBeyond(pen: Pen, painting: Painting): void {
  const { hue, room, ground, large } = painting;
  if (hue.beyond === undefined || room.boundary === 'open') return;
  pen.fillStyle = hue.beyond;
  outsidePath(pen, painting);
  pen.fill('evenodd');
  if (ground.walls === 'cushion') {
    // The floor around the table.
    pen.fillStyle = 'rgb(0 0 0 / 0.45)';
    outsidePath(pen, painting, RAIL * large);
    pen.fill('evenodd');
    return;
  }
  // The world casts a soft shadow, as a sheet on a desk does.
  pen.save();
  pen.clip('evenodd');
  pen.shadowColor = 'rgb(0 0 0 / 0.35)';
  pen.shadowBlur = 14 * large;
  pen.beginPath();
  worldPath(pen, painting);
  pen.fill();
  pen.restore();
}

/** Strokes each wall, one width over the other. */
function strokeWalls(pen: Pen, { camera, room }: Painting, layers: readonly (readonly [string, number])[]): void {
  pen.beginPath();
  for (const [x1, y1, x2, y2] of barriers(room)) {
    pen.moveTo(camera.left + x1 * camera.scale, camera.top + y1 * camera.scale);
    pen.lineTo(camera.left + x2 * camera.scale, camera.top + y2 * camera.scale);
  }
  pen.lineCap = pen.lineJoin = 'round';
  for (const [color, width] of layers) {
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.stroke();
  }
}

/** Straw in the pen. */
function paintStraw(pen: Pen, { camera: { left, top, scale }, room }: Painting): void {
  if (room.pen === null) return;
  const [x1, y1, x2, y2] = room.pen;
  pen.fillStyle = 'rgb(226 190 110 / 0.3)';
  pen.fillRect(left + x1 * scale, top + y1 * scale, (x2 - x1) * scale, (y2 - y1) * scale);
}

/** Two rails with posts. */
function paintFence(pen: Pen, painting: Painting): void {
  const { camera, room, hue, large } = painting;
  strokeWalls(pen, painting, [
    ['rgb(0 20 0 / 0.28)', 9 * large],
    [hue.frame, 5 * large],
    ['rgb(255 235 200 / 0.35)', 1.4 * large],
  ]);
  pen.fillStyle = hue.frame;
  pen.strokeStyle = 'rgb(0 20 0 / 0.4)';
  pen.lineWidth = large;
  for (const [x1, y1, x2, y2] of barriers(room)) {
    const length = Math.hypot(x2 - x1, y2 - y1) * camera.scale;
    const posts = Math.max(1, Math.round(length / (POST * large)));
    for (let i = 0; i <= posts; i++) {
      const [x, y] = [x1 + ((x2 - x1) * i) / posts, y1 + ((y2 - y1) * i) / posts];
      pen.beginPath();
      pen.arc(camera.left + x * camera.scale, camera.top + y * camera.scale, 4.2 * large, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    }
  }
}

/** Rubber under the cloth, with a shadow. */
function paintCushions(pen: Pen, painting: Painting): void {
  const { hue, large } = painting;
  strokeWalls(pen, painting, [
    ['rgb(0 0 0 / 0.3)', 13 * large],
    [hue.stops[1], 10 * large],
    [hue.frame, 3 * large],
  ]);
}
