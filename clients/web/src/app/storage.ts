// Values that a browser keeps between visits, by name. A browser that keeps nothing (a private window, blocked storage) only forgets
// them. Even naming blocked storage throws: hence the functions.

export function read(storage: () => Storage, key: string): string {
  try {
    return storage().getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** An empty value is forgotten. */
export function write(storage: () => Storage, key: string, value: string): void {
  try {
    if (value === '') storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // Not remembered, then.
  }
}
