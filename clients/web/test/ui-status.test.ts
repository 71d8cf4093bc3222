import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, ending } from '../src/ui-status';

/** What a person can do after a close with that code, and what that does. */
function after(code: number, reason = ''): { text: string; choices: [string, string[]][] } {
  const done: string[] = [];
  const end = ending(code, reason, {
    retry: () => done.push('retry'),
    rejoin: (asNewPerson) => done.push(asNewPerson ? 'join as new' : 'join again'),
    reload: () => done.push('reload'),
    lobby: () => done.push('lobby'),
  });
  return {
    text: end.text,
    choices: end.choices.map(([label, run]) => {
      done.length = 0;
      run();
      return [label, [...done]];
    }),
  };
}

test('each close for good says why, and offers what helps', () => {
  assert.deepEqual(after(3501).choices, [['Reload the page', ['reload']]]);
  assert.deepEqual(after(3502).choices, [['Go to the lobby', ['lobby']]]);
  assert.deepEqual(after(3503).choices, [['Join again', ['join again']]]);
  assert.deepEqual(after(3504).choices, [
    ['Join as a new person', ['join as new']],
    ['Come back here', ['join again']],
  ]);
  assert.deepEqual(after(3500).choices, [
    ['Join again', ['join again']],
    ['Reload the page', ['reload']],
  ]);
});

test('a reason is passed on, and without one the code is', () => {
  assert.match(after(3500, 'cursor: expected two numbers').text, /cursor: expected two numbers/);
  assert.match(after(3999).text, /3999/);
  assert.match(after(3503, 'flood').text, /\(flood\)/);
});

test('less than all is said to be less', () => {
  assert.equal(amount(12, 12, 0), '12 boids');
  assert.equal(amount(1, 1, 0), '1 boid');
  assert.equal(amount(25_000, 100_000, 15), 'showing 25,000 of 100,000 boids, 15 a second');
  assert.equal(amount(25_000, 100_000, 0), 'showing 25,000 of 100,000 boids');
  assert.equal(amount(100_000, 100_000, 7.5), '100,000 boids, 8 a second');
});
