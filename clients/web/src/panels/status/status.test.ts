import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, ending } from './index';

/** Returns the text after a close with that code, the buttons, and the effects of the buttons. */
function after(
  code: number,
  reason = '',
  room = 'FK7 2MX',
  keyGiven = false,
  wait = 0,
): { text: string; more: string; choices: [string, string[]][] } {
  const done: string[] = [];
  const actions = {
    retry: () => done.push('retry'),
    rejoin: (asNewPerson: boolean) => done.push(asNewPerson ? 'join as new' : 'join again'),
    reload: () => done.push('reload'),
    start: () => done.push('start'),
    unlock: (key: string) => done.push(`unlock ${key}`),
  };
  const end = ending(code, reason, room, keyGiven, actions, wait);
  return {
    text: end.text,
    more: end.more ?? '',
    choices: end.choices.map(([label, run]) => {
      done.length = 0;
      run();
      return [label, [...done]];
    }),
  };
}

test('each final close shows its reason and a button that helps', () => {
  const start: [string, string[]] = ['Start page', ['start']];
  assert.deepEqual(after(3501).choices, [['Reload the page', ['reload']]]);
  assert.deepEqual(after(3502).choices, [start]);
  assert.deepEqual(after(3503).choices, [['Join again', ['join again']], start]);
  assert.deepEqual(after(3504).choices, [
    ['Join as a new person', ['join as new']],
    ['Continue here', ['join again']],
  ]);
  assert.deepEqual(after(3506).choices, [start]);
  for (const code of [3507, 3510]) assert.deepEqual(after(code).choices, [['Join again', ['join again']], start]);
  assert.deepEqual(after(3508).choices, [['Join again', ['join again']], start]);
  assert.deepEqual(after(3509).choices, [start]);
  assert.deepEqual(after(3500).choices, [
    ['Join again', ['join again']],
    ['Reload the page', ['reload']],
  ]);
});

test('the page says whether a room does not exist, has ended, or is locked', () => {
  assert.equal(after(3502).text, 'There is no room FK7 2MX.');
  assert.equal(after(3502, '', '').text, 'There is no such room.');
  assert.match(after(3506).text, /has ended/);
  assert.match(after(3507).text, /removed you/);
  assert.match(after(3508).text, /wrong keys/);
  assert.equal(after(3509).text, 'Room FK7 2MX needs a join key.');
  assert.match(after(3509).more, /invited you/);
  assert.match(after(3509, '', 'FK7 2MX', true).more, /not the room/);
  assert.match(after(3509, '', 'FK7 2MX', true, 40).more, /40 s/);
});

test('the page shows the server’s reason, or without one the code', () => {
  assert.match(after(3500, 'cursor: expected two numbers').more, /cursor: expected two numbers/);
  assert.match(after(3999).more, /3999/);
});

test('the status says if fewer boids or snapshots come, and if the line is the reason', () => {
  assert.equal(amount(12, 12, 0, false), '12 boids');
  assert.equal(amount(1, 1, 0, false), '1 boid');
  assert.equal(amount(25_000, 100_000, 15, false), 'showing 25,000 of 100,000 boids, 15 a second');
  assert.equal(amount(25_000, 100_000, 0, false), 'showing 25,000 of 100,000 boids');
  assert.equal(amount(100_000, 100_000, 7.5, false), '100,000 boids, 8 a second');
  assert.equal(amount(300, 300, 10, true), '300 boids, 10 a second: reduced, your connection is slow');
});
