// A presenter's actions on a person: loaded when this page's person first presents.

import type { Context } from '../../app/context';
import { make, setText } from '../../app/dom';
import { sayRefusal } from '../../app/errors';
import { cleanName } from '../../flock/names';
import { type Person, type Request, request } from '../../net/protocol';
import { texts } from '../../texts/texts';
import { actionTexts } from './texts';

/** How a row is shown. */
export interface Standing {
  self: boolean;
  presenting: boolean; // this page's person presents
  may: boolean; // … and may remove this one, or make this one a viewer
  spot: boolean;
  away: boolean;
}

export interface Actions {
  elements: HTMLElement[]; // of the person's row
  show(person: Person, standing: Standing): void;
}

/** Makes a person's actions, which open below the row; removing a person needs a second click. */
export function createActions(id: number, { model, ask, say }: Context): Actions {
  const t = actionTexts();
  const open = make('button', { type: 'button', class: 'more', 'aria-expanded': 'false' }, '⋯');
  const role = make('button', { type: 'button' });
  const spotlight = make('button', { type: 'button' });
  const call = make('button', { type: 'button' }, t.rename);
  const remove = make('button', { type: 'button' }, t.remove);
  const field = make('input', { maxlength: '64', autocomplete: 'off', 'aria-label': t.newName });
  const naming = make('form', { class: 'choices' }, field, make('button', {}, t.renameNow));
  const question = make('span', {});
  const keep = make('button', { type: 'button' }, texts.people.keep);
  const confirm = make('button', { type: 'button', class: 'danger' }, t.removeNow);
  const alsoDoor = make('button', { type: 'button', class: 'danger' }, t.removeAndClose);
  const choices = make('div', { class: 'choices' }, role, spotlight, call, remove);
  const asking = make('div', { class: 'choices' }, question, keep, confirm, alsoDoor);
  let state: 'closed' | 'open' | 'naming' | 'asking' = 'closed';
  let shown = '';

  const demand = (message: Request): void => ask(message, sayRefusal(say));

  function become(next: typeof state): void {
    state = next;
    choices.hidden = state !== 'open';
    naming.hidden = state !== 'naming';
    asking.hidden = state !== 'asking';
    open.setAttribute('aria-expanded', String(state !== 'closed'));
  }

  open.addEventListener('click', () => become(state === 'closed' ? 'open' : 'closed'));
  role.addEventListener('click', () => {
    const { presenter } = model.people.get(id) ?? { presenter: true }; // a person who is away
    demand(request.appoint(id, presenter ? 'viewer' : 'presenter'));
    become('closed');
  });
  spotlight.addEventListener('click', () => {
    demand(request.spotlight(model.room()?.spotlight === id ? 0 : id));
    become('closed');
  });
  call.addEventListener('click', () => {
    become('naming');
    field.value = shown;
    field.select();
  });
  naming.addEventListener('submit', (event) => {
    event.preventDefault();
    const next = cleanName(field.value);
    if (next !== '' && next !== shown) demand(request.rename(id, next));
    become('closed');
    open.focus();
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    become('open');
    call.focus();
  });
  remove.addEventListener('click', () => {
    become('asking');
    keep.focus();
  });
  keep.addEventListener('click', () => become('open'));
  confirm.addEventListener('click', () => {
    demand(request.expel(id));
    become('closed');
  });
  alsoDoor.addEventListener('click', () => {
    demand(request.door(false));
    confirm.click();
  });
  become('closed');

  return {
    elements: [open, choices, naming, asking],
    show({ name, presenter }, { self, presenting, may, spot, away }) {
      shown = name;
      for (const each of [spotlight, call]) each.hidden = away;
      remove.hidden = away || !may;
      role.hidden = presenter && !may;
      setText(spotlight, spot ? t.spotlightOff : t.spotlight);
      setText(role, presenter ? t.dismiss : t.appoint);
      setText(question, texts.people.removeSure(name));
      alsoDoor.hidden = model.room()?.door === 'closed';
      open.setAttribute('aria-label', texts.people.actions(name));
      open.hidden = self || !presenting || (away && !may);
      if (open.hidden) become('closed');
    },
  };
}
