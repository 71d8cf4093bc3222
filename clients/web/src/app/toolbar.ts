// The buttons of the view and the keys that do the same.

import type { Keys } from './keys';
import { byId } from './dom';

export interface ToolbarActions {
  nextLook(): void;
  nextTheme(): void;
}

export function createToolbar(keys: Keys, { nextLook, nextTheme }: ToolbarActions): void {
  const full = byId('fullscreen', HTMLButtonElement);
  full.hidden = !document.fullscreenEnabled;

  function toggleFull(): void {
    if (!document.fullscreenEnabled) return;
    // A browser may refuse, for instance in an embedded page. Then nothing happens.
    const done = document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen();
    done.catch(() => undefined);
  }

  byId('look', HTMLButtonElement).addEventListener('click', nextLook);
  byId('theme', HTMLButtonElement).addEventListener('click', nextTheme);
  full.addEventListener('click', toggleFull);
  keys.on({ look: nextLook, theme: nextTheme, fullscreen: toggleFull });
}
