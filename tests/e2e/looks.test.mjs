// Each preset, and each model at its defaults, in the page: the flock is visible, moves, and matches the room. The test saves pictures
// in build/looks/ for people.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { lobby, openFlock, startBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { root, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'key-of-the-look';
const SIZE = { width: 960, height: 600 };
const TICKS = 45; // until a flock looks typical
const EDGE = 35; // of 255: grounds and trails differ less from one pixel to the sixth after it

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

// The flock without the rest of the page: a PNG and its number of pixels at edges. `changed` counts pixels at an edge in either this
// picture or the first one, and not in both.
async function picture(view) {
  const image = await view.page.screenshot();
  const counts = await view.page.evaluate(
    async ([base64, least]) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
      pen.drawImage(bitmap, 0, 0);
      const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
      const differs = (i) => [0, 1, 2].some((part) => Math.abs(data[4 * i + part] - data[4 * (i + 6) + part]) > least);
      const edges = Uint8Array.from({ length: data.length / 4 }, (_, i) => Number(differs(i)));
      window.edges ??= edges;
      let [seen, changed] = [0, 0];
      edges.forEach((is, i) => {
        seen += is;
        changed += is ^ window.edges[i];
      });
      return { seen, changed };
    },
    /** @type {[string, number]} */ ([image.toString('base64'), EDGE]),
  );
  return { image, ...counts };
}

// In the page: hides all but the flock.
function hideFurniture() {
  for (const each of document.body.querySelectorAll('*')) {
    if (each.id !== 'canvas') /** @type {any} */ (each).style.visibility = 'hidden';
  }
  document.getElementById('canvas').style.visibility = 'visible';
}

// Asserts that the page shows the room's boids: their number and shape, and none beyond an edge. The room must be paused, because on
// a busy machine a boid between two snapshots is drawn on a wide curve.
async function isAsPromised(t, server, view) {
  const presenter = await flock.join(t, server.ws, { key: KEY });
  assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
  const last = await presenter.next(flock.SNAPSHOT);
  await view.until('the page shows the last tick', ({ tick, controls }) => tick === last[2] && controls.run === 'paused');
  const { room, snapshot } = presenter;
  const { model, look, world, flock: boids, controls } = await view.state();
  const promised = Object.fromEntries(room.controls.map(([name, value]) => [name, value]));
  assert.deepEqual({ model, world, boids, controls }, { model: room.model, world: room.world, boids: snapshot.flock, controls: promised });
  assert.equal(look, room.look?.[0] ?? look);
  if (room.boundary === 'open') return;
  const beyond = (points, margin) => points.filter(([x, y]) => Math.min(x, y, world[0] - x, world[1] - y) < -margin);
  assert.deepEqual(beyond(snapshot.boids, room.quantum), [], `the boundary is ${room.boundary}`);
  const shown = async () => (await view.page.evaluate(() => window.flock.boids())).filter(Boolean).map(({ x, y }) => [x, y]);
  await until('the page shows them there, too', async () => beyond(await shown(), room.quantum).length === 0, async () => JSON.stringify(beyond(await shown(), room.quantum)));
}

async function isASight(t, name, args) {
  const server = await startServer(t, [...args, '--presenter-key', KEY]);
  const view = await openFlock(t, browser, `${lobby(server)}?renderer=2d`, { viewport: SIZE });
  const { tick, boids } = await view.state();
  await view.until('the flock has formed', (state) => state.tick >= tick + TICKS);
  await view.page.evaluate(hideFurniture);
  const first = await picture(view);
  mkdirSync(resolve(root, 'build/looks'), { recursive: true });
  writeFileSync(resolve(root, `build/looks/${name}.png`), first.image);
  const { seen } = first;
  assert.ok(seen >= Math.min(5 * boids, 1500), `${seen} pixels at edges for ${boids} boids`);
  await until(
    'the picture has changed',
    async () => (await picture(view)).changed > Math.min(2 * boids, 500),
    async () => JSON.stringify(await view.state()),
  );
  await isAsPromised(t, server, view);
}

const choices = async (t, option) => {
  const { stdout } = await runToEnd(t, ['--help-table']);
  return stdout.match(new RegExp(`\`--${option} NAME\`[^|]*\\|[^|]*\\|([^|]*)\\|`))[1].trim().split(', ');
};

test('every preset looks right in the page', async (t) => {
  for (const preset of await choices(t, 'preset')) {
    await t.test(preset, (each) => isASight(each, `preset-${preset}`, ['--preset', preset]));
  }
});

test('every model looks right at its defaults', async (t) => {
  for (const model of await choices(t, 'model')) {
    await t.test(model, (each) => isASight(each, `model-${model}`, ['--model', model, '--boids', '200']));
  }
});

// ---- colours, shapes and the level of detail ----

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

// A page whose flock stands still, without the rest of the page.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {string[]} args
 * @param {string} renderer
 * @param {{ motion?: 'reduce' | 'no-preference', ticks?: number, viewport?: { width: number, height: number } }} options
 */
async function still(t, args, renderer, { motion = 'reduce', ticks = TICKS, viewport = SIZE } = {}) {
  const server = await startServer(t, [...args, '--presenter-key', KEY]);
  const presenter = await flock.join(t, server.ws, { key: KEY });
  const view = await openFlock(t, browser, `${lobby(server)}?renderer=${renderer}`, {
    viewport,
    reducedMotion: motion,
    watch: (page) => page.addInitScript(askForAll),
  });
  const { tick } = await view.state();
  await view.until('the flock has formed', (state) => state.tick >= tick + ticks);
  assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
  const last = await presenter.next(flock.SNAPSHOT);
  await view.until('the page shows the last tick', (state) => state.tick === last[2] && state.controls.run === 'paused');
  await view.page.evaluate(hideFurniture);
  // Until the page has drawn what it loads after the first picture, and boids no longer glide.
  await until('nothing moves', async () => {
    const before = await view.page.screenshot();
    await view.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return motion !== 'reduce' || before.equals(await view.page.screenshot());
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
    const { view } = await still(t, ['--model', 'boids', '--boids', '20000', '--world', '5000x4000'], renderer, {
      viewport: { width: 300, height: 240 },
      ticks: 2,
    });
    await view.until('they are a map', ({ level }) => level === 'map');
    const { seen } = await picture(view);
    assert.ok(seen > 2000, `${seen} bright pixels`);
    await view.page.mouse.move(150, 120);
    for (let i = 0; i < 12; i++) await view.page.mouse.wheel(0, -400);
    await view.until('they are boids', ({ level }) => level !== 'map');
    assert.ok((await picture(view)).seen > 50, 'and they are seen');
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
