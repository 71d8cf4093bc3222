// The layer that shows where the boids are dense: a picture with few pixels, drawn over the flock.

import { areaOf } from '../flock/near';
import type { Frame } from '../flock/timeline';
import type { Room } from '../net/protocol';
import { clamp } from '../numbers';
import { type Layer, ORDER, type Pen } from './layers';
import type { Color, Scene } from './scene';

const SIDE = 96; // cells along the longer side
const BLURS = 2;
const STRONG = 0.5; // opacity where boids are densest
const COLORS: Readonly<Record<'dark' | 'light', Color>> = { dark: [1, 0.62, 0.2], light: [0.75, 0.2, 0] };

export interface Density {
  columns: number;
  rows: number;
  /** The area of the cells: left, top, width and height, quanta from the world's middle. */
  area: readonly [number, number, number, number];
  /** 0: no boid is near; 1: very many. */
  cells: Float32Array;
}

/** Replaces each cell by the mean of itself and the cells beside it, along an axis. */
function blur(cells: Float32Array, columns: number, along: number): Float32Array {
  return cells.map((cell, i) => {
    const edge = along === 1 ? i % columns : Math.floor(i / columns);
    const last = along === 1 ? columns - 1 : cells.length / columns - 1;
    return 0.5 * cell + 0.25 * ((edge > 0 ? cells[i - along] : 0) + (edge < last ? cells[i + along] : 0));
  });
}

/** Returns how dense the boids of the frame are, relative to what boids have around them on average. */
export function densityOf(frame: Frame, room: Room): Density {
  const { positions, count } = frame;
  const [left, top, width, height] = areaOf(frame, room);
  const size = Math.max(width, height) / SIDE; // of a cell
  const [columns, rows] = [width, height].map((side) => clamp(Math.ceil(side / size) + 4, 1, SIDE + 4)); // two more on each side
  let cells = new Float32Array(columns * rows);
  for (let i = 0; i < count; i++) {
    const column = Math.floor((positions[2 * i] - left) / size) + 2;
    const row = Math.floor((positions[2 * i + 1] - top) / size) + 2;
    if (column >= 0 && column < columns && row >= 0 && row < rows) cells[row * columns + column]++;
  }
  for (let i = 0; i < BLURS; i++) cells = new Float32Array(blur(blur(cells, columns, 1), columns, columns));
  const mean = cells.reduce((sum, cell) => sum + cell * cell, 0) / Math.max(1, count);
  if (mean > 0) cells = cells.map((cell) => 1 - Math.exp(-cell / mean));
  return { columns, rows, area: [left - 2 * size, top - 2 * size, columns * size, rows * size], cells };
}

export function densityLayer(): Layer {
  const picture = document.createElement('canvas').getContext('2d');
  let serial = 0; // of the frame in the picture
  let painted = ''; // the theme of the picture
  let area: Density['area'] = [0, 0, 0, 0];

  function renew(pen: CanvasRenderingContext2D, frame: Frame, room: Room, light: boolean): void {
    const { columns, rows, area: next, cells } = densityOf(frame, room);
    area = next;
    pen.canvas.width = columns;
    pen.canvas.height = rows;
    const image = pen.createImageData(columns, rows);
    const color = COLORS[light ? 'light' : 'dark'].map((part) => 255 * part);
    cells.forEach((cell, i) => image.data.set([...color, 255 * STRONG * cell], 4 * i));
    pen.putImageData(image, 0, 0);
  }

  return {
    name: 'density',
    order: ORDER.density,
    shows: ({ moment, theme }) => moment && [moment.b.serial, theme],
    paint({ context, camera, colors }: Pen, { moment, room, theme }: Scene): void {
      if (picture === null || moment === null || room === null) return;
      if (serial !== moment.b.serial || painted !== theme) renew(picture, moment.b, room, colors.light);
      serial = moment.b.serial;
      painted = theme;
      const [left, top, width, height] = area.map((side) => side * room.quantum * camera.scale);
      const [x, y] = [camera.left + (room.world[0] / 2) * camera.scale, camera.top + (room.world[1] / 2) * camera.scale];
      context.imageSmoothingEnabled = true;
      context.drawImage(picture.canvas, x + left, y + top, width, height);
    },
  };
}
