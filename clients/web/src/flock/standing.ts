// Whether one's own cursor counts, and if not, why.

import type { Room } from '../net/protocol';
import { control } from './room';

const VIEWERS = 'viewers';

/** What the cursor of a person does: it counts, it is only shown, or neither. */
export type Standing = 'steers' | 'shown' | 'watches';

export function standing(room: Room, presenter: boolean): Standing {
  if (presenter) return 'steers';
  if (control(room, VIEWERS)?.value === 'watch') return 'watches';
  return room.policy === 'presenter' ? 'shown' : 'steers';
}
