// The page in a real browser. A page that logs an error, throws, or asks another host for anything fails its test.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { atEnd } from './atend.mjs';
import { until } from './until.mjs';

const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
];

// What Chromium says of a screenshot of a canvas that it draws without a graphics processor.
const OF_SCREENSHOTS = /GPU stall due to ReadPixels/;
// Chromium logs every connection that fails, whatever the page does about it.
const CONNECTION_LOST = /WebSocket connection to|ERR_CONNECTION_REFUSED/;

/** @param {string[]} more */
export const startBrowser = (...more) =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: [...ARGUMENTS, ...more] });

// In the page: fifteen frames a second, as on a slow machine. Drawing them is most of what a browser without a graphics
// processor does, and none of the tests is about how many there are.
function drawSeldom() {
  const GAP = 1000 / 15; // ms
  const draw = window.requestAnimationFrame.bind(window);
  /** @type {FrameRequestCallback[]} */
  let waiting = [];
  let last = -GAP;
  /** @param {number} now */
  const frame = (now) => {
    if (now < last + GAP - 4) {
      draw(frame);
      return;
    }
    last = now;
    const runs = waiting;
    waiting = [];
    for (const run of runs) run(now);
  };
  window.requestAnimationFrame = (run) => {
    if (waiting.push(run) === 1) draw(frame);
    return 0;
  };
}

// Opens the page in a browser profile of its own. With `offline` true the server may go away meanwhile; watch(page) is
// called before anything is loaded. `expected` matches what it may complain about.
/**
 * @typedef {object} PageOptions
 * @property {boolean} [offline]
 * @property {RegExp} [expected]
 * @property {(page: import('playwright-core').Page) => unknown} [watch]
 *
 * @param {import('./types.d.ts').Test} t
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {PageOptions & import('playwright-core').BrowserContextOptions} options
 */
export async function openPage(t, browser, url, { offline = false, expected = /^$/, watch = () => {}, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 640, height: 440 }, ...options });
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  /** @param {string} text */
  const complain = (text) => {
    if (!OF_SCREENSHOTS.test(text) && !expected.test(text) && !(offline && CONNECTION_LOST.test(text))) {
      complaints.push(text);
    }
  };
  const { host } = new URL(url);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complain(`${message.type()}: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => complain(`thrown: ${error.stack}`));
  page.on('request', (request) => {
    const asked = new URL(request.url());
    if (asked.host !== host && !['data:', 'blob:'].includes(asked.protocol)) {
      complain(`asked another host: ${request.url()}`);
    }
  });
  await context.addInitScript(drawSeldom);
  atEnd(t, async () => {
    await context.close();
    assert.deepEqual(complaints, [], 'nothing to complain about in the page');
  });
  await watch(page);
  await page.goto(url);
  return {
    page,
    context,
    state: () => state(page),
    /** @type {<T>(what: string, probe: (state: import('./types.d.ts').PageState) => T) => Promise<import('./types.d.ts').Truthy<Awaited<T>>>} */
    until: (what, probe) =>
      until(
        what,
        async () => probe(await state(page)),
        async () => JSON.stringify(await state(page)),
      ),
  };
}

// The address of the lobby's page; that of another room is what its maker was told.
/** @param {{ url: string }} server */
export const lobby = ({ url }) => `${url}r/lobby`;

/** @type {(page: import('playwright-core').Page) => Promise<import('./types.d.ts').PageState>} */
const state = (page) => page.evaluate(() => window.flock?.state?.() ?? /** @type {import('./types.d.ts').PageState} */ ({ status: '', boids: 0 }));

// Opens the page and waits until it shows the flock.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {PageOptions & import('playwright-core').BrowserContextOptions} [options]
 */
export async function openFlock(t, browser, url, options) {
  const view = await openPage(t, browser, url, options);
  await view.until('the page is connected and has boids', ({ status, boids }) => status === 'connected' && boids > 0);
  return view;
}
