// A room's time in the page: downloading and opening its recording, a branch, and two rooms side by side.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { assertAccessible } from './access.mjs';
import { call, createRoom, roomOf } from './api.mjs';
import { atEnd } from './atend.mjs';
import { RESTING, lobby, openFlock, openPage, sharedBrowser, state as stateOf } from './browser.mjs';
import * as flock from './client.mjs';
import { FLOCKD, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const FLOCK_SIM = path.join(path.dirname(FLOCKD), 'flock-sim');
const KEY = 'abcdefgh1';
const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};
// The colours behind the page's texts: the background, and its palest boid and line.
const DARK = ['rgb(5 7 12)', 'rgb(15 21 34)', 'rgb(173 230 250)', 'rgb(255 184 77)', 'rgb(224 237 255)'];

const browser = await sharedBrowser();

const pageOf = (server, { path: way }, query = '') => `${new URL(way, server.url)}${query}`;

// A presenter's page with the recording's menu open.
async function present(t, url, options = DEVICES.desktop) {
  const view = await openFlock(t, browser, url, options);
  await view.until('this is a presenter', ({ role }) => role === 'presenter');
  await view.page.locator('#panel-open').click();
  await view.page.locator('#panel-recording summary').click();
  return view;
}

// A folder that lasts as long as the test.
function folderOf(t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-page-'));
  atEnd(t, () => rmSync(folder, { recursive: true }));
  return folder;
}

// The file that a click on that button downloads: its name, path and bytes. Removed at the test's end.
async function download(t, page, button) {
  const [coming] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const file = path.join(folderOf(t), coming.suggestedFilename());
  await coming.saveAs(file);
  return { name: coming.suggestedFilename(), file, bytes: await readFile(file) };
}

test('a presenter downloads the recording, with names if asked, and opens it on another server', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, ...RESTING]);
  const { page, until: shows } = await present(t, `${lobby(server)}?name=Adalbert#key=${KEY}`);
  const pupil = await flock.join(t, server.ws, { name: 'Bo' });
  pupil.send([flock.CURSOR, 100, 100]);
  await pupil.until('the cursor counts', () => pupil.snapshot.cursors.size > 0);
  await page.locator('[data-param] [type=range]').first().press('ArrowRight');
  await pupil.until('everyone hears of the change', () => pupil.events.some(({ name }) => name === 'param'));
  await shows('a second has passed', ({ tick }) => tick > 30);
  const panel = page.locator('#panel-recording');
  const plain = await download(t, page, panel.locator('.download'));
  const { getFullYear, getMonth, getDate } = Date.prototype;
  const [year, month, day] = [getFullYear, getMonth, getDate].map((part, i) => String(part.call(new Date()) + (i === 1 ? 1 : 0)).padStart(2, '0'));
  assert.equal(plain.name, `Lobby ${year}-${month}-${day}.flock`);
  assert.ok(!plain.bytes.includes('Adalbert'), 'nobody is named in it');
  await panel.locator('.recording [type=checkbox]').check();
  const named = await download(t, page, panel.locator('.download'));
  assert.ok(named.bytes.includes('Adalbert'), 'now people are');
  for (const { file } of [plain, named]) {
    const { code, stderr } = await runToEnd(t, ['--replay', file, '--verify'], { command: [FLOCK_SIM] });
    assert.equal(code, 0, stderr);
  }

  const other = await startServer(t);
  const start = await openPage(t, browser, other.url, DEVICES.desktop);
  await start.page.locator('.preset').first().waitFor();
  await start.page.locator('#title').fill('Lesson one');
  await start.page.locator('.preset', { hasText: 'A recording' }).click();
  await start.page.locator('#recording').setInputFiles(named.file);
  await assertAccessible(start.page, 'a recording is chosen', ['#0f1522', '#05070c']);
  await start.page.locator('#create button').click();
  await start.page.waitForURL(/\/r\//);
  await start.until('it plays, and one presents', ({ role, title, boids }) => role === 'presenter' && title === 'Lesson one' && boids > 0);
  await start.page.locator('#past-line').waitFor();
  await start.page.locator('#past-text', { hasText: /^0:\d\d of 0:\d\d$/ }).waitFor();
  await start.page.locator('#past-marks i').waitFor({ state: 'attached' });
  await start.page.locator('#past-line').press('Home'); // the page may have loaded later than the recording passed the change
  await start.page.locator('#past-change-after').click();
  await start.page.locator('#past-mark', { hasText: /^Adalbert: .* → / }).waitFor();
  await start.until('recorded cursors have names', ({ cursors }) => cursors.some(({ name }) => name === 'Bo'));
});

test('the timeline has a download of the recording', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const { page, until: shows } = await present(t, `${lobby(server)}#key=${KEY}`);
  await shows('there is a past', ({ tick }) => tick > 5);
  await page.locator('#past-open').click();
  const { name } = await download(t, page, page.locator('#past-tools .download'));
  assert.match(name, /^Lobby \d{4}-\d\d-\d\d\.flock$/);
  await assertAccessible(page, 'the timeline', DARK);
});

test('the page reports a failed download or a bad file', async (t) => {
  const server = await startServer(t, ['--rewind', '0', '--presenter-key', KEY]);
  const expected = /status of 4\d\d/;
  const { page } = await present(t, `${lobby(server)}#key=${KEY}`, { ...DEVICES.desktop, expected });
  const problem = page.locator('#panel-recording .problem');
  await page.locator('#panel-recording .download').click();
  await problem.filter({ hasText: 'There is no recording yet' }).waitFor();

  const start = await openPage(t, browser, server.url, { ...DEVICES.desktop, expected });
  const file = (text) => ({ name: 'lesson.flock', mimeType: 'application/octet-stream', buffer: Buffer.from(text) });
  await start.page.locator('.preset').first().waitFor();
  await start.page.locator('.preset', { hasText: 'A recording' }).click();
  await start.page.locator('#create button').click();
  await start.page.locator('#create-problem', { hasText: 'Choose the recording' }).waitFor();
  await start.page.locator('#recording').setInputFiles(file('tick,id,x,y'));
  let go = () => {};
  const held = new Promise((resolve) => (go = () => resolve(null)));
  await start.page.route('**/api/rooms?*', async (route) => {
    await held;
    await route.continue();
  }, { times: 1 }); // a large file does not pass through the test
  const button = start.page.locator('#create button');
  await button.click();
  await button.filter({ hasText: 'Sending the recording' }).waitFor(); // which can take a while
  go();
  await button.filter({ hasText: 'Create the room' }).waitFor();
  await start.page.locator('#create-problem', { hasText: 'This file cannot be opened' }).waitFor();
  const large = path.join(folderOf(t), 'large.flock');
  writeFileSync(large, '');
  truncateSync(large, 33 * 2 ** 20);
  await start.page.locator('#recording').setInputFiles(large);
  await until('what was said of another file is gone', async () => (await start.page.locator('#create-problem').textContent()) === '');
  await start.page.locator('#create button').click();
  await start.page.locator('#create-problem', { hasText: 'larger than this server accepts' }).waitFor();
});

test('a presenter without the key learns what to do', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const teacher = await flock.join(t, server.ws, { name: 'Ada', key: KEY });
  const view = await openFlock(t, browser, lobby(server), DEVICES.desktop);
  const { id } = await view.state();
  assert.equal(await teacher.ask([flock.APPOINT, id, 'presenter']), null);
  await view.page.locator('#panel-open').click();
  await view.page.locator('#panel-recording summary').click();
  for (const what of ['download', 'branch']) {
    await view.page.locator(`#panel-recording .${what}`).click();
    await view.page.locator('#panel-recording .problem', { hasText: 'key' }).waitFor();
  }
});

// The frames of two rooms side by side, when both show a flock that this person presents, and follow each other.
async function framesOf(page, presents = true) {
  await page.locator('#beside iframe').nth(1).waitFor();
  const frames = await Promise.all((await page.locator('#beside iframe').all()).map(async (each) => (await each.elementHandle()).contentFrame()));
  for (const frame of frames)
    await until('the frame shows its room', async () => (await stateOf(frame)).boids > 0 && (!presents || (await stateOf(frame)).role === 'presenter'), () => frame.url());
  for (const frame of frames) await frame.locator('html.framed').waitFor();
  await until('the keyboard is in one of them', () => page.evaluate(() => document.activeElement?.localName === 'iframe'));
  return frames;
}

const isChosen = (page, index) => page.locator('#beside iframe').nth(index).evaluate((frame) => frame.classList.contains('chosen'));

// Moves the mouse over a frame, to that part of its width and height.
async function pointAt(page, index, x, y) {
  const box = await page.locator('#beside iframe').nth(index).boundingBox();
  await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  return [box.x + x * box.width, box.y + y * box.height];
}

// The same, where nothing covers the flock.
async function pointAtFlock(page, index, x, y) {
  const frame = page.locator('#beside iframe').nth(index).contentFrame();
  const above = () => frame.locator('html').evaluate((_, [px, py]) => document.elementFromPoint(px * innerWidth, py * innerHeight)?.id, [x, y]);
  await until('nothing covers the flock there', async () => (await above()) === 'canvas', above);
  await pointAt(page, index, x, y);
}

const near = (a, b) => a !== null && b !== null && flock.distance(a, b) < 1;

test('a branch shows beside its room: one cursor steers both, and each has its own controls', async (t) => {
  const server = await startServer(t, RESTING);
  const room = await createRoom(server, { title: 'Bees', preset: 'bees', boids: 60 });
  const { page, until: shows } = await present(t, pageOf(server, room, `?name=Ada#key=${room.key}`));
  await shows('there is a flock', ({ boids }) => boids === 60);
  await page.locator('#panel-recording .branch').click();
  await page.waitForURL(/\?beside=/);
  const [left, right] = await framesOf(page);
  const titles = [(await stateOf(left)).title, (await stateOf(right)).title];
  assert.deepEqual(titles, ['Bees', 'Branch of Bees']);
  await until('the window is called by both', async () => /^Bees \| Branch of Bees/.test(await page.title()), () => page.title());
  assert.equal((await stateOf(right)).flock, 60, 'the branch begins with the same flock');

  // Until then its panel may lie under the mouse.
  for (const part of ['#controls', '#panel']) await right.locator(part).waitFor({ state: 'hidden' });
  for (const index of [0, 1]) {
    await pointAtFlock(page, index, 0.2 + 0.5 * index, 0.8);
    await until('both flocks have the same target', async () => near((await stateOf(left)).target, (await stateOf(right)).target), async () => [await stateOf(left), await stateOf(right)].map(({ target }) => target));
    const before = (await stateOf(left)).target;
    // No other cursor was here, so that a target of before is not taken for this one.
    await pointAtFlock(page, index, 0.4 + 0.5 * index, 0.65);
    await until('and both move', async () => [left, right].every(async (frame) => !near((await stateOf(frame)).target, before)) && near((await stateOf(left)).target, (await stateOf(right)).target) && !near((await stateOf(right)).target, before), async () => [before, (await stateOf(left)).target, (await stateOf(right)).target]);
  }
  await page.mouse.move(-1, -1);

  await until('the first is chosen', () => isChosen(page, 0));
  await right.locator('#controls').waitFor({ state: 'hidden' }); // only the chosen room has controls
  const [x, y] = await pointAt(page, 1, 0.6, 0.6);
  await page.mouse.click(x, y);
  await until('the other one is chosen', () => isChosen(page, 1));
  const openIn = () => Promise.all([left, right].map((frame) => frame.locator('#panel').isVisible()));
  await until('it has the controls', async () => (await openIn()).join() === 'false,true', async () => [await openIn(), await isChosen(page, 1), (await stateOf(left)).role, (await stateOf(right)).role]);
  const name = 'inertia';
  const was = (await stateOf(right)).params[name];
  await right.locator(`[data-param=${name}] input[type=range]`).focus();
  await page.keyboard.press('End');
  await until('its parameter changes', async () => (await stateOf(right)).params[name] > was);
  assert.equal((await stateOf(left)).params[name], was, 'and that of the other room does not');

  await left.locator('#beside-close').click();
  await page.waitForURL((url) => url.search === '' && !url.pathname.includes(room.code));
  await shows('the branch is alone, and is presented', ({ role, title }) => role === 'presenter' && title === 'Branch of Bees');
});

test('late controls stay open', async (t) => {
  const server = await startServer(t, RESTING);
  const [one, two] = [await createRoom(server, { title: 'One' }), await createRoom(server, { title: 'Two' })];
  let begin = () => {};
  let begun = Promise.resolve(null);
  const watch = (page) =>
    page.routeWebSocket(/\/ws\?/, (socket) => {
      const ws = socket.connectToServer();
      let first = false; // of the first room
      socket.onMessage((message) => {
        first ||= message.includes(one.code);
        ws.send(message);
      });
      ws.onMessage(async (message) => {
        if (first) await begun;
        socket.send(message);
      });
    });
  const view = await present(t, pageOf(server, one, `#key=${one.key}`), { ...DEVICES.desktop, watch });
  // Now the first room sends nothing until its controls are loaded; by then the second room is ready.
  begun = new Promise((resolve) => (begin = () => resolve(null)));
  let come = () => {};
  const coming = new Promise((resolve) => (come = () => resolve(null)));
  await view.page.route(`**${two.path}`, async (route) => {
    await coming;
    await route.continue();
  });
  await view.page.goto(pageOf(server, one, `?beside=${two.code}#key=${one.key}`));
  const [left, right] = [0, 1].map((index) => view.page.locator('#beside iframe').nth(index).contentFrame());
  await left.locator('html.framed').waitFor();
  await left.locator('#panel-recording').waitFor({ state: 'attached' });
  await left.locator('html').evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  come();
  await right.locator('html.framed').waitFor();
  begin();
  await left.locator('#panel').waitFor();
});

test('with keys only: the tab key chooses a room, others steer and close it', async (t) => {
  const server = await startServer(t, RESTING);
  const [one, two] = [await createRoom(server, { title: 'One' }), await createRoom(server, { title: 'Two' })];
  const { page } = await openPage(t, browser, pageOf(server, one, `?beside=${two.code}`), DEVICES.desktop);
  const [left, right] = await framesOf(page, false);
  await until('the first is chosen', () => isChosen(page, 0));
  await page.keyboard.down('ArrowRight');
  for (const frame of [left, right]) await until('the arrow keys steer both', async () => (await stateOf(frame)).steers);
  await page.keyboard.up('ArrowRight');
  for (let i = 0; i < 40 && !(await isChosen(page, 1)); i += 1) await page.keyboard.press('Tab');
  assert.ok(await isChosen(page, 1), 'the tab key leads to the other one');
  for (let i = 0; i < 40 && !(await right.evaluate(() => document.activeElement?.id === 'beside-close')); i += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(pageOf(server, one));
});

// CSS pixels per world unit.
const scaleOf = (frame) => frame.evaluate(() => (window.flock.toScreen(100, 0)[0] - window.flock.toScreen(0, 0)[0]) / 100);

test('two rooms have the same scale, whatever their worlds and wherever their flocks are', async (t) => {
  const server = await startServer(t, RESTING);
  const [one, two] = [await createRoom(server, { preset: 'march' }), await createRoom(server, { preset: 'original' })];
  const guide = await flock.join(t, server.ws, { room: two.code, key: two.key });
  const { page } = await openPage(t, browser, pageOf(server, one, `?beside=${two.code}`), { viewport: { width: 1366, height: 768 } });
  const [left, right] = await framesOf(page, false);
  const scales = () => Promise.all([left, right].map(scaleOf));
  const same = async () => {
    const [a, b] = await scales();
    return Math.abs(a / b - 1) < 0.001;
  };
  await until('worlds of different sizes have the same scale', same, scales);
  const [before] = await scales(); // the whole larger world
  const worlds = await Promise.all([left, right].map(async (frame) => (await stateOf(frame)).world));
  assert.notDeepEqual(worlds[0], worlds[1]);

  await guide.ask([flock.SET, 'preset', 'march']);
  await guide.ask([flock.SET, 'boundary', 'open']);
  await until('the other world is open, and as large', async () => (await stateOf(right)).world.join() === worlds[0].join(), scales);
  await until('the same worlds have the same scale', same, scales);
  guide.send([flock.CURSOR, 0, 0]);
  await until('a flock that leaves its world makes both smaller', async () => (await same()) && (await scaleOf(left)) < 0.95 * before, scales);
});

test('a presenter shows both rooms to everyone: the same scale and the same cursors, and later one room again', async (t) => {
  const server = await startServer(t, RESTING);
  const [one, two] = [await createRoom(server, { title: 'One' }), await createRoom(server, { title: 'Two' })];
  const pupil = await openFlock(t, browser, pageOf(server, one, '?name=Bo'), DEVICES.desktop);
  const { page } = await openPage(t, browser, pageOf(server, one, `?name=Ada&beside=${two.code}#key=${one.key}`), { viewport: { width: 1366, height: 768 } });
  await page.locator('#beside iframe').nth(1).waitFor();
  const [left, right] = await framesOf(page, false);
  await until('Ada presents', async () => (await stateOf(left)).role === 'presenter');
  await left.locator('#panel-open').click();
  await left.locator('#panel').waitFor();
  const scales = () => Promise.all([left, right].map(scaleOf));
  const same = async () => {
    const [a, b] = await scales();
    return Math.abs(a / b - 1) < 0.01;
  };
  await until('both have the same scale beside the controls', same, scales);
  await until('the text about a reduced stream has space beside the controls', () => left.evaluate(() => {
    const [boids, status, controls] = ['boids', 'status', 'controls'].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
    document.documentElement.classList.add('less');
    boids.textContent = 'showing 1,334 of 4,000 boids, 5 a second';
    const [text, box, buttons] = [boids, status, controls].map((each) => each.getBoundingClientRect());
    return text.bottom <= box.bottom && text.right <= box.right && box.bottom <= buttons.top;
  }));
  let before = 0;
  await until('the view rests', async () => {
    const last = before;
    await left.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    before = await scaleOf(left);
    return before === last;
  });
  const [x, y] = await pointAt(page, 1, 0.5, 0.5);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await until('a zoom is of both', async () => (await same()) && (await scaleOf(left)) > 1.2 * before, scales);

  await left.locator('#panel-recording summary').click();
  await left.getByLabel('Everyone sees both rooms').check();
  await pupil.page.waitForURL(({ searchParams }) => searchParams.get('beside') === two.code);
  const both = await framesOf(pupil.page, false);
  const watchers = await Promise.all([one, two].map(({ code }) => flock.join(t, server.ws, { room: code })));
  const [px, py] = await pointAt(pupil.page, 0, 0.5, 0.6);
  await pupil.page.mouse.move(px, py);
  for (const watcher of watchers) await watcher.until('the pupil’s cursor is in both', () => [...watcher.people.values()].some(({ name }) => name === 'Bo') && watcher.snapshot.cursors.size > 0);
  await both[0].locator('#beside-close').waitFor();

  await left.getByLabel('Everyone sees both rooms').uncheck();
  await pupil.page.waitForURL(pageOf(server, one, '?name=Bo'));
  await pupil.until('the pupil sees one room', ({ room, boids }) => room === one.code && boids > 0);
  await left.getByLabel('Everyone sees both rooms').check();
  await pupil.page.waitForURL(({ searchParams }) => searchParams.has('beside'));
  const [first] = await framesOf(pupil.page, false);
  const second = (await framesOf(pupil.page, false))[1];
  await second.locator('#beside-close').click();
  await pupil.page.waitForURL(pageOf(server, one));
  await pupil.until('who closes the pair stays alone', ({ room, boids }) => room === one.code && boids > 0);
  assert.ok(first.isDetached());

  await left.getByLabel('Everyone sees both rooms').uncheck();
  const [watcher] = watchers; // the server tells the pupil before it
  await watcher.until('the pair has ended', () => !watcher.room.beside);
  await left.getByLabel('Everyone sees both rooms').check(); // the next pair is shown to the pupil, too
  await pupil.page.waitForURL(({ searchParams }) => searchParams.has('beside'));
});

test('a presenter who shows and ends a pair over and over does not keep a page from working', async (t) => {
  const server = await startServer(t);
  const [one, two] = [await createRoom(server), await createRoom(server)];
  const pupil = await openFlock(t, browser, pageOf(server, one, '?name=Bo'), DEVICES.desktop);
  const presenter = await flock.join(t, server.ws, { room: one.code, key: one.key });
  let loads = 0;
  let sent = 0;
  pupil.page.on('domcontentloaded', () => (loads += 1));
  const toggling = setInterval(() => presenter.send([flock.BESIDE, (sent += 1) % 2 === 1 ? two.code : '']), 5);
  atEnd(t, () => clearInterval(toggling));
  await until('the presenter has sent 1,000 changes, or the server has refused too many', () => sent >= 1000 || presenter.closed !== null);
  clearInterval(toggling);
  assert.ok(loads <= 2, `${loads} loads`);
  await pupil.page.waitForURL(({ searchParams }) => !searchParams.has('beside'));
  await pupil.until('the pupil sees one room', ({ room, boids }) => room === one.code && boids > 0);
  assert.ok(loads <= 2, `${loads} loads`);
});

test('two rooms whose code came in lower case are loaded once', async (t) => {
  const server = await startServer(t);
  const [one, two] = [await createRoom(server), await createRoom(server)];
  const pupil = await openFlock(t, browser, pageOf(server, one), DEVICES.desktop);
  let loads = 0;
  pupil.page.on('domcontentloaded', () => (loads += 1));
  assert.equal((await call(server, 'PATCH', roomOf(one), { body: { beside: two.code.toLowerCase() }, key: one.key })).status, 204);
  await pupil.page.waitForURL(({ searchParams }) => searchParams.get('beside') === two.code);
  const [frame] = await framesOf(pupil.page, false);
  await until('the frame has heard of the pair', () => frame.evaluate(() => Number(window.flock.state().tick) > 30));
  assert.equal(loads, 1);
  assert.ok(!frame.isDetached());
});

test('both rooms show the projector view and the measures, or neither', async (t) => {
  const server = await startServer(t);
  const [one, two] = [await createRoom(server), await createRoom(server)];
  const { page } = await openPage(t, browser, pageOf(server, one, `?view=projector&beside=${two.code}`), DEVICES.desktop);
  const frames = await framesOf(page, false);
  const both = (selector, state) => Promise.all(frames.map((frame) => frame.locator(selector).waitFor({ state })));
  await both('#projector-card', 'visible');
  await page.keyboard.press('v');
  await both('#projector-card', 'hidden');
  await page.waitForURL(({ searchParams }) => !searchParams.has('view')); // so a reload restores the view
  await both('#measures-list', 'visible');
  await page.keyboard.press('m');
  await both('#measures-list', 'hidden');
  const [x, y] = await pointAt(page, 1, 0.5, 0.6);
  await page.mouse.click(x, y);
  await until('the other one is chosen', () => isChosen(page, 1));
  await page.keyboard.press('v');
  await both('#projector-card', 'visible');
  await page.waitForURL(({ searchParams }) => searchParams.get('view') === 'projector' && searchParams.get('beside') === two.code);
});

for (const [device, options] of Object.entries(DEVICES)) {
  test(`two rooms side by side have no accessibility fault: ${device}`, async (t) => {
    const server = await startServer(t);
    const [one, two] = [await createRoom(server), await createRoom(server)];
    const { page } = await openPage(t, browser, pageOf(server, one, `?beside=${two.code}`), options);
    const frames = await framesOf(page, false);
    const boxes = await Promise.all([0, 1].map((index) => page.locator('#beside iframe').nth(index).boundingBox()));
    if (device === 'phone') assert.ok(boxes[1].y >= boxes[0].y + boxes[0].height, 'one above the other');
    else assert.ok(boxes[1].x >= boxes[0].x + boxes[0].width, 'side by side');
    await page.bringToFront();
    for (const frame of frames) {
      await frame.locator('#beside-close').waitFor();
      await assertAccessible(frame, 'in the frame', DARK);
    }
    assert.deepEqual(await page.locator('#beside iframe').evaluateAll((all) => all.map((/** @type {any} */ { title }) => title !== '')), [true, true]);
  });
}

test('when one of two rooms ends, the page says so, and the other continues', async (t) => {
  const server = await startServer(t);
  const [one, two] = [await createRoom(server), await createRoom(server)];
  const { page } = await openPage(t, browser, pageOf(server, one, `?beside=${two.code}`), DEVICES.desktop);
  const [left, right] = await framesOf(page, false);
  await call(server, 'DELETE', roomOf(two), { key: two.key });
  await right.locator('#notice-first', { hasText: 'Start page' }).waitFor();
  assert.equal((await stateOf(left)).status, 'connected');
  await right.locator('#notice-first').click();
  await page.waitForURL(server.url);
});

test('if the second room does not load, the page shows the first', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  const watch = (page) => page.route('**/beside-*.js', (route) => route.abort());
  const view = await openFlock(t, browser, pageOf(server, room, `?beside=lobby`), { ...DEVICES.desktop, watch, expected: /ERR_FAILED/ });
  await view.said('toast', 'cannot be shown beside');
});
