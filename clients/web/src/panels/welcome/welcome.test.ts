import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestions } from './index';

test('suggested names are names that no person here has', () => {
  const first = suggestions([], () => 0);
  assert.equal(new Set(first).size, 4);
  const next = suggestions(
    first.map((name) => name.toUpperCase()),
    () => 0,
  );
  assert.equal(next.length, 4);
  assert.deepEqual(
    next.filter((name) => first.includes(name)),
    [],
  );
});

test('another token suggests other names', () => {
  assert.notDeepEqual(
    suggestions([], () => 0),
    suggestions([], () => 0.999),
  );
});
