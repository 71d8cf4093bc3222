// The leader of each boid: the nearest one, as the server decides. A coarse grid over the world holds the nearest leader of each
// cell, so a boid costs one look-up. A boid beyond the world has the leader of the nearest cell. An uninformed boid has no leader.

import type { Frame } from '../flock/timeline';
import type { Room } from '../net/protocol';
import { clamp } from '../numbers';
import { type Color, type Colors, luminance, within } from './scene';

const COLUMNS = 96;
const ROWS = 60;
const APART = 3.4; // contrast of a colour to the ground, about
const PALEST = 0.4; // luminance that a dark ground may ask for; on a ground between dark and light, boids have an outline

export interface Place {
  x: number; // world units
  y: number;
  index: number; // the number that its boids get
}

export interface Territory {
  /** Divides the world among the leaders. There must be one. free: the index of boids without a leader. */
  divide(leaders: readonly Place[], room: Room, free: number): void;
  /** Returns the index of each boid's leader. Valid until the next call. */
  of(frame: Frame, room: Room): Uint8Array;
}

/** Returns the share of the boids that follow cursors. */
const informed = ({ params }: Room): number => Math.fround(params.find(({ name }) => name === 'informed')?.value ?? 1);

/** Whether the boid of that number follows a cursor, if that share of all boids does: as server/sim/rules.h decides. */
export const isInformed = (boid: number, share: number): boolean => Math.floor((boid + 1) * share) > Math.floor(boid * share);

export function createTerritory(): Territory {
  const cells = new Uint8Array(COLUMNS * ROWS);
  let found = new Uint8Array(0);
  let serial = 0; // of the frame in `found`; 0: none
  let shared = 1; // the share of informed boids for which `found` is made
  let nobody = 0; // the index of boids without a leader

  return {
    divide(leaders, { world: [width, height], boundary }, free) {
      console.assert(leaders.length > 0, 'the world is divided among no leaders');
      const [aroundX, aroundY] = boundary === 'wrap' ? [width, height] : [Infinity, Infinity];
      for (let cell = 0; cell < cells.length; cell++) {
        const x = (((cell % COLUMNS) + 0.5) * width) / COLUMNS;
        const y = ((Math.floor(cell / COLUMNS) + 0.5) * height) / ROWS;
        let least = Infinity;
        for (const leader of leaders) {
          const [dx, dy] = [Math.abs(leader.x - x), Math.abs(leader.y - y)];
          const distance = Math.hypot(Math.min(dx, aroundX - dx), Math.min(dy, aroundY - dy));
          if (distance >= least) continue;
          least = distance;
          cells[cell] = leader.index;
        }
      }
      serial = 0;
      nobody = free;
    },
    of(frame, room) {
      const {
        world: [width, height],
        quantum,
      } = room;
      const share = informed(room);
      if (frame.serial === serial && share === shared) return found;
      serial = frame.serial;
      shared = share;
      if (found.length < frame.count) found = new Uint8Array(Math.ceil(1.2 * frame.count));
      const [perX, perY] = [(quantum * COLUMNS) / width, (quantum * ROWS) / height];
      for (let i = 0; i < frame.count; i++) {
        const column = clamp(Math.floor(frame.positions[2 * i] * perX + COLUMNS / 2), 0, COLUMNS - 1);
        const row = clamp(Math.floor(frame.positions[2 * i + 1] * perY + ROWS / 2), 0, ROWS - 1);
        found[i] = share === 1 || isInformed(i * frame.stride, share) ? cells[row * COLUMNS + column] : nobody;
      }
      return found;
    },
  };
}

/** Returns a colour that contrasts with the ground. color: 0xRRGGBB, made for a dark ground. */
export function onGround(color: number, { light, middle, edge }: Pick<Colors, 'light' | 'middle' | 'edge'>): Color {
  const [r, g, b] = [16, 8, 0].map((shift) => ((color >> shift) & 0xff) / 255);
  const grounds = [middle, edge].map((each) => luminance(each) + 0.05);
  const bound = light ? Math.min(...grounds) / APART - 0.05 : Math.min(PALEST, Math.max(...grounds) * APART - 0.05);
  return within([r, g, b], light ? 0 : bound, light ? bound : 1);
}
