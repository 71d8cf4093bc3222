// The marks on the timeline: where something changed, and who changed what. A mark has its text below the line: while the pointer is
// over the mark, and while its moment is shown.

import { make, setText } from '../../app/dom';
import type { Model, PastChange } from '../../flock/model';

const NEAR = 9; // CSS pixels between the pointer and a mark
const TOLD = 0.3; // s between the shown moment and a mark whose text is shown, or that has just been passed while the past plays
const TICK = 0.6; // ticks between the shown moment and a mark at that moment: marks are at whole ticks

export interface Marks {
  /** Shows the marks, and the text of the mark at that moment, s before the end. */
  show(back: number): void;
  /** Returns the mark before (-1) or after (1) the shown moment; null: there is none. */
  next(direction: -1 | 1): PastChange | null;
  /** Goes to the mark that next() returns. */
  jump(direction: -1 | 1): void;
  /** Returns the moment of the mark that a pointer at this moment points at, else the moment itself. */
  snap(back: number): number;
}

export interface MarksOptions {
  track: HTMLElement;
  line: HTMLInputElement;
  said: HTMLElement;
  model: Pick<Model, 'marks' | 'past' | 'room'>;
  go(back: number): void;
}

export function createMarks({ track, line, said, model, go }: MarksOptions): Marks {
  const layer = make('div', { id: 'past-marks', 'aria-hidden': 'true' });
  let drawn: readonly PastChange[] = [];
  let span = 0;
  let now = 0; // the shown moment, s before the end
  let over: PastChange | null = null; // the mark below the pointer
  let down = false; // a pointer is on the line

  line.before(layer);

  function draw(): void {
    const marks = model.marks();
    if (marks === drawn && span === model.past().span) return;
    drawn = marks;
    span = model.past().span;
    layer.replaceChildren(
      ...marks.map(({ back }) => {
        const mark = make('i', {});
        mark.style.setProperty('--at', String(span > 0 ? 1 - back / span : 1));
        return mark;
      }),
    );
  }

  /** Returns the mark nearest to that moment; null: none is within `most` seconds. */
  function nearest(back: number, most: number): PastChange | null {
    let found: PastChange | null = null;
    for (const mark of drawn) if (Math.abs(mark.back - back) <= Math.min(most, Math.abs((found?.back ?? Infinity) - back))) found = mark;
    return found;
  }

  const seconds = (pixels: number): number => (pixels * span) / Math.max(1, line.clientWidth);

  const tick = (): number => TICK / (model.room()?.tickRate ?? 1);

  function next(direction: -1 | 1): PastChange | null {
    const marks = direction < 0 ? [...drawn].reverse() : drawn;
    const least = model.past().speed === 0 ? tick() : TOLD;
    return marks.find(({ back }) => (back - now) * -direction > least) ?? null;
  }

  /** Shows the text of the mark, and of others at the same moment. */
  function tell(): void {
    const mark = over ?? nearest(now, TOLD);
    const same = mark === null ? [] : drawn.filter(({ back }) => Math.abs(back - mark.back) < tick());
    setText(said, same.map(({ text }) => text).join(' · '));
    said.title = said.textContent ?? '';
  }

  function point({ clientX }: PointerEvent): void {
    const { left, width } = line.getBoundingClientRect();
    over = nearest((1 - (clientX - left) / width) * span, seconds(NEAR));
    tell();
  }

  function jump(direction: -1 | 1): void {
    const mark = next(direction);
    if (mark !== null) go(mark.back);
  }

  track.addEventListener('pointermove', point);
  track.addEventListener('pointerdown', (event) => {
    down = true;
    point(event);
  });
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (down = false));
  track.addEventListener('pointerleave', () => {
    over = null;
    tell();
  });
  line.addEventListener('keydown', (event) => {
    if (event.key !== 'PageUp' && event.key !== 'PageDown') return;
    event.preventDefault();
    jump(event.key === 'PageUp' ? 1 : -1);
  });

  return {
    show(back) {
      now = back;
      draw();
      tell();
    },
    next,
    jump,
    snap: (back) => (down ? (nearest(back, seconds(NEAR))?.back ?? back) : back),
  };
}
