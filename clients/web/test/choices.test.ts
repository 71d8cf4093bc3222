// A control's choices: all at once, or in a list; what is shown, and what chooses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Control } from '../src/net/protocol';
import { type ChoiceView, createChoice } from '../src/ui/choices';
import { type FakeNode, createDocument, fake, page } from './document';

createDocument();

const control = (name: string, ...choices: string[]): Control => ({
  name,
  value: choices[0] ?? '',
  choices: choices.map((value) => ({ value, text: `what ${value} is`, saved: false })),
  text: `what ${name} is`,
});

interface Bench {
  view: ChoiceView;
  element: FakeNode;
  chosen: string[];
}

function setUp(of: Control): Bench {
  const chosen: string[] = [];
  const view = createChoice(of, (value) => chosen.push(value));
  return { view, element: fake(view.element), chosen };
}

const few = control('season', 'spring', 'early-summer', 'winter');
const many = control('number', ...Array.from({ length: 17 }, (_, i) => `n${i}`));

test('a few choices are radio buttons with a name and a meaning each', () => {
  const { element } = setUp(few);
  assert.equal(element.getAttribute('data-control'), 'season');
  assert.equal(element.classed('name').getAttribute('title'), 'what season is');
  const group = element.classed('chips');
  assert.deepEqual([group.getAttribute('role'), group.getAttribute('aria-label')], ['radiogroup', 'season']);
  const inputs = element.tagged('input');
  assert.deepEqual(
    inputs.map((input) => input.value),
    ['spring', 'early-summer', 'winter'],
  );
  assert.deepEqual(new Set(inputs.map((input) => input.getAttribute('name'))), new Set(['control-season']));
  const labels = element.tagged('label');
  assert.deepEqual(
    labels.map((label) => label.textContent),
    ['spring', 'early summer', 'winter'],
  );
  assert.deepEqual(
    labels.map((label) => label.getAttribute('title')),
    few.choices.map(({ text }) => text),
  );
});

test('what is in force is checked and explained, and a value of no choice is neither', () => {
  const { view, element } = setUp(few);
  const checked = (): string[] => element.tagged('input').flatMap((input) => (input.checked ? [input.value] : []));
  view.show('winter');
  assert.deepEqual(checked(), ['winter']);
  assert.equal(element.classed('about').textContent, 'what winter is');
  view.show('spring');
  assert.deepEqual(checked(), ['spring']);
  view.show('monsoon');
  assert.deepEqual(checked(), []);
  assert.equal(element.classed('about').textContent, 'what season is');
});

test('a click chooses, also what is in force already', () => {
  const { view, element, chosen } = setUp(few);
  const [spring, summer] = element.tagged('input');
  summer.click();
  view.show('early-summer');
  summer.click();
  spring.click();
  element.classed('chips').click(); // beside them all
  assert.deepEqual(chosen, ['early-summer', 'early-summer', 'spring']);
});

test('arrow keys go around the choices without choosing, Enter chooses', () => {
  const { element, chosen } = setUp(few);
  const inputs = element.tagged('input');
  inputs[0].focus();
  const press = (key: string): void => {
    const went = page.focused?.hear('keydown', { key });
    assert.deepEqual(went, { prevented: true, arrived: false }, `${key} neither steers nor chooses by itself`);
  };
  press('ArrowRight');
  assert.equal(page.focused, inputs[1]);
  press('ArrowDown');
  press('ArrowRight');
  assert.equal(page.focused, inputs[0], 'around the end');
  press('ArrowLeft');
  assert.equal(page.focused, inputs[2], 'and around the beginning');
  press('ArrowUp');
  assert.equal(page.focused, inputs[1]);
  assert.deepEqual(chosen, []);
  press('Enter');
  assert.deepEqual(chosen, ['early-summer']);
});

test('other keys, and those with a modifier, are left to the page', () => {
  const { element, chosen } = setUp(few);
  const [first] = element.tagged('input');
  first.focus();
  const left = { prevented: false, arrived: true };
  assert.deepEqual(first.hear('keydown', { key: 'p' }), left);
  assert.deepEqual(first.hear('keydown', { key: 'toString' }), left);
  for (const held of ['ctrlKey', 'metaKey', 'altKey']) assert.deepEqual(first.hear('keydown', { key: 'ArrowRight', [held]: true }), left);
  assert.deepEqual([page.focused, chosen], [first, []]);
});

test('many choices are a list to open', () => {
  const { view, element, chosen } = setUp(many);
  const [select] = element.tagged('select');
  assert.equal(element.tagged('input').length, 0);
  assert.equal(select.getAttribute('aria-label'), 'number');
  assert.deepEqual(
    select.tagged('option').map((option) => [option.value, option.getAttribute('title')]),
    many.choices.map(({ value, text }) => [value, text]),
  );
  view.show('n3');
  assert.equal(select.value, 'n3');
  assert.equal(element.classed('about').textContent, 'what n3 is');
  select.value = 'n5';
  select.hear('change');
  assert.deepEqual(chosen, ['n5']);
});

test('why a choice was refused is said until another one is made', () => {
  for (const [of, again] of [
    [few, (element: FakeNode) => element.tagged('input')[1].click()],
    [many, (element: FakeNode) => element.tagged('select')[0].hear('change')],
  ] as const) {
    const { view, element } = setUp(of);
    const problem = element.classed('problem');
    assert.ok(problem.hidden);
    view.refuse('Only presenters may');
    assert.deepEqual([problem.hidden, problem.textContent, problem.getAttribute('role')], [false, 'Only presenters may', 'alert']);
    again(element);
    assert.ok(problem.hidden);
  }
});
