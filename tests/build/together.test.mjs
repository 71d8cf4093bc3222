// Page tests run in one process as they would in a process each.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../e2e/atend.mjs';
import { root } from '../e2e/server.mjs';
import { readReport, separate } from '../report.mjs';

// Runs files with these texts. Returns 'FILE: TEST' of the tests that passed and that failed, and the process.
function runTogether(t, texts) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-together-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const files = Object.entries(texts).map(([name, text]) => {
    const file = path.join(folder, `${name}.mjs`);
    writeFileSync(file, `import { beforeEach, test } from 'node:test';\n${text}`.replace(text.includes('beforeEach') ? '' : 'beforeEach, ', ''));
    return file;
  });
  const report = path.join(folder, 'report.xml');
  const reporter = ['--test-reporter=junit', `--test-reporter-destination=${report}`];
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const ended = spawnSync(process.execPath, [...reporter, `${root}/tests/together.mjs`, ...files], { encoding: 'utf8', env });
  const tests = separate(readReport(report), files);
  const named = (chosen) => chosen.map(({ file, name }) => `${path.basename(file, '.mjs')}: ${name.replace(/.*\//, '')}`);
  return { passed: named(tests.filter(({ failed }) => !failed)), failed: named(tests.filter(({ failed }) => failed)), ended };
}

const SETS = "test('sets', () => void (globalThis.shown = 1)); globalThis.fetch = null;";

test('each test belongs to its file, and a failed one fails the process', (t) => {
  const { passed, failed, ended } = runTogether(t, { one: "test('a', () => {}); test('b', () => { throw new Error('no'); });", two: "test('a', () => {});" });
  assert.deepEqual([passed, failed, ended.status], [['one: a', 'two: a'], ['one: b'], 1]);
});

test('names that a file sets do not exist in the next file', (t) => {
  const { passed, ended } = runTogether(t, { one: SETS, two: "test('sees', () => { if ('shown' in globalThis || !fetch) throw new Error('seen'); });" });
  assert.deepEqual([passed, ended.status], [['one: sets', 'two: sees'], 0]);
});

test('a timer that a test leaves runs with the names of its file', (t) => {
  const late = "test('leaves', () => { globalThis.shown = 1; setTimeout(() => shown, 300); });";
  const { passed, ended } = runTogether(t, { one: late, two: "test('a', () => {});" });
  assert.deepEqual([passed, ended.status], [['one: leaves', 'two: a'], 0]);
});

test('a file that ends the process, has no test, or cannot be loaded has failed', (t) => {
  assert.deepEqual(runTogether(t, { one: '', two: "test('a', () => {});" }).failed, ['one: ran no test']);
  assert.deepEqual(runTogether(t, { one: "test('a', () => {});", two: "test('b', () => process.exit(0));" }).failed, ['one: did not end', 'two: did not end']);
  const { failed, ended } = runTogether(t, { one: "test('a', () => {});", two: 'throw new Error();' });
  assert.ok(failed.includes('two: did not end'), failed.join());
  assert.notEqual(ended.status, 0);
});

test('a hook is refused, because it would run for other files too', (t) => {
  const { failed, ended } = runTogether(t, { one: "beforeEach(() => {}); test('a', () => {});" });
  assert.deepEqual(failed, ['one: did not end']);
  assert.notEqual(ended.status, 0);
  assert.match(ended.stderr, /one\.mjs: a hook outside of a test would also run for the tests of other files/);
});
