// Rooms in the page: created, joined by code, presented, and left, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { call, createRoom, roomOf } from './api.mjs';
import { RESTING, lasting, lobby, openFlock, openPage, pointUntil, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
// Chromium logs such an answer, even if the page handles it.
const NOT_FOUND = /Failed to load resource.*404/;
const BAD = /Failed to load resource.*400/;
const REFUSED = /Failed to load resource.*40[13]/;

const browser = await sharedBrowser();

const inHalves = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;

// The address of a room's page for a person of that name; with a key for a presenter.
const pageOf = (server, { path }, { name = '', key = '' } = {}) =>
  `${new URL(path, server.url)}${name && `?name=${name}`}${key && `#key=${key}`}`;

// A room with a presenter, Ada, and a viewer, Ben, each in a page of their own.
async function openRoom(t, fields = {}, { args = [], ...options } = {}) {
  const server = await startServer(t, [...RESTING, ...args]);
  const room = await createRoom(server, { title: 'Ada’s flock', ...fields });
  const ada = await openFlock(t, browser, pageOf(server, room, { name: 'Ada', key: room.key }), { ...WIDE, ...options });
  const ben = await openFlock(t, browser, pageOf(server, room, { name: 'Ben' }), { ...WIDE, ...options });
  await ada.until('she presents, and he is there', ({ role, listed }) => role === 'presenter' && listed.length === 2);
  return { server, room, ada, ben };
}

// Waits until the start page has gone to a room's.
const inRoom = ({ page }) => page.waitForURL(/\/r\/[^/]+$/);

const row = ({ page }, name) => page.locator('#people-list li', { has: page.locator('bdi', { hasText: name }) });

// Opens the presenter's menu of that person, and takes an entry.
async function withPerson(view, name, choice) {
  await row(view, name).locator('.more').click();
  await row(view, name).getByRole('button', { name: choice }).click();
}

async function openPanel(view, { room = false } = {}) {
  await view.page.locator('#panel-open').click();
  if (room) await view.page.locator('#panel-room summary').click();
}

const choose = (view, control, value) => view.page.locator(`[data-control=${control}] label`, { hasText: new RegExp(`^${value}$`) }).click();

test('one page creates a room, another joins by its code, and the lobby continues', async (t) => {
  const server = await startServer(t);
  const inLobby = await flock.join(t, server.ws);
  const creator = await openPage(t, browser, server.url, WIDE);
  await creator.page.locator('#title').fill('Science week');
  await creator.page.locator('.preset', { hasText: 'march' }).click();
  await creator.page.locator('#create-more summary').click();
  await creator.page.locator('#listed').check();
  await creator.page.getByRole('button', { name: 'Create the room' }).click();
  await inRoom(creator);
  await creator.until('it is a room of its own', ({ role, model, boids }) => role === 'presenter' && model === 'vision' && boids === 400);
  const { room, title } = await creator.state();
  assert.equal(title, 'Science week');
  assert.equal(creator.page.url(), `${server.url}r/${room}`, 'the key has left the address');
  assert.equal(await creator.page.title(), 'Science week · flock');
  assert.equal(await creator.page.locator('#invite-code').innerText(), inHalves(room), 'whom it is to be shared with is asked first');
  assert.equal(await creator.page.locator('#invite-address').inputValue(), `${server.url}r/${room}`);
  await creator.page.keyboard.press('Escape');
  assert.equal(await creator.page.locator('#room-title').innerText(), 'Science week');
  assert.equal(await creator.page.locator('#room-code').innerText(), inHalves(room));

  const guest = await openPage(t, browser, server.url, PHONE);
  await guest.page.locator('#rooms a', { hasText: 'Science week' }).waitFor();
  await guest.page.locator('#code').fill(inHalves(room).toLowerCase().replace(' ', '-'));
  await guest.page.locator('#code').press('Enter');
  await inRoom(guest);
  await guest.until('it is the same room', (state) => state.room === room && state.role === 'viewer' && state.boids === 400 && state.people === 2);

  const { tick } = inLobby.snapshot;
  await inLobby.until('the lobby goes on', () => inLobby.snapshot.tick > tick + 30);
  assert.deepEqual([inLobby.snapshot.people, inLobby.snapshot.boids.length, inLobby.room.model], [1, 12, 'swarm']);
});

test('a link from the invitation makes the same flock at another server, which refuses a wrong value by name', async (t) => {
  const [here, there] = [await startServer(t, RESTING), await startServer(t)];
  const room = await createRoom(here, { preset: 'march', parameters: { noise: 30 }, layers: 'links' });
  const view = await openFlock(t, browser, pageOf(here, room, { key: room.key }), WIDE);
  await view.page.locator('#room').click();
  const link = new URL(await view.page.locator('#invite-setup a').getAttribute('href'));
  assert.equal(link.origin, new URL(here.url).origin);
  assert.match(link.search, /^\?preset=march&(?!.*max_).*layers=links&boids=\d+&noise=30$/, 'only what differs from the preset');

  const start = await openPage(t, browser, `${there.url}${link.search.replace('noise=30', 'noise=999')}`, { ...WIDE, expected: BAD });
  await start.page.locator('#create-link', { hasText: 'noise 999' }).waitFor();
  await start.page.getByRole('button', { name: 'Create the room' }).click();
  await start.page.locator('#create-problem', { hasText: /noise.*0 to 360/ }).waitFor();
  await start.page.goto(`${there.url}${link.search}`);
  await start.page.getByRole('button', { name: 'Create the room' }).click();
  await inRoom(start);
  await start.until('it has the settings and its flock', ({ params, boids }) => params?.noise === 30 && boids > 0);
  const [old, made] = [await view.state(), await start.state()];
  assert.deepEqual([made.boids, made.model, made.params, made.controls], [old.boids, old.model, old.params, old.controls]);
});

test('a long title shows whole, with short messages beside it', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { title: 'Biology 7b: how starlings and sardines flock, second lesson', listed: true });
  const start = await openPage(t, browser, server.url, PHONE);
  await start.page.locator('#rooms bdi', { hasText: 'second lesson' }).waitFor();
  assert.ok(await start.page.locator('#rooms bdi').evaluateAll((all) => all.every((each) => each.scrollWidth <= each.clientWidth)), 'on the start page, too');
  const view = await openFlock(t, browser, pageOf(server, room, { key: room.key }), { watch: lasting });
  const { page } = view;
  await openPanel(view);
  await choose(view, 'preset', 'murmuration');
  await page.locator('#news', { hasText: 'murmuration' }).waitFor();
  for (const [width, height] of [[1160, 760], [1280, 800], [1920, 1080]]) {
    await page.setViewportSize({ width, height });
    const places = () =>
      page.evaluate(() => {
        const [title, room, news] = ['room-title', 'room', 'news'].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
        return { width: innerWidth, cut: title.scrollHeight - title.clientHeight, apart: news.getBoundingClientRect().left - room.getBoundingClientRect().right };
      });
    await until(`both are whole, ${width}x${height}`, async () => {
      const { width: now, cut, apart } = await places();
      return now === width && cut <= 1 && apart > 0;
    }, places);
  }
});

/** Describes the canvases in sight: for each preset the number of its colours, and a sum that changes with the picture.
 * @param {import('playwright-core').Page} page */
const pictures = (page) =>
  page.locator('#hero-picture, [data-preset] canvas').evaluateAll((all) =>
    all.map((each) => {
      const canvas = /** @type {HTMLCanvasElement} */ (each);
      canvas.scrollIntoView({ block: 'nearest' });
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      const colors = new Set();
      let sum = 0;
      new Uint32Array(data.buffer).forEach((color, i) => {
        colors.add(color);
        sum = (sum * 31 + (color ^ i)) | 0;
      });
      return { preset: canvas.parentElement?.dataset.preset ?? 'hero', colors: colors.size, sum };
    }),
  );

test('each preset of the start page has a moving picture, which loads later', async (t) => {
  const server = await startServer(t);
  const view = await openPage(t, browser, server.url, { viewport: { width: 1280, height: 2400 } });
  await view.page.locator('[data-preset] canvas').first().waitFor();
  let before = await pictures(view.page);
  assert.equal(before.length, 14);
  assert.equal(await view.page.getByRole('img', { name: 'picture of the flock' }).count(), 13);
  await until('each is painted', async () => (before = await pictures(view.page)).every(({ colors }) => colors > 20), () => before);
  await until('each moves', async () => (await pictures(view.page)).every(({ sum }, i) => sum !== before[i].sum), () => before);
});

test('a room code fits into its field in windows of each width', async (t) => {
  const server = await startServer(t);
  const { page } = await openPage(t, browser, server.url, WIDE);
  await page.locator('#code').fill('FK7 2MX');
  for (const width of [360, 390, 620, 640, 800, 1000, 1366]) {
    await page.setViewportSize({ width, height: 768 });
    await page.waitForFunction((size) => innerWidth === size, width);
    const [needs, has] = await page.locator('#code').evaluate((each) => [each.scrollWidth, each.clientWidth]);
    assert.ok(needs <= has, `${needs} of ${has} pixels in a window of ${width}`);
  }
});

test('the originals name the sources that are known, and say that others are not', async (t) => {
  const server = await startServer(t);
  const { page } = await openPage(t, browser, server.url, PHONE);
  const about = page.locator('#presets .about');
  await about.filter({ hasText: 'Flocking by Daniel Shiffman. The authors of the other programs are not known.' }).waitFor();
  assert.match(await about.getByRole('link').getAttribute('href'), /^https:\/\/github\.com\/nature-of-code\//);
  await page.locator('#language').selectOption('de');
  await about.filter({ hasText: 'Flocking von Daniel Shiffman' }).waitFor();
  assert.equal(await about.count(), 1);
});

test('with reduced motion the pictures of the start page stand still', async (t) => {
  const server = await startServer(t);
  const view = await openPage(t, browser, server.url, { viewport: { width: 1280, height: 2400 }, reducedMotion: 'reduce' });
  await view.page.locator('[data-preset] canvas').first().waitFor();
  const later = async () => {
    await view.page.evaluate(() => new Promise((then) => setTimeout(then, 300)));
    return pictures(view.page);
  };
  let before = await pictures(view.page);
  await until('each is painted', async () => (before = await pictures(view.page)).every(({ colors }) => colors > 20), () => before);
  // The first picture of each may still come.
  await until('two looks see the same', async () => isDeepStrictEqual(before, (before = await later())), () => before);
  assert.deepEqual(await later(), before);
});

test('on a laptop and on a phone a room can be created without scrolling', async (t) => {
  const server = await startServer(t);
  const { page } = await openPage(t, browser, server.url);
  for (const [width, height] of [[1366, 768], [390, 844], [360, 640], [844, 390], [667, 375]]) {
    await page.setViewportSize({ width, height });
    await page.waitForFunction((size) => innerWidth === size[0] && innerHeight === size[1], [width, height]);
    for (const what of ['#create button', 'canvas:visible']) {
      const element = page.locator(what).first();
      await element.waitFor();
      const box = await element.boundingBox();
      const least = Math.min(box.height, 60); // of a moving picture
      assert.ok(box.y + least <= height, `${what}: ${box.y + least} of ${height}`);
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
});

test('the page reports an unknown code and stays', async (t) => {
  const server = await startServer(t);
  const view = await openPage(t, browser, server.url, { ...WIDE, expected: NOT_FOUND });
  const problem = view.page.locator('#join-problem');
  for (const [code, said] of /** @type {[string, RegExp][]} */ ([['fk7-2mx', /no room FK7 2MX/], ['hello', /each of 2 3 4/], ['', /six characters/], ['<b>', /not a room code/]])) {
    await view.page.locator('#code').fill(code);
    await view.page.getByRole('button', { name: 'Join' }).click();
    await problem.filter({ hasText: said }).waitFor();
  }
  assert.equal(view.page.url(), server.url);
  await view.page.locator('#code').fill('Lobby');
  await view.page.locator('#code').press('Enter');
  await inRoom(view);
  await view.until('the lobby has a name that one can type', ({ room, boids }) => room === 'lobby' && boids === 12);
});

test('if creating rooms needs the key, the page asks for it; with --rooms off it has only the lobby', async (t) => {
  const server = await startServer(t, ['--rooms', 'presenter', '--presenter-key', 'abcdefgh1']);
  const view = await openPage(t, browser, server.url, { ...WIDE, expected: REFUSED });
  const create = view.page.getByRole('button', { name: 'Create the room' });
  const problem = view.page.locator('#create-problem');
  await create.click();
  await problem.filter({ hasText: /needs the server’s key/ }).waitFor();
  await view.page.locator('#key').fill('not-the-key');
  await create.click();
  await problem.filter({ hasText: /not the server’s key/ }).waitFor();
  await view.page.locator('#key').fill('abcdefgh1');
  await create.click();
  await inRoom(view);
  await view.until('it is there', ({ role, room, boids }) => role === 'presenter' && room !== 'lobby' && boids > 0);

  const closed = await startServer(t, ['--rooms', 'off']);
  const other = await openFlock(t, browser, closed.url, WIDE);
  assert.equal((await other.state()).room, 'lobby');
  assert.equal(other.page.url(), lobby(closed));
  await other.page.locator('#room').click();
  assert.ok(await other.page.locator('#other-rooms').isHidden());
});

test('two rooms of different models, side by side', async (t) => {
  const server = await startServer(t, RESTING);
  const views = [];
  for (const [model, boids] of [['boids', 60], ['swarm', 30]]) {
    const room = await createRoom(server, { model, boids, boundary: 'walls' });
    views.push(await openFlock(t, browser, pageOf(server, room), WIDE));
  }
  const [left, right] = views;
  /** @type {[view: typeof left, model: string, boids: number, at: import('./types.d.ts').Point][]} */
  const sides = [[left, 'boids', 60, [100, 100]], [right, 'swarm', 30, [450, 300]]];
  for (const [view, model, boids, at] of sides) {
    await pointUntil(view, at, 'its own target', ({ target }) => target !== null && flock.distance(target, at) < 3);
    const state = await view.state();
    assert.deepEqual([state.model, state.boids, state.people, state.cursors.length, state.malformed], [model, boids, 1, 0, 0]);
  }
});

test('a presenter locks viewers\' cursors, and viewers read that they watch', async (t) => {
  const { ada, ben } = await openRoom(t);
  const isSeen = async () => (await ada.state()).cursors.some(({ name }) => name === 'Ben');
  await pointUntil(ben, [300, 200], 'his cursor is there', isSeen);
  await ben.until('and steers', ({ steers }) => steers);
  await openPanel(ada);
  await choose(ada, 'viewers', 'watch');
  await ben.page.locator('#standing', { hasText: 'The presenter steers. You watch.' }).waitFor();
  await ada.until('his cursor is gone', ({ cursors }) => cursors.length === 0);
  const leads = ({ target, steers }) => !steers && target !== null && flock.distance(target, [400, 300]) < 3;
  const [x, y] = await ben.page.evaluate(() => window.flock.toScreen(100, 100));
  await ben.page.mouse.move(x, y);
  await pointUntil(ada, [400, 300], 'hers is where the flock goes', async () => leads(await ben.state()));
  assert.ok(await ada.page.locator('#standing').isHidden(), 'she does steer');

  await choose(ada, 'viewers', 'steer');
  await ben.page.locator('#standing').waitFor({ state: 'hidden' });
  await pointUntil(ben, [120, 100], 'his cursor is back', isSeen);
});

test('a room with a join key: its invitation carries it, in the fragment', async (t) => {
  const server = await startServer(t);
  const ada = await openPage(t, browser, server.url, WIDE);
  await ada.page.locator('#create-more summary').click();
  await ada.page.locator('#join-key').fill('b');
  await ada.page.locator('#create button').click();
  await ada.page.locator('#create-problem', { hasText: '4 to 64' }).waitFor();
  await ada.page.locator('#join-key').fill('Bees-4');
  await ada.page.locator('#create button').click();
  await inRoom(ada);
  const address = ada.page.locator('#invite-address');
  await ada.page.waitForFunction(() => document.querySelector('#invite-address')?.value.endsWith('#join=bees-4'));
  const link = await address.inputValue();
  assert.equal(new URL(link).search, '');
  const ben = await openFlock(t, browser, link, WIDE);
  await ben.until('the link lets him in', ({ status }) => status === 'connected');
  assert.equal(new URL(ben.page.url()).hash, '');
});

test('a presenter asks for attention, and later members see it', async (t) => {
  const { server, room, ada, ben } = await openRoom(t);
  await openPanel(ada);
  await ada.page.locator('#attention-text').fill('Look at the board');
  await ada.page.locator('#attention-text').press('Enter');
  await ben.page.locator('#attention', { hasText: 'Look at the board' }).waitFor();
  assert.ok(await ada.page.locator('#attention').isHidden(), 'her own screen stays');
  const beamer = await openFlock(t, browser, `${pageOf(server, room)}?view=projector#key=${room.key}`, WIDE);
  await beamer.page.locator('#attention', { hasText: 'Look at the board' }).waitFor();
  await ada.page.locator('#attention-ask', { hasText: 'Continue' }).click();
  await ben.page.locator('#attention').waitFor({ state: 'hidden' });
  await ada.page.locator('#attention-ask', { hasText: 'Attention' }).click();
  await ben.page.locator('#attention', { hasText: 'Please look up' }).waitFor();

  // The page reminds presenters of it, also without the panel, and they can end it there.
  await ada.page.locator('#panel-close').click();
  const reminder = ada.page.locator('#attention-on', { hasText: 'Screens are dimmed.' });
  await reminder.waitFor();
  assert.ok(await ben.page.locator('#attention-on').count() === 0, 'a viewer is not');
  await reminder.getByRole('button', { name: 'Continue' }).click();
  await ben.page.locator('#attention').waitFor({ state: 'hidden' });
  await reminder.waitFor({ state: 'hidden' });
});

// The contrast (WCAG) between a ring around a cursor, or its edge, and the background; 1: none.
const ringContrast = (page, selector, light) =>
  page.evaluate(
    ([of, isLight]) => {
      document.documentElement.classList.toggle('light', isLight);
      const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      const luminance = (...colors) => {
        for (const color of colors) {
          pen.fillStyle = color;
          pen.fillRect(0, 0, 1, 1);
        }
        const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((each) => (each <= 10 ? each / 3294.6 : ((each / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const [element, part] = of.split('::');
      const { borderTopColor, outlineColor } = getComputedStyle(document.querySelector(element), `::${part}`);
      const below = getComputedStyle(document.documentElement).getPropertyValue('--ground').trim();
      const ground = luminance(below) + 0.05;
      return Math.max(...[borderTopColor, outlineColor].map((color) => luminance(below, color) + 0.05).map((ring) => Math.max(ring, ground) / Math.min(ring, ground)));
    },
    [selector, light],
  );

test('a presenter puts a cursor in the spotlight', async (t) => {
  const { ada, ben } = await openRoom(t);
  await pointUntil(ben, [120, 100], 'his cursor is seen', async () => (await ada.state()).cursors.some(({ name }) => name === 'Ben'));
  await withPerson(ada, 'Ben', 'Spotlight');
  await ada.page.locator('.cursor.spot', { hasText: 'Ben' }).waitFor();
  await ben.page.locator('#own.spot').waitFor({ state: 'attached' });
  for (const [{ page }, selector] of /** @type {const} */ ([[ada, '.cursor.spot::before'], [ben, '#own.spot::after']])) {
    for (const light of [false, true]) {
      const contrast = await ringContrast(page, selector, light);
      assert.ok(contrast >= 3, `${selector} on a ${light ? 'light' : 'dark'} ground: ${contrast} : 1`);
    }
  }
  await withPerson(ada, 'Ben', 'Spotlight off');
  await ben.page.locator('#own:not(.spot)').waitFor({ state: 'attached' });
});

test('a presenter renames a person, who keeps the name', async (t) => {
  const { ada, ben } = await openRoom(t);
  await withPerson(ada, 'Ben', 'Rename…');
  await row(ada, 'Ben').locator('form input').fill('Benjamin');
  await row(ada, 'Ben').getByRole('button', { name: 'Rename', exact: true }).click();
  await ben.until('his name', ({ name }) => name === 'Benjamin');
  await ben.said('news', 'Ada renamed Ben to Benjamin');
  await ben.page.reload();
  await ben.until('it stays', ({ status, name }) => status === 'connected' && name === 'Benjamin');
});

test('a presenter gives the role away, and takes it back', async (t) => {
  const { ada, ben } = await openRoom(t);
  await row(ben, 'Ada').locator('.badge', { hasText: /^owner$/ }).waitFor();
  assert.ok(await row(ben, 'Ada').locator('.more').isHidden(), 'a viewer may do nothing with others');
  await withPerson(ada, 'Ben', 'Make presenter');
  await ben.until('he presents', ({ role }) => role === 'presenter');
  await ben.said('news', 'You are a presenter');
  await row(ada, 'Ben').locator('.badge', { hasText: 'presenter' }).waitFor();
  await openPanel(ben);
  await choose(ben, 'preset', 'bees');
  await ada.until('and chooses', ({ boids, controls }) => boids === 400 && controls.preset === 'bees');
  await ada.said('news', 'Ben chose the preset bees');
  await ben.page.locator('#reset').click();
  await ada.said('news', 'Ben started the flock again');

  await withPerson(ada, 'Ben', 'Make viewer');
  await ben.until('he is a viewer again', ({ role }) => role === 'viewer');
  await ben.page.locator('#panel').waitFor({ state: 'hidden' });
  await row(ada, 'Ben').locator('.badge', { hasText: 'presenter' }).waitFor({ state: 'detached' });

  await withPerson(ada, 'Ben', 'Make presenter');
  await ben.page.locator('#panel').waitFor();
  await ben.said('news', /^You are a presenter$/); // and no hint to open the open panel
});

test('the list shows a presenter who has left for a moment as away', async (t) => {
  const { server, room, ada, ben } = await openRoom(t);
  await ada.page.goto('about:blank');
  await row(ben, 'Ada').locator('.badge', { hasText: 'owner, away' }).waitFor();
  assert.ok(await row(ben, 'Ada').locator('.more').isHidden());
  await ben.page.locator('#people-count', { hasText: '1 person' }).waitFor();
  await ada.page.goBack();
  await row(ben, 'Ada').locator('.badge', { hasText: /^owner$/ }).waitFor();

  // Another presenter may take the role from an absent presenter.
  await ada.page.goto('about:blank');
  const eve = await openFlock(t, browser, pageOf(server, room, { name: 'Eve', key: room.key }), WIDE);
  await row(eve, 'Ada').locator('.badge', { hasText: 'owner, away' }).waitFor();
  await row(eve, 'Ada').locator('.more').click();
  await row(eve, 'Ada').getByRole('button', { name: 'Make viewer' }).waitFor();
  assert.deepEqual(await row(eve, 'Ada').locator('button:visible').allInnerTexts(), ['⋯', 'Make viewer']);
  await row(eve, 'Ada').getByRole('button', { name: 'Make viewer' }).click();
  for (const view of [eve, ben]) await row(view, 'Ada').waitFor({ state: 'detached' });
});

test('a presenter removes a person, after a question', async (t) => {
  const { server, ada, ben } = await openRoom(t);
  await withPerson(ada, 'Ben', 'Remove…');
  await row(ada, 'Ben').getByRole('button', { name: 'Cancel' }).click();
  await row(ada, 'Ben').getByRole('button', { name: 'Remove…' }).click();
  assert.equal((await ben.state()).status, 'connected');
  await row(ada, 'Ben').getByRole('button', { name: 'Remove', exact: true }).click();
  await ben.page.locator('#notice', { hasText: 'A presenter removed you from this room.' }).waitFor();
  const { width, height } = await ben.page.locator('#notice').boundingBox();
  assert.deepEqual([width, height], [1280, 800], 'it fills the page');
  await ada.until('she is alone', ({ listed, people }) => listed.length === 1 && people === 1);
  await ben.page.reload();
  await ben.page.locator('#notice', { hasText: 'A presenter removed you from this room.' }).waitFor();
  await ben.page.getByRole('button', { name: 'Start page' }).click();
  await ben.page.waitForURL(server.url);
  await ben.page.locator('#code').waitFor();
});

test('a presenter renames the room in the controls, and all members see it', async (t) => {
  const { ada, ben } = await openRoom(t);
  await openPanel(ada, { room: true });
  const field = ada.page.locator('#title');
  assert.equal(await field.inputValue(), 'Ada’s flock');
  await field.fill('Starlings & co. <b>');
  await field.press('Enter');
  await ben.said('news', 'renamed the room to Starlings & co. <b>');
  for (const { page } of [ada, ben]) {
    await page.locator('#room-title', { hasText: 'Starlings & co. <b>' }).waitFor();
    await page.waitForFunction(() => document.title === 'Starlings & co. <b> · flock');
  }
});

test('a new key makes a new link; the old one opens the room for viewers only', async (t) => {
  const { server, room, ada } = await openRoom(t);
  await openPanel(ada, { room: true });
  await ada.page.locator('#rekey').click();
  await ada.page.locator('#rekey-do').click();
  const link = ada.page.locator('#key-link');
  await link.waitFor();
  const address = await link.inputValue();
  assert.ok(address.startsWith(`${pageOf(server, room)}#key=`) && !address.endsWith(room.key), address);
  assert.equal((await ada.state()).role, 'presenter');

  const late = await openFlock(t, browser, pageOf(server, room, { key: room.key }), WIDE);
  await late.said('toast', 'not valid in this room');
  assert.equal((await late.state()).role, 'viewer');
  const other = await openFlock(t, browser, address, WIDE);
  await other.until('the new one makes a presenter', ({ role }) => role === 'presenter');
  await ada.page.reload();
  await ada.until('she has the new one', ({ role, boids }) => role === 'presenter' && boids > 0);
});

test('the whole page says that a room has ended, or does not exist', async (t) => {
  const { server, room, ada, ben } = await openRoom(t);
  await call(server, 'DELETE', roomOf(room), { key: room.key });
  for (const { page } of [ada, ben]) await page.locator('#notice', { hasText: 'This room has ended.' }).waitFor();
  const view = await openPage(t, browser, pageOf(server, room), WIDE);
  await view.page.locator('#notice', { hasText: `There is no room ${inHalves(room.code)}.` }).waitFor();
  await view.page.getByRole('button', { name: 'Start page' }).click();
  await view.page.locator('#rooms a', { hasText: 'Lobby' }).click();
  await inRoom(view);
  await view.until('the lobby is one click away', ({ room: code, boids }) => code === 'lobby' && boids === 12);
});

test('in a room with very many people the list has yourself, and shows that your cursor steers', async (t) => {
  const server = await startServer(t, RESTING);
  const crowd = [];
  for (let i = 0; i < 140; i += 1) crowd.push(await flock.connect(t, server.ws));
  for (const [i, client] of crowd.entries()) client.send(flock.hello({ name: `Person ${i}`, rate: 1 }));
  const view = await openFlock(t, browser, `${lobby(server)}?name=Zoe`, WIDE);
  await view.until('all of them are counted', ({ people }) => people === 141);
  for (const client of crowd) {
    await client.until('it is in the room', () => client.welcome);
    client.send([flock.CURSOR, 200, 200]);
  }
  await pointUntil(view, [300, 200], 'it steers', ({ steers }) => steers);
  const { listed } = await view.until('the others are listed', (state) => state.listed.length >= 128 && state.steers && state);
  assert.equal(listed[0].name, 'Zoe');
  await row(view, 'Zoe').locator('.badge', { hasText: /^you$/ }).waitFor();
  await view.page.locator('#people-more', { hasText: /^and \d+ more$/ }).waitFor();
});

test('pasting a join link into the tab of a locked room joins the room', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { join_key: 'bees-at-noon' });
  const view = await openPage(t, browser, pageOf(server, room), WIDE);
  await view.page.locator('#join-key').waitFor();
  await view.page.evaluate(() => (location.hash = '#join=bees-at-noon'));
  await view.until('it is in the room', ({ status }) => status === 'connected');
  assert.equal(await view.page.evaluate(() => location.hash), '', 'the key leaves the address');
});

test('a room with a join key asks for it, unless the address has it', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { title: 'Bees', listed: true, join_key: 'bees-at-noon' });
  const view = await openPage(t, browser, server.url, WIDE);
  const { page } = view;
  const rooms = page.locator('#rooms a', { hasText: 'needs a join key' });
  await rooms.first().waitFor();
  assert.match((await rooms.allInnerTexts()).join(), /^Bees\n/, 'the lobby asks for none');
  await rooms.click();
  const say = async (key) => {
    await page.locator('#join-key').fill(key);
    await page.locator('#join-key').press('Enter');
  };
  await page.locator('#join').waitFor();
  assert.equal(await page.locator('#notice-text').textContent(), `Room ${inHalves(room.code)} needs a join key.`);
  await say('wasps');
  await page.locator('#notice-more', { hasText: /not the room.s join key/ }).waitFor();
  await say('Bees-at-Noon ');
  await view.until('he is in', ({ status }) => status === 'connected');
  await page.locator('#join').waitFor({ state: 'hidden' });

  const other = await openFlock(t, browser, `${pageOf(server, room)}#join=bees-at-noon`, WIDE);
  assert.ok(!other.page.url().includes('bees'), 'the key is taken out of the address');
});

test('a key that waits for its turn gets in by itself, and the page says in how many seconds', async (t) => {
  const server = await startServer(t, ['--address-key-tries', '12']); // one each 5 s
  const room = await createRoom(server, { join_key: 'bees-at-noon' });
  for (let i = 0; i < 13; i++) {
    const guesser = await flock.connect(t, server.ws); // the 13th waits in line
    guesser.send(flock.hello({ room: room.code, join: `guess-${i}` }));
    await guesser.next(flock.ERROR, 'an answer');
  }
  const view = await openPage(t, browser, `${pageOf(server, room)}#join=bees-at-noon`, WIDE);
  await view.said('toast', /^Too many wrong keys from your network. It is your turn in about [1-9]\d* s.$/);
  await view.until('it is in', ({ status }) => status === 'connected');
});

test('after too many wrong keys the page says when to try again, and calls no key wrong that was not compared', async (t) => {
  const server = await startServer(t, ['--presenter-key', 'abcdefgh1', '--address-key-tries', '5', '--total-key-tries', '1']);
  const room = await createRoom(server, { join_key: 'bees-at-noon' });
  const view = await openPage(t, browser, pageOf(server, room), WIDE);
  const { page } = view;
  const say = async (key, answer) => {
    await page.locator('#join-key').fill(key);
    await page.locator('#join-key').press('Enter');
    await page.locator('#notice-more', { hasText: answer }).waitFor();
    await page.locator('#join').waitFor();
  };
  const later = /^Too many wrong keys from your network. Try again in [1-9]\d* s.$/;
  await say('wasps', /not the room.s join key/);
  for (const key of ['hornets', 'flies']) await say(key, /./);
  await say('bees-at-noon', later);

  const lobby = await openFlock(t, browser, `${server.url}r/lobby`, WIDE);
  await lobby.page.evaluate(() => (location.hash = '#key=abcdefgh1'));
  await lobby.said('toast', later);
});
