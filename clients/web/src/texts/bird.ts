// A name for a person who gave none.

const LEAST = 10; // the number behind a bird has two digits, so that few people share a name

/** Returns one of the names and a number. */
export const bird = (names: readonly string[]): string =>
  `${names[Math.floor(Math.random() * names.length)]}-${LEAST + Math.floor(Math.random() * 90)}`;
