// A copy of the repository, in which a source is changed, what it is part of is built, and tests run.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTest } from '../coverage/measure.mjs';

// The files that a mutant changes and the tests run.
const PRODUCTS = ['build/mutants/all.so', 'build/mutants/flockd', 'build/web-test'];

export const isPage = (file) => file.endsWith('.ts');

export const digest = (text) => createHash('sha256').update(text).digest('hex');

/** Copies the sources to a new folder, with a folder build in it, and returns its path. The process removes it when it ends. */
export function copySources(root) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-mutants-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split('\n');
  for (const file of files.filter((name) => name !== '')) {
    if (statSync(`${root}/${file}`, { throwIfNoEntry: false })) cpSync(`${root}/${file}`, `${folder}/${file}`, { preserveTimestamps: true });
  }
  mkdirSync(`${folder}/build`);
  return folder;
}

/** The source with the site's text in place. */
export const mutated = (source, site) => source.slice(0, site.start) + site.text + source.slice(site.end);

/** A copy of the repository with everything built in it. */
export class Copy {
  constructor(root) {
    this.folder = copySources(root);
    for (const modules of ['clients/web/node_modules', 'tests/node_modules']) symlinkSync(`${root}/${modules}`, `${this.folder}/${modules}`);
    for (const built of ['packed-stream', 'flock-sim', 'web']) symlinkSync(`${root}/build/${built}`, `${this.folder}/build/${built}`);
    cpSync(`${root}/build/mutants`, `${this.folder}/build/mutants`, { recursive: true, preserveTimestamps: true });
    if (!this.buildPage() || !this.make('build/mutants/all.so', 'build/mutants/flockd')) throw new Error(`${this.folder} cannot be built`);
    for (const product of PRODUCTS) cpSync(`${this.folder}/${product}`, `${this.folder}/build/plain/${path.basename(product)}`, { recursive: true });
    /** Of each file, what build() says of it without a mutant. */
    this.plain = new Map();
    this.isPlain = false;
  }

  make(...targets) {
    return spawnSync('make', ['-s', 'MUTANTS=1', ...targets], { cwd: this.folder, encoding: 'utf8' }).status === 0;
  }

  buildPage() {
    return spawnSync(process.execPath, ['clients/web/build.mjs', '--test'], { cwd: this.folder, encoding: 'utf8' }).status === 0;
  }

  // Builds the part that the file is compiled to; returns a text that differs if it differs, or null.
  build(file) {
    if (isPage(file)) {
      if (!this.buildPage()) return null;
      const folder = `${this.folder}/build/web-test`;
      const code = readdirSync(folder).sort().map((name) => readFileSync(`${folder}/${name}`, 'utf8').replace(/^\/\/# sourceMappingURL.*$/m, ''));
      return digest(code.join());
    }
    const object = `build/mutants/obj/${file.replace(/\.c$/, '.o')}`;
    return this.make(object) ? digest(readFileSync(`${this.folder}/${object}`)) : null;
  }

  // Builds with the site's text in its file, does `work`, and puts back what was there. Returns null, without the work, if that
  // cannot be built or makes no difference.
  async withMutant(site, work) {
    const { file } = site;
    if (!this.plain.has(file)) this.plain.set(file, this.build(file));
    const name = `${this.folder}/${file}`;
    const source = readFileSync(name, 'utf8');
    writeFileSync(name, mutated(source, site));
    try {
      const built = this.build(file);
      if (built === null || built === this.plain.get(file)) return null;
      if (!isPage(file) && !this.make('build/mutants/all.so')) return null;
      return await work();
    } finally {
      writeFileSync(name, source);
    }
  }

  // Does `work` with the products of the sources without a mutant, then puts the mutant's products back.
  async withPlain(work) {
    const swap = (from, to) => {
      for (const product of PRODUCTS) {
        const [source, target] = [from(product), to(product)].map((name) => `${this.folder}/${name}`);
        rmSync(target, { recursive: true, force: true }); // a program that runs keeps its file
        cpSync(source, target, { recursive: true, preserveTimestamps: true });
      }
    };
    const [plain, mutant] = ['plain', 'mutant'].map((folder) => (product) => `build/${folder}/${path.basename(product)}`);
    const here = (product) => product;
    swap(here, mutant);
    swap(plain, here);
    this.isPlain = true;
    try {
      return await work();
    } finally {
      this.isPlain = false;
      swap(mutant, here);
    }
  }

  // In the copy, build/mutants is in place of build/coverage.
  run(test, options) {
    if (test.env?.FLOCKD && !this.isPlain) this.make('build/mutants/flockd');
    const here = (text) => text.replace('build/coverage/', 'build/mutants/');
    const env = Object.fromEntries(Object.entries(test.env ?? {}).map(([name, value]) => [name, here(value)]));
    return runTest({ command: test.command.map(here), env }, { cwd: this.folder, ...options });
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
