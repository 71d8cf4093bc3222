// A browser keeps the keys of its rooms: a closed tab, a second tab or the address alone does not cost a teacher the room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, createRoom, roomOf } from './api.mjs';
import { openFlock, openPage, sharedBrowser } from './browser.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const WIDE = { viewport: { width: 1280, height: 800 } };

const browser = await sharedBrowser();

const pageOf = (server, { path }, fragment = '') => new URL(path, server.url).href + fragment;
const role = (page) => page.evaluate(() => window.flock?.state?.().role ?? '');
const presents = (page, what) => until(what, async () => (await role(page)) === 'presenter', () => role(page));

test('a teacher who closes the tab comes back by the start page, and by the address alone', async (t) => {
  const server = await startServer(t);
  const { page, context } = await openPage(t, browser, server.url, WIDE);
  await page.locator('.preset').first().waitFor();
  assert.ok(await page.locator('#mine').isHidden(), 'nothing is listed at first');
  await page.locator('#title').fill('Bees at noon');
  await page.locator('#create button').click();
  await page.waitForURL(/\/r\/\w{6}$/);
  await presents(page, 'the creator presents');
  const address = page.url();
  await page.close();

  const start = await context.newPage();
  await start.goto(server.url);
  await start.locator('#mine a', { hasText: 'Bees at noon' }).click();
  await start.waitForURL(address);
  await presents(start, 'by the start page');
  const second = await context.newPage();
  await second.goto(address);
  await presents(second, 'by the address, in a second tab');
});

test('a room whose presenter’s link was opened is listed until it is forgotten', async (t) => {
  const server = await startServer(t);
  const [bees, fish] = [await createRoom(server, { title: 'Bees' }), await createRoom(server, { title: 'Fish' })];
  const view = await openFlock(t, browser, pageOf(server, bees, `#key=${bees.key}`), WIDE);
  const { page, context } = view;
  await presents(page, 'Ada presents bees');
  const other = await context.newPage();
  await other.goto(pageOf(server, fish, `#key=${fish.key}`));
  await presents(other, 'Ada presents fish');
  await page.goto(server.url);
  await page.locator('#mine li', { hasText: 'Bees' }).waitFor();
  await page.locator('#mine', { hasText: 'a private window only until you close it' }).waitFor();
  await page.getByRole('button', { name: 'Forget Fish' }).click();
  await page.locator('#mine', { hasText: 'Fish is forgotten.' }).waitFor();
  await until('one is listed', async () => (await page.locator('#mine li').count()) === 1);
  const viewer = await context.newPage();
  await viewer.goto(pageOf(server, fish));
  await until('she is a viewer of fish', async () => (await role(viewer)) === 'viewer', () => role(viewer));
  await page.getByRole('button', { name: 'Forget all' }).click();
  await until('none is listed', async () => (await page.locator('#mine li').count()) === 0);
  await page.reload();
  await page.locator('.preset').first().waitFor();
  assert.ok(await page.locator('#mine').isHidden());
});

test('a room that has ended says so in the list, and is forgotten when pressed', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { title: 'Bees' });
  const { page } = await openFlock(t, browser, pageOf(server, room, `#key=${room.key}`), { ...WIDE, expected: /404/ });
  await presents(page, 'Ada presents');
  await call(server, 'DELETE', roomOf(room), { key: room.key });
  await page.locator('#notice-first', { hasText: 'Start page' }).click();
  await page.locator('#mine .ended', { hasText: 'has ended' }).locator('a').click();
  await page.locator('#mine', { hasText: 'Bees is forgotten.' }).waitFor();
  await until('none is listed', async () => (await page.locator('#mine li').count()) === 0);
  assert.equal(page.url(), server.url);
});

test('a browser that keeps nothing says so, and the room works', async (t) => {
  const server = await startServer(t);
  const blocked = (page) =>
    page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('blocked', 'SecurityError');
          },
        });
    });
  const { page } = await openPage(t, browser, server.url, { ...WIDE, watch: blocked });
  await page.locator('#mine', { hasText: 'does not let flock keep anything' }).waitFor();
  await page.locator('#create button').click();
  await page.waitForURL(/\/r\/\w{6}/);
  await presents(page, 'the creator presents');
});

test('a teacher continues on a phone by a code that only a press shows', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  const { page } = await openFlock(t, browser, pageOf(server, room, `#key=${room.key}`), WIDE);
  await page.locator('#panel-open').click();
  await page.locator('#panel-room summary').click();
  assert.equal(await page.locator('#key-qr svg').count(), 0);
  await page.getByRole('button', { name: 'Continue on my phone' }).click();
  const label = await page.locator('#key-qr svg').getAttribute('aria-label');
  assert.ok(label.endsWith(`${room.path}#key=${room.key}`), label);
  await page.keyboard.press('v');
  await page.locator('#projector-qr svg').waitFor();
  await until('the projector hides the code', async () => (await page.locator('#key-qr svg').count()) === 0);
  await page.keyboard.press('Escape');
  await page.locator('#projector-qr').waitFor({ state: 'hidden' });
  assert.ok(await page.locator('#key-code').isHidden(), 'also afterwards');
});
