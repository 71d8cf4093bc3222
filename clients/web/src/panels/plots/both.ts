// The plots of two rooms beside each other, in the page around their frames: their measures by time in one picture. Each room has a colour.
// The newest samples of both are at the same place, because the rooms have clocks of their own.

import { byId, keepHeight, make, setText } from '../../app/dom';
import { loadSheet } from '../../app/sheet';
import { roomTitle } from '../../flock/room';
import { createBar, measureName } from './bar';
import { type Columns, type Span, clock, columnsFor, joined, measureOf, newestIn, timesOf, valueNear, within } from './columns';
import { fileName, savePictures, saveTable, tableOf } from './export';
import sheet from './index.css';
import html from './index.html';
import { followChoices, keepChoices, loadChoices } from './kept';
import type { Mark } from './marks';
import type { Plotted } from './rooms';
import { createShown } from './span';
import { type Style, createStyle } from './style';
import { plotsTexts } from './texts';
import { createTimeView } from './time';

const UPDATED = 250; // ms between two pictures

interface Known extends Plotted {
  title: string;
  color: number; // index in the colours of the measures
  ahead: number; // how far the picture's time is ahead of the room's, s
}

export interface Both {
  /** Shows or hides the panel. */
  show(open: boolean): void;
}

/** Adds the panel to the page. frames: of the rooms. leave: takes the focus away. fill: fills the texts into HTML. */
export async function createBoth(frames: readonly HTMLIFrameElement[], leave: () => void, fill: (root: ParentNode) => void): Promise<Both> {
  await loadSheet(sheet, import.meta.url);
  const t = plotsTexts();
  const made = make('div', {});
  made.innerHTML = html;
  fill(made);
  document.body.append(...made.children);
  const panel = byId('plots', HTMLElement);
  const said = byId('plots-said', HTMLElement);
  panel.classList.add('both');
  const names = [0, 1].map((color) => {
    const name = make('span', {});
    byId('plots-title', HTMLElement).before(make('span', { class: 'plots-room' }, make('i', { class: `plot-${color}` }), name));
    return name;
  });
  const forced = matchMedia('(forced-colors: active)');
  const shown = createShown();
  const choices = loadChoices();
  const styleOf = createStyle(panel);
  let span: Span = { from: 0, to: 0 };

  const time = createTimeView({ shown, label: t.chart, onChange: update, onRead: update });
  const bar = createBar({
    ...{ choices, shown, span: () => span, onChange: update },
    onChoice() {
      keepChoices(choices);
      update();
    },
    saveTable() {
      const rooms = known().map(({ room, samples, marks, ahead }) => ({ room, marks, samples: within(samples, moved(span, -ahead), room) }));
      if (rooms.length > 0) saveTable(`\ufeff${tableOf(rooms)}`, fileName(rooms[0].room, timesOf(span)));
    },
    savePicture() {
      const rooms = known();
      const style = styleOf(forced.matches);
      const title = rooms.map(({ title, color }) => [title, style.lines[color]] as const);
      if (rooms.length > 0) savePictures([time.canvas()], title, style, fileName(rooms[0].room, timesOf(span)));
    },
  });

  function known(): Known[] {
    const found = frames.flatMap(({ contentWindow }, color) => {
      const each = contentWindow?.plotted?.read() ?? null;
      return each === null ? [] : [{ ...each, color }];
    });
    const titles = found.map(({ room }) => roomTitle(room));
    return found.map((each, index) => ({
      ...each,
      ahead: found[0].now - each.now,
      title: titles[index] === titles[1 - index] ? `${titles[index]} ${each.room.code}` : titles[index],
    }));
  }

  function update(): void {
    const rooms = known();
    document.documentElement.classList.toggle('projector', frames.some(isProjector));
    if (rooms.length === 0 || panel.hidden) return;
    span = shown.span(Math.max(...rooms.map(({ end, ahead }) => end + ahead)));
    bar.show();
    const style = styleOf(forced.matches);
    const measures = choices.measures.map(measureOf);
    const kept = bar.kept();
    const columnsIn = (part: Span): Columns[] =>
      rooms.map(({ room, samples, ahead }) =>
        columnsFor(moved(part, -ahead), span.from - part.from + ahead, samples, measures, room, panel.clientWidth / 2),
      );
    const table = joined([...(kept === null ? [] : columnsIn(kept)), ...columnsIn(span)]);
    // If the system forces its colours, both rooms have the same.
    const lines = (kept === null ? [false] : [true, false]).flatMap((old) =>
      rooms.map(({ color }) => ({ colors: measures.map(() => style.lines[color]), dashed: old || (forced.matches && color > 0) })),
    );
    time.use({ measures, names: choices.measures.map(measureName), inks: measures.map(() => style.ink), lines, style });
    time.draw({ table, span, marks: rooms.flatMap((each) => marksOf(each, style)).sort((a, b) => a.at - b.at), shown: null });
    const index = time.index();
    const first = table.values.length - rooms.length * measures.length; // the column of the first room's first measure
    const newest = rooms.map(({ room, samples, ahead }) => newestIn(samples, moved(span, -ahead), room, measures));
    const valueIn = (newest: number | null, column: number): number | null =>
      index === null ? newest : valueNear(table.seconds, table.values[column], index);
    bar.showValues(measures.map((_, i) => newest.map((values, room) => valueIn(values[i], first + room * measures.length + i))));
    rooms.forEach(({ title, color, now, ahead }) => {
      const at = index === null ? now : table.seconds[index] - ahead;
      setText(names[color], `${title} ${clock(Math.max(0, at))}`);
    });
    setText(said, time.said());
  }

  followChoices(choices, update);
  byId('plots-close', HTMLButtonElement).addEventListener('click', () => frames.find(isOffering)?.contentWindow?.plotted?.close());
  new ResizeObserver(() => requestAnimationFrame(update)).observe(panel);
  keepHeight(panel, '--plots');
  setInterval(update, UPDATED);

  return {
    show(open) {
      if (panel.hidden !== open) return;
      if (panel.contains(document.activeElement)) leave();
      panel.hidden = !open;
      if (open) panel.focus({ preventScroll: true });
      update();
    },
  };
}

const isOffering = ({ contentWindow }: HTMLIFrameElement): boolean => contentWindow?.plotted !== undefined;
const isProjector = ({ contentDocument }: HTMLIFrameElement): boolean => contentDocument?.documentElement.classList.contains('projector') === true;

const moved = ({ from, to }: Span, by: number): Span => ({ from: from + by, to: to + by });

/** Returns the room's changes, in the picture's time. */
const marksOf = ({ marks, ahead, title, color }: Known, { lines }: Style): Mark[] =>
  marks.map(({ at, text }) => ({ at: at + ahead, text: `${title}: ${text}`, color: lines[color] }));
