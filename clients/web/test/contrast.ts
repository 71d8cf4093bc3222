// Luminances and contrasts as WCAG 2 defines them.

import { readFileSync } from 'node:fs';
import type { Color } from '../src/draw/scene';
import { mix } from '../src/numbers';

export function luminance(color: Color): number {
  const [r, g, b] = color.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one: Color, other: Color): number {
  const [least, most] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (most + 0.05) / (least + 0.05);
}

/** Returns the colour that one of that opacity has over the other. */
export const over = (color: Color, opacity: number, below: Color): Color => {
  const [r, g, b] = color.map((value, i) => mix(below[i], Math.min(1, value), opacity));
  return [r, g, b];
};

/** The server's colours of people, 0xRRGGBB. */
export const PEOPLE = [
  ...(/palette\[PEOPLE_COLORS\] = \{([^}]*)\}/.exec(readFileSync(`${REPOSITORY}/server/scene/people.c`, 'utf8'))?.[1] ?? '').matchAll(
    /0x[0-9a-f]{6}/g,
  ),
].map(([text]) => Number(text));
