// Which suites make check, make test and make test-all run.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { root } from '../e2e/server.mjs';

const start = (...args) => spawnSync(process.execPath, ['tests/run.mjs', ...args], { cwd: root, encoding: 'utf8' });

// The names of the suites that run with these arguments.
function listed(...args) {
  const { status, stdout, stderr } = start('--list', ...args);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.trim().split('\n');
}

// The suites of each tier alone, from --help.
const help = start('--help').stdout;
const rows = new Map([...help.matchAll(/^(check|test|test-all) +(\w.*)$/gm)].map(([, tier, names]) => [tier, names.split(', ')]));

test('each suite is in one tier, and a tier has the suites of those before it', () => {
  assert.deepEqual([...rows.keys()], ['check', 'test', 'test-all']);
  const all = [...rows.values()].flat();
  assert.equal(new Set(all).size, all.length);
  /** @type {string[]} */
  const sofar = [];
  for (const [tier, names] of rows) {
    sofar.push(...names);
    assert.deepEqual(listed('--tier', tier).sort(), [...sofar].sort());
  }
});

test('test-all runs every suite', () => {
  const { stderr } = start('no-such');
  const [, names] = stderr.match(/expected some of (.*)\n/);
  assert.deepEqual(listed('--tier', 'test-all'), names.split(', '));
});

test('a fast run has each test of the server, the terminal and the page once', () => {
  for (const name of ['unit', 'web', 'smoke']) assert.ok(rows.get('check').includes(name), name);
  for (const name of ['browser', 'e2e', 'cluster', 'simulation', 'build', 'attack']) assert.ok(rows.get('test').includes(name), name);
});

test('without a tier the tests of make test run, but a name is looked for in all suites', () => {
  assert.deepEqual(listed(), listed('--tier', 'test'));
  for (const asked of [['--only', 'hub'], ['--test', 'a slider']]) assert.deepEqual(listed(...asked), listed('--tier', 'test-all'));
  assert.deepEqual(listed('--only', 'hub', 'unit'), ['unit']);
  assert.deepEqual(listed('--only', 'hub', '--tier', 'check'), listed('--tier', 'check'));
});

test('a wrong tier is named in one line', () => {
  for (const [args, problem] of /** @type {[string[], string][]} */ ([
    [['--tier', 'quick'], "no tier 'quick': expected one of check, test, test-all"],
    [['--tier', 'check', 'unit'], 'expected --tier or names of suites, not both'],
  ])) {
    const { status, stdout, stderr } = start(...args);
    assert.deepEqual([status, stdout, stderr], [2, '', `tests/run.mjs: ${problem}\n`]);
  }
});

test('the commands run their tiers, and build what they need', () => {
  const env = { ...process.env, MAKEFLAGS: '', MFLAGS: '', MAKELEVEL: '' };
  /** @param {string[]} args */
  const prints = (...args) => execFileSync('make', ['-n', ...args], { cwd: root, encoding: 'utf8', env, maxBuffer: 2 ** 26 });
  assert.match(prints('test'), /node tests\/run\.mjs --tier test *\n/);
  assert.doesNotMatch(prints('test'), /ARCH=arm64|SANITIZE=thread|SANITIZE=1 .*\bunit\b/);
  assert.match(prints('test-all'), /SANITIZE=1 .*\bunit\b/);
  assert.match(prints('test-all'), /docker\/setup\.sh build test-all\n[^]*node tests\/run\.mjs --tier test-all *\n/);
  assert.match(prints('check'), /node tests\/run\.mjs --tier check *\n/);
  assert.match(prints('test', 'ONLY=hub'), /build test-all\n[^]*node tests\/run\.mjs --tier test-all --only 'hub' *\n/);
  assert.match(prints('test', 'TEST=a slider'), /build test-all\n[^]*node tests\/run\.mjs --tier test-all +--test 'a slider'\n/);
});
