#!/usr/bin/env node
// Makes build/looks/terminal.png: flock-term in xterm, each preset on a dark and on a light terminal, each theme, panels and sizes. People
// look at the sheet after changes of drawing. `make looks-terminal` runs it. Runs with --only make the whole sheet in parts.
//
// Keys come through tmux, in which flock-term runs.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import * as flock from './e2e/client.mjs';
import { root, startServer } from './e2e/server.mjs';
import { until } from './e2e/until.mjs';
import { readOptions } from './options.mjs';
import { openDisplay } from './xvfb.mjs';

const USAGE = `Usage: make looks-terminal ARGS="[OPTION]..."

  --only NAME,... take only pictures with one of these in their names; on the sheet the others are of earlier runs
  --age SECONDS   of a flock when its picture is taken; default 12`;
const { values: options } = readOptions(USAGE, { options: { only: { type: 'string', default: '' }, age: { type: 'string', default: '12' } } });
const PRESETS = ['original', 'js-birds', 'vex-column', 'vex-crowd', 'ue4-fish', 'cpp-boids', 'bees', 'sardines', 'sheep', 'march', 'crowd', 'murmuration', 'billiards'];
const DARK = ['black', 'grey90'];
const LIGHT = ['white', 'black'];
const SCREEN = [1640, 1000];
const WIDTH = 560; // pixels of a picture on the sheet
const ACROSS = 3;
const GAP = 8;
const FOLDER = path.join(root, 'build/looks');
const LAZYGIT = path.join(root, 'build/lazygit/settings.yml');

// A picture: its name, the preset or the server's options, the terminal's cells, font, colours and type, what other people do, keys to press,
// and how long to wait then, s.
/** @typedef {{ name: string, preset: string, columns?: number, rows?: number, size?: number, colors?: string[], term?: string, environment?: object, args?: string[], keys?: string[], presenter?: boolean, wait?: number, program?: string[], stage?: (ws: string, key: string) => Promise<void> }} Shot */
const t = /** @type {import('./e2e/types.d.ts').Test} */ (/** @type {unknown} */ ({ after: () => {} }));

// Six people steer. A presenter among them puts ゆき into the spotlight.
async function crowd(ws, key) {
  const teacher = await flock.join(t, ws, { name: 'Teacher', key });
  const [width, height] = teacher.room.world;
  const names = ['Ada', 'ゆき', '민준', 'Zoë', 'Grace'];
  const people = await Promise.all(names.map((name) => flock.join(t, ws, { name })));
  await teacher.ask([flock.SPOTLIGHT, people[1].id]);
  const steer = () => [teacher, ...people].forEach((person, i) => person.send([flock.CURSOR, width * (0.2 + 0.12 * i), height * (0.3 + 0.25 * (i % 3))]));
  setInterval(steer, 1000).unref();
  steer();
}

// A presenter draws a wall, drops food and sets a hunter loose.
async function furnish(ws, key) {
  const teacher = await flock.join(t, ws, { name: 'Teacher', key });
  const [width, height] = teacher.room.world;
  await teacher.ask([flock.WALL, width * 0.2, height * 0.2, width * 0.4, height * 0.6]);
  await teacher.ask([flock.FOOD, width * 0.7, height * 0.3, 500]);
  await teacher.ask([flock.FOOD, width * 0.75, height * 0.35, 500]);
  await teacher.ask([flock.HUNTER, width * 0.3, height * 0.8]);
}

// A presenter changes the flock some times, and asks for attention.
async function teach(ws, key) {
  const teacher = await flock.join(t, ws, { name: 'Teacher', key });
  await teacher.ask([flock.ATTENTION, true, 'Look at the front']);
}

/** @type {Shot[]} */
const SHOTS = [
  ...PRESETS.flatMap((preset) => [
    { name: `${preset} dark`, preset },
    { name: `${preset} light`, preset, colors: LIGHT },
  ]),
  ...['night', 'day', 'phosphor', 'terminal'].map((theme) => ({ name: `theme ${theme}`, preset: 'murmuration', args: ['--theme', theme] })),
  { name: 'theme terminal, light', preset: 'cpp-boids', args: ['--theme', 'terminal'], colors: LIGHT },
  { name: 'blocks', preset: 'ue4-fish', args: ['--blocks'] },
  { name: 'blocks, murmuration', preset: 'murmuration', args: ['--blocks'] },
  { name: 'ascii', preset: 'cpp-boids', args: ['--ascii'] },
  { name: '256 colours', preset: 'sardines', environment: {} },
  { name: '16 colours', preset: 'cpp-boids', term: 'xterm-16color', environment: {} },
  { name: '16 colours, light', preset: 'cpp-boids', term: 'xterm-16color', environment: {}, colors: LIGHT, keys: ['p'], presenter: true },
  { name: '8 colours', preset: 'cpp-boids', term: 'xterm-color', environment: {} },
  { name: 'monochrome', preset: 'cpp-boids', term: 'vt100', environment: {} },
  { name: 'controls', preset: 'murmuration', keys: ['p'], presenter: true },
  { name: 'room', preset: 'cpp-boids', keys: ['w'], presenter: true },
  { name: 'measures', preset: 'sardines', keys: ['m'] },
  { name: 'news and measures', preset: 'cpp-boids', keys: ['a', 'a', ']', 'm', 'N'], presenter: true },
  { name: 'sweep', preset: 'march', keys: [':', 'sweep noise', 'Enter'], presenter: true, wait: 40 },
  { name: 'why', preset: 'cpp-boids', keys: ['y'] },
  { name: 'palette', preset: 'bees', keys: [':'], presenter: true },
  { name: 'all panels', preset: 'murmuration', keys: ['p', 'm', 'N'], presenter: true, columns: 200, rows: 50, size: 5 },
  { name: '250 x 70', preset: 'ue4-fish', keys: ['p', 'm', 'N'], presenter: true, columns: 250, rows: 70, size: 4 },
  { name: 'sextants', preset: 'murmuration', args: ['--sextants'] },
  { name: 'people', preset: 'cpp-boids', keys: ['w', 'End'], presenter: true, stage: crowd },
  { name: 'food and hunters', preset: 'cpp-boids', stage: furnish },
  { name: 'attention', preset: 'murmuration', stage: teach },
  { name: 'the past', preset: 'cpp-boids', keys: ['a', ']', '[', 'a', '<', 'N'], presenter: true },
  { name: 'rooms', preset: 'sheep', keys: ['o'] },
  { name: 'presenter key', preset: 'march', keys: ['P', 'abc'] },
  { name: 'Japanese', preset: 'bees', args: ['--lang', 'ja'], keys: ['p', 'm'], presenter: true },
  { name: 'Korean help', preset: 'bees', args: ['--lang', 'ko'], keys: ['?'] },
  { name: 'demo', preset: 'original', args: ['--demo'] },
  { name: 'attract mode', preset: 'original', args: ['--demo', '--attract', '5'] },
  { name: 'beside: btop', preset: 'original', program: ['btop', '--utf-force'] },
  { name: 'beside: cmatrix', preset: 'original', program: ['cmatrix'] },
  { name: 'beside: lazygit', preset: 'original', program: [path.join(root, 'build/lazygit/lazygit'), '--path', root, '--use-config-file', LAZYGIT], keys: ['Escape'] },
  { name: 'help', preset: 'sardines', keys: ['?'] },
  { name: 'invitation', preset: 'bees', keys: ['i'], columns: 90, rows: 34, size: 8 },
  { name: 'enlarged', preset: 'murmuration', keys: ['f'] },
  { name: '80 x 24', preset: 'cpp-boids', columns: 80, rows: 24, size: 10 },
  { name: '80 x 24, controls', preset: 'cpp-boids', columns: 80, rows: 24, size: 10, keys: ['p'], presenter: true },
  { name: '40 x 12', preset: 'cpp-boids', columns: 40, rows: 12, size: 20 },
  { name: '40 x 12, room', preset: 'cpp-boids', columns: 40, rows: 12, size: 20, keys: ['w'], presenter: true },
];

// The checksum of PNG.
function checksum(data) {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  const sum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(checksum(body));
  return Buffer.concat([length, body, sum]);
}

function writePng(file, { width, height, pixels }) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) => Buffer.concat([Buffer.alloc(1), pixels.subarray(3 * width * y, 3 * width * (y + 1))]));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  writeFileSync(file, Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]));
}

// Returns a picture of this run or an earlier one.
function readPng(file) {
  const { width, height, data } = PNG.sync.read(readFileSync(file));
  const pixels = Buffer.alloc(3 * width * height);
  for (let i = 0; i < width * height; i += 1) data.copy(pixels, 3 * i, 4 * i, 4 * i + 3);
  return { width, height, pixels };
}

// Returns the picture, WIDTH pixels wide: each pixel is the mean of the pixels in its place.
function shrink({ width, height, pixels }) {
  const high = Math.round((height * WIDTH) / width);
  const out = Buffer.alloc(3 * WIDTH * high);
  for (let y = 0; y < high; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const [left, right] = [Math.floor((x * width) / WIDTH), Math.max(Math.floor((x * width) / WIDTH) + 1, Math.floor(((x + 1) * width) / WIDTH))];
      const [top, bottom] = [Math.floor((y * height) / high), Math.max(Math.floor((y * height) / high) + 1, Math.floor(((y + 1) * height) / high))];
      for (let part = 0; part < 3; part += 1) {
        let sum = 0;
        for (let v = top; v < bottom; v += 1) for (let u = left; u < right; u += 1) sum += pixels[3 * (v * width + u) + part];
        out[3 * (y * WIDTH + x) + part] = sum / ((right - left) * (bottom - top));
      }
    }
  }
  return { width: WIDTH, height: high, pixels: out };
}

// Puts pictures side by side, the highest of a row beside lower ones.
function layOut(pictures) {
  const rows = [];
  for (let i = 0; i < pictures.length; i += ACROSS) rows.push(pictures.slice(i, i + ACROSS));
  const heights = rows.map((row) => Math.max(...row.map(({ height }) => height)));
  const sheet = { width: ACROSS * (WIDTH + GAP) + GAP, height: heights.reduce((sum, high) => sum + high + GAP, GAP), pixels: Buffer.alloc(0) };
  sheet.pixels = Buffer.alloc(3 * sheet.width * sheet.height, 0x40);
  let top = GAP;
  rows.forEach((row, i) => {
    row.forEach(({ width, height, pixels }, column) => {
      for (let y = 0; y < height; y += 1) {
        pixels.copy(sheet.pixels, 3 * ((top + y) * sheet.width + GAP + column * (WIDTH + GAP)), 3 * width * y, 3 * width * (y + 1));
      }
    });
    top += heights[i] + GAP;
  });
  return sheet;
}

// Adds a type of terminals that this machine may lack.
function addType(folder, entry) {
  const file = path.join(folder, 'types');
  writeFileSync(file, `${entry}\n`);
  execFileSync('tic', ['-x', '-o', folder, file]);
}

// Opens xterm on a display of its own, with tmux and flock-term in it.
async function openScreen(shot, url) {
  const { columns = 140, rows = 42, size = 6, colors = DARK, keys = [], args = [], environment = { COLORTERM: 'truecolor' } } = shot;
  const display = await openDisplay(SCREEN);
  const settings = path.join(display.folder, 'tmux.conf');
  const socket = path.join(display.folder, 'tmux');
  writeFileSync(settings, `set -g status off\nset -g escape-time 0\nset -as terminal-features ",*:RGB"\nset -g default-terminal ${shot.term ?? 'tmux-256color'}\n`);
  if (shot.term === 'xterm-16color') addType(display.folder, 'xterm-16color|xterm with 16 colours, colors#16, pairs#256, use=xterm-color,');
  const font = ['-u8', '-tn', 'xterm-256color', '-fa', 'DejaVu Sans Mono', '-fs', String(size), '-bg', colors[0], '-fg', colors[1]];
  const place = ['-geometry', `${columns}x${rows}+0+0`, '-b', '0', '-bw', '0', '+sb'];
  const variables = ['env', '-u', 'COLORTERM', `TERMINFO=${display.folder}`, `XDG_STATE_HOME=${display.folder}`, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)];
  const background = ['--background', colors === LIGHT ? 'light' : 'dark'];
  const program = shot.program ?? [path.join(root, 'build/flock-term'), '--no-config', ...background, ...args, ...(args.includes('--demo') ? [] : [url])];
  const xterm = spawn('xterm', [...font, ...place, '-e', 'tmux', '-u', '-S', socket, '-f', settings, 'new-session', ...variables, ...program], {
    env: { ...process.env, DISPLAY: display.name, LC_ALL: 'C.UTF-8' },
    stdio: 'ignore',
  });
  const tmux = (...words) => execFileSync('tmux', ['-S', socket, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  await until('the flock is live', () => {
    try {
      const text = tmux('capture-pane', '-p');
      return shot.program ? text.trim().length > 200 : /live|ライブ|라이브/.test(text);
    } catch {
      return false;
    }
  });
  return {
    async take() {
      for (const key of keys) {
        tmux('send-keys', ...(key.includes(' ') ? ['-l'] : []), key);
        await sleep(200);
      }
      await sleep(1000 * (shot.wait ?? 3));
      const [width, height] = [Number(tmux('display-message', '-p', '#{client_cell_width}')) * columns, Number(tmux('display-message', '-p', '#{client_cell_height}')) * rows];
      return display.read([Math.min(width, SCREEN[0]), Math.min(height, SCREEN[1])]);
    },
    close() {
      tmux('kill-server');
      xterm.kill();
      display.close();
    },
  };
}

const fileOf = (shot) => path.join(FOLDER, `terminal ${shot.name}.png`);

mkdirSync(FOLDER, { recursive: true });
writeFileSync(LAZYGIT, 'git:\n  autoFetch: false\n');
for (const shot of SHOTS.filter(({ name }) => options.only.split(',').some((part) => name.includes(part)))) {
  const server = await startServer(t, ['--preset', shot.preset]);
  await sleep(1000 * Number(options.age));
  const key = server.stdout.match(/#key=(\S+)/)?.[1] ?? '';
  await shot.stage?.(server.ws, key);
  const screen = await openScreen(shot, `${server.url}r/lobby${shot.presenter ? `#key=${key}` : ''}`);
  writePng(fileOf(shot), await screen.take());
  console.log(shot.name);
  screen.close();
  server.kill('SIGKILL');
}
const files = SHOTS.map(fileOf).filter((file) => existsSync(file));
writePng(path.join(FOLDER, 'terminal.png'), layOut(files.map((file) => shrink(readPng(file)))));
console.log(`${FOLDER}/terminal.png`);
