// Names that people give, to themselves and to rooms, and the codes of rooms.

export const NAME_MAX = 64; // bytes of UTF-8
export const LOBBY = 'lobby';
export const INVITE = 'invite'; // in the fragment of a room's address: its page opens with the invitation

const CODE = /^[2346789FKLMRWXY]{6}$/; // no two of these look or sound alike

/** A line as the server accepts it: no control, line-separating or direction-changing characters, at most so many bytes,
 * as a name or a title. */
export function cleanName(text: string, most = NAME_MAX): string {
  const plain = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  const encoder = new TextEncoder();
  let name = '';
  let size = 0;
  for (const character of plain) {
    size += encoder.encode(character).length;
    if (size > most) break;
    name += character;
  }
  return name.trim();
}

/** The canonical form of a code as people write it: upper case without separators, or `lobby`. '' for what can be no
 * code. It accepts the address of a room, too. */
export function roomCode(text: string): string {
  const last = text
    .trim()
    .replace(/^.*\/r\//, '')
    .replace(/[/?#].*$/, '');
  const code = last.replace(/[\s-]/g, '').toUpperCase();
  if (code === LOBBY.toUpperCase()) return LOBBY;
  return /^[A-Z0-9]{1,32}$/.test(code) ? code : '';
}

/** Whether a server may have given that code to a room. */
export const isCode = (code: string): boolean => code === LOBBY || CODE.test(code);

/** A canonical code as it is shown to people: FK7 2MX. */
export const spacedCode = (code: string): string => (CODE.test(code) ? `${code.slice(0, 3)} ${code.slice(3)}` : code);

// A room's page is at r/CODE below the server's root, which is the start page. Behind a reverse proxy that root may have
// any path, so the pages find each other by relative paths.

/** The server's root, from a room's page. */
export const ROOT = '../';

/** A room's page, from the server's root. */
export const roomPath = (code: string): string => `r/${code}`;

/** The address of another room's page, or of the same one without query and fragment; page: the address of a room's page. */
export const roomAddress = (code: string, page: string): string => new URL(ROOT + roomPath(code), page).href;

const BESIDE = 'beside'; // in the query of a room's address: the code of another room, which is shown next to it

/** The address of two rooms next to each other; page: the address of a room's page. */
export function besideAddress(code: string, other: string, page: string): string {
  const address = new URL(roomAddress(code, page));
  address.searchParams.set(BESIDE, other);
  return address.href;
}

/** The codes of the two rooms that are shown at that address; null: it is one room's. */
export function besideIn({ pathname, search }: Pick<URL, 'pathname' | 'search'>): [string, string] | null {
  const [code, other] = [roomOfPath(pathname), roomCode(new URLSearchParams(search).get(BESIDE) ?? '')];
  return code === '' || other === '' || code === other ? null : [code, other];
}

/** The code of the room whose page has that path. '' when there can be none. */
export function roomOfPath(path: string): string {
  try {
    return roomCode(decodeURIComponent(path.replace(/^.*\//, '')));
  } catch {
    return '';
  }
}
