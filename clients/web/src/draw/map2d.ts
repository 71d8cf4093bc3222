// The map of very many boids without a GPU: for each cell of the window the number of boids as its opacity, and their mean colour.

import type { Placed } from './placed';
import type { Color, Scene } from './scene';

const CELL = 3; // CSS pixels
const CHANNELS = 4; // red, green, blue and the number of boids

export interface DensityMap {
  draw(screen: CanvasRenderingContext2D, scene: Scene, palette: readonly Color[], boids: Placed): void;
}

/** Returns null if the browser has no 2D context left. */
export function createMap(): DensityMap | null {
  const pen = document.createElement('canvas').getContext('2d');
  return pen === null ? null : mapOn(pen);
}

function mapOn(pen: CanvasRenderingContext2D): DensityMap {
  let image: ImageData | null = null;
  let sums = new Float32Array(0);

  function add(width: number, height: number, palette: readonly Color[], { count, x, y, color }: Placed): void {
    const flat = Float32Array.from(palette.flat());
    for (let i = 0; i < count; i++) {
      // Each boid counts for the four cells around it, so that nothing jumps when it crosses from one into another.
      const right = x[i] / CELL - 0.5;
      const below = y[i] / CELL - 0.5;
      const column = Math.floor(right);
      const row = Math.floor(below);
      if (column < 0 || row < 0 || column + 1 >= width || row + 1 >= height) continue;
      const from = 3 * color[i];
      for (let corner = 0; corner < 4; corner++) {
        const [across, down] = [corner & 1, corner >> 1];
        const part = (across ? right - column : column + 1 - right) * (down ? below - row : row + 1 - below);
        const at = CHANNELS * ((row + down) * width + column + across);
        sums[at] += part * flat[from];
        sums[at + 1] += part * flat[from + 1];
        sums[at + 2] += part * flat[from + 2];
        sums[at + 3] += part;
      }
    }
  }

  return {
    draw(screen, { camera, spacing, map }, palette, boids) {
      const [width, height] = [camera.width, camera.height].map((side) => Math.max(1, Math.ceil(side / CELL)));
      if (image === null || image.width !== width || image.height !== height) {
        pen.canvas.width = width;
        pen.canvas.height = height;
        image = pen.createImageData(width, height);
        sums = new Float32Array(CHANNELS * width * height);
      }
      sums.fill(0);
      add(width, height, palette, boids);
      blur(sums, CHANNELS);
      blur(sums, CHANNELS * width);
      const { data } = image;
      const usual = (CELL / spacing) ** 2; // boids in a cell
      for (let at = 0; at < sums.length; at += CHANNELS) {
        const number = sums[at + 3];
        const part = number > 0 ? 255 / number : 0;
        data[at] = sums[at] * part;
        data[at + 1] = sums[at + 1] * part;
        data[at + 2] = sums[at + 2] * part;
        data[at + 3] = 255 * (1 - Math.exp((-1.4 * number) / usual));
      }
      pen.putImageData(image, 0, 0);
      screen.globalAlpha = map;
      screen.drawImage(pen.canvas, 0, 0, width * CELL, height * CELL);
    },
  };
}

/** Gives each cell half of itself and a quarter of both neighbours. step: the distance of neighbours in the list. */
function blur(values: Float32Array, step: number): void {
  const before = new Float32Array(step); // the previous cells before their change
  for (let from = 0; from < values.length; from += step) {
    for (let i = 0; i < step; i++) {
      const value = values[from + i];
      const next = from + step + i < values.length ? values[from + step + i] : 0;
      values[from + i] = 0.5 * value + 0.25 * (before[i] + next);
      before[i] = value;
    }
  }
}
