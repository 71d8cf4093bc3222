// One cursor for the mouse, the pen, the first finger and the keyboard. The page shows it at once, and sends its last position at most
// 60 times a second. When the pointer leaves or the finger lifts, the cursor is away.

import { STEERING } from './keys';
import { clamp } from '../numbers';
import type { Room } from '../net/protocol';

const SEND_GAP = 1000 / 60; // ms
const SEND_EARLY = 4; // ms by which a send may be early, so that a display's 60 Hz is not halved by its jitter
const KEY_SPEED = 0.55; // of the world's longer side per second, when a key goes down
const KEY_SPEED_MAX = 1.4; // the same, after the key was held for KEY_RAMP
const KEY_RAMP = 900; // ms

export type PointerKind = 'mouse' | 'touch' | 'pen' | 'key';

/** The cursor's state. Callers report the browser's events; the cursor sends its positions to an Outlet. */
export interface Steering {
  /** Must be called when a pointer is at that point of the world. now: ms. */
  point(x: number, y: number, kind: PointerKind, now: number): void;
  leave(): void;
  /** Must be called after the view has moved below a resting pointer, which is over that point now. Does not send the point: a person
   * who rests does not steer because the view moves. */
  drift(x: number, y: number): void;
  keyDown(code: string, now: number): boolean; // whether the key steers
  keyUp(code: string): void;
  releaseKeys(): void;
  /** Must be called once per frame. Moves the cursor if steering keys are held, and sends a position that is due. */
  frame(now: number): void;
  /** Sends an unchanged position again, to a server that does not know it. */
  repeat(): void;
  /** Must be called when the room is another one or its world has changed. */
  roomChanged(): void;
  cursor(): { x: number; y: number; kind: PointerKind } | null; // world units
}

export interface Outlet {
  /** Returns whether the position was sent. If not, the caller tries again in the next frame. */
  cursor(x: number, y: number): boolean;
  away(): void;
}

/** room: returns the cursor's room; null: none yet. */
export function createSteering(outlet: Outlet, room: () => Room | null): Steering {
  let at: { x: number; y: number; kind: PointerKind } | null = null;
  let last: [number, number] | null = null; // the last position, from which the keys move the cursor
  let unsent = false;
  let nextSend = -Infinity;
  let moved = 0; // when the keys last moved the cursor
  const held = new Map<string, number>(); // code → since when

  function moveTo(x: number, y: number, kind: PointerKind): void {
    const here = room();
    if (here === null) return;
    // A cursor beyond the world would lead the flock out of other people's views.
    const [width, height] = here.world;
    const next = { x: clamp(x, 0, width), y: clamp(y, 0, height), kind };
    unsent ||= at === null || next.x !== at.x || next.y !== at.y;
    at = next;
    last = [next.x, next.y];
  }

  function flush(now: number): void {
    if (at === null || !unsent || now < nextSend - SEND_EARLY) return;
    nextSend = Math.max(nextSend, now) + SEND_GAP;
    unsent = !outlet.cursor(at.x, at.y);
  }

  function moveByKeys(now: number): void {
    const here = room();
    if (held.size === 0 || here === null) return;
    const passed = clamp(now - moved, 0, 100);
    moved = now;
    let [dx, dy] = [0, 0];
    let since = now;
    for (const [code, start] of held) {
      dx += STEERING[code][0];
      dy += STEERING[code][1];
      since = Math.min(since, start);
    }
    const length = Math.hypot(dx, dy);
    if (length === 0) return;
    const [width, height] = here.world;
    const speed = KEY_SPEED + (KEY_SPEED_MAX - KEY_SPEED) * clamp((now - since) / KEY_RAMP, 0, 1);
    const way = (speed * Math.max(width, height) * passed) / 1000 / length;
    const [x, y] = last ?? [width / 2, height / 2];
    moveTo(x + dx * way, y + dy * way, 'key');
  }

  return {
    point(x, y, kind, now) {
      moveTo(x, y, kind);
      flush(now);
    },
    leave() {
      if (at === null) return;
      at = null;
      unsent = false;
      outlet.away();
    },
    drift(x, y) {
      if (at === null || at.kind === 'key') return;
      const [width, height] = room()?.world ?? [x, y];
      at = { ...at, x: clamp(x, 0, width), y: clamp(y, 0, height) };
      last = [at.x, at.y];
    },
    keyDown(code, now) {
      if (!Object.hasOwn(STEERING, code)) return false;
      if (held.size === 0) moved = now;
      if (!held.has(code)) held.set(code, now);
      return true;
    },
    keyUp(code) {
      held.delete(code);
    },
    releaseKeys() {
      held.clear();
    },
    frame(now) {
      moveByKeys(now);
      flush(now);
    },
    repeat() {
      unsent = at !== null;
    },
    roomChanged() {
      // A cursor that the keys moved stays at its point of the world, which may now be outside.
      if (at?.kind === 'key') moveTo(at.x, at.y, 'key');
    },
    cursor: () => at,
  };
}
