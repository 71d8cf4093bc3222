#!/usr/bin/env node
// Changes the sources in small ways, one at a time, and says which changes no test notices. It works in copies of the
// repository that are deleted afterwards. Each mutant is run with the tests that run its line, by build/coverage/lines.json
// (make coverage), until one fails. These do not count: a mutant that does not compile or compiles to the same code; a
// failure of a test that also fails without the mutant, or that passes when it is repeated. --help prints the options.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Copy, isPage } from './copy.mjs';
import { UnitCopy } from './copy-unit.mjs';
import { explanationOf, linesOf, staleAmong } from './explained.mjs';
import { readNumber, readOptions, refuse } from '../options.mjs';
import { findSites as findSitesC } from './sites-c.mjs';
import { findSites as findSitesTs } from './sites-ts.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const COVERAGE = `${root}/build/coverage/lines.json`;
const JOURNAL = `${root}/build/mutants.jsonl`;
const FOLDERS = ['protocol/', 'server/scene/', 'server/past/', 'server/room/', 'server/hub/runner_tick.c', 'server/net/session/', 'clients/web/src/net/', 'clients/web/src/flock/'];
const KINDS = ['comparison', 'call', 'off by one'];
const QUICK = 2; // s: slower tests run side by side
const SIDE_BY_SIDE = 3;
const HANG = 60; // s, or twenty times as long as without a mutant: a test that takes longer hangs

const USAGE = `Usage: make mutants ARGS="[OPTION]..." or, after that, node tests/mutants/run.mjs [OPTION]...

  --only FOLDER  mutants of the files whose paths begin so; may be given again
  --seed TEXT    draws other mutants; default 1; the same seed makes the same ones
  --count N      mutants; default 300
  --resume       takes the verdicts of earlier runs from build/mutants.jsonl
  --again        the same, but tries the survivors once more, after tests were written for them
  --quick        leaves out the tests of tests/e2e; --again tries the survivors with them
  --unit         tries C sources with the unit tests alone, from the sanitized build (make mutants-unit)
  --list         prints the mutants with their last verdicts and tries none
  --jobs N       copies that are worked on side by side; default: one for each processor`;

const { values } = readOptions(USAGE, {
  options: {
    only: { type: 'string', multiple: true, default: FOLDERS },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    resume: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    unit: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});
const wanted = readNumber('count', values.count);
const jobs = readNumber('jobs', values.jobs);

const digest = (text) => createHash('sha256').update(text).digest('hex');

// The sites of all files, in an order that comes of the seed, the kinds in turn. A site's rank comes of its own lines: changes
// elsewhere change neither its rank nor its name in the journal.
function drawSites(files) {
  const known = new Map();
  const all = files.flatMap((file) => {
    const source = readFileSync(`${root}/${file}`, 'utf8');
    return (isPage(file) ? findSitesTs : findSitesC)(source).map((site) => {
      const { line: line1, mutant } = linesOf(source, site);
      const text = [file, line1, mutant].join('\n');
      const nth = (known.get(text) ?? 0) + 1;
      known.set(text, nth);
      return { ...site, file, line1, mutant, nth, rank: digest(`${values.seed} ${nth} ${text}`), key: digest(`${nth} ${text}`) };
    });
  });
  const piles = KINDS.map((kind) => all.filter((site) => site.kind === kind).sort((a, b) => (a.rank < b.rank ? 1 : -1)));
  const drawn = [];
  while (piles.some((pile) => pile.length > 0)) {
    for (const pile of piles) if (pile.length > 0) drawn.push(pile.pop());
  }
  return drawn;
}

function sourcesBelow(prefixes) {
  const tracked = execFileSync('git', ['ls-files', '*.c', ...(values.unit ? [] : ['clients/web/src/*.ts'])], { cwd: root, encoding: 'utf8' }).split('\n');
  return tracked.filter((file) => prefixes.some((prefix) => file.startsWith(prefix)));
}

// Verdicts by key. An entry is { key, fate, by, … }; the last of a key counts.
function readJournal() {
  if (!existsSync(JOURNAL) || !(values.resume || values.again)) return new Map();
  const entries = readFileSync(JOURNAL, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const last = new Map(entries.map((entry) => [entry.key, entry]));
  return new Map([...last].filter(([, { fate }]) => values.resume || fate !== 'survived'));
}

/** The tests, as coverage knows them, and how many mutants of each file they have noticed. */
class Tests {
  constructor() {
    if (!existsSync(COVERAGE)) refuse(`there is no ${path.relative(root, COVERAGE)}: make coverage writes it`);
    const { tests, files } = JSON.parse(readFileSync(COVERAGE, 'utf8'));
    this.tests = tests.map((test) => ({ ...test, sure: false, unusable: false, kills: new Map() }));
    this.files = files;
  }

  // The tests that run the site's line, the quickest first. Coverage knows a statement of several lines by its first line.
  of(site) {
    const lines = (this.files[site.file] ?? []).filter(([line]) => line <= site.line).sort(([a], [b]) => b - a);
    const soon = (test) => test.seconds / (1 + 4 * (test.kills.get(site.file) ?? 0));
    const usable = ({ name, unusable }) => !unusable && !(values.quick && name.startsWith('e2e/'));
    return (lines[0]?.[1] ?? []).map((index) => this.tests[index]).filter(usable).sort((a, b) => soon(a) - soon(b));
  }
}

const bound = (test) => Math.max(HANG, 20 * test.seconds);

// How a test that has failed notices the mutant; null if it does not: it passes when it is repeated, or fails without the mutant.
async function confirm(copy, test, { over }) {
  const isTimed = over || test.seconds > 1;
  if (isTimed && !over && (await copy.run(test, { seconds: bound(test) })).passed) return null;
  if (isTimed || !test.sure) {
    const plain = await copy.withPlain(() => copy.run(test, { seconds: bound(test) }));
    if (!plain.passed) {
      console.log(`not used: ${test.name} ${plain.over ? 'takes too long' : 'fails'} without the mutant, too`);
      test.unusable = !plain.over;
      return null;
    }
    test.sure = true;
  }
  return over ? `${test.name} does not end` : test.name;
}

// Runs the tests until one notices the mutant: the quick ones in turn, then the others side by side.
async function judge(copy, tests, site) {
  const waiting = [...tests];
  while (waiting.length > 0) {
    const together = waiting.splice(0, waiting[0].seconds > QUICK ? SIDE_BY_SIDE : 1);
    const results = await Promise.all(together.map(async (test) => ({ test, ...(await copy.run(test, { seconds: bound(test) })) })));
    for (const result of results.filter(({ passed }) => !passed)) {
      const by = await confirm(copy, result.test, result);
      if (by === null) continue;
      result.test.kills.set(site.file, (result.test.kills.get(site.file) ?? 0) + 1);
      return { fate: 'killed', by };
    }
  }
  return { fate: 'survived', by: tests.length > 0 ? `${tests.length} tests` : 'no test runs this line' };
}

const show = ({ file, line, line1, mutant, by }) => `${file}:${line}: ${by}\n  - ${line1.slice(0, 150)}\n  + ${mutant.slice(0, 150)}`;

function printTable(results, stale) {
  console.log(`${'folder'.padEnd(26)} mutants  killed  explained  survived   %`);
  const row = (name, own) => {
    const of = (fate) => own.filter((result) => result.fate === fate).length;
    const open = own.length - of('explained');
    const cells = [String(own.length).padStart(7), String(of('killed')).padStart(7), String(of('explained')).padStart(10), String(of('survived')).padStart(9)];
    console.log(`${name.padEnd(26)} ${cells.join(' ')}  ${((100 * of('killed')) / Math.max(1, open)).toFixed(1)}`);
  };
  for (const prefix of values.only) {
    const own = results.filter(({ file }) => file.startsWith(prefix));
    if (own.length > 0) row(prefix, own);
  }
  row(`all, seed ${values.seed}`, results);
  for (const { file, line } of stale) console.log(`explained, but no longer there: ${file}: ${line}`);
}

// Builds the tests of the present sources: a test of older sources fails without a mutant, too, and would not count.
function buildTests() {
  const wanted = values.unit ? ['SANITIZE=1', 'unit'] : ['MUTANTS=1', 'programs', 'unit'];
  const { status } = spawnSync('make', [`-j${availableParallelism()}`, ...wanted], { cwd: root, stdio: 'inherit' });
  if (status !== 0) refuse(`make ${wanted.join(' ')} failed`);
}

async function main() {
  const files = sourcesBelow(values.only);
  if (files.length === 0) refuse(`no source begins with ${values.only.join(' or ')}`);
  const sites = drawSites(files);
  const journal = readJournal();
  const tests = new Tests();
  if (!values.list) buildTests();
  const results = []; // results[i] is of sites[i]
  let next = 0;
  const fates = () => results.filter((result) => result && result.fate !== 'same');

  // Returns the number of the next site, or -1 when enough mutants count, those included that are being tried.
  const take = () => (next < sites.length && next - results.filter((result) => result?.fate === 'same').length < wanted ? next++ : -1);

  const tryOne = async (copy, site) => {
    const verdict = await copy().withMutant(site, () => judge(copy(), tests.of(site), site));
    const { key, file, line, kind, line1, mutant } = site;
    const result = { key, file, line, kind, line1, mutant, ...(verdict ?? { fate: 'same', by: '' }) };
    appendFileSync(JOURNAL, `${JSON.stringify(result)}\n`);
    return result;
  };

  const work = async () => {
    /** @type {Copy | UnitCopy | undefined} */
    let made;
    const copy = () => (made ??= values.unit ? new UnitCopy(root) : new Copy(root));
    try {
      for (let number = take(); number >= 0; number = take()) {
        const site = sites[number];
        const known = journal.get(site.key);
        const reason = explanationOf(site);
        if (values.list) console.log(show({ ...site, by: reason?.why ?? known?.fate ?? '' }));
        if (values.list) results[number] = { ...site, fate: reason ? 'explained' : known?.fate ?? 'survived' };
        else if (reason) results[number] = { ...site, fate: 'explained', by: reason.why };
        else results[number] = known ? { ...known, line: site.line } : await tryOne(copy, site);
        if (!values.list && results[number].fate === 'survived') console.log(`survived: ${show(results[number])}`);
      }
    } finally {
      made?.remove();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1)); // which removes the copies
  await Promise.all(Array.from({ length: jobs }, work));
  printTable(fates(), staleAmong(files, sites));
}

await main();
