#!/usr/bin/env node
// Changes the sources in small ways, one at a time, and says which changes no test notices. It works in a copy of the
// repository that is deleted afterwards. Each mutant is run with the tests that run its line, the fastest first, by
// build/coverage/lines.json (make coverage). A mutant that does not compile, or compiles to the same code, does not count.
//
//   node tests/mutants/run.mjs                  300 mutants of all folders
//   node tests/mutants/run.mjs --only FOLDER    of the files whose paths begin so; may be given again
//   node tests/mutants/run.mjs --seed 7         other mutants; the same seed makes the same ones
//   node tests/mutants/run.mjs --count 50
//   node tests/mutants/run.mjs --seconds 60     of tests for each mutant, at most
//   node tests/mutants/run.mjs --jobs 2         copies that are worked on side by side
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runTest } from '../coverage/measure.mjs';
import { findSites as findSitesC } from './sites-c.mjs';
import { findSites as findSitesTs } from './sites-ts.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const FOLDERS = ['protocol/', 'server/scene/', 'server/past/', 'server/room/', 'server/hub/runner_tick.c', 'server/net/session/', 'clients/web/src/net/', 'clients/web/src/flock/'];
const KINDS = ['comparison', 'call', 'off by one'];

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: FOLDERS },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '1' },
  },
});
const seconds = Number(values.seconds);

// mulberry32: numbers from 0 to below 1.
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffle(items, random) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

const isPage = (file) => file.endsWith('.ts');

// All sites, in an order that comes of the seed, the kinds in turn.
function* drawSites(files, random) {
  const all = files.flatMap((file) => {
    const source = readFileSync(`${root}/${file}`, 'utf8');
    return (isPage(file) ? findSitesTs : findSitesC)(source).map((site) => ({ ...site, file }));
  });
  const piles = KINDS.map((kind) => shuffle(all.filter((site) => site.kind === kind), random));
  while (piles.some((pile) => pile.length > 0)) {
    for (const pile of piles) if (pile.length > 0) yield pile.pop();
  }
}

function sourcesBelow(prefixes) {
  const tracked = execFileSync('git', ['ls-files', '*.c', 'clients/web/src/*.ts'], { cwd: root, encoding: 'utf8' }).split('\n');
  return tracked.filter((file) => prefixes.some((prefix) => file.startsWith(prefix)));
}

const digest = (...files) => files.map((file) => createHash('sha256').update(readFileSync(file)).digest('hex')).join();

/** A copy of the repository with everything built in it. */
class Copy {
  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), 'flockd-mutants-'));
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split('\n');
    for (const file of files.filter((name) => name !== '')) {
      if (statSync(`${root}/${file}`, { throwIfNoEntry: false })) cpSync(`${root}/${file}`, `${this.folder}/${file}`, { preserveTimestamps: true });
    }
    for (const modules of ['clients/web/node_modules', 'tests/node_modules']) symlinkSync(`${root}/${modules}`, `${this.folder}/${modules}`);
    mkdirSync(`${this.folder}/build`);
    for (const built of ['packed-stream', 'flock-sim', 'web']) symlinkSync(`${root}/build/${built}`, `${this.folder}/build/${built}`);
    cpSync(`${root}/build/mutants`, `${this.folder}/build/mutants`, { recursive: true, preserveTimestamps: true });
    this.buildPage();
  }

  make(...targets) {
    return spawnSync('make', ['-s', 'MUTANTS=1', ...targets], { cwd: this.folder, encoding: 'utf8' }).status === 0;
  }

  buildPage() {
    return spawnSync(process.execPath, ['clients/web/build.mjs', '--test'], { cwd: this.folder, encoding: 'utf8' }).status === 0;
  }

  // Builds what the file is part of; a text that is another when what was built is another, or null.
  build(file) {
    if (isPage(file)) {
      if (!this.buildPage()) return null;
      const folder = `${this.folder}/build/web-test`;
      const code = readdirSync(folder).sort().map((name) => readFileSync(`${folder}/${name}`, 'utf8').replace(/^\/\/# sourceMappingURL.*$/m, ''));
      return createHash('sha256').update(code.join()).digest('hex');
    }
    const object = `build/mutants/obj/${file.replace(/\.c$/, '.o')}`;
    return this.make(object) ? digest(`${this.folder}/${object}`) : null;
  }

  // Puts the site's text into the file, does `work`, and puts back what was there.
  async with(site, work) {
    const name = `${this.folder}/${site.file}`;
    const source = readFileSync(name, 'utf8');
    writeFileSync(name, source.slice(0, site.start) + site.text + source.slice(site.end));
    try {
      return await work();
    } finally {
      writeFileSync(name, source);
    }
  }
}

// The command of a test in the copy: there, build/mutants is in place of build/coverage.
function inCopy(test) {
  const here = (text) => text.replace('build/coverage/', 'build/mutants/');
  return { command: test.command.map(here), env: Object.fromEntries(Object.entries(test.env ?? {}).map(([name, value]) => [name, here(value)])) };
}

// Runs the tests until one fails or the time is over.
async function judge(copy, tests) {
  const end = performance.now() + seconds * 1000;
  for (const test of tests) {
    const left = (end - performance.now()) / 1000;
    if (left <= 0) return { fate: 'survived', by: 'not all of its tests were run: the time was over' };
    const bound = 5 + 10 * test.seconds; // of a test that hangs
    const { passed, over } = await runTest(inCopy(test), { cwd: copy.folder, seconds: Math.min(bound, left + test.seconds) });
    if (over && left + test.seconds < bound) return { fate: 'survived', by: 'not all of its tests were run: the time was over' };
    if (!passed) return { fate: 'killed', by: test.name };
  }
  return { fate: 'survived', by: tests.length > 0 ? `${tests.length} tests` : 'no test runs this line' };
}

/** The tests that run the site, those first that end soonest. */
function testsOf(coverage, site, usable) {
  const lines = coverage.files[site.file] ?? [];
  const found = lines.find(([line]) => line === site.line)?.[1] ?? [];
  return found.filter((index) => usable.has(index)).map((index) => coverage.tests[index]).sort((a, b) => a.seconds - b.seconds);
}

async function tryMutant(copy, coverage, site, usable, plain) {
  if (!plain.has(site.file)) plain.set(site.file, copy.build(site.file));
  return copy.with(site, async () => {
    const built = copy.build(site.file);
    if (built === null || built === plain.get(site.file)) return null;
    const tests = testsOf(coverage, site, usable);
    if (!isPage(site.file)) {
      const server = tests.some(({ name }) => name.startsWith('e2e/'));
      if (!copy.make('build/mutants/all.so', ...(server ? ['build/mutants/flockd'] : []))) return null;
    }
    return { ...site, ...(await judge(copy, tests)) };
  });
}

const show = ({ file, line, kind, from, text, by }) => {
  const one = (code) => code.replace(/\s+/g, ' ').slice(0, 90);
  return `${file}:${line}: ${kind}: ${one(from)} → ${one(text)} (${by})`;
};

async function main() {
  const coverage = JSON.parse(readFileSync(`${root}/build/coverage/lines.json`, 'utf8'));
  const files = sourcesBelow(values.only);
  if (files.length === 0) throw new Error(`no source begins with ${values.only.join(' or ')}`);
  const sites = drawSites(files, randomOf(Number(values.seed)));
  const wanted = Number(values.count);
  const usable = new Set(coverage.tests.keys());
  const checked = new Set();
  const results = [];

  const work = async () => {
    const copy = new Copy();
    try {
      const plain = new Map();
      for (let next = sites.next(); !next.done && results.length < wanted; next = sites.next()) {
        // A test that fails without a mutant kills none.
        for (const test of testsOf(coverage, next.value, usable)) {
          const index = coverage.tests.indexOf(test);
          if (checked.has(index)) continue;
          checked.add(index);
          if (plain.size === 0) copy.make('build/mutants/all.so', 'build/mutants/flockd');
          const { passed, seconds: took } = await runTest(inCopy(test), { cwd: copy.folder });
          test.seconds = took;
          if (passed) continue;
          usable.delete(index);
          console.log(`not used: ${test.name} fails without a mutant`);
        }
        const result = await tryMutant(copy, coverage, next.value, usable, plain);
        if (result === null || results.length >= wanted) continue;
        results.push(result);
        if (result.fate === 'survived') console.log(`survived: ${show(result)}`);
      }
    } finally {
      rmSync(copy.folder, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));

  writeFileSync(`${root}/build/mutants.json`, JSON.stringify(results, null, 1));
  for (const prefix of values.only) {
    const own = results.filter(({ file }) => file.startsWith(prefix));
    const killed = own.filter(({ fate }) => fate === 'killed').length;
    if (own.length > 0) console.log(`${prefix.padEnd(28)} ${String(killed).padStart(4)} of ${String(own.length).padStart(4)} killed (${((100 * killed) / own.length).toFixed(1)} %)`);
  }
  const killed = results.filter(({ fate }) => fate === 'killed').length;
  console.log(`seed ${values.seed}: ${killed} of ${results.length} killed (${((100 * killed) / results.length).toFixed(1)} %), ${results.length - killed} survived`);
}

await main();
