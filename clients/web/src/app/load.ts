// Loads parts of the page when they are first shown.

import { backoff } from '../net/backoff';

export interface Load {
  /** Resolves when the part is loaded; tries until then. Calls onFailed() after the first failure, and after the first failure that
   * follows a hurry(). */
  <Part>(load: () => Promise<Part>): Promise<Part>;
  /** Tries again at once to load parts that have failed. Must be called when a person asks for a part again. */
  hurry(): void;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function createLoad(onFailed: () => void, wait: (ms: number) => Promise<void> = pause): Load {
  let asked = 0; // times that a person has asked again
  let wake: (() => void)[] = [];

  function wakeAll(): void {
    const sleeping = wake;
    wake = [];
    for (const each of sleeping) each();
  }

  async function load<Part>(part: () => Promise<Part>): Promise<Part> {
    let reported = -1; // the value of `asked` at the last report
    for (let failures = 0; ; failures++) {
      try {
        return await part();
      } catch {
        if (reported !== asked) onFailed();
        reported = asked;
        await Promise.race([wait(backoff(failures)), new Promise<void>((resolve) => wake.push(resolve))]);
      }
    }
  }

  const hurry = (): void => {
    asked++;
    wakeAll();
  };
  addEventListener('online', wakeAll);
  return Object.assign(load, { hurry });
}
