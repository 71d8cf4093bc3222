// The languages: the choice of one, complete texts with all placeholders, and no other texts in the pages.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { en } from '../src/texts/en';
import { ja } from '../src/texts/ja';
import { ko } from '../src/texts/ko';
import { chooseLanguage, number, texts, useLanguage } from '../src/texts/texts';

const LANGUAGES = { en, ja, ko };
const OF_THE_SERVER = ['controls', 'choices', 'params', 'units']; // the server sends these texts in English
const SOURCE = `${REPOSITORY}/clients/web/src`;
const PAGES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
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
const ENGLISH = ownLeaves(en);

test('the page takes the browser’s first language that it has, else English', () => {
  assert.equal(chooseLanguage(['ja-JP', 'en']), 'ja');
  assert.equal(chooseLanguage(['fr-CH', 'ko', 'ja']), 'ko');
  assert.equal(chooseLanguage(['en-GB', 'ja']), 'en');
  assert.equal(chooseLanguage(['JA_jp']), 'ja');
  assert.equal(chooseLanguage(['', 'de', 'constructor']), 'en');
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
  await useLanguage('en');
  assert.equal(texts.common.people(1), '1 person');
});

for (const [language, all] of Object.entries(LANGUAGES)) {
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
      if (typeof text === 'string' && text !== '' && path !== 'language') assert.match(text, /\P{ASCII}/u, `${path}: ${text}`);
});

test('each text that a page names exists, and a page has no other text', () => {
  const named = (page: string): string[] => [...page.matchAll(/ data-(?:text|title|label|placeholder)="([^"]*)"/g)].map(([, name]) => name);
  for (const page of PAGES) for (const name of named(page)) assert.equal(typeof ENGLISH.get(name), 'string', name);
  for (const page of PAGES) {
    const body = page
      .slice(Math.max(0, page.indexOf('<body>')))
      .replace(/<noscript>.*<\/noscript>/s, '') // it has all languages
      .replace(/<kbd>.*?<\/kbd>/g, '');
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
