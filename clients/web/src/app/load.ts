// Parts of the page that are loaded when they are first shown.

import { backoff } from '../net/backoff';

/** Resolves when the part is there. Tries again until then; onFailed() is called once, after the first failure. */
export type Load = <Part>(load: () => Promise<Part>) => Promise<Part>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const createLoad =
  (onFailed: () => void, wait: (ms: number) => Promise<void> = pause): Load =>
  async (load) => {
    for (let failures = 0; ; failures++) {
      try {
        return await load();
      } catch {
        if (failures === 0) onFailed();
        await wait(backoff(failures));
      }
    }
  };
