// What README.md says of the options is what the program says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { root, runToEnd } from './server.mjs';

test('the table of options in README.md is that of --help-table', async (t) => {
  const { stdout } = await runToEnd(t, ['--help-table']);
  const [, table] = readFileSync(`${root}/README.md`, 'utf8').match(/<!-- options: begin -->\n([^]*)<!-- options: end -->\n/);
  assert.equal(table, stdout, 'make readme writes it');
});
