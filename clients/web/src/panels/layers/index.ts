// The layers density and links, which are loaded when the person looks for them, and the choice of an earlier visit.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { LAYER_NAMES, isLayerShown } from '../../app/shown-layers';
import { densityLayer } from '../../draw/density';
import { linksLayer } from '../../draw/links';

export function mount({ layers, settings }: Pick<Context, 'layers' | 'settings'>): Panel {
  layers.add(densityLayer(), linksLayer());
  for (const name of LAYER_NAMES) layers.show(name, isLayerShown(settings, name));
  return {};
}
