// The layers that are painted on the overlay: the world's frame, walls, the target, the centroid and arrows.

import { centroidAt } from '../flock/timeline';
import { texts } from '../texts/texts';
import { type Arrow, arrowTo } from './arrow';
import { toScreen } from './camera';
import { type Layer, ORDER, type Pen } from './layers';
import { BARRIER_OPACITY, BARRIER_WIDTH, type Scene, barriers, css } from './scene';

const TARGET_RADIUS = 6; // CSS pixels
const GLOW_RADIUS = 110; // CSS pixels
const CROSS = 7.5; // CSS pixels from its middle to each end
const PART_LEAST = 34; // CSS pixels: no line is drawn to a target closer to the cursor
const DASHES = [4, 4]; // CSS pixels
const APART = 60; // CSS pixels: the words of closer arrows cover each other

export interface Arrows {
  flock?: Arrow;
  target?: Arrow;
}

/** Returns the centroid of the flock that the scene shows. */
export const centroidIn = ({ moment, room }: Scene): [number, number] | null =>
  moment === null || room === null ? null : centroidAt(moment, room);

export const radiusIn = ({ moment }: Scene): number => moment?.b.measures?.radius ?? 0;

/** Returns the arrows to what is beyond the window: of two that are close, the one to the flock. large: the size of words and marks. */
export function arrowsIn(scene: Scene, large: number): Arrows {
  const [flock, { target, camera }] = [centroidIn(scene), scene];
  const toFlock = flock && arrowTo(camera, flock, radiusIn(scene), large);
  const toTarget = target && arrowTo(camera, target, 0, large);
  const close = toFlock && toTarget && Math.hypot(toFlock.x - toTarget.x, toFlock.y - toTarget.y) < APART * large;
  return { ...(toFlock && { flock: toFlock }), ...(toTarget && !close && { target: toTarget }) };
}

/** own: returns the person's own cursor, world units; null: it does not steer. */
export function overlayLayers(own: () => readonly [number, number] | null): Layer[] {
  const glow = glowPicture();
  return [
    {
      name: 'world',
      order: ORDER.world,
      shows: ({ room, backdrop }) => room && [room.boundary, room.world, backdrop?.framed, (backdrop?.rim ?? 0) > 0],
      paint: paintWorld,
    },
    {
      name: 'walls',
      order: ORDER.walls,
      shows: ({ room, backdrop }) => room && [room.boundary, room.world, room.walls, backdrop?.walls],
      paint: paintWalls,
    },
    {
      name: 'line',
      order: ORDER.line,
      shows: ({ room, target }) => (room === null || target === null || own() === null ? null : [room.boundary, target, own()]),
      paint: (pen, scene) => paintLine(pen, scene, own()),
    },
    {
      name: 'target',
      order: ORDER.target,
      shows: ({ room, target }) => (room === null ? null : target),
      paint: (pen, scene) => paintTarget(pen, scene, glow),
    },
    {
      name: 'centroid',
      order: ORDER.centroid,
      shows: (scene) => centroidIn(scene) && [centroidIn(scene), radiusIn(scene)],
      paint: paintCentroid,
    },
    {
      name: 'arrows',
      order: ORDER.arrows,
      shows(scene, large) {
        const arrows = Object.values(arrowsIn(scene, large)) as Arrow[];
        return scene.room === null ? null : arrows.map(({ x, y, distance }) => [x, y, distance].map(Math.round));
      },
      paint(pen, scene) {
        for (const [name, arrow] of Object.entries(arrowsIn(scene, pen.large))) paintArrow(pen, name as keyof Arrows, arrow as Arrow);
      },
    },
  ];
}

function paintWorld({ context, camera, colors, shade, thin }: Pen, { room, backdrop }: Scene): void {
  if (room === null || backdrop?.framed === false) return;
  const [left, top] = [camera.left, camera.top];
  const [width, height] = room.world.map((side) => side * camera.scale);
  if (room.boundary !== 'open' && !((backdrop?.rim ?? 0) > 0)) {
    context.beginPath();
    context.rect(0, 0, camera.width, camera.height);
    context.rect(left, top, width, height);
    context.fillStyle = colors.light ? 'rgb(20 50 100 / 0.07)' : 'rgb(0 0 0 / 0.26)';
    context.fill('evenodd');
  }
  if (room.boundary === 'open' && !colors.plain) return;
  context.strokeStyle = shade(colors.frame, 0.15);
  context.lineWidth = thin();
  context.strokeRect(left, top, width, height);
}

function paintWalls({ context, camera, colors, large, shade }: Pen, { room, backdrop }: Scene): void {
  if (room === null || backdrop?.walls === true) return;
  context.beginPath();
  for (const [x1, y1, x2, y2] of barriers(room)) {
    context.moveTo(...toScreen(camera, x1, y1));
    context.lineTo(...toScreen(camera, x2, y2));
  }
  context.strokeStyle = shade(colors.frame, BARRIER_OPACITY);
  context.lineWidth = BARRIER_WIDTH * large;
  context.lineCap = 'round';
  context.stroke();
}

/** Paints a line from the person's own cursor to the target. */
function paintLine(
  { context, camera, colors, large, shade, thin }: Pen,
  { room, target }: Scene,
  from: readonly [number, number] | null,
): void {
  if (room === null || target === null || from === null) return;
  const [width, height] = room.world;
  const near = Math.abs(target[0] - from[0]) < width / 2 && Math.abs(target[1] - from[1]) < height / 2;
  const [[x1, y1], [x2, y2]] = [toScreen(camera, ...from), toScreen(camera, ...target)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < PART_LEAST * large || (room.boundary === 'wrap' && !near)) return;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [after, before] = [15 * large, (TARGET_RADIUS + 3) * large];
  context.beginPath();
  context.moveTo(x1 + ux * after, y1 + uy * after);
  context.lineTo(x2 - ux * before, y2 - uy * before);
  context.strokeStyle = shade(colors.ink, 0.3);
  context.lineWidth = thin();
  context.stroke();
}

function paintTarget({ context, camera, colors, large, shade, thin }: Pen, { target }: Scene, glow: HTMLCanvasElement | null): void {
  if (target === null) return;
  const [x, y] = toScreen(camera, ...target);
  const light = GLOW_RADIUS * large;
  if (glow !== null) context.drawImage(glow, x - light, y - light, 2 * light, 2 * light);
  context.beginPath();
  context.arc(x, y, TARGET_RADIUS * large, 0, 2 * Math.PI);
  context.strokeStyle = shade(colors.ink, 0.55);
  context.lineWidth = thin();
  context.stroke();
  context.beginPath();
  context.arc(x, y, large, 0, 2 * Math.PI);
  context.fillStyle = shade(colors.ink, 0.85);
  context.fill();
}

/** Paints a cross and a ring with the flock's radius. */
function paintCentroid({ context, camera, colors, large, shade, thin }: Pen, scene: Scene): void {
  const at = centroidIn(scene);
  if (at === null) return;
  const [x, y] = toScreen(camera, ...at);
  context.lineWidth = thin();
  context.beginPath();
  context.arc(x, y, radiusIn(scene) * camera.scale, 0, 2 * Math.PI);
  context.setLineDash(DASHES);
  context.strokeStyle = shade(colors.ink, 0.26);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  const cross = CROSS * large;
  context.moveTo(x - cross, y);
  context.lineTo(x + cross, y);
  context.moveTo(x, y - cross);
  context.lineTo(x, y + cross);
  for (const [color, width] of [[css(colors.edge, 0.7), 3.5] as const, [shade(colors.ink, 0.85), 1.5] as const]) {
    context.strokeStyle = color;
    context.lineWidth = width * large;
    context.stroke();
  }
}

function paintArrow({ context, colors, large }: Pen, name: keyof Arrows, { x, y, angle, distance }: Arrow): void {
  const text = texts.view.arrows[name](Math.round(distance));
  context.font = '600 13px system-ui, sans-serif';
  const half = context.measureText(text).width / 2;
  // The words are beside the arrow, toward the window's middle.
  const [tx, ty] = [-Math.cos(angle) * (26 + half), -Math.sin(angle) * 30];
  context.save();
  context.translate(x, y);
  context.scale(large, large);
  context.save();
  context.rotate(angle);
  context.beginPath();
  context.moveTo(12, 0);
  context.lineTo(-8, -9);
  context.lineTo(-4, 0);
  context.lineTo(-8, 9);
  context.closePath();
  context.restore();
  context.fillStyle = css(colors.ink, 0.9);
  context.fill();
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 4;
  context.lineJoin = 'round';
  context.strokeStyle = css(colors.edge, 0.8);
  context.strokeText(text, tx, ty);
  context.fillText(text, tx, ty);
  context.restore();
}

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
