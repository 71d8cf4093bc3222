// Writes the table of flock-term's texts in all languages, as C.
//
//   node clients/term/texts/generate.mjs OUT     writes OUT/texts_ids.h and OUT/texts_table.h
//
// texts.mjs lists the texts. A text of the page is a string or a function in clients/web/src/texts. The generator calls a function
// with marks as arguments, replaces the marks in the answer by placeholders, and writes the answer as a template. {0} stands for the
// first argument; {0O}, {0T} and {0S} stand for the Korean particle behind it. | separates the forms of a template. Two forms are
// for other counts and for one. Four forms are these two for other people and then these two for the reader.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CHOICES, HONORED, LANGUAGES, TEXTS } from './texts.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const web = path.resolve(here, '../../web');

// Characters of Unicode's private use area, which no text has.
const FIRST_MARK = 0xe000; // marks the first argument
const FIRST_PARTICLE = 0xe100; // marks the particle behind the first argument
const PARTICLES = ['object', 'toward', 'subject'];
const SAMPLE = 7919; // a number that shows how a language groups digits

// ---- the page's texts ----

// Makes the functions of particles.ts return a mark for the particle if their word has a mark: only flock-term knows the word.
const particles = {
  name: 'particles',
  setup: (bundler) =>
    bundler.onLoad({ filter: /texts\/particles\.ts$/ }, ({ path: file }) => ({
      loader: 'ts',
      contents: `${readFileSync(file, 'utf8').replace(
        /export function (\w+)\(word: string\): string \{/g,
        (head, name) => `${head} if (markOf(word) >= 0) return ${name === 'subject' ? 'word + ' : ''}particle(${PARTICLES.indexOf(name)}, word);`,
      )}
      const markOf = (word: string): number => [...word].findIndex((c) => c >= '\\u{${FIRST_MARK.toString(16)}}' && c < '\\u{${FIRST_PARTICLE.toString(16)}}');
      const particle = (kind: number, word: string): string =>
        String.fromCodePoint(${FIRST_PARTICLE} + 16 * kind + [...word][markOf(word)].codePointAt(0)! - ${FIRST_MARK});`,
    })),
};

const ENTRY = `
import { useLanguage, texts } from './texts';
import { controls } from './en-controls';
import { help } from './en-help';
import { refused } from './en-refused';
import { WHY_TEXTS } from './why';
import { LEAD_TEXTS } from './lead';
import { plotsTexts } from '../panels/plots/texts';
export async function textsOf(language) {
  await useLanguage(language);
  return { ...controls, ...help, ...refused, ...texts, why: WHY_TEXTS[language], lead: LEAD_TEXTS[language], plots: plotsTexts() };
}`;

async function loadPage() {
  const { build } = createRequire(path.join(web, 'package.json'))('esbuild');
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: path.join(web, 'src/texts'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'warning',
    plugins: [particles],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}

// ---- templates ----

const mark = (index) => String.fromCodePoint(FIRST_MARK + index);

// Returns the argument for a function of the page. A name gets an ending such as さん, so that the function adds no form of address;
// templateOf() cuts the ending again.
function argumentOf(kind, index, language, { one, own }, page) {
  if (kind === 'who') return own ? page.news.you : mark(index) + (HONORED[language]?.[0] ?? '');
  if (kind === 'name') return mark(index) + (HONORED[language]?.[0] ?? '');
  if (kind === 'count') return one ? 1 : SAMPLE;
  if (kind === 'number') return SAMPLE;
  return kind === 'text' ? mark(index) : kind;
}

// Replaces the sample number in a text, as the language writes it, by the placeholder of its argument.
function placeCount(text, kind, index, language, { one }) {
  const value = kind === 'count' && one ? 1 : SAMPLE;
  const written = [new Intl.NumberFormat(language).format(value), String(value)].find((each) => text.includes(each));
  if (written === undefined) throw new Error(`there is no number in ${text}`);
  return text.replace(written, `{${index}}`);
}

// Returns one form of a template: the page's text with placeholders for its arguments.
function templateOf(value, of, language, form, page) {
  const args = of.map((kind, index) => argumentOf(kind, index, language, form, page));
  let text = typeof value === 'function' ? value(...args) : value;
  if (/[{|]/.test(text)) throw new Error(`${text} has { or |`);
  for (const [index, kind] of of.entries()) {
    if (kind === 'count' || kind === 'number') text = placeCount(text, kind, index, language, form);
    const honor = HONORED[language]?.[0];
    if (honor && (kind === 'who' || kind === 'name')) text = text.replaceAll(mark(index) + honor, mark(index));
    text = text.replaceAll(mark(index), `{${index}}`);
    for (const [which, name] of PARTICLES.entries())
      text = text.replaceAll(String.fromCodePoint(FIRST_PARTICLE + 16 * which + index), `{${index}${name[0].toUpperCase()}}`);
  }
  return text.replaceAll('`', '').replaceAll('\u202f', '\u00a0');
}

/** Joins the forms of a template, and leaves out forms that are equal to others. */
function joinForms([other, one, own, ownOne]) {
  if (other === one && own === ownOne) return other === own ? other : `${other}|${other}|${own}|${own}`;
  return own === other && ownOne === one ? `${other}|${one}` : [other, one, own, ownOne].join('|');
}

/**
 * Returns the template of a text of the page.
 * @param {{ page?: string, of?: any[] }} text
 */
function pageTemplate({ page: name = '', of = [] }, language, page) {
  const value = name.split('.').reduce((group, key) => group?.[key], page);
  if (!['string', 'function'].includes(typeof value)) throw new Error(`the page has no text ${name} in ${language}`);
  const form = (one, own) => templateOf(value, of, language, { one, own }, page);
  return joinForms([form(false, false), form(true, false), form(false, true), form(true, true)]);
}

// Returns the template of a text that stands in texts.mjs.
function ownTemplate(id, text, language) {
  const value = text[language];
  if (value === undefined) throw new Error(`${id} is missing in ${language}`);
  return [value].flat().join('|');
}

/** Returns the texts of all languages: { language, templates: { ID: template }, names }. */
export async function collectTexts() {
  const { textsOf } = await loadPage();
  const all = [];
  for (const language of LANGUAGES) {
    const page = await textsOf(language);
    const templates = Object.entries(/** @type {Record<string, any>} */ (TEXTS)).map(([id, text]) => [
      id,
      text.page && text[language] === undefined ? pageTemplate(text, language, page) : ownTemplate(id, text, language),
    ]);
    all.push({ language, templates: Object.fromEntries(templates), names: language === 'en' ? [] : namesOf(page, language) });
  }
  return all;
}

// ---- names ----

// Returns the names of controls, choices, parameters and units: [control or kind, the server's name, name, sentence].
function namesOf({ controls, choices, params, units }, language) {
  const rows = (kind, group) => Object.entries(group).map(([key, { name, text }]) => [kind, key, name, text]);
  return [
    ...rows('control', controls),
    ...rows('param', params),
    ...Object.entries(choices).flatMap(([control, group]) => rows(`=${control}`, group)),
    ...Object.entries(CHOICES).flatMap(([control, group]) => Object.entries(group).map(([word, names]) => [`=${control}`, word, ...names[language]])),
    ...Object.entries(units).map(([unit, name]) => ['unit', unit, name, '']),
  ];
}

// ---- C ----

const NOTICE = '/* Made by clients/term/texts/generate.mjs. */\n';
const quoted = (text) => (text === undefined ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`);

const idsOf = () =>
  `${NOTICE}enum text {\n${Object.keys(TEXTS)
    .map((id) => `    TEXT_${id},\n`)
    .join('')}    TEXTS\n};\n\nenum texts_language {\n${LANGUAGES.map((language) => `    TEXTS_${language.toUpperCase()},\n`).join('')}    TEXTS_LANGUAGES\n};\n`;

// Returns the index of the first argument of that kind; -1: none.
const placeOf = (/** @type {Record<string, any>} */ { of = [] }, kind) => of.indexOf(kind);

function tableOf(all) {
  const templates = all.map(
    ({ language, templates: each }) =>
      `    [TEXTS_${language.toUpperCase()}] = {\n${Object.entries(each)
        .map(([id, text]) => `        [TEXT_${id}] = ${quoted(text)},\n`)
        .join('')}    },\n`,
  );
  const places = Object.entries(TEXTS).map(([id, text]) => `    [TEXT_${id}] = {${placeOf(text, 'count')}, ${placeOf(text, 'who')}},\n`);
  const names = all.map(
    ({ language, names: each }) =>
      `static const struct texts_name names_${language}[] = {\n${each.map((row) => `    {${row.map(quoted).join(', ')}},\n`).join('')}    {0},\n};\n`,
  );
  const honored = LANGUAGES.map((language) => `    [TEXTS_${language.toUpperCase()}] = ${quoted((HONORED[language] ?? []).join(' '))},\n`);
  return [
    NOTICE,
    `static const char *const templates[TEXTS_LANGUAGES][TEXTS] = {\n${templates.join('')}};\n`,
    `static const struct texts_places places[TEXTS] = {\n${places.join('')}};\n`,
    ...names,
    `static const struct texts_name *const names[TEXTS_LANGUAGES] = {\n${LANGUAGES.map((l) => `    [TEXTS_${l.toUpperCase()}] = names_${l},\n`).join('')}};\n`,
    `static const char *const codes[TEXTS_LANGUAGES + 1] = {${LANGUAGES.map(quoted).join(', ')}, NULL};\n`,
    `static const char *const honored[TEXTS_LANGUAGES] = {\n${honored.join('')}};\n`,
  ].join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [out] = process.argv.slice(2);
  mkdirSync(out, { recursive: true });
  writeFileSync(path.join(out, 'texts_ids.h'), idsOf());
  writeFileSync(path.join(out, 'texts_table.h'), tableOf(await collectTexts()));
}
