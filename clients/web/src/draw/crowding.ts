// Figures for boids' colours: how many boids are near each one, and how fast boids usually are.

import { type Frame, type Moment, shownCount } from '../flock/timeline';
import type { Room } from '../net/protocol';
import { clamp } from '../numbers';

const SIDE = 128; // cells of the grid; it comes around at its edges
const SPACINGS = 2; // of a uniform flock, in a cell
const SAMPLES = 512; // boids whose speed is measured
const FOLLOW = 0.05; // weight of a snapshot in the usual speed

const cells = new Float32Array(SIDE * SIDE);

/** Writes how crowded each boid of the frame is: 128 as the mean of all, 0 alone, almost 255 among very many. */
export function crowding(frame: Frame, { world: [width, height], quantum }: Room, out: Uint8Array): void {
  const { positions, count } = frame;
  const per = 1 / clamp((SPACINGS * Math.sqrt((width * height) / Math.max(1, count))) / quantum, 1, 32_768); // cells per quantum
  cells.fill(0);
  // Each boid counts for the four cells around it, so that nothing jumps when it crosses from one into another. The sum over all boids
  // of what is near them is therefore the sum of the cells' squares.
  let mean = 0;
  for (const reading of [false, true]) {
    for (let i = 0; i < count; i++) {
      const x = positions[2 * i] * per + 65_536;
      const y = positions[2 * i + 1] * per + 65_536;
      const right = x - Math.floor(x);
      const below = y - Math.floor(y);
      const top = (y & (SIDE - 1)) * SIDE;
      const bottom = ((y + 1) & (SIDE - 1)) * SIDE;
      const column = x & (SIDE - 1);
      const next = (x + 1) & (SIDE - 1);
      if (reading) {
        const upper = cells[top + column] * (1 - right) + cells[top + next] * right;
        const lower = cells[bottom + column] * (1 - right) + cells[bottom + next] * right;
        const near = upper * (1 - below) + lower * below;
        out[i] = (255 * near) / (near + mean);
      } else {
        cells[top + column] += (1 - right) * (1 - below);
        cells[top + next] += right * (1 - below);
        cells[bottom + column] += (1 - right) * below;
        cells[bottom + next] += right * below;
      }
    }
    if (!reading) mean = cells.reduce((sum, cell) => sum + cell * cell, 0) / Math.max(1, count);
  }
}

export interface Pace {
  /** Returns the usual movement of a boid from the moment's earlier frame to the later one, quanta. */
  follow(moment: Moment, room: Room): number;
}

export function createPace(): Pace {
  let serial = 0;
  let usual = 0;
  return {
    follow(moment, { period }) {
      const { a, b } = moment;
      if (a === b || b.serial === serial) return usual;
      serial = b.serial;
      const count = shownCount(moment);
      const step = Math.max(1, Math.ceil(count / SAMPLES));
      const [periodX, periodY] = period ?? [0, 0];
      let [sum, seen] = [0, 0];
      for (let i = 0; i < count; i += step) {
        let dx = b.positions[2 * i] - a.positions[2 * i];
        let dy = b.positions[2 * i + 1] - a.positions[2 * i + 1];
        if (periodX > 0) {
          dx -= periodX * Math.round(dx / periodX);
          dy -= periodY * Math.round(dy / periodY);
        }
        sum += Math.hypot(dx, dy);
        seen++;
      }
      const mean = seen === 0 ? 0 : sum / seen;
      usual = usual === 0 ? mean : usual + FOLLOW * (mean - usual);
      return usual;
    },
  };
}
