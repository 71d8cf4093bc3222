// The head of the plots: their views, tools and measures.

import { byId, make, setText } from '../../app/dom';
import { number, texts, written } from '../../texts/texts';
import { type MeasureName, NAMES, type Span, timesOf } from './columns';
import { type Choices, VIEWS, type ViewName } from './kept';
import type { Shown } from './span';
import { plotsTexts } from './texts';

export interface BarOptions {
  choices: Choices;
  shown: Shown;
  /** Returns the span on the screen. */
  span(): Span;
  saveTable(): void;
  savePicture(): void;
  /** Called after the span has changed. */
  onChange(): void;
  /** Called after a choice has changed. */
  onChoice(): void;
}

export interface Bar {
  /** The span that is laid over the shown one; null: none. */
  kept(): Span | null;
  /** Shows the choices, and whether the span follows the flock. */
  show(): void;
  /** Shows the values of the chosen measures: of each of them, a value for each room. */
  showValues(values: readonly (readonly (number | null)[])[]): void;
  /** Returns the shown values as a text. */
  read(): string;
}

export const measureName = (name: MeasureName): string =>
  name === 'boids' || name === 'distance' ? plotsTexts().names[name] : texts.measures.figures[name].name;

/** Parts of the panel, and the view that shows them. */
const PARTS: readonly (readonly [string, ViewName])[] = [
  ['time', 'time'],
  ['measures', 'time'],
  ['against', 'against'],
  ['axes', 'against'],
  ['spread', 'spread'],
];

/** Whether the view shows a span of the flock's time. */
export const isOverTime = (view: ViewName): boolean => view === 'time' || view === 'against';

const formatted = (name: MeasureName, value: number | null): string =>
  value === null ? '' : name === 'boids' || name === 'clusters' ? number(value) : written(value);

export function createBar({ choices, shown, span, saveTable, savePicture, onChange, onChoice }: BarOptions): Bar {
  const t = plotsTexts();
  const panel = byId('plots', HTMLElement);
  let kept: Span | null = null;
  let shows = ''; // the choices that the bar shows, as JSON

  /** A button with a sign in place of a text is called as its effect. */
  function add(text: string, about: string, run: () => void): HTMLButtonElement {
    const made = make('button', { type: 'button', title: about, ...(!/^\w*$/.test(text) && { 'aria-label': about }) }, text);
    made.addEventListener('click', run);
    byId('plots-tools', HTMLElement).append(made);
    return made;
  }

  const changing = (text: string, about: string, run: () => void): HTMLButtonElement =>
    add(text, about, () => {
      run();
      onChange();
    });

  /** Shows the measure, or hides it if it is not the only one. */
  function toggleMeasure(name: MeasureName): void {
    const next = NAMES.filter((each) => (each === name) !== choices.measures.includes(each));
    if (next.length === 0) return;
    choices.measures = next;
    onChoice();
  }

  const views = VIEWS.map((view) => {
    const input = make('input', { type: 'radio', name: 'plots-view' });
    input.addEventListener('change', () => {
      choices.view = view;
      onChoice();
    });
    byId('plots-views', HTMLElement).append(make('label', {}, input, make('span', {}, t.views[view])));
    return { view, input };
  });
  const zooms = [
    changing('−', t.zoomOut, () => shown.zoom(0.5)),
    changing('+', t.zoomIn, () => shown.zoom(2)),
    changing('◄', t.earlier, () => shown.move(-0.5)),
    changing('►', t.later, () => shown.move(0.5)),
    changing('►|', t.follow, shown.follow),
  ];
  const overlay = changing('', '', () => (kept = kept === null ? span() : null));
  const table = add('CSV', t.csv, saveTable);
  add('PNG', t.png, savePicture);
  const larger = add('⤢', t.larger, () => {
    choices.large = !choices.large;
    onChoice();
  });
  const toggles = NAMES.map((name, index) => {
    const value = make('b', {});
    const made = make('button', { type: 'button' }, make('i', { class: `plot-${index}` }), make('span', {}, measureName(name)), value);
    made.addEventListener('click', () => toggleMeasure(name));
    byId('plots-measures', HTMLElement).append(made);
    return { name, made, value };
  });
  setText(byId('plots-title', HTMLElement), t.title);
  byId('plots-measures', HTMLElement).setAttribute('aria-label', t.measures);

  return {
    kept: () => kept,
    show() {
      const { view, large, measures } = choices;
      const next = JSON.stringify([view, large, measures, kept, shown.follows()]);
      if (next === shows) return;
      shows = next;
      for (const each of views) each.input.checked = each.view === view;
      for (const { name, made } of toggles) made.setAttribute('aria-pressed', String(measures.includes(name)));
      for (const each of [...zooms, overlay]) each.hidden = !isOverTime(view);
      for (const [name, of] of PARTS) byId(`plots-${name}`, HTMLElement).hidden = view !== of;
      table.hidden = view === 'spread';
      larger.setAttribute('aria-pressed', String(large));
      panel.classList.toggle('large', large);
      setText(overlay, kept === null ? t.keepShort : t.forgetShort);
      overlay.title = kept === null ? t.keep : t.forget(timesOf(kept));
      zooms[4].disabled = shown.follows();
    },
    showValues(values) {
      for (const { name, value } of toggles) {
        const found = values[choices.measures.indexOf(name)] ?? [];
        setText(value, found.every((each) => each === null) ? '' : found.map((each) => formatted(name, each) || '–').join(' · '));
      }
    },
    read: () =>
      toggles
        .filter(({ value }) => value.textContent !== '')
        .map(({ name, value }) => `${measureName(name)} ${value.textContent}`)
        .join(', '),
  };
}
