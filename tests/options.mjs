// The options of the scripts in this folder.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Ends the script with one line about what its user can mend.
 * @param {string} problem
 * @returns {never}
 */
export function refuse(problem) {
  console.error(`${path.relative(root, path.resolve(process.argv[1]))}: ${problem}`);
  process.exit(2);
}

/**
 * Reads the script's options. --help prints the usage and ends the script.
 * @template {import('node:util').ParseArgsConfig} T
 * @param {string} usage
 * @param {T} config
 * @returns {ReturnType<typeof parseArgs<T>>}
 */
export function readOptions(usage, config) {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    refuse(`${error.message.split(/\. /)[0]}; --help lists the options`);
  }
}

/** Returns the whole number of an option or an argument; it must be 1 or more. */
export function readNumber(name, text) {
  const shown = name === name.toUpperCase() ? name : `--${name}`;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : refuse(`${shown}: '${text}' is no number from 1 on`);
}

/**
 * Returns the parts of a script that its arguments name, or all.
 * @template T
 * @param {Record<string, T>} parts
 * @param {string[]} asked
 */
export function readParts(parts, asked) {
  const unknown = asked.find((name) => !(name in parts));
  if (unknown !== undefined) refuse(`'${unknown}' is none of ${Object.keys(parts).join(', ')}`);
  return Object.entries(parts).filter(([name]) => asked.length === 0 || asked.includes(name));
}
