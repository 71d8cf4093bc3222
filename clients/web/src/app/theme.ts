// The theme: light or dark, as the person has chosen, else as the system prefers. If the system forces its own colours, the page draws
// the flock in these.

import type { Theme, THEMES } from '../draw/scene';
import { read, write } from './storage';

export type ThemeName = (typeof THEMES)[number];

const KEPT = 'flock.theme';

export interface ThemeChoice {
  /** The theme to draw with. */
  now(): Theme;
  /** The person's choice; null: as the system prefers. */
  chosen(): ThemeName | null;
  choose(theme: ThemeName | null): void;
  /** Changes to the other theme. */
  next(): void;
}

function keptTheme(): ThemeName | null {
  const kept = read(() => localStorage, KEPT);
  return kept === 'light' || kept === 'dark' ? kept : null;
}

/** onForced: called when the system forces its colours. */
export function createTheme(onForced: () => void = () => undefined): ThemeChoice {
  const forced = matchMedia('(forced-colors: active)');
  const bright = matchMedia('(prefers-color-scheme: light)');
  let chosen = keptTheme();
  // The value is kept: Chromium fires no event for a change that was read before it.
  let isBright = bright.matches;
  const preferred = (): ThemeName => (isBright ? 'light' : 'dark');
  const theme = (): ThemeName => chosen ?? preferred();

  function show(): void {
    document.documentElement.classList.toggle('light', theme() === 'light');
    if (forced.matches) onForced();
  }

  function choose(next: ThemeName | null): void {
    chosen = next;
    write(() => localStorage, KEPT, next ?? '');
    show();
  }

  forced.addEventListener('change', show);
  bright.addEventListener('change', ({ matches }) => {
    isBright = matches;
    show();
  });
  // Another tab, or the other of two rooms beside each other, has another theme now.
  addEventListener('storage', ({ key }) => {
    if (key !== KEPT) return;
    chosen = keptTheme();
    show();
  });
  show();
  return {
    now: () => (forced.matches ? 'system' : theme()),
    chosen: () => chosen,
    choose,
    next() {
      const other = theme() === 'light' ? 'dark' : 'light';
      choose(other === preferred() ? null : other); // then it follows the system again
    },
  };
}
