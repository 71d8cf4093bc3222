// The shapes of food and hunters. A dark and a light rim make them visible on every ground and in both themes.

import { toScreen } from '../../draw/camera';
import type { Pen } from '../../draw/layers';
import { type Color, css } from '../../draw/scene';
import type { Things } from '../../net/protocol';
import type { Hunter } from './glide';

const DARK: Color = [0.03, 0.05, 0.07];
const LIGHT: Color = [1, 1, 1];
const FOOD: Color = [0.34, 0.75, 0.24];
const HUNTER: Color = [0.91, 0.2, 0.17];
const FOOD_LEAST = 4; // CSS pixels: the radius of the last unit of food …
const FOOD_MOST = 11; // … and of FOOD_FULL units and more
const FOOD_FULL = 1000;

/** Fills the path, and draws both rims around it. */
function fill({ context, colors, large }: Pen, color: Color): void {
  context.lineJoin = 'round';
  for (const [rim, width] of [[DARK, 5], [LIGHT, 2.5]] as const) {
    context.strokeStyle = css(colors.plain ? colors.edge : rim);
    context.lineWidth = width * large;
    context.stroke();
  }
  context.fillStyle = css(colors.plain ? colors.ink : color);
  context.fill();
}

/** The radius of food with that many units: its area grows with them. */
export const foodRadius = (amount: number): number => FOOD_LEAST + (FOOD_MOST - FOOD_LEAST) * Math.sqrt(Math.min(1, amount / FOOD_FULL));

/** Paints food as three grains. */
export function paintFood(pen: Pen, food: Things['food']): void {
  const { context, camera, large } = pen;
  for (const { x, y, amount } of food) {
    const [px, py] = toScreen(camera, x, y);
    const radius = 0.62 * foodRadius(amount) * large;
    context.beginPath();
    for (let grain = 0; grain < 3; grain++) {
      const angle = (2 * Math.PI * grain) / 3 - Math.PI / 2;
      const [cx, cy] = [px + 0.8 * radius * Math.cos(angle), py + 0.8 * radius * Math.sin(angle)];
      context.moveTo(cx + radius, cy);
      context.arc(cx, cy, radius, 0, 2 * Math.PI);
    }
    fill(pen, FOOD);
  }
}

/** Paints a hunter as an arrowhead that points where it goes. */
export function paintHunters(pen: Pen, hunters: readonly Hunter[]): void {
  const { context, camera, large } = pen;
  for (const { x, y, angle } of hunters) {
    const [px, py] = toScreen(camera, x, y);
    const [cos, sin] = [Math.cos(angle) * large, Math.sin(angle) * large];
    const outline = [[11, 0], [-8, 9], [-4, 0], [-8, -9]]; // CSS pixels along its way and across
    context.beginPath();
    for (const [along, across] of outline) context.lineTo(px + along * cos - across * sin, py + along * sin + across * cos);
    context.closePath();
    fill(pen, HUNTER);
  }
}
