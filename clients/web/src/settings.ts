// What is remembered between visits. A browser that keeps nothing (private windows, blocked storage) costs the memory only.

import type { TokenStore } from './connection';
import type { KeyStore } from './presenter';
import { TOKEN_SIZE, cleanName, validRoom } from './protocol';
import { LOOKS, type Look } from './scene';

export interface Settings {
  room: string;
  strangeRoom: boolean; // the query asks for a room of no valid name
  encodings: readonly string[]; // of snapshots, the best first
  renderer: string; // '2d' or 'webgl2' when that one is asked for
  name(): string;
  keepName(name: string): void;
  look(): Look;
  keepLook(look: Look): void;
  peopleShown(): boolean;
  keepPeopleShown(shown: boolean): void;
  measuresShown(): boolean;
  keepMeasuresShown(shown: boolean): void;
  centroidShown(): boolean;
  keepCentroidShown(shown: boolean): void;
  tokens: TokenStore;
  keys: KeyStore;
  panelOpen(): boolean;
  keepPanelOpen(open: boolean): void;
  url: string; // of the WebSocket
}

export function loadSettings(): Settings {
  const query = new URLSearchParams(location.search);
  const wanted = query.get('room') ?? 'lobby';
  const room = validRoom(wanted) ? wanted : 'lobby';
  const given = cleanName(query.get('name') ?? '');
  // Several servers may live under one origin, told apart by the path.
  const tokenKey = `flock.token ${location.pathname} ${room}`;
  const presenterKey = `flock.key ${location.pathname} ${room}`;
  return {
    room,
    strangeRoom: wanted !== room,
    encodings: query.get('encoding') === 'plain' ? ['plain'] : ['packed', 'plain'],
    renderer: query.get('renderer') ?? '',
    name: () => given || cleanName(read(() => localStorage, 'flock.name')),
    keepName: (name) => write(() => localStorage, 'flock.name', name),
    look: () => LOOKS.find((look) => look === read(() => localStorage, 'flock.look')) ?? LOOKS[0],
    keepLook: (look) => write(() => localStorage, 'flock.look', look),
    peopleShown: () => shown('people'),
    keepPeopleShown: (is) => keepShown('people', is),
    measuresShown: () => shown('measures'),
    keepMeasuresShown: (is) => keepShown('measures', is),
    centroidShown: () => shown('centroid'),
    keepCentroidShown: (is) => keepShown('centroid', is),
    tokens: {
      load: () => fromHex(read(() => sessionStorage, tokenKey)),
      save: (token) => write(() => sessionStorage, tokenKey, token === null ? '' : toHex(token)),
    },
    keys: {
      load: () => read(() => sessionStorage, presenterKey),
      save: (key) => write(() => sessionStorage, presenterKey, key),
    },
    panelOpen: () => read(() => sessionStorage, 'flock.panel') === 'open',
    keepPanelOpen: (open) => write(() => sessionStorage, 'flock.panel', open ? 'open' : ''),
    url: socketUrl(location.href),
  };
}

/** The WebSocket beside the page: with the page's host and, behind a proxy, its path's prefix. */
export function socketUrl(page: string): string {
  const url = new URL('ws', page);
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

// Even naming the storage throws where it is blocked: hence the function.
function read(storage: () => Storage, key: string): string {
  try {
    return storage().getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(storage: () => Storage, key: string, value: string): void {
  try {
    if (value === '') storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // Not remembered, then.
  }
}
