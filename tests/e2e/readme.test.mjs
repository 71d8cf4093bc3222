// The documents agree with the program and with the tests that they name.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { root, runToEnd } from './server.mjs';

const read = (name) => readFileSync(`${root}/${name}`, 'utf8');

test('the table of options in docs/options.md is the output of --help-table', async (t) => {
  const { stdout } = await runToEnd(t, ['--help-table']);
  const [, table] = read('docs/options.md').match(/<!-- options: begin -->\n([^]*)<!-- options: end -->\n/);
  assert.equal(table, stdout, 'make options writes it');
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

test('every command in docs/VERIFY.md exists', () => {
  const list = (folder) => readdirSync(`${root}/${folder}`).map((name) => `${folder}/${name}`);
  const folders = readdirSync(`${root}/tests`, { withFileTypes: true }).filter((each) => each.isDirectory() && each.name !== 'node_modules');
  const page = readdirSync(`${root}/clients/web/src`, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  const files = [...folders.flatMap(({ name }) => list(`tests/${name}`)), ...list('clients/web/test'), ...page.map((name) => `clients/web/src/${name}`)];
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

// A heading's anchor, as GitHub and others make it.
const anchor = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'protocol/PROTOCOL.md', 'protocol/vectors/README.md', ...readdirSync(`${root}/docs`).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

test('every link between the documents leads to a file and a heading', () => {
  for (const from of DOCUMENTS.filter((name) => existsSync(`${root}/${name}`))) {
    for (const [, link] of read(from).replace(/```[^]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path, heading] = link.split('#');
      const to = path === '' ? from : posix.normalize(`${posix.dirname(from)}/${path}`);
      assert.ok(existsSync(`${root}/${to}`), `${from}: ${link}`);
      if (heading !== undefined) {
        const anchors = [...read(to).matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchor(title));
        assert.ok(anchors.includes(heading), `${from}: ${link} is none of ${anchors.join(', ')}`);
      }
    }
  }
});
