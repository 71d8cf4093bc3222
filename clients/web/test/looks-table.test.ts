// The documents say how the presets look.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawnLook } from '../src/draw/look';
import { room } from './samples';

/** The shapes whose words in the documents are others. */
const WORDS: Readonly<Record<string, string>> = { blur: 'blurred light', person: 'person from above' };

test('the table of looks in docs/flocks.md has the shape and the colour of each preset', () => {
  const source = readFileSync(`${REPOSITORY}/server/sim/presets.c`, 'utf8');
  const presets = [...source.matchAll(/\.name = "([\w-]+)"[\s\S]*?\.look = \{"(\w+)", ([\d.]+)f\}/g)];
  assert.ok(presets.length >= 13);
  const looks = presets.map(([, name, shape, size]) => {
    const drawn = drawnLook({ shape: null, coloring: null }, room({ look: { shape, size: Number(size) } }));
    return [name, WORDS[shape] ?? shape, drawn.coloring];
  });
  const document = readFileSync(`${REPOSITORY}/docs/flocks.md`, 'utf8');
  const [table] =
    /(?<=\| preset \| shape \| colour \|\n\| --- \| --- \| --- \|\n)(?:\|.*\n)+/.exec(document) ?? assert.fail('there is no table');
  const rows = [...table.matchAll(/^\| (`.*`) \| (.*) \| (.*) \|$/gm)].flatMap(([, names, shape, coloring]) =>
    [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => [name, shape, coloring]),
  );
  assert.deepEqual(rows.sort(), looks.sort());
});
