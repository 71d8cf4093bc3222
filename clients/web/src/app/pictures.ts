// The presets' pictures. The start page loads them after it has shown the presets' words.

import { pictures } from '../pictures';
import { texts } from '../texts/texts';

const SVG = 'http://www.w3.org/2000/svg';

/** Puts each preset's picture before its words, once. */
export function draw(root: ParentNode): void {
  for (const words of root.querySelectorAll<HTMLElement>('[data-preset]')) {
    const path = pictures[words.dataset['preset'] ?? ''];
    if (path === undefined || words.querySelector('svg') !== null) continue;
    const picture = document.createElementNS(SVG, 'svg');
    picture.setAttribute('viewBox', '0 0 96 64');
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', texts.start.picture);
    const lines = document.createElementNS(SVG, 'path');
    lines.setAttribute('d', path);
    picture.append(lines);
    words.prepend(picture);
  }
}
