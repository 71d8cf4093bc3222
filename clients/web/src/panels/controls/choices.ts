// A control's choices on the page: side by side where they are few and short, else in a list to open.

import { make, setText } from '../../app/dom';
import type { Control } from '../../net/protocol';
import { choiceName, choiceText, controlName, controlText } from '../../texts/names';

const SIDE_BY_SIDE = 16; // choices
const LETTERS = 128; // of all their names together

export const fitsSideBySide = ({ name, choices }: Control): boolean =>
  choices.length <= SIDE_BY_SIDE && choices.reduce((sum, { value }) => sum + choiceName(name, value).length, 0) <= LETTERS;

export interface ChoiceView {
  element: HTMLElement;
  show(value: string): void;
  refuse(message: string): void;
  /** Hides the last refusal. */
  correct(): void;
}

/** meaningOf: what a choice does, if that is not the text of the control's choice. */
export function createChoice(control: Control, choose: (value: string) => void, meaningOf: (value: string) => string | undefined = () => undefined): ChoiceView {
  const about = make('p', { class: 'about' });
  const problem = make('p', { class: 'problem', role: 'alert', hidden: '' });
  const meanings = new Map(control.choices.map(({ value, text }) => [value, meaningOf(value) ?? choiceText(control.name, value, text)]));
  const choices = fitsSideBySide(control) ? sideBySide(control, chosen) : list(control, chosen);
  const element = make(
    'div',
    { class: 'choice', 'data-control': control.name },
    make('span', { class: 'name' }, controlName(control.name)),
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
      setText(about, meanings.get(value) ?? controlText(control.name, control.text));
    },
    refuse(message) {
      setText(problem, message);
      problem.hidden = false;
    },
    correct() {
      problem.hidden = true;
    },
  };
}

interface Choices {
  element: HTMLElement;
  show(value: string): void;
}

function sideBySide({ name, choices }: Control, choose: (value: string) => void): Choices {
  const inputs = choices.map(({ value }) =>
    make('input', { type: 'radio', name: `control-${name}`, value, 'aria-label': choiceName(name, value) }),
  );
  const element = make(
    'div',
    { class: 'chips', role: 'radiogroup', 'aria-label': controlName(name) },
    ...choices.map(({ value, text }, index) =>
      make('label', { title: choiceText(name, value, text) }, inputs[index], make('span', {}, choiceName(name, value))),
    ),
  );
  // Not only a change: a preset may be chosen again, after its parameters were moved.
  element.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLInputElement) choose(target.value);
  });
  // The arrow keys only move between choices, since a choice changes the flock of everyone: Enter or the space bar chooses.
  const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
  element.addEventListener('keydown', (event) => {
    const at = inputs.indexOf(event.target as HTMLInputElement);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = Object.hasOwn(STEPS, event.key) ? STEPS[event.key] : 0;
    if (step !== 0) inputs[(at + step + inputs.length) % inputs.length].focus();
    else if (event.key === 'Enter') inputs[at].click();
    else return;
    event.preventDefault();
    event.stopPropagation(); // nor do they steer
  });
  return { element, show: (value) => inputs.forEach((input) => (input.checked = input.value === value)) };
}

function list({ name, choices }: Control, choose: (value: string) => void): Choices {
  const element = make(
    'select',
    { 'aria-label': controlName(name) },
    ...choices.map(({ value, text }) => make('option', { value, title: choiceText(name, value, text) }, choiceName(name, value))),
  );
  element.addEventListener('change', () => choose(element.value));
  return {
    element,
    show(value) {
      element.value = value; // of no choice: nothing is selected
    },
  };
}
