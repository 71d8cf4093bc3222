// The flock's measures with their last 30 s, and the switch for the mark of its centroid.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, make, setText } from '../../app/dom';
import { FIGURES, type FigureName, HISTORY, createCourse, curve } from '../../flock/measures';
import { TOPIC_CLUSTERS } from '../../net/messages';
import { unitName } from '../../texts/names';
import { number, texts, written } from '../../texts/texts';
import type { Words } from './words';

const GAP = 120; // ms between two updates
const SVG = 'http://www.w3.org/2000/svg';

const MARK = 'centroid'; // the layer

type Needs = Pick<Context, 'model' | 'source' | 'keys' | 'layers' | 'load' | 'settings' | 'dock'>;

export function mount({ model, source, keys, layers, load, settings, dock }: Needs): Panel {
  const panel = byId('measures', HTMLDetailsElement);
  const table = byId('measures-list', HTMLElement);
  const choice = byId('centroid-shown', HTMLInputElement);

  function addRow(figure: FigureName, unitText: string) {
    const { name, text } = texts.measures.figures[figure];
    const value = make('span', { class: 'value' });
    const line = document.createElementNS(SVG, 'polyline');
    const picture = document.createElementNS(SVG, 'svg');
    picture.setAttribute('viewBox', `0 -0.1 ${HISTORY - 1} 1.2`);
    picture.setAttribute('preserveAspectRatio', 'none');
    picture.setAttribute('aria-hidden', 'true');
    picture.append(line);
    const unit = make('span', { class: 'unit' }, unitText);
    // A tooltip needs a mouse. A finger's tap or a key shows the text below the row instead.
    const term = make('button', { type: 'button', 'aria-expanded': 'false' }, name);
    const about = make('dd', { class: 'about', hidden: '' }, text);
    const row = make('div', { title: text }, make('dt', {}, term), make('dd', {}, picture, value, unit), about);
    term.addEventListener('click', () => {
      about.hidden = !about.hidden;
      term.setAttribute('aria-expanded', String(!about.hidden));
    });
    row.dataset['figure'] = figure;
    table.append(row);
    return { row, value, unit, line };
  }

  const rows = FIGURES.map((figure) => ({ figure, ...addRow(figure.name, unitName(figure.unit)) }));
  const clusterRow = addRow('clusters', '');
  let clusters = createCourse();
  let counted = model.clusters(); // the last count in the course
  let joined = model.welcome(); // the course begins again with each welcome
  const inWords = byId('words-shown', HTMLInputElement);
  const sentence = byId('words', HTMLElement);
  let words: Words | null = null; // null: the person does not want words
  let updated = -Infinity;

  async function useWords(): Promise<void> {
    sentence.hidden = !inWords.checked;
    setText(sentence, '');
    words = null;
    if (!inWords.checked) return;
    const { createWords } = await load(() => import('./words'));
    words = inWords.checked ? createWords() : null;
  }

  function say(now: number): void {
    const [newest, room] = [model.timeline()?.newest(), model.room()];
    const text = newest == null || room === null ? null : (words?.next(newest, room, now) ?? null);
    if (text !== null) setText(sentence, text);
  }

  function mark(shown: boolean): void {
    choice.checked = shown;
    layers.show(MARK, shown);
  }

  function choose(shown: boolean): void {
    mark(shown);
    settings.keepCentroidShown(shown);
  }

  /** The server counts clusters only for people who look at them. */
  function subscribe(): void {
    const has = model.welcome()?.capabilities.includes('topics') === true;
    clusterRow.row.hidden = !has;
    if (!source.subscribe(TOPIC_CLUSTERS, panel.open && has)) model.samples.count(null);
  }

  function showClusters(now: number): void {
    const newest = model.clusters();
    if (joined !== model.welcome()) clusters = createCourse();
    joined = model.welcome();
    if (newest !== null && newest !== counted) {
      clusters.take(newest.count, now);
      setText(clusterRow.value, number(newest.count, 0));
      setText(clusterRow.unit, newest.boids < (model.timeline()?.newest()?.flock ?? 0) ? texts.measures.sampled : '');
    }
    counted = newest;
    clusterRow.line.setAttribute('points', curve(clusters.history(), null));
  }

  mark(settings.centroidShown());
  inWords.checked = settings.inWords();
  inWords.addEventListener('change', () => {
    settings.keepInWords(inWords.checked);
    void useWords();
  });
  void useWords();
  choice.addEventListener('change', () => choose(choice.checked));
  byId('measures-plots', HTMLButtonElement).addEventListener('click', () => dock.toggle('plots'));
  keys.on({ centroid: () => choose(!layers.isOn(MARK)) });

  return {
    opened: subscribe,
    room: subscribe,
    frame({ now }) {
      if (now - updated < GAP) return;
      updated = now;
      choice.checked = layers.wants(MARK);
      const courses = model.series.courses();
      panel.hidden = courses === null;
      if (courses === null || !panel.open) return;
      say(now);
      showClusters(now);
      rows.forEach(({ figure, value, line }, index) => {
        setText(value, written(courses[index].value()));
        line.setAttribute('points', curve(courses[index].history(), figure.most));
      });
    },
  };
}
