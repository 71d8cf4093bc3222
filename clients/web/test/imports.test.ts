// The order of the page's sources. A file imports files of its own folder and of lower layers, never in a circle. Imports of types
// and of parts that are loaded later count too, because a reader needs these files as well.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import type TS from 'typescript';

const ts = createRequire(`${REPOSITORY}/clients/web/package.json`)('typescript') as typeof TS;
const SOURCE = `${REPOSITORY}/clients/web/src`;

/** The layers, the lowest first: helpers, the folders, and the entries of the pages. */
const LAYERS = [['numbers.ts'], ['texts'], ['net'], ['flock'], ['draw'], ['app'], ['panels'], ['main.ts', 'start.ts']];

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.d|\.test)\.ts$/.test(name));

/** Returns the source file of an import, or null for a style sheet, HTML or a package. */
function fileOf(name: string, from: string): string | null {
  if (!name.startsWith('.')) return null;
  const whole = path.join(path.dirname(from), name);
  const found = [`${whole}.ts`, `${whole}/index.ts`].find((each) => files.includes(each));
  if (found === undefined) assert.match(name, /\.(css|html)$/, `${from} imports ${name}`);
  return found ?? null;
}

const importsOf = (file: string): string[] =>
  ts
    .preProcessFile(readFileSync(`${SOURCE}/${file}`, 'utf8'))
    .importedFiles.map(({ fileName }) => fileOf(fileName, file))
    .filter((each) => each !== null);

const uses = new Map(files.map((file) => [file, importsOf(file)]));

/** Returns a circle of imports, or null if there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...way, file]);
      if (circle !== null) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const circle = visit(file, []);
    if (circle !== null) return circle;
  }
  return null;
}

test('the search finds circles', () => {
  assert.equal(circleIn(new Map(Object.entries({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))), null);
  assert.deepEqual(circleIn(new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: [], d: ['b'] }))), ['b', 'd', 'b']);
  assert.ok(uses.get('texts/ja.ts')?.includes('texts/en.ts'), 'imports of types are seen');
  assert.ok(uses.get('texts/texts.ts')?.includes('texts/ja.ts'), 'and of parts that are loaded later');
});

test('no files import each other in a circle', () => {
  assert.equal(circleIn(uses)?.join(' → '), undefined);
});

test('no folder imports a folder above it', () => {
  const layerOf = (file: string): number => LAYERS.findIndex((layer) => layer.includes(file.split('/')[0]));
  for (const file of files) assert.ok(layerOf(file) >= 0, `${file} is in no layer`);
  const upward = [...uses].flatMap(([file, used]) =>
    used.filter((each) => layerOf(each) > layerOf(file)).map((each) => `${file} imports ${each}`),
  );
  assert.deepEqual(upward, []);
});

test('a panel imports no other panel: what panels share is in the folders below', () => {
  const panelOf = (file: string): string => (file.startsWith('panels/') ? path.dirname(file) : '');
  const across = [...uses]
    .filter(([file]) => panelOf(file) !== '' && panelOf(file) !== 'panels')
    .flatMap(([file, used]) =>
      used.filter((each) => panelOf(each) !== '' && panelOf(each) !== panelOf(file)).map((each) => `${file} imports ${each}`),
    );
  assert.deepEqual(across, []);
});
