import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Param } from '../../net/protocol';
import { createTuning } from './tuning';

const param = (name: string, value: number): Param => ({ name, unit: '', min: 0, max: 10, initial: 1, value, text: '' });

function setUp() {
  let now = 0;
  const timers: { at: number; run: () => void }[] = [];
  const sent: { name: string; value: number; at: number }[] = [];
  const shown = new Map<string, number>();
  let params: readonly Param[] = [];
  const tuning = createTuning({
    params: () => params,
    send: (name, value) => sent.push({ name, value, at: now }),
    show: (name, value) => void shown.set(name, value),
    now: () => now,
    later: (ms, run) => timers.push({ at: now + ms, run }),
  });
  const server = (next: readonly Param[]): void => {
    params = next;
    tuning.update();
  };
  server([param('speed', 2), param('weight', 1)]);
  return {
    tuning,
    server,
    sent,
    shown,
    pass(ms: number): void {
      for (const end = now + ms; now < end; ) {
        now++;
        for (const timer of timers.splice(0)) {
          if (timer.at > now) timers.push(timer);
          else timer.run();
        }
      }
    },
  };
}

test('a drag of 240 changes a second is sent at most 30 times, and its last value is', () => {
  const { tuning, sent, pass } = setUp();
  tuning.grab('speed');
  for (let i = 0; i < 240; i++) {
    tuning.change('speed', i / 100);
    pass(4);
  }
  tuning.release('speed');
  assert.ok(sent.length <= 30 && sent.length >= 27, String(sent.length));
  pass(50);
  assert.equal(sent.at(-1)?.value, 2.39);
  const gaps = sent.slice(1).map(({ at }, i) => at - sent[i].at);
  assert.ok(Math.min(...gaps) >= 33, String(Math.min(...gaps)));
});

test('a first change is sent at once; two parameters share the rate and both arrive', () => {
  const { tuning, sent, pass } = setUp();
  tuning.change('speed', 3);
  assert.deepEqual(sent, [{ name: 'speed', value: 3, at: 0 }]);
  tuning.change('speed', 4);
  tuning.change('weight', 5);
  assert.equal(sent.length, 1);
  pass(80);
  assert.deepEqual(
    sent.slice(1).map(({ name, value }) => [name, value]),
    [
      ['speed', 4],
      ['weight', 5],
    ],
  );
});

test('the server’s values are shown, except on a slider that is dragged', () => {
  const { tuning, server, shown, pass } = setUp();
  assert.equal(shown.get('speed'), 2);
  tuning.grab('speed');
  tuning.change('speed', 5);
  pass(5000);
  server([param('speed', 4.9), param('weight', 7)]);
  assert.equal(shown.get('speed'), 5);
  assert.equal(shown.get('weight'), 7);
  tuning.release('speed');
  assert.equal(shown.get('speed'), 4.9, 'another presenter had the last word');
});

test('after a change, an older value from the server does not move the slider back', () => {
  const { tuning, server, shown, pass } = setUp();
  tuning.change('speed', 5);
  server([param('speed', 3), param('weight', 1)]);
  assert.equal(shown.get('speed'), 5);
  server([param('speed', 5), param('weight', 1)]);
  server([param('speed', 6), param('weight', 1)]);
  assert.equal(shown.get('speed'), 6, 'the server took it over: from then on its word counts');
  tuning.change('speed', 7);
  pass(2000);
  assert.equal(shown.get('speed'), 6, 'it never did: its value counts');
});

test('the server’s value with 32 bits counts as equal', () => {
  const { tuning, server, shown } = setUp();
  tuning.change('speed', 0.1);
  server([param('speed', Math.fround(0.1)), param('weight', 1)]);
  server([param('speed', 4), param('weight', 1)]);
  assert.equal(shown.get('speed'), 4);
});

test('the server’s value replaces a refused value, also while the slider is held', () => {
  const { tuning, shown, sent, pass } = setUp();
  tuning.change('speed', 5000);
  assert.equal(shown.get('speed'), 5000);
  assert.equal(tuning.refused('speed', 5000), true);
  assert.equal(shown.get('speed'), 2);
  tuning.grab('speed');
  tuning.change('speed', 9);
  pass(100);
  assert.equal(tuning.refused('speed', 9), true);
  assert.equal(shown.get('speed'), 2);
  pass(1000);
  assert.equal(sent.length, 2);
});

test('the refusal of an outdated value shows nothing, and the newer value is sent', () => {
  const { tuning, shown, sent, pass } = setUp();
  tuning.change('speed', 5000);
  tuning.change('speed', 9);
  assert.equal(tuning.refused('speed', 5000), false);
  assert.equal(shown.get('speed'), 9);
  pass(100);
  assert.equal(tuning.refused('speed', 5000), false, 'nor when that one has been sent');
  assert.deepEqual(
    sent.map(({ value }) => value),
    [5000, 9],
  );
});

test('parameters of a replaced model are no longer sent', () => {
  const { tuning, server, sent, pass } = setUp();
  tuning.change('weight', 1.5);
  tuning.change('speed', 3);
  server([param('weight', 1.5)]);
  tuning.change('speed', 4);
  pass(1000);
  assert.deepEqual(
    sent.map(({ name }) => name),
    ['weight'],
  );
});
