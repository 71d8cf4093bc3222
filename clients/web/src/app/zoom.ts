// Two fingers zoom and move the view, two taps zoom in or back, and so does the mouse's wheel. Two fingers and the wheel steer nothing.

import { byId } from './dom';
import type { ViewMode, Viewport } from '../draw/viewport';

const TAP_TIME = 300; // ms between two taps, and of each at most
const TAP_MOVED = 26; // CSS pixels
const TAP_ZOOM = 2.2;
const WHEEL = 0.0016; // of a doubling e, per pixel that the wheel turns

export interface ZoomOptions {
  canvas: HTMLElement;
  viewport: Viewport;
  /** The fingers do something else now. */
  letGo(): void;
  /** Whether taps mean something else now. */
  tapsTaken(): boolean;
}

/** Shows the way back while the view is the person's own. */
export function showMode(mode: ViewMode): void {
  byId('view-back', HTMLButtonElement).hidden = mode !== 'free';
}

export function listenForZoom({ canvas, viewport, letGo, tapsTaken }: ZoomOptions): void {
  const fingers = new Map<number, { x: number; y: number }>();
  let down = { x: 0, y: 0, at: -Infinity };
  let tapped = { x: 0, y: 0, at: -Infinity };

  /** The fingers' middle, and how far they are apart. */
  function spread(): { x: number; y: number; size: number } {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, size: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y)) };
  }

  const near = (a: { x: number; y: number }, b: { x: number; y: number }): boolean =>
    Math.hypot(a.x - b.x, a.y - b.y) < TAP_MOVED;

  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'touch') return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    down = { x: event.clientX, y: event.clientY, at: fingers.size === 1 ? event.timeStamp : -Infinity };
    if (fingers.size === 2) letGo();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) return;
    if (fingers.size !== 2) {
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      return;
    }
    const before = spread();
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const { x, y, size } = spread();
    viewport.zoom(size / before.size, before.x, before.y, x - before.x, y - before.y);
  });
  canvas.addEventListener('pointercancel', ({ pointerId }) => void fingers.delete(pointerId));
  canvas.addEventListener('pointerup', (event) => {
    if (!fingers.delete(event.pointerId) || tapsTaken()) return;
    const at = { x: event.clientX, y: event.clientY, at: event.timeStamp };
    if (at.at - down.at > TAP_TIME || !near(at, down)) return;
    const second = at.at - tapped.at < 2 * TAP_TIME && near(at, tapped);
    tapped = second ? { ...at, at: -Infinity } : at;
    if (!second) return;
    if (viewport.mode() === 'free') viewport.back();
    else viewport.zoom(TAP_ZOOM, at.x, at.y);
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1);
      viewport.zoom(Math.exp(-WHEEL * pixels), event.clientX, event.clientY);
    },
    { passive: false },
  );
  byId('view-back', HTMLButtonElement).addEventListener('click', viewport.back);
}
