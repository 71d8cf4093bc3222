// The pointers over the flock. The tool in hand follows the mouse, the pen or the first finger. Two fingers, two taps and the wheel
// zoom and move the view.

import type { ViewMode, Viewport } from '../draw/viewport';
import { byId } from './dom';
import type { Tools } from './tools';

/** The limits of a tap: moved: CSS pixels; time: ms. */
const TAP = { moved: 12, time: 500 }; // for a tool, and how far a finger that rests may move
const ZOOM_TAP = { moved: 26, time: 300 }; // for a zoom; `moved` also limits the distance between the two taps
const TAP_ZOOM = 2.2;
const HOLD_TIME = 900; // ms for which a finger rests to inspect a boid: a shorter rest is a part of steering
const WHEEL = 0.0016; // the zoom grows by the factor e^WHEEL per pixel of the wheel

export interface Gestures {
  /** Must be called after the view has moved. counts: this person's cursor steers, so its new position is sent. */
  viewMoved(counts: boolean): void;
}

export interface GestureOptions {
  canvas: HTMLElement;
  tools: Tools;
  viewport: Viewport;
  toWorld(px: number, py: number): [number, number];
  /** Called when the page was hidden. Releases the keys. */
  onHidden(): void;
  /** Returns the action for a finger that steers, comes down on that point of the window and rests there; null: there is none. */
  holdAt(px: number, py: number): (() => void) | null;
}

interface Touch {
  x: number; // CSS pixels
  y: number;
  at: number; // ms
}

const NEVER: Touch = { x: 0, y: 0, at: -Infinity };

const isTap = (from: Touch, to: Touch, { moved, time }: typeof TAP): boolean =>
  to.at - from.at <= time && Math.hypot(to.x - from.x, to.y - from.y) <= moved;

const touchOf = ({ clientX, clientY, timeStamp }: PointerEvent): Touch => ({ x: clientX, y: clientY, at: timeStamp });

/** Shows the button that ends the person's own view, while there is one. */
export function showMode(mode: ViewMode): void {
  byId('view-back', HTMLButtonElement).hidden = mode !== 'free';
}

/** Listens as long as the page lives. Browsers capture touches: the canvas gets all events of a finger that came down on it. */
export function listenForGestures({ canvas, tools, viewport, toWorld, onHidden, holdAt }: GestureOptions): Gestures {
  const fingers = new Map<number, Touch>(); // by pointerId
  let first: number | null = null; // the finger that the tool follows
  let down = NEVER; // where a finger came down while no other was down
  let tapped = NEVER;
  let hold: (() => void) | null = null; // the action of the finger that has rested since `down`
  let dragged: number | null = null; // the pointer that drags with a tool
  let latest: PointerEvent | null = null; // the last event that the tool followed

  function point(event: PointerEvent): void {
    const kind = event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse';
    latest = event;
    tools.inHand().follows.point(...toWorld(event.clientX, event.clientY), kind, performance.now());
  }

  function liftFirst(): void {
    first = null;
    tools.inHand().follows.leave();
  }

  /** Returns the middle between the first two fingers and their distance, CSS pixels. */
  function spread(): { x: number; y: number; size: number } {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, size: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y)) };
  }

  function pinch(event: PointerEvent): void {
    const before = spread();
    fingers.set(event.pointerId, touchOf(event));
    const { x, y, size } = spread();
    viewport.zoom(size / before.size, before.x, before.y, x - before.x, y - before.y);
  }

  /** Calls the action if the finger rests: with the next picture, before which a slow page gets the moves that are late. A tool with
   * a click or a drag has no hold. */
  function awaitHold(act: () => void): void {
    const rested = (): void => {
      const { click, drag } = tools.inHand();
      if (hold === act && click === undefined && drag === undefined) act();
    };
    setTimeout(() => requestAnimationFrame(rested), HOLD_TIME);
  }

  /** A captured mouse ends its drag also where it has left the flock. */
  function beginDrag({ pointerId, clientX, clientY }: PointerEvent): void {
    const { drag } = tools.inHand();
    if (drag === undefined) return;
    dragged = pointerId;
    canvas.setPointerCapture(pointerId);
    drag.begin(clientX, clientY);
  }

  /** event: where it ends; null: it is cancelled. */
  function endDrag(event: PointerEvent | null): void {
    if (dragged === null) return;
    const { drag } = tools.inHand();
    dragged = null;
    if (event === null) drag?.cancel();
    else drag?.end(event.clientX, event.clientY);
  }

  function tap(at: Touch): void {
    const { click, drag } = tools.inHand();
    if (drag !== undefined) return;
    if (click !== undefined) {
      if (isTap(down, at, TAP)) click(at.x, at.y);
      return;
    }
    if (!isTap(down, at, ZOOM_TAP)) return;
    const second = isTap(tapped, at, { ...ZOOM_TAP, time: 2 * ZOOM_TAP.time });
    tapped = second ? NEVER : at;
    if (!second) return;
    if (viewport.mode() === 'free') viewport.back();
    else viewport.zoom(TAP_ZOOM, at.x, at.y);
  }

  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'touch') {
      point(event);
      if (event.button !== 0) return;
      tools.inHand().click?.(event.clientX, event.clientY);
      beginDrag(event);
      return;
    }
    if (dragged !== null && !fingers.has(dragged)) return; // a palm beside the pen
    fingers.set(event.pointerId, touchOf(event));
    down = fingers.size === 1 ? touchOf(event) : NEVER;
    hold = down === NEVER ? null : holdAt(down.x, down.y);
    if (hold !== null) awaitHold(hold);
    if (fingers.size === 1) {
      first = event.pointerId;
      point(event);
      beginDrag(event);
    } else if (fingers.size === 2) {
      endDrag(null);
      liftFirst();
    }
  });
  canvas.addEventListener('pointermove', (event) => {
    const { pointerType, pointerId } = event;
    if (pointerType !== 'touch' || pointerId === first) point(event);
    if (!fingers.has(pointerId)) return;
    if (!isTap(down, { ...touchOf(event), at: down.at }, TAP)) hold = null;
    if (fingers.size >= 2) pinch(event);
    else fingers.set(pointerId, touchOf(event));
  });
  for (const type of ['pointerup', 'pointercancel'] as const) {
    canvas.addEventListener(type, (event) => {
      if (event.pointerId === dragged) endDrag(type === 'pointerup' ? event : null);
      if (event.pointerId === first) liftFirst();
      if (fingers.delete(event.pointerId) && type === 'pointerup') tap(touchOf(event));
      down = fingers.size === 0 ? NEVER : down;
      hold = null;
    });
  }
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1);
      viewport.zoom(Math.exp(-WHEEL * pixels), event.clientX, event.clientY);
    },
    { passive: false },
  );
  // Over a button or a list the cursor stays where it was. It leaves when the pointer leaves the page.
  document.documentElement.addEventListener('pointerleave', (event) => {
    if (event.pointerType !== 'touch') tools.inHand().follows.leave();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return;
    onHidden();
    liftFirst();
  });
  byId('view-back', HTMLButtonElement).addEventListener('click', viewport.back);

  return {
    viewMoved(counts) {
      const { follows } = tools.inHand();
      const kind = follows.cursor()?.kind ?? 'key';
      if (latest === null || kind === 'key') return;
      if (counts) point(latest);
      else follows.drift(...toWorld(latest.clientX, latest.clientY));
    },
  };
}
