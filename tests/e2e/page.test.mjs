// The client in protocol/PROTOCOL.md, run like a reader would: cut out of the page and started with node.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { atEnd } from './atend.mjs';
import { distance, join } from './client.mjs';
import { root, startServer } from './server.mjs';
import { until } from './until.mjs';

const page = readFileSync(path.join(root, 'protocol/PROTOCOL.md'), 'utf8');
const shown = page.match(/^## A client in 50 lines\n[^]*?^```js\n([^]*?)^```$/m)?.[1] ?? '';

// Node has a WebSocket since version 22. For older versions this replaces it by that of ws, which here ignores errors without a
// listener.
const webSocket = `
  const { WebSocket: Other } = await import('ws');
  globalThis.WebSocket ??= class extends Other {
    constructor(...args) {
      super(...args);
      this.on('error', () => {});
    }
  };
`;

// Starts the client. Node reads the program from its input, so that the program finds the packages in tests/.
function startShown(t, url) {
  const child = spawn(process.execPath, ['--input-type=module', '-', url], { cwd: path.join(root, 'tests') });
  const client = { output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (client.output += text));
  }
  atEnd(t, () => child.kill('SIGKILL'));
  child.stdin.end(webSocket + shown);
  client.says = (what) => until(`it says ${what}`, () => client.output.match(what), () => client.output);
  return client;
}

test('the client on the page has at most 50 lines', () => {
  assert.ok(shown.length > 0, 'PROTOCOL.md has the section and its block');
  assert.ok(shown.trimEnd().split('\n').length <= 50);
});

test('the first third of the page is enough for the client on it', () => {
  const end = page.indexOf(shown) + shown.length;
  assert.ok(end < page.length / 3, `${end} of ${page.length} characters`);
  const before = page.slice(0, page.indexOf(shown));
  const numbers = [...shown.matchAll(/^ +(\d+): \(|send\((\d+),/gm)].map(([, received, sent]) => received ?? sent);
  assert.ok(numbers.length >= 7, `${numbers}`);
  for (const number of numbers) assert.match(before, new RegExp(`\`\\[${number}[,\\]]`), `a description of ${number}`);
});

test('the client on the page joins, reads and leads the flock in a circle', async (t) => {
  const server = await startServer(t);
  const shownClient = startShown(t, server.ws);
  await shownClient.says(/^in lobby as Circle$/m);
  await shownClient.says(/^boid 0 of 12 is at -?[\d.]+, -?[\d.]+; people here: 1$/m);

  const other = await join(t, server.ws, { name: 'Ann' });
  await shownClient.says(/people here: 2$/m);
  const circle = await other.until('Circle is here', (client) => [...client.people].find(([, { name }]) => name === 'Circle'));
  const seen = new Set();
  await other.until('its cursor at 20 places', ({ snapshot }) => {
    const cursor = snapshot.cursors.get(circle[0]);
    if (cursor) {
      assert.ok(Math.abs(distance(cursor, [275, 200]) - 100) < 0.1, `on the circle: ${cursor}`);
      seen.add(cursor.join());
    }
    return seen.size >= 20;
  });
});

test('the client on the page reconnects after a restart of the server', async (t) => {
  const first = await startServer(t, [], { port: await freePort() });
  const shownClient = startShown(t, first.ws);
  await shownClient.says(/^in lobby as Circle$/m);
  assert.deepEqual(await first.stop(), { code: 0, signal: null });
  await startServer(t, [], { port: first.port });
  await shownClient.says(/^in lobby as Circle$[^]*^in lobby as Circle$/m);
});
