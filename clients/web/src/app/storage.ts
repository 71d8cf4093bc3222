// What a browser keeps between visits, by name. One that keeps nothing (private windows, blocked storage) costs the memory only.
// Even naming the storage throws where it is blocked: hence the functions.

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
