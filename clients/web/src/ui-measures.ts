// What the flock does, in figures with their last half minute, and the mark of its centroid.

import { type Camera, toScreen } from './camera';
import { byId, make, setText } from './dom';
import { FIGURES, HISTORY, createCourse, curve, written } from './measures';
import type { Measures } from './protocol';

const GAP = 120; // ms between two updates
const SVG = 'http://www.w3.org/2000/svg';

export interface MeasuresView {
  /** measures: of the moment that is shown; null: not known. */
  show(measures: Measures | null, now: number): void;
  /** at: the centroid, world units. */
  mark(camera: Camera, at: [number, number] | null, radius: number): void;
  toggle(): void;
  toggleMark(): void;
}

export interface MeasuresOptions {
  shown: boolean;
  onToggle(shown: boolean): void;
  marked: boolean;
  onMark(marked: boolean): void;
}

export function createMeasuresView(options: MeasuresOptions): MeasuresView {
  const panel = byId('measures', HTMLDetailsElement);
  const table = byId('measures-list', HTMLElement);
  const choice = byId('centroid-shown', HTMLInputElement);
  const mark = byId('centroid', HTMLElement);
  const rows = FIGURES.map((figure) => {
    const value = make('span', { class: 'value' });
    const line = document.createElementNS(SVG, 'polyline');
    const picture = document.createElementNS(SVG, 'svg');
    picture.setAttribute('viewBox', `0 -0.1 ${HISTORY - 1} 1.2`);
    picture.setAttribute('preserveAspectRatio', 'none');
    picture.setAttribute('aria-hidden', 'true');
    picture.append(line);
    const unit = make('span', { class: 'unit' }, figure.unit);
    // A finger cannot hover: what it taps has the focus, and shows its text below.
    const cells = make('dd', {}, picture, value, unit);
    const row = make('div', { title: figure.text, tabindex: '0' }, make('dt', {}, figure.name), cells);
    row.dataset['text'] = figure.text;
    table.append(row);
    return { figure, course: createCourse(), value, line };
  });
  let updated = -Infinity;
  let size = '';

  panel.open = options.shown;
  choice.checked = options.marked;
  panel.addEventListener('toggle', () => options.onToggle(panel.open));
  choice.addEventListener('change', () => options.onMark(choice.checked));

  return {
    show(measures, now) {
      if (now - updated < GAP) return;
      updated = now;
      panel.hidden = measures === null;
      if (measures === null) return;
      for (const { figure, course, value, line } of rows) {
        course.take(figure.of(measures), now);
        if (!panel.open) continue;
        setText(value, written(course.value()));
        line.setAttribute('points', curve(course.history(), figure.most));
      }
    },
    mark(camera, at, radius) {
      mark.hidden = at === null || !choice.checked;
      if (at === null || mark.hidden) return;
      const [x, y] = toScreen(camera, ...at);
      mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      const next = `${Math.round(2 * radius * camera.scale)}px`;
      if (next !== size) mark.style.setProperty('--size', (size = next));
    },
    toggle() {
      panel.open = !panel.open;
    },
    toggleMark() {
      choice.checked = !choice.checked;
      options.onMark(choice.checked);
    },
  };
}
