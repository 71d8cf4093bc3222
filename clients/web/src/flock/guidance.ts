// What one's own cursor does to the flock in this room, as the room is now.

import type { Room } from '../net/protocol';
import { PRESET, control, paused } from './room';
import { standing } from './standing';

const BALLS = 'billiards'; // the preset that has no flock

/** The flock goes to the mean of the cursors, to the one that moved last, or each boid to the nearest; balls are pulled by it;
 * it flees from cursors; or a cursor moves nothing: because no cursor does, because the room is paused, because one's own
 * cursor is only shown, or not even that. */
export type Guidance = 'follow' | 'latest' | 'nearest' | 'pull' | 'flee' | 'nothing' | 'paused' | 'shown' | 'watches';

/** presenter: whether this person is one. */
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

/** Of a model that this page does not know the cursor's pull is taken for granted. */
const seeks = (room: Room): boolean => (param(room, 'seek_weight') ?? param(room, 'alignment_max') ?? 1) > 0;

const flees = (room: Room): boolean => (param(room, 'flee_weight') ?? 1) > 0;
