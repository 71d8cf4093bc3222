// The view of the measures by time: lanes, their cursor and gestures.

import { byId } from '../../app/dom';
import { clamp } from '../../numbers';
import { clock } from './columns';
import { listenOver, listenToKeys } from './gestures';
import { type Lanes, type LanesOptions, type Picture, createLanes } from './lanes';
import type { Shown } from './span';

export interface TimeView {
  /** Makes the lanes again if their measures, names, lines or style have changed. */
  use(parts: Omit<LanesOptions, 'host' | 'onSelect' | 'onPoint'>): void;
  draw(picture: Picture): void;
  /** The index of the sample at the cursor; null: the cursor is away. */
  index(): number | null;
  /** The time at the cursor, and the change near it; empty: the cursor is away. */
  said(): string;
  canvas(): HTMLCanvasElement | null;
}

export interface TimeOptions {
  shown: Shown;
  label: string;
  /** Called after the span or the cursor has changed. */
  onChange(): void;
  /** Called after a key has moved the cursor. */
  onRead(): void;
}

const NEAR = 0.015; // of the span: the cursor is at a change

export function createTimeView({ shown, label, onChange, onRead }: TimeOptions): TimeView {
  const host = byId('plots-time', HTMLElement);
  let lanes: Lanes | null = null;
  let made = ''; // the parts of the lanes, as JSON
  let picture: Picture | null = null;
  let index: number | null = null;

  const seconds = (): readonly number[] => picture?.table.seconds ?? [];

  /** Returns the index of the nearest time. */
  function nearest(all: readonly number[], second: number): number {
    let best = all.length - 1;
    all.forEach((each, i) => {
      if (Math.abs(each - second) < Math.abs(all[best] - second)) best = i;
    });
    return best;
  }

  /** Returns the time that many rows further, within the span. */
  function step(from: number | null, by: number): number | null {
    const { from: first, to: last } = picture?.span ?? { from: 0, to: 0 };
    const all = seconds().filter((second) => second >= first && second <= last);
    if (all.length === 0) return null;
    return all[from === null ? all.length - 1 : clamp(nearest(all, from) + by, 0, all.length - 1)];
  }

  function jump(from: number | null, by: number): number | null {
    const inSpan = (picture?.marks ?? []).map(({ at }) => at).filter((at) => picture !== null && at >= picture.span.from && at <= picture.span.to);
    const least = picture === null ? 0 : (picture.span.to - picture.span.from) / 1000;
    const ordered = by < 0 ? [...inSpan].reverse() : inSpan;
    return ordered.find((at) => from === null || (at - from) * by > least) ?? null;
  }

  const options = {
    ...{ host, shown, step, jump, onChange, onRead },
    pointed: () => lanes?.pointed() ?? null,
    point: (second: number) => lanes?.point(second),
    timeAt: (part: number) => (picture === null ? 0 : picture.span.from + part * (picture.span.to - picture.span.from)),
  };

  host.setAttribute('aria-label', label);
  listenToKeys(options);
  new ResizeObserver(() => requestAnimationFrame(() => lanes?.resize())).observe(host);

  return {
    use(parts) {
      const next = JSON.stringify(parts);
      if (next === made) return;
      made = next;
      index = null;
      lanes?.end();
      lanes = createLanes({
        ...{ ...parts, host },
        onSelect(span) {
          shown.show(span);
          onChange();
        },
        onPoint(at) {
          if (at === index) return;
          index = at;
          onChange();
        },
      });
      listenOver(lanes.over(), options);
    },
    draw(next) {
      picture = next;
      lanes?.draw(next);
    },
    index: () => index,
    said() {
      const at = lanes?.pointed() ?? null;
      if (at === null || picture === null) return '';
      const { marks, span } = picture;
      const near = marks.filter((mark) => Math.abs(mark.at - at) <= NEAR * (span.to - span.from)).map(({ text }) => text);
      return [clock(at), ...near].join(' · ');
    },
    canvas: () => lanes?.canvas() ?? null,
  };
}
