// A presenter may show everyone another room beside this one. This page then shows both, and later this room alone again. Each time it
// loads another page, because each room needs a window of its own.

import { besideIn, roomAddress, roomCode } from '../net/codes';
import { read, write } from './storage';
import type { View } from './view';

const ALONE = 'flock.alone'; // the codes of the pair that the person has closed in this tab
const FOLLOWED = 'flock.followed'; // the code of the room for which this tab shows two
const CHANGED = 'flock.changed'; // when this tab last loaded a page, or heard of a change; ms
const REST = 3000; // ms without a change after which a page follows the next change at once

const tab = (): Storage => sessionStorage;

/** Keeps this tab from showing the pair again that the person has closed. */
export const stayAlone = (code: string, other: string): void => write(tab, ALONE, `${code} ${other}`);

/** Follows the presenter, unless the change before was a moment ago: then the page waits a little. */
export function createPair(): View {
  let wanted: string | undefined; // the code of the other room, as heard last; empty: none
  let timer: ReturnType<typeof setTimeout> | undefined;

  const note = (): void => write(tab, CHANGED, `${Date.now()}`);

  function follow(code: string, beside: string): void {
    const page = window.parent.location; // this page's, unless it is a frame
    const shown = besideIn(page)?.[1] ?? '';
    if (shown === beside || (shown === '' ? read(tab, ALONE) === `${code} ${beside}` : read(tab, FOLLOWED) !== code)) return;
    note();
    write(tab, FOLLOWED, beside && code);
    const address = new URL(roomAddress(code, location.href) + location.search);
    address.searchParams.delete('beside');
    if (beside !== '') address.searchParams.set('beside', beside);
    page.replace(address);
  }

  return {
    room({ code, beside: given }) {
      const beside = roomCode(given);
      if (beside === wanted) return;
      // A presenter who shows the pair again shows it to everyone.
      if (beside === '' && read(tab, ALONE).startsWith(`${code} `)) write(tab, ALONE, '');
      const wait = Number(read(tab, CHANGED)) + REST - Date.now();
      if (wanted !== undefined) note();
      wanted = beside;
      clearTimeout(timer);
      timer = setTimeout(() => follow(code, beside), Math.min(wait, REST));
    },
  };
}
