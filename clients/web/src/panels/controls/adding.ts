// Boids where this person clicks or taps.

import { make } from '../../app/dom';

const TAP_MOVED = 12; // CSS pixels that a finger may move and it is still a tap
const TAP_TIME = 500; // ms
const MARK_TIME = 700; // ms for which the place is marked

export interface AddingOptions {
  canvas: HTMLElement;
  /** Adds boids at that point of the window and returns how many; 0: not now. */
  add(px: number, py: number): number;
}

export function listenForAdding({ canvas, add }: AddingOptions): void {
  let tap: { id: number; x: number; y: number; at: number } | null = null;

  function run({ clientX, clientY }: PointerEvent): void {
    const count = add(clientX, clientY);
    if (count === 0) return;
    const mark = make('div', { class: 'added', 'aria-hidden': 'true' }, `+${count}`);
    mark.style.translate = `${clientX}px ${clientY}px`;
    document.body.append(mark);
    setTimeout(() => mark.remove(), MARK_TIME);
  }

  // A finger may have come to steer: only when it is gone at once it was a tap.
  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch')
      tap = event.isPrimary ? { id: event.pointerId, x: event.clientX, y: event.clientY, at: event.timeStamp } : null;
    else if (event.button === 0) run(event);
  });
  canvas.addEventListener('pointerup', (event) => {
    if (tap?.id !== event.pointerId) return;
    const { x, y, at } = tap;
    tap = null;
    if (event.timeStamp - at <= TAP_TIME && Math.hypot(event.clientX - x, event.clientY - y) <= TAP_MOVED) run(event);
  });
}
