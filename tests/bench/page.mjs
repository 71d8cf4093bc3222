#!/usr/bin/env node
// Measures the page in Chromium: the time until it shows the flock, the time of the main thread for a snapshot and a frame, frames a
// second without a graphics processor, an update of the plots, and the growth of its memory. The last two depend on --minutes; the
// rest takes about ten minutes.
import { encode } from '@msgpack/msgpack';
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { startBrowser } from '../e2e/browser.mjs';
import { CURSOR, hello } from '../e2e/messages.mjs';
import { until } from '../e2e/until.mjs';
import { readNumber, readOptions, readParts } from '../options.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const USAGE = `Usage: make bench-page ARGS="[OPTION]... [PART]...", or node tests/bench/page.mjs [OPTION]... [PART]...

  --minutes N  watches the page's memory for N minutes, and fills the plots with N minutes of the flock's time, six times as fast; default: 10
  PART         start, snapshots, frames, projector, grounds, plots or heap; default: all`;
const { values: asked, positionals } = readOptions(USAGE, { allowPositionals: true, options: { minutes: { type: 'string', default: '10' } } });
const MINUTES = readNumber('minutes', asked.minutes);
const LOADS = 9; // of the page, each in its own profile
const WARM_UP = 5000; // ms until the page's stream is steady
const MEASURED = 10_000; // ms
const WATCHED = 60_000; // ms, of frames a second
const PEOPLE = 30;
const TURNS = 3; // with and without the ground
const TICKS = 240; // a second of the server that fills the plots …
const FASTER = 6; // … and how much faster the page takes the flock's time to pass

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const median = (values) => percentile(values, 0.5);
const percentile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? NaN;

async function withServer(options, use) {
  const server = spawn(path.join(root, 'build/flockd'), ['--port', '0', ...options.map(String)], { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  server.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  try {
    const [, url] = await until('flockd listens', () => said.match(/(http:\/\/127\.0\.0\.1:\d+\/)/));
    return await use(url);
  } finally {
    server.kill();
  }
}

// In the page, before its script: measures the time until the flock is shown, and the time of each message's handler and of each
// frame. Without `draws` the page draws no frames, so it is never too slow and asks for the whole stream. Without `grounds` the page
// gets no name of a ground, so it paints none. With `ticks` the page takes that for the flock's ticks a second, in place of `TICKS`.
const watchPage = ({ draws, grounds, ticks, served }) => {
  const TICK_RATE = [...'tick_rate'].map((sign) => sign.charCodeAt(0));
  const changeTicks = (/** @type {ArrayBuffer} */ data) => {
    const bytes = new Uint8Array(data);
    const at = bytes.findIndex((_, i) => TICK_RATE.every((code, k) => bytes[i + k] === code) && bytes[i + TICK_RATE.length + 1] === served);
    if (at >= 0) bytes[at + TICK_RATE.length + 1] = ticks;
  };
  const hideGround = (/** @type {ArrayBuffer} */ data) => {
    const at = data.byteLength > 20_000 ? -1 : String.fromCharCode(...new Uint8Array(data)).indexOf('ground');
    if (at >= 0) new Uint8Array(data)[at] = 'G'.charCodeAt(0);
  };
  const seen = { flock: NaN, messages: /** @type {[ms: number, bytes: number][]} */ ([]), frames: /** @type {number[]} */ ([]) };
  window.bench = seen;
  const set = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage')?.set;
  Object.defineProperty(WebSocket.prototype, 'onmessage', {
    set(run) {
      const timed = (event) => {
        if (!grounds) hideGround(event.data);
        if (ticks > 0 && event.data.byteLength < 20_000) changeTicks(event.data);
        const began = performance.now();
        run(event);
        seen.messages.push([performance.now() - began, event.data.byteLength]);
      };
      set?.call(this, run && timed);
    },
  });
  const draw = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (run) =>
    draws &&
    draw((now) => {
      const began = performance.now();
      run(now);
      seen.frames.push(performance.now() - began);
      if (Number.isNaN(seen.flock) && (window.flock?.state?.().boids ?? 0) > 0) seen.flock = performance.now();
    });
  // Work that a frame leaves for right after it belongs to the frame, for example the drawing of a plot.
  const later = queueMicrotask.bind(window);
  window.queueMicrotask = (run) =>
    later(() => {
      const began = performance.now();
      run();
      if (seen.frames.length > 0) seen.frames[seen.frames.length - 1] += performance.now() - began;
    });
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  CanvasRenderingContext2D.prototype.clearRect = function (x, y, width, height) {
    if (this.canvas.closest?.('#plots') != null) console.timeStamp('plots');
    clear.call(this, x, y, width, height);
  };
};

async function openPage(browser, url, { draws = true, grounds = true, ticks = 0, viewport = { width: 1280, height: 800 } } = {}) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.addInitScript(watchPage, { draws, grounds, ticks, served: TICKS });
  await page.goto(url);
  await page.waitForFunction((flock) => (flock ? window.bench.flock > 0 : window.bench.messages.length > 3), draws, { polling: 100 });
  return { page, close: () => context.close() };
}

async function measureStart(browser) {
  await withServer([], async (url) => {
    const [paints, flocks] = /** @type {number[][]} */ ([[], []]);
    for (let i = 0; i < LOADS; i++) {
      const { page, close } = await openPage(browser, `${url}r/lobby`);
      const [paint, flock] = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0].startTime, window.bench.flock]);
      paints.push(paint);
      flocks.push(flock);
      await close();
    }
    console.log(`first paint ${median(paints).toFixed(0)} ms, first flock ${median(flocks).toFixed(0)} ms (median of ${LOADS} loads on loopback, nothing cached)`);
  });
}

// Lets the page play for some seconds. Resolves to the times of messages with snapshots and of frames.
async function play(page) {
  await wait(WARM_UP);
  await page.evaluate(() => (window.bench.messages.length = window.bench.frames.length = 0));
  await wait(MEASURED);
  return page.evaluate(() => ({ ...window.bench, state: window.flock.state?.() }));
}

async function measureSnapshots(browser, boids) {
  const side = Math.round(35 * Math.sqrt(boids)); // the same density as 3,000 boids in 2,000 × 2,000
  const options = ['--model', 'boids', '--boids', boids, '--max-boids', boids, '--world', `${side}x${side}`, '--snapshot-rate', 10];
  await withServer(options, async (url) => {
    const { page, close } = await openPage(browser, `${url}r/lobby`, { draws: false });
    const { messages } = await play(page);
    const times = messages.filter(([, size]) => size > boids / 10).map(([took]) => took);
    const figures = [0.05, 0.5, 0.95].map((part) => percentile(times, part).toFixed(1));
    console.log(`${boids.toLocaleString('en')} boids: ${figures.join(', ')} ms of scripting a snapshot (p5, p50, p95 of ${times.length})`);
    await close();
  });
}

// Joins people without a browser, whose cursors move without pause.
function openPeople(url) {
  return Array.from({ length: PEOPLE }, (_, i) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}ws`, 'flock.v1', { perMessageDeflate: false });
    let timer;
    socket.on('open', () => {
      socket.send(encode(hello({ name: `Person ${i}`, rate: 1 })));
      let step = i;
      timer = setInterval(() => {
        step += 0.1;
        socket.send(encode([CURSOR, 275 + 200 * Math.cos(step), 200 + 150 * Math.sin(1.3 * step)]));
      }, 33);
    });
    socket.on('error', () => {});
    return () => {
      clearInterval(timer);
      socket.close();
    };
  });
}

async function measureProjector(browser) {
  await withServer(['--boids', 400], async (url) => {
    const { page, close } = await openPage(browser, `${url}r/lobby?view=projector&name=Hall`, { viewport: { width: 1920, height: 1080 } });
    const people = openPeople(url);
    await page.waitForFunction((count) => (window.flock.state?.().cursors.length ?? 0) >= count, PEOPLE, { polling: 100 });
    const { frames } = await play(page);
    console.log(`projector with ${PEOPLE} moving people: ${median(frames).toFixed(2)} ms of scripting a frame (p95 ${percentile(frames, 0.95).toFixed(2)}), ${((1000 * frames.length) / MEASURED).toFixed(0)} frames a second`);
    for (const leave of people) leave();
    await close();
  });
}

// Returns a function that reads the times of frames, and the time of all tasks of the main thread, s: with what they wait for, or
// with `threadTicks` the processor's time alone.
async function watchTasks(page, /** @type {'timeTicks' | 'threadTicks'} */ timeDomain = 'timeTicks') {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const frames = await page.evaluate(() => window.bench.frames);
    return { at: performance.now(), frames, seconds: metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN };
  };
}

// Measures the largest preset on a class's laptop without a graphics processor: frames a second, and how many of the boids are drawn.
async function measureFrames(browser) {
  await withServer(['--preset', 'murmuration'], async (url) => {
    const { page, close } = await openPage(browser, `${url}r/lobby?renderer=2d&name=Ada`, { viewport: { width: 1366, height: 768 } });
    const read = await watchTasks(page, 'threadTicks');
    await wait(WARM_UP);
    const before = await read();
    await wait(WATCHED);
    const after = await read();
    const { boids, stride, flock } = await page.evaluate(() => window.flock.state?.());
    const frames = after.frames.slice(before.frames.length);
    const cost = (1000 * (after.seconds - before.seconds)) / frames.length;
    const rate = (1000 * frames.length) / (after.at - before.at);
    console.log(`murmuration, 2d: ${rate.toFixed(0)} frames a second, ${boids} of ${flock} boids (stride ${stride}), ${cost.toFixed(1)} ms of the processor for a frame's main thread (over ${WATCHED / 1000} s)`);
    await close();
  });
}

// Measures the main thread's time for a frame with and without the room's ground, in turns: of the script, and of all tasks. Without
// a graphics processor, tasks of WebGL wait for the processor that draws.
async function measureGrounds(browser) {
  for (const renderer of ['2d', 'webgl2']) {
    for (const preset of ['sheep', 'sardines']) {
      await withServer(['--preset', preset], async (url) => {
        const took = { with: /** @type {number[][]} */ ([]), without: /** @type {number[][]} */ ([]) };
        for (let turn = 0; turn < 2 * TURNS; turn++) {
          const grounds = turn % 2 === 0;
          const { page, close } = await openPage(browser, `${url}r/lobby?renderer=${renderer}&name=Ada`, { grounds, viewport: { width: 1366, height: 768 } });
          const read = await watchTasks(page);
          await wait(WARM_UP);
          const before = await read();
          await wait(MEASURED / 2);
          const after = await read();
          const frames = after.frames.slice(before.frames.length);
          took[grounds ? 'with' : 'without'].push([median(frames), (1000 * (after.seconds - before.seconds)) / frames.length]);
          await close();
        }
        const figures = ['script', 'tasks'].map((what, i) => {
          const [painted, plain] = [took.with, took.without].map((turns) => median(turns.map((turn) => turn[i])));
          return `${what} ${painted.toFixed(2)} ms a frame, ${plain.toFixed(2)} without, ${(painted - plain).toFixed(2)} more`;
        });
        console.log(`ground of ${preset}, ${renderer}: ${figures.join('; ')} (median of ${TURNS} turns)`);
      });
    }
  }
}

async function measureHeap(browser) {
  await withServer(['--model', 'boids', '--boids', 4000], async (url) => {
    const { page, close } = await openPage(browser, `${url}r/lobby`);
    const people = openPeople(url);
    const devtools = await page.context().newCDPSession(page);
    const sizes = [];
    for (let minute = 0; minute <= MINUTES; minute++) {
      await wait(minute === 0 ? WARM_UP : 60_000);
      // The measurement itself must not use more memory over time.
      await page.evaluate(() => (window.bench.messages.length = window.bench.frames.length = 0));
      await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      sizes.push(usedSize / 2 ** 20);
    }
    console.log(`heap over ${MINUTES} minutes, 4,000 boids and ${PEOPLE} moving people, MB a minute: ${sizes.map((size) => size.toFixed(1)).join(' ')}`);
    for (const leave of people) leave();
    await close();
  });
}

// Traces the page for some seconds. Resolves to the main thread's processor time in each frame, ms: of frames that draw plots, and of
// the others.
async function traceFrames(browser, page) {
  await wait(WARM_UP);
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await wait(MEASURED);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const times = traceEvents.filter(({ name, args }) => name === 'TimeStamp' && args.data.message === 'plots').map(({ ts }) => ts);
  const frames = traceEvents.filter(({ name, tdur }) => name === 'FireAnimationFrame' && tdur !== undefined);
  const [updates, others] = [true, false].map((draws) => frames.filter(({ ts, dur }) => times.some((time) => time >= ts && time <= ts + dur) === draws));
  return [updates, others].map((each) => each.map(({ tdur }) => tdur / 1000));
}

// Measures the plots with all their measures, after MINUTES of the flock's time, which passes FASTER than the machine's: the frames that
// draw them, less the median of the others. Other work of the machine counts little, because the processor's time is measured.
async function measurePlots(browser) {
  await withServer(['--boids', 100, '--tick-rate', TICKS, '--snapshot-rate', TICKS / FASTER], async (url) => {
    const { page, close } = await openPage(browser, `${url}r/lobby?renderer=2d&name=Ada`, { ticks: TICKS / FASTER, viewport: { width: 1366, height: 768 } });
    await page.keyboard.press('g');
    await page.locator('#plots-time canvas').waitFor();
    const hidden = page.locator('#plots-measures [aria-pressed=false]');
    while ((await hidden.count()) > 0) await hidden.first().click();
    await page.waitForFunction((tick) => (window.flock.state?.().tick ?? 0) > tick, 60 * MINUTES * (TICKS / FASTER), { polling: 100, timeout: 0 });
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Zoom out' }).click();
    const [updates, others] = await traceFrames(browser, page);
    const figures = [0.05, 0.5, 0.95].map((part) => (percentile(updates, part) - median(others)).toFixed(2));
    console.log(`plots of eight measures over ${MINUTES} minutes: ${figures.join(', ')} ms of scripting an update (p5, p50, p95 of ${updates.length} frames, less the median ${median(others).toFixed(2)} ms of ${others.length} others)`);
    await close();
  });
}

const MEASURES = {
  start: measureStart,
  snapshots: async (browser) => {
    for (const boids of [50_000, 200_000]) await measureSnapshots(browser, boids);
  },
  frames: measureFrames,
  projector: measureProjector,
  grounds: measureGrounds,
  plots: measurePlots,
  heap: measureHeap,
};

const parts = readParts(MEASURES, positionals);
console.log(`load of the machine: ${loadavg()[0].toFixed(1)}`);
const browser = await startBrowser({ full: true });
try {
  for (const [, measure] of parts) await measure(browser);
} finally {
  await browser.close();
}
