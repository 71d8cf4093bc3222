// Who is here: the list of people with their colours, and one's own name to change.

import { byId, hex, plural, setText } from './dom';
import { type Person, cleanName } from './protocol';

export interface PeopleView {
  /** people: those shown by the server; self among them or not. */
  list(people: readonly Person[], self: Person): void;
  count(everybody: number): void;
  toggle(): void;
}

export interface PeopleOptions {
  shown: boolean;
  onToggle(shown: boolean): void;
  onRename(name: string): void;
}

export function createPeopleView(options: PeopleOptions): PeopleView {
  const panel = byId('people', HTMLDetailsElement);
  const total = byId('people-count', HTMLElement);
  const form = byId('name-form', HTMLFormElement);
  const field = byId('name', HTMLInputElement);
  const list = byId('people-list', HTMLUListElement);
  const more = byId('people-more', HTMLElement);
  let own = '';
  let listed = 0;

  panel.open = options.shown;
  panel.addEventListener('toggle', () => options.onToggle(panel.open));

  function rename(): void {
    const name = cleanName(field.value);
    field.value = name === '' ? own : name;
    if (name === '' || name === own) return;
    own = name;
    options.onRename(name);
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    rename();
    field.blur();
  });
  field.addEventListener('change', rename);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    field.value = own;
    field.blur();
  });

  function item(person: Person, self: boolean): HTMLLIElement {
    const row = document.createElement('li');
    const name = document.createElement('bdi');
    name.textContent = person.name;
    row.append(name);
    row.classList.toggle('self', self);
    row.style.setProperty('--person', hex(person.color));
    return row;
  }

  return {
    list(people, self) {
      const others = people.filter((person) => person.id !== self.id);
      list.replaceChildren(item(self, true), ...others.map((person) => item(person, false)));
      listed = others.length + 1;
      own = self.name;
      field.style.setProperty('--person', hex(self.color));
      if (document.activeElement !== field) field.value = own;
    },
    count(everybody) {
      setText(total, plural(everybody, 'person', 'people'));
      const rest = everybody - listed;
      more.hidden = rest <= 0;
      if (rest > 0) setText(more, `and ${rest.toLocaleString('en')} more`);
    },
    toggle() {
      panel.open = !panel.open;
    },
  };
}
