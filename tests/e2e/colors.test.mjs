// Colours, shapes and the level of detail of boids, in both renderers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { SIZE, TICKS, canvasOf, hideFurniture, picture } from './pictures.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'key-of-the-colors';

const browser = await sharedBrowser();

const OKLAB = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];

// The hue of a colour (degrees) and its chroma, in OKLCH.
function hueOf(color) {
  const linear = color.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  const [l, m, s] = OKLAB.map((row) => Math.cbrt(row.reduce((sum, part, i) => sum + part * linear[i], 0)));
  const [a, b] = [1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
  return { hue: (Math.atan2(b, a) * 180) / Math.PI, chroma: Math.hypot(a, b) };
}

const turnBetween = (one, other) => Math.abs(((((one - other + 180) % 360) + 360) % 360) - 180);

// In the page: it gets all boids, as on a fast machine, because it asks for no fewer.
function askForAll() {
  const WANT = 6; // a message's type, its second byte
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (/** @type {any} */ data) {
    if (new Uint8Array(data.buffer, data.byteOffset)[1] !== WANT) send.call(this, data);
  };
}

// A page whose flock stands still, without the rest of the page. With `ticks` 0 the flock stands still before the page opens, so a slow
// browser shows no other flock.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {string[]} args
 * @param {string} renderer
 * @param {{ motion?: 'reduce' | 'no-preference', ticks?: number, viewport?: { width: number, height: number }, fps?: number, rests?: boolean }} options
 */
async function still(t, args, renderer, { motion = 'reduce', ticks = TICKS, viewport = SIZE, fps, rests = motion === 'reduce' } = {}) {
  const server = await startServer(t, [...args, '--presenter-key', KEY]);
  const presenter = await flock.join(t, server.ws, { key: KEY });
  const pause = async () => {
    assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
    return presenter.next(flock.SNAPSHOT);
  };
  const first = ticks === 0 ? await pause() : null;
  const view = await openFlock(t, browser, `${lobby(server)}?renderer=${renderer}`, {
    viewport,
    reducedMotion: motion,
    fps,
    watch: (page) => page.addInitScript(askForAll),
  });
  const { tick } = await view.state();
  await view.until('the flock has formed', (state) => state.tick >= tick + ticks);
  const last = first ?? (await pause());
  await view.until('the page shows the last tick', (state) => state.tick === last[2] && state.controls.run === 'paused');
  await view.page.evaluate(hideFurniture);
  // Until the page has drawn what it loads after the first picture, and boids no longer glide.
  await until('nothing moves', async () => {
    if (!rests) return true;
    const before = await view.page.screenshot();
    await view.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return before.equals(await view.page.screenshot());
  });
  return { presenter, view };
}

// The colours of the pixels where boids are, and their headings.
async function boidColors(view) {
  const image = await view.page.screenshot();
  return view.page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
    pen.drawImage(bitmap, 0, 0);
    return window.flock
      .boids()
      .filter((boid) => boid !== null && boid.heading !== null)
      .map(({ x, y, heading }) => {
        const [px, py] = window.flock.toScreen(x, y);
        return { heading, color: [...pen.getImageData(Math.round(px), Math.round(py), 1, 1).data.slice(0, 3)] };
      });
  }, image.toString('base64'));
}

for (const renderer of ['webgl2', '2d']) {
  test(`the hue of a boid is its heading (${renderer})`, async (t) => {
    const { view } = await still(t, ['--preset', 'js-birds'], renderer);
    const boids = await boidColors(view);
    assert.ok(boids.length >= 25, `${boids.length} boids`);
    const wrong = boids.filter(({ heading, color }) => {
      const { hue, chroma } = hueOf(color);
      return chroma < 0.05 || turnBetween(hue, 250 + (heading * 180) / Math.PI) > 35;
    });
    assert.ok(wrong.length <= 0.15 * boids.length, JSON.stringify(wrong));
  });

  test(`this person chooses what colours say (${renderer})`, async (t) => {
    const { view } = await still(t, ['--preset', 'js-birds'], renderer);
    const { page } = view;
    await page.evaluate(() => document.querySelectorAll('body *').forEach((each) => (/** @type {any} */ (each).style.visibility = '')));
    await page.keyboard.press('l');
    await page.getByRole('radio', { name: 'Speed' }).check();
    await view.until('colours say the speed', ({ coloring }) => coloring === 'speed');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.evaluate(hideFurniture);
    const boids = await until('boids have the colours of speeds', async () => {
      const found = await boidColors(view);
      const hues = found.map(({ color }) => hueOf(color)).filter(({ chroma }) => chroma > 0.05);
      // From blue over green to yellow: no boid is red.
      return hues.length > 20 && hues.every(({ hue }) => turnBetween(hue, 190) < 110) && found;
    });
    assert.ok(boids.length >= 25);
    await page.reload();
    await view.until('it is remembered', ({ coloring, boids: shown }) => coloring === 'speed' && shown > 0);
  });

  test(`boids that are too near to one another are a map, and boids again after a zoom (${renderer})`, async (t) => {
    // The fewest boids of a map, in few frames: a browser without a graphics processor draws them slowly.
    const { view } = await still(t, ['--model', 'boids', '--boids', '5000', '--world', '2500x2000'], renderer, {
      viewport: { width: 180, height: 144 },
      ticks: 0,
      fps: 2,
      rests: false,
    });
    await view.until('they are a map', ({ level }) => level === 'map');
    const seen = async () => (await picture(view, canvasOf(view))).seen;
    await until('the map has faded in', async () => (await seen()) > 300, seen);
    await view.page.mouse.move(90, 72);
    await view.until('they are boids', async ({ level }) => level !== 'map' || void (await view.page.mouse.wheel(0, -400)));
    await until('and they are seen', async () => (await seen()) > 50, seen);
  });

  test(`small boids are arrows, and large ones beat their wings unless motion is reduced (${renderer})`, async (t) => {
    const { view } = await still(t, ['--preset', 'murmuration', '--boids', '300'], renderer, { motion: 'no-preference' });
    await view.until('birds have their shape', ({ look, level }) => look === 'bird' && level === 'shape');
    const first = await view.page.screenshot();
    await until('wings beat', async () => !first.equals(await view.page.screenshot()));
    await view.page.emulateMedia({ reducedMotion: 'reduce' });
    await until('wings are still', async () => {
      const before = await view.page.screenshot();
      await view.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      return before.equals(await view.page.screenshot());
    });
    await view.page.setViewportSize({ width: 320, height: 200 });
    await view.until('birds are arrows', ({ level }) => level === 'arrow');
  });
}
