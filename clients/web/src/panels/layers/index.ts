// The layers density and links and the clusters' colours. They are loaded when the person looks for them, for the choice of an earlier
// visit, and when a presenter has chosen layers or colours for everyone. Such a choice holds until the person makes another one.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { LAYER_NAMES, isLayerShown } from '../../app/shown-layers';
import { createClusterColors } from '../../draw/clusters';
import { densityLayer } from '../../draw/density';
import { linksLayer } from '../../draw/links';
import { ALL_COLORINGS } from '../../draw/look';
import { FREE, OF_LOOKS, control } from '../../flock/room';

export function mount({ layers, settings, looks, model }: Pick<Context, 'layers' | 'settings' | 'looks' | 'model'>): Panel {
  let before = ['', FREE]; // the values of the two controls

  function follow(): void {
    const room = model.room();
    const now = OF_LOOKS.map((name) => (room === null ? FREE : (control(room, name)?.value ?? FREE)));
    const shown = now[0].split('+');
    if (now[0] !== before[0])
      for (const name of LAYER_NAMES) layers.show(name, now[0] === FREE ? isLayerShown(settings, name) : shown.includes(name));
    if (now[1] !== before[1]) looks.impose(ALL_COLORINGS.find((each) => each === now[1]) ?? null);
    before = now;
  }

  layers.add(densityLayer(), linksLayer());
  looks.clusters = createClusterColors();
  follow();
  return { room: follow };
}
