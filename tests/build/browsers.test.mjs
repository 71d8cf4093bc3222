// The page runs in the browsers that clients/web/package.json names: neither its sources nor what is built of them, which has the
// libraries in it, use an API or a syntax that the oldest of these lacks. Style sheets are not looked at: the build rewrites newer
// syntax, and a browser skips a property that it does not know.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'acorn';
import ts from 'typescript';
import { root } from '../e2e/server.mjs';
import { apisIn, browsersOf, lacking } from './apis.mjs';

const WEB = path.join(root, 'clients/web');
const BUILT = path.join(root, 'build/web');
const SYNTAX = 2022; // ECMAScript's edition that all of them have: Safari 16.4 was the last to complete it

// Features that a browser may lack, because the page works without them.
const OPTIONAL = new Set(['Element wheel']); // phones have no wheel

const browsers = browsersOf(JSON.parse(readFileSync(path.join(WEB, 'package.json'), 'utf8')).browserslist);
const builtFiles = readdirSync(BUILT)
  .filter((name) => name.endsWith('.js'))
  .map((name) => path.join(BUILT, name));

function configOf(file) {
  const host = /** @type {any} */ ({ ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem) => assert.fail(String(problem.messageText)) });
  return ts.getParsedCommandLineOfConfigFile(file, { incremental: false, tsBuildInfoFile: undefined }, host);
}

// The newest library, so that the types know what browsers may lack.
const NEWEST = { target: ts.ScriptTarget.ESNext, lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], allowJs: true, checkJs: true, noEmit: true };

function missing(program, isAsked) {
  const uses = apisIn(program, isAsked);
  const problems = uses.filter(({ api, feature }) => feature && !OPTIONAL.has(api)).map((use) => ({ ...use, without: lacking(use.feature, browsers) }));
  return { uses: uses.length, problems: problems.filter(({ without }) => without.length > 0) };
}

const described = (problems) => problems.map(({ place, api, without }) => `${path.relative(root, place)}: ${api} is missing in ${without.join(', ')}`);

test('the sources use no API that a supported browser lacks', () => {
  const { fileNames, options } = configOf(path.join(WEB, 'tsconfig.json'));
  const { uses, problems } = missing(ts.createProgram(fileNames, options), (name) => name.startsWith(`${WEB}/src/`));
  assert.ok(uses > 1000, `${uses} uses were found`);
  assert.deepEqual(described(problems), []);
});

test('the built files use no API that a supported browser lacks', () => {
  const { uses, problems } = missing(ts.createProgram(builtFiles, NEWEST), (name) => name.startsWith(BUILT));
  assert.ok(uses > 1000, `${uses} uses were found`);
  assert.deepEqual(described(problems), []);
});

test('the built files use no syntax that a supported browser lacks', () => {
  assert.ok(builtFiles.length > 0);
  for (const file of builtFiles) parse(readFileSync(file, 'utf8'), { ecmaVersion: SYNTAX, sourceType: 'module' });
  assert.throws(() => parse('/[a&&b]/v', { ecmaVersion: SYNTAX }), SyntaxError);
});

test('a use of a newer API is found in whatever form it has', () => {
  const source = `
    const { canParse } = URL;
    URL.canParse('x');
    self.URL?.canParse('x');
    document.querySelector('p')!.checkVisibility();
    Object.groupBy([1], String);
    new Set([1]).union(new Set());
    requestIdleCallback(() => undefined);
    window.requestIdleCallback(() => undefined);
    document.body.addEventListener('scrollend', () => undefined);
    [1].map(String).at(0);`;
  const host = ts.createCompilerHost(NEWEST);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...more) => (name === 'newer.ts' ? ts.createSourceFile(name, source, ts.ScriptTarget.ESNext, true) : getSourceFile(name, ...more));
  const { problems } = missing(ts.createProgram(['newer.ts'], NEWEST, host), (name) => name === 'newer.ts');
  assert.deepEqual(
    problems.filter(({ without }) => without.includes('safari 16.4')).map(({ api }) => api),
    [
      ...['URL.canParse', 'URL.canParse', 'URL.canParse', 'Element.checkVisibility', 'Object.groupBy', 'Set.union'],
      ...['requestIdleCallback', 'Window.requestIdleCallback', 'Element scrollend'],
    ],
  );
});
