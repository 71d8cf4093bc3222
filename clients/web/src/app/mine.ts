// The rooms whose presenter key this browser keeps, by the address of their page: servers below different prefixes share what a
// browser keeps. The start page lists them.

import { KEY } from '../flock/presenter';
import { read, write } from './storage';

const PREFIX = 'flock.mine ';

export interface MyRoom {
  page: string; // the address of the room's page
  title: string; // as this browser last saw it; may be empty
  key: string;
  at: number; // ms since 1970: when this browser was last in the room
}

const local = (): Storage => localStorage;

function kept(page: string): MyRoom | null {
  try {
    const { title, key, at } = JSON.parse(read(local, PREFIX + page)) as Partial<MyRoom>;
    return KEY.test(key ?? '') ? { page, title: String(title), key: String(key), at: Number(at) } : null;
  } catch {
    return null;
  }
}

export const keyOf = (page: string): string => kept(page)?.key ?? '';

export function forgetRoom(page: string): void {
  write(local, PREFIX + page, '');
  write(local, `flock.join ${page}`, '');
}

/** Keeps a room's key; '' forgets the room. */
export function keepRoom(page: string, key: string, title = kept(page)?.title ?? ''): void {
  if (key === '') forgetRoom(page);
  else write(local, PREFIX + page, JSON.stringify({ title, key, at: Date.now() }));
}

/** Keeps the title of a room whose key is kept. */
export const keepTitle = (page: string, title: string): void => keepRoom(page, keyOf(page), title);

/** Returns the kept rooms of the server with that root, the last one that this browser was in first. */
export function myRooms(root: string): MyRoom[] {
  const rooms: MyRoom[] = [];
  try {
    for (const name of Object.keys(local())) {
      const page = name.slice(PREFIX.length);
      const room = name.startsWith(`${PREFIX}${root}r/`) ? kept(page) : null;
      if (room !== null) rooms.push(room);
    }
  } catch {
    // A browser that keeps nothing has none.
  }
  return rooms.sort((a, b) => b.at - a.at);
}

/** Whether this browser keeps anything for this site. */
export function keepsRooms(): boolean {
  write(local, 'flock.probe', 'kept');
  const keeps = read(local, 'flock.probe') === 'kept';
  write(local, 'flock.probe', '');
  return keeps;
}
