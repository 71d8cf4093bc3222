// The plots: the measures by time, one measure against another, and how headings and distances are spread. They show the samples that
// the model has taken since the page began, in the present and in the past.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, make, setText } from '../../app/dom';
import { save } from '../../app/save';
import { roomTitle } from '../../flock/room';
import { TOPIC_CLUSTERS, TOPIC_MARKS, TOPIC_SWEPT } from '../../net/messages';
import type { Room } from '../../net/protocol';
import { unitName } from '../../texts/names';
import { number, texts, written } from '../../texts/texts';
import { createAgainst } from './against';
import type { Axis } from './board';
import { type MeasureName, NAMES, type Span, clock, columnsOf, measureOf, roundTop, thinned, valuesAt, within } from './columns';
import { tableOfPoints } from './curves';
import { compose, tableOf } from './export';
import { createBars, createRose } from './histograms';
import { VIEWS, keepChoices, loadChoices } from './kept';
import type { Mark } from './lanes';
import { createShown } from './span';
import { barsOf, distancesOf, headingsOf } from './spread';
import { type Style, styleOf } from './style';
import { createSweepView } from './sweep';
import { plotsTexts } from './texts';
import { createTimeView } from './time';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

const AHEAD = 30; // s that are shown after the shown moment of the past, if they are known
const BY = 'plots'; // the name for subscriptions

type Needs = Pick<Context, 'model' | 'source' | 'dock' | 'theme' | 'ask' | 'say'>;

export function mount({ model, source, dock, theme, ask, say }: Needs): Panel {
  const t = plotsTexts();
  const panel = byId('plots', HTMLElement);
  const [spreads, said] = [byId('plots-spread', HTMLElement), byId('plots-said', HTMLElement)];
  const shown = createShown();
  const choices = loadChoices();
  let kept: Span | null = null; // the span that is laid over the shown one
  let span: Span = { from: 0, to: 0 };

  const nameOf = (name: MeasureName): string => (name === 'boids' || name === 'distance' ? t.names[name] : texts.measures.figures[name].name);
  const time = createTimeView({ shown, label: t.chart, onChange: update, onRead: read });
  const against = createAgainst(byId('plots-against', HTMLElement));
  const rose = createRose(byId('plots-headings', HTMLElement));
  const bars = createBars(byId('plots-distances', HTMLElement));
  const sweep = createSweepView({ model, ask, say, nameOf, onChange: update });

  /** A button with a sign in place of a text is called as its effect. */
  function button(parent: string, text: string, about: string, run: () => void): HTMLButtonElement {
    const made = make('button', { type: 'button', title: about, ...(!/^\w*$/.test(text) && { 'aria-label': about }) }, text);
    made.addEventListener('click', run);
    byId(parent, HTMLElement).append(made);
    return made;
  }

  function keep(): void {
    keepChoices(choices);
    arrange();
    update();
  }

  const changing = (run: () => void) => (): void => {
    run();
    update();
  };

  const views = VIEWS.map((view) => {
    const input = make('input', { type: 'radio', name: 'plots-view' });
    input.addEventListener('change', () => {
      choices.view = view;
      keep();
    });
    byId('plots-views', HTMLElement).append(make('label', {}, input, make('span', {}, t.views[view])));
    return { view, input };
  });
  const zooms = [
    button('plots-tools', '−', t.zoomOut, changing(() => shown.zoom(0.5))),
    button('plots-tools', '+', t.zoomIn, changing(() => shown.zoom(2))),
    button('plots-tools', '◀', t.earlier, changing(() => shown.move(-0.5))),
    button('plots-tools', '▶', t.later, changing(() => shown.move(0.5))),
    button('plots-tools', '▶|', t.follow, changing(shown.follow)),
  ];
  const overlay = button('plots-tools', '', '', changing(() => (kept = kept === null ? span : null)));
  const table = button('plots-tools', 'CSV', t.csv, saveTable);
  button('plots-tools', 'PNG', t.png, savePicture);
  const larger = button('plots-tools', '⤢', t.larger, () => {
    choices.large = !choices.large;
    keep();
  });
  const toggles = NAMES.map((name, index) => {
    const value = make('b', {});
    const made = make('button', { type: 'button' }, make('i', { class: `plot-${index}` }), make('span', {}, nameOf(name)), value);
    made.addEventListener('click', () => toggleMeasure(name));
    byId('plots-measures', HTMLElement).append(made);
    return { name, made, value };
  });
  for (const axis of ['across', 'up'] as const) {
    const select = make('select', {}, ...NAMES.map((name) => make('option', { value: name }, nameOf(name))));
    select.value = choices[axis];
    select.addEventListener('change', () => {
      choices[axis] = select.value as MeasureName;
      keep();
    });
    byId('plots-axes', HTMLElement).append(make('label', {}, `${t[axis]} `, select));
  }

  /** Shows the measure, or hides it if it is not the only one. */
  function toggleMeasure(name: MeasureName): void {
    const next = NAMES.filter((each) => (each === name) !== choices.measures.includes(each));
    if (next.length === 0) return;
    choices.measures = next;
    keep();
  }

  /** Whether the view shows a span of the flock's time. */
  const overTime = (): boolean => choices.view === 'time' || choices.view === 'against';

  /** Shows the parts of the chosen view. */
  function arrange(): void {
    const { view, large, measures } = choices;
    for (const each of views) each.input.checked = each.view === view;
    for (const name of ['time', 'against'] as const) byId(`plots-${name}`, HTMLElement).hidden = view !== name;
    byId('plots-measures', HTMLElement).hidden = view !== 'time';
    byId('plots-axes', HTMLElement).hidden = view !== 'against';
    spreads.hidden = view !== 'spread';
    for (const each of [...zooms, overlay]) each.hidden = !overTime();
    table.hidden = view === 'spread';
    panel.classList.toggle('sweeps', view === 'sweep');
    for (const { name, made } of toggles) made.setAttribute('aria-pressed', String(measures.includes(name)));
    larger.setAttribute('aria-pressed', String(large));
    if (panel.classList.toggle('large', large) !== large || dock.isOpen(BY)) dispatchEvent(new Event('resize'));
    subscribe();
  }

  function subscribe(): void {
    const has = dock.isOpen(BY) && model.welcome()?.capabilities.includes('topics') === true;
    const used = choices.view === 'time' ? choices.measures : [choices.across, choices.up];
    const counts = has && overTime() && used.includes('clusters');
    if (!source.subscribe(TOPIC_CLUSTERS, counts, BY)) model.samples.count(null);
    source.subscribe(TOPIC_SWEPT, has && choices.view === 'sweep', BY);
    source.subscribe(TOPIC_MARKS, has && model.past().shown, BY);
  }

  /** Returns the time that the flock on the screen has, s. */
  const now = ({ tickRate }: Room): number => (model.timeline()?.newest()?.tick ?? 0) / tickRate;

  /** Returns the end of the span that follows the flock. */
  function endOf(room: Room): number {
    const at = now(room);
    const last = (model.samples.all().at(-1)?.tick ?? 0) / room.tickRate;
    return model.past().shown ? Math.max(at, Math.min(last, at + AHEAD)) : at;
  }

  /** Returns who changed what, in the present or in the past that the room shows. */
  function marksIn(room: Room): Mark[] {
    const back = model.secondsBack(performance.now());
    if (back === null) return model.samples.changes().map(({ tick, text }) => ({ at: tick / room.tickRate, text }));
    const end = now(room) + back;
    return model.marks().map((mark) => ({ at: end - mark.back, text: mark.text }));
  }

  function drawTime(room: Room, style: Style): void {
    const measures = choices.measures.map(measureOf);
    const samples = model.samples.all();
    const columns = thinned(columnsOf(within(samples, span, room), measures, room), panel.clientWidth / 2, span);
    const laid = kept && valuesAt(columns.seconds, kept.from - span.from, columnsOf(within(samples, kept, room), measures, room));
    const colors = choices.measures.map((name) => style.lines[NAMES.indexOf(name)]);
    time.use(measures, choices.measures.map(nameOf), colors, style);
    time.draw({ columns, kept: laid, span, marks: marksIn(room), shown: model.past().shown ? now(room) : null });
    const index = time.index() ?? columns.seconds.length - 1;
    for (const { name, value } of toggles) {
      const found = columns.values[choices.measures.indexOf(name)]?.[index] ?? null;
      setText(value, found === null ? '' : name === 'boids' || name === 'clusters' ? number(found) : written(found));
    }
    setText(said, time.said());
  }

  function drawAgainst(room: Room, style: Style): void {
    const measures = [measureOf(choices.across), measureOf(choices.up)];
    const samples = model.samples.all();
    const wayIn = (part: Span): { x: (number | null)[]; y: (number | null)[] } => {
      const [x, y] = columnsOf(within(samples, part, room), measures, room).values;
      return { x, y };
    };
    const [way, other] = [wayIn(span), kept && wayIn(kept)];
    const axis = (which: 0 | 1): Axis => {
      const { name, most, unit } = measures[which];
      const all = [way, other].flatMap((each) => (which === 0 ? each?.x : each?.y) ?? []);
      return { most: most ?? roundTop(all), label: nameOf(name), unit: unitName(unit) };
    };
    against.draw(way, other, axis(0), axis(1), style, style.lines[NAMES.indexOf(choices.up)]);
    setText(said, `${clock(span.from)} – ${clock(span.to)}`);
  }

  function drawSpread(room: Room, style: Style): void {
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

  function update(): void {
    const room = model.room();
    if (room === null || !dock.isOpen(BY)) return;
    const style = styleOf(panel, theme.now() === 'system');
    span = shown.span(endOf(room));
    zooms[4].disabled = shown.follows();
    setText(overlay, kept === null ? t.keepShort : t.forgetShort);
    overlay.title = kept === null ? t.keep : t.forget(clock(kept.from), clock(kept.to));
    if (choices.view === 'time') drawTime(room, style);
    if (choices.view === 'against') drawAgainst(room, style);
    if (choices.view === 'spread') drawSpread(room, style);
    if (choices.view === 'sweep') {
      sweep.draw(room, style);
      setText(said, sweep.said());
    }
  }

  /** Tells the values at the cursor to people who do not see them. */
  function read(): void {
    update();
    const values = toggles.filter(({ value }) => value.textContent !== '').map(({ name, value }) => `${nameOf(name)} ${value.textContent}`);
    setText(byId('spoken', HTMLElement), [time.said(), ...values].join(', '));
  }

  const fileName = (room: Room): string => `flock-${room.code}-${clock(span.from)}-${clock(span.to)}`.replaceAll(':', '.');

  function saveTable(): void {
    const room = model.room();
    if (room === null) return;
    const points = model.swept()?.points ?? [];
    if (choices.view === 'sweep') {
      save(new Blob([tableOfPoints(points)], { type: 'text/csv' }), `sweep-${room.code}.csv`);
      return;
    }
    const text = tableOf(within(model.samples.all(), span, room), marksIn(room), room);
    save(new Blob(['\ufeff', text], { type: 'text/csv' }), `${fileName(room)}.csv`);
  }

  function savePicture(): void {
    const room = model.room();
    const pictures = { time: [time.canvas()], against: [against.board.canvas], spread: [rose.board.canvas, bars.board.canvas], sweep: [sweep.canvas] }[choices.view];
    const drawn = pictures.filter((each) => each !== null && each.width > 0) as HTMLCanvasElement[];
    if (room === null || drawn.length === 0) return;
    const over = kept === null || !overTime() ? '' : ` · ${t.over(clock(kept.from), clock(kept.to))}`;
    const title = `${roomTitle(room)} · ${clock(span.from)} – ${clock(span.to)}${over}`;
    const picture = compose(drawn, title, styleOf(panel, theme.now() === 'system'));
    picture.toBlob((blob) => blob !== null && save(blob, `${fileName(room)}.png`));
  }

  setText(byId('plots-title', HTMLElement), t.title);
  byId('plots-measures', HTMLElement).setAttribute('aria-label', t.measures);
  byId('plots-close', HTMLButtonElement).addEventListener('click', () => dock.toggle(BY));
  new ResizeObserver(() => requestAnimationFrame(update)).observe(panel);
  arrange();

  return {
    opened() {
      subscribe();
      update();
    },
    room: subscribe,
    past: subscribe,
    swept: update,
    role: update,
    figures: update,
  };
}
