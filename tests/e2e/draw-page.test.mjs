// Walls, food and hunters: people draw them with the mouse, a finger or keys, and everyone sees them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTING, lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const browser = await sharedBrowser();
const KEY = 'key-of-the-artist';
const THINGS = 16; // the topic
const FLAGS = [...RESTING, '--world', '600x400', '--idle', 'hold', '--model', 'boids', '--set', 'seek_weight=0,max_speed=0.1', '--presenter-key', KEY];
const WIDE = { viewport: { width: 1100, height: 720 } };
const UPRIGHT = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/**
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
const near = ([ax, ay], [bx, by], most = 4) => Math.hypot(ax - bx, ay - by) <= most;

/**
 * Returns the point of the window where a point of the world is.
 * @type {(page: import('playwright-core').Page, x: number, y: number) => Promise<[number, number]>}
 */
const at = (page, x, y) => page.evaluate(([wx, wy]) => window.flock.toScreen(wx, wy), [x, y]);

/** Waits until the world stands beside the panel, or above it, and rests there. */
async function settled(page) {
  let last = '';
  await until('the camera rests', async () => {
    const next = await page.evaluate(
      () =>
        new Promise((done) =>
          requestAnimationFrame(() => {
            const [x, y] = window.flock.toScreen(600, 400);
            const { left, top } = document.getElementById('draw').getBoundingClientRect();
            done(x <= left || y <= top ? `${x} ${y}` : '');
          }),
        ),
    );
    const rests = next !== '' && next === last;
    last = next;
    return rests;
  });
}

/** Returns a function that draws a finger over the window, from a point of the world to another one. */
async function fingerOf(page) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  return async (from, to) => {
    const [x, y] = from;
    await touch('touchStart', await at(page, x, y));
    for (const part of [0.4, 0.8, 1]) {
      await touch('touchMove', await at(page, x + part * (to[0] - x), y + part * (to[1] - y)));
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    await touch('touchEnd');
  };
}

test('a presenter draws with the mouse and with keys, and viewers with a finger where the presenter allows it', async (t) => {
  const server = await startServer(t, FLAGS);
  const watcher = await flock.join(t, server.ws, { key: KEY, topics: THINGS });
  const { page } = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, WIDE);
  await page.keyboard.press('k');
  await page.locator('#draw').waitFor();
  await settled(page);

  await page.mouse.move(...(await at(page, 200, 100)));
  await page.mouse.down();
  await page.mouse.move(...(await at(page, 300, 250)), { steps: 3 });
  await page.mouse.up();
  await watcher.until('a wall', () => watcher.room.walls?.length === 1);
  const [x1, y1, x2, y2] = watcher.room.walls[0];
  assert.ok(near([x1, y1], [200, 100]) && near([x2, y2], [300, 250]), String(watcher.room.walls[0]));
  await page.locator('#draw-undo:enabled').waitFor(); // the page has the room with this wall, too
  await page.mouse.click(...(await at(page, 303, 252)));
  await page.mouse.click(...(await at(page, 450, 397)));
  await watcher.until('a second wall', () => watcher.room.walls?.length === 2);
  assert.deepEqual(watcher.room.walls[1].slice(0, 2), [x2, y2], 'it begins at the end of the first');
  assert.equal(watcher.room.walls[1][3], 400, 'it ends at the edge');
  await page.locator('#draw-undo').click();
  await watcher.until('one wall', () => watcher.room.walls?.length === 1);

  await page.locator('#draw-kinds button', { hasText: 'Hunter' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('x');
  await watcher.until('a hunter', () => watcher.things?.hunters.length === 1);
  await page.locator('#draw-kinds button', { hasText: 'Erase' }).click();
  await page.mouse.click(...(await at(page, 250, 175)));
  await watcher.until('no wall', () => !watcher.room.walls?.length);
  await page.mouse.click(...(await at(page, 20, 380)));
  await page.getByText('There is nothing to erase there.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('There is nothing to erase there.').waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await page.locator('#draw').waitFor({ state: 'hidden' });

  const { page: phone } = await openFlock(t, browser, lobby(server), PHONE);
  const opener = phone.locator('#draw-open');
  assert.equal(await opener.isVisible(), false);
  assert.equal(await watcher.ask([flock.SET, 'drawing', 'all']), null);
  await opener.click();
  await phone.locator('#draw-kinds button', { hasText: 'Food' }).click();
  assert.equal(await phone.locator('#draw-kinds button', { hasText: 'Erase' }).isVisible(), false);
  await settled(phone);
  await phone.touchscreen.tap(...(await at(phone, 150, 100)));
  await watcher.until('food', () => watcher.things?.food.length === 1);
  assert.ok(near(watcher.things.food[0], [150, 100]), String(watcher.things.food));
  for (let n = 1; n < 48; n++) assert.equal(await watcher.ask([flock.FOOD, n, 390, 1_000_000]), null);
  await phone.touchscreen.tap(...(await at(phone, 150, 100)));
  await phone.getByText('There are already as many as you may draw.').waitFor();
  assert.equal(await watcher.ask([flock.SET, 'drawing', 'presenters']), null);
  await phone.locator('#draw').waitFor({ state: 'hidden' });
  await opener.waitFor({ state: 'hidden' });
});

test('on a phone, the camera rests while a finger draws: of a presenter, and of a viewer', async (t) => {
  const server = await startServer(t, [...RESTING, '--world', '600x400', '--model', 'swarm', '--boundary', 'walls', '--presenter-key', KEY]);
  const watcher = await flock.join(t, server.ws, { key: KEY, topics: THINGS });
  await watcher.ask([flock.SET, 'drawing', 'all']);
  const ends = [
    [[150, 80], [320, 250]],
    [[480, 60], [420, 300]],
  ];
  for (const [index, address] of [`${lobby(server)}#key=${KEY}`, lobby(server)].entries()) {
    const view = await openFlock(t, browser, address, UPRIGHT);
    const { page } = view;
    const isLarge = async () => (await at(page, 600, 0))[0] - (await at(page, 0, 0))[0] > UPRIGHT.viewport.width;
    await view.until('the camera follows the flock', isLarge);
    await page.locator('#draw-open').tap();
    await page.locator('#draw').waitFor();
    await settled(page);
    const drawn = await fingerOf(page);
    await drawn(...ends[index]);
    await watcher.until('a wall', () => watcher.room.walls?.length === index + 1);
    const [x1, y1, x2, y2] = watcher.room.walls[index];
    assert.ok(near([x1, y1], ends[index][0]) && near([x2, y2], ends[index][1]), String(watcher.room.walls[index]));
    await page.locator('#draw-kinds button', { hasText: 'Hunter' }).tap();
    await page.touchscreen.tap(...(await at(page, 60, 40)));
    await watcher.until('a hunter', () => watcher.things?.hunters.length === index + 1);
    await page.locator('#draw-close').tap();
    await view.until('the camera follows the flock again', isLarge);
    await page.close();
  }
});
