// The buttons of the view and the keys that do the same.

import type { Keys } from './keys';
import { byId } from './dom';

/** nextTheme: changes to the other theme. */
export function createToolbar(keys: Keys, nextTheme: () => void): void {
  const full = byId('fullscreen', HTMLButtonElement);
  full.hidden = !document.fullscreenEnabled;

  function toggleFull(): void {
    if (!document.fullscreenEnabled) return;
    // A browser may refuse, for instance in an embedded page. Then nothing happens.
    const done = document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen();
    done.catch(() => undefined);
  }

  full.addEventListener('click', toggleFull);
  keys.on({ theme: nextTheme, fullscreen: toggleFull });
}
