// The presets that presenters saved in the room. Presenters choose and remove them, and save the room's present settings as a preset.

import type { Model } from '../../flock/model';
import { cleanName } from '../../flock/names';
import { PRESET, control } from '../../flock/room';
import { type Control, request } from '../../net/protocol';
import type { Ask, Outcome } from '../../net/requests';
import { controlsTexts } from '../../texts/controls';
import { texts } from '../../texts/texts';
import { make, setText } from '../../app/dom';
import { errorText } from '../../app/errors';

export interface OwnPresets {
  element: HTMLElement;
  show(control: Control): void;
  /** Hides the last refusal. */
  correct(): void;
}

/** choose: makes that preset the room's. */
export function createOwnPresets({ room }: Pick<Model, 'room'>, ask: Ask, choose: (value: string) => void): OwnPresets {
  const t = controlsTexts().presets;
  const list = make('div', { class: 'chips', role: 'group', 'aria-label': t.ownAbout });
  const name = make('input', { 'aria-label': t.name, placeholder: t.name, maxlength: '64', autocomplete: 'off', enterkeyhint: 'done' });
  const open = make('button', { type: 'button', 'aria-expanded': 'false' }, t.saveAs);
  const save = make('form', { class: 'preset-save', hidden: '' }, name, make('button', {}, t.save));
  const saveAbout = make('p', { class: 'about', hidden: '' }, t.saveAbout);
  const question = make('span', {});
  const keep = make('button', { type: 'button' }, texts.people.keep);
  const remove = make('button', { type: 'button', class: 'danger' }, t.removeNow);
  const sure = make('div', { class: 'choices', hidden: '' }, question, keep, remove);
  const problem = make('p', { class: 'problem', role: 'alert', hidden: '' });
  const element = make(
    'div',
    { class: 'choice', id: 'own-presets' },
    make('span', { class: 'name' }, t.own),
    make('div', { class: 'presets' }, list, open, save, saveAbout, sure),
    problem,
  );
  let shown = ''; // the names in the shown list, as JSON
  let doomed = ''; // the preset that this person may remove after a question; empty: none

  /** Returns the preset in force if a presenter saved it, else ''. */
  function inForce(): string {
    const here = room();
    const preset = here === null ? undefined : control(here, PRESET);
    return preset?.choices.find(({ value, saved }) => saved && value === preset.value)?.value ?? '';
  }

  function useForm(use: boolean): void {
    save.hidden = saveAbout.hidden = !use;
    open.hidden = use;
    open.setAttribute('aria-expanded', String(use));
    problem.hidden = true;
    if (use) {
      name.value = inForce(); // so that Enter saves this preset again
      name.select();
      name.focus();
    }
  }

  function askRemove(value: string): void {
    doomed = value;
    sure.hidden = value === '';
    problem.hidden = true;
    setText(question, t.removeSure(value));
    if (value !== '') keep.focus();
  }

  function answered(outcome: Outcome): void {
    problem.hidden = outcome.kind !== 'error';
    if (outcome.kind === 'error') setText(problem, errorText(outcome));
  }

  function chip(value: string): HTMLElement {
    const use = make('button', { type: 'button', class: 'use' }, make('bdi', {}, value));
    const drop = make('button', { type: 'button', class: 'drop', 'aria-label': t.remove(value), title: t.remove(value) }, '×');
    use.addEventListener('click', () => {
      problem.hidden = true;
      choose(value);
    });
    drop.addEventListener('click', () => askRemove(value));
    return make('div', { class: 'own' }, use, drop);
  }

  open.addEventListener('click', () => useForm(true));
  save.addEventListener('submit', (event) => {
    event.preventDefault();
    const wanted = cleanName(name.value);
    if (wanted === '') return;
    ask(request.save(wanted), (outcome) => {
      if (outcome.kind === 'done') useForm(false);
      answered(outcome);
    });
  });
  save.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    useForm(false);
    open.focus();
  });
  keep.addEventListener('click', () => askRemove(''));
  remove.addEventListener('click', () => {
    ask(request.forget(doomed), answered);
    askRemove('');
  });

  return {
    element,
    correct() {
      problem.hidden = true;
    },
    show({ choices }) {
      const own = choices.filter(({ saved }) => saved).map((choice) => choice.value);
      if (JSON.stringify(own) !== shown) {
        list.replaceChildren(...own.map(chip));
        shown = JSON.stringify(own);
        if (!own.includes(doomed)) askRemove('');
      }
      list.hidden = own.length === 0;
      list.querySelectorAll('.use').forEach((use, index) => use.setAttribute('aria-pressed', String(own[index] === inForce())));
    },
  };
}
