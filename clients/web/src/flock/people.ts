// The people in the room. The server sends a list once and then its changes. A long list may be incomplete, but always includes
// this person.

import type { Identity, Person, Presence, Role, Self } from '../net/protocol';

export interface People {
  welcomed(self: Identity, role: Role): void;
  /** Returns false, and ignores the changes, if they belong to another list. */
  take(presence: Presence): boolean;
  /** This person's own name and flags, for a list without this person. They may arrive before that list. */
  told(self: Self): void;
  /** This person's role or name has changed. */
  became(role: Role): void;
  renamed(name: string): void;
  /** Whether the server has sent its list. */
  complete(): boolean;
  get(id: number): Person | undefined;
  self(): Person | null; // null before the first welcome
  /** This person first, then presenters, then the others. */
  all(): Person[];
  /** Presenters who have left and may come back. */
  away(): Person[];
}

export function createPeople(): People {
  const people = new Map<number, Person>();
  let sequence = 0;
  let own: Person | null = null;
  let away: Person[] = [];
  let listed = false; // whether the server's list includes this person
  let pending: Self | null = null; // received while this person is in the list; used when a list arrives without this person

  function change(changes: Partial<Person>): void {
    if (own === null) return;
    own = { ...own, ...changes };
    people.set(own.id, own);
  }

  return {
    welcomed({ id, name, color }, role) {
      people.clear();
      away = [];
      sequence = 0;
      listed = false;
      pending = null;
      own = { id, name, color, presenter: role === 'presenter', active: false, owner: false, team: 0 };
      people.set(id, own);
    },
    take({ since, sequence: next, people: changes, left, away: gone }) {
      if (since !== 0 && since !== sequence) return false;
      sequence = next;
      if (since === 0) people.clear();
      if (gone !== null || since === 0) away = gone ?? [];
      for (const id of left) people.delete(id);
      for (const { id, identity, presenter, active, owner, team } of changes) {
        const who = identity ?? people.get(id);
        if (who !== undefined) people.set(id, { id, name: who.name, color: who.color, presenter, active, owner, team });
      }
      if (own === null) return true;
      const { id } = own;
      const named = changes.some((each) => each.id === id);
      listed = named || (listed && since !== 0 && !left.includes(id));
      if (named && since === 0) pending = null; // a complete list is newer
      change(people.get(id) ?? (listed ? {} : (pending ?? {})));
      if (!listed) pending = null;
      return true;
    },
    told({ name, presenter, active, owner, team }) {
      pending = { name, presenter, active, owner, team };
      if (listed) return;
      change(pending);
      pending = null;
    },
    became: (role) => change({ presenter: role === 'presenter' }),
    renamed: (name) => change({ name }),
    complete: () => sequence > 0,
    get: (id) => people.get(id),
    self: () => own,
    away: () => away,
    all() {
      const rank = (person: Person): number => (person.id === own?.id ? 0 : person.presenter ? 1 : 2);
      return [...people.values()].sort((a, b) => rank(a) - rank(b));
    },
  };
}
