// Layers over the flock that a person can switch on: links between neighbours, and density.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RESTING, lobby, openFlock, startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const WIDE = { viewport: { width: 900, height: 640 } };

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

// The number of painted pixels on the overlay.
const painted = (page) =>
  page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('overlay'));
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += Number(data[i] > 20);
    return count;
  });

test('links and density are drawn over the flock, and the browser remembers them', async (t) => {
  const server = await startServer(t, [...RESTING, '--boids', '60', '--idle', 'hold', '--boundary', 'open']);
  const { page } = await openFlock(t, browser, lobby(server), WIDE);
  const choose = (name, on) => page.getByLabel(name, { exact: true }).setChecked(on);
  await page.keyboard.press('l');
  await choose('Target', false);
  const before = await painted(page);
  for (const name of ['Links between neighbours', 'Density']) {
    await choose(name, true);
    await until(`${name} is drawn`, async () => (await painted(page)) > before + 300, () => painted(page));
    await choose(name, false);
    await until(`${name} is gone`, async () => (await painted(page)) < before + 300, () => painted(page));
  }
  await choose('Density', true);
  await page.reload();
  await until('density is drawn after a reload', async () => (await painted(page)) > before + 300, () => painted(page));
  await page.keyboard.press('l');
  assert.deepEqual([await page.getByLabel('Density', { exact: true }).isChecked(), await page.getByLabel('Target', { exact: true }).isChecked()], [true, false]);
});
