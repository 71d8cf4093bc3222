// Waiting for an event, with a deadline: the only way in which the tests wait.

// Deadlines are long: they end a failed test, and measure nothing.
const DEADLINE = 120_000;
const PAUSE = 20; // ms

// Resolves to the first truthy value that probe returns or resolves to; `pause` ms pass between two calls. Rejects at the deadline,
// with `what` and the result of detail() in its message.
/**
 * @template T
 * @param {string} what
 * @param {() => T} probe
 * @param {() => unknown} detail
 * @param {number} deadline ms
 * @param {number} pause ms
 * @returns {Promise<import('./types.d.ts').Truthy<Awaited<T>>>}
 */
export async function until(what, probe, detail = () => '', deadline = DEADLINE, pause = PAUSE) {
  const end = Date.now() + deadline;
  for (;;) {
    const value = await probe();
    if (value) {
      return /** @type {import('./types.d.ts').Truthy<Awaited<T>>} */ (value);
    }
    if (Date.now() > end) {
      throw new Error(`not within ${deadline / 1000} s: ${what}\n${await detail()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
