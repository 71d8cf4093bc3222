// Who is here: the list of people with their colours and who presents, one's own name to change, and for presenters what
// they may do with each of the others.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { texts } from '../../texts/texts';
import { byId, hex, make, setText } from '../../app/dom';
import { drawShape } from '../../app/marks';
import { sayRefusal } from '../../app/errors';
import { cleanName } from '../../flock/names';
import { type Person, type Request, request } from '../../net/protocol';

interface Row {
  element: HTMLLIElement;
  show(person: Person, self: boolean, presenting: boolean, spot: boolean, away: boolean): void;
}

export function mount(context: Context): Panel {
  const { model, identity } = context;
  const panel = byId('people', HTMLDetailsElement);
  const total = byId('people-count', HTMLElement);
  const summary = panel.querySelector('summary') as HTMLElement;
  const form = byId('name-form', HTMLFormElement);
  const field = byId('name', HTMLInputElement);
  const list = byId('people-list', HTMLUListElement);
  const more = byId('people-more', HTMLElement);
  const rows = new Map<number, Row>();

  const own = (): string => model.people.self()?.name ?? '';

  function rename(): void {
    const name = cleanName(field.value);
    field.value = name === '' ? own() : name;
    if (name !== '' && name !== own()) identity.rename(name);
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    field.blur(); // which is a change
  });
  field.addEventListener('change', rename);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    field.value = own();
    field.blur();
  });

  function rowOf(id: number): Row {
    const row = rows.get(id) ?? createRow(id, context);
    rows.set(id, row);
    return row;
  }

  /** Shows people in the model's order, this person first, then people who are away. */
  function show(): void {
    const here = model.people.all();
    const people = [...here, ...model.people.away().map((who) => ({ ...who, presenter: true, active: false }))];
    const presenting = model.role() === 'presenter';
    const [self] = people;
    const elements = people.map((person, i) => {
      const row = rowOf(person.id);
      row.show(person, person === self, presenting, person.id === model.room()?.spotlight, i >= here.length);
      return row.element;
    });
    const listedIds = new Set(people.map(({ id }) => id));
    for (const id of rows.keys()) if (!listedIds.has(id)) rows.delete(id);
    // What is where it belongs stays there, and keeps the focus.
    const same = elements.length === list.children.length && elements.every((each, i) => each === list.children[i]);
    if (!same) list.replaceChildren(...elements);
    field.style.setProperty('--person', hex(self?.color ?? 0));
    if (document.activeElement !== field) field.value = own();
  }

  return {
    people: show,
    room({ peopleMax }) {
      summary.title = texts.people.most(peopleMax);
      show();
    },
    figures() {
      const everybody = model.timeline()?.newest()?.people;
      if (everybody === undefined) return;
      setText(total, texts.common.people(everybody));
      const rest = everybody - model.people.all().length;
      more.hidden = rest <= 0;
      if (rest > 0) setText(more, texts.people.more(rest));
    },
  };
}

function badgeOf(self: boolean, presenter: boolean): string {
  const { you, youPresent, presents } = texts.people;
  if (self) return presenter ? youPresent : you;
  return presenter ? presents : '';
}

/** Makes a person's row. A presenter's actions open below it; removing a person needs a second click. */
function createRow(id: number, { model, ask, say }: Context): Row {
  const name = make('bdi', {});
  const badge = make('span', { class: 'badge' });
  const open = make('button', { type: 'button', class: 'more', 'aria-expanded': 'false' }, '⋯');
  const role = make('button', { type: 'button' });
  const spotlight = make('button', { type: 'button' });
  const call = make('button', { type: 'button' }, texts.people.rename);
  const remove = make('button', { type: 'button' }, texts.people.remove);
  const field = make('input', { maxlength: '64', autocomplete: 'off', 'aria-label': texts.people.newName });
  const naming = make('form', { class: 'choices' }, field, make('button', {}, texts.people.renameNow));
  const question = make('span', {});
  const keep = make('button', { type: 'button' }, texts.people.keep);
  const confirm = make('button', { type: 'button', class: 'danger' }, texts.people.removeNow);
  const choices = make('div', { class: 'choices' }, role, spotlight, call, remove);
  const asking = make('div', { class: 'choices' }, question, keep, confirm);
  const element = make('li', {}, drawShape(id), name, badge, open, choices, naming, asking);
  let state: 'closed' | 'open' | 'naming' | 'asking' = 'closed';

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
    field.value = name.textContent ?? '';
    field.select();
  });
  naming.addEventListener('submit', (event) => {
    event.preventDefault();
    const next = cleanName(field.value);
    if (next !== '' && next !== name.textContent) demand(request.rename(id, next));
    become('closed');
    open.focus();
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
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
  become('closed');

  return {
    element,
    show(person, self, presenting, spot, away) {
      const { presenter } = person;
      element.classList.toggle('away', away);
      for (const each of [spotlight, call, remove]) each.hidden = away;
      element.classList.toggle('spot', spot);
      setText(spotlight, spot ? texts.people.spotlightOff : texts.people.spotlight);
      setText(name, person.name);
      setText(badge, away ? texts.people.away : badgeOf(self, presenter));
      element.classList.toggle('active', person.active);
      element.style.setProperty('--person', hex(person.color));
      setText(role, presenter ? texts.people.dismiss : texts.people.appoint);
      setText(question, texts.people.removeSure(person.name));
      open.setAttribute('aria-label', texts.people.actions(person.name));
      open.hidden = self || !presenting;
      if (open.hidden) become('closed');
    },
  };
}
