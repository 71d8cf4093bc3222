// Pointers and keys on the plot of the measures by time. A mouse selects a span by a drag, which the plot itself does.

import type { Shown } from './span';

const WHEEL = 0.0015; // of a zoom, for each pixel of the wheel

export interface GesturesOptions {
  /** The element that has the focus. */
  host: HTMLElement;
  shown: Shown;
  /** The plot's cursor, s; null: it is away. */
  pointed(): number | null;
  point(second: number): void;
  /** The time at that part of the plot's width. */
  timeAt(part: number): number;
  /** Returns the time of the next sample in that direction. */
  step(from: number | null, by: number): number | null;
  /** Returns the time of the next change in that direction. */
  jump(from: number | null, by: number): number | null;
  /** Called after the span has changed. */
  onChange(): void;
  /** Called after a key has moved the cursor. */
  onRead(): void;
}

/** over: the element above the plot's lines. It lives as long as the plot. */
export function listenOver(over: HTMLElement, { shown, point, timeAt, onChange }: GesturesOptions): void {
  const fingers = new Map<number, { x: number }>();
  const partOf = (x: number): number => {
    const { left, width } = over.getBoundingClientRect();
    return (x - left) / Math.max(1, width);
  };
  /** Returns the middle of two fingers and their distance, as parts of the width. */
  const pinch = (): [number, number] => {
    const [a, b] = [...fingers.values()].map(({ x }) => partOf(x));
    return [(a + b) / 2, Math.max(0.02, Math.abs(a - b))];
  };

  over.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      shown.zoom(Math.exp(-WHEEL * event.deltaY), partOf(event.clientX));
      onChange();
    },
    { passive: false },
  );
  over.addEventListener('pointerdown', ({ pointerType, pointerId, clientX }) => {
    if (pointerType !== 'mouse') fingers.set(pointerId, { x: clientX });
    if (fingers.size === 1) point(timeAt(partOf(clientX)));
  });
  over.addEventListener('pointermove', ({ pointerId, clientX }) => {
    const finger = fingers.get(pointerId);
    if (finger === undefined) return;
    if (fingers.size !== 2) {
      finger.x = clientX;
      return point(timeAt(partOf(clientX)));
    }
    const [middle, apart] = pinch();
    finger.x = clientX;
    const [nextMiddle, nextApart] = pinch();
    shown.zoom(nextApart / apart, middle);
    shown.move(middle - nextMiddle);
    onChange();
  });
  for (const type of ['pointerup', 'pointercancel', 'pointerleave'] as const)
    over.addEventListener(type, ({ pointerId }) => void fingers.delete(pointerId));
}

/** Listens to the keys of the focused plot. They then have no other effect in the page. */
export function listenToKeys({ host, shown, pointed, point, step, jump, onChange, onRead }: GesturesOptions): void {
  function read(second: number | null): void {
    if (second === null) return;
    point(second);
    onRead();
  }

  const change = (run: () => void) => (): void => {
    run();
    onChange();
  };
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowLeft: ({ shiftKey }) => read(step(pointed(), shiftKey ? -10 : -1)),
    ArrowRight: ({ shiftKey }) => read(step(pointed(), shiftKey ? 10 : 1)),
    ArrowUp: () => read(jump(pointed(), -1)),
    ArrowDown: () => read(jump(pointed(), 1)),
    '+': change(() => shown.zoom(2)),
    '=': change(() => shown.zoom(2)),
    '-': change(() => shown.zoom(0.5)),
    PageUp: change(() => shown.move(-0.5)),
    PageDown: change(() => shown.move(0.5)),
    End: change(shown.follow),
  };
  host.addEventListener('keydown', (event) => {
    const run = keys[event.key];
    if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    run(event);
  });
}
