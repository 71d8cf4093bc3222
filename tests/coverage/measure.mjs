// Which lines each test runs. A test is a process: a unit test, a file of tests/e2e, a bundle of the page's tests.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const LONGEST = 300; // s; a test that takes longer is ended and not counted

/**
 * A test: its name, its command, and how long it took.
 * @typedef {{ name: string, command: string[], env?: Record<string, string>, seconds?: number, passed?: boolean }} Program
 */

/** Runs a command; resolves to { passed, seconds }. A test whose time is over fails. */
export function runTest({ command, env = {} }, { cwd, seconds = LONGEST }) {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { cwd, env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      process.kill(-Number(child.pid), 'SIGKILL'); // with the programs that it has started
    }, seconds * 1000);
    child.on('error', () => resolve({ passed: false, over, seconds: 0 }));
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve({ passed: code === 0, over, seconds: (performance.now() - began) / 1000 });
    });
  });
}

/** Does `work` with each item, as many side by side as there are processors. */
export async function eachOf(items, work) {
  const waiting = [...items];
  const one = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, one));
}

const findFiles = (folder, suffix) =>
  /** @type {string[]} */ (readdirSync(folder, { recursive: true })).filter((name) => name.endsWith(suffix)).map((name) => path.join(folder, name));

// gcov wants a .gcda, which the program wrote, and the .gcno of its object side by side.
function readGcov(root, build, data) {
  const counts = findFiles(data, '.gcda');
  for (const file of counts) {
    const notes = path.relative(data, file).replace(/\.gcda$/, '.gcno');
    symlinkSync(path.join(build, notes), file.replace(/\.gcda$/, '.gcno'));
  }
  if (counts.length === 0) return [];
  const text = execFileSync('gcov', ['--json-format', '--stdout', ...counts], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });
  return text.split('\n').filter((line) => line.startsWith('{')).flatMap((line) => JSON.parse(line).files);
}

/**
 * Lines by file: line → the tests that run it, by index; no test for a line that none runs.
 * @typedef {Map<string, Map<number, Set<number>>>} Lines
 */

/** @param {Lines} lines */
function note(lines, file, line, test, count) {
  let ofFile = lines.get(file);
  if (ofFile === undefined) lines.set(file, (ofFile = new Map()));
  let tests = ofFile.get(line);
  if (tests === undefined) ofFile.set(line, (tests = new Set()));
  if (count > 0) tests.add(test);
}

const isOurs = (file) => /^(protocol|server|clients\/term)\//.test(file);

/**
 * Runs the programs, which are built in root/build/coverage, and adds to `lines` what they run.
 * @param {Program[]} programs
 * @param {Lines} lines
 */
export async function measureC(root, programs, lines, first = 0) {
  const build = path.join(root, 'build/coverage');
  const strip = String(build.split('/').length - 1);
  await eachOf(programs.entries(), async ([index, program]) => {
    const data = path.join(build, 'data', program.name.replaceAll('/', '-'));
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data, { recursive: true });
    const env = { ...program.env, GCOV_PREFIX: data, GCOV_PREFIX_STRIP: strip };
    Object.assign(program, await runTest({ ...program, env }, { cwd: root }));
    for (const { file, lines: counted } of readGcov(root, build, data)) {
      if (!isOurs(file)) continue;
      for (const { line_number: line, count } of counted) note(lines, file, line, first + index, count);
    }
    rmSync(data, { recursive: true, force: true });
  });
}

// How often the byte at `offset` of the script ran: as often as the innermost range around it.
function countAt(functions, offset) {
  let innermost = { size: Number.POSITIVE_INFINITY, count: 0 };
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges) {
      const size = endOffset - startOffset;
      if (startOffset <= offset && offset < endOffset && size <= innermost.size) innermost = { size, count };
    }
  }
  return innermost.count;
}

// The lines of the sources from which the lines of a bundle were made, and how often these ran.
function* linesOfBundle(bundle, functions, root) {
  const text = readFileSync(bundle, 'utf8');
  const payload = text.match(/^\/\/# sourceMappingURL=data:application\/json;base64,(.*)$/m)?.[1];
  if (payload === undefined) throw new Error(`${bundle} has no source map`);
  const map = new SourceMap(JSON.parse(Buffer.from(payload, 'base64').toString()));
  let offset = 0;
  for (const [number, line] of text.split('\n').entries()) {
    const blank = line.search(/[^\s{}()[\];,]/);
    const entry = /** @type {import('node:module').SourceMapping} */ (blank < 0 ? {} : map.findEntry(number, blank));
    if (entry.originalSource !== undefined) {
      const file = path.relative(root, path.resolve(path.dirname(bundle), entry.originalSource));
      yield { file, line: entry.originalLine + 1, count: countAt(functions, offset + blank) };
    }
    offset += line.length + 1;
  }
}

/** Runs the page's tests, which are bundles in root/build/web-test, and adds to `lines` what they run. */
export async function measurePage(root, programs, lines, first = 0) {
  await eachOf(programs.entries(), async ([index, program]) => {
    const data = path.join(root, 'build/coverage/data', program.name.replaceAll('/', '-'));
    rmSync(data, { recursive: true, force: true });
    Object.assign(program, await runTest({ ...program, env: { NODE_V8_COVERAGE: data } }, { cwd: root }));
    const bundle = path.join(root, program.command[1]);
    for (const report of findFiles(data, '.json')) {
      const script = JSON.parse(readFileSync(report, 'utf8')).result.find(({ url }) => url === `file://${bundle}`);
      if (script === undefined) continue;
      for (const { file, line, count } of linesOfBundle(bundle, script.functions, root)) {
        if (file.startsWith('clients/web/src/')) note(lines, file, line, first + index, count);
      }
    }
    rmSync(data, { recursive: true, force: true });
  });
}

const LONG = ['test_presets', 'test_follow']; // eleven minutes of each preset
// Files of tests/e2e that end within seconds and run much of the server.
const CHEAP = ['admission', 'answers', 'api', 'audit', 'control', 'http', 'keys', 'logging', 'members', 'presence', 'protocol', 'readme', 'recording', 'replay', 'rewind', 'rfc6455', 'rooms', 'shutdown', 'streams', 'timeouts'];

/** @returns {Program[]} */
export const unitPrograms = (root, build) =>
  readdirSync(`${root}/${build}/tests`)
    .filter((name) => existsSync(`${root}/tests/unit/${name}.c`) && !LONG.includes(name)) // of a test that is gone, the program may be there
    .map((name) => ({ name: `unit/${name}`, command: [`${build}/tests/${name}`] }));

/** @returns {Program[]} */
export const serverPrograms = (build) => {
  const env = { FLOCKD: `${build}/flockd`, FLOCK_TERM: `${build}/flock-term` };
  return CHEAP.map((name) => ({ name: `e2e/${name}`, command: [process.execPath, `tests/e2e/${name}.test.mjs`], env }));
};

/** @returns {Program[]} */
export const pagePrograms = (root) =>
  readdirSync(`${root}/build/web-test`)
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => ({ name: `page/${name.replace('.test.mjs', '')}`, command: [process.execPath, `build/web-test/${name}`] }));
