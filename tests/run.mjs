#!/usr/bin/env node
// Runs the tests and prints which failed. The last line is 'N passed, N failed'. --help prints the options and the suites.
//
// Each test program is a process; several run in parallel. A program writes a JUnit report to build/junit/SUITE/NAME.xml and
// its output to build/logs/SUITE/NAME.log. The tests of the page's parts run in one program, 'together'. End-to-end tests run in a few
// programs, each of which takes one file after another. A program that crashes, exceeds its deadline or runs no test has failed. With
// CI=true a skipped test has failed, too.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, refuse } from './options.mjs';
import { REASON_LINES, readReport, separate } from './report.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

function files(folder, suffix) {
  if (!existsSync(folder)) {
    console.error(`run.mjs: there is no folder ${folder}: make test-all-programs builds what the suites need`);
    process.exit(2);
  }
  return readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => path.join(folder, name));
}
const startsBrowser = (name) => readFileSync(name, 'utf8').includes("from './browser.mjs'");
const withBrowser = () => files('tests/e2e', '.test.mjs').filter(startsBrowser);
const withoutBrowser = () => files('tests/e2e', '.test.mjs').filter((name) => !startsBrowser(name));
// Tests that take seconds and touch each layer once.
const SMOKE = ['readme', 'http', 'answers', 'members'].map((name) => `tests/e2e/${name}.test.mjs`);

const ARM64_LIBRARIES = 'build/arm64-libraries/usr/lib/aarch64-linux-gnu';

// The command for a file, with the names of tests to run and the path of the report. Without `report` the whole file is one
// test, which passes with status 0.
const RUNNERS = {
  node: (file, report, test) => ({
    command: [
      process.execPath,
      ...['--test-reporter=junit', `--test-reporter-destination=${report}`, '--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...(test ? [`--test-name-pattern=${test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`] : []),
      file,
    ],
    report,
  }),
  // Of the names of C functions: blanks stand for underscores. See tests/unit/filter.c.
  cmocka: (file, report, test) => ({
    command: [file],
    env: { CMOCKA_MESSAGE_OUTPUT: 'XML', CMOCKA_XML_FILE: report, ...(test && { CMOCKA_TEST_FILTER: `*${test.replaceAll(' ', '_')}*` }) },
    report,
  }),
  // On a processor that is no arm64; an arm64 runs all unit tests by itself.
  arm64: (file, report, test) => ({
    ...RUNNERS.cmocka(file, report, test),
    command: ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', '-E', `LD_LIBRARY_PATH=${ARM64_LIBRARIES}`, file],
  }),
  plain: (file) => ({ command: [file] }),
  attack: (file) => ({ command: [process.execPath, file, '--short', '--untimed'] }),
  attackAlone: (file) => ({ command: [process.execPath, file, '--short', '--timed'] }),
  script: (name) => ({ command: ['npm', '--prefix', 'clients/web', 'run', '--silent', name] }),
  page: (...program) => RUNNERS.node(...program), // see togetherOf()
};

// Runs many files in one process: a process for each of the 103 files of the page's parts takes five times as long.
const TOGETHER = 'tests/together.mjs';

// Unit tests that mostly wait: for time-outs, for nodes of a cluster, and until a failed write is tried again.
const WAITS = [
  ...['test_ends', 'test_store', 'test_keeper', 'test_keeper_losses', 'test_keeper_parcels', 'test_keeper_strangers', 'test_checkpoints', 'test_broker_nats', 'test_term_client', 'test_term_input', 'test_forward'],
  ...['test_hub', 'test_hub_move', 'test_hub_past', 'test_hub_unchanged', 'test_sim_pool'],
];
// Files whose tests wait for long. Before any run has measured them, they begin first: else they would run at the end, alone.
const LONG = ['linger', 'past', 'trust', 'timeouts', 'bandwidth', 'full-disk', 'move', 'terminal-demo', 'terminal-slow', 'looks'];
// The engine's inner loops with every input, and the contrasts of all colours in all themes: the sanitizers see this code in other
// tests, in a tenth of the time.
const PLAIN_ALONE = ['test_sim_abandon', 'test_sim_reference', 'test_term_theme'];
// Eleven minutes of each preset: nothing that a sanitizer would see, nor what one waits for while working.
const isLong = (file) => ['test_presets', 'test_follow'].includes(path.basename(file));
const unitPrograms = (folder) => files(folder, '').filter((file) => !isLong(file)).map((file) => [path.basename(file).startsWith('fuzz_') ? 'plain' : 'cmocka', file]);
const nodeFiles = (tests) => tests.map((file) => ['node', file]);
const pageFiles = (tests) => tests.map((file) => ['page', file]);

// The lesson in Chromium: the suite browser has a test of each of its steps.
const isTwice = (file) => path.basename(file) === 'chromium-class.test.mjs';

const SANITIZED = {
  FLOCKD: 'build/asan/flockd',
  FLOCK_TERM: 'build/asan/flock-term',
  FLOCK_LOAD: 'build/asan/flock-load',
};

// For flockds whose pages draw five frames a second: a third of the snapshots takes a third less of the processor for an open page.
const SELDOM = { FLOCKD_SNAPSHOT_RATE: '10' };

// Of a suite whose limits of time hold only without other programs. It runs at the end.
const ALONE = 1000;
// Of a suite that opens pages.
const PAGES = 0.4;
const PAGES_MOST = 3; // programs of such suites side by side: with more, the processors have no time left

// The suites of a tier and of those before it run together: the commands `make check`, `make test`, `make test-all`. The last tier repeats tests of
// the others with sanitizers, on another processor or in another browser, builds the image, or runs presets for minutes.
const TIERS = ['check', 'test', 'test-all'];

// `load` is the share of a processor that a program of the suite takes; programs that wait for the clock or for sockets take
// less than 1. `seconds` is each program's deadline. Tests of the page use the installed build of flockd, because a sanitizer sees
// nothing in a browser; all other end-to-end tests use a sanitized flockd. `processes` is the number of programs that share the files.
// `after` names suites that must have ended: Chromium ends its requests when docker adds a network to the machine.
const SUITES = [
  { name: 'docker', tier: 'test-all', load: 0.2, seconds: 1500, after: ['browser', 'engines', 'chromium-class'], programs: () => nodeFiles(files('tests/docker', '.test.mjs')) },
  { name: 'browser', tier: 'test', load: PAGES, seconds: 1200, env: SELDOM, processes: PAGES_MOST, programs: () => pageFiles(withBrowser()) },
  { name: 'engines', tier: 'test-all', load: PAGES, seconds: 1200, programs: () => nodeFiles(files('tests/engines', '.test.mjs').filter((file) => !isTwice(file))) },
  { name: 'attack', tier: 'test', load: 0.25, seconds: 600, programs: () => [['attack', 'tests/attack/run.mjs']] },
  { name: 'cluster', tier: 'test', load: 0.25, seconds: 400, env: SANITIZED, programs: () => nodeFiles(files('tests/cluster', '.test.mjs')) },
  { name: 'e2e', tier: 'test', load: 0.12, seconds: 900, env: SANITIZED, processes: 12, programs: () => pageFiles(withoutBrowser()) },
  { name: 'smoke', tier: 'check', load: 0.25, seconds: 400, programs: () => nodeFiles(SMOKE) },
  { name: 'simulation', tier: 'test', load: 1, seconds: 1200, programs: () => nodeFiles(['tests/simulation/simulation.test.mjs']) },
  { name: 'arm64', tier: 'test-all', load: 1, seconds: 900, programs: () => (process.arch === 'arm64' ? [] : files('build/arm64/tests', '').map((file) => ['arm64', file])) },
  { name: 'unit-sanitized', tier: 'test-all', load: 1, seconds: 900, programs: () => unitPrograms('build/asan/tests').filter(([, file]) => !PLAIN_ALONE.includes(path.basename(file))) },
  { name: 'presets', tier: 'test-all', load: 1, seconds: 900, programs: () => [['cmocka', 'build/tests/test_presets'], ['cmocka', 'build/tests/test_follow']] },
  { name: 'web', tier: 'check', load: 1, seconds: 600, programs: () => [['script', 'check'], ...pageFiles(files('build/web-test', '.test.mjs'))] },
  { name: 'unit', tier: 'check', load: 1, seconds: 400, programs: () => unitPrograms('build/tests') },
  { name: 'build', tier: 'test', load: 1, seconds: 400, programs: () => nodeFiles(files('tests/build', '.test.mjs')) },
  { name: 'chromium-class', tier: 'test-all', load: PAGES, seconds: 1200, programs: () => nodeFiles(files('tests/engines', '.test.mjs').filter(isTwice)) },
  { name: 'unit-threads', tier: 'test-all', load: 1, seconds: 900, programs: () => unitPrograms('build/tsan/tests') },
  { name: 'attack-alone', tier: 'test', load: ALONE, seconds: 600, programs: () => [['attackAlone', 'tests/attack/run.mjs']] },
];

const NAMES = SUITES.map(({ name }) => name).join(', ');
/** @param {string} last */
const upTo = (last) => SUITES.filter(({ tier }) => TIERS.indexOf(tier) <= TIERS.indexOf(last));
const ofTier = (tier) => SUITES.filter((suite) => suite.tier === tier).map(({ name }) => name);
const USAGE = `Usage: node tests/run.mjs [OPTION]... [SUITE]...

  --only TEXT  runs files with this in their names
  --test TEXT  runs tests with this in their names
  --tier TIER  runs the suites of this tier and of those before it: ${TIERS.join(', ')}
  --list       prints the names of the suites, and runs none

tier      suites
${TIERS.map((tier) => `${tier.padEnd(10)}${ofTier(tier).join(', ')}`).join('\n')}

Without a SUITE and a tier, the tiers up to test run. With --only or --test, run.mjs then looks in all suites.`;

const secondsOf = (report) => readReport(report).reduce((all, { seconds }) => all + seconds, 0);

const nameOf = (file) => path.basename(file).replace(/\.(test\.)?mjs$/, '');

// Returns the processes that run `files`, each as long as `queue` has a file: the files that took longest in the last run are first.
function togetherOf(suite, files) {
  const reports = existsSync(`build/junit/${suite.name}`) ? readdirSync(`build/junit/${suite.name}`) : [];
  const last = new Map();
  for (const report of reports) {
    let seconds = 0;
    for (const test of readReport(`build/junit/${suite.name}/${report}`)) {
      seconds += test.seconds;
      if (!files.includes(test.name)) continue;
      last.set(test.name, seconds);
      seconds = 0;
    }
  }
  const expected = (file) => last.get(file) ?? (LONG.includes(nameOf(file)) ? 60 : statSync(file).size / 1000);
  const queue = [...files].sort((a, b) => expected(b) - expected(a));
  return Array.from({ length: Math.min(suite.processes ?? 1, files.length) }, (_, i) => ({
    file: TOGETHER,
    name: i > 0 ? `together-${i + 1}` : 'together',
    start: (file, report) => ({ ...RUNNERS.node(file, report), queue, files: [] }),
  }));
}

// Returns the programs of a suite that match the arguments; the slowest of the last run are first. With `test`, each page test is a
// process, because node:test would not run the tests that separate the files in a report.
function programsOf(suite, { only, test }) {
  const asked = suite.programs().filter(([, file]) => file.includes(only));
  const isPage = ([runner]) => runner === 'page';
  const pages = test ? [] : asked.filter(isPage).map(([, file]) => file);
  const alone = test ? asked : asked.filter((each) => !isPage(each));
  const programs = alone.map(([runner, file]) => ({ file, name: nameOf(file), start: RUNNERS[runner] }));
  return [...programs, ...togetherOf(suite, pages)]
    .map(({ file, name: first, start }) => {
      const make = (tries) => {
        const name = tries > 1 ? `${first}-again-${tries - 1}` : first;
        const report = `build/junit/${suite.name}/${name}.xml`;
        const last = secondsOf(report);
        const size = existsSync(file) && file.endsWith('.mjs') ? statSync(file).size : 0;
        const expected = last || (LONG.includes(name) ? 60 : size / 1000);
        const log = `build/logs/${suite.name}/${name}.log`;
        return { suite, name, expected, load: WAITS.includes(name) ? 0.1 : suite.load, seconds: suite.seconds, log, tries, again: () => make(tries + 1), ...start(file, report, test) };
      };
      return make(1);
    })
    .filter(({ report }) => report || !test)
    .sort((a, b) => b.expected - a.expected);
}

// Runs a program in a process group of its own, and gives it files of its queue. Resolves to how it ended, or to '' if that was with
// status 0.
function execute({ command, suite, seconds, log, env, queue, files }) {
  return new Promise((resolve) => {
    const output = openSync(log, 'w');
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = ['ignore', output, output, ...(queue ? [/** @type {const} */ ('ipc')] : [])];
    const child = spawn(command[0], command.slice(1), {
      env: { ...process.env, ...suite.env, ...env },
      stdio,
      detached: true,
    });
    closeSync(output);
    const deadline = setTimeout(() => {
      late = true;
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    }, seconds * 1000);
    let late = false;
    child.on('message', () => {
      deadline.refresh(); // it is for each file
      if (queue.length > 0) files.push(queue[0]);
      child.send(queue.shift() ?? '');
    });
    const ended = (problem) => {
      clearTimeout(deadline);
      resolve(problem);
    };
    child.on('error', (error) => ended(error.message));
    child.on('close', (status, signal) => {
      if (late) ended(`was not done after ${seconds} s`);
      else if (signal) ended(`was ended by ${signal}`);
      else ended(status === 0 ? '' : `exited with ${status}`);
    });
  });
}

const logged = ({ log }) => readFileSync(log, 'utf8').trim().split('\n').slice(-REASON_LINES);

// Returns the tests of files that ran together, each with the name of its file.
const ofFiles = (tests, program) =>
  separate(tests, program.files).map(({ file, ...test }) => ({ reason: logged(program), ...test, program: { ...program, name: nameOf(file) } }));

// Runs a program and returns its tests, and one more that failed if it did not end as it should.
async function run(program, filtered) {
  const started = Date.now();
  rmSync(program.report ?? '', { force: true });
  const problem = await execute(program);
  const whole = { name: '', seconds: (Date.now() - started) / 1000, failed: Boolean(problem), skipped: false, reason: logged(program) };
  const found = program.report ? readReport(program.report) : [whole];
  if (program.files?.length === 0) {
    if (!problem || program.tries === 1) return []; // the others have taken all files, or there is another try
    program.files.push(...program.queue.splice(0));
  } else if (problem && program.files && found.length === 0) {
    program.queue.push(...program.files.splice(0, program.files.length - 1)); // the report was lost: other programs run these files again
  }
  const tests = program.files ? ofFiles(found, program) : found;
  if (problem && !tests.some(({ failed }) => failed)) {
    tests.push({ ...whole, name: problem });
  } else if (tests.length === 0 && !filtered) {
    tests.push({ ...whole, failed: true, name: 'ran no test' });
  }
  return tests.map((test) => ({ program, ...test }));
}

// Counts a suite's tests: [passed, failed, skipped].
function count(tests) {
  const failed = tests.filter((test) => test.failed).length;
  const skipped = tests.filter((test) => test.skipped).length;
  return [tests.length - failed - skipped, failed, skipped];
}

const label = ({ program, name }) => `${program.name}${name && ': '}${name}`;

function tell(suite, tests, seconds) {
  const [passed, failed, skipped] = count(tests);
  console.log(`suite ${suite.name}: ${passed} ok, ${failed} not ok${skipped > 0 ? `, ${skipped} skipped` : ''} (${seconds.toFixed(1)} s)`);
  for (const test of tests.filter((each) => each.failed)) {
    console.log(`  not ok: ${label(test)} (${test.seconds.toFixed(1)} s)\n    ${test.program.log}`);
    for (const line of test.reason) console.log(`    | ${line}`);
  }
}

// Returns how many more processors the programs may take than the machine has, because each program waits now and then. An open page
// draws while its test waits, so with more programs side by side the same tests of pages take more processor time.
const beyond = (programs) => (programs.some(({ load }) => load === PAGES) ? 0.5 : 1);

// Returns a function that chooses the next program: its index in `waiting`, or -1 if none may start now. Half of the processors are
// for programs that compute, the rest for programs that wait: so both kinds end at about the same time. A kind that has no more
// programs leaves its share.
function chooser(processors, waiting, running, isOver) {
  const computes = ({ load }) => load === 1;
  const loadOf = (programs) => programs.reduce((sum, { load }) => sum + load, 0);
  return () => {
    const now = [...running.keys()];
    const most = processors + beyond([...now, ...waiting]);
    const share = (kind) => (kind ? Math.max(1, processors / 2) : most - Math.max(1, processors / 2));
    return waiting.findIndex((program) => {
      const { load } = program;
      const { after = [] } = program.suite;
      const kind = computes(program);
      if (load === PAGES && now.filter((each) => each.load === PAGES).length >= PAGES_MOST) return false;
      const others = waiting.some((other) => computes(other) !== kind && other.load < ALONE);
      const fits = loadOf(now) + load <= most && (!others || loadOf(now.filter((each) => computes(each) === kind)) + load <= share(kind));
      return after.every(isOver) && (fits || now.length === 0);
    });
  };
}

// Runs all programs, as many in parallel as the processors take. Resolves to the tests of each suite.
async function runAll(suites, asked) {
  const waiting = suites.flatMap((suite) => programsOf(suite, asked));
  const results = new Map(suites.map((suite) => [suite, []]));
  const left = new Map(suites.map((suite) => [suite, waiting.filter((program) => program.suite === suite).length]));
  const isOver = (name) => suites.every((suite) => suite.name !== name || left.get(suite) === 0);
  const started = new Map();
  const running = new Map();
  const choose = chooser(availableParallelism(), waiting, running, isOver);
  while (waiting.length + running.size > 0) {
    const next = choose();
    if (next < 0) {
      await Promise.race(running.values());
      continue;
    }
    const [program] = waiting.splice(next, 1);
    const { suite } = program;
    if (!started.has(suite)) started.set(suite, Date.now());
    const done = run(program, Boolean(asked.test)).then((tests) => {
      results.get(suite).push(...tests);
      running.delete(program);
      if (program.queue?.length > 0) {
        waiting.unshift(program.again()); // after a crash
        left.set(suite, left.get(suite) + 1);
      }
      left.set(suite, left.get(suite) - 1);
      if (left.get(suite) === 0) tell(suite, results.get(suite), (Date.now() - started.get(suite)) / 1000);
    });
    running.set(program, done);
  }
  return [...results.values()].flat();
}

const TEXT = { type: /** @type {const} */ ('string'), default: '' };
const OPTIONS = { only: TEXT, test: TEXT, tier: TEXT, list: { type: /** @type {const} */ ('boolean'), default: false } };

// Returns the suites that the arguments name.
function suitesOf({ only, test, tier }, names) {
  const unknown = names.find((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown !== undefined) refuse(`no suite '${unknown}': expected some of ${NAMES}`);
  if (tier && !TIERS.includes(tier)) refuse(`no tier '${tier}': expected one of ${TIERS.join(', ')}`);
  if (tier && names.length > 0) refuse('expected --tier or names of suites, not both');
  if (names.length > 0) return SUITES.filter(({ name }) => names.includes(name));
  return upTo(tier || (only || test ? 'test-all' : 'test'));
}

async function main() {
  const { values: asked, positionals } = readOptions(USAGE, { options: OPTIONS, allowPositionals: true });
  const suites = suitesOf(asked, positionals);
  if (asked.list) {
    for (const { name } of suites) console.log(name);
    return;
  }
  for (const { name } of suites) {
    for (const kind of ['junit', 'logs']) mkdirSync(`build/${kind}/${name}`, { recursive: true });
  }
  const tests = await runAll(suites, asked);
  const slowest = [...tests].sort((a, b) => b.seconds - a.seconds);
  if (slowest.length > 0) console.log('slowest:');
  for (const test of slowest.slice(0, 10)) console.log(`  ${test.seconds.toFixed(1).padStart(5)} s  ${test.program.suite.name} ${label(test)}`);
  let [passed, failed, skipped] = count(tests);
  if (tests.length === 0) {
    console.log(`no test is called '${asked.test}' in files that are called '${asked.only}'`);
    failed = 1;
  }
  if (process.env.CI === 'true' && skipped > 0) {
    for (const test of tests.filter((each) => each.skipped)) console.log(`not ok: ${label(test)} was skipped, which fails with CI=true`);
    failed += skipped;
    skipped = 0;
  }
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

try {
  await main();
} catch (error) {
  refuse(error.message);
}
