// The list of people, with their colours and roles. A person may change the own name; presenters may act on each of the others.

import type * as Actions from './actions';
import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { texts } from '../../texts/texts';
import { byId, hex, make, setText } from '../../app/dom';
import { drawShape, takeShape } from '../../app/marks';
import { colorOf } from '../../flock/leads';
import { cleanName } from '../../flock/names';
import type { Person } from '../../net/protocol';

interface Row {
  element: HTMLLIElement;
  show(person: Person, standing: Actions.Standing): void;
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
  let actions: typeof Actions | null = null;
  let loading = false;

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
    if (event.key !== 'Escape' || field.value === own()) return;
    event.stopPropagation(); // Escape undoes the typing before it closes anything
    field.value = own();
  });

  /** Viewers need no actions: they are loaded for the first presenter. */
  async function loadActions(): Promise<void> {
    loading = true;
    actions = await context.load(() => import('./actions'));
    rows.clear();
    show();
  }

  function rowOf(id: number): Row {
    const row = rows.get(id) ?? createRow(id, actions?.createActions(id, context) ?? null);
    rows.set(id, row);
    return row;
  }

  /** Shows people in the model's order, this person first, then people who are away. */
  function show(): void {
    const here = model.people.all();
    const people = [...here, ...model.people.away().map((who) => ({ ...who, presenter: true }))];
    const presenting = model.role() === 'presenter';
    const [self] = people;
    if (presenting && !loading) void loadActions();
    const elements = people.map((person, i) => {
      const row = rowOf(person.id);
      const [spot, away] = [person.id === model.room()?.spotlight, i >= here.length];
      row.show(person, { self: person === self, presenting, may: self.owner || !person.owner, spot, away });
      return row.element;
    });
    const listedIds = new Set(people.map(({ id }) => id));
    for (const id of rows.keys()) if (!listedIds.has(id)) rows.delete(id);
    // Elements that stay are not moved, so that a field keeps the focus while people come and leave.
    for (const each of [...list.children]) if (!elements.includes(each as HTMLLIElement)) each.remove();
    elements.forEach((each, i) => each !== list.children[i] && list.insertBefore(each, list.children[i] ?? null));
    field.style.setProperty('--person', hex(self === undefined ? 0 : colorOf(self)));
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

function badgeOf({ presenter, owner }: Person, { self, away }: Actions.Standing): string {
  const t = texts.people;
  if (away) return owner ? t.ownerAway : t.away;
  if (owner) return self ? t.youOwn : t.owns;
  if (self) return presenter ? t.youPresent : t.you;
  return presenter ? t.presents : '';
}

/** Makes a person's row. actions: null until a presenter needs them. */
function createRow(id: number, actions: Actions.Actions | null): Row {
  const name = make('bdi', {});
  const badge = make('span', { class: 'badge' });
  const shape = drawShape(id);
  const element = make('li', {}, shape, name, badge, ...(actions?.elements ?? []));

  return {
    element,
    show(person, standing) {
      const { away, spot } = standing;
      element.classList.toggle('away', away);
      element.classList.toggle('spot', spot);
      setText(name, person.name);
      setText(badge, [texts.people.teams[person.team - 1], badgeOf(person, standing)].filter(Boolean).join(' · '));
      element.classList.toggle('active', person.active);
      element.style.setProperty('--person', hex(colorOf(person)));
      takeShape(shape, id, person.team);
      actions?.show(person, standing);
    },
  };
}
