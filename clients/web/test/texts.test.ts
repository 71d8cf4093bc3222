// The languages: the choice of one, complete texts with all placeholders, and no other texts in the pages.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { controls } from '../src/texts/en-controls';
import { en } from '../src/texts/en';
import { help } from '../src/texts/en-help';
import { refused } from '../src/texts/en-refused';
import { de } from '../src/texts/de';
import { es } from '../src/texts/es';
import { fr } from '../src/texts/fr';
import { ja } from '../src/texts/ja';
import { ko } from '../src/texts/ko';
import { CLASS_TEXTS } from '../src/texts/class-mode';
import { LEAD_TEXTS } from '../src/texts/lead';
import { mineTexts } from '../src/texts/mine';
import { pastTexts } from '../src/texts/past';
import { PEN_TEXTS } from '../src/texts/pen';
import { SETUP_TEXTS } from '../src/texts/setup';
import { roomTexts } from '../src/texts/room';
import { type Language, LANGUAGES as OFFERED, chooseLanguage, joined, number, texts, useLanguage } from '../src/texts/texts';
import { WHY_TEXTS } from '../src/texts/why';
import { WORDS } from '../src/texts/words';
import { drawTexts } from '../src/panels/draw/texts';
import { inviteTexts } from '../src/panels/invite/texts';
import { looksTexts } from '../src/panels/looks/texts';
import { actionTexts } from '../src/panels/people/texts';
import { plotsTexts } from '../src/panels/plots/texts';
import { namesTexts } from '../src/panels/projector/texts';

/** With the English texts of the parts that are loaded later. */
const LANGUAGES = { en: { ...en, ...controls, ...help, ...refused }, de, es, fr, ja, ko };
/** Texts of parts of the page, by their files. The panels' own are in the chosen language. */
const PARTS: Readonly<Record<string, (language: Language) => object>> = {
  'texts/class-mode.ts': (language) => CLASS_TEXTS[language],
  'texts/lead.ts': (language) => LEAD_TEXTS[language],
  'texts/mine.ts': (language) => mineTexts[language],
  'texts/past.ts': (language) => pastTexts[language],
  'texts/pen.ts': (language) => PEN_TEXTS[language],
  'texts/room.ts': (language) => roomTexts[language],
  'texts/setup.ts': (language) => ({ link: SETUP_TEXTS[language] }),
  'texts/why.ts': (language) => WHY_TEXTS[language],
  'texts/words.ts': (language) => WORDS[language],
  'panels/draw/texts.ts': drawTexts,
  'panels/invite/texts.ts': inviteTexts,
  'panels/looks/texts.ts': looksTexts,
  'panels/people/texts.ts': actionTexts,
  'panels/plots/texts.ts': plotsTexts,
  'panels/projector/texts.ts': namesTexts,
};
const OF_THE_SERVER = ['controls', 'choices', 'params', 'units']; // the server sends these texts in English
const SOURCE = `${REPOSITORY}/clients/web/src`;
const PAGES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html') && name !== 'noscript.html') // which has all languages
  .map((name) => readFileSync(`${SOURCE}/${name}`, 'utf8'));

type Leaf = string | ((...values: never[]) => string);

/** Returns texts and functions by their paths, such as help.about. */
function leaves(group: object, path: string[] = []): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  for (const [key, value] of Object.entries(group)) {
    const here = [...path, key];
    if (typeof value === 'object') for (const each of leaves(value as object, here)) found.set(...each);
    else found.set(here.join('.'), value as Leaf);
  }
  return found;
}

const own = (path: string): boolean => !OF_THE_SERVER.includes(path.split('.')[0]) && !path.startsWith('welcome.names.');
const ownLeaves = (language: object): Map<string, Leaf> => new Map([...leaves(language)].filter(([path]) => own(path)));
const ENGLISH = ownLeaves(LANGUAGES.en);

test('the page takes the browser’s first language that it has, else English', () => {
  assert.equal(chooseLanguage(['ja-JP', 'en']), 'ja');
  assert.equal(chooseLanguage(['pt-BR', 'ko', 'ja']), 'ko');
  assert.equal(chooseLanguage(['de-AT', 'en']), 'de');
  assert.equal(chooseLanguage(['fr-CH', 'de']), 'fr');
  assert.equal(chooseLanguage(['es-419', 'es']), 'es');
  assert.equal(chooseLanguage(['en-GB', 'ja']), 'en');
  assert.equal(chooseLanguage(['JA_jp']), 'ja');
  assert.equal(chooseLanguage(['', 'pt', 'constructor']), 'en');
  assert.equal(chooseLanguage([]), 'en');
});

test('numbers and plurals are those of the language', async () => {
  assert.equal(en.common.boids(1), '1 boid');
  assert.equal(en.common.boids(12_345), '12,345 boids');
  await useLanguage('ja');
  assert.equal(texts.common.people(1200), '1,200 人');
  assert.equal(number(1234.5, 2), '1,234.50');
  await useLanguage('ko');
  assert.equal(texts.common.people(3), '3명');
  await useLanguage('de');
  assert.deepEqual([texts.common.boids(1), texts.common.boids(12_345), number(1234.5, 2)], ['1 Boid', '12.345 Boids', '1.234,50']);
  await useLanguage('es');
  assert.deepEqual([texts.common.boids(1), texts.common.boids(12_345), number(0.5, 2)], ['1 boid', '12.345 boids', '0,50']);
  await useLanguage('fr');
  assert.deepEqual([texts.common.boids(0), texts.common.boids(12_345), number(0.5, 2)], ['0 boid', '12\u202f345 boids', '0,50']);
  await useLanguage('en');
  assert.equal(texts.common.people(1), '1 person');
});

for (const [language, all] of Object.entries(LANGUAGES)) {
  test(`${language}: texts call keys as the help does`, () => {
    const names = new Map(Object.entries(all.keyNames));
    assert.deepEqual([...names.keys()], ['Space', 'Esc'], 'the names that label() of app/keys.ts returns');
    for (const [path, text] of Object.entries({ ...all.keys, ...all.help }))
      for (const key of typeof text === 'string' ? text.split('`').filter((_, index) => index % 2 === 1) : [])
        assert.ok(key.length === 1 || [...names.values()].includes(key), `${path}: ${key}`);
  });

  test(`${language}: no text is missing`, () => {
    assert.equal(all.language, language);
    const here = ownLeaves(all);
    assert.deepEqual([...here.keys()].sort(), [...ENGLISH.keys()].sort());
    for (const [path, text] of here) {
      assert.equal(typeof text, typeof ENGLISH.get(path), path);
      const ends = path.startsWith('projector.greeting.');
      if (typeof text === 'string' && !ends) assert.match(text, /^\S.*\S$|^\S$/u, `${path} is empty, or has blanks at its ends`);
      if (typeof text === 'string') assert.equal(text.split('`').length % 2, 1, `${path}: keys stand between two \``);
    }
  });

  test(`${language}: each text contains its arguments`, () => {
    for (const [path, text] of ownLeaves(all)) {
      if (typeof text === 'string') continue;
      const of = text as (...values: (string | number)[]) => string;
      assert.equal(text.length, ENGLISH.get(path)?.length, `${path} takes as much as in English`);
      const values = Array.from({ length: text.length }, (_, i) => String(70 + i)); // read as numbers and as texts
      const said = of(...values);
      for (const value of values) assert.ok(said.includes(value), `${path}: ${value} is in “${said}”`);
    }
  });
}

test('other languages are not English', () => {
  for (const all of [ja, ko])
    for (const [path, text] of ownLeaves(all))
      if (typeof text === 'string' && text !== '' && path !== 'language' && path !== 'keyNames.Esc')
        assert.match(text, /\P{ASCII}/u, `${path}: ${text}`);
  // Words that two languages share, such as Pause.
  for (const all of [de, es, fr]) {
    const same = [...ownLeaves(all)].filter(([path, text]) => text === ENGLISH.get(path) && path !== 'language' && / /.test(String(text)));
    assert.deepEqual(
      same.map(([path]) => path).filter((path) => !path.startsWith('projector.greeting.')),
      [],
      all.language,
    );
  }
});

/** Returns what the text says, with 7 in each place. */
const said = (text: Leaf): string =>
  typeof text === 'string' ? text : (text as (...values: unknown[]) => string)(...Array(text.length).fill('7'));

/** All texts of the language; texts of the page's parts by their files. */
async function allTexts(language: Language): Promise<Map<string, Leaf>> {
  await useLanguage(language);
  const all = new Map(leaves(LANGUAGES[language]));
  for (const [file, of] of Object.entries(PARTS)) for (const [path, text] of leaves(of(language))) all.set(`${file} ${path}`, text);
  await useLanguage('en');
  return all;
}

test('no file of texts is forgotten', () => {
  const NO_TEXTS = /^(en-.*|bird|controls|fill|help|names|particles|texts)\.ts$/;
  const shared = readdirSync(`${SOURCE}/texts`).filter(
    (name) => !NO_TEXTS.test(name) && !Object.hasOwn(LANGUAGES, name.replace('.ts', '')),
  );
  const panels = readdirSync(`${SOURCE}/panels`, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('/texts.ts'));
  assert.deepEqual([...shared.map((name) => `texts/${name}`), ...panels.map((name) => `panels/${name}`)].sort(), Object.keys(PARTS).sort());
});

test('signs stand as the language wants them', async () => {
  for (const [path, text] of await allTexts('fr')) {
    const words = said(text);
    assert.doesNotMatch(words, / [;:?!%»]|« /, `${path}: a space that does not break: ${words}`);
    assert.doesNotMatch(words.replace(/--bind|:\d/g, ''), /[^\u00a0]:|[\p{L}\d][?!;]/u, `${path}: a space before the sign: ${words}`);
  }
  for (const [path, text] of await allTexts('es')) {
    const words = said(text).replace('(?)', ''); // a key
    assert.equal(words.split('¿').length, words.split('?').length, `${path}: ${words}`);
    if (!path.startsWith('projector.')) assert.equal(words.split('¡').length, words.split('!').length, `${path}: ${words}`);
  }
  for (const [path, text] of await allTexts('de')) {
    const words = said(text);
    assert.equal(words.split('„').length, words.split('“').length, `${path}: ${words}`);
    assert.doesNotMatch(words, /["'«»]|\S…/, `${path}: ${words}`);
    assert.doesNotMatch(words, /\b(Sie|Ihre?[nmrs]?)\b(?=.*\?)/, `${path} says du: ${words}`);
  }
  for (const [path, text] of await allTexts('ja')) {
    const words = said(text);
    assert.doesNotMatch(words, /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}」』）] ?[.,:;?!()]/u, `${path}: ${words}`);
  }
  for (const [path, text] of await allTexts('ko')) assert.doesNotMatch(said(text), /[。、：；？！（）「」“”"']/, `${path}: ${said(text)}`);
});

const STOP = /(?<!\bm[aáií][nx])[.。]$/; // min. and max. are short for longer words

test('a sentence ends with a stop in every language, or in none', async () => {
  const english = await allTexts('en');
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const wrong = [...(await allTexts(language))].filter(([path, text]) => {
      const like = english.get(path);
      return like !== undefined && !said(like).endsWith('=') && STOP.test(said(text)) !== STOP.test(said(like));
    });
    assert.deepEqual(
      wrong.map(([path, text]) => `${path}: ${said(text)}`),
      [],
      language,
    );
  }
});

test('a title and its text become one passage with the signs of the language', async () => {
  const passages: Record<string, string> = {
    en: 'Paused: use fewer boids.',
    de: 'Pause: nimm weniger Boids.',
    es: 'En pausa: usa menos boids.',
    fr: 'En pause\u00a0: prenez moins de boids.',
    ja: '群れは一時停止中。ボイドを減らしてください。',
    ko: '무리 일시정지 중. 보이드를 줄여 주세요.',
  };
  for (const [language, passage] of Object.entries(passages)) {
    await useLanguage(language as Language);
    assert.equal(joined(texts.news.paused, texts.news.slowOwn), passage);
    assert.equal(joined(texts.news.paused, ''), texts.news.paused, 'no sign stands behind a title alone');
  }
  await useLanguage('en');
  assert.equal(joined('Ada asks for attention', 'Look up!'), 'Ada asks for attention: Look up!');
});

test('a person is addressed once where it says who leads', async () => {
  for (const [language, honored] of [
    ['ja', 'さん'],
    ['ko', '님'],
  ] as const) {
    await useLanguage(language);
    const { other, next } = LEAD_TEXTS[language];
    for (const of of [other(texts.news.person('Ada'), 8), next(texts.news.person('Ada'))]) assert.equal(of.split(honored).length, 2, of);
  }
  await useLanguage('en');
});

test('a text calls a button as the button is called', () => {
  for (const [language, all] of Object.entries(LANGUAGES)) {
    const past = pastTexts[language as Language];
    const { panel, errors, news, choices, params } = all;
    const called: [text: string, ...buttons: string[]][] = [
      [errors.past, past.resume, past.live],
      [panel.runAbout, panel.pause],
      [past.resumeAbout, past.resume],
      [panel.stepAbout, panel.step],
      [panel.resetAbout, panel.reset],
      [panel.undoAbout, panel.undo],
      [panel.rewindAbout, panel.rewind],
      [news.undoReset('Ada'), panel.reset],
      [all.start.listed, all.common.startPage],
      [roomTexts[language as Language].listed, all.common.startPage],
      [past.downloadAbout, all.common.startPage],
      [choices['cursors']['scare'].text ?? '', params['flee_weight'].name ?? ''],
    ];
    for (const [text, ...buttons] of called)
      for (const button of buttons) assert.ok(text.toLowerCase().includes(button.toLowerCase()), `${language}: “${text}” says ${button}`);
    assert.notEqual(past.resume, all.ending.comeBack, `${language}: to continue from a moment is not to continue in a tab`);
  }
});

test('in every language, a preset whose cursor pulls more strongly than its source’s says so', () => {
  const STRONGER = {
    de: 'stärker als im Original',
    es: 'más que en el original',
    fr: 'plus que dans l’original',
    ja: '元の作品より強く',
    ko: '원작보다 세게',
  };
  const source = readFileSync(`${REPOSITORY}/server/sim/presets.c`, 'utf8');
  const presets = source
    .split('{.name = "')
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('"')), /the cursor pulls more strongly/.test(text)] as const);
  assert.equal(presets.filter(([, stronger]) => stronger).length, 5);
  for (const [language, words] of Object.entries(STRONGER)) {
    const { preset } = LANGUAGES[language as keyof typeof STRONGER].choices;
    for (const [name, stronger] of presets)
      assert.equal(preset[name].text?.includes(words), stronger, `${language}, ${name}: ${preset[name].text}`);
  }
});

test('the list of languages has each of them', () => {
  assert.deepEqual(Object.keys(OFFERED), Object.keys(LANGUAGES));
});

test('each text that a page names exists, and a page has no other text', () => {
  const named = (page: string): string[] => [...page.matchAll(/ data-(?:text|title|label|placeholder)="([^"]*)"/g)].map(([, name]) => name);
  for (const page of PAGES) for (const name of named(page)) assert.equal(typeof ENGLISH.get(name), 'string', name);
  for (const page of PAGES) {
    const body = page.slice(Math.max(0, page.indexOf('<body>'))).replace(/<kbd>.*?<\/kbd>/g, '');
    const words = body.replace(/<[^>]*>/g, '').match(/\p{L}{2,}.*|\d+.*/gu) ?? [];
    assert.deepEqual(
      words.filter((each) => each !== 'flock'),
      [],
    );
    const attributes = [...body.matchAll(/ (?:title|aria-label|placeholder|alt)="([^"]*)"/g)].map(([, text]) => text);
    assert.deepEqual(
      attributes.filter((text) => text !== 'FK7 2MX'),
      [],
    );
  }
});
