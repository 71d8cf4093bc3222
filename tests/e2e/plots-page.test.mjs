// The plots of the measures in the page: by time, against each other, and how headings and distances are spread.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createRoom } from './api.mjs';
import { RESTING, lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'key-of-the-plots';
const WIDE = { viewport: { width: 1100, height: 720 } };
const BLUE = { r: 143, g: 211, b: 255 }; // of the polarization
const ORANGE = { r: 255, g: 184, b: 107 };
const INK = { r: 219, g: 230, b: 247 };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const browser = await sharedBrowser();

const isShown = (page, name) => page.locator(name).isVisible();
const said = (page) => page.locator('#plots-said').textContent();
const valueOfMeasure = (page, name) => page.locator('#plots-measures button', { hasText: name }).locator('b').textContent();

// The page with its plots, and a presenter without a page.
async function openPlots(t, options = WIDE, more = []) {
  const server = await startServer(t, [...RESTING, '--presenter-key', KEY, ...more]);
  const view = await openFlock(t, browser, lobby(server), options);
  const ada = await flock.join(t, server.ws, { key: KEY, name: 'Ada' });
  await view.until('two seconds have passed', ({ tick }) => tick > 60);
  await view.page.keyboard.press('g');
  await view.page.locator('#plots-time canvas').waitFor();
  return { view, page: view.page, ada, server };
}

// The number of pixels of the plot that have about this colour.
const pixels = (page, selector, { r, g, b }) =>
  page.evaluate(
    ([which, red, green, blue]) => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector(`${which} canvas`));
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) count += Number(Math.abs(data[i] - red) + Math.abs(data[i + 1] - green) + Math.abs(data[i + 2] - blue) < 40 && data[i + 3] > 200);
      return count;
    },
    [selector, r, g, b],
  );

async function download(page, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#plots-tools button', { hasText: name }).click()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('the plots show the measures of the whole visit, and what the server measures', async (t) => {
  const { view, page } = await openPlots(t);
  await view.until('the values are those of the flock', async ({ measures }) => {
    const shown = Number(await valueOfMeasure(page, 'Polarization'));
    return Math.abs(shown - measures.polarization) < 0.1;
  });
  const { name, bytes } = await download(page, 'CSV');
  assert.match(name, /^flock-.*\.csv$/);
  const [head, ...rows] = bytes.toString().trim().split('\r\n');
  assert.match(head, /tick,seconds,polarization,milling,radius,speed,nearest,clusters,boids,distance,changes$/);
  const ticks = rows.map((row) => Number(row.split(',')[0]));
  assert.ok(ticks[0] < 60, `the first sample is older than the panel: ${ticks[0]}`);
  assert.ok(ticks.every((tick, index) => index === 0 || tick - ticks[index - 1] >= 15), ticks.join());
  assert.ok(rows.every((row) => row.split(',')[8] === String(view.boids ?? rows[0].split(',')[8])), 'the number of boids');
});

test('a change is marked with who made it, by pointer and by keys', async (t) => {
  const { view, page, ada } = await openPlots(t);
  const [{ name, max }] = await view.page.evaluate(() => Object.entries(window.flock.state().params).map(([each, value]) => ({ name: each, max: value })));
  assert.equal(await ada.ask([flock.PARAM, name, max / 2]), null);
  await view.said('news', 'Ada');
  const { tick } = await view.state();
  await view.until('two samples later', (state) => state.tick > tick + 60);
  await page.locator('#plots-time').focus();
  await until('a key goes to the change', async () => {
    await page.keyboard.press('ArrowUp');
    return /Ada/.test((await said(page)) ?? '');
  }, () => said(page));
  await view.said('spoken', /Ada.*Polarization/);
  const { bytes } = await download(page, 'CSV');
  assert.match(bytes.toString(), /Ada/);
  assert.equal((await view.state()).status, 'connected');
});

test('the mouse chooses a span, and a button follows the flock again', async (t) => {
  const { view, page } = await openPlots(t);
  await view.until('there is more than the shortest span', ({ tick }) => tick > 240);
  const follow = page.getByRole('button', { name: 'Follow the flock' });
  assert.ok(await follow.isDisabled());
  const box = await page.locator('.u-over').boundingBox();
  await page.mouse.move(box.x + 0.002 * box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.01 * box.width, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await until('the span stays', () => follow.isEnabled());
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await until('the cursor reads a time', async () => /^0:0\d/.test((await said(page)) ?? ''), () => said(page));
  await page.getByRole('button', { name: 'Keep' }).click();
  await follow.click();
  assert.ok(await follow.isDisabled());
  await page.locator('[title^="Remove the dashed span 0:0"]').waitFor();
});

test('each measure can be shown and hidden, the page remembers it, and clusters are counted when they are shown', async (t) => {
  const { page } = await openPlots(t);
  const toggle = (name) => page.locator('#plots-measures button', { hasText: name });
  assert.equal(await valueOfMeasure(page, 'Clusters'), '');
  for (const name of ['Clusters', 'Milling']) await toggle(name).click();
  await until('clusters are counted', async () => /^\d+$/.test((await valueOfMeasure(page, 'Clusters')) ?? ''), () => valueOfMeasure(page, 'Clusters'));
  await page.reload();
  await toggle('Clusters').waitFor();
  assert.deepEqual([await toggle('Clusters').getAttribute('aria-pressed'), await toggle('Milling').getAttribute('aria-pressed')], ['true', 'false']);
});

test('one measure against another, and the histograms, with keys alone', async (t) => {
  const { view, page } = await openPlots(t);
  await page.locator('#plots-views input').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('#plots-against canvas').waitFor();
  await until('the way is drawn', async () => (await pixels(page, '#plots-against', ORANGE)) > 20);
  await page.keyboard.press('ArrowRight');
  await page.locator('#plots-headings canvas').waitFor();
  const { flock: boids } = await view.state();
  await until('all boids are looked at', async () => (await page.locator('#plots-distances-of').textContent()) === `All ${boids} boids`, () => page.locator('#plots-distances-of').textContent());
  await until('the headings are drawn', async () => (await pixels(page, '#plots-headings', BLUE)) > 100);
  const { name, bytes } = await download(page, 'PNG');
  assert.match(name, /\.png$/);
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
});

// In the page, before its script: `window.cut` closes the connection, and while it is true no other one opens.
function cuttable() {
  const sockets = new Set();
  const Real = WebSocket;
  let cut = false;
  Object.defineProperty(window, 'cut', {
    set(is) {
      cut = is;
      if (is) for (const socket of sockets) socket.close();
    },
  });
  window.WebSocket = class extends Real {
    constructor(url, protocols) {
      super(url, protocols);
      sockets.add(this);
      if (cut) this.close();
    }
  };
}

// The longest run of columns without this colour between two columns with it, CSS pixels.
const widestGap = (page, { r, g, b }) =>
  page.evaluate(
    ([red, green, blue]) => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#plots-time canvas'));
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      const left = 150 * devicePixelRatio; // right of the name
      let [last, widest] = [-1, 0];
      for (let x = left; x < canvas.width; x++)
        for (let y = 0; y < canvas.height; y++) {
          const i = 4 * (y * canvas.width + x);
          if (Math.abs(data[i] - red) + Math.abs(data[i + 1] - green) + Math.abs(data[i + 2] - blue) > 60 || data[i + 3] < 128) continue;
          if (last >= 0) widest = Math.max(widest, x - last);
          last = x;
          break;
        }
      return widest / devicePixelRatio;
    },
    [r, g, b],
  );

test('a lost connection is a gap', async (t) => {
  const { view, page, ada } = await openPlots(t, { ...WIDE, offline: true, watch: (each) => each.addInitScript(cuttable) });
  await view.until('the line is right of its name', ({ tick }) => tick > 17 * 30);
  assert.ok((await widestGap(page, BLUE)) < 15);
  await page.evaluate(() => Object.assign(window, { cut: true }));
  const { tick } = await view.state();
  await ada.until('the flock goes on', ({ snapshot }) => snapshot.tick > tick + 150);
  await page.evaluate(() => Object.assign(window, { cut: false }));
  await view.until('the page is back, for two samples', (state) => state.status === 'connected' && state.tick > tick + 210);
  await until('the line has a gap of five seconds', async () => (await widestGap(page, BLUE)) > 35, () => widestGap(page, BLUE));
});

test('in the past, the plots show the measures of the shown time, and a line is there', async (t) => {
  const { view, page, ada } = await openPlots(t);
  const before = await pixels(page, '#plots-time', INK);
  assert.equal(await ada.ask([flock.REWIND, 1]), null);
  await until('a line marks the shown moment', async () => (await pixels(page, '#plots-time', INK)) > before + 100, () => pixels(page, '#plots-time', INK));
  assert.equal(await ada.ask([flock.LIVE]), null);
  await until('the line is gone', async () => (await pixels(page, '#plots-time', INK)) < before + 100);
  assert.equal((await view.state()).status, 'connected');
});

test('on a phone, the measures open the plots; a finger reads values', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, lobby(server), PHONE);
  const { page } = view;
  await view.until('two seconds have passed', ({ tick }) => tick > 60);
  assert.ok(!(await isShown(page, '#plot')), 'there is no room for the button');
  await page.locator('#measures summary').tap();
  await page.locator('#measures-plots').tap();
  await page.locator('#plots-time canvas').waitFor();
  const { x, y, width } = await page.locator('.u-over').boundingBox();
  await page.touchscreen.tap(x + 0.01 * width, y + 20);
  await until('a time is read', async () => /^0:0/.test((await said(page)) ?? ''), () => said(page));
  const small = await page.evaluate(() => {
    const fields = [...document.querySelectorAll('select, input:not([type=checkbox], [type=radio])')];
    return fields.filter((each) => Number.parseFloat(getComputedStyle(each).fontSize) < 16).map((each) => each.outerHTML);
  });
  assert.deepEqual(small, [], 'phones zoom in on a field with smaller letters');
  await page.locator('#plots-close').tap();
  assert.ok(!(await isShown(page, '#plots')));
});

test('two rooms beside each other have one plot with the lines of both', async (t) => {
  const server = await startServer(t, RESTING);
  const { code } = await createRoom(server, { title: 'Other' });
  const { page } = await openFlock(t, browser, lobby(server), WIDE);
  await page.goto(`${lobby(server)}?beside=${code}`);
  const [left, right] = [0, 1].map((index) => page.locator('#beside iframe').nth(index).contentFrame());
  for (const frame of [left, right]) await frame.locator('html.framed #plot').waitFor({ state: 'attached' });
  await left.locator('body').press('g');
  await page.locator('#plots-time canvas').waitFor();
  for (const color of [BLUE, ORANGE]) await until('each room has a line in its colour', async () => (await pixels(page, '#plots-time', color)) > 20);
  await until('a value of each room', async () => /^[\d.]+ · [\d.]+$/.test((await valueOfMeasure(page, 'Polarization')) ?? ''), () => valueOfMeasure(page, 'Polarization'));
  assert.match((await page.locator('#plots header').textContent()) ?? '', /Lobby 0:\d\d.*Other 0:\d\d/);
  const { bytes } = await download(page, 'CSV');
  assert.match(bytes.toString(), /^\ufeffroom,tick,.*\r\nlobby,\d+,(.*\r\n)*/);
  assert.ok(bytes.toString().includes(`\r\n${code},`), bytes.toString());

  await page.locator('#plots-views label', { hasText: 'Two measures' }).click();
  for (const frame of [left, right]) await frame.locator('#plots-against canvas').waitFor();
  assert.ok(!(await isShown(page, '#plots')), 'each room has its own other plots');
  await right.locator('#plots-views label', { hasText: 'Time' }).click();
  await page.locator('#plots-time canvas').waitFor();
  await page.locator('#plots').press('Escape');
  await page.locator('#plots').waitFor({ state: 'hidden' });
});

test('everyone watches the curve of a sweep grow, and presenters start and stop one', async (t) => {
  const { view, page, ada } = await openPlots(t);
  await page.locator('#plots-views label', { hasText: 'Sweep' }).click();
  await until('there is no sweep', async () => (await said(page)) === 'No sweep yet. A presenter can start one.');
  assert.equal(await isShown(page, '#plots-sweep-form'), false);
  assert.equal(await ada.ask([flock.SET, 'run', 'paused']), null); // a step of two seconds may pass before a busy page shows it
  assert.equal(await ada.ask([flock.SWEEP, 'noise', 0, 40, 2, 0, 2]), null);
  await until('the first step', async () => (await said(page)) === 'Step 1 of 2, started by Ada', () => said(page));
  assert.equal(await ada.ask([flock.SET, 'run', 'running']), null);
  await until('the end', async () => (await said(page)) === 'Complete, started by Ada');
  await until('the curve is drawn', async () => (await pixels(page, '#plots-curve', BLUE)) > 100);
  const { name, bytes } = await download(page, 'CSV');
  assert.equal(name, 'sweep-lobby.csv');
  assert.match(bytes.toString(), /^value,samples,polarization,polarization_error,.*\r\n0,10,.*\r\n40,10,.*\r\n$/);
  await page.locator('#plots-sweep-tools button', { hasText: 'Table' }).click();
  assert.equal(await page.locator('#plots-points tr').count(), 3);

  const { id } = await view.state();
  assert.equal(await ada.ask([flock.APPOINT, id, 'presenter']), null);
  await page.locator('#plots-sweep-form select').selectOption('noise');
  await page.locator('#plots-sweep-form').getByLabel('To').fill('90');
  assert.match(await page.locator('#plots-sweep-form').textContent(), /Takes 2:01$/);
  await page.locator('#plots-sweep-form button').click();
  await until('it runs', async () => /^Step 1 of 11/.test(await said(page)));
  await page.locator('#plots-sweep-tools button', { hasText: 'Stop' }).click();
  await until('it is stopped', async () => (await said(page)) === 'Stopped');
});

for (const [width, height] of [[844, 390], [667, 375]]) {
  test(`on a phone held sideways, ${width} pixels wide, the curve of a sweep has room beside its form`, async (t) => {
    const { view, page, ada } = await openPlots(t, { viewport: { width, height }, hasTouch: true, isMobile: true });
    const { id } = await view.state();
    assert.equal(await ada.ask([flock.APPOINT, id, 'presenter']), null);
    await page.locator('#plots-views label', { hasText: 'Sweep' }).click();
    assert.equal(await ada.ask([flock.SWEEP, 'noise', 0, 40, 2, 0, 2]), null);
    await page.locator('#plots-curve canvas').waitFor();
    const boxOf = (name) => page.locator(name).evaluate((element) => element.getBoundingClientRect().toJSON());
    await until('the curve is high', async () => (await boxOf('#plots-curve')).height > 0.35 * height, async () => JSON.stringify(await boxOf('#plots-curve')));
    const [curve, start, tools] = [await boxOf('#plots-curve'), await boxOf('#plots-sweep-form button'), await boxOf('#plots-sweep-tools')];
    assert.ok(start.right <= curve.left && start.bottom <= tools.top && tools.right <= curve.left, JSON.stringify({ curve, start, tools }));
    assert.ok(curve.width > 0.4 * width && curve.right <= width && curve.bottom <= height, JSON.stringify(curve));
  });
}
