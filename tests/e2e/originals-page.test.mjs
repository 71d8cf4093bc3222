// The original flocks in the page: each renderer draws their presets' looks. The pictures are in build/looks/.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { lobby, openFlock, sharedBrowser } from './browser.mjs';
import { REMOVE, RESET, SET, join } from './client.mjs';
import { root, startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'abcdefgh1';
const [WIDTH, HEIGHT] = [960, 700];
const RADIUS = 0.025; // of a circle where it is half as bright, of the window's height: 12 units would be too small

const browser = await sharedBrowser();

// A presenter, and the page of a flock that stands still at its start, without the rest of the page.
async function still(t, renderer) {
  const server = await startServer(t, ['--preset', 'original', '--idle', 'hold', '--presenter-key', KEY]);
  const presenter = await join(t, server.ws, { key: KEY });
  assert.equal(await presenter.ask([SET, 'run', 'paused']), null);
  assert.equal(await presenter.ask([RESET]), null);
  const view = await openFlock(t, browser, `${lobby(server)}?renderer=${renderer}`, {
    viewport: { width: WIDTH, height: HEIGHT },
    reducedMotion: 'reduce',
  });
  await view.until('it stands still', ({ controls, boids }) => controls.run === 'paused' && boids === 12);
  await view.page.evaluate(() => {
    for (const each of document.querySelectorAll('body *')) each.style.visibility = each.id === 'canvas' ? 'visible' : 'hidden';
  });
  return { presenter, view };
}

// The colours of the pixels at a distance (CSS pixels) to the right of each boid, in a picture without movement.
async function colors(view, distance) {
  const where = () =>
    view.page.evaluate(
      (away) =>
        /** @type {Promise<[number, number][]>} */ (
          new Promise((resolve) => {
            const look = () => resolve(window.flock.boids().map(({ x, y }) => window.flock.toScreen(x, y)).map(([left, top]) => [left + away, top]));
            requestAnimationFrame(() => requestAnimationFrame(look)); // the page has drawn all earlier snapshots
          })
        ),
      distance,
    );
  const { image, points } = await until('nothing moves', async () => {
    const before = await where();
    const taken = await view.page.screenshot();
    return JSON.stringify(before) === JSON.stringify(await where()) && { image: taken, points: before };
  });
  const found = await view.page.evaluate(
    async ([base64, at]) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
      pen.drawImage(bitmap, 0, 0);
      return at.map(([x, y]) => [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)]);
    },
    [image.toString('base64'), points],
  );
  return { image, found };
}

const brightest = (color) => Math.max(...color);
const apart = (one, other) => Math.max(...one.map((value, i) => Math.abs(value - other[i])));

for (const renderer of ['webgl2', '2d']) {
  test(`twelve blurred circles, each in its own colour (${renderer})`, async (t) => {
    const { view, presenter } = await still(t, renderer);
    assert.equal((await view.state()).look, 'blur');
    const { image, found } = await colors(view, 0);
    mkdirSync(resolve(root, 'build/looks'), { recursive: true });
    writeFileSync(resolve(root, `build/looks/original-${renderer}.png`), image);
    assert.equal(found.length, 12);
    found.forEach((color, i) => {
      assert.ok(brightest(color) > 130, `boid ${i} is seen: ${color}`);
      for (const other of found.slice(i + 1)) assert.ok(apart(color, other) > 8, `${color} and ${other}`);
    });
    assert.equal(await presenter.ask([REMOVE, 11]), null);
    await view.until('one is left', ({ boids }) => boids === 1);
    const profile = [];
    const radius = RADIUS * HEIGHT;
    for (const distance of [0, radius, 2 * radius]) profile.push(brightest((await colors(view, distance)).found[0]));
    const [middle, edge, beyond] = profile;
    assert.ok(edge < 0.8 * middle && edge > beyond + 15 && beyond < 60, `it fades and ends: ${profile}`);
    // This person chooses arrows, and then the preset's look again.
    await view.page.keyboard.press('l');
    await view.page.locator('#looks-shape input[value="arrow"]').check();
    assert.equal((await view.state()).look, 'arrow');
    await view.page.locator('#looks-shape input').first().check();
    assert.equal((await view.state()).look, 'blur');
    await view.page.keyboard.press('Escape');
    await view.page.locator('#looks').waitFor({ state: 'hidden' });
  });
}

test('a look comes and goes with its preset, and both renderers draw fish', async (t) => {
  for (const renderer of ['webgl2', '2d']) {
    const { presenter, view } = await still(t, renderer);
    for (const [preset, look] of [['ue4-fish', 'fish'], ['cpp-boids', 'triangle'], ['sheep', 'sheep']]) {
      assert.equal(await presenter.ask([SET, 'preset', preset]), null);
      await view.until(preset, (state) => state.look === look && state.controls.preset === preset);
      const { flock } = await view.state();
      await view.until('all of them are there', ({ boids }) => boids === flock);
      const { found } = await colors(view, 0);
      const seen = found.filter((color) => brightest(color) > 130).length;
      assert.ok(seen > 0.9 * found.length, `${seen} of ${found.length} boids of ${preset} are seen`);
    }
  }
});

test('in js-birds a presenter’s click adds one', async (t) => {
  const server = await startServer(t, ['--preset', 'js-birds', '--presenter-key', KEY]);
  const view = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, { viewport: { width: 1100, height: 720 } });
  await view.until('this is a presenter', ({ role }) => role === 'presenter');
  await view.page.locator('#panel-open').click();
  await view.page.locator('#panel').waitFor();
  await view.page.locator('html.adding').waitFor();
  const { flock } = await view.state();
  await view.page.mouse.click(300, 360);
  await view.until('there is one more', (state) => state.flock === flock + 1);
  await view.page.locator('#panel-close').click();
  await view.page.mouse.click(320, 300);
  await view.page.locator('#panel-open').click();
  await view.page.locator('html.adding').waitFor();
  await view.page.mouse.click(340, 300);
  await view.until('there is another one, and none of the closed panel', (state) => state.flock === flock + 2);
  await view.page.locator('#of-presets').getByText('bees', { exact: true }).click();
  await view.until('the bees', ({ controls, flock: now }) => controls.preset === 'bees' && now === 400);
  await view.page.locator('html:not(.adding)').waitFor();
  await view.page.mouse.click(340, 300);
  await view.page.locator('#run').click();
  await view.until('it is paused', ({ controls }) => controls.run === 'paused');
  assert.equal((await view.state()).flock, 400, 'where the preset does not say so, a click adds none');
});
