// The effect of the person's own cursor on the flock in the room's present state.

import type { Room } from '../net/protocol';
import { NEAREST, RELAY, SCARE, TEAMS, classMode, ownTurn } from './leads';
import type { Model } from './model';
import { PRESET, control, paused } from './room';
import { standing } from './standing';

const BALLS = 'billiards'; // the preset that has no flock

/** follow: the flock goes to the mean of the cursors; latest: to the cursor that moved last; nearest: each boid goes to the
 * nearest cursor; team: to the nearest team; lead: to this person's cursor, in turn; wait: to another person's; pull: cursors pull the balls; flee: the flock flees; nothing: no cursor has an effect; paused: the room is
 * paused; shown: the person's own cursor is only shown; watches: it is not shown either. */
export type Guidance =
  | 'follow'
  | 'latest'
  | 'nearest'
  | 'team'
  | 'lead'
  | 'wait'
  | 'pull'
  | 'flee'
  | 'nothing'
  | 'paused'
  | 'shown'
  | 'watches';

/** Returns null before the room is known. */
export function guidanceOf(model: Pick<Model, 'room' | 'role' | 'leads' | 'welcome'>): Guidance | null {
  const here = model.room();
  return here === null ? null : guidance(here, model.role() === 'presenter', ownTurn(model));
}

/** presenter: whether this person is a presenter; turn: whether this person leads alone; null: no person does. */
export function guidance(room: Room, presenter: boolean, turn: boolean | null = null): Guidance {
  if (paused(room)) return 'paused';
  const stands = standing(room, presenter);
  if (stands !== 'steers') return stands;
  const mode = classMode(room);
  if (mode === SCARE) return flees(room) ? 'flee' : 'nothing';
  if (!seeks(room)) return 'nothing';
  if (control(room, PRESET)?.value === BALLS) return 'pull';
  if (mode === TEAMS) return 'team';
  if (mode === RELAY) return turn === false ? 'wait' : 'lead';
  if (mode === 'latest' || mode === NEAREST) return mode;
  return 'follow';
}

const param = (room: Room, name: string): number | undefined => room.params.find((each) => each.name === name)?.value;

/** Assumes that the cursor has an effect in a model that this page does not know. */
const seeks = (room: Room): boolean => (param(room, 'seek_weight') ?? param(room, 'alignment_max') ?? 1) > 0;

const flees = (room: Room): boolean => (param(room, 'flee_weight') ?? 1) > 0;
