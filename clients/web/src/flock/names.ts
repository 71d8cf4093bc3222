// Names of people, and titles of rooms.

export const NAME_MAX = 64; // bytes of UTF-8

/** Makes a name or title that the server accepts: without control, line-separating and direction-changing characters, and at
 * most NAME_MAX bytes. */
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
