// Paints why a boid turns: its view cone, its numbered neighbours, an arrow for each rule and the sum. Paints what the rules of a changing
// parameter do to a sample of boids. Loaded when a person inspects a boid, or a presenter shows one or changes such a parameter.

import { changeOf, headingOf } from '../flock/why';
import { boidAt, shownCount } from '../flock/timeline';
import type { Near, Push, Pushes, Why } from '../net/protocol';
import { WHY_TEXTS } from '../texts/why';
import { type Language, texts } from '../texts/texts';
import { clamp } from '../numbers';
import { toScreen } from './camera';
import { type Layer, ORDER, type Pen } from './layers';
import { type Color, type Scene, type Theme, css, within } from './scene';

const ARROW = 72; // CSS pixels: the longest arrow
const SHORTEST = 3; // CSS pixels: a shorter arrow is left out
const NAMED = 20; // CSS pixels: an arrow at least this long has its name
const HEAD = 7; // CSS pixels
const RING = 6.5; // CSS pixels around a neighbour
const STAYS = 0.6; // the name of a rule stays at an arrow of at least this share of the longest one
const NONE = -1; // no boid
const NOTHING: Vector = { x: 0, y: 0 };
const BEST = 0.97; // the longest arrow shrinks to its share of the last time, so that the scale does not jump

/** The colours of pushes on a dark ground. */
const DARK: Readonly<Record<string, Color>> = {
  separation: [1, 0.42, 0.36],
  alignment: [0.4, 0.7, 1],
  cohesion: [0.36, 0.86, 0.55],
  seek: [1, 0.8, 0.3],
  food: [0.8, 0.9, 0.3],
  flee: [0.78, 0.56, 1],
  inertia: [0.66, 0.7, 0.78],
  limits: [0.6, 0.64, 0.72],
  noise: [1, 0.6, 0.84],
  walls: [0.86, 0.68, 0.5],
};

const UNKNOWN: Color = [0.7, 0.7, 0.7];
const PALE = 0.2; // the most luminance of a colour on a light ground

/** Returns the colour of a push. */
export const colorOfPush = (name: string, light: boolean): Color => {
  const color = DARK[name] ?? UNKNOWN;
  return light ? within(color, 0, PALE) : color;
};

/** Returns the colour of a push in a panel. A panel has the theme's ground, not the flock's. */
export const colorInPanel = (name: string, theme: Theme): string => css(colorOfPush(name, theme === 'light'));

/** Returns a push's name for people; for an unknown push, its name on the wire. */
export function pushName(name: string): string {
  const names: Readonly<Record<string, string>> = WHY_TEXTS[texts.language as Language].pushes;
  return names[name] ?? name;
}

type Drawn = Pick<Scene, 'moment' | 'room'>;

/** Returns where the boid of that number is drawn, world units; null: snapshots leave it out. */
function drawnAt(boid: number, { moment, room }: Drawn): [number, number] | null {
  const index = boid / (moment?.a.stride ?? 1);
  if (moment === null || room === null || !Number.isInteger(index) || index >= shownCount(moment)) return null;
  const at = boidAt(moment, index, room);
  return at && [room.world[0] / 2 + at[0] * room.quantum, room.world[1] / 2 + at[1] * room.quantum];
}

/** Returns where the boid is drawn, world units. A boid that snapshots leave out is where the server says. */
export function placeOf(why: Why, scene: Drawn): [number, number] | null {
  if (why.motion === null || scene.room === null || why.boid === null) return null;
  return drawnAt(why.boid, scene) ?? [why.motion.x, why.motion.y];
}

/** Returns the displacement to the drawn neighbour. In a torus, it is the shorter way. */
function wayTo(near: Near, [x, y]: readonly [number, number], scene: Drawn): [number, number] {
  const at = drawnAt(near.number, scene);
  if (at === null || scene.room === null) return [near.x, near.y];
  const [width, height] = scene.room.boundary === 'wrap' ? scene.room.world : [Infinity, Infinity];
  const shorter = (way: number, size: number): number => (size === Infinity ? way : way - size * Math.round(way / size));
  return [shorter(at[0] - x, width), shorter(at[1] - y, height)];
}

/** why: returns what is shown; null: nothing. */
export function whyLayer(name: string, why: () => Why | null): Layer {
  let most = 0; // units a tick: the longest arrow
  return {
    name,
    order: ORDER.why,
    shows(scene) {
      const shown = why();
      const at = shown && placeOf(shown, scene);
      if (shown === null || at === null) return null;
      most = Math.max(...shown.pushes.map(lengthOf), most * BEST);
      return [shown, at, most];
    },
    paint(pen, scene) {
      const shown = why();
      const at = shown && placeOf(shown, scene);
      if (shown !== null && at !== null) paint(pen, shown, at, most, scene);
    },
  };
}

type Sampled = Pushes['boids'][number];
type Vector = Pick<Push, 'x' | 'y'>;

const lengthOf = ({ x, y }: Vector = NOTHING): number => Math.hypot(x, y);
const longest = (boids: readonly Sampled[], rule: number): number => Math.max(0, ...boids.map(({ pushes }) => lengthOf(pushes[rule])));

/** Returns the arrows from the longest to the shortest, so that no arrow hides a shorter one. */
const byLength = <T extends Vector>(arrows: readonly T[]): T[] => [...arrows].sort((a, b) => lengthOf(b) - lengthOf(a));

/**
 * Returns the number of the boid at whose arrow the rule's name stands: the one from before while its arrow is long, else the one with
 * the longest arrow. No boid has two names.
 */
function namedBoid(boids: readonly Sampled[], rule: number, before: number | undefined, taken: readonly number[]): number {
  const free = boids.filter(({ number }) => !taken.includes(number));
  const most = longest(free, rule);
  const isLong = (boid: Sampled, part: number): boolean => lengthOf(boid.pushes[rule]) >= part * most;
  return (free.find((boid) => boid.number === before && isLong(boid, STAYS)) ?? free.find((boid) => isLong(boid, 1)))?.number ?? NONE;
}

/** pushes: returns what the rules of a changing parameter do; null, or no rules: none changes. */
export function pushesLayer(pushes: () => Pushes | null): Layer {
  let rules = ''; // that are shown
  let usual = 0; // units a tick: an arrow of that length when the change began has half of the greatest length
  let named: number[] = []; // the boids with the names of the rules
  return {
    name: 'rules',
    order: ORDER.why,
    shows(scene) {
      const now = pushes();
      const names = now?.rules.join() ?? '';
      if (names !== rules) [usual, named] = [0, []];
      rules = names;
      if (now === null || rules === '') return null;
      usual ||= Math.max(...now.rules.map((_, rule) => longest(now.boids, rule)));
      return [now, now.boids.map(({ number }) => drawnAt(number, scene)), usual];
    },
    paint(pen, scene) {
      const now = pushes();
      if (now === null) return;
      const taken: number[] = [];
      now.rules.forEach((_, rule) => taken.push(namedBoid(now.boids, rule, named[rule], taken)));
      named = taken;
      paintRules(pen, now, named, usual, scene);
    },
  };
}

/** Paints an arrow of each rule at each boid. named: the boids with the names of the rules. */
function paintRules(pen: Pen, { boids, rules }: Pushes, named: readonly number[], usual: number, scene: Scene): void {
  const { context, camera, colors, large } = pen;
  context.save();
  context.lineCap = context.lineJoin = 'round';
  setFont(pen);
  for (const { number, x, y, pushes } of boids) {
    const at = toScreen(camera, ...(drawnAt(number, scene) ?? ([x, y] as const)));
    for (const { x: dx, y: dy, rule } of byLength(rules.map((_, index) => ({ ...(pushes[index] ?? NOTHING), rule: index })))) {
      const scale = (ARROW * large) / (lengthOf({ x: dx, y: dy }) + usual || 1);
      const name = named[rule] === number ? pushName(rules[rule]) : '';
      paintArrow(pen, at, [dx * scale, dy * scale], colorOfPush(rules[rule], colors.light), name);
    }
  }
  context.restore();
}

function setFont({ context, large }: Pen): void {
  context.font = `600 ${11 * large}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
}

function paint(pen: Pen, why: Why, place: [number, number], most: number, scene: Scene): void {
  const { context, camera } = pen;
  const at = toScreen(camera, ...place);
  context.save();
  context.lineCap = context.lineJoin = 'round';
  setFont(pen);
  paintZones(pen, why, at);
  why.near.forEach((near, index) => paintNeighbour(pen, near.close, index + 1, at, wayTo(near, place, scene)));
  const scale = most > 0 ? (ARROW * pen.large) / most : 0;
  for (const { name, x, y } of byLength(why.pushes))
    paintArrow(pen, at, [x * scale, y * scale], colorOfPush(name, pen.colors.light), pushName(name));
  if (why.motion !== null) {
    const { x, y } = changeOf(why.motion);
    paintArrow(pen, at, [x * scale, y * scale], pen.colors.ink, '', 4);
  }
  context.restore();
}

/** Paints a cone, or a circle if it is one. */
function paintZone({ context, camera, shade }: Pen, why: Why, [x, y]: [number, number], radius: number, angle: number, color: Color): void {
  if (radius <= 0 || why.motion === null) return;
  const [hx, hy] = headingOf(why.motion);
  const heading = Math.atan2(hy, hx);
  const half = (clamp(angle, 0, 360) / 360) * Math.PI;
  context.beginPath();
  if (half < Math.PI) context.moveTo(x, y);
  context.arc(x, y, radius * camera.scale, heading - half, heading + half);
  if (half < Math.PI) context.closePath();
  context.fillStyle = shade(color, 0.07);
  context.fill();
  context.strokeStyle = shade(color, 0.6);
  context.stroke();
}

function paintZones(pen: Pen, why: Why, at: [number, number]): void {
  const { view, viewAngle, close, closeAngle } = why.zones;
  pen.context.lineWidth = pen.thin() * 1.2;
  paintZone(pen, why, at, view, viewAngle, pen.colors.ink);
  pen.context.setLineDash([4 * pen.large, 4 * pen.large]);
  paintZone(pen, why, at, close, closeAngle, colorOfPush('separation', pen.colors.light));
  pen.context.setLineDash([]);
}

/** Paints text with a rim of the background's colour. */
function paintText({ context, colors, large }: Pen, text: string, x: number, y: number, color: Color): void {
  context.lineWidth = 3 * large;
  context.strokeStyle = css(colors.middle, 0.85);
  context.strokeText(text, x, y);
  context.fillStyle = css(color);
  context.fillText(text, x, y);
}

/** way: to the neighbour, world units. */
function paintNeighbour(pen: Pen, close: boolean, place: number, [x, y]: [number, number], way: [number, number]): void {
  const { context, camera, colors, large, shade, thin } = pen;
  const [px, py] = [x + way[0] * camera.scale, y + way[1] * camera.scale];
  const color = close ? colorOfPush('separation', colors.light) : colors.ink;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(px, py);
  context.lineWidth = thin();
  context.strokeStyle = shade(color, 0.25);
  context.stroke();
  context.beginPath();
  context.arc(px, py, RING * large, 0, 2 * Math.PI);
  context.lineWidth = 1.4 * large;
  context.strokeStyle = shade(color, 0.9);
  context.stroke();
  paintText(pen, String(place), px, py - (RING + 7) * large, color);
}

/** dx, dy: CSS pixels. */
function paintArrow(pen: Pen, [x, y]: [number, number], [dx, dy]: [number, number], color: Color, name: string, width = 2.6): void {
  const { context, large, colors } = pen;
  const length = Math.hypot(dx, dy);
  if (length < SHORTEST * large) return;
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(HEAD * large, length);
  const [tx, ty] = [x + dx, y + dy];
  const line = (): void => {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(tx, ty);
    context.moveTo(tx - head * (ux - 0.55 * uy), ty - head * (uy + 0.55 * ux));
    context.lineTo(tx, ty);
    context.lineTo(tx - head * (ux + 0.55 * uy), ty - head * (uy - 0.55 * ux));
    context.stroke();
  };
  context.lineWidth = (width + 2.4) * large;
  context.strokeStyle = css(colors.middle, 0.7);
  line();
  context.lineWidth = width * large;
  context.strokeStyle = css(color);
  line();
  if (name !== '' && length >= NAMED * large) paintText(pen, name, tx + ux * 24 * large, ty + uy * 11 * large, color);
}
