// The page follows the screen: its size, the system's theme, and a browser without WebGL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lobby, openFlock, openPage, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'key-of-the-screen';

const browser = await sharedBrowser();

// The flock's canvas as text. Equal texts mean equal pixels.
const pixels = ({ page }) => page.evaluate(() => document.getElementById('canvas').toDataURL());

// The same while the flock moves. Trails fade when snapshots do not come for a moment: it has shown three of the last 1.5 s.
const pixelsInMotion = ({ page }) =>
  page.evaluate(
    () =>
      new Promise((/** @type {(text: string) => void} */ done) => {
        const moves = /** @type {number[]} */ ([]);
        let last = -1;
        const look = () => {
          const { tick } = window.flock.state();
          if (tick !== last) moves.push(performance.now());
          last = tick;
          if (performance.now() - (moves.at(-3) ?? -Infinity) < 1500) done(document.getElementById('canvas').toDataURL());
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  );

// The number of pixels that differ in two such texts.
const countChanged = ({ page }, ...both) =>
  page.evaluate(async (texts) => {
    const [one, other] = await Promise.all(
      texts.map(async (text) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text.split(',')[1]), (c) => c.charCodeAt(0))]));
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
        pen.drawImage(bitmap, 0, 0);
        return pen.getImageData(0, 0, bitmap.width, bitmap.height).data;
      }),
    );
    let count = 0;
    for (let i = 0; i < one.length; i += 4) count += Number([0, 1, 2].some((part) => one[i + part] !== other[i + part]));
    return count;
  }, both);

for (const theme of ['dark', 'light']) {
  test(`trails fade to nothing without WebGL: ${theme}`, async (t) => {
    // A page that draws slowly asks for fewer snapshots, but not for fewer than 5 a second. A boid heads where it went between two of them,
    // so both pages must get the same ones.
    const server = await startServer(t, ['--model', 'birds', '--boids', '150', '--snapshot-rate', '5', '--presenter-key', KEY]);
    const presenter = await flock.join(t, server.ws, { key: KEY });
    const open = (options) => openFlock(t, browser, `${lobby(server)}?renderer=2d`, { colorScheme: theme, ...options });
    const [view, still] = [await open({}), await open({ reducedMotion: 'reduce' })]; // with reduced motion there are no trails
    const { tick } = await view.state();
    await view.until('boids have moved', (state) => state.tick > tick + 30);
    const moving = [await pixelsInMotion(view), await pixelsInMotion(still)];
    assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
    for (const each of [view, still]) await each.until('it stands still', ({ controls }) => controls.run === 'paused');
    await until('the trails are gone, to the last pixel', async () => (await pixels(view)) === (await pixels(still)));
    const last = await pixels(view);
    const [trailed, bare] = [await countChanged(view, moving[0], last), await countChanged(view, moving[1], last)];
    assert.ok(trailed > 1.15 * bare, `there were trails: ${trailed} pixels have changed, and ${bare} without trails`);
  });
}

test('the theme is the system’s until a person chooses another one', async (t) => {
  const server = await startServer(t);
  const { page } = await openFlock(t, browser, lobby(server), { colorScheme: 'light' });
  const becomes = (light) =>
    until(`the page is ${light ? 'light' : 'dark'}`, async () => (await page.evaluate(() => document.documentElement.classList.contains('light'))) === light);
  await becomes(true);
  await page.emulateMedia({ colorScheme: 'dark' });
  await becomes(false);
  await page.keyboard.press('t');
  await becomes(true);
  await page.reload();
  await becomes(true);
  await page.keyboard.press('t');
  await becomes(false);
  await page.emulateMedia({ colorScheme: 'light' });
  await becomes(true);
});

// The mean brightness of an element.
const brightnessOf = (page, selector) =>
  page
    .locator(selector)
    .first()
    .screenshot()
    .then((image) =>
      page.evaluate(async (base64) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        pen.drawImage(bitmap, 0, 0);
        const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
        return data.reduce((sum, each) => sum + each, 0) / data.length;
      }, image.toString('base64')),
    );

test('the start page has the system’s theme, too, or the one that a person chooses there or in a room', async (t) => {
  const server = await startServer(t);
  const { page } = await openPage(t, browser, server.url, { colorScheme: 'light', viewport: { width: 1366, height: 768 } });
  const picture = '[data-preset="original"] canvas';
  await page.locator(picture).waitFor();
  const becomes = (light) =>
    until(`the page and its pictures are ${light ? 'light' : 'dark'}`, async () => {
      const [words, drawn] = [await brightnessOf(page, '#rooms-title'), await brightnessOf(page, picture)];
      return light ? words > 200 && drawn > 200 : words < 110 && drawn < 110;
    });
  await becomes(true);
  await page.locator('#theme').click();
  await becomes(false);
  await page.goto(lobby(server));
  await page.locator('html:not(.light)').waitFor();
  await page.locator('#look').click();
  await page.locator('#looks-theme input[value="light"]').check();
  await page.locator('html.light').waitFor();
  await page.goto(server.url);
  await page.locator(picture).waitFor();
  await becomes(true);
});

const HUGE = { viewport: { width: 3840, height: 2160 }, moves: true };
const COMMON = { viewport: { width: 1366, height: 768 }, moves: true };
const heightOf = (page, selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().height);

test('on a screen of 3840 by 2160 pixels everything is twice as large', async (t) => {
  const server = await startServer(t);
  const measure = async (address, options, selectors) => {
    const { page } = await openPage(t, browser, address, options);
    await page.locator(selectors.at(-1)).first().waitFor();
    return Promise.all(selectors.map((selector) => heightOf(page, selector)));
  };
  for (const [address, selectors] of /** @type {[string, string[]][]} */ ([
    [`${lobby(server)}?name=Ada`, ['#help-open', '#people summary']],
    [server.url, ['h1', '#create button', '#code', '.preset canvas']],
  ])) {
    const [huge, common] = [await measure(address, HUGE, selectors), await measure(address, COMMON, selectors)];
    selectors.forEach((selector, i) => assert.ok(Math.abs(huge[i] / common[i] - 2) < 0.3, `${selector}: ${huge[i]} and ${common[i]} pixels`));
  }
});

test('on a screen of 3840 by 2160 pixels cursors and names are twice as large', async (t) => {
  const server = await startServer(t);
  const other = await flock.join(t, server.ws, { name: 'Ben' });
  const nameOf = async (options) => {
    const { page } = await openFlock(t, browser, `${lobby(server)}?name=Ada`, options);
    await until('the cursor is there', async () => {
      other.send([flock.CURSOR, 200, 150]);
      return page.locator('.cursor bdi').isVisible();
    });
    return heightOf(page, '.cursor bdi');
  };
  const [huge, common] = [await nameOf(HUGE), await nameOf(COMMON)];
  assert.ok(Math.abs(huge / common - 2) < 0.1, `${huge} and ${common} pixels`);
});

const TOUCH = { hasTouch: true, isMobile: true };
const PHONE = { viewport: { width: 390, height: 844 }, ...TOUCH };
const SIDEWAYS = { viewport: { width: 844, height: 390 }, ...TOUCH };

// Whether two elements that the page shows lie over each other.
const overlap = (page, ...selectors) =>
  page.evaluate((both) => {
    const [a, b] = both.map((each) => document.querySelector(each)).map((element) => element?.checkVisibility() === true && element.getBoundingClientRect());
    return a && b && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }, selectors);

const KEYS = { people: 'n', measures: 'm' };

test('people and measures are open together only where neither covers the other', async (t) => {
  const server = await startServer(t);
  for (const [options, together] of /** @type {const} */ ([[PHONE, false], [SIDEWAYS, true], [COMMON, true]])) {
    const { page } = await openFlock(t, browser, lobby(server), { ...options, newcomer: true });
    const isOpen = (id) => page.locator(`#${id}`).evaluate((fold) => fold instanceof HTMLDetailsElement && fold.open);
    await page.locator('#welcome-close').click();
    for (const id of ['people', 'measures', 'people']) {
      if (!(await isOpen(id))) await page.keyboard.press(KEYS[id]);
      await until(`${id} are open`, () => isOpen(id));
      if (!together) await until('the other is not', async () => (await isOpen('people')) !== (await isOpen('measures')));
      await until('neither covers the other', async () => !(await isOpen('people')) || !(await isOpen('measures')) || !(await overlap(page, '#people', '#measures')));
    }
    assert.equal(await isOpen('measures'), together);
  }
});

test('the figures of the connection end beside the buttons', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--model', 'vision']);
  for (const options of [PHONE, SIDEWAYS, COMMON]) {
    const { page, until: shows } = await openFlock(t, browser, `${lobby(server)}?name=Ada#key=${KEY}`, options);
    await shows('the page knows the latency', ({ latencyMs }) => latencyMs !== null);
    await page.locator('#panel-open').waitFor();
    await until('the figures have the latency', () => page.locator('#latency').evaluate(({ textContent }) => textContent !== ''));
    await page.locator('#panel').waitFor({ state: 'attached' });
    await page.locator('#hint').waitFor();
    const below = () =>
      page.evaluate(() => {
        const [hint, button] = ['hint', 'why-open'].map((id) => document.getElementById(id));
        const { bottom, height, paddingTop, paddingBottom } = getComputedStyle(button, '::after');
        const words = button.getBoundingClientRect().bottom - [bottom, height, paddingTop, paddingBottom].reduce((sum, each) => sum + Number.parseFloat(each), 0);
        const shown = hint.getBoundingClientRect().bottom - Number(/0px 0px (\d+)px/.exec(getComputedStyle(hint).clipPath)?.[1] ?? 0);
        return words - shown;
      });
    await until(`the hint ends above the words at a button, ${options.viewport.width}`, async () => (await below()) >= 0, below);
    for (let i = 0; i < 2; i += 1) {
      const open = await page.locator('#panel').isVisible();
      await until(`none covers the other, ${options.viewport.width}, the panel ${open ? 'open' : 'closed'}`, async () => !(await overlap(page, '#status', '#controls')));
      await page.keyboard.press('p');
      await page.locator('#panel').waitFor({ state: open ? 'hidden' : 'visible' });
    }
    await page.locator('#status').evaluate((figures) => (figures.style.maxWidth = '60px'));
    await until('where there is little room, the number of boids begins beside the dot', () => overlap(page, '#status', '#boids'));
  }
});

test('a phone shows the number of boids beside or above the buttons', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--preset', 'murmuration', '--boids', '1500']);
  for (const key of ['', `#key=${KEY}`]) {
    const { page, until: shows } = await openFlock(t, browser, `${lobby(server)}?name=Bo${key}`, PHONE);
    await shows('there is a flock', ({ boids }) => boids > 0);
    if (key !== '') await page.locator('#panel-open').waitFor();
    await page.locator('#boids').waitFor();
    for (const width of [PHONE.viewport.width, 360, 320]) {
      await page.setViewportSize({ width, height: PHONE.viewport.height });
      await page.waitForFunction((size) => innerWidth === size, width);
      const { status } = await until(`the number is among the figures: ${key === '' ? 'a viewer' : 'a presenter'}, ${width} px`, async () => {
        const places = await page.evaluate(() => {
          const [figures, number] = ['status', 'boids'].map((id) => document.getElementById(id).getBoundingClientRect());
          return { status: { y: figures.y, height: figures.height }, inside: number.top >= figures.top && number.bottom <= figures.bottom && number.right <= figures.right };
        });
        return places.inside && !(await overlap(page, '#status', '#controls')) && places;
      });
      const lowest = key === '' ? status.y + status.height : status.y;
      await page.locator('#hint').waitFor();
      const words = () => page.locator('#why-open').evaluate((button) => button.getBoundingClientRect().bottom - Number.parseFloat(getComputedStyle(button, '::after').bottom));
      await until(`the words at a button do not cover the figures, ${width} px`, async () => (await words()) < lowest, words);
    }
  }
});

test('an attention text is above all that a viewer has opened', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const presenter = await flock.join(t, server.ws, { key: KEY });
  const { page } = await openFlock(t, browser, `${lobby(server)}?name=Ben`, SIDEWAYS);
  for (const id of ['people', 'measures']) if (!(await page.locator(`#${id}`).evaluate((fold) => fold.hasAttribute('open')))) await page.keyboard.press(KEYS[id]);
  for (const id of ['people', 'measures']) await page.locator(`#${id}[open]`).waitFor();
  assert.equal(await presenter.ask([flock.ATTENTION, true, 'Please look up at the projector now, everybody']), null);
  await page.locator('#attention').waitFor();
  const covered = await page.evaluate(() => {
    const text = document.getElementById('attention');
    text.style.pointerEvents = 'auto'; // clicks pass through it, and would find what is below
    const folds = ['people', 'measures'].map((id) => document.getElementById(id).getBoundingClientRect());
    return folds.filter(({ left, right, top, bottom }) => document.elementFromPoint((left + right) / 2, (top + bottom) / 2) !== text).length;
  });
  assert.equal(covered, 0);
});
