import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoff, comesBack } from '../src/net/backoff';

test('the pause doubles from half a second to fifteen', () => {
  const longest = [0, 1, 2, 3, 4, 5, 6, 50].map((failures) => backoff(failures, () => 1));
  assert.deepEqual(longest, [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
});

test('the pause is shortened at random by up to half', () => {
  assert.equal(
    backoff(3, () => 0),
    2000,
  );
  assert.equal(
    backoff(3, () => 0.5),
    3000,
  );
});

test('close codes from 3500 on are final; after all others the page reconnects', () => {
  for (const code of [1000, 1001, 1003, 1006, 1009, 3000, 3001, 3002, 3499]) assert.ok(comesBack(code), String(code));
  for (const code of [3500, 3501, 3502, 3503, 3504, 3505]) assert.ok(!comesBack(code), String(code));
});
