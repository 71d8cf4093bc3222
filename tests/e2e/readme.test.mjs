// What the pages say of the options is what the program says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { root, runToEnd } from './server.mjs';

const read = (name) => readFileSync(`${root}/${name}`, 'utf8');

test('the table of options in README.md is that of --help-table', async (t) => {
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
