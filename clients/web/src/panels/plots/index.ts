// The plots: the measures by time, one measure against another, and how headings and distances are spread. They show the samples that
// the model has taken since the page began, in the present and in the past. A page in a frame leaves the measures by time to the page
// around it, which shows the measures of both rooms (both.ts).

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, make, setText } from '../../app/dom';
import { framed } from '../../app/go';
import { roomTitle } from '../../flock/room';
import { TOPIC_CLUSTERS, TOPIC_MARKS, TOPIC_SWEPT } from '../../net/messages';
import { unitName } from '../../texts/names';
import { createAgainst } from './against';
import { createBar, isOverTime, measureName } from './bar';
import type { Axis } from './board';
import { type MeasureName, NAMES, type Span, clock, columnsFor, columnsOf, createColumns, joined, measureOf, newestIn, roundTop, timesOf, valueNear, within } from './columns';
import { tableOfPoints } from './curves';
import { fileName, savePictures, saveTable, tableOf } from './export';
import { createBars, createRose } from './histograms';
import { followChoices, keepChoices, loadChoices } from './kept';
import { type Plotted, plottedOf } from './rooms';
import { createShown } from './span';
import { barsOf, distancesOf, headingsOf } from './spread';
import { type Style, createStyle } from './style';
import { createSweepView } from './sweep';
import { plotsTexts } from './texts';
import { createTimeView } from './time';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

const BY = 'plots'; // the name for subscriptions

type Needs = Pick<Context, 'model' | 'source' | 'dock' | 'theme' | 'ask' | 'say'>;

export function mount({ model, source, dock, theme, ask, say }: Needs): Panel {
  const t = plotsTexts();
  const panel = byId('plots', HTMLElement);
  const said = byId('plots-said', HTMLElement);
  const shown = createShown();
  const choices = loadChoices();
  const styleOf = createStyle(panel);
  const columns = createColumns();
  let span: Span = { from: 0, to: 0 };
  let width = panel.clientWidth;

  const time = createTimeView({ shown, label: t.chart, onChange: update, onRead: read });
  const against = createAgainst(byId('plots-against', HTMLElement));
  const rose = createRose(byId('plots-headings', HTMLElement));
  const bars = createBars(byId('plots-distances', HTMLElement));
  const sweep = createSweepView({ model, ask, say, nameOf: measureName, onChange: update });

  function keep(): void {
    keepChoices(choices);
    arrange();
    update();
  }

  const bar = createBar({ choices, shown, span: () => span, saveTable: saveAsTable, savePicture, onChange: update, onChoice: keep });
  const axes = (['across', 'up'] as const).map((axis) => {
    const select = make('select', {}, ...NAMES.map((name) => make('option', { value: name }, measureName(name))));
    select.addEventListener('change', () => {
      choices[axis] = select.value as MeasureName;
      keep();
    });
    byId('plots-axes', HTMLElement).append(make('label', {}, `${t[axis]} `, select));
    return { axis, select };
  });

  /** Whether the page around this one shows the view. */
  const elsewhere = (): boolean => framed() && choices.view === 'time';

  /** Shows the parts of the chosen view. */
  function arrange(): void {
    const { view } = choices;
    bar.show();
    for (const { axis, select } of axes) select.value = choices[axis];
    panel.classList.toggle('sweeps', view === 'sweep');
    panel.classList.toggle('elsewhere', elsewhere());
    if (dock.isOpen(BY)) dispatchEvent(new Event('resize'));
    subscribe();
    offer();
  }

  /** Offers the measures to the page around this one. */
  function offer(): void {
    if (!framed()) return;
    window.plotted = dock.isOpen(BY) && elsewhere() ? { read: () => plottedOf(model), close: () => dock.toggle(BY) } : undefined;
    window.parent.postMessage({ kind: 'plots' }, location.origin);
  }

  function subscribe(): void {
    const has = dock.isOpen(BY) && model.welcome()?.capabilities.includes('topics') === true;
    const used = choices.view === 'time' ? choices.measures : [choices.across, choices.up];
    const counts = has && isOverTime(choices.view) && used.includes('clusters');
    if (!source.subscribe(TOPIC_CLUSTERS, counts, BY)) model.samples.count(null);
    source.subscribe(TOPIC_SWEPT, has && choices.view === 'sweep', BY);
    source.subscribe(TOPIC_MARKS, has && model.past().shown, BY);
  }

  function drawTime({ room, samples, now, marks, past }: Plotted, style: Style): void {
    const measures = choices.measures.map(measureOf);
    const kept = bar.kept();
    const most = width / 2;
    const over = kept === null ? [] : [columnsFor(kept, span.from - kept.from, samples, measures, room, most)];
    const own = kept === null ? columns(span, samples, measures, room, most) : columnsFor(span, 0, samples, measures, room, most);
    const picture = joined([...over, own]);
    const colors = choices.measures.map((name) => style.lines[NAMES.indexOf(name)]);
    const lines = [...over.map(() => ({ colors: colors.map(() => style.quiet), dashed: true })), { colors, dashed: false }];
    time.use({ measures, names: choices.measures.map(measureName), inks: colors, lines, style });
    time.draw({ table: picture, span, marks, shown: past ? now : null });
    const index = time.index();
    const values = picture.values.slice(-measures.length);
    const newest = newestIn(samples, span, room, measures);
    bar.showValues(newest.map((value, i) => [index === null ? value : valueNear(picture.seconds, values[i], index)]));
    setText(said, time.said());
  }

  function drawAgainst({ room, samples }: Plotted, style: Style): void {
    const measures = [measureOf(choices.across), measureOf(choices.up)];
    const wayIn = (part: Span): { x: (number | null)[]; y: (number | null)[] } => {
      const [x, y] = columnsOf(within(samples, part, room), measures, room).values;
      return { x, y };
    };
    const kept = bar.kept();
    const [way, other] = [wayIn(span), kept && wayIn(kept)];
    const axis = (which: 0 | 1): Axis => {
      const { name, most, unit } = measures[which];
      const all = [way, other].flatMap((each) => (which === 0 ? each?.x : each?.y) ?? []);
      return { most: most ?? roundTop(all), label: measureName(name), unit: unitName(unit) };
    };
    against.draw(way, other, axis(0), axis(1), style, style.lines[NAMES.indexOf(choices.up)]);
    setText(said, timesOf(span));
  }

  function drawSpread({ room }: Plotted, style: Style): void {
    const frame = model.timeline()?.newest();
    if (frame == null) return;
    const headings = headingsOf(frame);
    rose.draw(headings, style, style.lines[0], t.headings);
    setText(byId('plots-headings-of', HTMLElement), t.of(headings.of, frame.flock));
    const distances = distancesOf(frame, room);
    const figure = byId('plots-distances', HTMLElement);
    const about = byId('plots-distances-of', HTMLElement);
    figure.classList.toggle('none', distances === null);
    if (distances === null) return setText(about, t.notAll);
    const top = roundTop(distances);
    const spread = barsOf(distances, top);
    const up = { most: roundTop(spread.counts), label: t.boids, unit: '' };
    bars.draw(spread, { most: top, label: t.distances, unit: unitName('units') }, up, style, style.lines[4]);
    setText(about, t.of(spread.of, frame.flock));
    setText(said, '');
  }

  function drawSweep({ room }: Plotted, style: Style): void {
    sweep.draw(room, style);
    setText(said, sweep.said());
  }

  const drawings = { time: drawTime, against: drawAgainst, spread: drawSpread, sweep: drawSweep };

  function update(): void {
    const plotted = plottedOf(model);
    if (plotted === null || !dock.isOpen(BY) || elsewhere()) return;
    span = shown.span(plotted.end);
    bar.show();
    drawings[choices.view](plotted, styleOf(theme.now() === 'system'));
  }

  /** Tells the values at the cursor to people who do not see them. */
  function read(): void {
    update();
    setText(byId('spoken', HTMLElement), `${time.said()}, ${bar.read()}`);
  }

  function saveAsTable(): void {
    const plotted = plottedOf(model);
    if (plotted === null) return;
    const { room, samples, marks } = plotted;
    if (choices.view === 'sweep') saveTable(tableOfPoints(model.swept()?.points ?? []), `sweep-${room.code}`);
    else saveTable(`\ufeff${tableOf([{ room, samples: within(samples, span, room), marks }])}`, fileName(room, timesOf(span)));
  }

  function savePicture(): void {
    const plotted = plottedOf(model);
    const pictures = { time: [time.canvas()], against: [against.board.canvas], spread: [rose.board.canvas, bars.board.canvas], sweep: [sweep.canvas] }[choices.view];
    if (plotted === null) return;
    const { room, now } = plotted;
    const kept = bar.kept();
    const spans = isOverTime(choices.view);
    const times = spans ? timesOf(span) : clock(now);
    const over = kept === null || !spans ? '' : ` · ${t.over(timesOf(kept))}`;
    const style = styleOf(theme.now() === 'system');
    savePictures(pictures, [[`${roomTitle(room)} · ${times}${over}`, style.ink]], style, fileName(room, times));
  }

  byId('plots-close', HTMLButtonElement).addEventListener('click', () => dock.toggle(BY));
  new ResizeObserver(() => {
    width = panel.clientWidth;
    requestAnimationFrame(update);
  }).observe(panel);
  if (framed()) followChoices(choices, arrange);
  arrange();

  return {
    opened() {
      subscribe();
      offer();
      update();
    },
    room: subscribe,
    past: subscribe,
    swept: update,
    role: update,
    figures: update,
  };
}
