// The shape of each person's cursor. Shapes distinguish people who have the same colour, and help readers who see no colours.

import { byId } from './dom';

// Paths in a box of 18 by 20 with the tip at 2, 1.5: an arrow, a drop, a tag, a ring with a tip, an arrow with a bar.
const SHAPES = [
  'M2 1.5 15.5 10l-6.3 1.3L6 17.5z',
  'M2 1.5 14.8 8.4A5.5 5.5 0 0 1 6.1 15z',
  'M2 1.5 15 5v11H5.5z',
  'M2 1.5 16.5 9 7 17.5zM6 6l2.5 6.5 4-3.5z',
  'M2 1.5 12 7.5 6.5 12.5zM7.5 15.5 15 9l2 2.5-7.5 6.5z',
];

/** Outlines of the teams' cursors: a circle, a square, a triangle and a diamond, each with the cursor's tip. */
const TEAM_SHAPES = [SHAPES[1], SHAPES[2], SHAPES[0], 'M2 1.5 11 3.5 17 11 10 18.5 3.5 11z'];

/** Returns the outline of a person's cursor. It differs between consecutive ids, and between consecutive people of the same
 * colour. In a team (not 0) it is the team's. */
export const shapeOf = (id: number, team = 0): string => TEAM_SHAPES[team - 1] ?? SHAPES[id % SHAPES.length];

/** Sets that outline in the picture of a cursor. */
export const takeShape = (picture: Element, id: number, team: number): void =>
  picture.querySelector('path')?.setAttribute('d', shapeOf(id, team));

/** Returns that outline as an element for a list. */
export function drawShape(id: number, team = 0): SVGElement {
  const picture = byId('cursor-template', HTMLTemplateElement).content.querySelector('svg')?.cloneNode(true) as SVGElement;
  takeShape(picture, id, team);
  picture.setAttribute('aria-hidden', 'true');
  return picture;
}
