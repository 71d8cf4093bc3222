// The settings in the page's address, and the settings that the browser keeps between visits.

import type { TokenStore } from '../net/connection';
import type { KeyStore } from '../flock/presenter';
import { cleanName } from '../flock/names';
import { ROOT, roomAddress, roomOfPath } from '../net/codes';
import { TOKEN_SIZE } from '../net/protocol';
import { ALL_COLORINGS, type Choice, SHAPES } from '../draw/look';
import { keepRoom, keepTitle, keyOf } from './mine';
import { read, write } from './storage';

export interface Settings {
  room: string; // its code, from the address; empty: the address names none that can be
  encodings: readonly string[]; // of snapshots, the best first
  renderer: string; // '2d' or 'webgl2' when that one is asked for
  name(): string;
  keepName(name: string): void;
  look(): Choice;
  keepLook(look: Choice): void;
  /** Whether a panel was open when the person last opened or closed it. null: the person never did, as far as the browser knows. */
  wasOpen(id: string, kept: Kept): boolean | null;
  keepOpen(id: string, kept: Kept, open: boolean): void;
  centroidShown(): boolean;
  keepCentroidShown(shown: boolean): void;
  inWords(): boolean; // whether the flock is described
  keepInWords(is: boolean): void;
  shortcuts(): boolean; // whether letters are keys of the page
  keepShortcuts(on: boolean): void;
  tokens: TokenStore;
  /** Keeps the token of this person for the next tab: the server refuses a removed person, and lets one come back who has closed the tab. */
  keepToken(): void;
  keys: KeyStore; // the presenter key, which other tabs and the start page find, too
  keepTitle(title: string): void; // of the room, if its key is kept
  joinKeys: KeyStore; // the room's join key
  url: string; // of the WebSocket
}

/** The place that remembers that a panel is open: in the browser, where panels are open at first; in the tab; or as the view in the
 * address. */
export type Kept = 'browser' | 'tab' | 'address';

/** The name under which the browser stores the presenter key of the room with that address. */
const keyName = (page: string): string => `flock.key ${page}`;

/** Keeps the presenter key of another room, for its page. page: the address of a room's page. */
export function keepKeyOf(code: string, key: string, page: string): void {
  write(() => sessionStorage, keyName(roomAddress(code, page)), key);
  keepRoom(roomAddress(code, page), key);
}

export function loadSettings(): Settings {
  const query = new URLSearchParams(location.search);
  const room = roomOfPath(location.pathname);
  const given = cleanName(query.get('name') ?? '');
  const page = roomAddress(room, location.href); // servers below different prefixes share what a browser keeps
  const tokenKey = `flock.token ${page}`;
  const presenterKey = keyName(page);
  const leftKey = `flock.left ${page}`;
  const joinKey = `flock.join ${page}`;
  const keepToken = (): void => write(() => localStorage, leftKey, read(() => sessionStorage, tokenKey));
  addEventListener('pagehide', keepToken);
  return {
    room,
    encodings: query.get('encoding') === 'plain' ? ['plain'] : ['packed', 'plain'],
    renderer: query.get('renderer') ?? '',
    name: () => given || cleanName(read(() => localStorage, 'flock.name')),
    keepName(name) {
      write(() => localStorage, 'flock.name', name);
      // The name in the address was the one to come with: after a reload it is this one.
      const next = new URL(location.href);
      if (!next.searchParams.has('name')) return;
      next.searchParams.delete('name');
      history.replaceState(history.state, '', next);
    },
    look: () => ({
      shape: SHAPES.find((each) => each === read(() => localStorage, 'flock.look')) ?? null,
      coloring: ALL_COLORINGS.find((each) => each === read(() => localStorage, 'flock.coloring')) ?? null,
    }),
    keepLook({ shape, coloring }) {
      write(() => localStorage, 'flock.look', shape ?? '');
      write(() => localStorage, 'flock.coloring', coloring ?? '');
    },
    wasOpen(id, kept) {
      if (kept === 'browser') return { shown: true, hidden: false }[read(() => localStorage, `flock.${id}`)] ?? null;
      return kept === 'tab' ? read(() => sessionStorage, `flock.${id}`) === 'open' : query.get('view') === id;
    },
    keepOpen(id, kept, open) {
      if (kept === 'browser') keepShown(id, open);
      if (kept === 'tab') write(() => sessionStorage, `flock.${id}`, open ? 'open' : '');
      if (kept !== 'address') return;
      const next = new URL(location.href);
      if (open) next.searchParams.set('view', id);
      else next.searchParams.delete('view');
      history.replaceState(history.state, '', next);
    },
    centroidShown: () => shown('centroid'),
    keepCentroidShown: (is) => keepShown('centroid', is),
    inWords: () => read(() => localStorage, 'flock.words') === 'shown',
    keepInWords: (is) => keepShown('words', is),
    shortcuts: () => shown('shortcuts'),
    keepShortcuts: (on) => keepShown('shortcuts', on),
    tokens: {
      load: () => fromHex(read(() => sessionStorage, tokenKey) || read(() => localStorage, leftKey)),
      save(token) {
        write(() => sessionStorage, tokenKey, token === null ? '' : toHex(token));
        if (token !== null) write(() => localStorage, leftKey, '');
      },
    },
    keepToken,
    keys: {
      load: () => keyOf(page) || read(() => sessionStorage, presenterKey), // another tab may have got a new key
      save(key) {
        write(() => sessionStorage, presenterKey, key);
        keepRoom(page, key);
      },
    },
    keepTitle: (title) => keepTitle(page, title),
    joinKeys: {
      load: () => read(() => sessionStorage, joinKey) || read(() => localStorage, joinKey),
      save(key) {
        write(() => sessionStorage, joinKey, key);
        if (keyOf(page) !== '') write(() => localStorage, joinKey, key); // an owner gives it to others
      },
    },
    url: socketUrl(location.href, room),
  };
}

/** The WebSocket of the server that a room's page came from. The room is a hint for proxies, which may send it to the room's node. */
export function socketUrl(page: string, room: string): string {
  const url = new URL(`${ROOT}ws?room=${room}`, page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The token of that text, or null when it is none. */
export function fromHex(text: string): Uint8Array | null {
  if (text.length !== 2 * TOKEN_SIZE || !/^[0-9a-f]*$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

const shown = (what: string): boolean => read(() => localStorage, `flock.${what}`) !== 'hidden';
const keepShown = (what: string, is: boolean): void =>
  write(() => localStorage, `flock.${what}`, is ? 'shown' : 'hidden');
