// The class modes in the page: what a teacher chooses, and what each pupil and the whole class see of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTING, lobby, openFlock, pointUntil, sharedBrowser } from './browser.mjs';
import { ATTENTION, CURSOR, SET, join } from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'key-of-the-class';
const LAPTOP = { viewport: { width: 1366, height: 768 }, moves: true };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, moves: true };
// Flocks that reach each leader within seconds.
const FLOCK = [...RESTING, '--preset', 'bees', '--boids', '120', '--world', '600x400', '--boundary', 'walls', '--idle', 'hold', '--presenter-key', KEY];

const browser = await sharedBrowser();

// The teacher's page, with open controls.
async function openTeacher(t, server, name = 'Teacher') {
  const view = await openFlock(t, browser, `${lobby(server)}?name=${name}#key=${KEY}`, LAPTOP);
  await view.until('this is a presenter', ({ role }) => role === 'presenter');
  await view.page.locator('#panel-open').click();
  await view.page.locator('#panel').waitFor();
  return view;
}

const choose = ({ page }, mode) => page.locator(`[data-control=policy] label:has([value=${mode}])`).click();
const figure = ({ page }) => page.locator('#lead').innerText();
const says = (view, what) => until(`the figure says ${what}`, async () => what.test((await figure(view)).replace(/\s+/g, ' ')), () => figure(view));

// The share of that colour in the flock's red and blue pixels, with nothing above the flock. The ground is neither red nor blue.
async function shareOf(view, color) {
  await view.page.evaluate(() => {
    for (const each of document.querySelectorAll('main > :not(#stage), body > :not(main), #overlay')) if (each instanceof HTMLElement) each.style.visibility = 'hidden';
  });
  const image = await view.page.screenshot();
  return view.page.evaluate(
    async ([base64, wanted]) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
      pen.drawImage(bitmap, 0, 0);
      const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
      const count = { red: 0, blue: 0 };
      for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
        if (Math.max(r, g, b) < 130 || Math.max(r, g, b) - Math.min(r, g, b) < 60) continue;
        count.red += Number(r > 1.6 * Math.max(g, b));
        count.blue += Number(b > 1.2 * g && b > 1.8 * r);
      }
      return count[wanted] / Math.max(1, count.red + count.blue);
    },
    [image.toString('base64'), color],
  );
}

test('nearest: a pupil reads how many boids follow, and they have the pupil’s colour', async (t) => {
  const server = await startServer(t, FLOCK);
  const teacher = await openTeacher(t, server);
  const pupil = await openFlock(t, browser, `${lobby(server)}?name=Ben`, LAPTOP);
  const other = await join(t, server.ws, { name: 'Cleo' });
  assert.equal(await teacher.page.locator('#panel [data-control=policy] > .about').innerText(), 'The flock goes to the middle of all cursors.');
  assert.ok(await pupil.page.locator('#lead').isHidden());
  await choose(teacher, 'nearest');
  await teacher.page.locator('#panel [data-control=policy] > .about', { hasText: 'nearest cursor' }).waitFor();
  await says(pupil, /Move: the boids near you follow/);
  await pointUntil(pupil, [100, 200], 'the pupil leads some', async () => /^[1-9]\d* boids? follows? you$/.test(await figure(pupil)));
  await teacher.page.mouse.move(5, 5);
  const boids = async () => Number((await figure(pupil)).match(/^\d+/)?.[0]);
  assert.ok((await boids()) <= 120);
  // The other cursor comes close: it takes boids away.
  other.send([CURSOR, 120, 200]);
  const before = await boids();
  await until('the other pupil has some now', async () => (await boids()) < before, boids);
});

for (const renderer of ['2d', 'webgl2']) {
  test(`teams: a tap joins one, all see it, and boids have the teams’ colours: ${renderer}`, async (t) => {
    const server = await startServer(t, FLOCK);
    const teacher = await openTeacher(t, server);
    const pupil = await openFlock(t, browser, `${lobby(server)}?name=Ben&renderer=${renderer}`, PHONE);
    await choose(teacher, 'teams');
    await says(pupil, /^Team (Red|Blue): \d+ boids/);
    await teacher.page.locator('[data-control=teams] label:has([value="3"])').click();
    const buttons = pupil.page.locator('#lead-teams button:visible');
    await until('there are three teams', async () => (await buttons.count()) === 3);
    await buttons.nth(1).tap();
    await says(pupil, /^Team Blue/);
    assert.equal(await buttons.nth(1).getAttribute('aria-pressed'), 'true');
    await teacher.page.locator('#people-list li', { hasText: 'Ben' }).locator('.badge', { hasText: 'blue' }).waitFor();
    await buttons.nth(0).tap();
    await says(pupil, /^Team Red/);
    await pupil.said('lead-spoken', 'You are in team Red');
    // A team without a cursor has no boids.
    const other = await join(t, server.ws, { name: 'Cleo' });
    assert.equal(await other.ask([38, 2]), null);
    other.send([CURSOR, 500, 200]);
    const bar = () => pupil.page.locator('#lead-bar').getAttribute('aria-label');
    await until('blue has all', async () => /^Red 0, Blue 120, Yellow 0$/.test((await bar()) ?? ''), bar);
    for (const { context } of [teacher, pupil]) await context.close(); // they would draw, too
    const seen = await openFlock(t, browser, `${lobby(server)}?renderer=${renderer}`, LAPTOP);
    await seen.page.locator('#lead').waitFor();
    await until('all are blue on the screen', async () => (await shareOf(seen, 'blue')) > 0.8, () => shareOf(seen, 'blue'));
    const third = await join(t, server.ws, { name: 'Dan' });
    assert.equal(await third.ask([38, 1]), null);
    other.send([CURSOR, 20, 20]);
    third.send([CURSOR, 480, 200]);
    await until('red has most', async () => (await shareOf(seen, 'red')) > 0.5, () => shareOf(seen, 'red'));
  });
}

test('on a phone sideways the teams leave most of the height to the flock', async (t) => {
  const server = await startServer(t, FLOCK);
  const ada = await join(t, server.ws, { name: 'Ada', key: KEY });
  const pupil = await openFlock(t, browser, `${lobby(server)}?name=Ben`, { ...PHONE, viewport: { width: 844, height: 390 } });
  assert.equal(await ada.ask([SET, 'policy', 'teams']), null);
  await says(pupil, /^Team (Red|Blue)/);
  for (const [width, height, teams] of [[844, 390, 2], [844, 390, 4], [667, 375, 2], [667, 375, 4]]) {
    await pupil.page.setViewportSize({ width, height });
    assert.equal(await ada.ask([SET, 'teams', String(teams)]), null);
    const shown = pupil.page.locator('#lead-teams button:visible');
    await until(`${teams} teams`, async () => (await shown.count()) === teams);
    const boxOf = (id) => pupil.page.locator(id).boundingBox();
    const [lead, controls, status] = [await boxOf('#lead'), await boxOf('#controls'), await boxOf('#status')];
    assert.ok(lead.height < 62, `${lead.height} px of ${height}, ${teams} teams`);
    assert.ok(lead.y + lead.height <= Math.min(controls.y, status.y), 'above the buttons');
    const cut = (buttons) => buttons.filter((button) => button.scrollWidth > button.clientWidth).map((button) => button.textContent);
    assert.deepEqual(await shown.evaluateAll(cut), [], 'whole names');
  }
  assert.equal(await pupil.page.locator('#why-open').evaluate((button) => getComputedStyle(button, '::after').content), 'none', 'the words at a button are away');
  await pupil.page.locator('#lead-teams button').nth(1).tap();
  await says(pupil, /^Team Blue/);
});

test('relay: everyone sees whose turn it is, the leader feels it, and the teacher skips', async (t) => {
  const server = await startServer(t, FLOCK);
  const teacher = await openTeacher(t, server);
  const pupil = await openFlock(t, browser, `${lobby(server)}?name=Ben`, LAPTOP);
  const hall = await openFlock(t, browser, `${lobby(server)}?name=Hall&view=projector`, { viewport: { width: 1920, height: 1080 } });
  const other = await join(t, server.ws, { name: 'Cleo' });
  await choose(teacher, 'relay');
  await teacher.page.locator('[data-control=turn] label:has([value="30"])').click();
  await says(pupil, /Move/);
  await pointUntil(pupil, [300, 200], 'Ben leads', async () => /^You lead! [1-9]\d? s$/.test(await figure(pupil)));
  await pupil.said('lead-spoken', 'You lead now');
  await says(hall, /^Ben leads, [1-9]\d? s/);
  const size = await hall.page.locator('#lead').evaluate((each) => parseFloat(getComputedStyle(each).fontSize));
  assert.ok(size > 40, `${size} px for the last row`);
  other.send([CURSOR, 100, 100]);
  await says(hall, /next: Cleo/);
  const seconds = async () => Number(/(\d+) s/.exec(await figure(hall))?.[1]);
  const now = await seconds();
  await until('the seconds go down', async () => (await seconds()) < now, seconds);
  await teacher.page.getByRole('button', { name: 'Skip this turn' }).click();
  await says(pupil, /^Cleo leads, \d+ s next: you$/);
  assert.equal((await pupil.state()).steers, false, 'Ben’s cursor leads nobody');
  await pupil.page.locator('.cursor.spot', { hasText: 'Cleo' }).waitFor();
});

test('scare is a mode, and another mode ends it', async (t) => {
  const server = await startServer(t, [...FLOCK, '--set', 'flee_weight=1']);
  const teacher = await openTeacher(t, server);
  const pupil = await openFlock(t, browser, lobby(server), { locale: 'de-DE', viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await choose(teacher, 'teams');
  await pupil.page.locator('#lead').waitFor();
  await choose(teacher, 'scare');
  await pupil.until('cursors scare', ({ controls }) => controls.cursors === 'scare' && controls.policy === 'teams');
  await pupil.page.locator('#hint', { hasText: 'Der Schwarm flieht vor ihm' }).waitFor();
  await pupil.page.locator('#lead').waitFor({ state: 'hidden' });
  const ends = () => pupil.page.evaluate(() => [document.getElementById('news').getBoundingClientRect().bottom, document.getElementById('hint').getBoundingClientRect().top]);
  await until('the news ends above the hint', async () => (([news, hint]) => news <= hint)(await ends()), ends);
  await choose(teacher, 'relay');
  await pupil.until('one leads', ({ controls }) => controls.cursors === 'lead' && controls.policy === 'relay');
});

test('nearest is explained to pupils, not to the presenter whose controls are open', async (t) => {
  const server = await startServer(t, FLOCK);
  const teacher = await openTeacher(t, server);
  const pupil = await openFlock(t, browser, `${lobby(server)}?name=Ben`, LAPTOP);
  await choose(teacher, 'nearest');
  await says(pupil, /near you follow/);
  await teacher.until('the mode is there', ({ controls }) => controls.policy === 'nearest');
  assert.ok(await teacher.page.locator('#lead').isHidden());
  await teacher.page.locator('#panel-close').click();
  await says(teacher, /near you follow/);
});

test('with seven cursors together a presenter gets an offer, once', async (t) => {
  const server = await startServer(t, FLOCK);
  const teacher = await openTeacher(t, server);
  const pupils = await Promise.all(Array.from({ length: 7 }, (_, i) => join(t, server.ws, { name: `P${i}` })));
  const offer = teacher.page.locator('#offer');
  pupils.slice(0, 6).forEach((pupil, i) => pupil.send([CURSOR, 50 * i, 100]));
  await teacher.until('six are shown', ({ cursors }) => cursors.length === 6);
  assert.ok(await offer.isHidden());
  pupils[6].send([CURSOR, 10, 10]);
  await offer.waitFor();
  await offer.getByRole('button', { name: 'Play in teams' }).click();
  await offer.waitFor({ state: 'hidden' });
  await teacher.until('there are teams', ({ controls }) => controls.policy === 'teams');
  await choose(teacher, 'mean');
  await teacher.page.reload();
  await teacher.until('the cursors are there again', ({ role, cursors }) => role === 'presenter' && cursors.length === 7);
  await teacher.page.locator('#panel').waitFor();
  await until('the figures have been looked at', async () => (await teacher.page.locator('#people-count').innerText()).startsWith('8'));
  assert.ok(await offer.isHidden());
});

test('the offer waits until a presenter has answered the question for a name', async (t) => {
  const server = await startServer(t, FLOCK);
  const { page, ...teacher } = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, { ...LAPTOP, newcomer: true });
  await page.locator('#welcome').waitFor();
  const pupils = await Promise.all(Array.from({ length: 7 }, (_, i) => join(t, server.ws, { name: `P${i}` })));
  pupils.forEach((pupil, i) => pupil.send([CURSOR, 50 * i, 100]));
  await teacher.until('the offer is due', () => page.evaluate(() => !document.getElementById('offer').hidden));
  assert.ok(await page.locator('#offer').isHidden());
  await page.locator('#welcome-name').press('Enter');
  await page.locator('#offer').waitFor();
  // As in one of two rooms side by side, where the offer is as wide as the window.
  const words = await page.locator('#why-open').evaluate((button) => getComputedStyle(button, '::after').content);
  assert.equal(words, 'none', 'the words at a button do not lie behind the offer');
});

test('the hint never stands below an attention text, and goes when a presenter uses the panel', async (t) => {
  const server = await startServer(t, FLOCK);
  const ada = await join(t, server.ws, { name: 'Ada', key: KEY });
  const pupil = await openFlock(t, browser, lobby(server), LAPTOP);
  const hint = pupil.page.locator('#hint');
  await hint.waitFor();
  assert.equal(await ada.ask([ATTENTION, true, 'Look up']), null);
  await hint.waitFor({ state: 'hidden' });
  assert.equal(await ada.ask([ATTENTION, false, '']), null);
  await hint.waitFor();
  assert.equal(await ada.ask([SET, 'policy', 'nearest']), null);
  await pupil.page.locator('#lead').waitFor();
  assert.equal(await ada.ask([ATTENTION, true, '']), null);
  await pupil.page.locator('#lead').waitFor({ state: 'hidden' });
  assert.equal(await ada.ask([ATTENTION, false, '']), null);
  assert.equal(await ada.ask([SET, 'policy', 'mean']), null);

  const teacher = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, LAPTOP);
  await teacher.page.locator('#hint').waitFor();
  const words = () => teacher.page.evaluate(() => getComputedStyle(document.getElementById('why-open'), '::after').content);
  assert.equal(await words(), '"Why a boid turns"', 'words for newcomers at the button');
  await teacher.page.locator('#panel-open').click();
  await teacher.page.locator('#hint').waitFor({ state: 'hidden' });
  assert.equal(await words(), 'none');
});
