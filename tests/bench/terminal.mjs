// Measures flock-term: processor time, bytes to the terminal, memory, and the time from its start to the first boid.
//
// Each flock has a server of its own. The terminal has 200 by 50 cells and shows all colours. The measurement begins after 8 s. The
// terminal takes all bytes at once. With --line RATE it takes RATE bytes a second: up to 64 KiB wait on the line, as with ssh, and the
// terminal answers a question when it has read it. A frame ends with a question. The keys are `?`, whose effect is a line of the help on
// the screen, and `p`, whose effect is the lowest measure in the panel.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, startServer } from '../e2e/server.mjs';
import { openOnLine } from '../e2e/terminal-line.mjs';
import { until } from '../e2e/until.mjs';
import { readNumber, readOptions } from '../options.mjs';

const USAGE = `Usage: make bench-terminal, or node tests/bench/terminal.mjs [OPTION]...

  --flock-term PROGRAM  default: build/flock-term
  --seconds N           measures each flock for N seconds; default: 10
  --colorterm TEXT      what COLORTERM says; default: truecolor
  --args=ARGS           options of flock-term, such as --args=--blocks
  --line RATE           the terminal takes RATE bytes a second; default: all at once
  --only TEXT           flocks whose titles have TEXT, such as 5,000; default: all`;
const { values } = readOptions(USAGE, {
  options: {
    'flock-term': { type: 'string', default: 'build/flock-term' },
    seconds: { type: 'string', default: '10' },
    colorterm: { type: 'string', default: 'truecolor' },
    args: { type: 'string', default: '' },
    line: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const PROGRAM = path.resolve(root, values['flock-term']);
const SECONDS = readNumber('seconds', values.seconds);
const SETTLE = 8000; // ms until the flock is as it stays
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })); // of processor time in /proc, in a second
const LINE = values.line === undefined ? 0 : readNumber('line', values.line); // bytes a second; 0: no limit
const EFFECTS = { '?': 'hjkl', p: 'nearest' };
const TIMES = 12; // that a key is pressed
const t = /** @type {import('../e2e/types.d.ts').Test} */ (/** @type {unknown} */ ({ after: () => {} }));

// Returns the processor time that a process has used, s.
const busy = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
};
const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

// Presses a key, and again to undo its effect. Returns the median and the most of the times until the effect is on the screen, and the
// median of the bytes of its frames.
async function pressKey(terminal, key) {
  const times = [];
  const sizes = [];
  for (let i = 0; i < TIMES; i += 1) {
    const { time, size } = await terminal.press(key, EFFECTS[key]);
    times.push(time);
    sizes.push(size);
    terminal.script.stdin.write(key);
    await sleep(700 + 37 * i);
  }
  for (const list of [times, sizes]) list.sort((a, b) => a - b);
  return `${times[TIMES / 2].toFixed(0)}, ${times[TIMES - 1].toFixed(0)} ms, ${(sizes[TIMES / 2] / 1000).toFixed(1)} KB`;
}

async function measure(title, args) {
  const server = await startServer(t, args);
  await sleep(1000);
  const terminal = openOnLine(server.ws, { program: PROGRAM, args: values.args, colorterm: values.colorterm, rate: LINE });
  await until('boids are drawn', () => terminal.first > 0);
  const [child] = readFileSync(`/proc/${terminal.script.pid}/task/${terminal.script.pid}/children`, 'utf8').split(' ').map(Number);
  await sleep(SETTLE);
  const [bytes, frames, spent, at] = [terminal.bytes, terminal.frames, busy(child), performance.now()];
  await sleep(1000 * SECONDS);
  const passed = (performance.now() - at) / 1000;
  const kilobytes = (terminal.bytes - bytes) / 1000 / passed;
  const rate = (terminal.frames - frames) / passed;
  const share = (100 * (busy(child) - spent)) / passed;
  const memory = resident(child);
  const cells = [title, `${share.toFixed(1)} %`, `${rate.toFixed(1)}`, `${kilobytes.toFixed(0)} KB/s`, `${memory.toFixed(1)} MiB`];
  cells.push(`${terminal.first.toFixed(0)} ms`);
  for (const key of Object.keys(EFFECTS)) cells.push(await pressKey(terminal, key));
  console.log(`| ${cells.join(' | ')} |`);
  process.kill(child, 'SIGTERM');
  terminal.close();
  server.kill('SIGKILL');
}

const KEYS = Object.keys(EFFECTS).map((key) => `\`${key}\` to screen: median, most, frame`);
console.log(`| flock | of a processor | frames a second | to the terminal | memory | to the first boid | ${KEYS.join(' | ')} |`);
console.log(`| --- | --- | --- | --- | --- | --- |${' --- |'.repeat(KEYS.length)}`);
const FLOCKS = {
  '12 boids, `original`': ['--preset', 'original'],
  '200 boids': ['--boids', '200'],
  '4,000 boids, `murmuration`': ['--preset', 'murmuration'],
  '5,000 boids': ['--boids', '5000'],
  '5,000 boids, model `boids`': ['--model', 'boids', '--boids', '5000'],
  '50,000 boids, model `boids`': ['--model', 'boids', '--boids', '50000'],
};
for (const [title, args] of Object.entries(FLOCKS).filter(([name]) => name.includes(values.only))) await measure(title, args);
