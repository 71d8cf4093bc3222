// A film of flock-term: records a demo with --record, as a person would use it, and plays the recording in xterm.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './e2e/server.mjs';
import { until } from './e2e/until.mjs';
import { openDisplay } from './xvfb.mjs';

const [COLUMNS, ROWS] = [96, 27];
const FONT = 8;
const SCREEN = [960, 640];
const FIRST = 1; // s: the flock has come
const GAP = 0.25; // s between two frames
const STILL = 30; // ms in which xterm's picture must not change
const QUESTION = '\u001b[c';
const ANSWER = '\u001b]11;rgb:0000/0000/0000\u001b\\\u001b[?62;22c'; // a dark terminal
const READY = '\u001b[5n';
const WELL = '\u001b[0n';

// Keys and moves of the mouse: [seconds since the start, bytes].
/** @type {[number, string][]} */
const HANDS = [
  [6, 'y'],
  [8.5, 'Y'],
  ...type(9, ':sardines\r'),
  [13.5, 'm'],
  [16, 'm'],
  ...type(16.5, ':original\r'),
  [20.5, 'q'],
];

/** @returns {[number, string][]} */
function type(at, text) {
  return Array.from(text, (letter, i) => [at + 0.12 * i + (letter === '\r' ? 0.5 : 0), letter]);
}

// The mouse's way around the middle, as a report without a button.
function moveMouse(time) {
  const x = Math.round(COLUMNS * (0.5 + 0.3 * Math.cos(1.1 * time)));
  const y = Math.round(ROWS * (0.45 + 0.28 * Math.sin(1.7 * time)));
  return `\u001b[<35;${x};${y}M`;
}

// Lets flock-term run in a pseudo-terminal, with the hands. Returns the events of the recording: [time, kind, data].
async function record() {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-film-'));
  const file = path.join(folder, 'film.cast');
  const command = `stty cols ${COLUMNS} rows ${ROWS}; exec ${root}/build/flock-term --demo --record ${file}`;
  const script = spawn('script', ['-qfc', command, '/dev/null'], {
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: 'truecolor' },
  });
  script.stdout.on('data', (data) => {
    const text = data.toString('latin1');
    if (text.includes(QUESTION)) script.stdin.write(ANSWER);
    script.stdin.write(WELL.repeat(text.split(READY).length - 1));
  });
  script.stdin.on('error', () => {}); // it has ended
  const ended = new Promise((done) => script.on('exit', done));
  const began = performance.now();
  const mouse = setInterval(() => {
    const time = (performance.now() - began) / 1000;
    if (time > 1) script.stdin.write(moveMouse(time));
  }, 60);
  for (const [time, bytes] of HANDS) {
    await sleep(Math.max(0, began + 1000 * time - performance.now()));
    if (bytes === 'q') clearInterval(mouse);
    script.stdin.write(bytes);
  }
  await ended;
  const [, ...events] = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  if (events.some(([, , data]) => data.includes('30/s') && data.includes('of'))) throw new Error('the machine is too busy: flock-term draws less');
  return events;
}

// Returns the size of xterm's window, which is not quite black; the screen around it is.
async function findWindow(display) {
  let size = [0, 0];
  await until('a window', () => {
    const { width, height, pixels } = display.read(SCREEN);
    const isLit = (x, y) => pixels[3 * (y * width + x)] > 0;
    size = [width, height];
    while (size[0] > 0 && !isLit(size[0] - 1, 0)) size[0] -= 1;
    while (size[1] > 0 && !isLit(0, size[1] - 1)) size[1] -= 1;
    return size[0] > 0 && size[1] > 0;
  });
  return size;
}

// Waits until xterm has drawn all.
async function settle(display, size) {
  let before = display.read(size);
  for (;;) {
    await sleep(STILL);
    const now = display.read(size);
    if (now.pixels.equals(before.pixels)) return now;
    before = now;
  }
}

const withAlpha = ({ width, height, pixels }) => {
  const out = Buffer.alloc(4 * width * height, 255);
  for (let i = 0; i < width * height; i += 1) pixels.copy(out, 4 * i, 3 * i, 3 * i + 3);
  return out;
};

// Plays the events in xterm. Returns the frames, { pixels (RGBA), at (ms) }, and their size.
export async function filmTerminal() {
  const events = await record();
  const display = await openDisplay(SCREEN);
  const pipe = path.join(display.folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const look = ['-u8', '-fa', 'DejaVu Sans Mono', '-fs', String(FONT), '-bg', '#010101', '-fg', 'grey90', '-b', '0', '-bw', '0', '+sb'];
  const xterm = spawn('xterm', [...look, '-geometry', `${COLUMNS}x${ROWS}+0+0`, '-e', 'sh', '-c', `stty raw -echo; exec cat ${pipe}`], {
    env: { ...process.env, DISPLAY: display.name, LC_ALL: 'C.UTF-8' },
    stdio: 'ignore',
  });
  const output = await open(pipe, 'w');
  await output.write('\u001b[?25l');
  const frames = [];
  const size = await findWindow(display);
  let next = 0;
  for (let time = FIRST; time < events.at(-1)[0]; time += GAP) {
    let bytes = '';
    for (; next < events.length && events[next][0] <= time; next += 1) bytes += events[next][2];
    await output.write(bytes);
    const { width, height, pixels } = await settle(display, size);
    frames.push({ at: 1000 * time, pixels: withAlpha({ width, height, pixels }) });
  }
  await output.close();
  xterm.kill();
  display.close();
  return { frames, width: size[0], height: size[1] };
}
