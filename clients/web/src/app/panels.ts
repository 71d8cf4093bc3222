// Adds the panels of the list to the dock. A panel is a folder of panels/ with a module, and may have HTML and a style sheet.

import type { Context } from './context';
import type { Panel, Place } from './dock';
import { framed } from './go';

/** Called once, when the panel's HTML is in the page. */
type Mount = (context: Context) => Panel;

export interface PanelModule {
  html?: string;
  texts?(): object; // see Part
  sheet?: string; // the style sheet's address, relative to the scripts
  mount: Mount;
}

export interface PanelRow extends Place {
  /** Whether the panel is open at first. With `kept`, it is as the person left it; a browser that does not know that asks this
   * function. A panel of a tab or an address must have been open, too. Missing: closed, unless the person left it open. */
  opens?(context: Context): boolean;
  /** Makes a panel that is part of the first load; its HTML is in index.html. */
  mount?: Mount;
  /** Loads the panel when it first opens. */
  load?(): Promise<PanelModule>;
}

export function addPanels(context: Context, rows: readonly PanelRow[]): void {
  const { dock, settings } = context;
  for (const { opens, mount, load, ...place } of rows) {
    const was = place.kept === undefined ? null : settings.wasOpen(place.id ?? place.name, place.kept);
    const asked = was === null || place.kept !== 'browser' || framed();
    const open = was !== false && (asked ? (opens?.(context) ?? was === true) : was);
    if (mount !== undefined) dock.add(place, open, { mount: () => mount(context) });
    else if (load !== undefined) dock.add(place, open, () => load().then((part) => ({ ...part, mount: () => part.mount(context) })));
  }
}
