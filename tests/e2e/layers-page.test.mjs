// The panel of looks: layers over the flock that a person can switch on, and the flock as a picture and a film.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

async function saved(page, press) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('the flock on the screen is saved as a picture and as a film', async (t) => {
  const server = await startServer(t, RESTING);
  const { page } = await openFlock(t, browser, lobby(server), WIDE);
  await page.keyboard.press('l');
  const picture = await saved(page, () => page.getByRole('button', { name: 'Picture', exact: true }).click());
  assert.match(picture.name, /^flock-.*\.png$/);
  const colors = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    return new Set(new Uint32Array(pen.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer)).size;
  }, picture.bytes.toString('base64'));
  assert.ok(colors > 100, `${colors} colours: boids and their ground`);
  await page.getByRole('button', { name: 'Film of 10 s' }).click();
  const stop = page.getByRole('button', { name: /^Stop: [1-8] s left$/ });
  await stop.waitFor();
  const film = await saved(page, () => stop.click());
  assert.match(film.name, /\.webm$/);
  assert.equal(film.bytes.subarray(0, 4).toString('hex'), '1a45dfa3', 'the beginning of each WebM file');
  assert.ok(film.bytes.length > 2000, `${film.bytes.length} bytes`);
  await page.getByRole('button', { name: 'Film of 10 s' }).waitFor();
});
