// What a test must undo, undone in reverse order: Node's own hooks run in the order in which they were made, which
// would stop a server before the page that talks to it is closed.
const pending = new WeakMap();

// Calls undo, which may be async and may throw to fail the test, when test t has ended. All are called, whatever
// the others do.
export function atEnd(t, undo) {
  if (!pending.has(t)) {
    pending.set(t, []);
    t.after(async () => {
      const failures = [];
      for (const each of pending.get(t).reverse()) {
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
  pending.get(t).push(undo);
}
