// The pages and the program agree on the options.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { root, runToEnd } from './server.mjs';

const read = (name) => readFileSync(`${root}/${name}`, 'utf8');

test('the table of options in README.md is the output of --help-table', async (t) => {
  const { stdout } = await runToEnd(t, ['--help-table']);
  const [, table] = read('README.md').match(/<!-- options: begin -->\n([^]*)<!-- options: end -->\n/);
  assert.equal(table, stdout, 'make readme writes it');
});

test('flockd(1) has every option and no other', async (t) => {
  const { stdout } = await runToEnd(t, ['--help-table']);
  const options = [...stdout.matchAll(/^\| `--([a-z-]+)/gm)].map(([, name]) => name);
  const described = [...read('docs/flockd.1').matchAll(/^\.It Fl -([a-z-]+)/gm)].map(([, name]) => name);
  const others = ['help', 'help-table', 'version'];
  assert.deepEqual(described.filter((name) => !others.includes(name)).sort(), options.sort());
});

// The rows of a table: each one's cells, without marks of code.
const rows = (text) => [...text.matchAll(/^\| (?!---|claim)(.*) \|$/gm)].map(([, row]) => row.split(' | ').map((cell) => cell.trim()));
const reliability = (name) => rows(read(name).match(/<!-- reliability: begin -->\n([^]*)<!-- reliability: end -->/)[1]);

test('the README and docs/VERIFY.md have the same table of reliability', () => {
  const claims = reliability('docs/VERIFY.md');
  assert.ok(claims.length >= 10);
  assert.deepEqual(
    reliability('README.md'),
    claims.map(([claim, , figure]) => [claim, figure]),
    'make readme writes it',
  );
});

test('every command in docs/VERIFY.md exists', () => {
  const list = (folder) => readdirSync(`${root}/${folder}`).map((name) => `${folder}/${name}`);
  const folders = readdirSync(`${root}/tests`, { withFileTypes: true }).filter((each) => each.isDirectory() && each.name !== 'node_modules');
  const files = [...folders.flatMap(({ name }) => list(`tests/${name}`)), ...list('clients/web/test')];
  const targets = read('Makefile');
  for (const [claim, command] of rows(read('docs/VERIFY.md'))) {
    const [, target, only, test] = command.match(/^`(?:[A-Z]+=\d+ )?(?:make ([a-z-]+)|node [^ ]+)(?: ONLY=([^ `]+))?(?: TEST='([^']+)')?.*`$/) ?? assert.fail(`${claim}: ${command}`);
    if (target) assert.match(targets, new RegExp(`^[a-z -]*\\b${target}\\b[a-z -]*:`, 'm'), command);
    const source = only?.replace('arm64/tests/', 'unit/'); // of a unit test's program
    const chosen = source ? files.filter((name) => name.includes(source)) : [];
    if (only) assert.ok(chosen.length > 0, `a file that is called ${only}`);
    const names = [test, test?.replaceAll(' ', '_')]; // in names of C functions blanks replace underscores
    if (test) assert.ok(chosen.some((name) => names.some((each) => read(name).includes(each))), `a test that is called '${test}' in ${chosen}`);
  }
});
