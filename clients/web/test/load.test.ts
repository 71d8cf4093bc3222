import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoad } from '../src/app/load';
import { createPage } from './document';

createPage();

test('a part that cannot be loaded is reported once, and tried again until it loads', async () => {
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

test('a part that loads at once is not reported', async () => {
  const load = createLoad(() => assert.fail());
  assert.equal(await load(async () => 7), 7);
});

test('a person who asks again does not wait, and gets a notice of the next failure', async () => {
  let reports = 0;
  let there = false;
  const load = createLoad(
    () => reports++,
    () => new Promise(() => {}),
  );
  const part = load(async () => {
    if (!there) throw new TypeError('no answer');
    return 7;
  });
  await Promise.resolve();
  assert.equal(reports, 1);
  load.hurry();
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  assert.equal(reports, 2);
  there = true;
  load.hurry();
  assert.equal(await part, 7);
});
