// The room's past in the page: a presenter's timeline, and the messages to all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTING, lobby, openFlock, sharedBrowser } from './browser.mjs';
import { CURSOR, RESUME, REWIND, SET, join } from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'abcdefgh1';
const WIDE = { viewport: { width: 1100, height: 720 } };

const browser = await sharedBrowser();

const says = (view, pattern) => view.page.locator('#past-text', { hasText: pattern }).waitFor();
const press = (view, id) => view.page.locator(`#${id}`).click();

// A presenter whose controls are open, and a viewer, in a room with a second of past.
async function lesson(t) {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const teacher = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, WIDE);
  const pupil = await openFlock(t, browser, lobby(server), WIDE);
  await teacher.until('this is a presenter, and a second has passed', ({ role, tick }) => role === 'presenter' && tick > 30);
  await teacher.page.keyboard.press('p');
  return { teacher, pupil };
}

// In the page: drags the timeline and presses the button at once, before any answer. Returns the types of the sent messages.
function dragAndPress(id) {
  const types = [];
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (message) {
    types.push(new Uint8Array(message)[1]); // after the array's length
    send.call(this, message);
  };
  const line = /** @type {HTMLInputElement} */ (document.getElementById('past-line'));
  for (const back of ['-0.2', '-0.4']) {
    line.value = back;
    line.dispatchEvent(new Event('input', { bubbles: true }));
  }
  document.getElementById(id)?.click();
  WebSocket.prototype.send = send;
  return types;
}

test('a presenter moves in the past, all members see it, and the room continues from there', async (t) => {
  const { teacher, pupil } = await lesson(t);
  assert.ok(await teacher.page.locator('#past').isHidden());
  await press(teacher, 'past-open');
  await says(teacher, / 0\.0 s before now/);
  await says(pupil, / 0\.0 s before now/);
  assert.ok(await pupil.page.locator('#past-tools').isHidden(), 'a viewer has no timeline');

  const line = teacher.page.locator('#past-line');
  await line.waitFor();
  await line.evaluate((/** @type {any} */ input) => {
    input.value = '-0.5';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const back = async () => Number((await pupil.page.locator('#past-text').textContent()).match(/([\d.]+) s before now/)?.[1]);
  const before = await until('half a second back, or as near to it as there was a tick', async () => (await back()) > 0.2 && back());
  for (let i = 0; i < 3; i += 1) await press(teacher, 'past-earlier'); // a tick each
  await until('it is further back', async () => (await back()) > before);
  await press(teacher, 'past-forwards');
  await says(pupil, / 0\.0 s before now/); // it plays until the end
  await press(teacher, 'past-live');
  for (const { page } of [pupil, teacher]) await page.locator('#past').waitFor({ state: 'hidden' });

  await teacher.page.keyboard.press('r');
  await says(teacher, / 0\.0 s before now/);
  await until('the focus is in the timeline', () => line.evaluate((each) => each === document.activeElement));
  await teacher.page.keyboard.press('Home');
  await until('they see the beginning', async () => (await back()) > 0.2);
  await teacher.page.keyboard.press(' ');
  await says(pupil, / 0\.0 s before now/); // it plays until the end
  await teacher.page.keyboard.press('Home');
  await until('they see the beginning again', async () => (await back()) > 0.2);
  await press(teacher, 'past-resume');
  await pupil.page.locator('#past').waitFor({ state: 'hidden' });
  await teacher.page.locator('#past').waitFor({ state: 'hidden' });
});

test('an unfinished drag does not open the past again', async (t) => {
  const { teacher, pupil } = await lesson(t);
  await press(teacher, 'past-open');
  await says(pupil, / 0\.0 s before now/);
  await teacher.page.evaluate(dragAndPress, 'past-live');
  await pupil.page.locator('#past').waitFor({ state: 'hidden' });
  await teacher.page.locator('#past').waitFor({ state: 'hidden' });
  // The teacher's next message comes after all messages of the drag.
  await press(teacher, 'reset');
  await pupil.page.locator('#news', { hasText: /started the flock again/ }).waitFor();
  assert.ok(await pupil.page.locator('#past').isHidden());
});

test('marks on the timeline say who changed what', async (t) => {
  const { teacher, pupil } = await lesson(t);
  const { page } = teacher;
  const { name } = await teacher.state();
  await page.locator('[data-param=inertia] input[type=text]').fill('2.5');
  await page.keyboard.press('Enter');
  await pupil.said('news', 'inertia');
  await page.locator('[data-control=preset] label:has([value=march])').click();
  await pupil.said('news', 'march');
  const later = (await pupil.state()).tick + 15;
  await teacher.until('half a second passes', ({ tick }) => tick > later);
  await press(teacher, 'past-open');
  const marks = page.locator('#past-marks i');
  await until('there are two', async () => (await marks.count()) === 2);
  const said = page.locator('#past-mark');
  await page.locator('#past-line').focus();
  await page.keyboard.press('PageDown');
  await said.filter({ hasText: `${name} chose the preset march` }).waitFor();
  await page.keyboard.press('PageDown');
  await said.filter({ hasText: `${name}: inertia` }).waitFor();
  const told = () => page.locator('#past-line').getAttribute('aria-valuetext');
  await until('a screen reader reads it', async () => /before now\. .*: inertia .* → 2\.5$/.test((await told()) ?? ''), told);
  await page.locator('#past-change-before:disabled').waitFor(); // this is the first change
  const { x, y, width, height } = await marks.nth(1).boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await said.filter({ hasText: 'chose the preset march' }).waitFor();
  await page.mouse.click(x + width / 2, y - 4);
  await page.mouse.move(200, 200);
  await said.filter({ hasText: 'chose the preset march' }).waitFor();
});

test('on a phone sideways the flock and the timeline are both in sight, with all of a mark’s text', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const guide = await join(t, server.ws, { key: KEY, name: 'Ms Lee' });
  assert.equal(await guide.ask([SET, 'preset', 'billiards']), null);
  const { page, until: shows } = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });
  await shows('this is a presenter', ({ role }) => role === 'presenter');
  await page.locator('#panel').waitFor({ state: 'attached' });
  await page.locator('#panel-open').click();
  await press({ page }, 'past-open');
  await page.locator('#panel-close').click();
  await page.locator('#past-line').waitFor();
  const places = () => page.evaluate(() => {
    const { top, bottom } = document.getElementById('past').getBoundingClientRect();
    const [, worldTop] = window.flock.toScreen(0, 0);
    const [, worldBottom] = window.flock.toScreen(...window.flock.state().world);
    return { top, bottom, worldTop, worldBottom };
  });
  await until('the world ends above the timeline', async () => {
    const { top, bottom, worldTop, worldBottom } = await places();
    return bottom <= 390 && top > 270 && worldTop >= 0 && worldBottom <= top && worldBottom - worldTop > 200;
  }, places);

  await page.locator('#past-marks i').waitFor();
  await page.locator('#past-line').focus();
  await page.keyboard.press('PageDown');
  const said = page.locator('#past-mark', { hasText: 'Ms Lee chose the preset billiards' });
  await said.waitFor();
  for (const [width, height] of [[844, 390], [390, 844]]) {
    await page.setViewportSize({ width, height });
    await page.waitForFunction((size) => innerWidth === size, width);
    const cut = () => said.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [scrollWidth - clientWidth, scrollHeight - clientHeight]);
    await until(`nothing is cut off of ${width}`, async () => Math.max(...(await cut())) <= 0, cut);
  }
});

test('a room continues from the end of a drag', async (t) => {
  const { teacher } = await lesson(t);
  await press(teacher, 'past-open');
  await says(teacher, / 0\.0 s before now/);
  assert.deepEqual(await teacher.page.evaluate(dragAndPress, 'past-resume'), [REWIND, REWIND, RESUME]);
});

// In the page: drags the timeline, and ends the connection before the server answers.
function dragAndDisconnect() {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (message) {
    WebSocket.prototype.send = send;
    send.call(this, message);
    this.close();
  };
  const line = /** @type {HTMLInputElement} */ (document.getElementById('past-line'));
  line.value = '-0.1';
  line.dispatchEvent(new Event('input', { bubbles: true }));
}

test('the timeline works again after a connection that ended during a drag', async (t) => {
  const { teacher } = await lesson(t);
  await press(teacher, 'past-open');
  await says(teacher, / 0\.0 s before now/);
  await teacher.page.evaluate(dragAndDisconnect);
  await teacher.until('the connection is lost', ({ status }) => status === 'waiting');
  await teacher.until('the teacher is back', ({ status, role }) => status === 'connected' && role === 'presenter');
  await teacher.page.locator('#past-line').evaluate((/** @type {any} */ input) => {
    input.value = '-0.5';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await says(teacher, / 0\.[345] s before now/);
});

test('the past looks different, and refused changes have no effect', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, ...RESTING]);
  const teacher = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, WIDE);
  const phone = await openFlock(t, browser, lobby(server), { viewport: { width: 360, height: 740 } });
  const gone = await join(t, server.ws, { name: 'Gone' });
  gone.send([CURSOR, 200, 200]);
  await teacher.until('somebody steers', ({ cursors, role }) => role === 'presenter' && cursors.some(({ name }) => name === 'Gone'));
  const { tick } = await teacher.state();
  await teacher.until('and has steered', (state) => state.tick > tick + 30);
  gone.socket.close();
  await teacher.until('and leaves', ({ cursors }) => cursors.length === 0);
  await teacher.page.keyboard.press('p');
  await press(teacher, 'past-open');
  await says(teacher, / 0\.0 s before now/);
  // The end of the present, which the pages show a moment later.
  const watcher = await join(t, server.ws);
  const last = watcher.snapshot.tick;
  await teacher.until('the page shows the end', (state) => state.tick === last);
  await teacher.page.locator('#past-line').evaluate((/** @type {any} */ input, back) => {
    input.value = String(-back);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, (last - tick - 5) / 30);
  const cursor = teacher.page.locator('.cursor');
  await cursor.waitFor();
  await cursor.locator('bdi', { hasText: /^Gone$/ }).waitFor();
  assert.notEqual(await cursor.evaluate((element) => element.style.getPropertyValue('--person')), '', 'the cursor has the colour of who was there');

  await phone.page.locator('#past').waitFor();
  const gap = () => phone.page.evaluate(() => {
    document.documentElement.classList.add('less'); // as with a part of the boids
    const [past, status] = ['past', 'status'].map((id) => document.getElementById(id).getBoundingClientRect());
    return status.top - past.bottom;
  });
  await until('the past is above the figures', async () => (await gap()) >= 0, gap);

  const speed = teacher.page.locator('[data-param=inertia]');
  const field = speed.locator('input[type=text]');
  const value = await field.inputValue();
  await speed.locator('input[type=range]').focus();
  await teacher.page.keyboard.press('ArrowRight');
  const refused = [speed, teacher.page.locator('[data-control=preset]'), teacher.page.locator('#own-presets')];
  await refused[1].locator('[value=bees]').click();
  await refused[2].getByRole('button', { name: 'Save as' }).click();
  await refused[2].locator('input').fill('then');
  await refused[2].locator('input').press('Enter');
  for (const each of refused) await each.locator('.problem', { hasText: 'shows its past' }).waitFor();
  await press(teacher, 'past-resume');
  for (const each of refused) await each.locator('.problem').waitFor({ state: 'hidden' });
  assert.equal(await field.inputValue(), value);
});

// The visible elements of these that overlap.
const OVERLAPPING = (/** @type {string[]} */ ids) => {
  const seen = ids.map((id) => ({ id, box: document.getElementById(id).getBoundingClientRect() })).filter(({ box }) => box.width > 0);
  const onOne = (/** @type {any} */ { box: a }, /** @type {any} */ { box: b }) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return seen.flatMap((one, i) => seen.slice(i + 1).filter((other) => onOne(one, other)).map(({ id }) => `${one.id} and ${id}`));
};

// Whether the element of that id is wholly visible: in the window, and not covered.
const SEEN = (/** @type {string} */ id) => {
  const element = document.getElementById(id);
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const corners = [[left + 12, top + 4], [right - 12, top + 4], [left + 12, bottom - 4], [right - 12, bottom - 4]];
  return corners.every(([x, y]) => document.elementFromPoint(x, y) === element);
};

test('messages in the past show above the timeline', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const teacher = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, WIDE);
  await teacher.until('this is a presenter', ({ role }) => role === 'presenter');
  await teacher.page.keyboard.press('p');
  await press(teacher, 'past-open');
  await teacher.page.locator('#past-line').waitFor();
  await teacher.page.locator('#attention-text').fill('Look up, please: what happens to the flock when alignment is zero?');
  await press(teacher, 'attention-ask');
  await teacher.page.locator('#attention-on').waitFor();
  for (const [width, height] of [[360, 740], [800, 600], [1024, 768], [1920, 1080]]) {
    for (const open of [true, false]) {
      await teacher.page.setViewportSize({ width, height });
      if (open !== (await teacher.page.locator('#panel').isVisible())) await teacher.page.keyboard.press('p');
      for (const id of ['news', 'toast']) {
        await teacher.page.evaluate((shown) => {
          const [news, toast] = ['news', 'toast'].map((each) => document.getElementById(each));
          toast.textContent = news.lastElementChild.textContent = 'That moment is still loading. Try again in a moment.';
          toast.hidden = shown !== 'toast';
        }, id);
        const full = open && width < 400; // then the toast covers other elements for a moment
        const ids = ['past', 'attention-on', 'status', 'controls', ...(full && id === 'toast' ? [] : [id])];
        const overlapping = () => teacher.page.evaluate(OVERLAPPING, ids);
        const what = `each has its place, ${width} × ${height}${open ? ', controls open' : ''}`;
        await until(what, async () => (await overlapping()).length === 0, overlapping);
        if (id === 'toast') await until(`the toast is seen, ${what}`, () => teacher.page.evaluate(SEEN, id));
      }
    }
  }
});

test('on a phone with a smaller view, messages in the past show above it', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--boids', '4000', '--client-bandwidth', '6']);
  const teacher = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, { viewport: { width: 360, height: 740 } });
  await teacher.until('this is a presenter', ({ role }) => role === 'presenter');
  await teacher.page.locator('#boids', { hasText: 'reduced' }).waitFor();
  await teacher.page.keyboard.press('p');
  await press(teacher, 'past-open');
  await teacher.page.locator('#past-line').waitFor();
  const overlapping = () => teacher.page.evaluate(OVERLAPPING, ['past', 'status', 'controls']);
  await until('each has its place', async () => (await overlapping()).length === 0, overlapping);
});
