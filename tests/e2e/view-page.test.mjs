// The part of the world that the page shows: the flock always stays on the screen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTING, lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const KEY = 'key-of-the-view';
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const browser = await sharedBrowser();

// The centroid's position in the window.
const onScreen = ({ page }) =>
  page.evaluate(() => {
    const { centroid } = window.flock.state();
    const [x, y] = window.flock.toScreen(...centroid);
    return { x, y, seen: x > 0 && y > 0 && x < innerWidth && y < innerHeight };
  });

test('a flock far out of the world stays on the screen', async (t) => {
  const server = await startServer(t, [...RESTING, '--idle', 'hold', '--presenter-key', KEY]);
  const view = await openFlock(t, browser, lobby(server));
  const other = await flock.join(t, server.ws, { key: KEY });
  assert.equal(await other.ask([flock.ADD, 1900, -700, 1000]), null);
  await view.until('most of it is there', ({ centroid }) => flock.distance(centroid, [1900, -700]) < 100);
  await view.until('and in view', async () => (await onScreen(view)).seen);
  other.send([flock.CURSOR, 275, 200]);
  await view.until('it is back', ({ centroid }) => flock.distance(centroid, [275, 200]) < 100);
  await view.until('and all of the world is shown, as large as it was', () =>
    view.page.evaluate(() => Math.max(window.flock.toScreen(550, 0)[0], window.flock.toScreen(0, 400)[1]) > 425),
  );
});

test('a pointer outside the world leads the flock to its edge, where all see it', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, lobby(server), { viewport: { width: 1000, height: 300 } });
  const watcher = await flock.join(t, server.ws);
  const { id } = await view.state();
  await view.page.mouse.move(5, 150);
  await watcher.until('the cursor is at the edge', ({ snapshot }) => snapshot.cursors.get(id)?.[0] === 0);
});

test('a phone in portrait follows the flock; fingers zoom, and a button brings it back', async (t) => {
  const server = await startServer(t, ['--preset', 'bees']);
  const view = await openFlock(t, browser, `${lobby(server)}?name=Ann`, PHONE);
  await view.until('it follows', ({ view: mode }) => mode === 'follow');
  const units = () => view.page.evaluate(() => 360 / (window.flock.toScreen(1, 0)[0] - window.flock.toScreen(0, 0)[0]));
  await view.until('the flock is larger than with all of the world', async () => (await units()) < 500);
  await view.until('and in view', async () => (await onScreen(view)).seen);

  const devtools = await view.context.newCDPSession(view.page);
  const touch = (type, ...places) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
  await touch('touchStart', [150, 300]);
  await touch('touchStart', [150, 300], [210, 300]);
  await touch('touchMove', [149, 300], [210, 300]); // from now on the view does not move by itself
  await view.until('the view is the person’s', ({ view: mode }) => mode === 'free');
  const before = await units();
  for (let i = 1; i <= 6; i++) await touch('touchMove', [150 - 12 * i, 300], [210 + 12 * i, 300]);
  await touch('touchEnd');
  await view.until('it is closer', async () => (await units()) < 0.6 * before);
  assert.equal((await view.state()).view, 'free');
  const { id } = await view.state();
  const watcher = await flock.join(t, server.ws);
  await watcher.until('nothing is steered meanwhile', ({ snapshot }) => !snapshot.cursors.has(id));
  const [back, measures] = await view.page.evaluate(() => ['view-back', 'measures'].map((name) => document.getElementById(name).getBoundingClientRect().toJSON()));
  assert.ok(back.top >= measures.bottom || back.left >= measures.right, 'the button is beside or below the measures');
  await view.page.locator('#view-back').tap();
  await view.until('it follows again', ({ view: mode }) => mode === 'follow');
  await view.page.locator('#view-back').waitFor({ state: 'hidden' });
});

test('an arrow points to the flock when the view is elsewhere', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, lobby(server));
  const other = await flock.join(t, server.ws);
  other.send([flock.CURSOR, 60, 60]);
  await view.until('the flock is in a corner', ({ centroid }) => flock.distance(centroid, [60, 60]) < 60);
  await view.until('no arrow is needed', ({ arrows }) => arrows.length === 0);
  const [x, y] = await view.page.evaluate(() => window.flock.toScreen(300, 385));
  await view.page.mouse.move(x, y);
  for (let i = 0; i < 6; i++) await view.page.mouse.wheel(0, -300);
  await view.until('arrows point there', ({ arrows }) => arrows.includes('flock'));
  await view.page.keyboard.press('0');
  await view.until('the way back', ({ arrows, view: mode }) => mode === 'all' && arrows.length === 0);
});
