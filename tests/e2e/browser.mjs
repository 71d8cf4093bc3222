// The page in a real browser. A page that logs an error, throws, or asks another host for anything fails its test.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { atEnd } from './atend.mjs';
import { until } from './until.mjs';

// The first three are the browser's own user interface: two pages behind the address field of each window, loaded with it,
// cost more than the page of a test. The fourth starts a process for a page that may come next. The others are what playwright turns off; Chromium heeds the last such list only.
const FEATURES_OFF = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'PreloadTopChromeWebUI', 'SpareRendererForSitePerProcess'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'BoundaryEventDispatchTracksNodeRemoval', 'DestroyProfileOnBrowserClose'],
  ...['GlobalMediaControls', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'OptimizationHints', 'PaintHolding', 'RenderDocument'],
  ...['ThirdPartyStoragePartitioning', 'Translate'],
];
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  '--renderer-process-limit=1', // for each profile
  `--disable-features=${FEATURES_OFF.join(',')}`,
];
const DEADLINE = 120_000; // ms for what playwright waits for: there to end a test that has failed

// For flockd: cursors steer for as long as they rest, however slow the machine is.
export const RESTING = ['--cursor-timeout', '600'];

// What Chromium says of a screenshot of a canvas that it draws without a graphics processor.
const OF_SCREENSHOTS = /GPU stall due to ReadPixels/;
// Chromium logs every connection that fails, whatever the page does about it.
const CONNECTION_LOST = /WebSocket connection to|ERR_CONNECTION_REFUSED/;

/** @param {string[]} more */
export const startBrowser = (...more) =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: [...ARGUMENTS, ...more] });

// In the page: ten frames a second, as on a slow machine. Drawing them is most of what a browser without a graphics
// processor does, and none of the tests is about how many there are.
function drawSeldom() {
  const GAP = 1000 / 10; // ms
  const draw = window.requestAnimationFrame.bind(window);
  /** @type {FrameRequestCallback[]} */
  let waiting = [];
  let last = -GAP;
  /** @param {number} now */
  const frame = (now) => {
    last = now;
    const runs = waiting;
    waiting = [];
    for (const run of runs) run(now);
  };
  const { setTimeout } = window;
  window.requestAnimationFrame = (run) => {
    if (waiting.push(run) > 1) return 0;
    const wait = last + GAP - 8 - performance.now(); // until the middle of the frame before
    if (wait > 0) setTimeout(() => draw(frame), wait);
    else draw(frame);
    return 0;
  };
}

// In the page: keeps what is shown for a moment only, which may be gone before a test on a busy machine looks.
function keepSaid() {
  const said = Object.fromEntries(['greetings', 'news', 'notice', 'spoken', 'toast'].map((id) => [id, /** @type {string[]} */ ([])]));
  window.said = said;
  const look = () => {
    for (const [id, texts] of Object.entries(said)) {
      const element = document.getElementById(id);
      const text = element?.checkVisibility({ visibilityProperty: true }) ? (element.textContent ?? '').replace(/\s+/g, ' ').trim() : '';
      if (text !== '' && text !== texts.at(-1)) texts.push(text);
    }
  };
  const what = { subtree: true, childList: true, characterData: true, attributeFilter: ['class', 'hidden'] };
  new MutationObserver(look).observe(document, what);
}

// For `watch`: what the page shows for a moment stays for minutes, for a test that looks at it there.
/** @param {import('playwright-core').Page} page */
export const lasting = (page) =>
  page.addInitScript(() => {
    const later = window.setTimeout;
    /** @type {(run: TimerHandler, ms?: number, ...rest: unknown[]) => number} */
    const lastingTimeout = (run, ms = 0, ...rest) => later(run, ms < 3000 ? ms : 100 * ms, ...rest);
    Object.assign(window, { setTimeout: lastingTimeout });
  });

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
  context.setDefaultTimeout(DEADLINE);
  await context.addInitScript(drawSeldom);
  await context.addInitScript(keepSaid);
  atEnd(t, async () => {
    await context.close();
    assert.deepEqual(complaints, [], 'nothing to complain about in the page');
  });
  await watch(page);
  await page.goto(url);
  /** @type {(id: string) => Promise<string[]>} */
  const saidBy = (id) => page.evaluate((which) => window.said[which], id);
  return {
    page,
    context,
    state: () => state(page),
    // Waits until an element that shows its texts for a moment has shown one like this since the page was loaded.
    /** @type {(id: 'greetings' | 'news' | 'notice' | 'spoken' | 'toast', text: string | RegExp) => Promise<unknown>} */
    said: (id, text) =>
      until(
        `#${id} says ${text}`,
        async () => (await saidBy(id)).some((each) => (typeof text === 'string' ? each.includes(text) : text.test(each))),
        async () => JSON.stringify(await saidBy(id)),
      ),
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

const NO_STATE = /** @type {import('./types.d.ts').PageState} */ ({ status: '', boids: 0 });

// While the page goes to another address, there is nobody to ask.
/** @type {(page: Pick<import('playwright-core').Page, 'evaluate'>) => Promise<import('./types.d.ts').PageState>} */
export async function state(page) {
  try {
    return (await page.evaluate(() => window.flock?.state?.())) ?? NO_STATE;
  } catch (error) {
    if (/Execution context was destroyed/.test(String(error))) return NO_STATE;
    throw error;
  }
}

// Holds the mouse over a point of the world, however the camera moves, until the probe of the page's state is truthy.
/**
 * @param {Awaited<ReturnType<typeof openPage>>} view
 * @param {import('./types.d.ts').Point} place
 * @param {string} what
 * @param {(state: import('./types.d.ts').PageState) => unknown} probe
 */
export const pointUntil = (view, place, what, probe) =>
  view.until(what, async (seen) => {
    if (await probe(seen)) return true;
    const [x, y] = await view.page.evaluate(([wx, wy]) => /** @type {any} */ (window).flock.toScreen(wx, wy), place);
    await view.page.mouse.move(x, y);
    return false;
  });

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
