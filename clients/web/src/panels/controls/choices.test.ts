// A control's choices: all at once, or in a list; what is shown, and what chooses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Control } from '../../net/protocol';
import { type ChoiceView, createChoice } from './choices';
import { createPage, find, fire, inputsIn } from '../../../test/document';

const page = createPage();

const control = (name: string, ...choices: string[]): Control => ({
  name,
  value: choices[0] ?? '',
  choices: choices.map((value) => ({ value, text: `what ${value} is`, saved: false })),
  text: `what ${name} is`,
});

interface Bench {
  view: ChoiceView;
  element: HTMLElement;
  chosen: string[];
}

function setUp(of: Control): Bench {
  const chosen: string[] = [];
  const view = createChoice(of, (value) => chosen.push(value));
  document.body.replaceChildren(view.element);
  return { view, element: view.element, chosen };
}

const few = control('season', 'spring', 'early-summer', 'winter');
const many = control('number', ...Array.from({ length: 17 }, (_, i) => `n${i}`));

test('a few choices are radio buttons, each with a name and a text', () => {
  const { element } = setUp(few);
  assert.equal(element.getAttribute('data-control'), 'season');
  assert.equal(find(element, '.name').getAttribute('title'), null, 'a text stands below the choices, and not in a tooltip');
  const group = find(element, '.chips');
  assert.deepEqual([group.getAttribute('role'), group.getAttribute('aria-label')], ['radiogroup', 'season']);
  const inputs = inputsIn(element);
  assert.deepEqual(
    inputs.map((input) => input.value),
    ['spring', 'early-summer', 'winter'],
  );
  assert.deepEqual(new Set(inputs.map((input) => input.getAttribute('name'))), new Set(['control-season']));
  const labels = [...element.querySelectorAll('label')];
  assert.deepEqual(
    labels.map((label) => label.textContent),
    ['spring', 'early summer', 'winter'],
  );
  assert.deepEqual(
    labels.map((label) => label.getAttribute('title')),
    few.choices.map(({ text }) => text),
  );
});

test('the choice in force is checked and explained; a value that is no choice is neither', () => {
  const { view, element } = setUp(few);
  const checked = (): string[] => inputsIn(element).flatMap((input) => (input.checked ? [input.value] : []));
  view.show('winter');
  assert.deepEqual(checked(), ['winter']);
  assert.equal(find(element, '.about').textContent, 'what winter is');
  view.show('spring');
  assert.deepEqual(checked(), ['spring']);
  view.show('monsoon');
  assert.deepEqual(checked(), []);
  assert.equal(find(element, '.about').textContent, 'what season is');
});

test('a click chooses, also the choice in force', () => {
  const { view, element, chosen } = setUp(few);
  const [spring, summer] = inputsIn(element);
  summer.click();
  view.show('early-summer');
  summer.click();
  spring.click();
  find(element, '.chips').click(); // beside them all
  assert.deepEqual(chosen, ['early-summer', 'early-summer', 'spring']);
});

test('arrow keys go around the choices without choosing, Enter chooses', () => {
  const { element, chosen } = setUp(few);
  const inputs = inputsIn(element);
  inputs[0].focus();
  const press = (key: string): void => {
    const went = fire(document.activeElement ?? page, 'keydown', { key });
    assert.deepEqual(went, { prevented: true, arrived: false }, `${key} neither steers nor chooses by itself`);
  };
  press('ArrowRight');
  assert.equal(document.activeElement, inputs[1]);
  press('ArrowDown');
  press('ArrowRight');
  assert.equal(document.activeElement, inputs[0], 'around the end');
  press('ArrowLeft');
  assert.equal(document.activeElement, inputs[2], 'and around the beginning');
  press('ArrowUp');
  assert.equal(document.activeElement, inputs[1]);
  assert.deepEqual(chosen, []);
  press('Enter');
  assert.deepEqual(chosen, ['early-summer']);
});

test('other keys, and keys with a modifier, go to the page', () => {
  const { element, chosen } = setUp(few);
  const [first] = inputsIn(element);
  first.focus();
  const left = { prevented: false, arrived: true };
  assert.deepEqual(fire(first, 'keydown', { key: 'p' }), left);
  assert.deepEqual(fire(first, 'keydown', { key: 'toString' }), left);
  for (const held of ['ctrlKey', 'metaKey', 'altKey']) assert.deepEqual(fire(first, 'keydown', { key: 'ArrowRight', [held]: true }), left);
  assert.deepEqual([document.activeElement, chosen], [first, []]);
});

test('many choices are a list to open', () => {
  const { view, element, chosen } = setUp(many);
  const select = find<HTMLSelectElement>(element, 'select');
  assert.equal(inputsIn(element).length, 0);
  assert.equal(select.getAttribute('aria-label'), 'number');
  assert.deepEqual(
    [...select.options].map((option) => [option.value, option.getAttribute('title')]),
    many.choices.map(({ value, text }) => [value, text]),
  );
  view.show('n3');
  assert.equal(select.value, 'n3');
  assert.equal(find(element, '.about').textContent, 'what n3 is');
  select.value = 'n5';
  fire(select, 'change');
  assert.deepEqual(chosen, ['n5']);
});

test('the reason of a refused choice shows until another choice is made', () => {
  for (const [of, again] of [
    [few, (element: HTMLElement) => inputsIn(element)[1].click()],
    [many, (element: HTMLElement) => fire(find(element, 'select'), 'change')],
  ] as const) {
    const { view, element } = setUp(of);
    const problem = find(element, '.problem');
    assert.ok(problem.hidden);
    view.refuse('Only presenters may');
    assert.deepEqual([problem.hidden, problem.textContent, problem.getAttribute('role')], [false, 'Only presenters may', 'alert']);
    again(element);
    assert.ok(problem.hidden);
  }
});
