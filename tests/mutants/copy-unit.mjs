// A copy of the repository for the unit tests alone. It compiles a changed file as build/asan has it, and links each test when
// the test is run. So it needs no build of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTest } from '../coverage/measure.mjs';
import { copySources, digest, mutated } from './copy.mjs';

const ASAN = 'build/asan';
// Programs and files that unit tests start or read.
const USED = ['flock-sim', 'packed-stream', 'flockd-nats.so', 'nats', 'web', 'asan/flock-sim', 'asan/flockd-nats.so'];

const objectOf = (file) => `${ASAN}/obj/${file.replace(/\.c$/, '.o')}`;

export class UnitCopy {
  constructor(root) {
    this.folder = copySources(root);
    for (const kept of [`${ASAN}/obj`, `${ASAN}/flags`, 'build/texts']) {
      cpSync(`${root}/${kept}`, `${this.folder}/${kept}`, { recursive: true, preserveTimestamps: true });
    }
    for (const built of USED.filter((name) => existsSync(`${root}/build/${name}`))) symlinkSync(`${root}/build/${built}`, `${this.folder}/build/${built}`);
    for (const modules of ['clients/web/node_modules', 'tests/node_modules']) symlinkSync(`${root}/${modules}`, `${this.folder}/${modules}`);
    this.commands = this.readLinks();
    if (!this.make(`${ASAN}/all.a`)) throw new Error(`${ASAN} cannot be built: make SANITIZE=1 unit`);
    /** Of each file, its object and the digest of its code without a mutant. */
    this.plain = new Map();
    /** The tests that are linked without a mutant, and with the present one. */
    this.linked = { plain: new Set(), mutant: new Set() };
    this.kind = 'mutant';
    for (const kind of Object.keys(this.linked)) mkdirSync(`${this.folder}/build/tests-${kind}`);
  }

  make(...targets) {
    return spawnSync('make', ['-s', 'SANITIZE=1', ...targets], { cwd: this.folder, encoding: 'utf8' }).status === 0;
  }

  // The command that links each test: what make would do, because the copy has no tests.
  readLinks() {
    const said = execFileSync('make', ['-n', 'V=1', 'SANITIZE=1', 'unit'], { cwd: this.folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
    const links = said.split('\n').map((line) => ({ line, name: line.match(/ -o build\/asan\/tests\/(\S+)/)?.[1] }));
    return new Map(links.filter(({ name }) => name !== undefined).map(({ line, name }) => [name, line]));
  }

  link(name) {
    if (this.linked[this.kind].has(name)) return;
    const command = this.commands.get(name)?.replace(`${ASAN}/tests/${name}`, `build/tests-${this.kind}/${name}`);
    const { status, stderr } = spawnSync('sh', ['-c', command ?? 'false'], { cwd: this.folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name} cannot be linked: ${stderr}`);
    this.linked[this.kind].add(name);
  }

  // Compiles the file; returns the digest of its code without lines' numbers, or null.
  build(file) {
    if (!this.make(objectOf(file))) return null;
    const stripped = `${this.folder}/build/stripped.o`;
    execFileSync('strip', ['--strip-debug', '-o', stripped, `${this.folder}/${objectOf(file)}`]);
    return digest(readFileSync(stripped));
  }

  plainOf(file) {
    if (!this.plain.has(file)) {
      const code = this.build(file);
      const object = `${this.folder}/build/plain-${this.plain.size}.o`;
      copyFileSync(`${this.folder}/${objectOf(file)}`, object);
      this.plain.set(file, { code, object });
    }
    return this.plain.get(file);
  }

  // As Copy.withMutant().
  async withMutant(site, work) {
    const plain = this.plainOf(site.file);
    const name = `${this.folder}/${site.file}`;
    const object = `${this.folder}/${objectOf(site.file)}`;
    const source = readFileSync(name, 'utf8');
    writeFileSync(name, mutated(source, site));
    try {
      const built = this.build(site.file);
      if (built === null || built === plain.code) return null;
      this.objects = { here: object, plain: plain.object, mutant: `${this.folder}/build/mutant.o` };
      copyFileSync(object, this.objects.mutant);
      this.linked.mutant.clear();
      return await work();
    } finally {
      writeFileSync(name, source);
      copyFileSync(plain.object, object);
    }
  }

  // Does `work` with tests without a mutant.
  async withPlain(work) {
    copyFileSync(this.objects.plain, this.objects.here);
    this.kind = 'plain';
    try {
      return await work();
    } finally {
      this.kind = 'mutant';
      copyFileSync(this.objects.mutant, this.objects.here);
    }
  }

  run(test, options) {
    const name = path.basename(test.command[0]);
    this.link(name);
    return runTest({ command: [`build/tests-${this.kind}/${name}`] }, { cwd: this.folder, ...options });
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
