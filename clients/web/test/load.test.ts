import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoad } from '../src/app/load';

test('a part that cannot be loaded is reported once, and tried again until it is there', async () => {
  const waits: number[] = [];
  let reports = 0;
  let failures = 3;
  const load = createLoad(
    () => reports++,
    async (ms) => void waits.push(ms),
  );
  const part = await load(async () => {
    if (failures-- > 0) throw new TypeError('no answer');
    return 'part';
  });
  assert.equal(part, 'part');
  assert.equal(reports, 1);
  assert.equal(waits.length, 3);
  waits.forEach((ms, index) => assert.ok(ms >= 250 * 2 ** index && ms <= 500 * 2 ** index, `${ms} ms`));
});

test('a part that is there at once is not reported', async () => {
  const load = createLoad(() => assert.fail());
  assert.equal(await load(async () => 7), 7);
});
