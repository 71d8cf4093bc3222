#!/usr/bin/env node
// Runs every suite and says which tests failed. The last line is 'N passed, N failed' over all of them.
//
//   node tests/run.mjs              all suites
//   node tests/run.mjs unit e2e     these
//
// A suite that crashes, outlives its deadline or runs no test counts as failed. With CI=true so does a test
// that was skipped. What a suite printed is kept in build/logs/.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

const files = (folder, suffix) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => path.join(folder, name));
const nodeTests = (tests) => [process.execPath, '--test', '--test-reporter=tap', ...tests];
const nodeTest = (folder, suffix = '.test.mjs') => nodeTests(files(folder, suffix));
// Those that start no browser: what is in one, a sanitizer does not see.
const withoutBrowser = () => files('tests/e2e', '.test.mjs').filter((name) => !readFileSync(name, 'utf8').includes("from './browser.mjs'"));
const cmocka = (folder) => () => files(folder, '').map((program) => [program]);

const SANITIZED = {
  FLOCKD: 'build/asan/flockd',
  FLOCK_TERM: 'build/asan/flock-term',
  FLOCK_LOAD: 'build/asan/flock-load',
};

// A suite is one or more commands that print TAP. Suites of one lane run one after the other; the lanes run
// side by side: an image build mostly waits for the disk and the network, and *.slow.mjs for the clock.
const SUITES = [
  { name: 'unit', lane: 'main', seconds: 60, commands: cmocka('build/tests') },
  { name: 'unit-sanitized', lane: 'main', seconds: 180, commands: cmocka('build/asan/tests') },
  { name: 'web', lane: 'main', seconds: 120, commands: () => [['npm', '--prefix', 'clients/web', 'test']] },
  { name: 'e2e', lane: 'main', seconds: 450, commands: () => [nodeTest('tests/e2e')] },
  { name: 'e2e-sanitized', lane: 'main', seconds: 600, commands: () => [nodeTests(withoutBrowser())], env: SANITIZED },
  { name: 'e2e-slow', lane: 'slow', seconds: 240, commands: () => [nodeTest('tests/e2e', '.slow.mjs')] },
  { name: 'docker', lane: 'docker', seconds: 600, commands: () => [nodeTest('tests/docker')] },
];

// Runs one command in a process group of its own. Resolves to { output, problem }; problem says how it ended,
// unless it ended with status 0.
function execute(command, env, seconds, log) {
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), {
      env: { ...process.env, CMOCKA_MESSAGE_OUTPUT: 'TAP', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let late = false;
    const deadline = setTimeout(() => {
      late = true;
      process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1000);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        log.write(text);
      });
    }
    child.on('error', (error) => {
      clearTimeout(deadline);
      resolve({ output, problem: error.message });
    });
    child.on('close', (status, signal) => {
      clearTimeout(deadline);
      let problem = '';
      if (late) {
        problem = `was not done after ${seconds} s`;
      } else if (signal) {
        problem = `was ended by ${signal}`;
      } else if (status !== 0) {
        problem = `exited with ${status}`;
      }
      resolve({ output, problem });
    });
  });
}

// Counts what a command printed. Node's runner closes with a summary; cmocka prints a line for each test.
function count(output) {
  const result = { passed: 0, failed: 0, skipped: 0, names: [] };
  for (const [, name] of output.matchAll(/^ *not ok \d+ *-? *(?!# SKIP)(.*)$/gm)) {
    result.names.push(name);
  }
  const summary = new Map();
  for (const [, key, number] of output.matchAll(/^(?:#|ℹ) (pass|fail|cancelled|skipped|todo) (\d+)$/gm)) {
    summary.set(key, Number(number));
  }
  if (summary.has('pass')) {
    result.passed = summary.get('pass');
    result.failed = summary.get('fail') + summary.get('cancelled');
    result.skipped = summary.get('skipped') + summary.get('todo');
    return result;
  }
  let planned = 0;
  for (const [line, not, last] of output.matchAll(/^(?:(not )?ok \d+.*|1\.\.(\d+))$/gm)) {
    if (last !== undefined) {
      planned += Number(last);
    } else if (/# SKIP/i.test(line)) {
      result.skipped += 1;
    } else if (not) {
      result.failed += 1;
    } else {
      result.passed += 1;
    }
  }
  const missing = planned - result.passed - result.failed - result.skipped;
  if (missing > 0) {
    result.failed += missing;
    result.names.push(`${missing} tests that did not report`);
  }
  return result;
}

async function runSuite(suite) {
  const started = Date.now();
  const logName = `build/logs/${suite.name}.log`;
  const log = createWriteStream(logName);
  const total = { name: suite.name, passed: 0, failed: 0, skipped: 0 };
  const complaints = [];
  let commands = [];
  try {
    commands = suite.commands();
  } catch (error) {
    complaints.push(error.message);
    total.failed += 1;
  }
  for (const command of commands) {
    const { output, problem } = await execute(command, suite.env, suite.seconds, log);
    const result = count(output);
    const label = path.basename(command[0]);
    if (problem && result.failed === 0) {
      result.failed = 1;
      result.names.push(problem);
    }
    complaints.push(...result.names.map((name) => `${label}: ${name}`));
    for (const key of ['passed', 'failed', 'skipped']) {
      total[key] += result[key];
    }
  }
  if (process.env.CI === 'true' && total.skipped > 0) {
    complaints.push(`${total.skipped} skipped, which counts as failed with CI=true`);
    total.failed += total.skipped;
    total.skipped = 0;
  }
  if (total.passed + total.failed + total.skipped === 0) {
    complaints.push('ran no test');
    total.failed = 1;
  }
  await new Promise((resolve) => log.end(resolve));
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`suite ${suite.name}: ${total.passed} ok, ${total.failed} not ok${skipped} (${seconds} s)`);
  for (const complaint of complaints) {
    console.log(`  not ok: ${complaint}`);
  }
  if (total.failed > 0) {
    console.log(`  all that it printed: ${logName}`);
  }
  return total;
}

async function main() {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    const known = SUITES.map((suite) => suite.name).join(', ');
    console.error(`tests/run.mjs: no suite '${unknown[0]}': expected some of ${known}`);
    process.exit(2);
  }
  mkdirSync('build/logs', { recursive: true });
  const suites = SUITES.filter((suite) => asked.length === 0 || asked.includes(suite.name));
  const lanes = [...new Set(suites.map((suite) => suite.lane))];
  const totals = await Promise.all(
    lanes.map(async (lane) => {
      const results = [];
      for (const suite of suites.filter((each) => each.lane === lane)) {
        results.push(await runSuite(suite));
      }
      return results;
    }),
  );
  const sum = (key) => totals.flat().reduce((all, total) => all + total[key], 0);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  process.exitCode = sum('failed') > 0 ? 1 : 0;
}

await main();
