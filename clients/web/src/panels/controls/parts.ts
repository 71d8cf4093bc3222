// The parts of the panel, which fold into their titles. The page remembers which are folded. A notice below them never covers the
// control that has the focus.

import type { Context } from '../../app/context';
import { byId } from '../../app/dom';

export function createParts({ settings }: Pick<Context, 'settings'>): void {
  const scroll = byId('panel-scroll', HTMLElement);

  for (const part of scroll.querySelectorAll<HTMLDetailsElement>('details.part')) {
    part.open = settings.wasOpen(part.id, 'browser') !== false;
    part.addEventListener('toggle', () => settings.keepOpen(part.id, 'browser', part.open));
  }

  /** Not during a drag: a browser ends the drag of a slider that moves away. */
  function showFocus(): void {
    const focused = document.activeElement;
    if (focused !== null && scroll.contains(focused) && !scroll.matches(':active')) focused.scrollIntoView({ block: 'nearest' });
  }

  new ResizeObserver(showFocus).observe(scroll);
}
