// The effect of the person's own cursor on the flock in the room's present state.

import type { Room } from '../net/protocol';
import type { Model } from './model';
import { PRESET, control, paused } from './room';
import { standing } from './standing';

const BALLS = 'billiards'; // the preset that has no flock

/** follow: the flock goes to the mean of the cursors; latest: to the cursor that moved last; nearest: each boid goes to the
 * nearest cursor; pull: cursors pull the balls; flee: the flock flees; nothing: no cursor has an effect; paused: the room is
 * paused; shown: the person's own cursor is only shown; watches: it is not shown either. */
export type Guidance = 'follow' | 'latest' | 'nearest' | 'pull' | 'flee' | 'nothing' | 'paused' | 'shown' | 'watches';

/** Returns null before the room is known. */
export function guidanceOf({ room, role }: Pick<Model, 'room' | 'role'>): Guidance | null {
  const here = room();
  return here === null ? null : guidance(here, role() === 'presenter');
}

/** presenter: whether this person is a presenter. */
export function guidance(room: Room, presenter: boolean): Guidance {
  if (paused(room)) return 'paused';
  const stands = standing(room, presenter);
  if (stands !== 'steers') return stands;
  if (control(room, 'cursors')?.value === 'scare') return flees(room) ? 'flee' : 'nothing';
  if (!seeks(room)) return 'nothing';
  if (control(room, PRESET)?.value === BALLS) return 'pull';
  if (room.policy === 'latest' || room.policy === 'nearest') return room.policy;
  return 'follow';
}

const param = (room: Room, name: string): number | undefined => room.params.find((each) => each.name === name)?.value;

/** Assumes that the cursor has an effect in a model that this page does not know. */
const seeks = (room: Room): boolean => (param(room, 'seek_weight') ?? param(room, 'alignment_max') ?? 1) > 0;

const flees = (room: Room): boolean => (param(room, 'flee_weight') ?? 1) > 0;
