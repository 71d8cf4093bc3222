import { after } from 'node:test';

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

/** @type {(() => unknown)[]} */
const ends = [];
let several = false;

// For a program that runs several test files: endAll() calls what atLast() got. Node's own hook would run after the last test known so
// far, in the middle.
export const runSeveral = () => (several = true);
export const endAll = () => Promise.all(ends.splice(0).map((end) => end()));

// Calls `end` after the last test of this process. Outside of a test.
/** @param {() => unknown} end */
export function atLast(end) {
  if (ends.push(end) === 1 && !several) after(endAll);
}
