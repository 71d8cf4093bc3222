// All that only presenters have, in a file of its own that is loaded when one presents: the panel with the controls, what it
// says of the room, and the timeline. Its style sheet comes with it.

import { fillTexts } from '../texts/fill';
import { listenForAdding } from './adding';
import { createAttentionForm } from './attention-form';
import type { ControlsOptions } from './controls';
import { byId } from './dom';
import { type Panel, createPanel } from './panel';
import sheet from './panel.css';
import html from './panel.html';
import { createPastTools } from './past-tools';
import { createRoomPanel } from './room-panel';
import type { View } from './view';

export interface Presenting {
  panel: Panel;
  views: readonly View[];
}

/** Adds it to the page, closed, when it can be seen as it should be. open: as soon as that is. Throws if it is not all there. */
export async function createPresenting(options: ControlsOptions, open: () => boolean): Promise<Presenting> {
  await load(new URL(sheet, import.meta.url).href);
  byId('controls', HTMLElement).insertAdjacentHTML('afterend', html);
  for (const part of ['panel', 'attention-on']) fillTexts(byId(part, HTMLElement));
  const { model, ask, key, onRefused, canvas, toWorld } = options;
  const panel = createPanel({ ...options, open: open() });
  listenForAdding({ canvas, add: (px, py) => panel.addAt(...toWorld(px, py)) });
  const views = [panel, createAttentionForm({ model, ask, onRefused }), createRoomPanel({ ask, key }), createPastTools({ model, ask, onRefused })];
  return { panel, views };
}

/** Before the page's own style sheet, which has the last word. */
function load(href: string): Promise<void> {
  const link = document.createElement('link');
  return new Promise((resolve, reject) => {
    link.rel = 'stylesheet';
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(href));
    };
    link.href = href;
    document.head.prepend(link);
  });
}
