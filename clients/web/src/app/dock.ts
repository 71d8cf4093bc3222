// Opens, closes and places the panels. A panel's row says where the panel stands. The dock loads the panel when it first opens,
// remembers whether it is open, and returns the focus. It closes panels that cannot be open at the same time.

import type { Covered } from '../draw/camera';
import { hasLeaders } from '../flock/leads';
import { mayDraw } from '../flock/room';
import type { Model } from '../flock/model';
import { fillTexts } from '../texts/fill';
import { type Language, texts } from '../texts/texts';
import { byId, make } from './dom';
import type { KeyAction, Keys } from './keys';
import type { Load } from './load';
import type { Kept, Settings } from './settings';
import { loadSheet } from './sheet';
import type { View } from './view';

/** Where a panel stands:
 * page: at a fixed place in the page, always open;
 * dialog: over the page; only one is open; a click beside the dialog closes it;
 * fold: a <details> at a fixed place in the page, which folds into its title;
 * side: beside the flock, or below it; only one is open at each place;
 * sheet: below the flock, until the person has answered;
 * whole: in the whole window, instead of the other panels. */
export type Stand = 'page' | 'dialog' | 'fold' | 'side' | 'sheet' | 'whole';

/** A key of this panel that is not in KEYS, and its text in the help. */
export interface OwnKey {
  key: string;
  text: Readonly<Record<Language, string>>;
}

export interface Place {
  name: string;
  stand: Stand;
  id?: string; // of the panel's element; missing: its name
  opener?: string; // the id of the button that opens it
  key?: KeyAction | OwnKey;
  who?: 'presenter'; // missing: everyone
  /** The panel opens once the room is known, or has leaders or a pen, or lets this person draw. */
  needs?: 'room' | 'leaders' | 'pen' | 'drawing';
  kept?: Kept; // where the page remembers whether the panel is open; missing: nowhere
}

/** The parts of a panel that is not mounted yet: its HTML, texts and style sheet, and the function that makes it. */
export interface Part {
  html?: string;
  texts?(): object; // more groups of texts for its HTML
  sheet?: string; // the address of its style sheet, relative to the scripts
  mount(): Panel;
}

export interface Panel extends View {
  /** Called after the panel was opened or closed. */
  opened?(open: boolean): void;
}

export interface Dock {
  /** Adds a panel. open: whether it is open at first. part: if it is a function, the dock calls it when the panel
   * first opens, and for a presenters' panel when this person becomes a presenter. */
  add(place: Place, open: boolean, part: Part | (() => Promise<Part>)): void;
  /** Opens or closes a panel for the person: remembers it, and moves or returns the focus. */
  toggle(name: string): void;
  open(name: string): void;
  close(name: string): void;
  /** Opens or closes a panel for a while: does not remember it, and leaves the focus. */
  show(name: string, open: boolean): void;
  /** Sets how leave() closes a thing that is no panel. close: null if the thing is not open, or if this person may not close it. */
  setCloser(thing: HTMLElement | null, close: (() => void) | null): void;
  /** Closes the topmost thing: of the things in sight, the one that opened last. Returns false if nothing is open. */
  leave(): boolean;
  isOpen(name: string): boolean;
  /** Whether the panel is open, or will open once it is loaded and this person may open it. */
  isWanted(name: string): boolean;
  /** Loads the presenters' panels, for a person who has a presenter key. */
  prepare(): void;
  /** Lays an element along the lower edge of the flock, which ends above it. null: no element. close: closes it; null: this person may
   * not close it. */
  lay(element: HTMLElement | null, close: (() => void) | null): void;
  /** CSS pixels of the window that panels cover. */
  covers(): Covered;
}

export interface DockOptions {
  model: Pick<Model, 'role' | 'room' | 'status' | 'subscribe'>;
  keys: Pick<Keys, 'on' | 'addRow'>;
  settings: Pick<Settings, 'keepOpen'>;
  load: Load;
  /** Called when a panel is in the page and needs the model's changes from now on. */
  onMounted(panel: Panel): void;
  /** Called after the part of the window that panels cover has changed. */
  onLayout(): void;
}

interface Docked {
  place: Place;
  part: Part | (() => Promise<Part>);
  panel: Panel | null;
  element: HTMLElement | null; // null: the panel is not loaded, or its place is 'page'
  opener: HTMLElement | null;
  wanted: boolean;
  set: boolean; // whether a fold is open, as far as the page knows
  loading: boolean;
}

const BESIDE = 'controls'; // the id of an element; the HTML of loaded panels is inserted after it

export function createDock({ model, keys, settings, load, onMounted, onLayout }: DockOptions): Dock {
  const root = document.documentElement;
  const all = new Map<string, Docked>();
  const closers = new Map<HTMLElement, () => void>(); // of the things that are open, in the order in which they opened
  let laid: HTMLElement | null = null;
  const resized = new ResizeObserver(layOut);

  function find(name: string): Docked {
    const found = all.get(name);
    if (found === undefined) throw new Error(`there is no panel ${name}`);
    return found;
  }

  function mayOpen({ place: { who, needs } }: Docked): boolean {
    const room = model.room();
    const offered = { room: room !== null, leaders: hasLeaders(room), pen: room?.pen != null, drawing: mayDraw(room, model.role()) };
    return (needs === undefined || offered[needs]) && (who !== 'presenter' || model.role() === 'presenter');
  }

  function isOpen({ place: { stand }, element }: Docked): boolean {
    if (element === null) return false;
    return stand === 'dialog' || stand === 'fold' ? (element as HTMLDialogElement | HTMLDetailsElement).open : !element.hidden;
  }

  /** Opens or closes the panel's element. */
  function set(each: Docked, open: boolean): void {
    const { element, place } = each;
    if (element === null || open === isOpen(each)) return;
    if (place.stand === 'fold') {
      each.set = open;
      (element as HTMLDetailsElement).open = open; // the browser then fires `toggle`
      return track(each, open); // the next key may come before that
    }
    if (place.stand !== 'dialog') element.hidden = !open;
    else if (open) (element as HTMLDialogElement).showModal();
    else (element as HTMLDialogElement).close(); // the browser then fires `close`
    if (open) closeOthers(each);
    if (open || place.stand !== 'dialog') announce(each, open);
  }

  /** Opens the panel if it is wanted and this person may open it; loads it first if necessary. Closes other panels. */
  function update(each: Docked): void {
    const { place, opener, panel, wanted } = each;
    if (opener !== null && (place.who !== undefined || place.needs === 'drawing')) opener.hidden = !mayOpen(each);
    const open = wanted && mayOpen(each);
    if (open && panel === null) void loadPanel(each);
    if (place.stand !== 'dialog' && place.stand !== 'fold') return set(each, open);
    // The browser also closes dialogs and folds, so after opening only the element knows whether it is open.
    if (!open || panel === null) return;
    each.wanted = false;
    set(each, true);
  }

  function announce(each: Docked, open: boolean): void {
    const { place: { stand }, opener, panel } = each;
    track(each, open);
    if (stand === 'side') opener?.setAttribute('aria-expanded', String(open));
    if (stand === 'whole') opener?.setAttribute('aria-pressed', String(open));
    panel?.opened?.(open);
    if (stand !== 'side' && stand !== 'sheet') return;
    layOut();
  }

  const track = (each: Docked, open: boolean): void => setCloser(each.element, open ? () => toggle(each, false) : null);

  function setCloser(thing: HTMLElement | null, close: (() => void) | null): void {
    if (thing === null) return;
    if (close === null) closers.delete(thing);
    else closers.set(thing, close);
  }

  /** Closes the other dialogs when a dialog opens, the panel at the same place when a side panel opens, and the folds that a fold
   * covers. */
  function closeOthers(each: Docked): void {
    const { stand } = each.place;
    const meets = { dialog: () => true, side: isAtPlaceOf, fold: covers }[stand as string];
    for (const other of all.values()) if (other.place.stand === stand && other !== each && meets?.(each, other)) setWanted(other, false);
  }

  /** Whether the panel lies along the lower edge of the window. */
  const isBelow = ({ element }: Docked): boolean => (element?.offsetTop ?? 0) > 0;

  const isAtPlaceOf = (one: Docked, two: Docked): boolean => isBelow(one) === isBelow(two);

  /** Whether two open folds lie over each other: both begin near the top of the window. */
  function covers(one: Docked, two: Docked): boolean {
    if (one.element === null || two.element === null || !isOpen(two)) return false;
    const [a, b] = [one.element, two.element].map((element) => element.getBoundingClientRect());
    return a.left < b.right && b.left < a.right;
  }

  function remember({ place: { id, name, kept } }: Docked, open: boolean): void {
    if (kept !== undefined) settings.keepOpen(id ?? name, kept, open);
  }

  /** Opens or closes a panel, and remembers that. */
  function setWanted(each: Docked, open: boolean): void {
    each.wanted = open;
    remember(each, open);
    if (open) update(each);
    else set(each, false);
  }

  async function loadPanel(each: Docked): Promise<void> {
    const { opener, part } = each;
    if (each.panel !== null || each.loading || typeof part !== 'function') return;
    each.loading = true;
    opener?.setAttribute('aria-busy', 'true');
    const loaded = await load(async () => {
      const found = await part();
      if (found.sheet !== undefined) await loadSheet(found.sheet, import.meta.url);
      return found;
    });
    each.loading = false;
    opener?.removeAttribute('aria-busy');
    mount(each, loaded);
  }

  function mount(each: Docked, { html, texts: own, mount: make }: Part): void {
    const { id, name, stand } = each.place;
    if (html !== undefined) insert(html, own?.());
    each.panel = make();
    onMounted(each.panel);
    if (stand === 'page') return;
    const element = byId(id ?? name, HTMLElement);
    each.element = element;
    if (stand === 'dialog') {
      // A click beside the dialog closes it.
      element.addEventListener('click', ({ target }) => target === element && setWanted(each, false));
      element.addEventListener('close', () => announce(each, false));
    }
    if (stand === 'fold') {
      element.addEventListener('toggle', () => {
        if (isOpen(each) !== each.set) remember(each, isOpen(each)); // by a click on its title
        each.set = isOpen(each);
        if (each.set) closeOthers(each);
        announce(each, isOpen(each));
      });
    }
    update(each);
  }

  /** Adds a panel's HTML to the page. It is inert if the page is, as behind a notice that covers the page. */
  function insert(html: string, own?: object): void {
    const before = byId(BESIDE, HTMLElement);
    const made = make('div', {});
    made.innerHTML = html;
    fillTexts(made, own);
    const parts = [...made.children] as HTMLElement[];
    for (const part of parts) part.inert = before.inert;
    before.after(...parts);
  }

  function toggle(each: Docked, open = !isOpen(each)): void {
    if (!mayOpen(each)) return;
    if (each.panel === null) {
      load.hurry();
      return setWanted(each, true);
    }
    const { element, opener, place: { stand } } = each;
    const focused = element?.contains(document.activeElement) === true;
    setWanted(each, open);
    if (stand === 'dialog') return; // the browser moves and returns the focus
    if (!open && focused) (opener ?? element.querySelector('summary'))?.focus();
    else if (open && stand === 'side') element?.focus({ preventScroll: true });
  }

  function coveredByOne(each: Docked): Covered {
    const { element, place: { stand } } = each;
    if (element === null || element.hidden) return { right: 0, bottom: 0 };
    const { offsetWidth: width, offsetHeight: height } = element; // the size after the opening animation
    const wide = width > 0.6 * innerWidth;
    if (stand === 'sheet') return { right: 0, bottom: wide ? height : 0 };
    return wide || isBelow(each) ? { right: 0, bottom: height } : { right: width, bottom: 0 };
  }

  const coveredBy = (stand: Stand): Covered =>
    [...all.values()]
      .filter(({ place }) => place.stand === stand)
      .map(coveredByOne)
      .reduce((a, b) => ({ right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) }), { right: 0, bottom: 0 });

  function publishCovered(): void {
    const { right, bottom } = coveredBy('side');
    root.style.setProperty('--covered-right', `${right}px`);
    root.style.setProperty('--side-bottom', `${bottom}px`);
    root.style.setProperty('--covered-bottom', `${bottom + laidHeight()}px`);
  }

  const laidHeight = (): number => laid?.offsetHeight ?? 0;

  function layOut(): void {
    publishCovered();
    onLayout();
  }

  function updateAll(): void {
    for (const each of all.values()) {
      if (each.place.who === 'presenter' && mayOpen(each)) void loadPanel(each);
      if (each.place.who !== undefined || each.place.needs !== undefined) update(each);
    }
  }

  /** Makes a button for a panel without a button in index.html. The button shows the letter of the panel's key. */
  function makeOpener(key: OwnKey): HTMLElement {
    const text = key.text[texts.language as Language];
    const opener = make('button', { title: text, 'aria-label': text }, key.key.toUpperCase());
    byId(BESIDE, HTMLElement).prepend(opener);
    return opener;
  }

  model.subscribe({
    role: updateAll,
    room: updateAll,
    status({ kind }) {
      if (kind !== 'closed') return;
      for (const each of all.values()) if (each.place.stand === 'dialog') setWanted(each, false);
    },
  });
  addEventListener('resize', publishCovered);

  return {
    add(place, open, part) {
      if (all.has(place.name)) throw new Error(`two panels are called ${place.name}`);
      const { name, key, opener: id } = place;
      const own = typeof key === 'object' ? key : null;
      const opener = id !== undefined ? byId(id, HTMLElement) : own !== null ? makeOpener(own) : null;
      const each: Docked = { place, part, panel: null, element: null, opener, wanted: open, set: false, loading: false };
      all.set(name, each);
      opener?.addEventListener('click', () => toggle(each));
      if (typeof key === 'string') keys.on({ [key]: () => toggle(each) });
      if (own !== null) keys.addRow({ key: own.key, action: name, who: place.who ?? 'everyone', text: own.text }, () => toggle(each));
      if (typeof part === 'function') update(each);
      else mount(each, part);
    },
    toggle: (name) => toggle(find(name)),
    open: (name) => setWanted(find(name), true),
    close: (name) => setWanted(find(name), false),
    show(name, open) {
      const each = find(name);
      each.wanted = open;
      update(each);
    },
    leave() {
      const topmost = [...closers].filter(([thing]) => thing.getClientRects().length > 0).pop();
      topmost?.[1]();
      return topmost !== undefined;
    },
    setCloser,
    isOpen: (name) => isOpen(find(name)),
    isWanted: (name) => find(name).wanted || isOpen(find(name)),
    prepare() {
      for (const each of all.values()) if (each.place.who === 'presenter') void loadPanel(each);
    },
    lay(element, close) {
      setCloser(element ?? laid, close);
      if (element === laid) return;
      resized.disconnect();
      laid = element;
      if (element === null) layOut();
      else resized.observe(element);
    },
    covers() {
      const [side, sheet] = [coveredBy('side'), coveredBy('sheet')];
      return { right: side.right, bottom: Math.max(side.bottom + laidHeight(), sheet.bottom) };
    },
  };
}
