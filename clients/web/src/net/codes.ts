// Codes and addresses of rooms.

export const LOBBY = 'lobby';
export const INVITE = 'invite'; // in the fragment of a room's address: the page opens the invitation

const CODE = /^[2346789FKLMRWXY]{6}$/; // characters that neither look nor sound alike

/** Returns the canonical form of a typed code or a room's address: upper case without separators, or `lobby`. Returns '' if the
 * text cannot be a code. */
export function roomCode(text: string): string {
  const last = text
    .normalize('NFKC') // an input method types letters of full width
    .trim()
    .replace(/^.*\/r\//, '')
    .replace(/[/?#].*$/, '');
  const code = last.replace(/[\s-]/g, '').toUpperCase();
  if (code === LOBBY.toUpperCase()) return LOBBY;
  return /^[A-Z0-9]{1,32}$/.test(code) ? code : '';
}

/** Whether the code has the form of a room's code. */
export const isCode = (code: string): boolean => code === LOBBY || CODE.test(code);

/** Formats a canonical code for people: FK7 2MX. */
export const spacedCode = (code: string): string => (CODE.test(code) ? `${code.slice(0, 3)} ${code.slice(3)}` : code);

// A room's page is at r/CODE below the server's root, which is the start page. A reverse proxy may put a prefix before the
// root, so the pages use relative paths.

/** The relative path from a room's page to the server's root. */
export const ROOT = '../';

/** The relative path from the server's root to a room's page. */
export const roomPath = (code: string): string => `r/${code}`;

/** Returns the address of a room's page, without query and fragment. page: the address of any room's page. */
export const roomAddress = (code: string, page: string): string => new URL(ROOT + roomPath(code), page).href;

const BESIDE = 'beside'; // in the query of a room's address: the code of another room to show beside it

/** Returns the address that shows two rooms beside each other. page: the address of any room's page. */
export function besideAddress(code: string, other: string, page: string): string {
  const address = new URL(roomAddress(code, page));
  address.searchParams.set(BESIDE, other);
  return address.href;
}

/** Returns the codes of the two rooms of an address, or null if it names one room. */
export function besideIn({ pathname, search }: Pick<URL, 'pathname' | 'search'>): [string, string] | null {
  const [code, other] = [roomOfPath(pathname), roomCode(new URLSearchParams(search).get(BESIDE) ?? '')];
  return code === '' || other === '' || code === other ? null : [code, other];
}

/** Returns the code in the path of a room's page, or '' if there is none. */
export function roomOfPath(path: string): string {
  try {
    return roomCode(decodeURIComponent(path.replace(/^.*\//, '')));
  } catch {
    return '';
  }
}
