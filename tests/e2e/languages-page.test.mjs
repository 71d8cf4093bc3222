// The page in several languages; all its texts come from their files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom } from './api.mjs';
import { lasting, lobby, openFlock, openPage, sharedBrowser } from './browser.mjs';
import { join } from './client.mjs';
import { startServer } from './server.mjs';

const KEY = 'abcdefgh1';
const WIDE = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const browser = await sharedBrowser();

// The page's Japanese with each text between ⟦ and ⟧, so that texts of other sources show.
const JAPANESE = /\/ja-[0-9a-f]+\.js$/;
async function markTexts(page) {
  await page.route(JAPANESE, async (route) => {
    const script = await (await route.fetch()).text();
    const body = script.replace(
      /export\s*\{\s*(\w+) as ja\s*\}/,
      `const mark = (each) =>
        typeof each === 'string' ? '⟦' + each + '⟧'
        : typeof each === 'function' ? (...values) => '⟦' + each(...values) + '⟧'
        : Array.isArray(each) ? each.map(mark)
        : Object.fromEntries(Object.entries(each).map(([key, value]) => [key, mark(value)]));
      const marked = { ...mark($1), language: 'ja' };
      export { marked as ja }`,
    );
    assert.notEqual(body, script, 'the texts were found in the script');
    await route.fulfill({ contentType: 'text/javascript', body });
  });
}

// The same, and short messages stay.
const marked = (page) => Promise.all([markTexts(page), lasting(page)]);

// Visible texts with a letter outside of the marks, except names, codes, addresses, keys and figures.
const unmarked = (page) =>
  page.evaluate(() => {
    const foreign = (text) => {
      let depth = 0;
      const rest = [...text].filter((each) => {
        if (each === '⟦') depth++;
        if (each === '⟧') depth--;
        return depth === 0 && each !== '⟧';
      });
      return /\p{L}/u.test(rest.join(''));
    };
    // Each language's name is in that language.
    const NAMED = 'bdi, kbd, [translate=no], script, style, noscript, #language, #projector-server, #invite-server, .value';
    // A part that is loaded later brings these texts in all languages: literals.test.ts checks it.
    const OF_PARTS = '[data-control=policy] > .about, .beside, #people-list .choices, #key-phone, #admission, #invite-setup a';
    const CODES = '#room-code, #invite-code, #projector-code, #code';
    const SHOWN = (element) => element.checkVisibility({ visibilityProperty: true });
    const found = [];
    for (const element of document.querySelectorAll('body *')) {
      if (element.closest(`${NAMED}, ${OF_PARTS}, ${CODES}`) !== null || !SHOWN(element)) continue;
      // A text may span several nodes, for example around keys.
      const text = [...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.data : '')).join('');
      if (foreign(text)) found.push(text.trim());
      for (const name of ['title', 'aria-label', 'aria-valuetext', 'placeholder', 'alt']) {
        const value = element.getAttribute(name);
        if (value !== null && foreign(value)) found.push(`${name}=${value}`);
      }
    }
    return found;
  });

const assertMarked = async (page, what) => assert.deepEqual(await unmarked(page), [], what);

test('the page takes the browser’s language; a person can choose another, and the page remembers it', async (t) => {
  const server = await startServer(t);
  const view = await openFlock(t, browser, lobby(server), { ...WIDE, locale: 'ja-JP' });
  const language = () => view.page.locator('html').getAttribute('lang');
  assert.equal(await language(), 'ja');
  await view.page.locator('#people-count', { hasText: '1 人' }).waitFor();
  const { id } = await view.state();

  await view.page.keyboard.press('?');
  await view.page.locator('#language').selectOption('ko');
  await view.page.locator('html[lang=ko]').waitFor();
  await view.until('the same person is back', (state) => state.status === 'connected' && state.id === id);
  await view.page.locator('#people-count', { hasText: '1명' }).waitFor();

  await view.page.goto(server.url);
  await view.page.getByRole('heading', { name: '방 만들기' }).waitFor();
  await view.page.goto(`${server.url}?lang=en`);
  await view.page.getByRole('heading', { name: 'Create a room' }).waitFor();
  await view.page.locator('#language').selectOption('ja');
  await view.page.getByRole('heading', { name: 'ルームを作る' }).waitFor();
  assert.equal(new URL(view.page.url()).search, '', 'what the address asked for is no longer asked for');
});

test('a person without a name gets the name of a bird in the page’s language, and keeps it', async (t) => {
  const server = await startServer(t);
  for (const [locale, birds] of Object.entries({ 'de-AT': /^(Amsel|Meise|\p{Lu}\p{Ll}+)-\d\d$/u, 'ko-KR': /^\p{Script=Hangul}+-\d\d$/u, 'en-GB': /^[a-z]+-\d+$/ })) {
    const view = await openFlock(t, browser, lobby(server), { ...WIDE, locale });
    const own = view.page.locator('#people-list li bdi').first();
    await own.filter({ hasText: birds }).waitFor();
    const name = await own.textContent();
    await view.page.reload();
    await own.filter({ hasText: name }).waitFor();
  }
});

test('if a language does not load, the page stays in English', async (t) => {
  const server = await startServer(t);
  const watch = (page) => page.route(JAPANESE, (route) => route.abort());
  const view = await openFlock(t, browser, `${lobby(server)}?lang=ja`, { ...WIDE, watch, expected: /ERR_FAILED/ });
  assert.equal(await view.page.locator('html').getAttribute('lang'), 'en');
  await view.said('toast', 'language cannot be loaded');
  await view.page.locator('#people-count', { hasText: '1 person' }).waitFor();
});

test('all texts of the start page come from the language files', async (t) => {
  const server = await startServer(t, ['--rooms', 'presenter', '--presenter-key', KEY]);
  const { page } = await openPage(t, browser, `${server.url}?lang=ja`, { ...WIDE, watch: markTexts, expected: /404|401|403/ });
  await page.locator('#rooms a').first().waitFor();
  await page.locator('.preset').first().waitFor();
  await assertMarked(page, 'at first');
  assert.match(await page.title(), /^⟦.*⟧$/);
  for (const code of ['', 'hello', 'fk7-2mx']) {
    await page.locator('#code').fill(code);
    await page.locator('#join button').click();
    await page.locator('#join-problem', { hasText: '⟦' }).waitFor();
    await assertMarked(page, `the code “${code}”`);
  }
  for (const key of ['', 'wrong']) {
    await page.locator('#key').fill(key);
    await page.locator('#create button').click();
    await page.locator('#create-problem', { hasText: '⟦' }).waitFor();
    await assertMarked(page, `the key “${key}”`);
  }
});

test('all texts of a room’s page come from the language files', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  await join(t, server.ws, { room: room.code, name: 'Eve' });
  const view = await openFlock(t, browser, `${new URL(room.path, server.url)}?lang=ja`, { ...WIDE, watch: marked });
  const { page } = view;
  await view.until('it knows who is here', ({ listed }) => listed.some(({ name }) => name === 'Eve'));
  await page.locator('#measures-list .value', { hasText: /\d/ }).first().waitFor();
  await page.locator('#hint', { hasText: '⟦' }).waitFor();
  await assertMarked(page, 'at first');
  const shown = { '?': '#help', i: '#invite-qr svg', v: '#projector-qr svg' };
  for (const key of ['?', 'i', 'v']) {
    await page.keyboard.press(key);
    await page.locator(shown[key]).waitFor();
    if (key === 'v') await join(t, server.ws, { room: room.code, name: 'Zoe' });
    if (key === 'v') await page.locator('#greetings li').waitFor();
    await assertMarked(page, `after ${key}`);
    await page.keyboard.press(key === 'v' ? 'v' : 'Escape');
    await page.locator(shown[key]).waitFor({ state: 'hidden' });
  }
});

test('all texts of the presenter’s controls come from the language files, also for unknown controls', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const view = await openFlock(t, browser, `${lobby(server)}?lang=ja#key=${KEY}`, { ...WIDE, watch: marked });
  const { page } = view;
  await view.until('this is a presenter', ({ role }) => role === 'presenter');
  await page.keyboard.press('p');
  await page.locator('#panel').waitFor();
  await join(t, server.ws, { room: 'lobby', name: 'Zoe' });
  await page.locator('#people-list .more:visible').click();
  await page.locator('#panel-room summary').click();
  const models = await page.locator('[data-control=model] [type=radio]').evaluateAll((all) => all.map((/** @type {any} */ { value }) => value));
  assert.ok(models.length >= 5);
  for (const model of models) {
    await page.locator(`[data-control=model] label:has([value=${model}])`).click();
    await view.until(`the model is ${model}`, (state) => state.model === model);
    await page.locator('#panel-params .slider').first().waitFor();
    await assertMarked(page, `of the model ${model}`);
  }
  await page.locator('#run').click();
  await view.until('it is paused', ({ controls }) => controls.run === 'paused');
  await page.locator('#reset').click();
  await page.locator('#news-title', { hasText: 'あなた' }).waitFor();
  await page.locator('.slider .exact input').first().fill('abc');
  await page.keyboard.press('Enter');
  await page.locator('.slider .problem:visible').waitFor();
  await assertMarked(page, 'after a wrong number');
});

test('all texts of a phone’s question and a closed room come from the language files', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  const view = await openFlock(t, browser, `${new URL(room.path, server.url)}?lang=ja`, { ...PHONE, watch: markTexts, newcomer: true });
  await view.page.locator('#welcome').waitFor();
  await assertMarked(view.page, 'the name is asked for');
  const none = await openPage(t, browser, `${new URL('r/FK72MX', server.url)}?lang=ja`, { ...WIDE, watch: markTexts });
  await none.page.locator('#notice-text', { hasText: '⟦' }).waitFor();
  await none.until('there is no such room', ({ status }) => status === 'closed');
  await assertMarked(none.page, 'no such room');
});

// Texts that are cut off, and elements beyond the window's sides.
const cut = (page) =>
  page.evaluate(() => {
    const found = document.documentElement.scrollWidth > innerWidth ? ['the page is wider than the window'] : [];
    for (const element of document.querySelectorAll('button, label, summary, h1, h2, h3, p, dt, dd, legend, .chips span, .name, .unit')) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width < 2 || !element.checkVisibility({ visibilityProperty: true })) continue; // 1 pixel: only for screen readers
      if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) found.push(`cut off: ${element.textContent} (${element.clientWidth} of ${element.scrollWidth} pixels)`);
      if (left < -1 || right > innerWidth + 1) found.push(`beyond the window: ${element.textContent}`);
    }
    return found;
  });

for (const language of ['en', 'de', 'es', 'fr', 'ja', 'ko']) {
  for (const [device, options] of Object.entries({ phone: PHONE, tablet: { viewport: { width: 1024, height: 768 } } })) {
    test(`no text is cut off: ${language}, ${device}`, async (t) => {
      const still = { ...options, reducedMotion: /** @type {const} */ ('reduce') };
      const server = await startServer(t, ['--presenter-key', KEY]);
      const { page } = await openPage(t, browser, `${server.url}?lang=${language}`, still);
      await page.locator('.preset').first().waitFor();
      assert.deepEqual(await cut(page), [], 'the start page');
      const view = await openFlock(t, browser, `${lobby(server)}?lang=${language}#key=${KEY}`, still);
      await view.until('this is a presenter', ({ role }) => role === 'presenter');
      await view.page.evaluate(() => (document.getElementById('measures').open = true));
      await view.page.locator('#measures-list .value', { hasText: /\d/ }).first().waitFor();
      await view.page.locator('#panel-open').click();
      await view.page.locator('#panel-params .slider').first().waitFor();
      await view.page.locator('#panel').evaluate((panel) => {
        for (const part of panel.querySelectorAll('details')) part.open = true;
      });
      assert.deepEqual(await cut(view.page), [], 'the controls');
      await view.page.keyboard.press('?');
      await view.page.locator('#help').waitFor();
      assert.deepEqual(await cut(view.page), [], 'the help');
      await view.page.keyboard.press('?');
      await view.page.keyboard.press('p');
      await view.page.keyboard.press('g');
      await view.page.locator('#plots-time canvas').waitFor();
      assert.deepEqual((await cut(view.page)).filter((each) => !each.startsWith('beyond')), [], 'the plots, whose rows scroll');
    });
  }
}
