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
import { LANGUAGES as OFFERED, chooseLanguage, number, texts, useLanguage } from '../src/texts/texts';

/** With the English texts of the parts that are loaded later. */
const LANGUAGES = { en: { ...en, ...controls, ...help, ...refused }, de, es, fr, ja, ko };
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

test('signs stand as the language wants them', () => {
  for (const [path, text] of leaves(fr)) {
    const words = said(text);
    assert.doesNotMatch(words, / [;:?!%»]|« /, `${path}: a space that does not break: ${words}`);
    assert.doesNotMatch(words.replace(/--bind|:\d/g, ''), /[^\u00a0]:|[\p{L}\d][?!;]/u, `${path}: a space before the sign: ${words}`);
  }
  for (const [path, text] of leaves(es)) {
    const words = said(text).replace('(?)', ''); // a key
    assert.equal(words.split('¿').length, words.split('?').length, `${path}: ${words}`);
    if (!path.startsWith('projector.')) assert.equal(words.split('¡').length, words.split('!').length, `${path}: ${words}`);
  }
  for (const [path, text] of leaves(de)) {
    const words = said(text);
    assert.equal(words.split('„').length, words.split('“').length, `${path}: ${words}`);
    assert.doesNotMatch(words, /["'«»]|\S…/, `${path}: ${words}`);
    assert.doesNotMatch(words, /\b(Sie|Ihre?[nmrs]?)\b(?=.*\?)/, `${path} says du: ${words}`);
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
    const words = body.replace(/<[^>]*>/g, '').match(/\p{L}{2,}.*/gu) ?? [];
    assert.deepEqual(
      words.filter((each) => each !== 'flock'),
      [],
    );
    const attributes = [...body.matchAll(/ (?:title|aria-label|placeholder|alt)="([^"]*)"/g)].map(([, text]) => text);
    assert.deepEqual(
      attributes.filter((text) => !/^[\d,]+$|^FK7 2MX$/.test(text)),
      [],
    );
  }
});
