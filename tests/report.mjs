// Reads JUnit reports of node:test and cmocka.
import { existsSync, readFileSync } from 'node:fs';

const TEST_CASE = /<testcase((?:\s+[\w-]+="[^"]*")*)\s*(?:\/>|>(.*?)<\/testcase>)/gs;
const NOT_ASKED_FOR = 'test name does not match pattern';

const unescaped = (text) =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('\\"', '"');

// The first lines of a failed test's text; node:test writes the error behind 'cause:'.
export const REASON_LINES = 16;
const reasonOf = (inside) => {
  const text = unescaped(inside.replace(/^\s*<(?:failure|error)\b(?:\s+[\w-]+="[^"]*")*>/, '').replace(/<!\[CDATA\[|\]\]>|<\/(?:failure|error)>/g, '')).trim();
  return text.slice(Math.max(0, text.indexOf('cause: '))).split('\n').slice(0, REASON_LINES);
};

// The tests of a JUnit report, of node:test or cmocka. None if it was not written.
export function readReport(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return [...text.matchAll(TEST_CASE)]
    .filter(([, , inside = '']) => !inside.includes(NOT_ASKED_FOR))
    .map(([, attributes, inside = '']) => ({
      name: unescaped(attributes.match(/ name="([^"]*)"/)?.[1] ?? ''),
      seconds: Number(attributes.match(/ time="([^"]*)"/)?.[1] ?? 0),
      failed: /<(failure|error)\b/.test(inside),
      reason: reasonOf(inside),
      skipped: /<skipped\b/.test(inside),
    }));
}

// Splits the tests of files that together.mjs ran: returns each with its `file`. The test that ends a file is left out if it passed.
// A file without that end, or without another test, has failed.
/**
 * @param {ReturnType<typeof readReport>} tests
 * @param {string[]} files
 */
export function separate(tests, files) {
  /** @param {string} name */
  const failure = (name) => ({ name, seconds: 0, failed: true, skipped: false });
  let first = 0;
  return files.flatMap((file) => {
    const found = tests.findIndex(({ name }, index) => index >= first && name === file);
    const end = found < 0 ? tests.length : found;
    const own = tests.slice(first, end);
    first = end + 1;
    if (found < 0) return [...own, failure('did not end')].map((test) => ({ ...test, file }));
    if (tests[end].failed) own.push(tests[end]);
    return (own.length > 0 ? own : [failure('ran no test')]).map((test) => ({ ...test, file }));
  });
}
