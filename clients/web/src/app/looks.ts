// The look of the boids: this person's choice, else the look of the room's preset.

import { type Drawn, drawnLook, nextLook } from '../draw/look';
import type { Room } from '../net/protocol';
import type { Settings } from './settings';

export interface Looks {
  /** Returns the look in that room. null: the room is not known yet. */
  drawn(room: Room | null): Drawn;
  /** Chooses the next look, starting from the room's. */
  next(room: Room | null): void;
}

export function createLooks({ look, keepLook }: Pick<Settings, 'look' | 'keepLook'>): Looks {
  let chosen = look();
  return {
    drawn: (room) => drawnLook(chosen, room),
    next(room) {
      chosen = nextLook(chosen, room);
      keepLook(chosen);
    },
  };
}
