// The files that are generated from the table of messages (protocol/schema.mjs).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('the files that are generated from the table of messages are up to date', () => {
  const check = [`${REPOSITORY}/protocol/generate.mjs`, '--check'];
  const { status, stderr } = spawnSync(process.execPath, check, { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
});
