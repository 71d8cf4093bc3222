// The page with a keyboard, a screen reader, forced colours or reduced motion, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, atRest } from './access.mjs';
import { call, createRoom, roomOf } from './api.mjs';
import { RESTING, lasting, openFlock, openPage, pointUntil, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};
// The colours behind the page's texts: the background, and its palest or darkest boid and line.
const DARK = ['rgb(5 7 12)', 'rgb(15 21 34)', 'rgb(173 230 250)', 'rgb(255 184 77)', 'rgb(224 237 255)'];
const LIGHT = ['rgb(255 255 255)', 'rgb(235 241 247)', 'rgb(41 56 168)', 'rgb(122 41 194)', 'rgb(13 31 61)'];
const START = { dark: ['#0b111c', '#05070c'], light: ['#fff', '#f3f6fa'] };

const browser = await sharedBrowser();

const COLORS = 24; // of cursors: PEOPLE_COLORS in server/scene/people.h

const pageOf = (server, { path }, query = '') => `${new URL(path, server.url)}${query}`;

// A room with one person for each colour, so that cursors have all colours.
async function crowdedRoom(t) {
  const server = await startServer(t, RESTING);
  const room = await createRoom(server, { title: 'Bees', boids: 40, listed: true });
  const people = await Promise.all(Array.from({ length: COLORS }, (_, i) => flock.join(t, server.ws, { room: room.code, name: `Person ${i}` })));
  people.forEach((client, i) => client.send([flock.CURSOR, 20 + 20 * i, 40 + 80 * (i % 5)]));
  return { server, room };
}

// The views of a presenter's page, each with the steps that open it.
const VIEWS = {
  'the page': (page) => page.locator('.cursor bdi').nth(COLORS - 1).waitFor({ state: 'attached' }),
  people: async (page) => {
    await page.evaluate(() => (document.getElementById('people').open = true));
    const row = page.locator('#people-list li', { hasText: 'Person 0' });
    await row.locator('.more').click();
    await row.getByRole('button', { name: 'Remove…' }).click();
  },
  measures: async (page) => {
    await page.evaluate(() => {
      document.getElementById('people').open = false;
      document.getElementById('measures').open = true;
    });
    await page.locator('#measures-list button').first().click();
    await page.locator('#words-shown').check();
    await page.locator('#words', { hasText: 'boids' }).waitFor();
  },
  'the look': async (page) => {
    await page.evaluate(() => (document.getElementById('measures').open = false));
    await page.keyboard.press('l');
    await page.locator('#looks').waitFor();
  },
  plots: async (page) => {
    await page.keyboard.press('g');
    await page.locator('#plots-time canvas').waitFor();
  },
  controls: async (page) => {
    await page.keyboard.press('g');
    await page.locator('#panel-open').click();
    await page.locator('#panel-room summary').click();
    await page.locator('#rekey').click();
    await page.locator('.exact input').first().fill('wrong');
    await page.locator('.exact input').first().press('Enter');
    await page.locator('.slider .problem').first().waitFor();
  },
  'a light screen': async (page) => {
    await page.locator('#panel-close').click();
    await page.keyboard.press('t');
  },
  'the invitation': async (page) => {
    await page.keyboard.press('i');
    await page.locator('#invite-qr svg').waitFor();
  },
  help: async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
  },
  'the projector': async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('v');
    await page.locator('#projector-qr svg').waitFor();
  },
  'a dark projector': (page) => page.keyboard.press('t'),
};

for (const [device, options] of Object.entries(DEVICES)) {
  test(`axe-core finds no fault in any view: ${device}`, async (t) => {
    const { server, room } = await crowdedRoom(t);
    const start = await openPage(t, browser, server.url, options);
    await start.page.locator('.preset').first().waitFor();
    await start.page.locator('#rooms a').first().waitFor();
    await assertAccessible(start.page, 'the start page', START.dark);
    await start.page.locator('#theme').click();
    await assertAccessible(start.page, 'the light start page', START.light);
    await start.page.locator('#theme').click();
    await start.context.close();

    const presenter = await openFlock(t, browser, pageOf(server, room, `?name=Ada#key=${room.key}`), options);
    await presenter.until('she presents', ({ role }) => role === 'presenter');
    for (const [view, open] of Object.entries(VIEWS)) {
      await open(presenter.page);
      const light = await presenter.page.evaluate(() => document.documentElement.classList.contains('light'));
      await assertAccessible(presenter.page, view, light ? LIGHT : DARK);
    }

    const viewer = await openFlock(t, browser, pageOf(server, room), { ...options, newcomer: true });
    await viewer.page.locator('#welcome').waitFor();
    await assertAccessible(viewer.page, 'who has just come', DARK);

    await call(server, 'DELETE', roomOf(room), { key: room.key });
    for (const { page } of [viewer, presenter]) {
      await page.locator('#notice-first', { hasText: 'Start page' }).waitFor();
      await assertAccessible(page, 'a room that has ended', DARK);
      const focused = await page.evaluate(() => document.activeElement.id);
      assert.equal(focused, 'notice-first', 'the keyboard is where one can go on');
    }
  });
}

test('axe-core finds no fault when the connection is lost, or the page asks for a key', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { join_key: 'bees-at-noon' });
  const asked = await openPage(t, browser, pageOf(server, room), DEVICES.phone);
  await asked.page.locator('#join-key').waitFor();
  await assertAccessible(asked.page, 'the join key', DARK);
  const view = await openFlock(t, browser, `${pageOf(server, room)}#join=bees-at-noon`, { ...DEVICES.desktop, offline: true });
  await server.stop();
  await view.page.locator('#notice-first').waitFor();
  await assertAccessible(view.page, 'a lost connection', DARK);
});

test('behind a final notice, no key reaches an element', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  const { page } = await openFlock(t, browser, pageOf(server, room, `#key=${room.key}`), { ...DEVICES.desktop, expected: /404/ }); // the start page asks for its rooms
  await page.locator('#panel-open').click();
  await page.locator('#panel').waitFor();
  // The panel has asked whether the room is listed. Chromium would report an answer after the room's end as an error.
  await page.waitForFunction((of) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(of)), roomOf(room));
  await call(server, 'DELETE', roomOf(room), { key: room.key });
  await page.locator('#notice-first', { hasText: 'Start page' }).waitFor();
  const reached = new Set();
  for (let i = 0; i < 8; i += 1) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id));
  }
  assert.deepEqual([...reached].filter((id) => id !== ''), ['notice-first']);
  for (const key of ['i', '?', 'p', 'v']) await page.keyboard.press(key);
  assert.equal(await page.locator('dialog[open], #projector:not([hidden])').count(), 0, 'nothing opens');
  await page.locator('#notice-first').click();
  await page.waitForURL(server.url);
});

// In the page: whether the focus is visible. A choice shows it beside its hidden field.
function focusIsSeen() {
  const { activeElement: focused } = document;
  if (focused === null || focused === document.body) return true; // the browser's own buttons
  const marks = [getComputedStyle(focused), getComputedStyle(focused.nextElementSibling ?? focused), getComputedStyle(focused, '::after')];
  const marked = marks.some(({ outlineStyle, outlineWidth, borderTopWidth, content }, i) => (i < 2 ? outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 : content === '""' && parseFloat(borderTopWidth) >= 2));
  const { left, top, width, height } = (focused.closest('label') ?? focused).getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  const uncovered = above !== null && (focused.contains(above) || focused.closest('label')?.contains(above));
  return marked && uncovered ? true : `${focused.outerHTML.slice(0, 120)}: marked ${marked}, above it ${above?.outerHTML.slice(0, 80)}`;
}

// Presses the tab key until that element has the focus, which must be visible at each step.
async function tabTo(page, selector) {
  for (let i = 0; i < 120; i += 1) {
    await page.keyboard.press('Tab');
    await page.evaluate(atRest);
    assert.equal(await page.evaluate(focusIsSeen), true, 'the focus is seen');
    if (await page.evaluate((what) => document.activeElement.matches(what), selector)) return;
  }
  assert.fail(`the tab key does not lead to ${selector}`);
}

test('with keys only, a person creates a room, invites, changes it and leaves', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openPage(t, browser, server.url, DEVICES.desktop);
  const { page } = view;
  await page.locator('.preset').first().waitFor();
  await tabTo(page, '.preset input');
  for (let i = 0; i < 40 && (await page.locator('.preset input:checked').inputValue()) !== 'bees'; i += 1) await page.keyboard.press('ArrowDown');
  await tabTo(page, '#create button');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/r\//);
  await view.until('it is a room of one’s own', ({ role, boids, controls }) => role === 'presenter' && boids > 0 && controls.preset === 'bees');
  await page.locator('#invite-qr svg').waitFor();
  assert.equal(await page.evaluate(focusIsSeen), true);
  await page.keyboard.press('Escape');

  await tabTo(page, '#stage');
  await page.keyboard.down('ArrowRight');
  await view.until('the arrow keys steer', ({ steers }) => steers);
  await page.keyboard.up('ArrowRight');

  await tabTo(page, '#room');
  await page.keyboard.press('Enter');
  await page.locator('#invite[open]').waitFor();
  await tabTo(page, '#invite form button:last-child');
  await page.keyboard.press('Enter');
  await page.locator('#invite').waitFor({ state: 'hidden' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'room', 'one is where one was');

  await tabTo(page, '#panel-open');
  await page.keyboard.press('Enter');
  await page.locator('#panel').waitFor();
  await tabTo(page, '[data-control=boundary] [value=walls]:checked, [data-control=boundary] input');
  await tabTo(page, '[data-param] input[type=range]');
  const { params } = await view.state();
  const name = await page.evaluate(() => document.activeElement.closest('[data-param]').dataset.param);
  await page.keyboard.press('ArrowRight');
  await view.until('the parameter has changed', (state) => state.params[name] > params[name]);
  await tabTo(page, `[data-param=${name}] input[type=text]`);
  await page.keyboard.type(`${params[name]}`);
  await page.keyboard.press('Enter');
  await view.until('and is as it was', (state) => state.params[name] === params[name]);
  await page.keyboard.press('Escape');
  await page.locator('#panel').waitFor({ state: 'hidden' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'panel-open');
});

test('a screen reader reads what the flock does, on request', async (t) => {
  const server = await startServer(t, ['--boids', '60']);
  const view = await openFlock(t, browser, `${server.url}r/lobby`, DEVICES.desktop);
  const { page } = view;
  const words = page.locator('#words');
  assert.equal(await words.isVisible(), false, 'nobody is told who has not asked');
  await page.locator('#words-shown').waitFor(); // with the first measures
  await page.locator('#words-shown').focus();
  await page.keyboard.press(' ');
  await words.filter({ hasText: /^60 boids: .* way|circle|still.*\./ }).waitFor();
  assert.equal(await words.getAttribute('role'), 'status');
  await page.reload();
  await words.filter({ hasText: '60 boids' }).waitFor();
  await page.locator('#words-shown').uncheck();
  await words.waitFor({ state: 'hidden' });
});

test('a key works as soon as a dialog is closed, although the focus is still in it', async (t) => {
  const server = await startServer(t);
  const { page } = await openFlock(t, browser, `${server.url}r/lobby`, DEVICES.desktop);
  await page.keyboard.press('?');
  await page.locator('#help[open]').waitFor();
  await page.evaluate(() => {
    const focused = document.activeElement;
    document.getElementById('help').close();
    focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'i', code: 'KeyI', bubbles: true, cancelable: true }));
  });
  await page.locator('#invite-qr svg').waitFor();
});

test('with letter keys switched off, letters are no shortcuts', async (t) => {
  const server = await startServer(t);
  const view = await openFlock(t, browser, `${server.url}r/lobby`, DEVICES.desktop);
  const { page } = view;
  await page.keyboard.press('?');
  await page.locator('#shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await view.until('it is back', ({ boids }) => boids > 0);
  for (const key of ['?', 'v', 'i', 'd']) await page.keyboard.press(key);
  assert.ok(await page.locator('#help, #invite, #projector').evaluateAll((all) => all.every((each) => !each.checkVisibility())));
  assert.equal((await view.state()).steers, false);
  await page.locator('#name').fill('Vivi');
  assert.equal(await page.locator('#name').inputValue(), 'Vivi', 'a field takes them');
  await page.locator('#help-open').click();
  await page.locator('#shortcuts').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('v');
  await page.locator('#projector').waitFor();
});

for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
  test(`with forced colours the page uses only the system’s: ${colorScheme}`, async (t) => {
    const server = await startServer(t, ['--boids', '60', ...RESTING]);
    const view = await openFlock(t, browser, `${server.url}r/lobby`, { ...DEVICES.desktop, forcedColors: 'active', colorScheme });
    const { page } = view;
    await pointUntil(view, [275, 200], 'it steers', ({ steers, target }) => steers && target !== null);
    const look = () => page.evaluate(() => {
      const color = (name) => {
        const sample = document.body.appendChild(document.createElement('i'));
        sample.style.color = name;
        return getComputedStyle(sample).color;
      };
      const read = (id) => {
        const { width, height } = document.getElementById(id);
        const copy = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true }); // Chromium warns of others
        copy.drawImage(document.getElementById(id), 0, 0);
        return copy.getImageData(0, 0, width, height).data;
      };
      const count = (data, wanted) => {
        const rgb = wanted.match(/\d+/g).map(Number).slice(0, 3);
        let found = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 100 && rgb.every((value, axis) => Math.abs(data[i + axis] - value) < 8)) found += 1;
        return found;
      };
      const canvas = read('canvas');
      return {
        ring: [getComputedStyle(document.getElementById('own'), '::before').borderTopColor, color('Highlight')],
        dot: [getComputedStyle(document.getElementById('connection')).backgroundColor, color('CanvasText')],
        ground: count(canvas, color('Canvas')),
        boids: count(canvas, color('CanvasText')),
        target: count(read('overlay'), color('Highlight')),
      };
    });
    const isInThem = ({ ring, dot, ground, boids, target }) => ring[0] === ring[1] && dot[0] === dot[1] && ground > 100_000 && boids > 300 && target > 10;
    await until('all is drawn in them', async () => isInThem(await look()), async () => JSON.stringify(await look()));
  });
}

test('with reduced motion no part of the page moves', async (t) => {
  const server = await startServer(t);
  await flock.join(t, server.ws, { name: 'Eve' });
  const view = await openFlock(t, browser, `${server.url}r/lobby`, { ...DEVICES.desktop, reducedMotion: 'reduce', offline: true, watch: lasting });
  await view.page.keyboard.press('v');
  await view.page.locator('#projector').waitFor(); // the view loads when it opens
  await view.until('it knows who is here', ({ listed }) => listed.some(({ name }) => name === 'Eve'));
  await flock.join(t, server.ws, { name: 'Ada' });
  await view.page.locator('#greetings li').waitFor();
  const moving = () => view.page.evaluate(() => document.getAnimations().length);
  assert.equal(await moving(), 0, 'who comes is greeted without');
  await server.stop();
  await view.page.locator('#notice-first').waitFor();
  assert.equal(await moving(), 0, 'nor does the dot of a lost connection pulse');
});

test('a notice makes room for the control that has the focus', async (t) => {
  const server = await startServer(t);
  const view = await openFlock(t, browser, `${server.url}r/lobby`, { viewport: { width: 620, height: 500 } });
  const { page } = view;
  await page.locator('#people > summary').focus();
  const seen = () => page.evaluate(() => {
    const { left, top, width, height } = document.activeElement.getBoundingClientRect();
    return [0.1, 0.5, 0.9].every((part) => document.activeElement.contains(document.elementFromPoint(left + part * width, top + height / 2)));
  });
  await until('it is seen', seen);
  await page.evaluate(() => {
    document.getElementById('notice-text').textContent = 'No data from the server for a long time. '.repeat(4);
    document.getElementById('notice').hidden = false;
  });
  await until('the notice is elsewhere', seen);
  await page.locator('#help-open').focus();
  await until('nor is it there', seen);
});
