// A transparent canvas over the boids with the world's frame, walls, the target, the centroid and arrows.

import { centroidAt } from '../flock/timeline';
import type { Room } from '../net/protocol';
import { texts } from '../texts/texts';
import { type Arrow, arrowTo } from './arrow';
import { type Camera, toScreen } from './camera';
import { BARRIER_OPACITY, BARRIER_WIDTH, COLORS, type Color, type Scene, barriers, css } from './scene';

const TARGET_RADIUS = 6; // CSS pixels
const GLOW_RADIUS = 110; // CSS pixels
const CROSS = 7.5; // CSS pixels from its middle to each end
const PART_LEAST = 34; // CSS pixels: no line is drawn to a target closer to the cursor
const DASHES = [4, 4]; // CSS pixels
const POINTED = ['flock', 'target'] as const; // arrows point to these

type Pointed = (typeof POINTED)[number];

export interface Overlay {
  draw(scene: Scene): void;
  /** The position of the centroid's mark, world units; null: no mark is drawn. */
  mark(): [number, number] | null;
  /** The arrows that are shown. */
  arrows(): Partial<Record<Pointed, Arrow>>;
}

export interface OverlayOptions {
  /** Whether the centroid is marked. */
  marked(): boolean;
  /** The size of words and marks in a window of that size; 1: as on a desktop screen. */
  size(width: number, height: number): number;
  /** The person's own cursor, world units; null: it does not steer. */
  own(): readonly [number, number] | null;
}

/** Returns null if the canvas has no 2D context. */
export function createOverlay(canvas: HTMLCanvasElement, { marked, size, own }: OverlayOptions): Overlay | null {
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const pen = context;
  const glow = glowPicture();
  let colors = COLORS.dark;
  let large = 1; // the size of words and marks
  let drawn = ''; // what is on the canvas
  let mark: [number, number] | null = null;
  let arrows: Partial<Record<Pointed, Arrow>> = {};

  function prepare({ width, height, ratio }: Camera): void {
    const [right, bottom] = [width, height].map((side) => Math.max(1, Math.round(side * ratio)));
    if (canvas.width !== right) canvas.width = right;
    if (canvas.height !== bottom) canvas.height = bottom;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, right, bottom);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  const shade = (color: Color, opacity: number): string => css(color, colors.plain ? 1 : opacity);
  const thin = (): number => (colors.plain ? 2 : 1) * large;

  function drawFrame(camera: Camera, room: Room): void {
    const [left, top] = [camera.left, camera.top];
    const [width, height] = room.world.map((side) => side * camera.scale);
    if (room.boundary !== 'open') {
      pen.beginPath();
      pen.rect(0, 0, camera.width, camera.height);
      pen.rect(left, top, width, height);
      pen.fillStyle = colors.light ? 'rgb(20 50 100 / 0.07)' : 'rgb(0 0 0 / 0.26)';
      pen.fill('evenodd');
    }
    pen.strokeStyle = shade(colors.frame, 0.15);
    pen.lineWidth = thin();
    pen.strokeRect(left, top, width, height);
  }

  function drawBarriers(camera: Camera, room: Room): void {
    pen.beginPath();
    for (const [x1, y1, x2, y2] of barriers(room)) {
      pen.moveTo(...toScreen(camera, x1, y1));
      pen.lineTo(...toScreen(camera, x2, y2));
    }
    pen.strokeStyle = shade(colors.frame, BARRIER_OPACITY);
    pen.lineWidth = BARRIER_WIDTH;
    pen.lineCap = 'round';
    pen.stroke();
  }

  /** Draws a line from the person's own cursor to the target. */
  function drawPart(camera: Camera, room: Room, from: readonly [number, number], to: [number, number]): void {
    const [width, height] = room.world;
    const near = Math.abs(to[0] - from[0]) < width / 2 && Math.abs(to[1] - from[1]) < height / 2;
    const [[x1, y1], [x2, y2]] = [toScreen(camera, ...from), toScreen(camera, ...to)];
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length < PART_LEAST * large || (room.boundary === 'wrap' && !near)) return;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [after, before] = [15 * large, (TARGET_RADIUS + 3) * large];
    pen.beginPath();
    pen.moveTo(x1 + ux * after, y1 + uy * after);
    pen.lineTo(x2 - ux * before, y2 - uy * before);
    pen.strokeStyle = shade(colors.ink, 0.3);
    pen.lineWidth = thin();
    pen.stroke();
  }

  function drawTarget(camera: Camera, target: [number, number]): void {
    const [x, y] = toScreen(camera, ...target);
    const light = GLOW_RADIUS * large;
    if (glow !== null) pen.drawImage(glow, x - light, y - light, 2 * light, 2 * light);
    pen.beginPath();
    pen.arc(x, y, TARGET_RADIUS * large, 0, 2 * Math.PI);
    pen.strokeStyle = shade(colors.ink, 0.55);
    pen.lineWidth = thin();
    pen.stroke();
    pen.beginPath();
    pen.arc(x, y, large, 0, 2 * Math.PI);
    pen.fillStyle = shade(colors.ink, 0.85);
    pen.fill();
  }

  /** Draws a cross and a ring with the flock's radius. */
  function drawMark(camera: Camera, at: [number, number], radius: number): void {
    const [x, y] = toScreen(camera, ...at);
    pen.lineWidth = thin();
    pen.beginPath();
    pen.arc(x, y, radius * camera.scale, 0, 2 * Math.PI);
    pen.setLineDash(DASHES);
    pen.strokeStyle = shade(colors.ink, 0.26);
    pen.stroke();
    pen.setLineDash([]);
    pen.beginPath();
    const cross = CROSS * large;
    pen.moveTo(x - cross, y);
    pen.lineTo(x + cross, y);
    pen.moveTo(x, y - cross);
    pen.lineTo(x, y + cross);
    for (const [color, width] of [[css(colors.edge, 0.7), 3.5] as const, [shade(colors.ink, 0.85), 1.5] as const]) {
      pen.strokeStyle = color;
      pen.lineWidth = width * large;
      pen.stroke();
    }
  }

  function drawArrow(name: Pointed, { x, y, angle, distance }: Arrow): void {
    const text = texts.view.arrows[name](Math.round(distance));
    pen.font = '600 13px system-ui, sans-serif';
    const half = pen.measureText(text).width / 2;
    // The words are beside the arrow, toward the window's middle.
    const [tx, ty] = [-Math.cos(angle) * (26 + half), -Math.sin(angle) * 30];
    pen.save();
    pen.translate(x, y);
    pen.scale(large, large);
    pen.save();
    pen.rotate(angle);
    pen.beginPath();
    pen.moveTo(12, 0);
    pen.lineTo(-8, -9);
    pen.lineTo(-4, 0);
    pen.lineTo(-8, 9);
    pen.closePath();
    pen.restore();
    pen.fillStyle = css(colors.ink, 0.9);
    pen.fill();
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.lineWidth = 4;
    pen.lineJoin = 'round';
    pen.strokeStyle = css(colors.edge, 0.8);
    pen.strokeText(text, tx, ty);
    pen.fillText(text, tx, ty);
    pen.restore();
  }

  return {
    draw({ camera, room, moment, target, theme }) {
      colors = COLORS[theme];
      large = size(camera.width, camera.height);
      const flock = room !== null && moment !== null ? centroidAt(moment, room) : null;
      const middle = marked() ? flock : null;
      mark = middle;
      const radius = moment?.b.measures?.radius ?? 0;
      arrows = {};
      const ways = { flock: flock && arrowTo(camera, flock, radius, large), target: target && arrowTo(camera, target, 0, large) };
      for (const name of POINTED) if (ways[name] !== null) arrows[name] = ways[name];
      const { width, height, scale, left, top, ratio } = camera;
      const hand = target === null ? null : own();
      const next = [
        width,
        height,
        scale,
        left,
        top,
        ratio,
        large,
        theme,
        written(arrows),
        room?.boundary,
        room?.walls,
        room?.world,
        target,
        hand,
        middle,
        radius,
      ];
      if (next.join() === drawn) return;
      drawn = next.join();
      prepare(camera);
      if (room === null) return;
      drawFrame(camera, room);
      drawBarriers(camera, room);
      if (target !== null && hand !== null) drawPart(camera, room, hand, target);
      if (target !== null) drawTarget(camera, target);
      if (middle !== null) drawMark(camera, middle, radius);
      for (const name of POINTED) if (arrows[name] !== undefined) drawArrow(name, arrows[name]);
    },
    mark: () => mark,
    arrows: () => arrows,
  };
}

const written = (arrows: Partial<Record<Pointed, Arrow>>): string =>
  Object.values(arrows)
    .map(({ x, y, distance }) => [x, y, distance].map(Math.round).join())
    .join();

/** Draws the light around the target, once for all frames. */
function glowPicture(): HTMLCanvasElement | null {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 2 * GLOW_RADIUS;
  const pen = canvas.getContext('2d');
  if (pen === null) return null;
  const gradient = pen.createRadialGradient(GLOW_RADIUS, GLOW_RADIUS, 0, GLOW_RADIUS, GLOW_RADIUS, GLOW_RADIUS);
  for (let i = 0; i <= 10; i++) {
    const way = i / 10;
    gradient.addColorStop(way, `rgb(120 165 255 / ${(0.13 * Math.exp(-4 * way * way) * (1 - way)).toFixed(4)})`);
  }
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}
