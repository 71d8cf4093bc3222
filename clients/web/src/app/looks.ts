// How boids are drawn: this person's choice, else as the room's preset says. A presenter may have chosen the colours for everyone.

import { type Choice, type ChosenColoring, type Drawn, drawnLook } from '../draw/look';
import type { Theme, Tint } from '../draw/scene';
import type { Room } from '../net/protocol';
import type { Settings } from './settings';

export interface Looks {
  chosen(): Choice;
  choose(choice: Choice): void;
  /** Uses these colours until the person chooses others; null: the person's own. */
  impose(coloring: ChosenColoring | null): void;
  /** Returns the look in that room. null: the room is not known yet. */
  drawn(room: Room | null): Drawn;
  /** Returns the clusters' colours if they are chosen, and the leaders' without a choice. null: the renderer colours the boids itself. */
  tint(leaders: Tint | null, theme: Theme): Tint | null;
  /** Makes the clusters' colours; null: that part is not loaded yet. */
  clusters: ((theme: Theme) => Tint) | null;
}

export function createLooks({ look, keepLook }: Pick<Settings, 'look' | 'keepLook'>): Looks {
  let kept = look();
  let imposed: ChosenColoring | null = null;
  const chosen = (): Choice => ({ ...kept, coloring: imposed ?? kept.coloring });
  const looks: Looks = {
    chosen,
    choose(choice) {
      if (choice.coloring !== chosen().coloring) imposed = null;
      kept = imposed === null ? choice : { ...choice, coloring: kept.coloring };
      keepLook(kept);
    },
    impose(coloring) {
      imposed = coloring;
    },
    drawn: (room) => drawnLook(chosen(), room),
    tint: (leaders, theme) => {
      const { coloring } = chosen();
      return coloring === null ? leaders : coloring === 'clusters' ? (looks.clusters?.(theme) ?? null) : null;
    },
    clusters: null,
  };
  return looks;
}
