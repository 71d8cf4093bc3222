// Mutants that no test can notice, each with a reason: explained.json. An entry names the source lines with and without the
// mutant, not their numbers, so that it stays true when lines move.
import { readFileSync } from 'node:fs';

/** nth: of several such lines in the file; 1 if it is absent.
 * @typedef {{ file: string, line: string, mutant: string, nth?: number, why: string }} Explanation */

const inOne = (text) => text.trim().replace(/\s+/g, ' ');

/** The lines of the site in one, without and with the mutant. */
export function linesOf(source, { start, end, text }) {
  const begin = source.lastIndexOf('\n', start - 1) + 1;
  const next = source.indexOf('\n', end);
  const stop = next < 0 ? source.length : next;
  return { line: inOne(source.slice(begin, stop)), mutant: inOne(source.slice(begin, start) + text + source.slice(end, stop)) };
}

/** @type {Explanation[]} */
const explained = JSON.parse(readFileSync(new URL('explained.json', import.meta.url), 'utf8'));

/** @returns {Explanation | undefined} */
export const explanationOf = (site) =>
  explained.find(({ file, line, mutant, nth = 1 }) => file === site.file && line === site.line1 && mutant === site.mutant && nth === site.nth);

/** The explanations of no site among these files. */
export const staleAmong = (files, sites) => explained.filter((entry) => files.includes(entry.file) && !sites.some((site) => explanationOf(site) === entry));
