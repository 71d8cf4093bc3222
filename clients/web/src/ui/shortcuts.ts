// Letters and signs as keys of the page, which can be taken off: who speaks to a computer types them without meaning to.

import { byId } from './dom';
import { keyOf, writing } from './input';

export function createShortcuts(on: boolean, keep: (on: boolean) => void): void {
  const choice = byId('shortcuts', HTMLInputElement);
  choice.checked = on;
  choice.addEventListener('change', () => keep(choice.checked));
  // Before anyone else hears of it. What an element does with a key by itself, such as a button with the space bar, stays.
  const muffle = (event: KeyboardEvent): void => {
    if (!choice.checked && keyOf(event).length === 1 && !writing(event.target)) event.stopImmediatePropagation();
  };
  addEventListener('keydown', muffle, true);
}
