// The options of the scripts in tests/.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { root } from '../e2e/server.mjs';

const BENCHES = readdirSync(`${root}/tests/bench`).filter((name) => name.endsWith('.mjs') && name !== 'servers.mjs');
const SCRIPTS = ['run.mjs', 'attack/run.mjs', 'coverage/run.mjs', 'mutants/run.mjs', 'looks.mjs', 'looks-terminal.mjs', ...BENCHES.map((name) => `bench/${name}`)].map((name) => `tests/${name}`);

const start = (script, ...args) => spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8', timeout: 60_000 });

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

test('scripts name a wrong value in one line', () => {
  for (const [script, args, problem] of /** @type {[string, string[], string][]} */ ([
    ['mutants/run.mjs', ['--count', 'all'], "--count: 'all' is no number from 1 on"],
    ['mutants/run.mjs', ['--only', 'nowhere/'], 'no source begins with nowhere/'],
    ['bench/crowd.mjs', ['never', 'all'], "'all' is none of effect, never, many"],
    ['bench/download.mjs', ['--downloads', '0'], "--downloads: '0' is no number from 1 on"],
    ['bench/fanout.mjs', ['500', '-1'], "Unknown option '-1'; --help lists the options"],
    ['bench/fanout.mjs', ['500', '1e3'], "CLIENTS: '1e3' is no number from 1 on"],
    ['bench/overload.mjs', ['1.1'], "SHARE: '1.1' is no part of a processor, such as 0.9"],
    ['bench/packed.mjs', ['all'], "Unexpected argument 'all'; --help lists the options"],
    ['bench/page.mjs', ['--minutes', 'ten'], "--minutes: 'ten' is no number from 1 on"],
    ['bench/pair.mjs', ['build'], 'two folders are missing; --help lists the options'],
    ['bench/pair.mjs', ['build', 'build', 'many'], "CLIENTS: 'many' is no number from 1 on"],
    ['bench/terminal.mjs', ['--line', 'slow'], "--line: 'slow' is no number from 1 on"],
    ['bench/tls.mjs', ['200', 'all'], "BOIDS: 'all' is no number from 1 on"],
  ])) {
    const { status, stderr } = start(`tests/${script}`, ...args);
    assert.deepEqual([status, stderr], [2, `tests/${script}: ${problem}\n`]);
  }
});
