// Clean-up at the end of a test, in reverse order. Node's own hooks run in the order of their creation, which would stop a server
// before the page that talks to it is closed.
/** @type {WeakMap<object, (() => unknown)[]>} */
const pending = new WeakMap();

// Calls undo when test t has ended. undo may be async, and may throw to fail the test. A failing undo does not keep the others
// from being called.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {() => unknown} undo
 */
export function atEnd(t, undo) {
  const known = pending.get(t);
  if (known !== undefined) {
    known.push(undo);
  } else {
    const all = [undo];
    pending.set(t, all);
    t.after(async () => {
      const failures = [];
      for (const each of all.reverse()) {
        try {
          await each();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) {
        throw failures[0];
      }
    });
  }
}
