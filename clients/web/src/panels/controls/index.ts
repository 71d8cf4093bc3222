// All that only presenters have, in a file of its own that is loaded when one presents: the panel with the controls, what it
// says of the room, and the timeline. Its style sheet comes with it.

import { ROOT } from '../../net/codes';
import { createRoomsApi } from '../../net/rooms-api';
import { fillTexts } from '../../texts/fill';
import { listenForAdding } from './adding';
import { createAttentionForm } from '../attention/form';
import type { ControlsOptions } from './options';
import { byId } from '../../app/dom';
import { type Panel, createPanel } from './controls';
import sheet from './index.css';
import html from './index.html';
import { createPastTools } from '../past/timeline';
import { createRecording } from '../past/recording';
import { createRoomPanel } from '../room/form';
import { loadSheet } from '../../app/sheet';
import type { View } from '../../app/view';

export interface Presenting {
  panel: Panel;
  views: readonly View[];
}

/** Adds it to the page, closed, when it can be seen as it should be. open: as soon as that is. Throws if it is not all there. */
export async function createPresenting(options: ControlsOptions, open: () => boolean): Promise<Presenting> {
  await loadSheet(sheet, import.meta.url);
  const before = byId('controls', HTMLElement);
  before.insertAdjacentHTML('afterend', html);
  for (const id of ['panel', 'attention-on']) {
    const part = byId(id, HTMLElement);
    fillTexts(part);
    part.inert = before.inert; // behind a notice that covers the page
  }
  const { model, ask, key, onRefused, canvas, toWorld } = options;
  const panel = createPanel({ ...options, open: open() });
  listenForAdding({ canvas, add: (px, py) => panel.addAt(...toWorld(px, py)) });
  const views = [panel, createAttentionForm({ model, ask, onRefused }), createRoomPanel({ model, ask, key }), createPastTools({ model, ask, onRefused })];
  // Both where the timeline is, and where there is none because the present is shown.
  const api = createRoomsApi((url, init) => fetch(url, init), ROOT);
  for (const place of ['panel-recording', 'past-tools']) byId(place, HTMLElement).append(createRecording({ model, key, api }));
  return { panel, views };
}
