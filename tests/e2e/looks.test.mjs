// How each preset, and each model at its defaults, looks in the page: the flock can be seen, it moves, and it is what the
// room promises. The pictures are kept in build/looks/, because a test cannot say whether they are beautiful.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { lobby, openFlock, startBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { root, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const SIZE = { width: 960, height: 600 };
const TICKS = 45; // after which a flock has begun to look like itself
const BRIGHT = 70; // of 255: the background is darker, and so is a trail's end
const FURNITURE = ['#notice', '#toast', '#hint', '#room', '#standing', '#measures', '#people', '#status', '#controls'];

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

// The page without what lies around the flock, as a PNG, and for each pixel whether it is bright.
async function picture(view) {
  const mask = FURNITURE.map((selector) => view.page.locator(selector));
  await view.page.evaluate(() => (document.getElementById('cursors').hidden = true));
  const image = await view.page.screenshot({ mask, maskColor: '#000' });
  const pixels = await view.page.evaluate(
    async ([base64, least]) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
      pen.drawImage(bitmap, 0, 0);
      const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
      let bits = '';
      for (let i = 0; i < data.length; i += 4) {
        bits += Math.max(data[i], data[i + 1], data[i + 2]) > least ? '1' : '0';
      }
      return bits;
    },
    [image.toString('base64'), BRIGHT],
  );
  return { image, pixels };
}

const count = (pixels) => pixels.split('1').length - 1;

// What the room has, the page shows: as many boids of that shape, and with an edge none of them beyond it.
async function isAsPromised(t, server, view) {
  const { room, snapshot } = await flock.join(t, server.ws);
  const { model, look, world, flock: boids, controls } = await view.state();
  const promised = Object.fromEntries(room.controls.map(([name, value]) => [name, value]));
  assert.deepEqual({ model, world, boids, controls }, { model: room.model, world: room.world, boids: snapshot.flock, controls: promised });
  assert.equal(look, room.look?.[0] ?? look);
  if (room.boundary === 'open') return;
  const beyond = (points, margin) => points.filter(([x, y]) => Math.min(x, y, world[0] - x, world[1] - y) < -margin);
  assert.deepEqual(beyond(snapshot.boids, room.quantum), [], `the boundary is ${room.boundary}`);
  // Between two snapshots a boid is drawn on a curve, which is wide when a busy machine misses some.
  const shown = (await view.page.evaluate(() => window.flock.boids())).filter(Boolean).map(({ x, y }) => [x, y]);
  assert.deepEqual(beyond(shown, Math.min(...world) / 10), [], 'the page shows them far from where they are');
}

async function isASight(t, name, args) {
  const server = await startServer(t, args);
  const view = await openFlock(t, browser, `${lobby(server)}?renderer=2d`, { viewport: SIZE });
  const { tick, boids } = await view.state();
  await view.until('the flock has formed', (state) => state.tick >= tick + TICKS);
  const first = await picture(view);
  mkdirSync(resolve(root, 'build/looks'), { recursive: true });
  writeFileSync(resolve(root, `build/looks/${name}.png`), first.image);
  const seen = count(first.pixels);
  assert.ok(seen >= Math.min(5 * boids, 1500), `${seen} bright pixels for ${boids} boids`);
  await isAsPromised(t, server, view);
  await until(
    'the picture has changed',
    async () => {
      const { pixels } = await picture(view);
      return [...pixels].filter((pixel, i) => pixel !== first.pixels[i]).length > seen / 4;
    },
    async () => JSON.stringify(await view.state()),
  );
}

const choices = async (t, option) => {
  const { stdout } = await runToEnd(t, ['--help-table']);
  return stdout.match(new RegExp(`\`--${option} NAME\`[^|]*\\|[^|]*\\|([^|]*)\\|`))[1].trim().split(', ');
};

test('every preset is a sight in the page', async (t) => {
  for (const preset of await choices(t, 'preset')) {
    await t.test(preset, (each) => isASight(each, `preset-${preset}`, ['--preset', preset]));
  }
});

test('every model is one at its defaults', async (t) => {
  for (const model of await choices(t, 'model')) {
    await t.test(model, (each) => isASight(each, `model-${model}`, ['--model', model, '--boids', '200']));
  }
});
