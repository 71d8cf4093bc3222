// A window of a browser with the page in it, for any engine: the actions and the look-ups of tests.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { atEnd } from '../e2e/atend.mjs';
import { root, startServer } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';

const RECORDER = 'recorder-0000000000.js'; // a name of the kind that flockd serves
const DEADLINE = 120_000; // ms: without a GPU, WebKit on a busy machine takes its time
const PAGES = { 'index.html': '../', 'start.html': './' };

// A flockd whose pages have the recorder in them.
export function startRecordedServer(t, args = [], options = {}) {
  const web = mkdtempSync(path.join(tmpdir(), 'flockd-web-'));
  atEnd(t, () => rmSync(web, { recursive: true, force: true }));
  cpSync(path.join(root, 'build/web'), web, { recursive: true });
  const put = (name, data) => {
    writeFileSync(path.join(web, name), data);
    writeFileSync(path.join(web, `${name}.gz`), gzipSync(data));
  };
  put(RECORDER, readFileSync(path.join(root, 'tests/engines/recorder.js')));
  for (const [page, folder] of Object.entries(PAGES)) {
    const html = readFileSync(path.join(web, page), 'utf8');
    assert.ok(html.includes('<link'));
    put(page, html.replace('<link', `<script src="${folder}${RECORDER}"></script>\n<link`));
  }
  return startServer(t, args, { ...options, env: { ...options.env, FLOCKD_WEB: web } });
}

// Opens an address. At the end of the test the page must have had nothing to complain about, and is left.
export async function openWindow(t, browser, url) {
  const { run } = browser;
  await browser.open(url);
  atEnd(t, async () => {
    const complaints = await run(() => sessionStorage.getItem('complaints'));
    await browser.open('about:blank');
    assert.equal(complaints, '[]', 'nothing to complain about in the page');
  });

  const state = () => run(() => window.flock?.state?.() ?? {});
  const seen = (what, probe, detail = () => '') => until(`${browser.name}: ${what}`, probe, detail, DEADLINE);
  const describe = () => state().then(JSON.stringify, ({ message }) => message);

  // The middle of what the selector finds, [x, y] in the window, once all of it can be seen, nothing covers that, and it is where it was a few frames before.
  async function middle(selector) {
    let before = { at: '', frame: 0 };
    return seen(`there is ${selector}`, async () => {
      const found = await run(middleOf, selector);
      const [at, frame] = [String(found?.at), found?.frame];
      const still = at === before.at && frame > before.frame + 2;
      before = at === before.at ? before : { at, frame };
      return still && found?.at;
    });
  }

  return {
    ...browser,
    state,
    seen,
    // While the window loads another page, state() fails.
    until: (what, probe) => seen(what, async () => probe(await state().catch(() => ({}))), describe),
    toScreen: (at) => run((x, y) => window.flock.toScreen(x, y), ...at),
    text: (selector) => run((what) => document.querySelector(what)?.textContent, selector),
    // The text that a person sees there; '' if there is nothing to see.
    shown: (selector) => run(shownBy, selector),
    click: async (selector) => browser.click(await middle(selector)),
    // Clicks what a chain of [selector, regular expression of its text] finds, each within the one before.
    async clickOn(...chain) {
      await seen(`there is ${chain.join(' > ')}`, () => run(markChain, chain));
      await browser.click(await middle('[data-marked]'));
    },
    // From the middle of an element to its end.
    async dragToEnd(selector) {
      const [x, y] = await middle(selector);
      const width = await run((what) => document.querySelector(what).getBoundingClientRect().width, selector);
      await browser.drag([x, y], [x + width / 2 + 4, y]);
    },
    async fill(selector, text) {
      await browser.click(await middle(selector));
      await run((what) => document.querySelector(what).select(), selector);
      await browser.type(text);
      await browser.press('Enter');
    },
  };
}

// In the page: the middle of an element, and which frame shows it there; null: there is none, or not yet.
function middleOf(selector) {
  const element = document.querySelector(selector);
  for (let each = element; each !== null; each = each.parentElement) {
    if (each.getAnimations().some(({ playState }) => playState === 'running')) return null;
  }
  if (element === null) return null;
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  const at = [left + width / 2, top + height / 2];
  // An element may still slide in from an edge: WebKit says of an animation that begins that it does not run.
  const whole = width > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  if (whole && element.contains(document.elementFromPoint(at[0], at[1]))) return { at, frame: /** @type {any} */ (window).drawn };
  element.scrollIntoView({ block: 'center' });
  return null;
}

// In the page.
function shownBy(selector) {
  const element = document.querySelector(selector);
  const seen = element !== null && element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';
  return seen ? element.innerText.replace(/\s+/g, ' ').trim() : '';
}

// In the page: marks what the chain finds, and nothing else. Returns whether there is such an element, and it can be seen.
function markChain(chain) {
  document.querySelector('[data-marked]')?.removeAttribute('data-marked');
  let [found] = [document.documentElement];
  for (const [selector, text] of chain) {
    found = [...(found?.querySelectorAll(selector) ?? [])].find((each) => each.getClientRects().length > 0 && new RegExp(text).test(each.textContent.trim()));
  }
  found?.setAttribute('data-marked', '');
  return found !== undefined;
}

// Opens the page of a room, and waits until it shows the flock.
export async function openFlock(t, browser, url) {
  const view = await openWindow(t, browser, url);
  await view.until('the page is connected and has boids', ({ status, boids }) => status === 'connected' && boids > 0);
  return view;
}
