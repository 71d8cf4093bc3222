// Measures flock-term: processor time, bytes to the terminal, memory, and the time from its start to the first boid.
//
//   node tests/bench/terminal.mjs [--flock-term build/flock-term] [--seconds 10] [--colorterm truecolor] [--args=--blocks] [--line 50000] [--only '5,000']
//
// Each flock has a server of its own. The terminal has 200 by 50 cells and shows all colours. `script` gives flock-term a
// pseudo-terminal, and this program counts what arrives. The measurement begins after 8 s. The terminal takes all bytes at once.
// With --line RATE it takes RATE bytes a second: up to 64 KiB wait on the line, as with ssh, and the terminal answers a question when it
// has read it. A frame ends with a question. The key is `?`, and its effect is the help on the screen.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, startServer } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';

const { values } = parseArgs({
  options: {
    'flock-term': { type: 'string', default: 'build/flock-term' },
    seconds: { type: 'string', default: '10' },
    colorterm: { type: 'string', default: 'truecolor' },
    args: { type: 'string', default: '' },
    line: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
});
const PROGRAM = path.resolve(root, values['flock-term']);
const SECONDS = Number(values.seconds);
const SETTLE = 8000; // ms until the flock is as it stays
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })); // of processor time in /proc, in a second
const QUESTION = '\u001b[c';
const ANSWER = '\u001b]11;rgb:0000/0000/0000\u001b\\\u001b[?62;22c'; // a dark terminal
const LINE = Number(values.line); // bytes a second; 0: no limit
const STEP = 5; // ms between two transfers of a line
const FLIGHT = 65536; // bytes that wait on a line
const READY = '\u001b[5n';
const WELL = '\u001b[0n';
const HELP = 'hjkl';
const KEYS = 12; // pressed
const BRAILLE = /[\u2801-\u28ff\u2580-\u259f]/;

const t = /** @type {import('../e2e/types.d.ts').Test} */ (/** @type {unknown} */ ({ after: () => {} }));

// Returns the processor time that a process has used, s.
const busy = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
};
const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

// A line that carries LINE bytes a second: calls take(data) for each part.
function makeLine(stdout, take) {
  let waiting = Buffer.alloc(0);
  let last = performance.now();
  stdout.on('data', (data) => {
    waiting = Buffer.concat([waiting, data]);
    if (waiting.length > FLIGHT) stdout.pause();
  });
  const timer = setInterval(() => {
    const now = performance.now();
    const count = Math.min(Math.floor(((now - last) * LINE) / 1000), waiting.length);
    last = waiting.length > count ? last + (1000 * count) / LINE : now;
    if (count > 0) take(waiting.subarray(0, count));
    waiting = waiting.subarray(count);
    if (waiting.length < FLIGHT) stdout.resume();
  }, STEP);
  return () => clearInterval(timer);
}

// Starts flock-term in a terminal that counts bytes and frames.
function openTerminal(url) {
  const started = performance.now();
  const command = `stty cols 200 rows 50; exec ${PROGRAM} ${values.args} ${url}`;
  const script = spawn('script', ['-qfc', command, '/dev/null'], {
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: values.colorterm },
  });
  const terminal = { bytes: 0, frames: 0, first: 0, script, text: '', helped: 0, close: () => {} };
  let rest = ''; // perhaps the beginning of a question
  const take = (/** @type {Buffer} */ data) => {
    const text = rest + data.toString('latin1');
    const questions = text.split(READY);
    rest = questions.at(-1)?.slice(1 - READY.length) ?? '';
    terminal.bytes += data.length;
    terminal.frames += questions.length - 1;
    if (text.includes(QUESTION)) {
      script.stdin.write(ANSWER);
      rest = '';
    }
    if (questions.length > 1) script.stdin.write(WELL.repeat(questions.length - 1));
    if (text.includes(HELP)) terminal.helped = performance.now();
    if (terminal.first === 0 && BRAILLE.test(data.toString())) terminal.first = performance.now() - started;
  };
  if (LINE > 0) terminal.close = makeLine(script.stdout, take);
  else script.stdout.on('data', take);
  return terminal;
}

// Returns the times from a key to its effect on the screen, ms, the shortest first.
async function pressKeys(terminal) {
  const times = [];
  for (let i = 0; i < KEYS; i += 1) {
    const at = performance.now();
    terminal.script.stdin.write('?');
    await until('the help', () => terminal.helped > at);
    times.push(terminal.helped - at);
    terminal.script.stdin.write('?');
    await sleep(700 + 37 * i);
  }
  return times.sort((a, b) => a - b);
}

async function measure(title, args) {
  const server = await startServer(t, args);
  await sleep(1000);
  const terminal = openTerminal(server.ws);
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
  const keys = await pressKeys(terminal);
  const cells = [title, `${share.toFixed(1)} %`, `${rate.toFixed(1)}`, `${kilobytes.toFixed(0)} KB/s`, `${memory.toFixed(1)} MiB`];
  cells.push(`${terminal.first.toFixed(0)} ms`, `${keys[KEYS / 2].toFixed(0)}, ${keys[KEYS - 1].toFixed(0)} ms`);
  console.log(`| ${cells.join(' | ')} |`);
  process.kill(child, 'SIGTERM');
  terminal.close();
  server.kill('SIGKILL');
}

console.log('| flock | of a processor | frames a second | to the terminal | memory | to the first boid | key to screen: median, most |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
const FLOCKS = {
  '12 boids, `original`': ['--preset', 'original'],
  '200 boids': ['--boids', '200'],
  '4,000 boids, `murmuration`': ['--preset', 'murmuration'],
  '5,000 boids': ['--boids', '5000'],
  '5,000 boids, model `boids`': ['--model', 'boids', '--boids', '5000'],
  '50,000 boids, model `boids`': ['--model', 'boids', '--boids', '50000'],
};
for (const [title, args] of Object.entries(FLOCKS).filter(([name]) => name.includes(values.only))) await measure(title, args);
