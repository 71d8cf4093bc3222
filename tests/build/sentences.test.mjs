// The sentences of documents and comments can be understood at once.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const WORDS_MAX = 30;
const SOURCES = ['server', 'protocol', 'clients/term', 'clients/web/src', 'clients/web/test', 'tests']; // folders
const RIDDLE = /(?:^|\s)(?:\/\/|\/\*+)\s*(?:what|who(?:se|ever)?|that which|the same of)\b/i;
const isLineComment = (line = '') => /^\s*\/\//.test(line);
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'protocol/PROTOCOL.md', 'protocol/vectors/README.md', 'clients/web/README.md', 'clients/vectors/README.md'];

// Code counts as one word, a link as its text.
const plain = (text) =>
  text
    .replace(/`[^`]*`/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[*_]{1,2}/g, '');

/** The paragraphs, list items and cells of tables, each with the number of its first line. */
function passages(markdown) {
  const all = [];
  let open = null;
  let fenced = false;
  const end = () => {
    if (open !== null) all.push(open);
    open = null;
  };
  for (const [index, line] of markdown.split('\n').entries()) {
    if (line.startsWith('```')) fenced = !fenced;
    const isCode = fenced || line.startsWith('```') || (open === null && /^ {4}/.test(line));
    if (isCode || line.trim() === '' || line.startsWith('#')) end();
    else if (line.startsWith('|')) {
      end();
      for (const text of line.split(/(?<!\\)\|/)) all.push({ line: index + 1, text });
    } else if (open === null || /^\s*([-*]|\d+\.) /.test(line)) {
      end();
      open = { line: index + 1, text: line.replace(/^\s*([-*]|\d+\.) /, '') };
    } else open.text += ` ${line.trim()}`;
  }
  end();
  return all;
}

const sentences = (text) => plain(text).split(/(?<=[.!?][)”"]?)\s+(?=\S)/);
const count = (sentence) => (sentence.match(/[^\s]*[\p{L}\p{N}][^\s]*/gu) ?? []).length;

/** The sentences of a document with their lines, the longest first. */
const measured = (file) =>
  passages(readFileSync(path.join(ROOT, file), 'utf8'))
    .flatMap(({ line, text }) => sentences(text).map((sentence) => ({ file, line, words: count(sentence), sentence })))
    .sort((one, other) => other.words - one.words);

test('no sentence of the documents has more than 30 words', () => {
  const documents = readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  const all = [...DOCUMENTS, ...documents].flatMap(measured);
  assert.ok(all.length > 500, `only ${all.length} sentences were found`);
  const long = all.filter(({ words }) => words > WORDS_MAX);
  assert.deepEqual(long.map(({ file, line, words, sentence }) => `${file}:${line}: ${words} words: ${sentence}`), []);
});

/** The sources of a folder, without the sources of packages. */
const sourcesOf = (folder) =>
  /** @type {string[]} */ (readdirSync(path.join(ROOT, folder), { recursive: true }))
    .filter((name) => /\.(c|h|ts|mjs|css)$/.test(name) && !name.includes('node_modules'))
    .map((name) => path.join(folder, name));

// CONTRIBUTING.md, Style: the subject is a thing with a name, and nouns come before relative clauses.
test('no comment begins with What or Who', () => {
  const files = SOURCES.flatMap(sourcesOf);
  assert.ok(files.length > 800, `only ${files.length} files were found`);
  assert.match(['//', 'What it is.'].join(' '), RIDDLE);
  const riddles = files.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index, lines) => {
        const continues = isLineComment(line) && isLineComment(lines[index - 1]);
        return RIDDLE.test(line) && !continues ? [`${file}:${index + 1}: ${line.trim()}`] : [];
      }),
  );
  assert.deepEqual(riddles, []);
});
