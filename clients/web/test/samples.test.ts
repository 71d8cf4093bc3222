import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSamples } from '../src/flock/samples';
import type { Measures } from '../src/net/protocol';

const TICK = 100; // ms
const measures: Measures = { polarization: 1, milling: 0, centroid: [1, 2], radius: 30, speed: 2, nearest: 5 };
const sight = (tick: number, seen: Measures | null = measures) => ({ tick, flock: 400, target: null, measures: seen });
const ticks = (samples: ReturnType<typeof createSamples>): number[] => samples.all().map(({ tick }) => tick);

test('samples are half a second of the flock’s time apart, so a paused flock adds none', () => {
  const samples = createSamples();
  for (let tick = 1; tick <= 12; tick++) for (let again = 0; again < 3; again++) samples.take(sight(tick), TICK);
  samples.take(sight(20, null), TICK);
  assert.deepEqual(ticks(samples), [1, 6, 11]);
});

test('the past that a room shows fills what the page has not seen, in the order of time', () => {
  const samples = createSamples();
  for (const tick of [100, 105, 110]) samples.take(sight(tick), TICK);
  for (const tick of [50, 55, 102, 104, 110, 52, 60]) samples.take(sight(tick), TICK);
  assert.deepEqual(ticks(samples), [50, 55, 60, 100, 105, 110]);
});

test('20 minutes are kept: those around the shown time', () => {
  const samples = createSamples();
  for (let tick = 5; tick <= 5 * 2500; tick += 5) samples.take(sight(tick), TICK);
  assert.equal(samples.all().length, 2400);
  assert.deepEqual([ticks(samples)[0], ticks(samples).at(-1)], [505, 12_500]);
  samples.take(sight(5), TICK);
  assert.deepEqual([ticks(samples)[0], ticks(samples).at(-1)], [5, 12_495]);
});

test('a count of clusters holds until the next one, or until the server counts no more', () => {
  const samples = createSamples();
  for (const [tick, count] of [
    [5, 7],
    [10, 7],
    [15, 9],
    [20, null],
  ] as const) {
    if (count !== samples.all().at(-1)?.clusters) samples.count(count);
    samples.take(sight(tick), TICK);
  }
  assert.deepEqual(
    samples.all().map(({ clusters }) => clusters),
    [7, 7, 9, null],
  );
});

test('after a restart of the server, samples and changes of a time that never was are gone', () => {
  const samples = createSamples();
  for (const tick of [100, 105, 110]) samples.take(sight(tick), TICK);
  for (const tick of [99, 108]) samples.mark('param', { tick, text: `${tick}` });
  samples.restart();
  samples.take(sight(104), TICK);
  samples.take(sight(109), TICK);
  assert.deepEqual(ticks(samples), [100, 109]);
  assert.deepEqual(samples.changes(), [{ tick: 99, text: '99' }]);
});

const { messages } = (await import(`${REPOSITORY}/protocol/schema.mjs`)) as { messages: { name: string; traits?: string }[] };
/** The messages that the server marks in a recording, too. */
const marked = messages.filter(({ traits = '' }) => traits.split(' ').includes('marked')).map(({ name }) => name);

test('what changes the flock is a change; what people do besides is none', () => {
  const samples = createSamples();
  const changes = [...marked, 'undo-settings'];
  for (const name of [...changes, 'rename', 'title', 'attention', 'slow']) samples.mark(name, { tick: 1, text: name });
  assert.deepEqual(
    samples.changes().map(({ text }) => text),
    changes,
  );
  for (let tick = 0; tick < 300; tick++) samples.mark('param', { tick, text: `${tick}` });
  assert.deepEqual([samples.changes().length, samples.changes()[0].text], [200, '100']);
});
