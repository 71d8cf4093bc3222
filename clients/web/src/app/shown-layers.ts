// Layers that a person can switch on and off. The browser remembers them.

import type { Layers } from '../draw/layers';
import type { Settings } from './settings';

/** Whether each layer is shown at first, in the order of the control `layers`. */
const LAYERS = { trails: true, target: true, density: false, links: false, centroid: true, rules: true };
export type LayerName = keyof typeof LAYERS;
export const LAYER_NAMES = Object.keys(LAYERS) as readonly LayerName[];

/** The centroid was remembered before the others. */
const id = (name: LayerName): string => (name === 'centroid' ? name : `layer-${name}`);

/** Whether the person has switched the layer on. */
export const isLayerShown = ({ wasOpen }: Pick<Settings, 'wasOpen'>, name: LayerName): boolean => wasOpen(id(name), 'browser') ?? LAYERS[name];

export function showLayer(layers: Pick<Layers, 'show'>, { keepOpen }: Pick<Settings, 'keepOpen'>, name: LayerName, on: boolean): void {
  keepOpen(id(name), 'browser', on);
  layers.show(name, on);
}

/** Whether a layer differs from how it is at first. */
export const areLayersChosen = (settings: Pick<Settings, 'wasOpen'>): boolean =>
  LAYER_NAMES.some((name) => isLayerShown(settings, name) !== LAYERS[name]);
