// The sweep of the room: a form that starts it, its curve with error bars, kept curves, and the table.

import type { Context } from '../../app/context';
import { copyOnClick } from '../../app/copy';
import { byId, make, setText } from '../../app/dom';
import { sayRefusal } from '../../app/errors';
import { limitsOf } from '../../flock/pairs';
import { SWEEP_STEPS_MAX } from '../../net/messages';
import { type Room, type Swept, type SweptPoint, request } from '../../net/protocol';
import { clamp } from '../../numbers';
import { paramName, unitName } from '../../texts/names';
import { exact } from '../../texts/texts';
import { createBoard, drawAxes } from './board';
import { clock, measureOf, roundTop } from './columns';
import { CURVES, commandOf, largestOf, shortest, timeOf } from './curves';
import { sweepRefusal } from './refused';
import type { Style } from './style';
import { plotsTexts } from './texts';

const KEPT = 5; // curves at most
const START = { name: 'noise', steps: 11, warmUp: 3, seconds: 8 }; // order against noise in two minutes

export interface SweepOptions extends Pick<Context, 'model' | 'ask' | 'say'> {
  nameOf(measure: (typeof CURVES)[number]): string;
  onChange(): void;
}

export interface SweepView {
  canvas: HTMLCanvasElement;
  draw(room: Room, style: Style): void;
  said(): string;
}

/** The positions of values in the picture, CSS pixels. */
interface Scale {
  x(value: number): number;
  y(value: number): number;
}

/** Draws a curve of that measure with its points and error bars in the pen's colours. size: of letters. own: whether it is the
 * room's newest sweep. */
function drawCurve(pen: CanvasRenderingContext2D, points: readonly SweptPoint[], measure: number, scale: Scale, size: number, own: boolean): void {
  const [dot, arm] = [(own ? 0.28 : 0.2) * size, 0.3 * size];
  pen.lineWidth = (own ? 0.16 : 0.1) * size;
  pen.setLineDash(own ? [] : [5, 3]);
  pen.beginPath();
  for (const { value, means } of points) pen.lineTo(scale.x(value), scale.y(means[measure]));
  pen.stroke();
  pen.setLineDash([]);
  for (const { value, means, errors } of points) {
    const [x, mean, error] = [scale.x(value), means[measure], errors[measure]];
    const [low, high] = [scale.y(mean - error), scale.y(mean + error)];
    pen.beginPath();
    pen.moveTo(x, low);
    pen.lineTo(x, high);
    for (const y of [low, high]) {
      pen.moveTo(x - arm, y);
      pen.lineTo(x + arm, y);
    }
    pen.stroke();
    pen.beginPath();
    pen.arc(x, scale.y(mean), dot, 0, 2 * Math.PI);
    pen.fill();
  }
}

export function createSweepView({ model, ask, say, nameOf, onChange }: SweepOptions): SweepView {
  const t = plotsTexts().sweep;
  const [form, tools] = [byId('plots-sweep-form', HTMLFormElement), byId('plots-sweep-tools', HTMLElement)];
  const [picture, table] = [byId('plots-curve', HTMLElement), byId('plots-points', HTMLTableElement)];
  const board = createBoard(picture);
  let kept: Swept[] = [];
  let asTable = false;
  let described = ''; // the parameters in the form, as JSON
  let tabulated: Swept | null = null; // the sweep in the table

  const param = make('select', {});
  const field = (value: number, more: Record<string, string>): HTMLInputElement => {
    const input = make('input', { type: 'number', required: '', step: '1', ...more });
    input.value = String(value);
    return input;
  };
  const [from, to] = [field(0, { step: 'any' }), field(1, { step: 'any' })];
  const steps = field(START.steps, { min: '2', max: String(SWEEP_STEPS_MAX) });
  const warmUp = field(START.warmUp, { min: '0', max: '60' });
  const seconds = field(START.seconds, { min: '2', max: '120' });
  const labelled = [
    [t.param, param],
    [t.from, from],
    [t.to, to],
    [t.steps, steps],
    [t.warmUp, warmUp],
    [t.seconds, seconds],
  ] as const;
  const start = make('button', { type: 'submit' }, t.start);
  const takes = make('span', {});
  form.append(...labelled.map(([text, input]) => make('label', {}, `${text} `, input)), start, takes);

  function button(text: string, run: () => void): HTMLButtonElement {
    const made = make('button', { type: 'button' }, text);
    made.addEventListener('click', () => {
      run();
      onChange();
    });
    tools.append(made);
    return made;
  }

  const measure = make('select', {}, ...CURVES.map((name) => make('option', { value: name }, nameOf(name))));
  measure.addEventListener('change', onChange);
  tools.append(measure);
  const stop = button(t.stop, () => ask(request.unsweep(), sayRefusal(say)));
  const again = button(t.again, () => {
    const last = model.swept();
    if (last !== null) order(last.name, last.from, last.to, last.steps, last.warmUp, last.seconds);
  });
  const keep = button(t.keep, () => {
    const last = model.swept();
    if (last !== null && !kept.includes(last)) kept = [...kept, last].slice(-KEPT);
  });
  const forget = button(t.forget, () => (kept = []));
  const tabled = button(t.table, () => (asTable = !asTable));
  const same = button(t.same, () => undefined);
  const command = make('input', { readonly: '', 'aria-label': t.same });
  command.hidden = true;
  tools.append(command);
  copyOnClick(same, command, () => {
    const [room, last] = [model.room(), model.swept()];
    return room === null || last === null ? '' : commandOf(room, model.timeline()?.newest()?.flock ?? 1, model.things(), last);
  });

  function order(...values: Parameters<typeof request.sweep>): void {
    ask(request.sweep(...values), (outcome) => outcome.kind === 'error' && say(sweepRefusal(outcome, model.room()?.params ?? [])));
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [first, last] = [from, to].map(({ valueAsNumber }) => valueAsNumber);
    if (Math.fround(first) === Math.fround(last)) return say(t.alike);
    order(param.value, first, last, steps.valueAsNumber, warmUp.valueAsNumber, seconds.valueAsNumber);
  });
  form.addEventListener('input', onChange);
  param.addEventListener('change', () => chooseParam(model.room()));

  /** Puts the parameter's limits into the form. */
  function chooseParam(room: Room | null): void {
    const found = room?.params.find(({ name }) => name === param.value);
    if (found === undefined) return;
    for (const input of [from, to]) [input.min, input.max] = [String(found.min), String(found.max)];
    [from.value, to.value] = limitsOf(room?.params ?? [], found).map(shortest);
  }

  function offer(room: Room): void {
    const names = JSON.stringify(room.params.map(({ name, min, max }) => [name, min, max]));
    if (names === described) return;
    described = names;
    const before = param.value || START.name;
    param.replaceChildren(...room.params.map(({ name }) => make('option', { value: name }, paramName(name))));
    param.value = room.params.some(({ name }) => name === before) ? before : room.params[0].name;
    chooseParam(room);
  }

  function drawCurves(room: Room, swept: Swept, style: Style): void {
    const begun = board.begin();
    if (begun === null) return;
    const { pen } = begun;
    const index = CURVES.indexOf(measure.value as (typeof CURVES)[number]);
    const curves = [...kept.filter((each) => each !== swept && each.name === swept.name), swept];
    const ends = curves.flatMap((each) => [each.from, each.to]);
    const [least, most] = [Math.min(...ends), Math.max(...ends)];
    const unit = room.params.find(({ name }) => name === swept.name)?.unit ?? '';
    const name = CURVES[index];
    const figure = measureOf(name);
    const top = figure.most ?? roundTop(curves.map(({ points }) => largestOf(points, index)));
    const up = { most: top, label: nameOf(name), unit: unitName(figure.unit) };
    const area = drawAxes(pen, begun, style, { least, most, label: paramName(swept.name), unit: unitName(unit) }, up);
    const scale: Scale = {
      x: (value) => area.left + ((value - least) / (most - least)) * area.width,
      y: (value) => area.top + area.height * (1 - clamp(value, 0, top) / top),
    };
    curves.forEach((each, which) => {
      const own = each === swept;
      pen.strokeStyle = pen.fillStyle = style.lines[own ? index : (index + 1 + which) % style.lines.length];
      drawCurve(pen, each.points, index, scale, style.size, own);
    });
  }

  /** An error that is smaller than the digits of a float is none. */
  const withError = (mean: number, error: number): string =>
    `${exact(Number(mean.toPrecision(4)))} ± ${exact(error < 1e-6 * Math.abs(mean) ? 0 : Number(error.toPrecision(2)))}`;

  function fillTable(swept: Swept): void {
    if (swept === tabulated) return;
    tabulated = swept;
    const row = (kind: 'th' | 'td', cells: readonly string[]): HTMLTableRowElement => make('tr', {}, ...cells.map((cell) => make(kind, {}, cell)));
    table.replaceChildren(
      row('th', [t.value, t.samples, ...CURVES.map(nameOf)]),
      ...swept.points.map(({ value, samples, means, errors }) =>
        row('td', [exact(value), exact(samples), ...CURVES.map((_, i) => withError(means[i], errors[i]))]),
      ),
    );
  }

  return {
    canvas: board.canvas,
    draw(room, style) {
      const swept = model.swept();
      const none = swept === null || swept.state === 'none';
      const runs = swept?.state === 'running';
      const presents = model.role() === 'presenter' && !model.past().shown;
      offer(room);
      form.hidden = !presents;
      start.disabled = runs;
      stop.hidden = !presents || !runs;
      again.hidden = !presents || none || runs;
      forget.hidden = kept.length === 0;
      for (const each of [keep, tabled, same, measure]) each.hidden = none;
      tabled.setAttribute('aria-pressed', String(asTable));
      const time = timeOf(steps.valueAsNumber, warmUp.valueAsNumber, seconds.valueAsNumber);
      setText(takes, Number.isFinite(time) ? t.takes(clock(time)) : '');
      picture.hidden = none || asTable;
      (table.parentElement as HTMLElement).hidden = none || !asTable;
      if (none) return;
      if (asTable) fillTable(swept);
      else drawCurves(room, swept, style);
    },
    said() {
      const swept = model.swept();
      if (swept === null || swept.state === 'none') return t.none;
      const who = swept.who || '?';
      if (swept.state === 'running') return t.running(swept.points.length + 1, swept.steps, who);
      return swept.state === 'done' ? t.done(who) : (t.ended[swept.state as keyof typeof t.ended] ?? t.ended.stopped);
    },
  };
}
