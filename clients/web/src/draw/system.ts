// The colours that the operating system forces on pages (forced-colors). Loaded when it does.

import { COLORS, type Color } from './scene';

/** Returns a system colour by its CSS name. */
function readColor(name: string): Color {
  const sample = document.createElement('i');
  sample.style.color = name;
  document.body.append(sample);
  const [r, g, b] = (getComputedStyle(sample).color.match(/[\d.]+/g) ?? []).map((value) => Number(value) / 255);
  sample.remove();
  return [r ?? 0, g ?? 0, b ?? 0];
}

/** Draws the flock in the system's colours. */
export function useSystemColors(read = readColor): void {
  const [ground, text, mark] = [read('Canvas'), read('CanvasText'), read('Highlight')];
  const light = ground[1] > 0.5;
  const own = COLORS.dark.own.map(() => text);
  COLORS.system = { light, plain: true, middle: ground, edge: ground, frame: text, ink: mark, own };
}
