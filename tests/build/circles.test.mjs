// Files of the server, and files of the terminal client, use each other one way only, by include and by call. A reader of
// a file needs the files below it and never comes back to it. An object file's table of symbols tells the calls: the
// symbols that the file defines, and the symbols that it needs from other files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../e2e/server.mjs';

const OBJECTS = `${root}/build/obj`;

// tree: the folder that is looked at; includes: the folder that its includes are relative to.
const PROGRAMS = [
  { program: 'the server', tree: 'server', includes: 'server', main: 'server/main.c' },
  { program: 'the terminal client', tree: 'clients/term', includes: 'clients', main: 'clients/term/main.c' },
];

const filesOf = (folder, tree, suffix) =>
  /** @type {string[]} */ (readdirSync(`${folder}/${tree}`, { recursive: true }))
    .filter((name) => name.endsWith(suffix))
    .map((name) => path.join(tree, name));

// The groups of files that use each other in a circle, by Tarjan's algorithm. uses: file → set of the files that it uses.
function circlesOf(uses) {
  const circles = [];
  const order = new Map(); // file → the number of its visit
  const lowest = new Map(); // file → the lowest number of those on the stack that it leads back to
  const stack = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    stack.push(file);
    for (const next of uses.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) === order.get(file)) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) circles.push(group.sort());
    }
  };
  for (const file of uses.keys()) {
    if (!order.has(file)) visit(file);
  }
  return circles;
}

// The source of an object file; the engine's inner loops are compiled once for each width of vectors (grid_8.o).
const sourceOf = (object) =>
  [object.replace(/\.o$/, '.c'), object.replace(/_\d+\.o$/, '.c')].find((name) => existsSync(`${root}/${name}`));

// Object file → { defines, needs }: the symbols that other files can use, and the symbols that it needs.
function readSymbols(objects) {
  const listing = execFileSync('nm', ['--format=posix', '-A', ...objects], { cwd: OBJECTS, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const symbols = new Map(objects.map((object) => [object, { defines: [], needs: [] }]));
  for (const [, object, name, type] of listing.matchAll(/^(.*?): (\S+) (\w)/gm)) {
    if (type === 'U') symbols.get(object).needs.push(name);
    else if (type === type.toUpperCase()) symbols.get(object).defines.push(name);
  }
  return symbols;
}

// The plugin of flockd, which is linked by itself.
const PLUGIN = 'server/cluster/nats/';

// File → set of the files whose functions or data it uses; symbol by symbol, with the files' names, in `by`.
function callsOf(tree) {
  const objects = filesOf(OBJECTS, tree, '.o').filter(sourceOf); // an object without a source is from an earlier build
  const symbols = readSymbols(objects);
  const definers = new Map();
  for (const [object, { defines }] of symbols) {
    for (const name of defines) definers.set(name, [...(definers.get(name) ?? []), sourceOf(object)]);
  }
  const uses = new Map();
  const by = new Map();
  for (const [object, { needs }] of symbols) {
    const file = sourceOf(object);
    if (!uses.has(file)) uses.set(file, new Set());
    for (const name of needs) {
      for (const other of (definers.get(name) ?? []).filter((each) => each !== file)) {
        uses.get(file).add(other);
        by.set(`${file} ${other}`, [...(by.get(`${file} ${other}`) ?? []), name]);
      }
    }
  }
  return { uses, by };
}

// A circle's calls, to say which ones to cut.
const explain = (circle, by) =>
  circle.flatMap((from) => circle.filter((to) => by.has(`${from} ${to}`)).map((to) => `  ${from} calls ${by.get(`${from} ${to}`).join(', ')} of ${to}`)).join('\n');

test('the search finds circles', () => {
  const uses = (arrows) => new Map(Object.entries(arrows).map(([file, others]) => [file, new Set(others)]));
  assert.deepEqual(circlesOf(uses({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })), []);
  assert.deepEqual(circlesOf(uses({ a: ['b'], b: ['c'], c: ['d', 'b'], d: ['e'], e: ['d'] })), [['d', 'e'], ['b', 'c']]);
});

// Header or source → set of the files of the tree that it includes.
function includesOf({ tree, includes }) {
  const files = [...filesOf(root, tree, '.h'), ...filesOf(root, tree, '.c')];
  const included = (file) => [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/^#include "(.*)"/gm)].map(([, name]) => `${includes}/${name}`);
  return new Map(files.map((file) => [file, new Set(included(file).filter((name) => files.includes(name)))]));
}

for (const { program, tree, includes, main } of PROGRAMS) {
  test(`no two files of ${program} call each other in a circle`, () => {
    const { uses, by } = callsOf(tree);
    const ownSources = filesOf(root, tree, '.c').filter((file) => !file.startsWith(PLUGIN));
    assert.deepEqual([...uses.keys()].filter((file) => !file.startsWith(PLUGIN)).sort(), ownSources.sort(), 'every file was compiled');
    assert.ok(uses.get(main).size > 0, 'calls are seen');
    const circles = circlesOf(uses);
    assert.equal(circles.map((circle) => explain(circle, by)).join('\n\n'), '');
  });

  test(`no two headers of ${program} include each other in a circle`, () => {
    const uses = includesOf({ tree, includes });
    assert.ok([...uses.values()].some((others) => others.size > 0), 'includes are seen');
    assert.deepEqual(circlesOf(uses), []);
  });
}

test('no two folders of the terminal client use each other in a circle', () => {
  const [, term] = PROGRAMS;
  const folders = new Map();
  for (const uses of [callsOf(term.tree).uses, includesOf(term)]) {
    for (const [file, others] of uses) {
      const from = path.dirname(file);
      const to = [...others].map((other) => path.dirname(other)).filter((folder) => folder !== from);
      folders.set(from, new Set([...(folders.get(from) ?? []), ...to]));
    }
  }
  const names = [...folders.keys()].map((folder) => path.relative(term.tree, folder)).sort();
  assert.deepEqual(names, ['', 'draw', 'flock', 'net', 'texts', 'tty', 'ui']);
  assert.deepEqual(circlesOf(folders), []);
});

// The folders that each folder of the server may use besides itself: folders below it, never one above or beside it.
const BELOW = {
  base: [],
  sim: [],
  config: ['base', 'sim', 'scene'],
  scene: ['base', 'sim'],
  past: ['base', 'sim', 'scene'],
  room: ['base', 'sim', 'scene', 'past'],
  store: ['base', 'scene'],
  hub: ['base', 'sim', 'scene', 'past', 'room', 'store'],
  cluster: ['base', 'sim', 'scene', 'past', 'room', 'store', 'hub'],
  net: ['base', 'sim', 'scene', 'past', 'room', 'store', 'hub', 'cluster', 'config'],
  offline: ['base', 'sim', 'scene', 'past', 'config'],
};

test('folders of the server use only folders below them', () => {
  const [server] = PROGRAMS;
  const folderOf = (file) => path.relative(server.tree, path.dirname(file)).split('/')[0];
  const wrong = [];
  for (const uses of [callsOf(server.tree).uses, includesOf(server)]) {
    for (const [file, others] of uses) {
      const from = folderOf(file);
      const bad = [...others].filter((other) => from !== '' && folderOf(other) !== from && !BELOW[from].includes(folderOf(other)));
      wrong.push(...bad.map((other) => `${file} uses ${other}`));
    }
  }
  assert.deepEqual([...new Set(wrong)], []);
});

test('no two folders in net/ use each other in a circle', () => {
  const [server] = PROGRAMS;
  const folders = new Map();
  for (const uses of [callsOf(server.tree).uses, includesOf(server)]) {
    for (const [file, others] of uses) {
      const from = path.dirname(file);
      const to = [...others].map((other) => path.dirname(other)).filter((folder) => folder !== from);
      if (from.startsWith(`${server.tree}/net`)) folders.set(from, new Set([...(folders.get(from) ?? []), ...to]));
    }
  }
  assert.deepEqual([...folders.keys()].map((folder) => path.relative(`${server.tree}/net`, folder)).sort(), ['', 'api', 'gate', 'http', 'session']);
  assert.deepEqual(circlesOf(folders), []);
});
