#!/usr/bin/env node
// Prints how many lines of each folder the tests run, and writes build/coverage/lines.json: which tests run which line. These are
// the unit tests, the page's tests and some files of tests/e2e.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../options.mjs';
import { measureC, measurePage, pagePrograms, serverPrograms, unitPrograms } from './measure.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const USAGE = `Usage: make coverage ARGS="[OPTION]..." or, after that, node tests/coverage/run.mjs [OPTION]...

  --files  prints a row for each file, too
  --unit   runs the unit tests alone`;
const { values: asked } = readOptions(USAGE, { options: { files: { type: 'boolean', default: false }, unit: { type: 'boolean', default: false } } });

/** @type {import('./measure.mjs').Lines} */
const lines = new Map();
const ofC = [...unitPrograms(root, 'build/coverage'), ...(asked.unit ? [] : serverPrograms('build/coverage'))];
const ofPage = asked.unit ? [] : pagePrograms(root);
mkdirSync(`${root}/build/coverage`, { recursive: true });
await measureC(root, ofC, lines);
await measurePage(root, ofPage, lines, ofC.length);

const tests = [...ofC, ...ofPage];
const byFile = [...lines].map(([file, ofFile]) => [file, [...ofFile].map(([line, by]) => [line, [...by]])]);
writeFileSync(`${root}/build/coverage/lines.json`, JSON.stringify({ tests, files: Object.fromEntries(byFile) }));

/** @type {Map<string, { all: number, run: number }>} */
const rows = new Map();
for (const [file, ofFile] of [...lines].sort()) {
  for (const name of [path.dirname(file), ...(asked.files ? [file] : []), 'all']) {
    const row = rows.get(name) ?? { all: 0, run: 0 };
    row.all += ofFile.size;
    row.run += [...ofFile.values()].filter((by) => by.size > 0).length;
    rows.set(name, row);
  }
}
const widest = Math.max(...[...rows.keys()].map((name) => name.length));
console.log(`${'folder'.padEnd(widest)}   lines     run     %`);
for (const [name, { all, run }] of [...rows].sort(([a], [b]) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1))) {
  console.log(`${name.padEnd(widest)}  ${String(all).padStart(6)}  ${String(run).padStart(6)}  ${((100 * run) / all).toFixed(1).padStart(5)}`);
}
const failed = tests.filter(({ passed }) => !passed);
for (const { name } of failed) console.log(`not ok: ${name}`);
process.exitCode = failed.length > 0 ? 1 : 0;
