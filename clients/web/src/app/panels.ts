// Panels and their rows in the list. A panel is a folder of panels/, whose module has mount(), and may have HTML and a style sheet.

import type { Context } from './context';
import type { Panel, Place } from './dock';

/** Called once, when the panel's HTML is in the page. */
type Mount = (context: Context) => Panel;

export interface PanelModule {
  html?: string;
  sheet?: string; // its address, relative to the scripts
  mount: Mount;
}

export interface PanelRow extends Place {
  /** Whether the panel is open at first, if it was open the last time (`kept`). Missing: true with `kept`, else false. */
  opens?(context: Context): boolean;
  /** A part of the first load; its HTML is in the page. */
  mount?: Mount;
  /** Loads the panel when it first opens. */
  load?(): Promise<PanelModule>;
}

export function addPanels(context: Context, rows: readonly PanelRow[]): void {
  const { dock, settings } = context;
  for (const { opens, mount, load, ...place } of rows) {
    const was = place.kept === undefined ? opens !== undefined : settings.wasOpen(place.id ?? place.name, place.kept);
    const open = was && (opens?.(context) ?? true);
    if (mount !== undefined) dock.add(place, open, { mount: () => mount(context) });
    else if (load !== undefined) dock.add(place, open, () => load().then((part) => ({ ...part, mount: () => part.mount(context) })));
  }
}
