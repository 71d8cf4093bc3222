// The start page's moving pictures. Loaded after the page's words.

import { miniatures } from 'flock:miniatures';
import { type Miniature, boidsAt, lengthOf, pathsOf, targetAt } from '../flock/miniature';
import { clamp } from '../numbers';
import { isVertical } from '../draw/grounds/table';
import { type Color, css } from '../draw/scene';
import { beatsOf, paintShape, shaded } from '../draw/shapes';
import { type Look, lookOf } from './shapes';
import type { ThemeName } from './theme';

const WIDTH = 240; // CSS pixels of the picture for which sizes are given
const FRAME_GAP = 1000 / 31; // ms: 30 pictures a second
const BLEND = 500; // ms in which the end of a miniature blends into its beginning
const TAIL = 220; // ms of its way that a boid's tail shows
const RATIO_MAX = 2; // device pixels for each CSS pixel

interface Picture {
  canvas: HTMLCanvasElement;
  preset: string;
  miniature: Miniature;
  paths: Float32Array;
  looks: Readonly<Record<ThemeName, Look>>;
  visible: boolean;
}

/** Draws at the target of the flock. size: of the picture, in WIDTHs. */
export type Marks = (pen: CanvasRenderingContext2D, x: number, y: number, size: number) => void;

const pictures: Picture[] = [];
const stillness = matchMedia('(prefers-reduced-motion: reduce)');
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const picture = pictures.find(({ canvas }) => canvas === target);
    if (picture === undefined) continue;
    picture.visible = isIntersecting;
    if (isIntersecting) paint(picture, performance.now());
  }
});
let painted = 0; // ms
let marksOf: (canvas: HTMLCanvasElement) => Marks | null = () => null;

/** Plays the miniature of a preset on the canvas, while it can be seen. Returns false if the preset has none. */
export function play(canvas: HTMLCanvasElement, preset: string): boolean {
  const miniature = miniatures[preset];
  if (miniature === undefined) return false;
  const known = pictures.find((picture) => picture.canvas === canvas);
  const next = { preset, miniature, paths: pathsOf(miniature), looks: { dark: lookOf(preset, 'dark'), light: lookOf(preset, 'light') } };
  if (known !== undefined) Object.assign(known, next);
  else {
    pictures.push({ canvas, visible: false, ...next });
    watcher.observe(canvas);
    new ResizeObserver(() => repaint(canvas)).observe(canvas);
  }
  repaint(canvas);
  return true;
}

/** Chooses what is drawn at the flock's target, by the canvas. */
export function mark(marks: (canvas: HTMLCanvasElement) => Marks | null): void {
  marksOf = marks;
}

function repaint(canvas: HTMLCanvasElement): void {
  const picture = pictures.find((each) => each.canvas === canvas);
  if (picture?.visible === true) paint(picture, performance.now());
}

function paint({ canvas, miniature, paths, looks }: Picture, now: number): void {
  const look = looks[document.documentElement.classList.contains('light') ? 'light' : 'dark'];
  const pen = canvas.getContext('2d');
  const { clientWidth: width, clientHeight: height } = canvas;
  if (pen === null || width === 0) return;
  const ratio = Math.min(devicePixelRatio, RATIO_MAX);
  const [right, bottom] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== right) canvas.width = right;
  if (canvas.height !== bottom) canvas.height = bottom;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.globalAlpha = 1;
  const ground = isVertical(look.pattern)
    ? pen.createLinearGradient(0, 0, 0, height)
    : pen.createRadialGradient(width / 2, height * 0.55, 0, width / 2, height * 0.55, 0.62 * Math.hypot(width, height));
  const { stops } = look.hue;
  stops.forEach((color, i) => ground.addColorStop(i / (stops.length - 1), color));
  pen.fillStyle = ground;
  pen.fillRect(0, 0, width, height);

  const scale = Math.max(width / miniature.width, height / miniature.height); // the world covers the picture
  const length = lengthOf(miniature) - BLEND;
  const at = stillness.matches ? length / 2 : now % length;
  const blended = at < BLEND ? 1 - at / BLEND : 0; // the share of the end
  const [x, y] = [targetAt(miniature, at), targetAt(miniature, length + at)].reduce((from, to) => [
    from[0] + (to[0] - from[0]) * blended,
    from[1] + (to[1] - from[1]) * blended,
  ]);
  // A flat picture keeps the flock in sight.
  const left = (width - miniature.width * scale) / 2;
  const top = clamp(height / 2 - y * scale, height - miniature.height * scale, 0);
  const size = (look.size * Math.max(width, 0.8 * WIDTH)) / WIDTH;
  paintWalls(pen, miniature, look, scale, left, top);
  const moments = blended > 0 ? [[at, 1 - blended], [length + at, blended]] : [[at, 1]];
  for (const [moment, strength] of moments) {
    pen.globalAlpha = strength;
    paintBoids(pen, { miniature, paths, look }, moment, now, size, scale, left, top);
  }
  pen.globalAlpha = 1;
  marksOf(canvas)?.(pen, left + x * scale, top + y * scale, width / WIDTH);
}

function paintWalls(pen: CanvasRenderingContext2D, { walls }: Miniature, look: Look, scale: number, left: number, top: number): void {
  pen.strokeStyle = look.hue.frame;
  pen.lineWidth = 2;
  pen.lineCap = 'round';
  pen.beginPath();
  for (const [x1, y1, x2, y2] of walls) {
    pen.moveTo(left + x1 * scale, top + y1 * scale);
    pen.lineTo(left + x2 * scale, top + y2 * scale);
  }
  pen.stroke();
}

function paintLight(pen: CanvasRenderingContext2D, color: Color, size: number): void {
  const glow = pen.createRadialGradient(0, 0, 0, 0, 0, 0.6 * size);
  glow.addColorStop(0, css(color));
  glow.addColorStop(0.45, css(color, 0.7));
  glow.addColorStop(1, css(color, 0));
  pen.fillStyle = glow;
  pen.fillRect(-0.6 * size, -0.6 * size, 1.2 * size, 1.2 * size);
}

function paintBoids(
  pen: CanvasRenderingContext2D,
  { miniature, paths, look }: Pick<Picture, 'miniature' | 'paths'> & { look: Look },
  at: number,
  now: number,
  size: number,
  scale: number,
  left: number,
  top: number,
): void {
  const boids = boidsAt(miniature, paths, at);
  if (look.tail !== '') {
    const before = boidsAt(miniature, paths, Math.max(0, at - TAIL));
    pen.strokeStyle = look.tail;
    pen.lineWidth = Math.max(1, 0.18 * size);
    pen.beginPath();
    boids.forEach(({ x, y }, id) => {
      const from = before[id];
      if (Math.abs(x - from.x) > miniature.width / 2 || Math.abs(y - from.y) > miniature.height / 2) return; // it crossed an edge
      pen.moveTo(left + from.x * scale, top + from.y * scale);
      pen.lineTo(left + x * scale, top + y * scale);
    });
    pen.stroke();
  }
  boids.forEach(({ x, y, heading }, id) => {
    pen.save();
    pen.translate(left + x * scale, top + y * scale);
    pen.rotate(heading);
    const color = look.colors[id % look.colors.length];
    if (look.shape === 'blur') paintLight(pen, color, size);
    else paintShape(pen, look.shape, size, (2 * Math.PI * beatsOf(look.shape) * now) / 1000 + 1.7 * id, (shade) => css(shaded(color, shade)));
    pen.restore();
  });
}

function frame(now: number): void {
  requestAnimationFrame(frame);
  if (now - painted < FRAME_GAP || stillness.matches) return;
  painted = now;
  for (const picture of pictures) if (picture.visible) paint(picture, now);
}
requestAnimationFrame(frame);
const repaintAll = (): void => pictures.forEach(({ canvas }) => repaint(canvas));
stillness.addEventListener('change', repaintAll);
new MutationObserver(repaintAll).observe(document.documentElement, { attributeFilter: ['class'] }); // the theme
