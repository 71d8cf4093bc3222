// The page over https, in a browser that trusts the test's authority.
import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import { createAuthority } from './authority.mjs';
import { lobby, openFlock, startBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

// A certificate's public key, in the format of Chromium's list of keys that it trusts with any signer.
function pin(cert) {
  const key = new X509Certificate(readFileSync(cert)).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

test('the page shows the flock over wss, and stays in its room through a new certificate', async (t) => {
  const authority = await createAuthority(t);
  const pairs = [await authority.issue(), await authority.issue()];
  const server = await startServer(t, [...authority.install(pairs[0]), '--boids', '300']);
  const browser = await startBrowser({ args: [`--ignore-certificate-errors-spki-list=${pairs.map(({ cert }) => pin(cert)).join(',')}`] });
  atEnd(t, () => browser.close());
  const { page, until } = await openFlock(t, browser, lobby(server));
  assert.match(page.url(), /^https:/);
  authority.install(pairs[1]);
  server.kill('SIGHUP');
  const sockets = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await page.reload();
  await until('it is back', ({ status, boids }) => status === 'connected' && boids === 300);
  assert.deepEqual(sockets, [`wss://127.0.0.1:${server.port}/ws?room=lobby`]);
});
