// The presenter's panel in the page, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { lasting, lobby, openFlock, sharedBrowser } from './browser.mjs';
import { PARAM, SNAPSHOT, join } from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'abcdefgh1';
const WIDE = { viewport: { width: 1100, height: 720 } };

const browser = await sharedBrowser();

// A server with that key, and a page opened by the presenter's link, with an open panel.
/** @param {import('./types.d.ts').Test} t */
async function openPanel(t, /** @type {{ args?: string[], port?: number, [option: string]: any }} */ { args = [], port = 0, ...options } = {}) {
  const server = await startServer(t, ['--presenter-key', KEY, ...args], { port });
  const view = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, { ...WIDE, ...options });
  await view.until('this is a presenter', ({ role }) => role === 'presenter');
  await view.page.locator('#panel-open').click();
  await view.page.locator('#panel').waitFor(); // only presenters load it
  return { server, view };
}

// The median brightness (0 to 255) of pixels along each of these lines of the world, which some boids may cross, in one picture.
async function brightness(view, lines) {
  const ends = await view.page.evaluate((all) => all.map((line) => line.map(([x, y]) => window.flock.toScreen(x, y))), lines);
  const image = await view.page.screenshot();
  return view.page.evaluate(
    async ([base64, all]) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
      pen.drawImage(bitmap, 0, 0);
      return all.map(([[x1, y1], [x2, y2]]) => {
        const found = Array.from({ length: 41 }, (_, i) => {
          const t = 0.1 + (0.8 * i) / 40;
          const { data } = pen.getImageData(Math.round(x1 + (x2 - x1) * t) - 1, Math.round(y1 + (y2 - y1) * t) - 1, 3, 3);
          return Math.max(...data.filter((_, at) => at % 4 === 2));
        });
        return found.sort((one, other) => one - other)[20];
      });
    },
    [image.toString('base64'), ends],
  );
}

const choose = async (view, control, value) => {
  const choice = view.page.locator(`[data-control=${control}] label:has([value=${value}])`);
  await choice.evaluate((/** @type {any} */ each) => (each.closest('details').open = true));
  await choice.click();
};
const parameter = (view, name) => view.page.locator(`[data-param=${name}]`);

test('the key leaves the address, and makes a presenter also after a reload', async (t) => {
  const { server, view } = await openPanel(t);
  assert.equal(view.page.url(), lobby(server));
  await view.page.reload();
  await view.until('this is a presenter again', ({ role }) => role === 'presenter');
  await view.page.locator('#panel').waitFor(); // still open
});

test('viewers have no panel, and a wrong key makes no presenter', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const view = await openFlock(t, browser, `${lobby(server)}#key=wrong-key`, WIDE);
  await view.said('toast', 'not valid in this room');
  await view.page.keyboard.press('p');
  assert.ok(await view.page.locator('#panel').isHidden());
  assert.ok(await view.page.locator('#panel-open').isHidden());
  assert.equal((await view.state()).role, 'viewer');
  await view.page.evaluate((key) => (location.hash = `#key=${key}`), KEY);
  await view.until('the right one does, without a reload', ({ role }) => role === 'presenter');
  assert.equal(view.page.url(), lobby(server));
});

test('a presenter is a presenter again after a restart of the server', async (t) => {
  const { server, view } = await openPanel(t, { offline: true, port: await freePort() });
  await server.stop();
  await view.until('the connection is lost', ({ status }) => status === 'waiting');
  await view.page.locator('#run:disabled').waitFor(); // the controls are disabled until then
  await startServer(t, ['--presenter-key', KEY, '--preset', 'bees'], { port: server.port });
  await view.until('it is back', ({ status, boids }) => status === 'connected' && boids === 400);
  await choose(view, 'idle', 'hold');
  await view.until('and listens to the presenter', ({ controls }) => controls.idle === 'hold');
});

test('with open controls everyone has the panel, under P', async (t) => {
  const server = await startServer(t, ['--open-controls']);
  const view = await openFlock(t, browser, lobby(server), WIDE);
  await view.until('this is a presenter', ({ role }) => role === 'presenter');
  await view.page.keyboard.press('p');
  await view.page.locator('#panel').waitFor();
  await view.until('the page knows who is here', ({ people }) => people === 1);
  await view.page.waitForFunction(() => document.getElementById('rekeying')?.hidden); // a new key needs the key
  await view.page.keyboard.press('p');
  await view.page.locator('#panel').waitFor({ state: 'hidden' });
});

test('a preset takes one click, and all members see its name', async (t) => {
  const { server, view } = await openPanel(t);
  const viewer = await openFlock(t, browser, lobby(server), WIDE);
  const none = view.page.locator('[data-control=preset] .none');
  await none.waitFor(); // the room began without a preset
  await choose(view, 'preset', 'march');
  await none.waitFor({ state: 'hidden' });
  for (const { page, until, said } of [view, viewer]) {
    await until('the flock marches', ({ model, boids, controls }) => model === 'vision' && boids === 400 && controls.preset === 'march');
    await said('news', 'chose the preset march');
    await page.locator('#status', { hasText: 'march · vision' }).waitFor();
  }
  await parameter(view, 'view_angle').waitFor(); // of the new model
  const field = parameter(view, 'view_angle').locator('input[type=text]');
  await field.fill('300');
  await field.press('Enter');
  await viewer.until('it is a parameter of theirs', ({ params }) => params.view_angle === 300);
  await choose(view, 'preset', 'march');
  await viewer.until('the preset was chosen again', ({ params }) => params.view_angle === 70);
});

test('undo takes a change back, and all members get an event', async (t) => {
  const { server, view } = await openPanel(t, { args: ['--preset', 'bees'] });
  const viewer = await openFlock(t, browser, lobby(server), WIDE);
  await view.page.locator('#undo:disabled').waitFor(); // nothing to take back
  await choose(view, 'preset', 'march');
  await viewer.until('it marches', ({ model }) => model === 'vision');
  await view.page.locator('#undo').click();
  await viewer.until('the bees are back', ({ controls, boids }) => controls.preset === 'bees' && boids === 400);
  await viewer.said('news', 'undid: preset march → bees');
  await choose(view, 'idle', 'hold');
  await view.until('another change', ({ controls }) => controls.idle === 'hold');
  await view.page.keyboard.press('z');
  await view.until('by its key', ({ controls }) => controls.idle === 'wander');
  await view.page.locator('#undo:disabled').waitFor();
});

// Presses the key at the position `code` of an English keyboard, on a keyboard that types `key` there.
const pressAt = async (/** @type {import('playwright-core').CDPSession} */ session, /** @type {string} */ code, /** @type {string} */ key) => {
  for (const type of /** @type {const} */ (['keyDown', 'keyUp'])) await session.send('Input.dispatchKeyEvent', { type, code, key, text: key });
};

test('on other keyboards a key that steers is no shortcut, and the help has the letters of that keyboard', async (t) => {
  const { view } = await openPanel(t, { args: ['--preset', 'bees'] });
  const { page } = view;
  const keyboard = await view.context.newCDPSession(page);
  const keysOf = (id) => page.locator(`#${id} kbd`).allInnerTexts();
  await choose(view, 'idle', 'hold');
  await view.until('there is a change to take back', ({ controls }) => controls.idle === 'hold');
  await page.locator('#undo:enabled').waitFor();
  await page.locator('#panel').focus();
  await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', code: 'KeyW', key: 'z', text: 'z' }); // AZERTY
  await view.until('Z steers there', ({ steers }) => steers);
  await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', code: 'KeyW', key: 'z' });
  for (const [code, key] of [['KeyA', 'q'], ['KeyQ', 'a']]) await pressAt(keyboard, code, key);
  await choose(view, 'boundary', 'wrap');
  await view.until('whatever came before is there', ({ controls }) => controls.boundary === 'wrap');
  assert.equal((await view.state()).controls.idle, 'hold', 'and takes nothing back');
  await page.locator('#panel').focus();
  for (const idle of ['hold', 'wander']) {
    await pressAt(keyboard, 'KeyZ', 'w');
    await view.until(`W undoes there: ${idle}`, ({ controls }) => controls.idle === idle && controls.boundary !== 'wrap');
  }
  await page.keyboard.press('?');
  await page.locator('#help-steering kbd', { hasText: 'Z' }).waitFor();
  assert.deepEqual(await keysOf('help-steering'), ['Z', 'Q', 'S', 'D']);
  assert.ok((await keysOf('help-presenter-keys')).includes('W'));
  await page.keyboard.press('Escape');
  await pressAt(keyboard, 'KeyD', 'e'); // Dvorak
  await pressAt(keyboard, 'KeyN', 'b');
  await page.locator('#add[aria-pressed=true]').waitFor();
});

test('a contradicting pair is refused with a message, which stays until the pair is corrected', async (t) => {
  const { view } = await openPanel(t);
  const least = parameter(view, 'separation_min');
  const field = least.locator('input[type=text]');
  await field.fill('40');
  await field.press('Enter');
  await least.locator('.problem', { hasText: 'expected at most separation, max, which is 30' }).waitFor();
  assert.deepEqual([await field.inputValue(), await field.getAttribute('aria-invalid')], ['40', 'true']);
  assert.equal((await view.state()).params.separation_min, 20);
  await field.fill('25');
  await field.press('Enter');
  await view.until('it is corrected', ({ params }) => params.separation_min === 25);
  await least.locator('.problem').waitFor({ state: 'hidden' });
  await field.fill('40');
  await field.press('Enter');
  await least.locator('.problem').waitFor();
  const greatest = parameter(view, 'separation_max').locator('input[type=text]');
  await greatest.fill('60');
  await greatest.press('Enter');
  await least.locator('.problem').waitFor({ state: 'hidden' });
  await field.fill('50');
  await field.press('Enter');
  await view.until('now it may', ({ params }) => params.separation_min === 50);
  await view.page.locator('#panel-initial').click();
  await view.until('and back again', ({ params }) => params.separation_min === 20 && params.separation_max === 30);
});

// The parts of the page that a person needs while news show.
const NEEDED = ['room', 'standing', 'measures', 'people', 'status', 'controls', 'panel', 'projector'];

test('the news of a change covers no control', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--preset', 'march']);
  const ada = await join(t, server.ws, { name: 'Ada', key: KEY });
  const view = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, { ...WIDE, watch: lasting });
  await view.until('this is a presenter', ({ role }) => role === 'presenter');
  await view.page.locator('#panel-open').click();
  for (const details of ['#measures', '#people']) await view.page.locator(details).evaluate((/** @type {any} */ each) => (each.open = true));
  for (const state of /** @type {const} */ (['visible', 'hidden'])) {
    await view.page.keyboard.press('v'); // loads it
    await view.page.locator('#projector').waitFor({ state });
  }
  ada.send([PARAM, 'max_turn', 2.5]);
  await view.page.locator('#news', { hasText: /^Ada: maximum turn 6 → 2.5/ }).waitFor();
  for (const [width, height] of [[360, 740], [800, 600], [1024, 768], [1920, 1080]]) {
    // The page moves its panels when it learns of the size, and in the next picture; setViewportSize() may return before that.
    const resized = view.page.evaluate(() => new Promise((done) => addEventListener('resize', () => requestAnimationFrame(() => requestAnimationFrame(done)), { once: true })));
    await view.page.setViewportSize({ width, height });
    await resized;
    for (const projector of [false, true]) {
      await view.page.evaluate((is) => document.documentElement.classList.toggle('projector', is), projector);
      const covered = await view.page.locator('#news').evaluate((element, ids) => {
        const a = element.getBoundingClientRect();
        return ids.filter((id) => {
          const b = document.getElementById(id).getBoundingClientRect();
          return b.width > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        });
      }, NEEDED);
      assert.deepEqual(covered, [], `${width} × ${height}${projector ? ', projector' : ''}`);
    }
  }
  assert.ok(await view.page.locator('#news.shown').isVisible(), 'it was there all the time');
});

test('the page draws walls', async (t) => {
  for (const renderer of ['webgl2', '2d']) {
    const server = await startServer(t, ['--preset', 'billiards', '--boids', '1']); // one ball cannot cover half of a line
    const view = await openFlock(t, browser, `${lobby(server)}?renderer=${renderer}`);
    await view.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // it has drawn
    for (let i = 1; i <= 4; i++) { // before the room's ground has appeared, while it does, and after
      const [light, dark] = await brightness(view, [[[110, 130], [190, 90]], [[110, 160], [190, 120]]]);
      assert.ok(light > dark + 40, `${renderer}, picture ${i}: ${light} along a wall, ${dark} beside it`);
    }
  }
});

// Shows the message of a room that drops ticks. It may come at any time, and must not move the slider under the pointer.
const sayThatItIsSlow = () => {
  const notice = document.getElementById('flock-slow');
  notice.textContent = 'The server drops 40 % of this room’s ticks, so the flock is slow. Use fewer boids or another model.';
  notice.hidden = false;
};

test('dragging a slider changes the parameter for all members', async (t) => {
  const { server, view } = await openPanel(t);
  const other = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, WIDE);
  await other.until('this is a presenter, too', ({ role }) => role === 'presenter');
  await other.page.keyboard.press('p');
  const slider = parameter(view, 'inertia').locator('input[type=range]');
  await slider.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await slider.boundingBox();
  await view.page.mouse.move(x + width / 2, y + height / 2);
  await view.page.mouse.down();
  for (let i = 1; i <= 40; i++) {
    await view.page.mouse.move(x + (width * (40 + i)) / 80, y + height / 2);
    if (i === 20) await view.page.evaluate(sayThatItIsSlow);
  }
  await view.page.mouse.up();
  for (const each of [view, other]) {
    await each.until('the parameter is at its greatest', ({ params }) => params.inertia === 3);
    await until('the field says so', async () => (await parameter(each, 'inertia').locator('input[type=text]').inputValue()) === '3');
  }
  await slider.dblclick();
  await other.until('it is back at its initial value', ({ params }) => params.inertia === 1);
});

test('the arrow keys move between choices, and Enter takes a choice', async (t) => {
  const { view } = await openPanel(t);
  const { page } = view;
  const focused = () => page.evaluate(() => document.activeElement.value);
  await page.locator('[data-control=model] input[value=swarm]').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'boids');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), 'vision');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await view.until('the model is the one that was looked at last', ({ model }) => model === 'boids');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press(' ');
  await view.until('the space bar does the same', ({ model }) => model === 'vision');
});

test('the error of a wrong number shows at its field, and the number stays to be corrected', async (t) => {
  const { view } = await openPanel(t);
  const field = parameter(view, 'inertia').locator('input[type=text]');
  await field.fill('1000');
  await field.press('Enter');
  const problem = parameter(view, 'inertia').locator('.problem');
  await problem.waitFor();
  assert.match(await problem.innerText(), /inertia.*0 to 3.*1000/);
  assert.equal(await field.inputValue(), '1000', 'it stays');
  assert.equal((await view.state()).params.inertia, 1, 'and changes nothing');
  await field.fill('fast');
  await field.press('Enter');
  await problem.filter({ hasText: /expected a number.*fast/ }).waitFor();
  await field.press('Escape');
  assert.equal(await field.inputValue(), '1', 'the value in force is one key away');
  await problem.waitFor({ state: 'hidden' });
  await field.fill('2.5');
  await field.press('Enter');
  await view.until('a good one is taken', ({ params }) => params.inertia === 2.5);
  await problem.waitFor({ state: 'hidden' });
});

// In the page: the point of the window where a point of the world is, when the world has moved beside the panel and rests.
const restsBeside = (/** @type {number[]} */ [wx, wy]) =>
  new Promise((/** @type {(point: [number, number]) => void} */ done) => {
    let before = '';
    const look = () => {
      const [x, y] = window.flock.toScreen(wx, wy);
      if (`${x} ${y}` === before && document.elementFromPoint(x, y)?.id === 'canvas') return done([x, y]);
      before = `${x} ${y}`;
      requestAnimationFrame(look);
    };
    look();
  });

test('a click on the flock adds boids; buttons remove and reset them', async (t) => {
  const { view } = await openPanel(t);
  const { page } = view;
  await page.locator('#amounts label', { hasText: /^100$/ }).click();
  await page.locator('#add').click();
  const [px, py] = await page.evaluate(restsBeside, [400, 300]);
  await page.mouse.click(px, py);
  await view.until('there are 100 more', ({ boids }) => boids === 112);
  await page.locator('#add').click();
  await page.mouse.click(px, py);
  await page.locator('#amounts label', { hasText: /^10$/ }).click();
  await page.locator('#remove').click();
  await view.until('there are 10 fewer, and the tool was put down', ({ boids }) => boids === 102);
  await page.keyboard.press('+');
  await view.until('the keyboard adds them, too', ({ boids }) => boids === 112);
  await page.keyboard.press('-');
  await view.until('and removes them', ({ boids }) => boids === 102);
  await page.locator('#reset').click();
  await view.until('they are as many as in the beginning', ({ boids }) => boids === 12);
});

test('what is taught comes first in the controls, texts stand below them, and a folded part stays folded', async (t) => {
  const { view } = await openPanel(t, { args: ['--preset', 'march'] });
  const { page } = view;
  const parts = await page.locator('#panel-all > details').evaluateAll((all) => all.map((/** @type {any} */ { id, open }) => [id.slice('panel-'.length), open]));
  assert.deepEqual(parts.map(([id]) => id), ['rules', 'class', 'presets', 'boids', 'world', 'room', 'recording', 'more']);
  assert.deepEqual(parts.map(([, open]) => open), [true, true, true, true, true, false, false, false]);
  const slider = await page.locator('.slider').first().evaluate((each) => {
    const [range, about] = ['[type=range]', '.about'].map((part) => each.querySelector(part).getBoundingClientRect());
    return { gap: about.top - range.bottom, height: about.height, title: each.getAttribute('title') };
  });
  assert.ok(slider.gap > -2 && slider.gap < 8 && slider.height > 10 && slider.title === null, JSON.stringify(slider));
  await page.locator('#panel-class > summary').click();
  await page.evaluate(() => new Promise((done) => setTimeout(done))); // a <details> tells that it is folded in a task of its own
  await page.reload();
  await page.locator('#panel').waitFor();
  assert.equal(await page.locator('#panel-class').getAttribute('open'), null);
  assert.notEqual(await page.locator('#panel-rules').getAttribute('open'), null);
});

test('what a button does stands below it, and not in a tooltip', async (t) => {
  const { view } = await openPanel(t, { args: ['--preset', 'march'] });
  const { page } = view;
  await page.locator('#panel-recording > summary').click();
  await page.locator('#past-open').click();
  await page.locator('#past-line').waitFor();
  for (const button of ['#run', '#step', '#reset', '#undo', '#past-open', '#panel-recording .branch', '#panel-recording .download', '#past-resume']) {
    const about = await page.locator(button).evaluate((each) => {
      const text = document.getElementById(each.getAttribute('aria-describedby') ?? '');
      text?.scrollIntoView({ block: 'nearest' });
      const gap = (text?.getBoundingClientRect().top ?? 0) - each.getBoundingClientRect().bottom;
      return { title: each.getAttribute('title'), words: text?.textContent.split(' ').length ?? 0, gap, seen: text?.checkVisibility() };
    });
    assert.ok(about.title === null && about.words > 4 && about.gap > -8 && about.gap < 120 && about.seen, `${button}: ${JSON.stringify(about)}`);
  }
});

test('a notice below the controls never covers the one that has the focus', async (t) => {
  const { view } = await openPanel(t, { args: ['--preset', 'march'] });
  const { page } = view;
  await page.evaluate(() => {
    const { bottom } = document.getElementById('panel-scroll').getBoundingClientRect();
    const inSight = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.slider [type=range]'))].filter((each) => each.getBoundingClientRect().bottom <= bottom);
    inSight.at(-1).focus({ preventScroll: true });
    const notice = document.getElementById('unsaved');
    notice.textContent = 'The server cannot save this room. '.repeat(6);
    notice.hidden = false;
  });
  const seen = () => page.evaluate(() => {
    const { left, top, bottom } = document.activeElement.getBoundingClientRect();
    return [top + 1, bottom - 1].every((y) => document.elementFromPoint(left + 4, y) === document.activeElement);
  });
  await until('all of the slider is seen', seen);
  for (let i = 0; i < 12; i += 1) {
    await page.keyboard.press('Tab');
    const field = await page.evaluate(() => document.activeElement.matches('[type=text], [type=range], button'));
    if (field) assert.ok(await seen(), await page.evaluate(() => document.activeElement.outerHTML));
  }
});

test('pause and step work, and all members get events', async (t) => {
  const { server, view } = await openPanel(t);
  const viewer = await openFlock(t, browser, lobby(server), WIDE);
  await view.page.keyboard.press(' ');
  await viewer.page.locator('#news', { hasText: 'Paused' }).waitFor();
  await view.until('time stands still', ({ controls }) => controls.run === 'paused');
  const watcher = await join(t, server.ws); // the pages show the flock of a moment ago
  const tick = await watcher.until('two snapshots are of the same tick', () => {
    const [a, b] = watcher.messages.filter(([type]) => type === SNAPSHOT).slice(-2);
    return b !== undefined && a[2] === b[2] ? b[2] : 0;
  });
  await viewer.until('the page shows that one', (state) => state.tick === tick);
  for (let i = 0; i < 3; i++) await view.page.keyboard.press('.');
  await viewer.until('three ticks passed', (state) => state.tick === tick + 3);
  await view.page.locator('#run').click();
  await viewer.until('it goes on', (state) => state.tick > tick + 10);
  await view.page.keyboard.press(' ');
  await view.until('what was clicked last does not take the space bar', ({ controls }) => controls.run === 'paused');
  await view.page.keyboard.press(' ');
  await viewer.page.locator('#news', { hasText: 'Paused' }).waitFor({ state: 'hidden' });
});

test('on a phone the panel is a sheet below the flock, and works by touch', async (t) => {
  const { view } = await openPanel(t, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const { page } = view;
  const sheet = await page.locator('#panel').evaluate((/** @type {any} */ panel) => panel.offsetTop);
  await page.waitForFunction((top) => window.flock.toScreen(550, 400)[1] <= top, sheet);
  await page.locator('#add').tap();
  await page.touchscreen.tap(195, 150);
  await view.until('there are 10 more', ({ boids }) => boids === 22);
});

for (const part of ['controls-*.js', 'controls-*.css']) {
  test(`the page reports controls that do not load, and shows them when they load: ${part}`, async (t) => {
    const server = await startServer(t, ['--presenter-key', KEY]);
    let broken = true;
    const watch = (page) => page.route(`**/${part}`, (route) => (broken ? route.abort() : route.continue()));
    const view = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, { ...WIDE, watch, expected: /ERR_FAILED/ });
    const { page } = view;
    await view.said('toast', 'A part of the page cannot be loaded');
    await page.locator('#panel-open').click();
    broken = false;
    await page.locator('#panel').waitFor();
    await choose(view, 'idle', 'hold');
    await view.until('they work', ({ controls }) => controls.idle === 'hold');
    assert.equal(await page.locator('#panel, head link[href*="controls-"]').count(), 2, 'each part of them is there once');
  });
}

test('viewers do not load the controls', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const asked = [];
  const view = await openFlock(t, browser, lobby(server), { ...WIDE, watch: (page) => page.on('request', (request) => asked.push(request.url())) });
  await view.page.keyboard.press('p');
  assert.deepEqual(asked.filter((url) => /\/controls-/.test(url)), []);
  await view.page.evaluate((key) => (location.hash = `#key=${key}`), KEY);
  await view.page.locator('#panel-open').waitFor();
  await view.page.keyboard.press('p');
  await view.page.locator('#panel').waitFor();
});

test('a presenter saves the flock as a preset, chooses it again and removes it', async (t) => {
  const { server, view } = await openPanel(t);
  const pupil = await join(t, server.ws);
  const presets = view.page.locator('#own-presets');
  const chosen = presets.locator('.use[aria-pressed=true]');
  await choose(view, 'model', 'boids');
  await view.until('it runs that', ({ model }) => model === 'boids');
  await presets.getByText('Save as…').click();
  const [panel, save] = await Promise.all(['#of-presets', '.preset-save button'].map((part) => view.page.locator(part).boundingBox()));
  assert.ok(save.x + save.width <= panel.x + panel.width, 'the button is not cut');
  await view.page.keyboard.type('bees');
  await view.page.keyboard.press('Enter');
  await presets.locator('.problem', { hasText: 'Choose another name' }).waitFor();
  await presets.locator('input').fill('Ours, at noon');
  await view.page.keyboard.press('Enter');
  await chosen.getByText('Ours, at noon').waitFor();
  await pupil.until('everyone is told', () => pupil.events.some(({ name, to }) => name === 'save' && to === 'Ours, at noon'));
  await choose(view, 'preset', 'march');
  await view.until('another preset', ({ controls }) => controls.preset === 'march');
  await chosen.waitFor({ state: 'detached' });
  await presets.getByText('Ours, at noon').click();
  await view.until('the one that was saved', ({ controls, model }) => controls.preset === 'Ours, at noon' && model === 'boids');
  await chosen.getByText('Ours, at noon').waitFor();
  await presets.getByRole('button', { name: 'Remove Ours, at noon' }).click();
  await presets.getByText('Remove the preset Ours, at noon for everyone?').waitFor();
  await presets.getByRole('button', { name: 'Remove', exact: true }).click();
  await presets.locator('.own').waitFor({ state: 'detached' });
  await view.until('none is in force', ({ controls, model }) => controls.preset === '' && model === 'boids');
});
