// A presenter may show everyone another room beside this one. This page then shows both, and later this room alone again.

import { besideAddress, besideIn, roomAddress } from '../net/codes';
import { framed } from './go';
import { read, write } from './storage';

const ALONE = 'flock.alone'; // the codes of the pair that the person has closed in this tab
const FOLLOWED = 'flock.followed'; // the code of the room for which this tab shows two

const tab = (): Storage => sessionStorage;

/** Keeps this tab from showing the pair again that the person has closed. */
export const stayAlone = (code: string, other: string): void => write(tab, ALONE, `${code} ${other}`);

/** Shows the room with the code `beside` beside this one, or this one alone if the code is empty. */
export function followPair(code: string, beside: string): void {
  /** The address with the parameters of this page's. */
  function go(page: Location, to: string): void {
    const address = new URL(to);
    for (const [name, value] of new URLSearchParams(location.search)) if (!address.searchParams.has(name)) address.searchParams.set(name, value);
    page.replace(address);
  }

  // A presenter who shows the pair again shows it to everyone.
  if (beside === '' && read(tab, ALONE).startsWith(`${code} `)) write(tab, ALONE, '');
  if (!framed()) {
    if (beside === '' || read(tab, ALONE) === `${code} ${beside}`) return;
    write(tab, FOLLOWED, code);
    go(location, besideAddress(code, beside, location.href));
    return;
  }
  const shown = besideIn(window.parent.location)?.[1] ?? '';
  if (read(tab, FOLLOWED) !== code || shown === beside) return;
  if (beside === '') write(tab, FOLLOWED, '');
  go(window.parent.location, beside === '' ? roomAddress(code, location.href) : besideAddress(code, beside, location.href));
}
