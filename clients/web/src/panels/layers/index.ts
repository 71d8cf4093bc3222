// The layers density and links and the clusters' colours. They are loaded when the person looks for them, for the choice of an earlier
// visit, and when a presenter has chosen layers or colours for everyone. Such a choice holds until the person makes another one.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { LAYER_NAMES, isLayerShown } from '../../app/shown-layers';
import { createClusterColors } from '../../draw/clusters';
import { densityLayer } from '../../draw/density';
import { linksLayer } from '../../draw/links';
import { COLORINGS, type ChosenColoring } from '../../draw/look';
import { control } from '../../flock/room';

export const FREE = 'free'; // each person chooses

/** Returns the colours of that value of the control `coloring`; null: each person chooses. */
const coloringOf = (value: string): ChosenColoring | null =>
  value === 'boid' ? 'own' : ([...COLORINGS, 'clusters' as const].find((each) => each === value) ?? null);

export function mount({ layers, settings, looks, model }: Pick<Context, 'layers' | 'settings' | 'looks' | 'model'>): Panel {
  let before = ['', FREE]; // the values of the two controls

  function follow(): void {
    const room = model.room();
    const now = ['layers', 'coloring'].map((name) => (room === null ? FREE : (control(room, name)?.value ?? FREE)));
    const shown = now[0].split('+');
    if (now[0] !== before[0])
      for (const name of LAYER_NAMES) layers.show(name, now[0] === FREE ? isLayerShown(settings, name) : shown.includes(name));
    if (now[1] !== before[1]) looks.impose(coloringOf(now[1]));
    before = now;
  }

  layers.add(densityLayer(), linksLayer());
  looks.clusters = createClusterColors();
  follow();
  return { room: follow };
}
