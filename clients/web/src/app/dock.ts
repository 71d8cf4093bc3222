// Where the panels stand, and what opens and closes them. A panel's row says where; the dock does the rest: it loads the panel
// when it first opens, remembers what is open, closes what cannot be open at the same time, and returns the focus.

import type { Covered } from '../draw/camera';
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
 * page: at its place in the page, always;
 * dialog: before everything else, one at a time; Escape or a click beside it closes it;
 * fold: a <details> at its place, which folds into its title;
 * side: beside the flock, on a phone below it, one at a time;
 * sheet: below the flock, until the person has answered;
 * whole: the whole window, in place of the other panels. */
export type Stand = 'page' | 'dialog' | 'fold' | 'side' | 'sheet' | 'whole';

/** A key that only this panel has, and its text in the help. */
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
  needs?: 'room'; // it opens once the room is known
  kept?: Kept; // whether it is open is remembered there; missing: nowhere
}

/** A panel as it comes: its HTML, its style sheet, and the function that makes it. */
export interface Part {
  html?: string;
  sheet?: string; // the address of its style sheet, relative to the scripts
  mount(): Panel;
}

export interface Panel extends View {
  /** It was opened or closed. */
  opened?(open: boolean): void;
}

export interface Dock {
  /** Adds a panel. open: whether it is open at first. part: a function loads it when the panel first opens, or when a person
   * begins to present. */
  add(place: Place, open: boolean, part: Part | (() => Promise<Part>)): void;
  /** Opens or closes a panel as the person wants: it is remembered, and takes the focus or returns it. */
  toggle(name: string): void;
  open(name: string): void;
  close(name: string): void;
  /** Opens or closes it for a while: that is not remembered, and the focus stays. */
  show(name: string, open: boolean): void;
  /** Closes the panel beside the flock that the element is in. Returns false if it is in none. */
  leave(target: EventTarget | null): boolean;
  isOpen(name: string): boolean;
  /** Whether it is open, or will be once it is loaded and this person may open it. */
  isWanted(name: string): boolean;
  /** Loads what presenters have, for a person who is about to be one. */
  prepare(): void;
  /** CSS pixels of the window that panels cover. */
  covers(): Covered;
}

export interface DockOptions {
  model: Pick<Model, 'role' | 'room' | 'status' | 'subscribe'>;
  keys: Pick<Keys, 'on' | 'addRow'>;
  settings: Pick<Settings, 'keepOpen'>;
  load: Load;
  say(text: string): void;
  /** A panel is in the page: it is to hear of the model from now on. */
  onMounted(panel: Panel): void;
  /** Panels cover another part of the window now. */
  onLayout(): void;
}

interface Docked {
  place: Place;
  part: Part | (() => Promise<Part>);
  panel: Panel | null;
  element: HTMLElement | null; // null: not loaded, or it stands in the page
  opener: HTMLElement | null;
  wanted: boolean;
  loading: boolean;
}

const BESIDE = 'controls'; // the id of the element after which panels stand that bring their HTML

export function createDock({ model, keys, settings, load, say, onMounted, onLayout }: DockOptions): Dock {
  const root = document.documentElement;
  const all = new Map<string, Docked>();

  function find(name: string): Docked {
    const found = all.get(name);
    if (found === undefined) throw new Error(`there is no panel ${name}`);
    return found;
  }

  const may = ({ place: { who, needs } }: Docked): boolean =>
    (who !== 'presenter' || model.role() === 'presenter') && (needs !== 'room' || model.room() !== null);

  function isOpen({ place: { stand }, element }: Docked): boolean {
    if (element === null) return false;
    return stand === 'dialog' || stand === 'fold' ? (element as HTMLDialogElement | HTMLDetailsElement).open : !element.hidden;
  }

  /** Opens or closes the panel's element, if that is a change. */
  function set(each: Docked, open: boolean): void {
    const { element, place } = each;
    if (element === null || open === isOpen(each)) return;
    if (place.stand === 'fold') {
      (element as HTMLDetailsElement).open = open; // and its event `toggle` follows
      return;
    }
    if (place.stand !== 'dialog') element.hidden = !open;
    else if (open) (element as HTMLDialogElement).showModal();
    else (element as HTMLDialogElement).close(); // and its event `close` follows
    if (open) closeOthers(each);
    if (open || place.stand !== 'dialog') announce(each, open);
  }

  /** Puts a panel in order: it is open if it is wanted and this person may open it. */
  function settle(each: Docked): void {
    const { place, opener, panel, wanted } = each;
    if (opener !== null && place.who !== undefined) opener.hidden = !may(each);
    const open = wanted && may(each);
    if (open && panel === null) void bring(each);
    if (place.stand !== 'dialog' && place.stand !== 'fold') return set(each, open);
    // A person closes these in the browser's ways, too: once open, their element alone knows.
    if (!open || panel === null) return;
    each.wanted = false;
    set(each, true);
  }

  function announce({ place: { stand }, opener, panel }: Docked, open: boolean): void {
    if (stand === 'side') opener?.setAttribute('aria-expanded', String(open));
    if (stand === 'whole') opener?.setAttribute('aria-pressed', String(open));
    panel?.opened?.(open);
    if (stand !== 'side' && stand !== 'sheet') return;
    measure();
    onLayout();
  }

  /** Two dialogs, or two panels beside the flock, are not open at the same time. */
  function closeOthers({ place: { stand, name } }: Docked): void {
    if (stand !== 'dialog' && stand !== 'side') return;
    for (const other of all.values()) if (other.place.stand === stand && other.place.name !== name) want(other, false);
  }

  function keep({ place: { id, name, kept } }: Docked, open: boolean): void {
    if (kept !== undefined) settings.keepOpen(id ?? name, kept, open);
  }

  /** As the person wants it: it is remembered. */
  function want(each: Docked, open: boolean): void {
    each.wanted = open;
    if (each.place.stand !== 'fold') keep(each, open);
    if (open) settle(each);
    else set(each, false);
  }

  async function bring(each: Docked): Promise<void> {
    const { place, opener, part } = each;
    if (each.panel !== null || each.loading || typeof part !== 'function') return;
    each.loading = true;
    opener?.setAttribute('aria-busy', 'true');
    const failed = place.who === 'presenter' ? () => say(texts.view.notLoaded) : undefined;
    const loaded = await load(async () => {
      const found = await part();
      if (found.sheet !== undefined) await loadSheet(found.sheet, import.meta.url);
      return found;
    }, failed);
    each.loading = false;
    opener?.removeAttribute('aria-busy');
    mount(each, loaded);
  }

  function mount(each: Docked, { html, mount: make }: Part): void {
    const { id, name, stand } = each.place;
    if (html !== undefined) insert(html);
    each.panel = make();
    onMounted(each.panel);
    if (stand === 'page') return;
    const element = byId(id ?? name, HTMLElement);
    each.element = element;
    if (stand === 'dialog') {
      // A click beside the dialog closes it.
      element.addEventListener('click', ({ target }) => target === element && want(each, false));
      element.addEventListener('close', () => announce(each, false));
    }
    if (stand === 'fold') {
      element.addEventListener('toggle', () => {
        keep(each, isOpen(each));
        announce(each, isOpen(each));
      });
    }
    settle(each);
  }

  /** Behind a notice that covers the page, a new part is as inert as the others. */
  function insert(html: string): void {
    const before = byId(BESIDE, HTMLElement);
    const made = make('div', {});
    made.innerHTML = html;
    fillTexts(made);
    const parts = [...made.children] as HTMLElement[];
    for (const part of parts) part.inert = before.inert;
    before.after(...parts);
  }

  function toggle(each: Docked, open = !isOpen(each)): void {
    if (!may(each)) return;
    if (each.panel === null) {
      load.hurry();
      return want(each, true);
    }
    const focused = each.element?.contains(document.activeElement) === true;
    want(each, open);
    if (each.place.stand !== 'side') return; // dialogs take and return the focus by themselves
    if (open) each.element?.focus({ preventScroll: true });
    else if (focused) each.opener?.focus();
  }

  function covered({ element, place: { stand } }: Docked): Covered {
    if (element === null || element.hidden) return { right: 0, bottom: 0 };
    const { offsetWidth: width, offsetHeight: height } = element; // where it will be, when it has come in
    if (stand === 'sheet') return { right: 0, bottom: height };
    return width > 0.6 * innerWidth ? { right: 0, bottom: height } : { right: width, bottom: 0 };
  }

  const coveredBy = (stand: Stand): Covered =>
    [...all.values()]
      .filter(({ place }) => place.stand === stand)
      .map(covered)
      .reduce((a, b) => ({ right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) }), { right: 0, bottom: 0 });

  function measure(): void {
    const { right, bottom } = coveredBy('side');
    root.style.setProperty('--covered-right', `${right}px`);
    root.style.setProperty('--covered-bottom', `${bottom}px`);
  }

  function settleAll(): void {
    for (const each of all.values()) {
      if (each.place.who === 'presenter' && may(each)) void bring(each);
      if (each.place.who !== undefined || each.place.needs !== undefined) settle(each);
    }
  }

  /** A button for a panel that has none in the page: its key's letter, and its text. */
  function makeOpener(key: OwnKey): HTMLElement {
    const text = key.text[texts.language as Language];
    const opener = make('button', { title: text, 'aria-label': text }, key.key.toUpperCase());
    byId(BESIDE, HTMLElement).prepend(opener);
    return opener;
  }

  model.subscribe({
    role: settleAll,
    room: settleAll,
    status({ kind }) {
      if (kind !== 'closed') return;
      for (const each of all.values()) if (each.place.stand === 'dialog') want(each, false);
    },
  });
  addEventListener('resize', measure);

  return {
    add(place, open, part) {
      if (all.has(place.name)) throw new Error(`two panels are called ${place.name}`);
      const { name, key, opener: id } = place;
      const own = typeof key === 'object' ? key : null;
      const opener = id !== undefined ? byId(id, HTMLElement) : own !== null ? makeOpener(own) : null;
      const each: Docked = { place, part, panel: null, element: null, opener, wanted: open, loading: false };
      all.set(name, each);
      opener?.addEventListener('click', () => toggle(each));
      if (typeof key === 'string') keys.on({ [key]: () => toggle(each) });
      if (own !== null) keys.addRow({ key: own.key, action: name, who: place.who ?? 'everyone', text: own.text }, () => toggle(each));
      if (typeof part === 'function') settle(each);
      else mount(each, part);
    },
    toggle: (name) => toggle(find(name)),
    open: (name) => want(find(name), true),
    close: (name) => want(find(name), false),
    show(name, open) {
      const each = find(name);
      each.wanted = open;
      settle(each);
    },
    leave(target) {
      const left = [...all.values()].find(({ place, element }) => place.stand === 'side' && element?.contains(target as Node | null) === true);
      if (left !== undefined) toggle(left, false);
      return left !== undefined;
    },
    isOpen: (name) => isOpen(find(name)),
    isWanted: (name) => find(name).wanted || isOpen(find(name)),
    prepare() {
      for (const each of all.values()) if (each.place.who === 'presenter') void bring(each);
    },
    covers() {
      const [side, sheet] = [coveredBy('side'), coveredBy('sheet')];
      return { right: side.right, bottom: Math.max(side.bottom, sheet.bottom) };
    },
  };
}
