// Makes the moving pictures of the start page: a few seconds of each preset, as flock-sim computes them.
//
// A miniature has a preset's rules and fewer boids in a smaller world, so that each boid can be seen. It holds the boids' positions
// at FRAMES moments. The boids follow the path that leads a room's flock while no cursor is active.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeMulti } from '@msgpack/msgpack';

const FRAMES = 76;
const EVERY = 3; // ticks between two frames; a second has 30 ticks
const CALM = 600; // ticks before the first frame, in which the flock takes its form
const STEPS = 480; // of a position, across the world
const TICK_RATE = 30;

/** The boids and the world of a miniature that differ from the preset's. */
const SMALLER = {
  murmuration: { boids: 200, world: '600x400' },
  sardines: { boids: 110, world: '324x216' },
  bees: { boids: 64 },
  march: { boids: 80, world: '453x302' },
  crowd: { boids: 80, world: '453x302' },
  'vex-column': { boids: 60, world: '657x438' },
  'vex-crowd': { boids: 60, world: '657x438' },
  'cpp-boids': { boids: 50, world: '630x420' },
};

// The printable characters that JSON does not escape.
const DIGITS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((c) => !'"\\'.includes(c));
const BASE = DIGITS.length - 1; // the last digit announces a number of two digits

function digitsOf(number) {
  const code = number < 0 ? -2 * number - 1 : 2 * number;
  if (code < BASE) return DIGITS[code];
  return DIGITS[BASE] + DIGITS[Math.floor(code / BASE)] + DIGITS[code % BASE];
}

/** Writes a boid's coordinate at each frame: the first one, its first step, and then the changes of the step, which are small. */
export function line(values) {
  const steps = values.slice(1).map((value, i) => value - values[i]);
  return [values[0], steps[0], ...steps.slice(1).map((step, i) => step - steps[i])].map(digitsOf).join('');
}

/** Undoes a torus: the path goes on beyond the edge. */
function unwrap(values, size) {
  let shift = 0;
  return values.map((value, i) => {
    if (i > 0 && Math.abs(value - values[i - 1]) > size / 2) shift += value > values[i - 1] ? -size : size;
    return value + shift;
  });
}

function makeMiniature(sim, preset) {
  const folder = mkdtempSync(join(tmpdir(), 'flock-miniatures-'));
  const saved = join(folder, 'flock');
  const { boids: most, world } = SMALLER[preset] ?? {};
  const args = ['--preset', preset, '--wander', '--ticks', String(CALM + (FRAMES - 1) * EVERY), '--every', String(EVERY), '--save', saved];
  if (most !== undefined) args.push('--boids', String(most));
  if (world !== undefined) args.push('--world', world);
  const rows = execFileSync(sim, [...args, '--output', '-'], { encoding: 'utf8', maxBuffer: 1 << 28 })
    .trim()
    .split('\n')
    .slice(1);
  const { width, height, boundary, walls } = worldOf(readFileSync(saved));
  rmSync(folder, { recursive: true });
  const scale = STEPS / width;
  const paths = new Map(); // by boid: its x and y at each frame
  for (const row of rows) {
    const [tick, id, x, y] = row.split(',').map(Number);
    if (tick < CALM) continue;
    if (!paths.has(id)) paths.set(id, [[], []]);
    paths.get(id)[0].push(x);
    paths.get(id)[1].push(y);
  }
  const torus = boundary === 'wrap';
  const lines = [...paths.values()].map((path) =>
    path
      .map((values, axis) => line((torus ? unwrap(values, axis === 0 ? width : height) : values).map((value) => Math.round(value * scale))))
      .join(''),
  );
  return {
    width: STEPS,
    height: Math.round(height * scale),
    torus,
    boids: paths.size,
    frames: FRAMES,
    interval: (1000 * EVERY) / TICK_RATE,
    start: (1000 * CALM) / TICK_RATE,
    walls: walls.map((wall) => wall.map((value) => Math.round(value * scale))),
    paths: lines.join(''),
  };
}

/** The world of a flock that flock-sim saved. */
function worldOf(bytes) {
  const words = [...decodeMulti(bytes.subarray(bytes.indexOf('\xa5model', 'latin1')))]; // keys and values by turns
  const has = (key) => words[words.findIndex((word, i) => i % 2 === 0 && word === key) + 1];
  const packed = has('walls');
  const ends =
    packed instanceof Uint8Array ? new DataView(packed.buffer, packed.byteOffset, packed.byteLength) : new DataView(new ArrayBuffer(0));
  const walls = Array.from({ length: Math.floor(ends.byteLength / 16) }, (_, i) =>
    [0, 4, 8, 12].map((at) => ends.getFloat32(16 * i + at, true)),
  );
  return { width: has('width'), height: has('height'), boundary: has('boundary'), walls };
}

function presetsOf(sim) {
  const help = execFileSync(sim, ['--help'], { encoding: 'utf8' });
  const [, list] = help.match(/--preset NAME[^;]*;([\s\S]*?)\n {2}--/) ?? [];
  return list.replace(/\s+/g, '').split('|');
}

/** Returns the source of a module that exports the miniatures by their presets' names. sim: the path of flock-sim. */
export function makeMiniatures(sim) {
  const all = presetsOf(sim).map((preset) => [preset, makeMiniature(sim, preset)]);
  return `export const miniatures = ${JSON.stringify(Object.fromEntries(all))};\n`;
}
