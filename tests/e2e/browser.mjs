// The page in a real browser. A page that logs an error, throws, or asks another host for anything fails its test.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { atEnd, atLast } from './atend.mjs';
import { until } from './until.mjs';

// The first three are full Chromium's own user interface: each window loads two pages behind its address field, which cost more than
// the test's page. The fourth starts a process for a possible next page. Playwright disables the others; Chromium reads only the last list.
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
const DEADLINE = 120_000; // ms that playwright and untilShown() wait; only a failed test takes that long

// For flockd: resting cursors keep steering, also on a slow machine.
export const RESTING = ['--cursor-timeout', '600'];

// Chromium's message about a screenshot of a canvas without a graphics processor.
const OF_SCREENSHOTS = /GPU stall due to ReadPixels/;
// Chromium logs each failed connection, even if the page handles it.
const CONNECTION_LOST = /WebSocket connection to|ERR_CONNECTION_REFUSED/;

// Chromium without its user interface: opening a page takes 0.5 s of the processor in place of 1.1 s. A distribution without the package
// chromium-headless-shell, which docker/setup.sh installs on Debian 12 and 13, uses full Chromium.
const SHELL = '/usr/bin/chromium-headless-shell';
const FULL = '/usr/bin/chromium';

// Starts the shell, or full Chromium with `full` true.
/** @param {{ full?: boolean, args?: string[] }} options */
export async function startBrowser({ full = false, args = [] } = {}) {
  const { chromium } = await import('playwright-core'); // takes 0.4 s of the processor, which `--help` of a script does without
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? (full || !existsSync(SHELL) ? FULL : SHELL), args: [...ARGUMENTS, ...args] });
}

/** @type {import('playwright-core').Browser | undefined} */
let shared;

// The browser of all test files of this process. When it has crashed, the next file gets another one.
export async function sharedBrowser() {
  if (shared?.isConnected()) return shared;
  if (shared === undefined) atLast(() => shared?.close());
  shared = await startBrowser();
  return shared;
}

const PAUSE = 100; // ms between two looks at a page: each look takes about 2 ms of the processor, and a page draws every 200 ms

/** @type {<T>(what: string, probe: () => T, detail: () => unknown) => Promise<import('./types.d.ts').Truthy<Awaited<T>>>} */
const untilShown = (what, probe, detail) => until(what, probe, detail, DEADLINE, PAUSE);

// In the page: few frames a second, as on a slow machine. Drawing takes most of the time of a browser without a graphics
// processor, and no test measures the number of frames.
/** @param {number} fps */
function drawSeldom(fps) {
  const GAP = 1000 / fps; // ms
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
    const wait = last + GAP - 8 - performance.now(); // until the middle of the last frame
    if (wait > 0) setTimeout(() => draw(frame), wait);
    else draw(frame);
    return 0;
  };
}

// In the page: styles without transitions and animations, as for people who prefer reduced motion. During each of these the browser
// would draw 60 frames a second.
function standStill() {
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important; }');
  document.adoptedStyleSheets = [still];
}

// In the page: this person has been here before, has answered the question for a name, and has left open what the window has room for.
// A phone's window is 980 CSS pixels wide until the page has said how wide it wants to be, so the screen tells its size.
function comeBack() {
  const { width, height } = screen;
  const left = { welcome: false, people: width > 560 && height > 400, measures: width > 900 && height > 560 };
  try {
    for (const [id, open] of Object.entries(left))
      if (localStorage.getItem(`flock.${id}`) === null) localStorage.setItem(`flock.${id}`, open ? 'shown' : 'hidden');
  } catch {
    // Another page, such as about:blank, keeps nothing.
  }
}

// In the page: stores texts that show for a moment, which may be gone before a test on a busy machine looks.
function keepSaid() {
  const LOOK = 40; // ms: a look makes the browser lay the page out, and a shorter text cannot be read
  const said = Object.fromEntries(['greetings', 'news', 'notice', 'spoken', 'lead-spoken', 'toast'].map((id) => [id, /** @type {string[]} */ ([])]));
  window.said = said;
  const { setTimeout } = window; // not that of a test with a clock of its own
  const look = () => {
    for (const [id, texts] of Object.entries(said)) {
      const element = document.getElementById(id);
      const text = element?.checkVisibility({ visibilityProperty: true }) ? (element.textContent ?? '').replace(/\s+/g, ' ').trim() : '';
      if (text !== '' && text !== texts.at(-1)) texts.push(text);
    }
  };
  const what = { subtree: true, childList: true, characterData: true, attributeFilter: ['class', 'hidden'] };
  let due = false;
  const which = Object.keys(said).map((id) => `#${id}`).join();
  /** @param {Node} node */
  const within = (node) => (node instanceof Element ? node : node.parentElement)?.closest(which);
  /** @param {Node} node */
  const around = (node) => within(node) ?? (node instanceof Element && node.querySelector(which));
  /** @type {(record: MutationRecord) => unknown} */
  const matters = ({ type, target, addedNodes }) => (type === 'attributes' ? around(target) : (within(target) ?? [...addedNodes].some(around)));
  /** @param {MutationRecord[]} records */
  const soon = (records) => {
    if (due || !records.some(matters)) return;
    due = true;
    setTimeout(() => ((due = false), look()), LOOK);
  };
  new MutationObserver(soon).observe(document, what);
}

// For `watch`: short messages stay for minutes, so that a test can look at them.
/** @param {import('playwright-core').Page} page */
export const lasting = (page) =>
  page.addInitScript(() => {
    const later = window.setTimeout;
    /** @type {(run: TimerHandler, ms?: number, ...rest: unknown[]) => number} */
    const lastingTimeout = (run, ms = 0, ...rest) => later(run, ms < 3000 ? ms : 100 * ms, ...rest);
    Object.assign(window, { setTimeout: lastingTimeout });
  });

// Opens the page in its own browser profile. With `offline` true the server may be unreachable during the test. Calls watch(page)
// before the page loads. `expected` matches messages that the page may log. `newcomer`: this person was
// never here before. `moves`: styles have their transitions and animations.
/**
 * @typedef {object} PageOptions
 * @property {boolean} [offline]
 * @property {RegExp} [expected]
 * @property {boolean} [newcomer]
 * @property {number} [fps] frames a second, at most
 * @property {boolean} [moves]
 * @property {(page: import('playwright-core').Page) => unknown} [watch]
 *
 * @param {import('./types.d.ts').Test} t
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {PageOptions & import('playwright-core').BrowserContextOptions} options
 */
export async function openPage(t, browser, url, { offline = false, expected = /^$/, newcomer = false, fps = 5, moves = false, watch = () => {}, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 640, height: 440 }, colorScheme: 'dark', ...options });
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
  await context.addInitScript(drawSeldom, fps);
  await context.addInitScript(keepSaid);
  if (!moves) await context.addInitScript(standStill);
  if (!newcomer) await context.addInitScript(comeBack);
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
    /** @type {(id: 'greetings' | 'news' | 'notice' | 'spoken' | 'lead-spoken' | 'toast', text: string | RegExp) => Promise<unknown>} */
    said: (id, text) =>
      untilShown(
        `#${id} says ${text}`,
        async () => (await saidBy(id)).some((each) => (typeof text === 'string' ? each.includes(text) : text.test(each))),
        async () => JSON.stringify(await saidBy(id)),
      ),
    /** @type {<T>(what: string, probe: (state: import('./types.d.ts').PageState) => T) => Promise<import('./types.d.ts').Truthy<Awaited<T>>>} */
    until: (what, probe) =>
      untilShown(
        what,
        async () => probe(await state(page)),
        async () => JSON.stringify(await state(page)),
      ),
  };
}

// The address of the lobby's page. The answer to its creation has another room's.
/** @param {{ url: string }} server */
export const lobby = ({ url }) => `${url}r/lobby`;

const NO_STATE = /** @type {import('./types.d.ts').PageState} */ ({ status: '', boids: 0 });

// While the page loads another address, it cannot answer.
/** @type {(page: Pick<import('playwright-core').Page, 'evaluate'>) => Promise<import('./types.d.ts').PageState>} */
export async function state(page) {
  try {
    return (await page.evaluate(() => window.flock?.state?.())) ?? NO_STATE;
  } catch (error) {
    if (/Execution context was destroyed/.test(String(error))) return NO_STATE;
    throw error;
  }
}

// Holds the mouse over a point of the world, following the camera, until the probe of the page's state is truthy.
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
