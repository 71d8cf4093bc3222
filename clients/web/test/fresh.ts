// Page tests share a process, so a hook of node:test would run for the tests of other files, too.
import { type TestContext, test } from 'node:test';

/** Returns test(), which first calls setUp for each test. */
export const testsAfter =
  (setUp: () => void) =>
  (name: string, run: (t: TestContext) => unknown): void =>
    void test(name, (t) => {
      setUp();
      return run(t);
    });
