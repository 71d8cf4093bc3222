// node pictures.mjs FLOCK-SIM       writes src/pictures.ts: the pictures of the presets on the start page
//
// A picture is one path with a short line for some of the preset's boids, in a rectangle of 3 : 2 around the flock. The script takes the
// boids from flock-sim at the tick at which they are closest together: in a wrap world a flock can lie on both sides of an edge. If
// the preset has walls, the rectangle is around the walls, and the path draws them. `make pictures` runs this script. Its output is
// committed, because it changes only with the presets.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { decodeMulti } = createRequire(new URL('../../tests/package.json', import.meta.url))('@msgpack/msgpack');
const [sim = '../../build/flock-sim'] = process.argv.slice(2);
const [WIDTH, HEIGHT] = [96, 64];
const MOST = 110; // maximum of boids in a picture
const TICKS = 800;
const EVERY = 50;
const CALM = 300; // ticks until a flock has formed
const LENGTH = 2.6; // of a line, in units of the picture

const run = (...args) => execFileSync(sim, args, { encoding: 'utf8', maxBuffer: 1 << 26 });

function namesOfPresets() {
  const [, list] = run('--help').match(/--preset NAME[^;]*;([\s\S]*?)\n {2}--/) ?? [];
  return list.replace(/\s+/g, '').split('|');
}

/** Returns a preset's world and walls, as [x1, y1, x2, y2], or null if its boundary is not `walls`. */
function wallsOf(preset) {
  const folder = mkdtempSync(join(tmpdir(), 'flock-pictures-'));
  const file = join(folder, 'preset');
  run('--preset', preset, '--ticks', '0', '--output', join(folder, 'boids'), '--save', file);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  const words = [...decodeMulti(bytes.subarray(bytes.indexOf('\xa5model', 'latin1')))]; // keys and values in alternation
  const has = (key) => words[words.findIndex((word, i) => i % 2 === 0 && word === key) + 1];
  if (has('boundary') !== 'walls') return null;
  const [width, height, packed] = [has('width'), has('height'), has('walls')];
  const ends = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const inner = Array.from({ length: packed.byteLength / 16 }, (_, i) => [0, 4, 8, 12].map((at) => ends.getFloat32(16 * i + at, true)));
  const around = [
    [0, 0, width, 0],
    [width, 0, width, height],
    [width, height, 0, height],
    [0, height, 0, 0],
  ];
  return { width, height, all: [...around, ...inner] };
}

/** Returns the value below which that share of the values lies. */
const at = (values, share) => [...values].sort((a, b) => a - b)[Math.round(share * (values.length - 1))];

/** Returns the middle of a rectangle around 94 % of the boids in each direction, and the world units per unit of the picture. */
function frame(boids) {
  const [xs, ys] = [boids.map(({ x }) => x), boids.map(({ y }) => y)];
  const [left, right, top, bottom] = [at(xs, 0.03), at(xs, 0.97), at(ys, 0.03), at(ys, 0.97)];
  const unit = 1.25 * Math.max((right - left) / WIDTH, (bottom - top) / HEIGHT) || 1;
  return { x: (left + right) / 2, y: (top + bottom) / 2, unit };
}

/** Returns the boids and their rectangle at the tick at which the rectangle is smallest. */
function closest(preset) {
  const rows = run('--preset', preset, '--ticks', String(TICKS), '--every', String(EVERY), '--output', '-').trim().split('\n').slice(1);
  const moments = new Map();
  for (const [tick, , x, y, vx, vy] of rows.map((row) => row.split(',').map(Number))) {
    if (tick < CALM) continue;
    if (!moments.has(tick)) moments.set(tick, []);
    moments.get(tick).push({ x, y, vx, vy });
  }
  const framed = [...moments.values()].map((boids) => ({ boids, ...frame(boids) }));
  return framed.reduce((best, each) => (each.unit < best.unit ? each : best));
}

function draw(preset) {
  const walls = wallsOf(preset);
  const moment = closest(preset);
  const {
    boids,
    x: middle,
    y: centre,
    unit,
  } = walls === null
    ? moment
    : { ...moment, x: walls.width / 2, y: walls.height / 2, unit: Math.max(walls.width / (WIDTH - 6), walls.height / (HEIGHT - 6)) };
  const place = (x, y) => [Math.round(WIDTH / 2 + (x - middle) / unit), Math.round(HEIGHT / 2 + (y - centre) / unit)];
  const drawn = (walls?.all ?? []).map(([x1, y1, x2, y2]) => `M${place(x1, y1).join(' ')}L${place(x2, y2).join(' ')}`);
  const every = Math.ceil(boids.length / MOST);
  const lines = boids
    .filter((_, i) => i % every === 0)
    .map(({ x, y, vx, vy }) => {
      const speed = Math.hypot(vx, vy) || 1;
      const [px, py] = place(x, y);
      const [dx, dy] = [Math.round((LENGTH * vx) / speed), Math.round((LENGTH * vy) / speed)];
      return px < 1 || py < 1 || px >= WIDTH || py >= HEIGHT ? '' : `M${px} ${py}l${dx}${dy < 0 ? '' : ' '}${dy}`;
    });
  return [...new Set([...drawn, ...lines])].join('');
}

const pictures = namesOfPresets().map((name) => `  '${name}': '${draw(name)}',\n`);
const head = `// Pictures of the presets: paths of ${WIDTH} × ${HEIGHT}. Made by pictures.mjs, from flock-sim; do not edit.\n\n`;
const out = fileURLToPath(new URL('src/pictures.ts', import.meta.url));
writeFileSync(out, `${head}export const pictures: Readonly<Record<string, string>> = {\n${pictures.join('')}};\n`);
