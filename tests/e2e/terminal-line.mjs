// Runs flock-term in a terminal at the end of a line, and counts what arrives. `script` gives flock-term a pseudo-terminal.
import { spawn } from 'node:child_process';
import { FLOCK_TERM } from './terminal.mjs';
import { until } from './until.mjs';

const QUESTION = '\u001b[c';
const ANSWER = '\u001b]11;rgb:0000/0000/0000\u001b\\\u001b[?62;22c'; // a dark terminal
const READY = '\u001b[5n'; // a question; a frame ends with it
const WELL = '\u001b[0n';
const STEP = 5; // ms between two transfers of a line
const FLIGHT = 65536; // bytes that wait on a line, as with ssh
const BRAILLE = /[\u2801-\u28ff\u2580-\u259f]/;

// A line that carries `rate` bytes a second: calls take(data) for each part. Returns a function that closes it.
function makeLine(stdout, rate, take) {
  let waiting = Buffer.alloc(0);
  let last = performance.now();
  stdout.on('data', (data) => {
    waiting = Buffer.concat([waiting, data]);
    if (waiting.length > FLIGHT) stdout.pause();
  });
  const timer = setInterval(() => {
    const now = performance.now();
    const count = Math.min(Math.floor(((now - last) * rate) / 1000), waiting.length);
    last = waiting.length > count ? last + (1000 * count) / rate : now;
    if (count > 0) take(waiting.subarray(0, count));
    waiting = waiting.subarray(count);
    if (waiting.length < FLIGHT) stdout.resume();
  }, STEP);
  return () => clearInterval(timer);
}

// Starts flock-term in a terminal of 200 by 50 cells. rate: bytes a second that the line to the terminal carries; 0: no limit. The terminal
// answers a question when it has read it. `first`: ms from the start to the first boid; 0: none yet.
/** @param {string} url */
export function openOnLine(url, { program = FLOCK_TERM, args = '', colorterm = 'truecolor', rate = 0 } = {}) {
  const started = performance.now();
  const script = spawn('script', ['-qfc', `stty cols 200 rows 50; exec ${program} ${args} ${url}`, '/dev/null'], {
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: colorterm },
  });
  const terminal = { bytes: 0, frames: 0, first: 0, script, press, close: () => {} };
  let effect = 'no effect';
  let shown = 0; // when it has arrived
  let size = 0; // of its frame, when the frame is complete
  let frame = ''; // the part that has arrived
  const take = (/** @type {Buffer} */ data) => {
    const text = frame + data.toString('latin1');
    const frames = text.split(READY);
    frame = frames.pop() ?? '';
    terminal.bytes += data.length;
    terminal.frames += frames.length;
    if (text.includes(QUESTION)) {
      script.stdin.write(ANSWER);
      frame = '';
    }
    if (frames.length > 0) script.stdin.write(WELL.repeat(frames.length));
    if (shown === 0 && text.includes(effect)) shown = performance.now();
    if (size === 0) size = frames.find((each) => each.includes(effect))?.length ?? 0;
    if (terminal.first === 0 && BRAILLE.test(data.toString())) terminal.first = performance.now() - started;
  };
  // Presses a key whose effect is a text on the screen. Resolves to the ms until the text has arrived, and the bytes of its frame.
  async function press(/** @type {string} */ key, /** @type {string} */ wanted) {
    const at = performance.now();
    [effect, shown, size] = [wanted, 0, 0];
    script.stdin.write(key);
    await until(`the effect of ${key}`, () => size > 0);
    return { time: shown - at, size };
  }
  if (rate > 0) terminal.close = makeLine(script.stdout, rate, take);
  else script.stdout.on('data', take);
  return terminal;
}
