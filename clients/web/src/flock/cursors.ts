// The cursors of the other people, as the flock is shown.

import type { Person } from '../net/protocol';
import type { Model } from './model';
import { type Moment, pointAt } from './timeline';

export interface Cursor {
  person: Person;
  at: [number, number]; // world units
  newest: readonly [number, number]; // where the later of the two snapshots has it
}

/** The person of that id, in the team of the moment that the room shows. */
export function personThen({ people, past }: Pick<Model, 'people' | 'past'>, id: number): Person | undefined {
  const now = people.get(id);
  const then = past().people?.find((each) => each.id === id);
  return now && then ? { ...now, team: then.team } : (now ?? then);
}

/** Leaves out this person, and cursors of people that the page does not know yet. */
export function othersCursors(model: Pick<Model, 'welcome' | 'people' | 'past'>, moment: Moment): Cursor[] {
  const self = model.welcome()?.id;
  return [...moment.b.cursors].flatMap(([id, newest]) => {
    const at = id === self ? null : pointAt(moment.a.cursors.get(id) ?? null, newest, moment.alpha);
    const person = personThen(model, id);
    return at === null || person === undefined ? [] : [{ person, at, newest }];
  });
}
