// A wall, food, a hunter or what erases them, while a person draws it. A wall has two ends: a drag from one to the other, or a click
// on each. Everything else is one point, where the pointer is released.

import { type Request, request } from '../../net/protocol';

export type Kind = 'wall' | 'food' | 'hunter' | 'erase';
export type Point = readonly [number, number]; // world units

export const KINDS: readonly Kind[] = ['wall', 'food', 'hunter', 'erase'];
const AMOUNT = 500; // units of food

export interface SketchOptions {
  /** Returns where the end of a wall snaps to. */
  snap(at: Point): Point;
  /** Returns the point of the world that is nearest to that point. */
  inside(at: Point): Point;
  /** The distance from a point within which things are erased, world units. */
  reach(): number;
  send(message: Request): void;
}

export interface Sketch {
  kind(): Kind;
  /** The next drag or click draws such a thing. Forgets the first end of a wall. */
  choose(kind: Kind): void;
  /** The first end of a wall, or null. */
  start(): Point | null;
  /** The pointer went down. */
  press(at: Point): void;
  /** The pointer was released. dragged: it has moved since it went down. */
  release(at: Point, dragged: boolean): void;
  /** The pointer draws nothing after all. An end from an earlier click stays. */
  cancel(): void;
  /** Draws at a point without a pointer. */
  place(at: Point): void;
}

export function createSketch({ snap, inside, reach, send }: SketchOptions): Sketch {
  let kind: Kind = 'wall';
  let start: Point | null = null;
  let begun = false; // the pointer that is down has set the start

  function placeEnd(end: Point): void {
    if (start === null) start = end;
    else {
      if (end[0] !== start[0] || end[1] !== start[1]) send(request.wall(...start, ...end));
      start = null;
    }
  }

  function place(at: Point): void {
    if (kind === 'wall') return placeEnd(snap(at));
    const [x, y] = inside(at);
    if (kind === 'food') send(request.food(x, y, AMOUNT));
    else if (kind === 'hunter') send(request.hunter(x, y));
    else send(request.erase(x, y, reach()));
  }

  return {
    kind: () => kind,
    choose(next) {
      kind = next;
      start = null;
    },
    start: () => start,
    press(at) {
      begun = kind === 'wall' && start === null;
      if (begun) start = snap(at);
    },
    release(at, dragged) {
      if (!begun || dragged) place(at);
      begun = false;
    },
    cancel() {
      if (begun) start = null;
      begun = false;
    },
    place,
  };
}
