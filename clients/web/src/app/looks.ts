// How the boids look: as this person chose, or else as the room's preset says.

import { type Drawn, drawnLook, nextLook } from '../draw/look';
import type { Room } from '../net/protocol';
import type { Settings } from './settings';

export interface Looks {
  /** The look in that room; null: in a room that is not known yet. */
  drawn(room: Room | null): Drawn;
  /** Chooses the next one, starting from the room's. */
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
