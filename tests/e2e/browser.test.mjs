// The page in a real browser, as people see it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { RESTING, lobby, openFlock, openPage, pointUntil, sharedBrowser, startBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const browser = await sharedBrowser();

const lead = (view, place) => pointUntil(view, place, `the flock is at ${place}`, ({ centroid }) => flock.distance(centroid, place) < 60);

// The number of bright pixels around a point of the world, in a screenshot of the canvas only.
async function brightPixels(view, [x, y], radius = 120) {
  const [px, py] = await view.page.evaluate(([wx, wy]) => window.flock.toScreen(wx, wy), [x, y]);
  const clip = { x: Math.max(0, px - radius), y: Math.max(0, py - radius), width: 2 * radius, height: 2 * radius };
  const others = ['#notice', '#toast', '#hint', '#room', '#standing', '#measures', '#people', '#status', '#controls'].map((id) => view.page.locator(id));
  await view.page.evaluate(() => ['cursors', 'overlay'].forEach((id) => (document.getElementById(id).hidden = true)));
  const image = await view.page.screenshot({ clip, mask: others, maskColor: '#000' });
  return view.page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let bright = 0;
    for (let i = 0; i < data.length; i += 4) {
      bright += Math.max(data[i], data[i + 1], data[i + 2]) > 110 ? 1 : 0;
    }
    return bright;
  }, image.toString('base64'));
}

// Waits until that number of pixels is bright at the flock.
const untilDrawn = (view, least) =>
  until(
    'boids are where the flock is',
    async () => (await brightPixels(view, (await view.state()).centroid)) > least,
    async () => JSON.stringify(await view.state()),
  );

test('the page shows the flock, drawn with WebGL2', async (t) => {
  const server = await startServer(t);
  const view = await openFlock(t, browser, `${lobby(server)}?renderer=webgl2`); // the machine may lack a GPU
  const { boids, people, renderer, name, world } = await view.state();
  assert.deepEqual({ boids, people, renderer, world }, { boids: 12, people: 1, renderer: 'webgl2', world: [550, 400] });
  assert.ok(name.length > 0);
  await untilDrawn(view, 50);
  await view.page.locator('#status', { hasText: /12 boids/ }).waitFor();
});

test('without WebGL the flock is drawn with Canvas2D', async (t) => {
  const plain = await startBrowser({ args: ['--disable-3d-apis'] });
  t.after(() => plain.close());
  const server = await startServer(t);
  const view = await openFlock(t, plain, lobby(server));
  assert.equal((await view.state()).renderer, '2d');
  await untilDrawn(view, 50);
});

// The first load is what the page requests before the server's first message, which begins with the room. The page does not load
// what is for tests alone into this browser, because the browser does not say that a program controls it.
test('the first load of the page is at most 60 KB on the wire', async (t) => {
  const usual = await startBrowser({ args: ['--disable-blink-features=AutomationControlled'] });
  t.after(() => usual.close());
  const server = await startServer(t);
  /** @type {import('playwright-core').Request[]} */
  const requests = [];
  let first = 0; // requests of the first load; 0: the server has sent nothing yet
  /** @param {import('playwright-core').Page} page */
  const watch = (page) => {
    page.on('request', (request) => requests.push(request));
    page.on('websocket', (socket) => socket.once('framereceived', () => (first ||= requests.length)));
  };
  const { page } = await openPage(t, usual, lobby(server), { watch });
  await page.locator('#status', { hasText: /12 boids/ }).waitFor();
  const sizes = await Promise.all(requests.slice(0, first).map((request) => request.sizes()));
  assert.ok(first >= 3, 'page, script and style');
  const weight = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  assert.ok(weight > 50_000 && weight <= 60 * 1024, `${weight} bytes`);
});

test('the flock follows the mouse', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, lobby(server));
  for (const place of /** @type {import('./types.d.ts').Point[]} */ ([[80, 80], [470, 320]])) {
    await lead(view, place);
  }
});

test("two browsers see each other's cursors, with names", async (t) => {
  const server = await startServer(t, RESTING);
  const ann = await openFlock(t, browser, `${lobby(server)}?name=Ann`);
  const ben = await openFlock(t, browser, `${lobby(server)}?name=Ben`);
  /** @type {(from: typeof ann, to: typeof ann, name: string, place: import('./types.d.ts').Point) => unknown} */
  const show = (from, to, name, place) =>
    pointUntil(from, place, `${name}'s cursor is there`, async () =>
      (await to.state()).cursors.some((each) => each.name === name && flock.distance([each.x, each.y], place) < 2),
    );
  await show(ann, ben, 'Ann', [100, 120]);
  await show(ben, ann, 'Ben', [400, 300]);
  await ann.page.locator('.cursor bdi', { hasText: /^Ben$/ }).waitFor();
  assert.deepEqual((await ann.state()).cursors.length, 1, 'her own is not among them');

  await ben.page.locator('#name').fill('Benjamin');
  await ben.page.locator('#name').press('Enter');
  await ann.until('the new name is shown', ({ cursors }) => cursors.some(({ name }) => name === 'Benjamin'));
  await ben.page.close();
  await ann.until('his cursor is gone', ({ cursors, people }) => cursors.length === 0 && people === 1);
});

test('a name that looks like markup shows as text', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, lobby(server));
  const name = '<img src=x onerror=alert(1)>';
  const other = await flock.join(t, server.ws, { name });
  other.send([flock.CURSOR, 200, 200]);
  await view.until('the cursor is shown', ({ cursors }) => cursors.length === 1);
  await view.until('and whose it is', ({ cursors }) => cursors[0]?.name === name); // the list of people may come later
  await until('and written as it is', async () => (await view.page.locator('.cursor bdi').innerText()) === name);
});

test('a finger steers until it is lifted', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, `${lobby(server)}?name=Ann`, { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });
  const watcher = await flock.join(t, server.ws);
  const { id } = await view.state();
  const devtools = await view.context.newCDPSession(view.page);
  const touch = async (type, ...places) => {
    const touchPoints = [];
    for (const place of places) {
      const [x, y] = await view.page.evaluate(([wx, wy]) => window.flock.toScreen(wx, wy), place);
      touchPoints.push({ x, y });
    }
    await devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  // The finger stays over that point when the view moves.
  const holdAt = (place) =>
    watcher.until('the cursor is there', async () => {
      const cursor = watcher.snapshot.cursors.get(id);
      if (cursor && flock.distance(cursor, place) < 3) return true;
      await touch('touchMove', place);
      return false;
    });
  await touch('touchStart', [150, 150]);
  await watcher.until('it is down', () => watcher.snapshot.cursors.has(id));
  await holdAt([150, 150]);
  await holdAt([350, 250]);
  await touch('touchEnd');
  await watcher.until('the cursor is away', () => !watcher.snapshot.cursors.has(id));
});

test('the arrow keys steer', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, lobby(server));
  const watcher = await flock.join(t, server.ws);
  const { id } = await view.state();
  const cursor = () => watcher.snapshot.cursors.get(id);
  await view.page.keyboard.down('ArrowRight');
  await watcher.until('the cursor is on the right', () => cursor()?.[0] > 500);
  await view.page.keyboard.up('ArrowRight');
  await view.page.keyboard.down('ArrowUp');
  await watcher.until('and at the top', () => cursor()?.[1] < 20);
  await view.page.keyboard.up('ArrowUp');
});

test('after a reload the page is the same person', async (t) => {
  const server = await startServer(t);
  const view = await openFlock(t, browser, lobby(server));
  const { id, name } = await view.state();
  await view.page.reload();
  await view.until('it is connected again, and has boids', ({ status, boids }) => status === 'connected' && boids > 0);
  const again = await view.state();
  assert.deepEqual([again.id, again.name, again.people], [id, name, 1]);
});

test('the page reconnects by itself after a restart of the server, with the same name', async (t) => {
  const server = await startServer(t, [], { port: await freePort() });
  const view = await openFlock(t, browser, `${lobby(server)}?name=Ann`, { offline: true });
  await server.stop();
  await view.until('it says that it waits', ({ status, reason }) => status === 'waiting' && reason !== '');
  await view.page.locator('#notice').waitFor();
  for (const id of ['#rate', '#latency']) await view.page.locator(id).waitFor({ state: 'hidden' }); // there is none
  await startServer(t, ['--boids', '40'], { port: server.port });
  await view.until('it is back', ({ status, boids }) => status === 'connected' && boids === 40);
  assert.equal((await view.state()).name, 'Ann');
  await view.page.locator('#notice').waitFor({ state: 'hidden' });
});

test('the page shows 2,000 boids, and they follow', async (t) => {
  const server = await startServer(t, ['--boids', '2000', ...RESTING]);
  const view = await openFlock(t, browser, lobby(server));
  await view.until('all of them are shown', ({ boids }) => boids === 2000);
  await lead(view, [120, 100]);
  await untilDrawn(view, 500);
  assert.equal((await view.state()).malformed, 0);
});

test('a rename survives a reload, also if the address has a name', async (t) => {
  const server = await startServer(t);
  const view = await openFlock(t, browser, `${lobby(server)}?name=Ann&renderer=2d`);
  await view.page.locator('#name').fill('Anna');
  await view.page.locator('#name').press('Enter');
  await view.until('it is taken', ({ listed }) => listed[0]?.name === 'Anna');
  await view.page.reload();
  await view.until('it is back, under that name', ({ status, boids, name }) => status === 'connected' && boids > 0 && name === 'Anna');
  assert.ok(view.page.url().endsWith('?renderer=2d'), 'what else the address says stays');
});

test('if the shaders do not compile, Canvas2D draws the flock', async (t) => {
  const server = await startServer(t, RESTING);
  const patched = [];
  const watch = (page) =>
    patched.push(
      page.addInitScript(() => {
        const ask = WebGL2RenderingContext.prototype.getProgramParameter;
        WebGL2RenderingContext.prototype.getProgramParameter = function (program, what) {
          return what === this.LINK_STATUS ? false : ask.call(this, program, what);
        };
      }),
    );
  const view = await openFlock(t, browser, `${lobby(server)}?renderer=webgl2`, { watch });
  await Promise.all(patched);
  assert.equal((await view.state()).renderer, '2d');
  await untilDrawn(view, 50);
  await lead(view, [100, 100]);
});

// A page that draws slowly takes fewer snapshots, and shows their number beside the boids.
const RATE = /\d (Hz|a second)/;
const NO_RATE = /^(?!.*\d (Hz|a second))/;

test('the page reports a dead line before it gives the line up', async (t) => {
  const server = await startServer(t);
  const view = await openFlock(t, browser, lobby(server), { viewport: { width: 390, height: 600 } });
  const status = (pattern) => view.page.locator('#status', { hasText: pattern }).waitFor();
  await status(RATE);
  server.kill('SIGSTOP');
  await view.said('notice', 'No data from the server'); // before it reports the loss
  const [notice, ...corners] = await Promise.all(['#notice', '#room', '#people'].map((each) => view.page.locator(each).boundingBox()));
  assert.ok(corners.every(({ y, height }) => y + height <= notice.y), 'on a phone it covers neither the room nor the people');
  await status(NO_RATE); // no message without a cause
  server.kill('SIGCONT');
  await view.page.locator('#notice').waitFor({ state: 'hidden' });
  await view.until('it is there as before', ({ status }) => status === 'connected');
  await status(RATE);
});

test('a shortcut with Cmd on macOS leaves no key held', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, lobby(server));
  const watcher = await flock.join(t, server.ws);
  const { id } = await view.state();
  const x = () => watcher.snapshot.cursors.get(id)?.[0];
  await view.page.keyboard.down('ArrowLeft');
  await watcher.until('it moves', () => x() < 270);
  await view.page.keyboard.down('Meta'); // now macOS sends no event of the other key
  await view.page.keyboard.up('Meta');
  const seen = [];
  watcher.onSnapshot = ({ cursors }) => seen.push(cursors.get(id)[0]);
  await watcher.until('it rests', () => seen.length > 15 && new Set(seen.slice(-15)).size === 1);
  const rested = x();
  await view.page.keyboard.down('ArrowRight'); // which a held key would cancel
  await watcher.until('it moves the other way', () => x() > rested + 5);
});

test('cursors have names, your own always, and a line leads to the target', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, `${lobby(server)}?name=Ann`);
  const other = await flock.join(t, server.ws, { name: 'Ben' });
  other.send([flock.CURSOR, 100, 200]);
  const beside = ({ target }) => target !== null && flock.distance(target, [275, 200]) < 5;
  await pointUntil(view, [450, 200], 'the target is between them', beside);
  await view.page.locator('#own-name', { hasText: 'Ann' }).waitFor();
  await view.page.locator('.cursor .below-right', { hasText: 'Ben' }).waitFor();
  const drawn = () =>
    view.page.evaluate(() => {
      const overlay = document.getElementById('overlay');
      const ratio = overlay.width / innerWidth;
      const [px, py] = window.flock.toScreen(360, 200);
      const { data } = overlay.getContext('2d').getImageData((px - 2) * ratio, (py - 6) * ratio, 4 * ratio, 12 * ratio);
      return Math.max(...data.filter((_, i) => i % 4 === 3));
    });
  await until('the line is drawn', async () => (await drawn()) > 20, drawn);
});
