// Whether the person's own cursor steers.

import type { Room } from '../net/protocol';
import { control } from './room';

const VIEWERS = 'viewers';

/** A person's cursor steers, is only shown, or is hidden. */
export type Standing = 'steers' | 'shown' | 'watches';

export function standing(room: Room, presenter: boolean): Standing {
  if (presenter) return 'steers';
  if (control(room, VIEWERS)?.value === 'watch') return 'watches';
  return room.policy === 'presenter' ? 'shown' : 'steers';
}
