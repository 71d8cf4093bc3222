// node build.mjs [--out DIR]         builds the pages, each file with its .gz:
//                                    index.html (a room), app-HASH.js, style-HASH.css, and NAME-HASH.js for each part that is
//                                    loaded later
//                                    start.html (the start page), start-HASH.js, start-HASH.css; both use icon-HASH.svg
// node build.mjs --test [--out DIR]  builds the tests: NAME.test.mjs, for node --test
//
// The content of a file with a hash in its name never changes, so browsers may keep it. Browsers must ask again for the pages alone.
// A room's page is at …/r/CODE and the start page at …/, perhaps below the prefix of a reverse proxy. Therefore each page names its
// files relative to its own path. The build fails if a page exceeds its budget.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build, transform } from 'esbuild';
import { minify } from 'terser';
import { cuts } from './cuts.mjs';
import { makeMiniatures } from './miniatures.mjs';
import { textsOf } from './texts.mjs';

// Each page: its script and style sheet, the folder of its files relative to the page, and its budget. first: gzipped bytes of the
// first load; whole: gzipped bytes with all later parts. oneOf: parts of which each browser loads one, before the first picture. The budget
// counts the largest. shared: small modules of several later parts, which take less in the first load than in files of their own.
const PAGES = {
  'index.html': {
    script: { name: 'app', from: 'main.ts' },
    style: { name: 'style', from: 'app/style.css' },
    oneOf: ['draw/canvas2d.ts', 'draw/webgl.ts'],
    shared: ['app/copy.ts', 'app/pair.ts', 'app/save.ts', 'draw/placed.ts', 'flock/near.ts', 'flock/pairs.ts', 'texts/particles.ts'],
    folder: '../',
    first: 60 * 1024,
    files: 5, // maximum of the first load, besides the page: a class of 30 requests all of them at once
    whole: 210 * 1024,
  },
  'start.html': {
    script: { name: 'start', from: 'start.ts' },
    style: { name: 'start', from: 'app/start.css' },
    oneOf: [],
    shared: [],
    folder: './',
    first: 16 * 1024,
    files: 4,
    whole: 144 * 1024,
  },
};
const ICON = 'icon.svg';
const PRODUCTS = /^((index|start)\.html|[\w-]+-[0-9a-f]{10}\.(js|css|svg))(\.gz)?$|\.test\.mjs$/; // of an earlier build

// Removes comments, indentation and spaces from the shaders, which halves them. They are strings, so the minifier does not change them.
const shaders = {
  name: 'shaders',
  setup: (bundler) =>
    bundler.onLoad({ filter: /shaders\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replace(/ *\/\/.*$/gm, '')
        .replace(/^\s+/gm, '')
        .replace(/ *([-+*/=<>?:,;(){}&|!]) */g, '$1'),
    })),
};

// The miniatures are computed by flock-sim of the same source.
const miniatures = {
  name: 'miniatures',
  setup(bundler) {
    bundler.onResolve({ filter: /^flock:miniatures$/ }, () => ({ path: 'miniatures', namespace: 'flock' }));
    bundler.onLoad({ filter: /.*/, namespace: 'flock' }, () => ({ contents: makeMiniatures(resolve(options['flock-sim'])) }));
  },
};

const additions = (more) => ({
  name: 'additions',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) =>
      more(path) === '' ? undefined : { loader: 'ts', contents: readFileSync(path, 'utf8') + more(path) },
    ),
});

// Turns px into rem, except in the conditions of @media; see app/base.css.
const PX_PER_REM = 20;
const scaled = (css) =>
  css.replace(/(@[^{;]*[{;])|(-?[\d.]+)px\b/g, (_, rule, length) => rule ?? `${+(length / PX_PER_REM).toFixed(4)}rem`);
const sheets = {
  name: 'sheets',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\.css$/, namespace: 'file' }, ({ path }) => ({
      loader: 'css',
      contents: scaled(readFileSync(path, 'utf8')),
    })),
};

// A part that is loaded later contains its HTML as text. Its style sheet is a separate file.
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
      contents: (await transform(scaled(readFileSync(path, 'utf8')), { loader: 'css', minify: true, target: TARGET })).code,
    }));
  },
};

const here = dirname(fileURLToPath(import.meta.url));
// The oldest supported browsers, by the bundler's names for them: 'ios_saf >= 16.4' is ios16.4.
const { browserslist } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const TARGET = browserslist.map((query) => query.replace('ios_saf', 'ios').replace(' >= ', ''));
const { values: options } = parseArgs({
  options: {
    out: { type: 'string' },
    test: { type: 'boolean', default: false },
    'flock-sim': { type: 'string', default: join(here, '../../build/flock-sim') },
  },
});
const out = resolve(options.out ?? join(here, '../../build', options.test ? 'web-test' : 'web'));

// happy-dom has 30 MB. Tests import it instead of containing it.
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
    mainFields: ['module', 'main'], // as in the pages, so that the same parts are cut
    target: 'node18',
    format: 'esm',
    sourcemap: 'inline',
    define: { REPOSITORY: JSON.stringify(resolve(here, '../..')) },
    loader: { '.html': 'text', '.css': 'text' },
    plugins: [windows, cuts],
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
  for (const [page, { script, style, oneOf, shared, folder, first, files: filesMax, whole }] of Object.entries(PAGES)) {
    const { outputs, texts } = await bundle(script, style, shared);
    await shorten(texts);
    const written = new Map(); // the bundler's path → the name with a hash, and the size
    const put = (path) => {
      if (written.has(path)) return;
      let data = texts.get(path);
      // A file's hash covers the names of the files that it imports, so these are written first.
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
    const [source, noscript] = [page, 'noscript.html'].map((name) => readFileSync(join(here, 'src', name), 'utf8'));
    let html = source.replace('<!-- noscript -->', noscript).replace(indented, '>\n<');
    for (const [name, { hashed }] of Object.entries(files)) {
      if (!html.includes(`"${folder}${name}"`)) throw new Error(`${page} does not use ${folder}${name}`);
      html = html.replaceAll(`"${folder}${name}"`, `"${folder}${hashed}"`);
    }
    const links = preloads.map((path) => `<link rel="modulepreload" href="${folder}${written.get(path).hashed}">\n`);
    html = html.replace('<script', `${links.join('')}<script`);

    const size = (each) => each.reduce((sum, { size }) => sum + size, 0);
    const bare = emit(page, Buffer.from(html));
    const loaded = new Set([entry, ...preloads]);
    const partOf = (from) => Object.keys(outputs).find((path) => outputs[path].entryPoint?.endsWith(from));
    const more = oneOf.map((from) => [...needed(outputs, partOf(from))].filter((path) => !loaded.has(path)));
    const largest = Math.max(0, ...more.map((paths) => size(paths.map((path) => written.get(path)))));
    const atFirst = bare + size(Object.values(files)) + size(preloads.map((path) => written.get(path))) + largest;
    const all = bare + icon.size + size([...written.values()]);
    console.log(`${page}: ${atFirst} of ${first} bytes gzipped, ${all} of ${whole} with what is loaded later`);
    const count = Object.keys(files).length + preloads.length;
    if (count > filesMax) throw new Error(`${page} first loads ${count} files, not at most ${filesMax}`);
    if (atFirst > first || all > whole) throw new Error(`${page} outgrows its budget`);
  }
}

/** Makes scripts about 4 % smaller than the bundler does. The miniatures are data. */
async function shorten(texts) {
  for (const [path, text] of texts) {
    if (!path.endsWith('.js') || path.startsWith('miniatures')) continue;
    texts.set(
      path,
      (
        await minify(text, {
          module: true,
          ecma: 2022,
          compress: { passes: 6, keep_fargs: false, unsafe_arrows: true, hoist_funs: true, lhs_constants: false },
        })
      ).code,
    );
  }
}

/** Bundles a page. Returns the bundler's description of the files by their paths, and their contents. */
async function bundle(script, style, shared) {
  const alone = await bundleWith(script, style, () => '');
  const { outputs, inputs } = alone;
  const entry = `${script.name}.js`;
  const isModule = (source) => source.endsWith('.ts') && !source.includes(':');
  const later = new Set(Object.values(outputs).flatMap(({ entryPoint }) => (entryPoint ? [resolve(out, entryPoint)] : [])));
  const mayImport = (source) => !loadsLater(inputs, source);
  const first = [...needed(outputs, entry)]
    .flatMap((path) => Object.keys(outputs[path].inputs).filter((source) => isModule(source) && mayImport(source)))
    .map((source) => resolve(out, source));
  // The bundler makes one file for the modules that the same parts use. This makes all later parts import all modules of the first
  // load. The first load is then one set of modules, and a browser requests fewer files.
  const more = shared.map((source) => resolve(here, 'src', source));
  const importsOf = (sources) => `\n${sources.map((source) => `import ${JSON.stringify(source)};\n`).join('')}`;
  const begin = resolve(here, 'src', script.from);
  later.delete(begin);
  return bundleWith(script, style, (path) => {
    if (path === begin) return importsOf(more);
    return later.has(path) && !isLanguage(path) ? importsOf([...first, ...more]) : '';
  });
}

/** Whether that is the file of a language, which is loaded later and imports nothing but the texts. */
function isLanguage(path) {
  return dirname(path).endsWith('src/texts');
}

/** Whether a module, or a module that it imports, loads a part later. A part that imported it would be in a circle. */
function loadsLater(inputs, source, seen = new Set()) {
  if (seen.has(source)) return false;
  seen.add(source);
  return inputs[source].imports.some(({ path, kind }) =>
    kind === 'dynamic-import' ? !isLanguage(path) : path in inputs && loadsLater(inputs, path, seen),
  );
}

/** Bundles a page once. more(path): text that is appended to the source with that path. */
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
    plugins: [shaders, cuts, parts, sheets, miniatures, textsOf(join(here, 'src/texts'), script.name === 'app', more), additions(more)],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  return { ...metafile, texts: new Map(outputFiles.map(({ path, text }) => [basename(path), text])) };
}

/** Returns a file's name without its hash. The name of a panel's index file is the name of its folder. */
function nameOf(path, { entryPoint, inputs }) {
  const [source] = entryPoint ? [entryPoint] : Object.keys(inputs);
  const name = basename(path).replace(/-[0-9A-Z]+\./, '.');
  return name.replace(/^index\./, () => `${basename(dirname(source))}.`); // other chunks may have no source
}

/** Returns the script and the files that it imports at once. */
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

/** Returns 10 hexadecimal digits, by which flockd recognizes a name with a hash. */
function contentHash(data) {
  return createHash('sha256').update(data).digest('hex').slice(0, 10);
}

/** Writes a file and its .gz. Returns the size of the .gz, which zopfli makes 5 % smaller than gzip -9, in 0.2 s. */
function emit(name, data) {
  const path = join(out, name);
  writeFileSync(path, data);
  execFileSync('zopfli', ['--i15', path]);
  return statSync(`${path}.gz`).size;
}
