// The pages contain each language's texts as a list, and the keys once (clients/web/texts.mjs). Each text is still at its key.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { textsOf } from '../../clients/web/texts.mjs';
import { root } from '../e2e/server.mjs';

const WEB = path.join(root, 'clients/web');
const FOLDER = path.join(WEB, 'src/texts');
const LANGUAGES = ['de', 'en', 'es', 'fr', 'ja', 'ko'];
const { build } = createRequire(path.join(WEB, 'package.json'))('esbuild');

const all = readdirSync(path.join(WEB, 'src'), { recursive: true }).map(String);
const files = all.filter((name) => /(^texts\/(?!.*test)|\/texts\.ts$)/.test(name)).map((name) => path.join(WEB, 'src', name));

/** Adds an export to files that keep the object with all languages to themselves. */
const exported = (file) => (/^const all\b/m.test(readFileSync(file, 'utf8')) ? '\nexport { all };' : '');
const asWritten = {
  name: 'as written',
  setup: (bundler) => bundler.onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({ loader: 'ts', contents: readFileSync(file, 'utf8') + exported(file) })),
};

/** Returns what a file exports, built with a plugin, and the script. */
async function built(file, plugin) {
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: 'esm', write: false, plugins: [plugin] });
  const [{ text }] = outputFiles;
  return { text, exports: await import(`data:text/javascript,${encodeURIComponent(text)}`) };
}

/** Replaces functions by their source, without indentation. */
const comparable = (value) =>
  typeof value === 'function'
    ? String(value).replace(/\s+/g, ' ')
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, comparable(value[key])]))
      : value;

test('a list of texts becomes the texts that the source has', async () => {
  let lists = 0;
  for (const file of files) {
    const source = await built(file, asWritten);
    const page = await built(file, textsOf(FOLDER, false, exported));
    assert.deepEqual(comparable({ ...page.exports }), comparable({ ...source.exports }), path.relative(WEB, file));
    lists += page.text.match(/\bkeyed\d*\(["`]/g)?.length ?? 0;
  }
  assert.ok(lists >= 5 + 10 * LANGUAGES.length, `${lists} lists`);
});

test('the texts of the start page are in its own texts alone', async () => {
  const german = path.join(FOLDER, 'de.ts');
  const [start, room] = await Promise.all([false, true].map((ofRoom) => built(german, textsOf(FOLDER, ofRoom, () => ''))));
  assert.equal(typeof start.exports.de.start.title, 'string');
  assert.ok(!('start' in room.exports.de));
  assert.deepEqual(comparable(room.exports.de.people), comparable(start.exports.de.people));
});
