// The options of the scripts in tests/.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { root } from '../e2e/server.mjs';

const SCRIPTS = ['run', 'attack/run', 'coverage/run', 'mutants/run', 'looks', 'looks-terminal'].map((name) => `tests/${name}.mjs`);

const start = (script, ...args) => spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });

for (const script of SCRIPTS) {
  test(`${script} prints its usage, and names an unknown option in one line`, () => {
    const { status, stdout, stderr } = start(script, '--help');
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^Usage: /);
    const wrong = start(script, '--no-such');
    assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
    assert.equal(wrong.stderr, `${script}: Unknown option '--no-such'; --help lists the options\n`);
  });
}

test('mutants/run.mjs names a wrong value in one line', () => {
  const script = 'tests/mutants/run.mjs';
  for (const [args, problem] of /** @type {[string[], string][]} */ ([
    [['--count', 'all'], "--count: 'all' is no number from 1 on"],
    [['--only', 'nowhere/'], 'no source begins with nowhere/'],
  ])) {
    const { status, stderr } = start(script, ...args);
    assert.deepEqual([status, stderr], [2, `${script}: ${problem}\n`]);
  }
});
