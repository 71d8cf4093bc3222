// Measures flock-term: processor time, bytes to the terminal, memory, and the time from its start to the first boid.
//
//   node tests/bench/terminal.mjs [--flock-term build/flock-term] [--seconds 10] [--colorterm truecolor] [--args=--blocks]
//
// Each flock has a server of its own. The terminal has 200 by 50 cells, shows all colours, and takes all bytes at once: `script`
// gives flock-term a pseudo-terminal, and this program counts what arrives. The measurement begins after 8 s.
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
  },
});
const PROGRAM = path.resolve(root, values['flock-term']);
const SECONDS = Number(values.seconds);
const SETTLE = 8000; // ms until the flock is as it stays
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })); // of processor time in /proc, in a second
const QUESTION = '\u001b[c';
const ANSWER = '\u001b]11;rgb:0000/0000/0000\u001b\\\u001b[?62;22c'; // a dark terminal
const BRAILLE = /[\u2801-\u28ff\u2580-\u259f]/;

const t = /** @type {import('../e2e/types.d.ts').Test} */ (/** @type {unknown} */ ({ after: () => {} }));

// Returns the processor time that a process has used, s.
const busy = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
};
const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

// Starts flock-term in a terminal that counts bytes.
function openTerminal(url) {
  const started = performance.now();
  const command = `stty cols 200 rows 50; exec ${PROGRAM} ${values.args} ${url}`;
  const script = spawn('script', ['-qfc', command, '/dev/null'], {
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: values.colorterm },
  });
  const terminal = { bytes: 0, first: 0, script };
  script.stdout.on('data', (data) => {
    terminal.bytes += data.length;
    if (data.includes(QUESTION)) script.stdin.write(ANSWER);
    if (terminal.first === 0 && BRAILLE.test(data.toString())) terminal.first = performance.now() - started;
  });
  return terminal;
}

async function measure(title, args) {
  const server = await startServer(t, args);
  await sleep(1000);
  const terminal = openTerminal(server.ws);
  await until('boids are drawn', () => terminal.first > 0);
  const [child] = readFileSync(`/proc/${terminal.script.pid}/task/${terminal.script.pid}/children`, 'utf8').split(' ').map(Number);
  await sleep(SETTLE);
  const [bytes, spent, at] = [terminal.bytes, busy(child), performance.now()];
  await sleep(1000 * SECONDS);
  const passed = (performance.now() - at) / 1000;
  const kilobytes = (terminal.bytes - bytes) / 1000 / passed;
  const share = (100 * (busy(child) - spent)) / passed;
  console.log(`| ${title} | ${share.toFixed(1)} % | ${kilobytes.toFixed(0)} KB/s | ${resident(child).toFixed(1)} MiB | ${terminal.first.toFixed(0)} ms |`);
  process.kill(child, 'SIGTERM');
  server.kill('SIGKILL');
}

console.log('| flock | of a processor | to the terminal | memory | to the first boid |\n| --- | --- | --- | --- | --- |');
await measure('12 boids, `original`', ['--preset', 'original']);
await measure('200 boids', ['--boids', '200']);
await measure('4,000 boids, `murmuration`', ['--preset', 'murmuration']);
await measure('5,000 boids', ['--boids', '5000']);
await measure('5,000 boids, model `boids`', ['--model', 'boids', '--boids', '5000']);
await measure('50,000 boids, model `boids`', ['--model', 'boids', '--boids', '50000']);
