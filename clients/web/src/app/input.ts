// Mouse, pen, the first finger and the keyboard, as one cursor: where it is on the screen (at once), and where it is in
// the world (sent coalesced, at most 60 times a second). When the pointer leaves or the finger lifts, the cursor is away.

import { STEERING } from './keys';
import { clamp } from '../numbers';
import type { Room } from '../net/protocol';

const SEND_GAP = 1000 / 60; // ms
const SEND_EARLY = 4; // ms by which a send may be early, so that a display's 60 Hz is not halved by its jitter
const KEY_SPEED = 0.55; // of the world's longer side per second, at once
const KEY_SPEED_MAX = 1.4; // and after KEY_RAMP of holding the key
const KEY_RAMP = 900; // ms

export type PointerKind = 'mouse' | 'touch' | 'pen' | 'key';

/** The cursor's own state, without the browser: events in, positions and messages out. */
export interface Steering {
  /** A pointer is at that point of the world. */
  point(x: number, y: number, kind: PointerKind, now: number): void;
  leave(): void;
  /** The view has moved below a resting pointer, which is over that point now. The point is sent with the next move only:
   * a person who rests does not steer because the view moves. */
  drift(x: number, y: number): void;
  keyDown(code: string, now: number): boolean; // whether the key steers
  keyUp(code: string): void;
  releaseKeys(): void;
  /** Once a frame: moves the cursor by the keys that are held, and sends what is due. */
  frame(now: number): void;
  /** Sends the position again although it has not changed: to a server that does not know it. */
  repeat(): void;
  room(room: Room): void;
  cursor(): { x: number; y: number; kind: PointerKind } | null; // world units
}

export interface Outlet {
  /** Whether it could be sent; if not, it is tried again with the next frame. */
  cursor(x: number, y: number): boolean;
  away(): void;
}

export function createSteering(outlet: Outlet): Steering {
  let current: Room | null = null;
  let at: { x: number; y: number; kind: PointerKind } | null = null;
  let last: [number, number] | null = null; // where the cursor was last, to go on from with the keys
  let unsent = false;
  let nextSend = -Infinity;
  let moved = 0; // when the keys last moved the cursor
  const held = new Map<string, number>(); // code → since when

  function place(x: number, y: number, kind: PointerKind): void {
    if (current === null) return;
    // A cursor beyond the world would lead the flock off the screens of the others.
    const [width, height] = current.world;
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
    if (held.size === 0 || current === null) return;
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
    const [width, height] = current.world;
    const speed = KEY_SPEED + (KEY_SPEED_MAX - KEY_SPEED) * clamp((now - since) / KEY_RAMP, 0, 1);
    const way = (speed * Math.max(width, height) * passed) / 1000 / length;
    const [x, y] = last ?? [width / 2, height / 2];
    place(x + dx * way, y + dy * way, 'key');
  }

  return {
    point(x, y, kind, now) {
      place(x, y, kind);
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
      const [width, height] = current?.world ?? [x, y];
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
    room(room) {
      const moved = current?.world.join() !== room.world.join();
      current = room;
      // The keys' cursor is a place of the world, not of the window.
      if (moved && last !== null && (at === null || at.kind === 'key')) {
        if (at !== null) place(...last, 'key');
      }
    },
    cursor: () => at,
  };
}

export interface Pointers {
  /** The finger that steers does something else now. */
  letGo(): void;
  /** The view has moved. counts: this cursor steers, and so the server has to know where it is now. */
  viewMoved(counts: boolean): void;
}

export interface PointerOptions {
  canvas: HTMLElement;
  steering: Steering;
  toWorld(px: number, py: number): [number, number];
}

/** Listens to the window's pointers for as long as the page lives. A finger stays with the canvas that it was
 * put on, wherever it goes: browsers capture touches by themselves. */
export function listen({ canvas, steering, toWorld }: PointerOptions): Pointers {
  let finger: number | null = null; // the touch that steers
  let latest: PointerEvent | null = null;

  function point(event: PointerEvent): void {
    const [x, y] = toWorld(event.clientX, event.clientY);
    const kind = event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse';
    latest = event;
    steering.point(x, y, kind, performance.now());
  }

  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch') {
      if (finger !== null) return;
      finger = event.pointerId;
    }
    point(event);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch' || event.pointerId === finger) point(event);
  });
  for (const type of ['pointerup', 'pointercancel'] as const) {
    canvas.addEventListener(type, (event) => {
      if (event.pointerId !== finger) return;
      finger = null;
      steering.leave();
    });
  }
  // Over a button or a list the cursor rests where it was; only out of the page is it away.
  document.documentElement.addEventListener('pointerleave', (event) => {
    if (event.pointerType !== 'touch') steering.leave();
  });

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return;
    finger = null;
    steering.releaseKeys();
    steering.leave();
  });

  return {
    letGo() {
      finger = null;
      steering.leave();
    },
    viewMoved(counts) {
      const kind = steering.cursor()?.kind ?? 'key';
      if (latest === null || kind === 'key') return;
      if (counts) point(latest);
      else steering.drift(...toWorld(latest.clientX, latest.clientY));
    },
  };
}
