// The texts of flock-term: each language has each text, with the same placeholders, and no text is wider than its place.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { collectTexts } from '../../clients/term/texts/generate.mjs';
import { HONORED, LANGUAGES, TEXTS } from '../../clients/term/texts/texts.mjs';
import { root } from '../e2e/server.mjs';

const all = await collectTexts();
const [english] = all;

// The columns of a text; letters of Chinese, Japanese and Korean have two.
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const widthOf = (text) => [...text.normalize('NFC')].reduce((width, letter) => width + (WIDE.test(letter) ? 2 : 1), 0);

const placeholders = (form) => [...new Set(form.match(/\{\d/g))].sort();

test('each language has each text', () => {
  assert.deepEqual(all.map(({ language }) => language), LANGUAGES);
  for (const { language, templates } of all) {
    const missing = Object.keys(TEXTS).filter((id) => id !== 'NOTHING' && !templates[id]?.trim());
    assert.deepEqual(missing, [], language);
  }
});

test('a text has the same placeholders in all languages', () => {
  for (const { language, templates } of all) {
    for (const [id, template] of Object.entries(templates)) {
      const forms = template.split('|');
      assert.ok([1, 2, 4].includes(forms.length), `${id} in ${language} has ${forms.length} forms`);
      const expected = placeholders(english.templates[id].split('|')[0]);
      assert.deepEqual(placeholders(forms[0]), expected, `${id} in ${language}`);
      assert.deepEqual(placeholders(forms[1] ?? forms[0]), expected, `${id} in ${language}, for one`);
      // The forms that address the reader have no name in them.
      for (const own of forms.slice(2)) assert.deepEqual(['{0', ...placeholders(own)], expected, `${id} in ${language}, for the reader`);
    }
  }
});

test('no text is wider than its place', () => {
  const wide = all.flatMap(({ language, templates }) =>
    Object.entries(TEXTS)
      .filter(([id, { columns = Infinity }]) => widthOf(templates[id].replace(/\{\d\w?\}/g, '9')) > columns)
      .map(([id]) => `${id} in ${language}: ${templates[id]}`),
  );
  assert.deepEqual(wide, []);
});

test('each text fits into a line of the terminal client', () => {
  for (const { language, templates } of all) {
    for (const [id, template] of Object.entries(templates))
      for (const form of template.split('|')) assert.ok([...form].length < 200 && Buffer.byteLength(form) < 500, `${id} in ${language}`);
  }
});

test('each text is used', () => {
  const folder = path.join(root, 'clients/term');
  const sources = /** @type {string[]} */ (readdirSync(folder, { recursive: true }))
    .filter((name) => name.endsWith('.c'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
  // keys.c joins DO_ and KEYS_ with the names in its table.
  const used = (id) => new RegExp(`\\bTEXT_${id}\\b`).test(sources) || new RegExp(`\\b(DO|LEAD)\\w*\\([^)]*\\b${id.replace(/^(DO|KEYS)_/, '')}\\b`).test(sources);
  assert.deepEqual(Object.keys(TEXTS).filter((id) => !used(id)), []);
});

test('names need no further form of address where the page adds none', () => {
  for (const language of ['ja', 'ko']) {
    const page = readFileSync(path.join(root, `clients/web/src/texts/${language}.ts`), 'utf8');
    const [, endings] = /^const HONORED = \/\(\?:(.*)\)\$\/;/m.exec(page) ?? [];
    assert.deepEqual([...HONORED[language]].sort(), endings.split('|').sort(), language);
  }
});
