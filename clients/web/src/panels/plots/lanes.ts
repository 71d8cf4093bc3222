// The measures by time: a lane for each, one above the other, with one axis of time.

import uPlot from 'uplot';
import { fontOf, shortly } from './board';
import { type Measure, type Span, type Table, clock, roundTop } from './columns';
import { type Marked, drawMarks } from './marks';
import type { Style } from './style';

const FILLED = 0.74; // of a lane's height; its name is above the line
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200]; // s between two labels of the axis
const DRAG = 6; // CSS pixels: a shorter drag of the mouse selects no span
const GUTTER = 3.6; // of the text's size: the space for the values of a lane

/** A line in each lane. */
export interface Line {
  colors: readonly string[]; // of the measures
  dashed: boolean;
}

export interface Picture extends Marked {
  /** A column for each measure of the first line, of the second line, … */
  table: Table;
}

export interface LanesOptions {
  host: HTMLElement;
  measures: readonly Measure[];
  names: readonly string[]; // of the measures, …
  inks: readonly string[]; // … and their colours
  lines: readonly Line[];
  style: Style;
  onSelect(span: Span): void;
  /** The cursor is at the sample with that index, or at none. */
  onPoint(index: number | null): void;
}

export interface Lanes {
  draw(picture: Picture): void;
  resize(): void;
  /** Moves the cursor to that time, or away. */
  point(second: number | null): void;
  pointed(): number | null; // s
  canvas(): HTMLCanvasElement;
  /** Where time is drawn: the element for gestures. */
  over(): HTMLElement;
  end(): void;
}

/** Returns the limits of a lane's scale, at which 0 to `top` fill the lane. */
function limits(lane: number, count: number, top: number): [number, number] {
  const whole = (top * count) / FILLED;
  const below = (count - 1 - lane) / count;
  return [-below * whole, (1 - below) * whole];
}

export function createLanes({ host, measures, names, inks, lines, style, onSelect, onPoint }: LanesOptions): Lanes {
  const count = measures.length;
  const tops = measures.map(({ most }) => most ?? 1);
  let picture: Picture | null = null;
  let touched = false; // by the last pointer

  const size = (): { width: number; height: number } => ({ width: Math.max(120, host.clientWidth), height: Math.max(60, host.clientHeight) });

  function range(lane: number, most: number | null): [number, number] {
    tops[lane] = measures[lane].most ?? roundTop([most]);
    return limits(lane, count, tops[lane]);
  }

  const scales: uPlot.Scales = { x: { time: false, auto: false, range: (_, from, to) => [from, to] } };
  measures.forEach(({ name }, lane) => (scales[name] = { range: (_, __, most) => range(lane, most) }));

  /** Makes the line of a series, with an opening for each null. An undefined value belongs to another line's second. */
  function paths({ data, scales: { x, ...up }, bbox }: uPlot, index: number, from: number, to: number): uPlot.Series.Paths {
    const stroke = new Path2D();
    const [seconds, values] = [data[0], data[index]];
    const { min: first = 0, max: last = 1 } = x;
    const { min: low = 0, max: high = 1 } = up[measures[(index - 1) % count].name];
    const [across, upward] = [bbox.width / (last - first), bbox.height / (high - low)];
    let drawing = false;
    for (let row = from; row <= to; row++) {
      const value = values[row];
      if (value === undefined) continue;
      if (value !== null) {
        const px = Math.round(bbox.left + (seconds[row] - first) * across);
        const py = Math.round(bbox.top + (high - value) * upward);
        if (drawing) stroke.lineTo(px, py);
        else stroke.moveTo(px, py);
      }
      drawing = value !== null;
    }
    return { stroke };
  }

  const series = lines.flatMap(({ colors, dashed }) =>
    measures.map(
      ({ name }, lane): uPlot.Series => ({
        scale: name,
        stroke: colors[lane],
        paths,
        width: (dashed ? 0.1 : 0.14) * style.size,
        ...(dashed && { dash: [4, 3] }),
      }),
    ),
  );

  /** Draws the lanes' lines, names and values. */
  function drawLanes({ ctx, bbox }: uPlot): void {
    const ratio = uPlot.pxRatio;
    const [high, text] = [bbox.height / count, style.size * ratio];
    ctx.save();
    ctx.strokeStyle = style.line;
    ctx.lineWidth = ratio;
    ctx.beginPath();
    for (let lane = 1; lane <= count; lane++) {
      ctx.moveTo(bbox.left, Math.round(bbox.top + lane * high));
      ctx.lineTo(bbox.left + bbox.width, Math.round(bbox.top + lane * high));
    }
    ctx.stroke();
    measures.forEach((_, lane) => {
      const top = bbox.top + lane * high;
      ctx.textBaseline = 'top';
      ctx.font = fontOf(text, 600);
      ctx.textAlign = 'left';
      ctx.fillStyle = inks[lane];
      ctx.fillText(names[lane], bbox.left + 0.4 * text, top + 0.15 * text);
      ctx.font = fontOf(0.9 * text);
      ctx.textAlign = 'right';
      ctx.fillStyle = style.quiet;
      const filled = top + (1 - FILLED) * high;
      ctx.textBaseline = 'middle';
      ctx.fillText(shortly(tops[lane]), bbox.left - 0.4 * text, filled + 0.1 * text);
      ctx.textBaseline = 'bottom';
      if (FILLED * high > 2 * text) ctx.fillText('0', bbox.left - 0.4 * text, top + high);
    });
    ctx.restore();
  }

  function drawMarksOf({ ctx, bbox: { left, top, width, height }, valToPos }: uPlot): void {
    if (picture === null) return;
    const place = { left, top, width, height, ratio: uPlot.pxRatio, x: (second: number) => valToPos(second, 'x', true) };
    drawMarks(ctx, picture, place, style);
  }

  const plot = new uPlot(
    {
      ...size(),
      padding: [1.6 * style.size, 1.4 * style.size, 0, GUTTER * style.size],
      legend: { show: false },
      scales,
      series: [{}, ...series],
      axes: [
        {
          stroke: style.quiet,
          grid: { stroke: style.line, width: 1 },
          font: fontOf(Math.round(0.9 * style.size)), // uPlot reads whole pixels alone
          size: 1.9 * style.size,
          gap: 3,
          space: 5 * style.size,
          incrs: STEPS,
          values: (_, seconds) => seconds.map(clock),
        },
      ],
      cursor: {
        y: false,
        drag: { x: true, y: false, dist: DRAG },
        points: { size: 0.6 * style.size },
        // After a finger's tap, the browser lets a mouse come and go: the cursor stays.
        bind: { mouseleave: (_, __, leave) => (event) => (touched ? null : leave(event)) },
      },
      hooks: {
        drawAxes: [drawLanes],
        draw: [drawMarksOf],
        setCursor: [({ cursor }) => onPoint(cursor.left === undefined || cursor.left < 0 ? null : (cursor.idx ?? null))],
        setSelect: [
          (self) => {
            const { left, width } = self.select;
            if (width > 0) onSelect({ from: self.posToVal(left, 'x'), to: self.posToVal(left + width, 'x') });
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
      },
    },
    [[], ...series.map(() => [])],
    host,
  );

  for (const type of ['pointerdown', 'pointermove'] as const)
    plot.over.addEventListener(type, ({ pointerType }) => void (touched = pointerType !== 'mouse'));

  return {
    draw(next) {
      picture = next;
      const { table, span } = next;
      plot.batch(() => {
        plot.setData([table.seconds, ...table.values] as uPlot.AlignedData, false);
        plot.setScale('x', { min: span.from, max: span.to });
      });
    },
    resize() {
      const { width, height } = size();
      if (width !== plot.width || height !== plot.height) plot.setSize({ width, height });
    },
    point: (second) => plot.setCursor({ left: second === null ? -10 : plot.valToPos(second, 'x'), top: 0 }),
    pointed: () => (plot.cursor.left === undefined || plot.cursor.left < 0 ? null : plot.posToVal(plot.cursor.left, 'x')),
    canvas: () => plot.ctx.canvas,
    over: () => plot.over,
    end: () => plot.destroy(),
  };
}
