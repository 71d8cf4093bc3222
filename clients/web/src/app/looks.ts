// How boids are drawn: this person's choice, else as the room's preset says.

import { type Choice, type Drawn, drawnLook } from '../draw/look';
import type { Tint } from '../draw/scene';
import type { Room } from '../net/protocol';
import type { Settings } from './settings';

export interface Looks {
  chosen(): Choice;
  choose(choice: Choice): void;
  /** Returns the look in that room. null: the room is not known yet. */
  drawn(room: Room | null): Drawn;
  /** Returns the leaders' colours, unless this person has chosen what colours say. */
  tint(leaders: Tint | null): Tint | null;
}

export function createLooks({ look, keepLook }: Pick<Settings, 'look' | 'keepLook'>): Looks {
  let chosen = look();
  return {
    chosen: () => chosen,
    choose(choice) {
      chosen = choice;
      keepLook(chosen);
    },
    drawn: (room) => drawnLook(chosen, room),
    tint: (leaders) => (chosen.coloring === null ? leaders : null),
  };
}
