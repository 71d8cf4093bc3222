// Escape in the page: closes the topmost thing, for viewers and presenters alike.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTING, lasting, lobby, openFlock, sharedBrowser } from './browser.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'abcdefgh1';
const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

// The things that can be open, each by its element while it is open.
const THINGS = {
  help: '#help[open]',
  invitation: '#invite[open]',
  controls: '#panel:not([hidden])',
  looks: '#looks:not([hidden])',
  plots: '#plots:not([hidden])',
  people: '#people[open]',
  measures: '#measures[open]',
  projector: '#projector:not([hidden])',
  question: '#welcome:not([hidden])',
  timeline: '.timeline #past:not([hidden])',
  notice: '#toast:not([hidden])',
};

// The keys that open them.
const KEYS = { help: '?', invitation: 'i', controls: 'p', looks: 'l', plots: 'g', people: 'n', measures: 'm', projector: 'v', timeline: 'r' };

const browser = await sharedBrowser();

const openThings = (page) =>
  page.evaluate((things) => Object.keys(things).filter((name) => document.querySelector(things[name]) !== null).sort(), THINGS);

async function areOpen(page, names, what) {
  const wanted = [...names].sort().join();
  await until(`${what}: ${wanted || 'nothing'} is open`, async () => (await openThings(page)).join() === wanted, () => openThings(page));
}

// Opens the page of a person with this role, and closes everything.
async function visit(t, server, role, options) {
  const view = await openFlock(t, browser, role === 'presenter' ? `${lobby(server)}#key=${KEY}` : lobby(server), { watch: lasting, ...options });
  const { page } = view;
  await view.until('the role is known, and there is a past', (state) => state.role === role && state.tick > 30);
  if (role === 'presenter') await page.locator('#panel').waitFor({ state: 'attached' });
  for (const name of await openThings(page)) if (KEYS[name] !== undefined) await page.keyboard.press(KEYS[name]);
  return view;
}

for (const role of ['viewer', 'presenter'])
  for (const [device, options] of Object.entries(DEVICES))
    test(`Escape closes each thing that can be open: ${role}, ${device}`, async (t) => {
      const server = await startServer(t, ['--presenter-key', KEY, ...RESTING]);
      const { page } = await visit(t, server, role, options);
      await areOpen(page, [], 'at first');
      await page.keyboard.press('Escape');
      for (const name of Object.keys(KEYS)) {
        if (role === 'viewer' && (name === 'controls' || name === 'timeline')) continue;
        if (name === 'timeline') await page.keyboard.press(KEYS.projector); // the key of the timeline works while the controls or this view are open
        await page.keyboard.press(KEYS[name]);
        await areOpen(page, name === 'timeline' ? ['projector', 'timeline'] : [name], name);
        await page.keyboard.press('Escape');
        await areOpen(page, name === 'timeline' ? ['projector'] : [], `${name} is closed`);
      }
    });

for (const role of ['viewer', 'presenter'])
  test(`Escape closes what opened last, one thing at a time: ${role}`, async (t) => {
    const server = await startServer(t, ['--presenter-key', KEY, ...RESTING]);
    const { page } = await visit(t, server, role, DEVICES.desktop);
    const order = role === 'viewer' ? ['looks', 'plots', 'people', 'measures', 'projector'] : ['controls', 'plots', 'people', 'measures', 'timeline', 'projector'];
    for (const [index, name] of order.entries()) {
      await page.keyboard.press(KEYS[name]);
      await areOpen(page, order.slice(0, index + 1), name);
    }
    await page.keyboard.press('h'); // a notice says that names are hidden
    await areOpen(page, [...order, 'notice'], 'notice');
    await page.keyboard.press('?');
    await areOpen(page, [...order, 'notice', 'help'], 'help');
    for (const rest of [[...order, 'notice'], order, ...order.map((_, index) => order.slice(0, order.length - 1 - index))]) {
      await page.keyboard.press('Escape');
      await areOpen(page, rest, 'after Escape');
    }
    await page.keyboard.press('n');
    await page.locator('#name').fill('Nobody');
    await page.keyboard.press('Escape');
    assert.notEqual(await page.locator('#name').inputValue(), 'Nobody', 'Escape undoes the typing');
    await areOpen(page, ['people'], 'the typing is undone');
    await page.keyboard.press('Escape');
    await areOpen(page, [], 'the list is folded');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'SUMMARY', 'and its title has the focus');
  });

for (const role of ['viewer', 'presenter'])
  test(`Escape closes the question for a name, wherever the focus is: ${role}`, async (t) => {
    const server = await startServer(t, ['--presenter-key', KEY, ...RESTING]);
    for (const focus of ['#welcome-name', '#stage']) {
      const { page } = await visit(t, server, role, { ...DEVICES.desktop, newcomer: true });
      await areOpen(page, ['question'], 'at first');
      await page.locator(focus).focus();
      await page.keyboard.press('Escape');
      await areOpen(page, [], focus);
    }
  });

test('Escape closes the timeline for the presenter who opened it, and for nobody else', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, ...RESTING]);
  const teacher = await visit(t, server, 'presenter', DEVICES.desktop);
  const assistant = await visit(t, server, 'presenter', DEVICES.desktop);
  const pupil = await visit(t, server, 'viewer', DEVICES.desktop);
  await assistant.page.keyboard.press('p');
  await teacher.page.keyboard.press('p');
  await teacher.page.locator('#past-open').click();
  await areOpen(teacher.page, ['controls', 'timeline'], 'the teacher');
  await areOpen(assistant.page, ['controls', 'timeline'], 'the assistant');
  await pupil.page.locator('#past').waitFor();
  await pupil.page.keyboard.press('n');
  for (const { page } of [pupil, assistant]) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  }
  await areOpen(assistant.page, ['timeline'], 'the assistant’s controls are closed');
  await areOpen(pupil.page, [], 'the pupil’s list is closed');
  assert.ok(await pupil.page.locator('#past').isVisible(), 'and the past is still shown');
  await teacher.page.keyboard.press('Escape');
  await areOpen(teacher.page, ['controls'], 'the teacher’s timeline is closed');
  await areOpen(assistant.page, [], 'and the assistant’s');
  await pupil.page.locator('#past').waitFor({ state: 'hidden' });
  assert.equal(await teacher.page.evaluate(() => document.activeElement?.id), 'panel', 'the focus is where it was');

  await teacher.page.keyboard.press('r');
  await areOpen(teacher.page, ['controls', 'timeline'], 'the teacher');
  await until('the focus is in the timeline', () => teacher.page.evaluate(() => document.activeElement?.id === 'past-line'));
  await teacher.page.keyboard.press('Escape');
  await areOpen(teacher.page, ['controls'], 'it is closed again');
  assert.equal(await teacher.page.evaluate(() => document.activeElement?.id), 'panel');
});
