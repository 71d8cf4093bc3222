// Why a boid turns, on the page: picked with the mouse, a finger and keys alone, in a sentence, bars and arrows.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { createRoom } from './api.mjs';
import { lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { root, startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'key-of-the-reasons';
const FLOCK = ['--model', 'boids', '--boids', '60', '--idle', 'hold', '--presenter-key', KEY];
const DESKTOP = { viewport: { width: 1366, height: 768 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const browser = await sharedBrowser();

const shoot = async (page, name) => {
  mkdirSync(`${root}/build/shots`, { recursive: true });
  await page.screenshot({ path: `${root}/build/shots/why-${name}.png` });
};

/** A room that is paused, its presenter and a page. */
async function lesson(t, options, more = {}) {
  const server = await startServer(t, FLOCK);
  const presenter = await flock.join(t, server.ws, { key: KEY, topics: flock.TOPIC_SHOWN, ...more });
  await presenter.until('the flock has moved', () => presenter.snapshot.tick > 60);
  assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
  const view = await openFlock(t, browser, lobby(server), options);
  const { page } = view;
  await view.until('the page is still', ({ boids }) => boids === 60);
  const place = async (boid) => {
    const [x, y] = presenter.snapshot.boids[boid];
    return page.evaluate(([wx, wy]) => window.flock.toScreen(wx, wy), [x, y]);
  };
  // A panel that opens moves the view. Resolves when a boid stays at its place from one picture to the next.
  const rest = () =>
    until('the view rests', async () => {
      const before = await place(17);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      return flock.distance(before, await place(17)) === 0;
    });
  const says = (what, probe) => until(what, async () => probe(await page.locator('#why-text').innerText()), () => page.locator('#why').innerText());
  const boid = () => page.locator('#why-number').inputValue();
  return { server, presenter, view, page, place, rest, says, boid };
}

/**
 * Whether the canvas over the boids is painted near that point of the window.
 * @param {import('playwright-core').Page} page
 * @param {number[]} point
 */
const hasZones = (page, [x, y]) =>
  page.evaluate(
    ([px, py]) => {
      const overlay = /** @type {HTMLCanvasElement} */ (document.getElementById('overlay'));
      const copy = new OffscreenCanvas(9, 9).getContext('2d', { willReadFrequently: true });
      const ratio = overlay.width / innerWidth;
      copy.drawImage(overlay, px * ratio - 4, py * ratio - 4, 9, 9, 0, 0, 9, 9);
      return copy.getImageData(0, 0, 9, 9).data.some((value, i) => i % 4 === 3 && value > 0);
    },
    [x, y - 14],
  );

const A_SENTENCE = /^(Turns (left|right)|Flies straight on)( and (speeds up|slows down))?(: .+)?\.$/;

test('a click picks a boid: a sentence, a bar for each rule, and its neighbours', async (t) => {
  const { page, place, rest, says, boid, presenter } = await lesson(t, DESKTOP);
  await page.keyboard.press('y');
  await says('the boid in the middle', (text) => A_SENTENCE.test(text));
  await rest();
  await page.mouse.click(...(await place(17)));
  await until('boid 17', async () => (await boid()) === '17', boid);
  await says('its sentence', (text) => A_SENTENCE.test(text));
  const names = await page.locator('#why-pushes li span:nth-child(2)').allInnerTexts();
  assert.deepEqual(names, ['Separation', 'Alignment', 'Cohesion', 'Target', 'Limits', 'Sum']);
  const figures = await page.locator('#why-pushes b').allInnerTexts();
  assert.ok(figures.every((figure) => /^\d\.\d{3}$/.test(figure)), figures.join());

  const told = await flock.join(t, presenter.socket.url, { topics: flock.TOPIC_WHY });
  assert.equal(await told.ask([flock.PICK, 17, false]), null);
  const why = await told.until('the same explanation', () => told.whys.own?.boid === 17 && told.whys.own);
  const lengths = why.pushes.map(([, x, y]) => Math.hypot(x, y).toFixed(3));
  assert.deepEqual(figures.slice(0, -1), lengths);
  assert.equal(await page.locator('#why-near button').count(), why.near.length);
  await shoot(page, 'desktop');
});

test('the arrows change with the slider of a paused flock, and a step moves on', async (t) => {
  const { page, presenter, says } = await lesson(t, DESKTOP);
  await page.keyboard.press('y');
  await says('a sentence', (text) => A_SENTENCE.test(text));
  const cohesion = page.locator('#why-pushes li', { hasText: 'Cohesion' }).locator('b');
  const before = await cohesion.innerText();
  assert.notEqual(before, '0.000');
  assert.equal(await presenter.ask([flock.PARAM, 'cohesion_weight', 0]), null);
  await until('no cohesion', async () => (await cohesion.innerText()) === '0.000', () => cohesion.innerText());
  assert.equal(await presenter.ask([flock.PARAM, 'cohesion_weight', 1]), null);
  await until('as before', async () => (await cohesion.innerText()) === before, () => cohesion.innerText());
});

test('by keys alone: Y opens it, the field and the neighbours choose a boid, Escape closes it', async (t) => {
  const { page, says, boid } = await lesson(t, DESKTOP);
  await page.keyboard.press('y');
  await says('a sentence', (text) => A_SENTENCE.test(text));
  const first = await boid();
  await page.keyboard.press('Tab'); // the button that closes
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'why-number');
  await page.keyboard.press('ArrowUp');
  await until('the next boid', async () => (await boid()) === String(Number(first) + 1), boid);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('17');
  await page.keyboard.press('Enter');
  await until('its neighbours', async () => (await page.locator('#why-near button').count()) > 0, () => page.locator('#why').innerText());
  await says('its sentence', (text) => A_SENTENCE.test(text));
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  for (let i = 0; i < 4 && !(await focused()).startsWith('1: '); i++) await page.keyboard.press('Tab');
  const label = await focused();
  const [, neighbour] = /^1: boid (\d+), \d+ away$/.exec(label) ?? assert.fail(label);
  await page.keyboard.press('Enter');
  await until('the neighbour', async () => (await boid()) === neighbour, boid);
  await page.keyboard.press('Escape');
  await page.locator('#why').waitFor({ state: 'hidden' });
});

test('with the explanation open, a presenter pauses and steps by keys and buttons', async (t) => {
  const server = await startServer(t);
  const { code, key } = await createRoom(server, { model: 'boids', boids: 60 });
  const { page, until: sees } = await openFlock(t, browser, `${server.url}r/${code}#key=${key}`, DESKTOP);
  const watcher = await flock.join(t, server.ws, { room: code });
  await sees('a presenter', ({ role }) => role === 'presenter');
  await page.keyboard.press('y');
  await page.locator('#why #step').waitFor();
  await page.keyboard.press(' ');
  await sees('time stands still', ({ controls }) => controls.run === 'paused');
  const tick = await watcher.until('two snapshots of one tick', () => {
    const [a, b] = watcher.messages.filter(([type]) => type === flock.SNAPSHOT).slice(-2);
    return b !== undefined && a[2] === b[2] ? b[2] : 0;
  });
  const arrows = () => page.locator('#why-pushes').innerHTML();
  const before = await arrows();
  await page.keyboard.press('.');
  await watcher.until('one tick', ({ snapshot }) => snapshot.tick === tick + 1);
  await page.locator('#why #step').click();
  await watcher.until('one more tick', ({ snapshot }) => snapshot.tick === tick + 2);
  await until('other arrows', async () => (await arrows()) !== before, arrows);
  await shoot(page, 'steps');
  await page.keyboard.press(' ');
  await sees('the space bar does not press the button that was clicked', ({ controls }) => controls.run === 'running');
  await page.keyboard.press('p');
  await page.locator('#panel #step').waitFor();
  const pupil = await openFlock(t, browser, `${server.url}r/${code}`, DESKTOP);
  await pupil.page.keyboard.press('y');
  await pupil.page.locator('#why-number').waitFor();
  assert.ok(await pupil.page.locator('#why-lead').isHidden(), 'pupils cannot');
});

test('screen readers hear the sentence, not more than once in two seconds', async (t) => {
  const { page, presenter, says } = await lesson(t, DESKTOP);
  await page.evaluate(() => {
    const times = (Object.assign(window, { heard: [] }).heard);
    new MutationObserver(() => {
      const spoken = document.getElementById('why-spoken');
      if (spoken?.textContent && spoken.textContent !== times.at(-1)?.text) times.push({ at: performance.now(), text: spoken.textContent });
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await page.keyboard.press('y');
  await says('a sentence', (text) => A_SENTENCE.test(text));
  assert.equal(await page.locator('#why-spoken').getAttribute('role'), 'status');
  assert.equal(await presenter.ask([flock.SET, 'run', 'running']), null);
  const heard = () => page.evaluate(() => /** @type {any} */ (window).heard);
  await until('three sentences', async () => (await heard()).length >= 3, async () => JSON.stringify(await heard()));
  const times = (await heard()).map(({ at }) => at);
  for (let i = 1; i < times.length; i++) assert.ok(times[i] - times[i - 1] > 1950, times.join());
});

test('a pick that gives way to somebody at another address is said, and the next click picks again', async (t) => {
  const { server, presenter, page, place, rest, says, boid } = await lesson(t, DESKTOP);
  await page.keyboard.press('y');
  await says('the boid in the middle', (text) => A_SENTENCE.test(text));
  await rest();
  const middle = await place(Number(await boid()));
  await until('its zones', () => hasZones(page, middle));
  const enter = (options = {}) => flock.join(t, server.ws, {}, options);
  for (let i = 1; i < 32; i++) assert.equal(await (await enter()).ask([flock.PICK, i, false]), null);
  const elsewhere = await enter({ localAddress: '127.0.0.66' });
  assert.equal(await elsewhere.ask([flock.PICK, 40, false]), null);
  await presenter.until('it is in the list', () => presenter.people.has(elsewhere.id));
  await says('why there is no sentence', (text) => text === 'Others want to look at a boid. Pick another one.');
  assert.equal(await page.locator('#why-pushes li').count(), 0);
  assert.equal(await page.locator('#why-near button').count(), 0);
  await until('no arrows and zones', async () => !(await hasZones(page, middle)));
  await shoot(page, 'ended');
  elsewhere.socket.close();
  await presenter.until('the server knows it', () => !presenter.people.has(elsewhere.id));
  await rest(); // the panel is smaller now
  await page.mouse.click(...(await place(17)));
  await until('boid 17', async () => (await boid()) === '17', boid);
  await says('its sentence, when the other person has left', (text) => A_SENTENCE.test(text));
});

test('on a phone a finger that rests picks a boid, but not where it leads boids, and a tap another one', async (t) => {
  const { page, place, says, boid, presenter, view } = await lesson(t, PHONE);
  const finger = await page.context().newCDPSession(page);
  const [x, y] = await place(23);
  assert.equal(await presenter.ask([flock.SET, 'policy', 'nearest']), null);
  await view.until('each leads the boids near the finger', ({ controls }) => controls.policy === 'nearest');
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await page.locator('#own.touch').waitFor({ state: 'attached' });
  // The page's timers run in their order: this one is after that of a rest, 0.9 s.
  await page.evaluate(() => new Promise((then) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(then)), 900)));
  assert.ok(await page.locator('#why').isHidden());
  await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: 385, y: 500 }] });
  await until('the finger is at the edge', () => page.evaluate(() => document.getElementById('own').getBoundingClientRect().left > 370));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, 'its ring makes the page no wider');
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  assert.equal(await presenter.ask([flock.SET, 'policy', 'mean']), null);
  await view.until('the flock follows all', ({ controls }) => controls.policy === 'mean');
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await page.locator('#why').waitFor();
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await until('boid 23', async () => (await boid()) === '23', boid);
  await says('its sentence', (text) => A_SENTENCE.test(text));
  let last = '';
  const rests = async () => {
    const before = last;
    last = String(await place(40));
    await page.evaluate(() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then))));
    return last === before && (await place(40))[1] < 844 * 0.58;
  };
  await until('the view has moved above the panel', rests, () => last);
  await page.touchscreen.tap(...(await place(40)));
  await until('boid 40', async () => (await boid()) === '40', boid);
  await says('its sentence', (text) => A_SENTENCE.test(text));
  await shoot(page, 'phone');
  await page.locator('#why-near button').first().tap();
  await until('its nearest neighbour', async () => (await boid()) !== '40', boid);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'why', 'a field would open the keyboard of the phone');
});

test('a presenter shows a boid to all and follows it with the camera', async (t) => {
  const server = await startServer(t);
  const { code, key } = await createRoom(server, { model: 'vision', boids: 60 });
  const pupil = await openFlock(t, browser, `${server.url}r/${code}`, DESKTOP);
  const { page, until: sees } = await openFlock(t, browser, `${server.url}r/${code}#key=${key}`, DESKTOP);
  await page.keyboard.press('y');
  await page.locator('#why-number').waitFor();
  const scaleOf = () => page.evaluate(() => window.flock.toScreen(100, 0)[0] - window.flock.toScreen(0, 0)[0]);
  const scale = await scaleOf();
  await page.locator('#why-show').check();
  await page.locator('#why-follow').check();
  await sees('the camera comes near', async () => (await scaleOf()) > scale * 1.2);
  await pupil.page.keyboard.press('y');
  await until('the pupil reads it', async () => /shows this boid\. \S/.test(await pupil.page.locator('#why-text').innerText()), () => pupil.page.locator('#why').innerText());
  await until('the same boid', async () => (await pupil.page.locator('#why-number').inputValue()) === (await page.locator('#why-number').inputValue()), () => 'another boid');
  await shoot(pupil.page, 'shown');
  await shoot(page, 'follow');
  await page.locator('#why-follow').uncheck();
  await sees('the whole flock', async () => (await scaleOf()) < scale * 1.1);
});
