// The code that a phone's camera reads, and which address it leads to. Loaded when it is first shown.

import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { ROOT } from '../net/codes';
import { texts } from '../texts/texts';
import { type Reach, findReach } from '../net/reach';

export { readable, roomBelow } from '../net/reach';

const QUIET = 3; // modules of white around the code; four would be the standard's, but the card is white, too
const SVG = 'http://www.w3.org/2000/svg';

let found: Promise<Reach> | null = null;

/** How others get to this server. The answer is kept: a projector asks with each room. */
export const reach = (): Promise<Reach> => (found ??= findReach(new URL(ROOT, location.href).href));

/** Draws the text's code in the place of what is in the element. */
export function drawCode(element: Element, text: string): void {
  const code = generate(text);
  const picture = document.createElementNS(SVG, 'svg');
  const side = code.size + 2 * QUIET;
  picture.setAttribute('viewBox', `${-QUIET} ${-QUIET} ${side} ${side}`);
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', texts.invite.picture(text));
  picture.setAttribute('shape-rendering', 'crispEdges');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', toSvgPath(code));
  picture.append(path);
  element.replaceChildren(picture);
}
