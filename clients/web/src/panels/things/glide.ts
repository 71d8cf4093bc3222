// The hunters between two messages. The server sends their positions ten times a second; the page moves them in between.

import type { Room, Things } from '../../net/protocol';

const PERIOD = 100; // ms between two messages

interface Point {
  x: number;
  y: number;
}

/** A hunter on its way: its position in world units, and the direction in which it goes, radians. */
export interface Hunter extends Point {
  angle: number;
}

export interface Glide {
  /** Takes a message that came at `now`, ms. */
  take(things: Things, room: Room, now: number): void;
  at(now: number): Hunter[];
}

/** Returns the shorter way from one coordinate to another. size: of a torus; 0: a plane. */
const way = (from: number, to: number, size: number): number => to - from - (size > 0 ? size * Math.round((to - from) / size) : 0);

export function createGlide(): Glide {
  let hunters: { from: Point; step: Point; angle: number }[] = [];
  let since = 0;
  let size: readonly number[] = [0, 0]; // of a torus

  const kept = (at: number, side: number): number => (side > 0 ? at - side * Math.floor(at / side) : at);

  const at = (now: number): Hunter[] => {
    const part = Math.min(1, Math.max(0, (now - since) / PERIOD));
    return hunters.map(({ from, step, angle }) => ({ x: kept(from.x + part * step.x, size[0]), y: kept(from.y + part * step.y, size[1]), angle }));
  };

  return {
    take(things, room, now) {
      const before = at(now);
      const same = before.length === things.hunters.length;
      size = room.boundary === 'wrap' ? room.world : [0, 0];
      hunters = things.hunters.map((to, index) => {
        const from = same ? before[index] : to;
        const step = { x: way(from.x, to.x, size[0]), y: way(from.y, to.y, size[1]) };
        const turns = step.x !== 0 || step.y !== 0;
        return { from, step, angle: turns ? Math.atan2(step.y, step.x) : same ? before[index].angle : 0 };
      });
      since = now;
    },
    at,
  };
}
