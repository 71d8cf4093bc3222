// A class joins with the page: the invitation, a name on a phone, the projector.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom } from './api.mjs';
import { lasting, lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { CURSOR } from './messages.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const WIDE = { viewport: { width: 1280, height: 800 } };
const NEWCOMER = { newcomer: true };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const SIDEWAYS = { ...PHONE, viewport: { width: 740, height: 360 } };

const browser = await sharedBrowser();

const pageOf = (server, { path }, query = '') => `${new URL(path, server.url)}${query}`;

// The number of dark modules in a code; it differs for another text.
const darkOf = (locator) => locator.locator('path').getAttribute('d');

test('the invitation has an address that others can open, as text and as a code', async (t) => {
  const server = await startServer(t, ['--bind', '0.0.0.0', '--public-url', 'https://example.org/flock']);
  const room = await createRoom(server, { title: 'Bees' });
  const loaded = [];
  const view = await openFlock(t, browser, pageOf(server, room), { ...WIDE, watch: (page) => page.on('request', (request) => loaded.push(request.url())) });
  const scripts = () => loaded.filter((url) => url.endsWith('.js')).length;
  const before = scripts();
  await view.page.keyboard.press('i');
  await view.page.locator('#invite-qr svg').waitFor();
  assert.ok(scripts() > before, 'what draws codes is loaded when one is shown');
  assert.equal(await view.page.locator('#invite-address').inputValue(), `https://example.org/flock/r/${room.code}`);
  assert.equal(await view.page.locator('#invite-server').innerText(), 'example.org/flock');
  assert.equal(await view.page.locator('#invite-code').innerText(), `${room.code.slice(0, 3)} ${room.code.slice(3)}`);
  assert.ok(await view.page.locator('#invite-problem').isHidden());
  const first = await darkOf(view.page.locator('#invite-qr'));
  assert.ok(first.length > 500);
  const { width, height } = await view.page.locator('#invite-qr').boundingBox();
  assert.ok(Math.abs(width - height) < 1 && width > 250, `${width} × ${height}`);

  const other = await openFlock(t, browser, pageOf(server, await createRoom(server)), WIDE);
  await other.page.keyboard.press('i');
  await other.page.locator('#invite-qr svg').waitFor();
  assert.notEqual(await darkOf(other.page.locator('#invite-qr')), first, 'another room has another code');
});

for (const [where, part, open, shown] of /** @type {const} */ ([
  ['the invitation', 'code-*.js', (page) => page.keyboard.press('i'), '#invite-qr svg'],
  ['the projector view', 'code-*.js', (page) => page.keyboard.press('v'), '#projector-qr svg'],
  ['the flock in words', 'words-*.js', (page) => page.locator('#words-shown').check(), '#words:text("boids")'],
])) {
  test(`the page reports a part that does not load, and shows it when it loads: ${where}`, async (t) => {
    const server = await startServer(t);
    let broken = true;
    const watch = (page) => page.route(`**/${part}`, (route) => (broken ? route.abort() : route.continue()));
    const view = await openFlock(t, browser, lobby(server), { ...WIDE, watch, expected: /ERR_FAILED/ });
    await view.page.locator('#words-shown').waitFor();
    await open(view.page);
    await view.said('toast', 'A part of the page cannot be loaded');
    broken = false;
    await view.page.locator(shown).waitFor();
  });
}

test('the presenter’s link also has an address that others can open', async (t) => {
  const server = await startServer(t, ['--bind', '0.0.0.0', '--public-url', 'https://example.org/flock']);
  const room = await createRoom(server);
  const { page } = await openFlock(t, browser, pageOf(server, room, `#key=${room.key}`), WIDE);
  await page.locator('#panel-open').click();
  await page.locator('#panel-room summary').click();
  await page.locator('#rekey').click();
  await page.locator('#rekey-do').click();
  const link = () => page.locator('#key-link').inputValue();
  await until('the new link leads there', async () => (await link()).startsWith(`https://example.org/flock/r/${room.code}#key=`), link);
});

test('the page says if no other machine can open the address', async (t) => {
  const server = await startServer(t);
  const view = await openFlock(t, browser, pageOf(server, await createRoom(server)), WIDE);
  await view.page.keyboard.press('i');
  await view.page.locator('#invite-problem', { hasText: '--bind 0.0.0.0' }).waitFor();
});

test('a phone asks for a name once, and one tap is enough', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  const other = await flock.join(t, server.ws, { room: room.code });
  const view = await openFlock(t, browser, pageOf(server, room), { ...PHONE, ...NEWCOMER });
  const ask = view.page.locator('#welcome');
  await ask.waitFor();
  const suggested = view.page.locator('#welcome-names button').first();
  const name = await suggested.innerText();
  await suggested.tap();
  await ask.waitFor({ state: 'hidden' });
  await other.until('the others see the name', ({ people }) => [...people.values()].some((each) => each.name === name));
  await view.page.reload();
  await view.until('it is back under that name', (state) => state.status === 'connected' && state.name === name && state.boids > 0);
  assert.ok(await ask.isHidden(), 'and is not asked again');
});

test('a phone’s help is about fingers, not about keys', async (t) => {
  const server = await startServer(t);
  for (const [options, keys] of /** @type {[object, boolean][]} */ ([[PHONE, false], [SIDEWAYS, false], [WIDE, true]])) {
    const { page } = await openFlock(t, browser, lobby(server), options);
    await page.locator('#help-open').click();
    await page.locator('#help dt').first().waitFor();
    assert.equal(await page.locator('#help kbd:visible').count() > 0, keys);
    if (keys) assert.ok(await page.locator('#help').evaluate((help) => help.scrollHeight <= help.clientHeight), 'on a laptop all of it is seen');
    assert.equal(await page.locator('#shortcuts').isVisible(), keys);
  }
});

test('a person who steers at once keeps the server’s name', async (t) => {
  const server = await startServer(t);
  const view = await openFlock(t, browser, pageOf(server, await createRoom(server)), { ...PHONE, ...NEWCOMER });
  await view.page.locator('#welcome').waitFor();
  const { name } = await view.state();
  await view.page.touchscreen.tap(180, 200);
  await view.page.locator('#welcome').waitFor({ state: 'hidden' });
  assert.equal((await view.state()).name, name);
});

test('nothing covers the flock of a presenter who comes for the first time, until it is opened', async (t) => {
  const server = await startServer(t, ['--presenter-key', 'key-of-the-class']);
  const { page, ...view } = await openFlock(t, browser, `${lobby(server)}?name=Ada#key=key-of-the-class`, { viewport: { width: 1920, height: 1080 }, ...NEWCOMER });
  await view.until('this is a presenter', ({ role }) => role === 'presenter');
  await page.locator('#people').waitFor();
  for (const [id, key] of [['#people', 'n'], ['#measures', 'm']]) {
    assert.equal(await page.locator(id).getAttribute('open'), null, `${id} is folded`);
    await page.keyboard.press(key);
    await page.locator(`${id}[open]`).waitFor();
  }
});

test('a laptop asks for a name, too: Enter takes the one in the field, and nothing hides the flock', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  const other = await flock.join(t, server.ws, { room: room.code });
  const view = await openFlock(t, browser, pageOf(server, room), { ...WIDE, ...NEWCOMER });
  const { page } = view;
  const field = page.locator('#welcome-name');
  await until('the field has the focus', () => field.evaluate((each) => each === document.activeElement));
  const { width, height } = await page.locator('#welcome').boundingBox();
  assert.ok(width < 400 && height < 220, `${width} × ${height}`);
  const { tick } = await view.state();
  await view.until('the flock moves behind it', (state) => state.tick > tick + 5);
  for (const id of ['#people', '#measures']) assert.equal(await page.locator(id).getAttribute('open'), null, `${id} is folded`);
  const name = await field.inputValue();
  assert.notEqual(name, '');
  await page.keyboard.press('Enter');
  await page.locator('#welcome').waitFor({ state: 'hidden' });
  await other.until('the others see the name', ({ people }) => [...people.values()].some((each) => each.name === name));
  await page.keyboard.press('n');
  await page.locator('#people-all').waitFor();
  await page.reload();
  await view.until('it is back', (state) => state.status === 'connected' && state.name === name && state.boids > 0);
  await page.locator('#people-all').waitFor(); // an opened list stays open
  assert.ok(await page.locator('#welcome').isHidden());

  const shy = await openFlock(t, browser, pageOf(server, room), { ...WIDE, ...NEWCOMER });
  await shy.page.locator('#welcome').waitFor();
  await shy.page.keyboard.press('Escape');
  await shy.page.locator('#welcome').waitFor({ state: 'hidden' });
  await shy.page.evaluate(() => sessionStorage.clear()); // as in a new tab
  await shy.page.reload();
  await shy.until('it is back', ({ boids }) => boids > 0);
  assert.ok(await shy.page.locator('#welcome').isHidden(), 'one answer is enough');
});

test('the figure of who leads is not above the question for a name', async (t) => {
  const server = await startServer(t, ['--presenter-key', 'a-key-of-the-class']);
  const presenter = await flock.join(t, server.ws, { key: 'a-key-of-the-class' });
  assert.equal(await presenter.ask([flock.SET, 'policy', 'nearest']), null);
  for (const options of [PHONE, SIDEWAYS, WIDE]) {
    const { page } = await openFlock(t, browser, lobby(server), { ...options, ...NEWCOMER });
    await page.locator('#lead:not([hidden])').waitFor({ state: 'attached' });
    await page.locator('#welcome').waitFor();
    await page.locator('#lead').waitFor({ state: 'hidden' });
    await page.locator('#welcome-close').click();
    await page.locator('#lead').waitFor();
  }
});

test('the question for a name takes no focus from a presenter, and a presenter can switch it off', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  const { page } = await openFlock(t, browser, pageOf(server, room, `?name=Ada#key=${room.key}`), { ...WIDE, ...NEWCOMER });
  await page.locator('#panel-open').click();
  assert.ok(await page.locator('#welcome').isHidden(), 'a person with a name is not asked');
  await page.locator('#panel-room > summary').click();
  await page.getByLabel('Ask newcomers for a name').uncheck();
  await until('the room says so', async () => (await flock.join(t, server.ws, { room: room.code })).room.unnamed === true);
  const pupil = await openFlock(t, browser, pageOf(server, room), { ...PHONE, ...NEWCOMER });
  const { tick } = await pupil.state();
  await pupil.until('a moment passes', (state) => state.tick > tick + 15);
  assert.ok(await pupil.page.locator('#welcome').isHidden());
  await page.getByLabel('Ask newcomers for a name').check();
  await until('names are asked for again', async () => (await flock.join(t, server.ws, { room: room.code })).room.unnamed === undefined);

  const second = await openFlock(t, browser, pageOf(server, room, `#key=${room.key}`), { ...WIDE, ...NEWCOMER });
  await second.page.locator('#welcome').waitFor();
  assert.equal(await second.page.evaluate(() => document.activeElement.id), '', 'a presenter’s keys stay keys');
});

test('the projector shows the flock, how to join, the number of people, and who has joined', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { boids: 40 });
  await flock.join(t, server.ws, { room: room.code, name: 'Eve' });
  const view = await openFlock(t, browser, pageOf(server, room, '?view=projector&name=Hall'), { viewport: { width: 960, height: 540 }, watch: lasting });
  const { page } = view;
  await page.locator('#projector-qr svg').waitFor();
  assert.equal(await page.locator('#projector-code').innerText(), `${room.code.slice(0, 3)} ${room.code.slice(3)}`);
  await view.until('it knows who is here', ({ listed }) => listed.some(({ name }) => name === 'Eve'));
  for (const id of ['#corner', '#people', '#status', '#hint']) assert.ok(await page.locator(id).isHidden(), id);
  assert.equal(await page.locator('#greetings li').count(), 0, 'who was here before is not greeted');

  const ada = await flock.join(t, server.ws, { room: room.code, name: 'Ada' });
  await page.locator('#greetings', { hasText: 'Welcome, Ada' }).waitFor();
  ada.send([5, 'Ada L.']);
  await page.locator('#greetings', { hasText: 'Welcome, Ada L.' }).waitFor();
  await page.locator('#projector-people', { hasText: '3 people' }).waitFor();

  const size = async () => (await page.locator('#projector-card').boundingBox()).height;
  const small = await size();
  await page.keyboard.press('q');
  await until('the code is larger', async () => (await size()) > small * 1.4, size);

  const letters = () => page.locator('#projector-code').evaluate((each) => parseFloat(getComputedStyle(each).fontSize));
  const large = await letters();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await until('text grows with the window', async () => (await letters()) > 1.4 * large, letters);

  const at = /** @type {import('./types.d.ts').Point} */ (ada.room.world.map((side) => 0.8 * side));
  const cursor = () =>
    page.evaluate((world) => {
      const [arrow, name] = ['.cursor', '.cursor bdi'].map((each) => document.querySelector(each)?.getBoundingClientRect());
      const [x, y] = window.flock.toScreen(world[0], world[1]);
      return [arrow && Math.hypot(arrow.left - x, arrow.top - y), name?.height];
    }, at);
  await until(
    'a cursor is where it is in the world, and its name is read from the last row',
    async () => {
      ada.send([CURSOR, ...at]);
      const [off, height] = await cursor();
      return off < 8 && height > 0.025 * 1080;
    },
    cursor,
  );
  await page.keyboard.press('h');
  await view.said('toast', 'Names are hidden');
  for (const each of ['.cursor bdi', '#greetings']) assert.ok(await page.locator(each).first().isHidden(), each);
  await page.reload();
  await page.locator('.cursor').first().waitFor();
  assert.ok(await page.locator('.cursor bdi').first().isHidden(), 'also after a reload');
  await page.keyboard.press('h');
  await page.locator('.cursor bdi').first().waitFor();

  await page.keyboard.press('v');
  await page.locator('#projector').waitFor({ state: 'hidden' });
  assert.ok(!page.url().includes('projector'), 'and a reload does not bring it back');
  await page.locator('#people').waitFor();
});

test('a presenter pauses, steps, adds and removes from the projector view, without a panel', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { boids: 40 });
  const view = await openFlock(t, browser, pageOf(server, room, `?view=projector#key=${room.key}`), WIDE);
  await view.until('this is a presenter', ({ role }) => role === 'presenter');
  await view.page.locator('#panel').waitFor({ state: 'attached' }); // only presenters load the keys' actions
  assert.ok(await view.page.locator('#panel').isHidden());
  await view.page.keyboard.press('+');
  await view.until('there are more', ({ flock: all }) => all === 50);
  await view.page.keyboard.press('-');
  await view.until('there are fewer', ({ flock: all }) => all === 40);
  await view.page.keyboard.press(' ');
  await view.until('time stands still', ({ controls }) => controls.run === 'paused');
  await view.page.locator('#news', { hasText: 'Paused' }).waitFor();
  await view.page.keyboard.press('v');
  await view.page.locator('#projector').waitFor({ state: 'hidden' });
  await view.page.keyboard.press(' ');
  await view.page.keyboard.press('m'); // an action with a visible effect
  assert.equal((await view.state()).controls.run, 'paused', 'elsewhere the keys need the panel');
});

for (const renderer of ['webgl2', '2d']) {
  test(`the light background is light with ${renderer}, and stays after a reload`, async (t) => {
    const server = await startServer(t);
    const view = await openFlock(t, browser, pageOf(server, await createRoom(server), `?view=projector&renderer=${renderer}`));
    const brightness = async () => {
      const image = await view.page.screenshot({ clip: { x: 300, y: 4, width: 40, height: 40 } });
      return view.page.evaluate(async (base64) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        pen.drawImage(bitmap, 0, 0);
        const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
        return data.reduce((sum, each) => sum + each, 0) / data.length;
      }, image.toString('base64'));
    };
    await until('it is dark', async () => (await brightness()) < 100, brightness);
    await view.page.keyboard.press('t');
    await until('it is light', async () => (await brightness()) > 220, brightness);
    await view.page.reload();
    await view.until('it is back', ({ boids }) => boids > 0);
    await until('and light', async () => (await brightness()) > 220, brightness);
  });
}
