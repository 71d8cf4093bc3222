// A control's choices on the page: side by side where they are few and short, else in a list to open.

import { make, setText } from './dom';
import type { Control } from './protocol';
import { spoken } from './room-news';

const SIDE_BY_SIDE = 12; // choices
const LETTERS = 96; // of all their names together

export const fitsSideBySide = ({ choices }: Control): boolean =>
  choices.length <= SIDE_BY_SIDE && choices.reduce((sum, { value }) => sum + value.length, 0) <= LETTERS;

export interface ChoiceView {
  element: HTMLElement;
  show(value: string): void;
  refuse(message: string): void;
}

export function createChoice(control: Control, choose: (value: string) => void): ChoiceView {
  const about = make('p', { class: 'about' });
  const problem = make('p', { class: 'problem', role: 'alert', hidden: '' });
  const texts = new Map(control.choices.map(({ value, text }) => [value, text]));
  const choices = fitsSideBySide(control) ? sideBySide(control, chosen) : list(control, chosen);
  const element = make(
    'div',
    { class: 'choice', 'data-control': control.name },
    make('span', { class: 'name', title: control.text }, spoken(control.name)),
    choices.element,
    about,
    problem,
  );

  function chosen(value: string): void {
    problem.hidden = true;
    choose(value);
  }

  return {
    element,
    show(value) {
      choices.show(value);
      setText(about, texts.get(value) ?? control.text);
    },
    refuse(message) {
      setText(problem, message);
      problem.hidden = false;
    },
  };
}

interface Choices {
  element: HTMLElement;
  show(value: string): void;
}

function sideBySide({ name, choices }: Control, choose: (value: string) => void): Choices {
  const inputs = choices.map(({ value }) =>
    make('input', { type: 'radio', name: `control-${name}`, value, 'aria-label': value }),
  );
  const element = make(
    'div',
    { class: 'chips', role: 'radiogroup', 'aria-label': spoken(name) },
    ...choices.map(({ value, text }, index) =>
      make('label', { title: text }, inputs[index], make('span', {}, spoken(value))),
    ),
  );
  // Not only a change: a preset may be chosen again, after its parameters were moved.
  element.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLInputElement) choose(target.value);
  });
  return { element, show: (value) => inputs.forEach((input) => (input.checked = input.value === value)) };
}

function list({ name, choices }: Control, choose: (value: string) => void): Choices {
  const element = make(
    'select',
    { 'aria-label': spoken(name) },
    ...choices.map(({ value, text }) => make('option', { value, title: text }, spoken(value))),
  );
  element.addEventListener('change', () => choose(element.value));
  return {
    element,
    show(value) {
      element.value = value; // of no choice: nothing is selected
    },
  };
}
