// Adds the panels of the list to the dock. A panel is a folder of panels/ with a module, and may have HTML and a style sheet.

import type { Context } from './context';
import type { Panel, Place } from './dock';

/** Called once, when the panel's HTML is in the page. */
type Mount = (context: Context) => Panel;

export interface PanelModule {
  html?: string;
  sheet?: string; // the style sheet's address, relative to the scripts
  mount: Mount;
}

export interface PanelRow extends Place {
  /** Whether the panel is open at first. With `kept`, it is also closed if it was closed the last time. Missing: it is as it was the
   * last time with `kept`, else closed. */
  opens?(context: Context): boolean;
  /** Makes a panel that is part of the first load; its HTML is in index.html. */
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
