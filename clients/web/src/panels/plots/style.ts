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

function styleOf(panel: HTMLElement, plain: boolean): Style {
  const found = getComputedStyle(panel);
  const of = (name: string): string => found.getPropertyValue(name).trim();
  const forced = { ink: 'CanvasText', quiet: 'CanvasText', line: 'GrayText', accent: 'Highlight', ground: 'Canvas' };
  const own = { ink: of('--ink'), quiet: of('--quiet'), line: of('--line'), accent: of('--accent'), ground: of('--solid') };
  const lines = Array.from({ length: COLORS }, (_, index) => (plain ? 'CanvasText' : of(`--plot-${index}`)));
  return { ...(plain ? forced : own), lines, size: Math.round(Number.parseFloat(found.fontSize)) };
}

/** Returns a function that returns the panel's style. To ask the browser for it takes long, so the function remembers it until the
 * page's or the panel's classes or the window's size change. plain: the system forces its colours on pages. */
export function createStyle(panel: HTMLElement): (plain: boolean) => Style {
  let known: Style | null = null;
  let of = ''; // the classes with that style
  addEventListener('resize', () => (known = null));
  return (plain) => {
    const classes = `${document.documentElement.className}/${panel.className}/${plain}`;
    if (known === null || classes !== of) known = styleOf(panel, plain);
    of = classes;
    return known;
  };
}
