// The shapes of cursors. With the server's colours they distinguish the people of a class.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { shapeOf } from '../src/app/marks';

const COLORS = Number(/#define PEOPLE_COLORS +(\d+)u/.exec(readFileSync(`${REPOSITORY}/server/scene/people.h`, 'utf8'))?.[1]);
const ids = Array.from({ length: 60 }, (_, i) => i + 1);

test('no two of sixty people have the same colour and shape', () => {
  assert.ok(COLORS > 12, `${COLORS} colours`);
  assert.equal(new Set(ids.map((id) => `${(id - 1) % COLORS} ${shapeOf(id)}`)).size, ids.length);
});

test('without colours, neighbours in the list differ', () => {
  for (const id of ids) assert.notEqual(shapeOf(id), shapeOf(id + 1));
  assert.ok(new Set(ids.map((id) => shapeOf(id))).size >= 5);
});
