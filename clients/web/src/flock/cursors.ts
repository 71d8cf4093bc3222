// The cursors of the other people, as the flock is shown.

import type { Identity } from '../net/protocol';
import type { Model } from './model';
import { type Moment, pointAt } from './timeline';

export interface Cursor {
  person: Identity;
  at: [number, number]; // world units
  newest: readonly [number, number]; // where the later of the two snapshots has it
}

/** Leaves out this person, and cursors of people that the page does not know yet. */
export function othersCursors({ welcome, people, past }: Pick<Model, 'welcome' | 'people' | 'past'>, moment: Moment): Cursor[] {
  const self = welcome()?.id;
  return [...moment.b.cursors].flatMap(([id, newest]) => {
    const at = id === self ? null : pointAt(moment.a.cursors.get(id) ?? null, newest, moment.alpha);
    const person = people.get(id) ?? past().people?.find((each) => each.id === id);
    return at === null || person === undefined ? [] : [{ person, at, newest }];
  });
}
