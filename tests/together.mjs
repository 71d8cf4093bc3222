// Runs test files one after another in one process. Starting Node.js and a browser and loading happy-dom or Playwright take most of the
// time of a short file. Bundles share only the modules of Node.js and happy-dom; other files share all modules. A name that a file adds to the global object
// does not exist when the next file starts.
//
//   node --test-reporter=junit --test-reporter-destination=REPORT together.mjs FILE...
//
// Without a FILE it asks its parent process for each: it sends a message, and gets the name of a file, or '' if there is no more.
//
// In the report, a test with the name of the file follows the tests of each file.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { endAll, runSeveral } from './e2e/atend.mjs';

const HOOKS = /import \{[^}]*\b(before|after)(Each)?\b[^}]*\} from ["']node:test["']/;
const initial = Object.getOwnPropertyDescriptors(globalThis);

/** @type {() => string[]} */
const resources = /** @type {any} */ (process).getActiveResourcesInfo;

// Timers that a test has left run first, as they would before the process of a single file ends.
async function endFile() {
  while (resources().includes('Timeout')) await setTimeout(10);
  for (const name of Object.keys(Object.getOwnPropertyDescriptors(globalThis))) {
    if (!(name in initial)) Reflect.deleteProperty(globalThis, name);
  }
  Object.defineProperties(globalThis, initial);
}

async function* asked() {
  for (;;) {
    process.send?.('next');
    const [file] = await once(process, 'message');
    if (file === '') return;
    yield file;
  }
}

const given = process.argv.slice(2);
runSeveral();
for await (const file of given.length > 0 ? given : asked()) {
  if (HOOKS.test(readFileSync(file, 'utf8'))) throw new Error(`${file}: a hook outside of a test would also run for the tests of other files`);
  await import(pathToFileURL(path.resolve(file)).href);
  await test(file, endFile); // a root test starts when the one before has ended
}
await endAll();
if (process.connected) process.disconnect();
