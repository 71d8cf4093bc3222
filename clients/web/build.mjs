// node build.mjs [--out DIR]         the page: index.html, app-HASH.js, style-HASH.css, icon-HASH.svg, each with its .gz
// node build.mjs --test [--out DIR]  the tests: NAME.test.mjs, for node --test
//
// A name with a hash in it never changes its content, so a server may let browsers keep it for good; index.html
// alone has to be asked for again. The build fails when the page outgrows its budget.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const BUDGET = 60 * 1024; // bytes of the whole page, gzipped
const PRODUCTS = /^(index\.html|(app|style|icon)-[0-9A-Za-z]+\.(js|css|svg))(\.gz)?$|\.test\.mjs$/; // of an earlier build
const TARGET = ['es2022', 'chrome94', 'firefox93', 'safari15.4'];

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

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: { out: { type: 'string' }, test: { type: 'boolean', default: false } },
});
const out = resolve(options.out ?? join(here, '../../build', options.test ? 'web-test' : 'web'));

mkdirSync(out, { recursive: true });
for (const name of readdirSync(out)) if (PRODUCTS.test(name)) rmSync(join(out, name));
await (options.test ? buildTests() : buildPage());

async function buildTests() {
  const tests = readdirSync(join(here, 'test')).filter((name) => name.endsWith('.test.ts'));
  await build({
    entryPoints: tests.map((name) => join(here, 'test', name)),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'esm',
    sourcemap: 'inline',
    define: { REPOSITORY: JSON.stringify(resolve(here, '../..')) },
    logLevel: 'warning',
  });
}

async function buildPage() {
  const bundled = await build({
    entryPoints: { app: join(here, 'src/main.ts'), style: join(here, 'src/style.css') },
    outdir: out,
    bundle: true,
    minify: true,
    format: 'esm',
    target: TARGET,
    legalComments: 'none',
    plugins: [shaders],
    write: false,
    logLevel: 'warning',
  });
  const files = [
    ...bundled.outputFiles.map((file) => ({ name: basename(file.path), data: file.contents })),
    { name: 'icon.svg', data: readFileSync(join(here, 'src/icon.svg')) },
  ];

  let html = readFileSync(join(here, 'src/index.html'), 'utf8').replace(/>\s*\n\s*</g, '>\n<');
  let total = 0;
  for (const { name, data } of files) {
    const extension = extname(name);
    const hash = contentHash(data);
    const hashed = `${basename(name, extension)}-${hash}${extension}`;
    if (!html.includes(`"${name}"`)) throw new Error(`index.html does not use ${name}`);
    html = html.replaceAll(`"${name}"`, `"${hashed}"`);
    total += emit(hashed, data);
  }
  total += emit('index.html', Buffer.from(html));
  console.log(`web: ${total} of ${BUDGET} bytes, gzipped`);
  if (total > BUDGET) throw new Error(`the page is ${total} bytes gzipped, more than its budget of ${BUDGET}`);
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
