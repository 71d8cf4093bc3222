// The QR code of a room, and the address in it. The page loads this module when it first shows a code.

import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { ROOT } from '../net/codes';
import { texts } from '../texts/texts';
import { type Reach, findReach, reachOf } from '../net/reach';

export { readable, roomBelow } from '../net/reach';

const QUIET = 3; // modules of white around the code; the standard requires 4, but the card around it is white, too
const SVG = 'http://www.w3.org/2000/svg';

let found: Promise<Reach> | null = null;

/** Returns the addresses under which other people reach this server; without an answer, the page's own. An answer is cached, because a
 * projector asks for each room. */
export function reach(): Promise<Reach> {
  const root = new URL(ROOT, location.href).href;
  found ??= findReach(root).catch(() => {
    found = null;
    return reachOf(root, null);
  });
  return found;
}

/** Replaces the element's contents by the text's code. */
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
