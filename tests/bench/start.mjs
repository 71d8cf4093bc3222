#!/usr/bin/env node
// Measures the time until the page shows the flock in Chromium, Firefox and WebKit, nothing cached: each load is of a new flockd, so of
// another address. About a minute and a half.
import { until } from '../e2e/until.mjs';
import { startChromium } from '../engines/chromium.mjs';
import { startFirefox } from '../engines/firefox.mjs';
import { startWebKit } from '../engines/webkit.mjs';
import { startRecordedServer } from '../engines/window.mjs';
import { readOptions, readParts } from '../options.mjs';

const USAGE = `Usage: make bench-start, or node tests/bench/start.mjs [chromium] [firefox] [webkit]`;
const ENGINES = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };
const LOADS = 9;

/** Resolves to the time of the first frame after the page has got boids, ms since the load began. */
async function load(browser) {
  const ends = [];
  const server = await startRecordedServer(/** @type {any} */ ({ after: (run) => ends.push(run) }));
  try {
    await browser.open(`${server.url}r/lobby?name=Ada`);
    return await until('the page shows the flock', () => browser.run(() => /** @type {any} */ (window).flockAt ?? 0));
  } finally {
    await browser.open('about:blank');
    for (const end of ends.reverse()) await end();
  }
}

async function measure(start) {
  const browser = await start();
  try {
    const times = [];
    for (let i = 0; i < LOADS; i++) times.push(await load(browser));
    times.sort((a, b) => a - b);
    const [least, median, most] = [times[0], times[LOADS >> 1], times[LOADS - 1]].map(Math.round);
    console.log(`${browser.name}: first flock ${median} ms (${least} to ${most}, ${LOADS} loads on loopback)`);
  } finally {
    await browser.close();
  }
}

for (const [, start] of readParts(ENGINES, readOptions(USAGE, { allowPositionals: true }).positionals)) await measure(start);
