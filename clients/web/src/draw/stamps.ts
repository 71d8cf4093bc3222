// Draws thousands of small boids without a GPU: pixel by pixel, from pictures of the shape at each heading and part of a wing beat. A
// browser's drawImage() takes about ten times as long for each boid.

import { STEPS, glowOf } from './palette';
import { CROWDS, type Placed, TURNS } from './placed';
import { BALL_TURN, type Drawable, PHASES, REACH, beatsOf, paintShape, shaded } from './shapes';
import { type Color, type Scene, css } from './scene';

const STEP = 1.07; // from a size of stamps to the next
const OPACITY_LEAST = 8; // of a stamp's pixel
const OPAQUE = 247;
const SHADES = 32; // of each colour
const PIXELS_MAX = 2.1e6; // of the picture of all boids: as many as a screen of 1920 by 1080 has

/** The covered pixels of a picture: for each one its distance in the picture of all boids, its shade and its opacity. */
interface Stamp {
  at: Int32Array;
  shade: Uint8Array;
  opacity: Uint8Array;
}

export interface Stamps {
  /** Draws the boids with the context's present opacity. */
  draw(screen: CanvasRenderingContext2D, scene: Scene, shape: Drawable, palette: readonly Color[], boids: Placed): void;
}

export function createStamps(): Stamps | null {
  const small = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const all = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  return small === null || all === null ? null : stampsOn(small, all);
}

function stampsOn(small: CanvasRenderingContext2D, all: CanvasRenderingContext2D): Stamps {
  let made = ''; // the values for which the stamps are made
  let side = 0; // pixels of a stamp
  let stamps: (Stamp | undefined)[] = [];
  let image = all.createImageData(1, 1);
  let words = new Uint32Array(1);
  let colored: readonly Color[] = []; // the colours in `shades`
  const shades = new Uint32Array(STEPS * CROWDS * SHADES);

  function prepare(shape: Drawable, size: number, width: number, height: number): void {
    const now = [shape, size, width, height].join();
    if (now === made) return;
    made = now;
    stamps = [];
    side = 2 * Math.ceil(REACH * size) + 1;
    small.canvas.width = PHASES * side;
    small.canvas.height = side;
    if (all.canvas.width === width && all.canvas.height === height) return;
    all.canvas.width = width;
    all.canvas.height = height;
    image = all.createImageData(width, height);
    words = new Uint32Array(image.data.buffer);
  }

  function color(palette: readonly Color[], [alone, more]: readonly [number, number]): void {
    if (palette === colored) return;
    colored = palette;
    palette.forEach((each, index) => {
      for (let crowd = 0; crowd < CROWDS; crowd++) {
        const glow = alone + (more * (crowd + 0.5)) / CROWDS;
        const lit: Color = [each[0] * glow, each[1] * glow, each[2] * glow];
        for (let i = 0; i < SHADES; i++) {
          const [r, g, b] = shaded(lit, i / (SHADES - 1)).map((value) => Math.min(255, Math.round(255 * value)));
          shades[(index * CROWDS + crowd) * SHADES + i] = (b << 16) | (g << 8) | r;
        }
      }
    });
  }

  /** Paints the stamps of a whole beat at that heading. */
  function paint(shape: Drawable, size: number, turn: number): void {
    const angle = (2 * Math.PI * turn) / TURNS;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const middle = (side - 1) / 2;
    small.setTransform(1, 0, 0, 1, 0, 0);
    small.clearRect(0, 0, PHASES * side, side);
    for (let phase = 0; phase < PHASES; phase++) {
      small.setTransform(cos, sin, -sin, cos, (phase + 0.5) * side, side / 2);
      paintShape(small, shape, size, (2 * Math.PI * phase) / PHASES, (shade) => css([shade, shade, shade]));
    }
    const { data } = small.getImageData(0, 0, PHASES * side, side);
    for (let phase = 0; phase < PHASES; phase++) {
      const [at, shade, opacity]: number[][] = [[], [], []];
      for (let y = 0; y < side; y++) {
        for (let x = 0; x < side; x++) {
          const from = 4 * ((y * PHASES + phase) * side + x);
          if (data[from + 3] <= OPACITY_LEAST) continue;
          at.push((y - middle) * image.width + x - middle);
          shade.push(Math.round((data[from] * (SHADES - 1)) / 255));
          opacity.push(data[from + 3]);
        }
      }
      stamps[turn * PHASES + phase] = { at: new Int32Array(at), shade: new Uint8Array(shade), opacity: new Uint8Array(opacity) };
    }
  }

  /** Puts one pixel over another one. */
  function over(at: number, rgb: number, opacity: number): void {
    const below = words[at];
    const covered = below >>> 24;
    const sum = opacity + covered - ((opacity * covered) >> 8);
    const part = Math.min(256, ((opacity << 8) / sum) | 0);
    const rest = 256 - part;
    const rb = (((rgb & 0xff00ff) * part + (below & 0xff00ff) * rest) >>> 8) & 0xff00ff;
    const g = (((rgb & 0xff00) * part + (below & 0xff00) * rest) >>> 8) & 0xff00;
    words[at] = ((sum << 24) | rb | g) >>> 0;
  }

  return {
    draw(screen, scene, shape, palette, { count, x, y, turn, color: colors, crowd, id }) {
      const { camera, length, beat } = scene;
      const scale = Math.min(camera.ratio, Math.sqrt(PIXELS_MAX / (camera.width * camera.height)));
      const size = STEP ** Math.round(Math.log(Math.max(2, length * scale)) / Math.log(STEP));
      const margin = Math.ceil(REACH * size) + 1; // boids at the window's edge lie in the picture as a whole
      const [right, bottom] = [camera.width, camera.height].map((each) => Math.ceil(each * scale) + 2 * margin);
      prepare(shape, size, right, bottom);
      color(palette, glowOf(scene));
      const beats = beatsOf(shape);
      const now = beat * beats;
      const width = image.width;
      let [top, foot] = [bottom, 0]; // the rows with boids
      for (let i = 0; i < count; i++) {
        const column = Math.round(x[i] * scale) + margin;
        const row = Math.round(y[i] * scale) + margin;
        if (column < margin - 1 || row < margin - 1 || column > right - margin || row > bottom - margin) continue;
        if (row < top) top = row;
        if (row > foot) foot = row;
        const phase = now === 0 ? 0 : Math.floor((now + id[i] * 0.618) * PHASES) % PHASES;
        const heading = shape === 'ball' ? BALL_TURN * TURNS : turn[i];
        const number = heading * PHASES + phase;
        if (stamps[number] === undefined) paint(shape, size, heading);
        const { at, shade, opacity } = stamps[number] as Stamp;
        const middle = row * width + column;
        const from = (colors[i] * CROWDS + crowd[i]) * SHADES;
        for (let k = 0; k < at.length; k++) {
          const place = middle + at[k];
          const rgb = shades[from + shade[k]];
          if (opacity[k] > OPAQUE) words[place] = (0xff000000 | rgb) >>> 0;
          else if (words[place] === 0) words[place] = ((opacity[k] << 24) | rgb) >>> 0;
          else over(place, rgb, opacity[k]);
        }
      }
      if (foot < top) return;
      top = Math.max(0, top - margin);
      foot = Math.min(bottom, foot + margin + 1);
      all.putImageData(image, 0, 0, 0, top, width, foot - top);
      screen.drawImage(all.canvas, 0, top, width, foot - top, -margin / scale, (top - margin) / scale, width / scale, (foot - top) / scale);
      words.fill(0, top * width, foot * width);
    },
  };
}
