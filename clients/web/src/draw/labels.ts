// Names beside cursors. A name covers no other name: without a free side it is hidden. Among free sides it takes one where it covers no
// other cursor. Where names would cover much of the world, as on a phone, presenters and leaders have names, then cursors that had one,
// then the last ones to move. The names of a class do not cover the middle of the flock. On a projector they grow with the window.

import { clamp } from '../numbers';

export const NAMES_MAX = 32; // at a time: more would only hide each other and the flock
const NAMES_LEAST = 3;
const CLASS = 6; // more names than these do not cover the flock
const SPACE = 18_000; // CSS pixels² of the world for each name: names cover about a twelfth of it

const TEXT = 11; // CSS pixels of a name's letters
const PROJECTED = 0.02; // of the window's shorter side, in the projector view
const HEIGHT = 20; // CSS pixels of a label
const LETTER = 6.6;
const WIDE_LETTER = 11; // of Chinese, Japanese and Korean, and pictures
const WIDE = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const PADDING = 16;
const ARROW = [11, 17] as const; // of a cursor, from its tip
const WIDEST = 130;
const SIDES = {
  'below-right': [11, 17],
  'below-left': [-9, 17],
  'above-right': [11, -HEIGHT - 3],
  'above-left': [-9, -HEIGHT - 3],
} as const; // from the cursor's tip to the corner of the label that is next to it

export type Side = keyof typeof SIDES;

export interface Labelled {
  id: number;
  name: string;
  x: number; // CSS pixels
  y: number;
  moved: number; // when, ms
  side: Side | null; // where its name was last; null: it had none
  first: boolean | undefined; // of a presenter, a leader or the spotlight
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How large cursors and their names are in a window, 1 being as on a screen on the desk. From 2560 by 1440 CSS pixels on they grow as
 * the page's other parts do (base.css). */
export const sizeOf = (projected: boolean, width: number, height: number): number =>
  Math.max(clamp(Math.min(width / 1280, height / 720) - 1, 1, 4), projected ? (PROJECTED * Math.min(width, height)) / TEXT : 1);

function widthOf(name: string): number {
  const letters = [...name].reduce((sum, letter) => sum + (WIDE.test(letter) ? WIDE_LETTER : LETTER), 0);
  return Math.min(WIDEST, letters + PADDING);
}

function boxOf({ x, y, name }: Labelled, side: Side, size: number): Box {
  const width = size * widthOf(name);
  const [dx, dy] = SIDES[side];
  const left = x + size * dx - (side.endsWith('left') ? width : 0);
  const top = y + size * dy;
  return { left, top, right: left + width, bottom: top + size * HEIGHT };
}

/** The middle of the flock, CSS pixels. */
export interface Core {
  x: number;
  y: number;
  radius: number;
}

const covers = ({ left, top, right, bottom }: Box, { x, y, radius }: Core): boolean =>
  Math.hypot(x - clamp(x, left, right), y - clamp(y, top, bottom)) < radius;

const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Returns at which side each shown name is, by id. size: as sizeOf() returns it. world: CSS pixels² that show the world. */
export function place(
  cursors: readonly Labelled[],
  width: number,
  height: number,
  size = 1,
  world = Infinity,
  core: Core | null = null,
): Map<number, Side> {
  const rank = ({ first, side }: Labelled) => (first ? 2 : Number(side !== null));
  const named = cursors.filter(({ name }) => name !== '').sort((a, b) => rank(b) - rank(a) || b.moved - a.moved || a.id - b.id);
  const arrows = cursors.map(({ x, y }): Box => ({ left: x, top: y, right: x + size * ARROW[0], bottom: y + size * ARROW[1] }));
  const boxes: Box[] = [];
  const sides = new Map<number, Side>();
  for (const each of named.slice(0, clamp(world / (SPACE * size * size), NAMES_LEAST, NAMES_MAX))) {
    const tries = [each.side ?? [], Object.keys(SIDES)].flat() as Side[]; // the side where it was comes first
    const possible = tries.filter((one) => {
      const box = boxOf(each, one, size);
      const within = box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;
      const free = core === null || each.first || named.length <= CLASS || !covers(box, core);
      return within && free && !boxes.some((other) => overlap(box, other));
    });
    const isClear = (one: Side): boolean => !arrows.some((arrow) => overlap(boxOf(each, one, size), arrow));
    const side = possible.find(isClear) ?? possible[0];
    if (side === undefined) continue;
    sides.set(each.id, side);
    boxes.push(boxOf(each, side, size));
  }
  return sides;
}
