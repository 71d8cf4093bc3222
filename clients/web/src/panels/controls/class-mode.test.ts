// The class mode: what its choices are, and what each asks of the server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find } from '../../../test/document';
import { room } from '../../../test/samples';
import type { Control, Request, Room } from '../../net/protocol';
import { createClassMode, modesOf, stepsTo } from './class-mode';

const control = (name: string, value: string, ...choices: string[]): Control => ({
  name,
  value,
  choices: choices.map((each) => ({ value: each, text: `what ${each} is`, saved: false })),
  text: '',
});

const POLICIES = ['mean', 'latest', 'nearest', 'presenter', 'teams', 'relay', 'new-one'];

const here = (policy: string, cursors = 'lead', teams = '2', turn = '10'): Room =>
  room({
    policy,
    controls: [
      control('policy', policy, ...POLICIES),
      control('teams', teams, '2', '3', '4'),
      control('turn', turn, '10', '20', '30'),
      control('cursors', cursors, 'lead', 'scare'),
    ],
  });

function setUp(first: Room) {
  createPage();
  const asked: (string | Request)[] = [];
  const modes = modesOf(first);
  assert.ok(modes !== null);
  let now = first;
  const view = createClassMode(modes, { room: () => now }, (name, value) => asked.push(`${name} ${value}`), (message) => asked.push(message));
  document.body.append(view.element);
  const click = (selector: string): void => find<HTMLElement>(view.element, selector).click();
  const shown = (selector: string): boolean => find(view.element, selector).closest('[hidden]') === null;
  const become = (next: Room): void => {
    now = next;
    view.update();
  };
  return { view, become, asked, click, shown, means: () => find(view.element, '.about').textContent ?? '' };
}

test('scare is a mode among the policies, the common ones first and unknown ones last', () => {
  const modes = modesOf(here('nearest', 'scare'));
  assert.deepEqual(modes?.choices.map(({ value }) => value), ['mean', 'nearest', 'teams', 'relay', 'scare', 'latest', 'presenter', 'new-one']);
  assert.equal(modes?.value, 'scare');
  assert.equal(modesOf(room()), null);
});

test('a mode sets what is needed of both controls', () => {
  assert.deepEqual(stepsTo('teams', here('mean')), [['policy', 'teams']]);
  assert.deepEqual(stepsTo('scare', here('teams')), [['cursors', 'scare']]);
  assert.deepEqual(stepsTo('teams', here('teams', 'scare')), [['cursors', 'lead']]);
  assert.deepEqual(stepsTo('relay', here('teams', 'scare')), [['cursors', 'lead'], ['policy', 'relay']]);
});

test('each mode says what it does, and has what belongs to it', () => {
  const { view, become, asked, click, shown, means } = setUp(here('mean'));
  const together = means();
  assert.match(together, /middle of all cursors/);
  assert.ok(!shown('[name=control-teams]') && !shown('[name=control-turn]') && !shown('.beside button'));
  click('[value=teams]');
  become(here('teams', 'lead', '3'));
  assert.notEqual(means(), together);
  assert.ok(shown('[name=control-teams]') && !shown('[name=control-turn]') && !shown('.beside button'));
  assert.ok(find<HTMLInputElement>(view.element, '[name=control-teams][value="3"]').checked);
  click('[name=control-teams][value="4"]');
  click('[value=relay]');
  become(here('relay'));
  assert.ok(!shown('[name=control-teams]') && shown('[name=control-turn]') && shown('.beside button'));
  click('[name=control-turn][value="30"]');
  click('.beside button');
  click('[value=scare]');
  become(here('relay', 'scare'));
  assert.match(means(), /flees/);
  assert.deepEqual(asked, ['policy teams', 'teams 4', 'policy relay', 'turn 30', [39], 'cursors scare']);
});

test('a mode of a later server has the server’s sentence', () => {
  const { means } = setUp(here('new-one'));
  assert.equal(means(), 'what new-one is');
});
