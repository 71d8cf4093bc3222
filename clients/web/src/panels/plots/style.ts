// The colours and fonts of the plots, from the page's style sheet.

export interface Style {
  ink: string;
  quiet: string;
  line: string;
  accent: string;
  ground: string;
  lines: readonly string[]; // a colour for each measure
  size: number; // of the text, CSS pixels
}

const COLORS = 8;

/** Returns the style of the panel. plain: the system forces its colours on pages. */
export function styleOf(panel: HTMLElement, plain: boolean): Style {
  const found = getComputedStyle(panel);
  const of = (name: string): string => found.getPropertyValue(name).trim();
  const forced = { ink: 'CanvasText', quiet: 'CanvasText', line: 'GrayText', accent: 'Highlight', ground: 'Canvas' };
  const own = { ink: of('--ink'), quiet: of('--quiet'), line: of('--line'), accent: of('--accent'), ground: of('--solid') };
  const lines = Array.from({ length: COLORS }, (_, index) => (plain ? 'CanvasText' : of(`--plot-${index}`)));
  return { ...(plain ? forced : own), lines, size: Math.round(Number.parseFloat(found.fontSize)) };
}
