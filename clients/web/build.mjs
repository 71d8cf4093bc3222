// node build.mjs [--out DIR]         the pages, each file with its .gz:
//                                    index.html (a room), app-HASH.js, style-HASH.css, and NAME-HASH.js for each part that is
//                                    loaded when it is opened
//                                    start.html (the start page), start-HASH.js, start-HASH.css; both use icon-HASH.svg
// node build.mjs --test [--out DIR]  the tests: NAME.test.mjs, for node --test
//
// A name with a hash in it never changes its content, so a server may let browsers keep it for good; the pages alone have
// to be asked for again. A room's page is at …/r/CODE and the start page at …/, perhaps below the prefix of a reverse
// proxy, so each names its files relative to its own path. The build fails when a page outgrows its budget.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

// What each page is made of, where it finds its files, and how many bytes it may be, gzipped: until it is shown, and with
// all that it loads later.
const PAGES = {
  'index.html': {
    script: { name: 'app', from: 'main.ts' },
    style: { name: 'style', from: 'app/style.css' },
    folder: '../',
    first: 60 * 1024,
    files: 8, // of the first load, beside the page: a class of 30 asks for all of them at once
    whole: 130 * 1024,
  },
  'start.html': {
    script: { name: 'start', from: 'start.ts' },
    style: { name: 'start', from: 'app/start.css' },
    folder: './',
    first: 16 * 1024,
    files: 4,
    whole: 40 * 1024,
  },
};
const ICON = 'icon.svg';
const PRODUCTS = /^((index|start)\.html|[\w-]+-[0-9a-f]{10}\.(js|css|svg))(\.gz)?$|\.test\.mjs$/; // of an earlier build

// The shaders travel as text, which the minifier leaves alone: without comments and indentation it is half as long.
const shaders = {
  name: 'shaders',
  setup: (bundler) =>
    bundler.onLoad({ filter: /shaders\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replace(/ *\/\/.*$/gm, '')
        .replace(/^\s+/gm, ''),
    })),
};

// A room's page has no use for the texts that are the start page's alone.
const OF_THE_START_PAGE = /^ {2}start: \{\n.*?^ {2}\},\n/gms;
const textsOf = (script, more) => ({
  name: 'texts',
  setup: (bundler) =>
    script.name === 'app' &&
    bundler.onLoad({ filter: /texts\/(en|ja|ko)\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replace(OF_THE_START_PAGE, '') + more(path),
    })),
});

const additions = (more) => ({
  name: 'additions',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) =>
      more(path) === '' ? undefined : { loader: 'ts', contents: readFileSync(path, 'utf8') + more(path) },
    ),
});

// A part that is loaded later brings its HTML along as text, and its style sheet as a file of its own.
const indented = />\s*\n\s*</g;
const parts = {
  name: 'parts',
  setup(bundler) {
    bundler.onLoad({ filter: /\.html$/ }, ({ path }) => ({
      loader: 'text',
      contents: readFileSync(path, 'utf8').replace(indented, '>\n<'),
    }));
    bundler.onResolve({ filter: /\.css$/ }, ({ path, kind, resolveDir }) =>
      kind === 'import-statement' ? { path: join(resolveDir, path), namespace: 'sheet' } : undefined,
    );
    bundler.onLoad({ filter: /\.css$/, namespace: 'sheet' }, async ({ path }) => ({
      loader: 'file',
      contents: (await transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true, target: TARGET })).code,
    }));
  },
};

const here = dirname(fileURLToPath(import.meta.url));
// The oldest supported browsers, by the bundler's names for them: 'ios_saf >= 16.4' is ios16.4.
const { browserslist } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const TARGET = browserslist.map((query) => query.replace('ios_saf', 'ios').replace(' >= ', ''));
const { values: options } = parseArgs({
  options: { out: { type: 'string' }, test: { type: 'boolean', default: false } },
});
const out = resolve(options.out ?? join(here, '../../build', options.test ? 'web-test' : 'web'));

// A window of 30 MB, which is not put into each test.
const windows = {
  name: 'window',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^happy-dom$/ }, () => ({
      path: pathToFileURL(join(here, 'node_modules/happy-dom/lib/index.js')).href,
      external: true,
    })),
};

mkdirSync(out, { recursive: true });
for (const name of readdirSync(out)) if (PRODUCTS.test(name)) rmSync(join(out, name));
await (options.test ? buildTests() : buildPages());

async function buildTests() {
  const tests = ['test', 'src'].flatMap((folder) => testsIn(join(here, folder)));
  await build({
    entryPoints: tests.map((path) => ({ in: path, out: basename(path, '.ts') })),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'esm',
    sourcemap: 'inline',
    define: { REPOSITORY: JSON.stringify(resolve(here, '../..')) },
    loader: { '.html': 'text', '.css': 'text' },
    plugins: [windows],
    logLevel: 'warning',
  });
}

function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? testsIn(path) : entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

async function buildPages() {
  const icon = write(ICON, readFileSync(join(here, 'src', ICON)));
  for (const [page, { script, style, folder, first, files: filesMax, whole }] of Object.entries(PAGES)) {
    const { outputs, texts } = await bundle(script, style);
    const written = new Map(); // by the bundler's path: the name with a hash, and the size
    const put = (path) => {
      if (written.has(path)) return;
      let data = texts.get(path);
      // A file's hash covers the names of the files that it loads, so these come first.
      for (const { path: used } of outputs[path].imports) {
        put(used);
        data = data.replaceAll(basename(used), written.get(used).hashed);
      }
      written.set(path, write(nameOf(path, outputs[path]), Buffer.from(data)));
    };
    Object.keys(outputs).forEach(put);

    const entry = `${script.name}.js`;
    const preloads = [...needed(outputs, entry)].filter((path) => path !== entry);
    const files = { [entry]: written.get(entry), [`${style.name}.css`]: written.get(`${style.name}.css`), [ICON]: icon };
    let html = readFileSync(join(here, 'src', page), 'utf8').replace(indented, '>\n<');
    for (const [name, { hashed }] of Object.entries(files)) {
      if (!html.includes(`"${folder}${name}"`)) throw new Error(`${page} does not use ${folder}${name}`);
      html = html.replaceAll(`"${folder}${name}"`, `"${folder}${hashed}"`);
    }
    const links = preloads.map((path) => `<link rel="modulepreload" href="${folder}${written.get(path).hashed}">\n`);
    html = html.replace('<script', `${links.join('')}<script`);

    const size = (each) => each.reduce((sum, { size }) => sum + size, 0);
    const bare = emit(page, Buffer.from(html));
    const atFirst = bare + size(Object.values(files)) + size(preloads.map((path) => written.get(path)));
    const all = bare + icon.size + size([...written.values()]);
    console.log(`${page}: ${atFirst} of ${first} bytes gzipped, ${all} of ${whole} with what is loaded later`);
    const count = Object.keys(files).length + preloads.length;
    if (count > filesMax) throw new Error(`${page} first loads ${count} files, not at most ${filesMax}`);
    if (atFirst > first || all > whole) throw new Error(`${page} outgrows its budget`);
  }
}

/** Bundles a page: the bundler's description of its files by their paths, and their contents. */
async function bundle(script, style) {
  const alone = await bundleWith(script, style, () => '');
  if (script.name !== 'app') return alone;
  const { outputs, inputs } = alone;
  const entry = `${script.name}.js`;
  const isModule = (source) => source.endsWith('.ts') && !source.includes(':');
  const later = new Set(Object.values(outputs).flatMap(({ entryPoint }) => (entryPoint ? [resolve(out, entryPoint)] : [])));
  const first = [...needed(outputs, entry)]
    .flatMap((path) => Object.keys(outputs[path].inputs).filter((source) => isModule(source) && !loadsLater(inputs, source)))
    .map((source) => resolve(out, source));
  // The bundler makes a file for each set of modules that the same parts need. Each later part imports what the page
  // has by then. So the first load is one set, and a browser asks for fewer files.
  const imports = `\n${first.map((source) => `import ${JSON.stringify(source)};\n`).join('')}`;
  later.delete(resolve(here, 'src', script.from));
  return bundleWith(script, style, (path) => (later.has(path) ? imports : ''));
}

/** Whether a module, or one that it imports, loads a part later: a part that imports it would be in a circle. */
function loadsLater(inputs, source, seen = new Set()) {
  if (seen.has(source)) return false;
  seen.add(source);
  return inputs[source].imports.some(({ path, kind }) => kind === 'dynamic-import' || (path in inputs && loadsLater(inputs, path, seen)));
}

/** As above. `more` has what is added to the source of that path. */
async function bundleWith(script, style, more) {
  const { metafile, outputFiles } = await build({
    entryPoints: [script, style].map(({ name, from }) => ({ in: join(here, 'src', from), out: name })),
    outdir: out,
    absWorkingDir: out,
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    minify: true,
    format: 'esm',
    target: TARGET,
    legalComments: 'none',
    charset: 'utf8',
    plugins: [shaders, parts, textsOf(script, more), additions(more)],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  return { ...metafile, texts: new Map(outputFiles.map(({ path, text }) => [basename(path), text])) };
}

/** A file's name without a hash. A panel's files are called index, and their folder has the name. */
function nameOf(path, { entryPoint, inputs }) {
  const [source] = entryPoint ? [entryPoint] : Object.keys(inputs);
  const name = basename(path).replace(/-[0-9A-Z]+\./, '.');
  return name.replace(/^index\./, () => `${basename(dirname(source))}.`); // other chunks may have no source
}

/** The files that a script needs, with the script itself. */
function needed(outputs, path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: used, kind } of outputs[path].imports) if (kind === 'import-statement') needed(outputs, used, found);
  return found;
}

function write(name, data) {
  const extension = extname(name);
  const hashed = `${basename(name, extension)}-${contentHash(data)}${extension}`;
  return { hashed, size: emit(hashed, data) };
}

/** Of the form by which flockd knows such a name: hexadecimal. */
function contentHash(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, 10);
}

function emit(name, data) {
  const zipped = gzipSync(data, { level: 9 });
  writeFileSync(join(out, name), data);
  writeFileSync(join(out, `${name}.gz`), zipped);
  return zipped.length;
}
