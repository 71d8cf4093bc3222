// A C file may include any two headers. If two headers had the same guard, the second one would be empty there, without a word.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../e2e/server.mjs';

const TREES = ['server', 'protocol', 'clients/term', 'tests/unit', 'tests/simulation', 'tests/fuzz'];
const PARTS = 'server/sim/wide/'; // parts of kernel.c alone may do without

const headers = TREES.flatMap((tree) =>
  /** @type {string[]} */ (readdirSync(`${root}/${tree}`, { recursive: true })).filter((name) => name.endsWith('.h')).map((name) => path.join(tree, name)),
);

test('each header has a guard, and no other header has the same', () => {
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const header of headers) {
    const [, guard] = /^#ifndef (\w+_H)\n#define \1$/m.exec(readFileSync(`${root}/${header}`, 'utf8')) ?? [];
    assert.ok(guard || header.startsWith(PARTS), `${header}: expected #ifndef and #define of one guard`);
    if (!guard) continue;
    assert.equal(owners.get(guard), undefined, `${header} has the guard ${guard}, too`);
    owners.set(guard, header);
  }
  assert.ok(owners.size > 150, `${owners.size} headers`);
});
