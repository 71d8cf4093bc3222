// The list of panels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PANELS } from './list';

test('no panel that folds is open before a person opens it', () => {
  const folds = PANELS.filter(({ stand }) => stand === 'fold');
  assert.deepEqual(
    folds.map(({ name }) => name),
    ['people', 'measures'],
  );
  for (const { name, opens } of folds) assert.equal(opens, undefined, name);
});
