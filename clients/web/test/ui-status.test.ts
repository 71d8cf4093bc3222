import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ending } from '../src/ui-status';

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
