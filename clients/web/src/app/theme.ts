// The theme: light or dark, by the person's choice. If the system forces its own colours, the page draws the flock in these.

import { type Color, type Theme, THEMES, useSystemColors } from '../draw/scene';

export interface ThemeChoice {
  /** The theme to draw with. */
  now(): Theme;
  next(): void;
}

export function createTheme(chosen: (typeof THEMES)[number], keep: (theme: (typeof THEMES)[number]) => void): ThemeChoice {
  const forced = matchMedia('(forced-colors: active)');

  function show(): void {
    document.documentElement.classList.toggle('light', chosen === 'light');
    if (forced.matches) useSystemColors(readColor);
  }

  forced.addEventListener('change', show);
  show();
  return {
    now: () => (forced.matches ? 'system' : chosen),
    next() {
      chosen = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length];
      keep(chosen);
      show();
    },
  };
}

/** Returns a system colour by its CSS name. */
function readColor(name: string): Color {
  const sample = document.createElement('i');
  sample.style.color = name;
  document.body.append(sample);
  const [r, g, b] = (getComputedStyle(sample).color.match(/[\d.]+/g) ?? []).map((value) => Number(value) / 255);
  sample.remove();
  return [r ?? 0, g ?? 0, b ?? 0];
}
