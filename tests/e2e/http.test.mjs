// What flockd serves besides the flock.
import assert from 'node:assert/strict';
import net from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { runToEnd, startServer } from './server.mjs';
import { connect } from './client.mjs';

// Sends the bytes as they are, which fetch() would not, and resolves to all that comes back.
async function raw(port, request) {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (text) => (answer += text));
  socket.on('error', () => {});
  socket.write(request);
  await once(socket, 'close');
  return answer;
}

test('the page comes with a strict policy, and asks for no other host', async (t) => {
  const server = await startServer(t);
  const response = await fetch(server.url);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type'), /^text\/html/);
  const policy = response.headers.get('content-security-policy');
  assert.match(policy, /default-src '(none|self)'/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.doesNotMatch(await response.text(), /(src|href)="(https?:)?\/\//);
});

test('browsers keep what the page consists of, and ask for the page itself again', async (t) => {
  const server = await startServer(t);
  const page = await fetch(server.url);
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  const parts = [...(await page.text()).matchAll(/(?:src|href)="([\w.-]+)"/g)].map(([, name]) => name);
  assert.ok(parts.length >= 3, `script, style and icon: ${parts.join()}`);
  for (const name of parts) {
    const part = await fetch(server.url + name);
    assert.equal(part.status, 200, name);
    assert.match(part.headers.get('cache-control'), /immutable/, name);
  }
});

test('/healthz answers, and so does --healthcheck', async (t) => {
  const server = await startServer(t);
  const response = await fetch(`${server.url}healthz`);
  assert.equal(response.status, 200);
  assert.equal((await runToEnd(t, ['--healthcheck'], { env: { FLOCKD_PORT: String(server.port) } })).code, 0);
  await server.stop();
  const after = await runToEnd(t, ['--healthcheck'], { env: { FLOCKD_PORT: String(server.port) } });
  assert.equal(after.code, 1);
  assert.match(after.stderr, /^[^\n]+\n$/);
});

const SECRET = /root:|\[package\]|FLOCKD_VERSION/;
const OUTSIDE = [
  '/nothing-here',
  '/../Makefile',
  '/../../../../../../../../etc/passwd',
  '/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
  '//etc/passwd',
  '/index.html/../../../Makefile',
  '/.%00./etc/passwd',
];

for (const path of OUTSIDE) {
  test(`nothing is found at ${path}`, async (t) => {
    const server = await startServer(t);
    const answer = await raw(server.port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    assert.match(answer, /^(HTTP\/1\.[01] 40[0-9]|$)/, 'refused');
    assert.doesNotMatch(answer, SECRET);
    assert.equal((await fetch(server.url)).status, 200, 'and it goes on');
  });
}

test('a request that is not HTTP, or has headers without end, is hung up on', async (t) => {
  const server = await startServer(t);
  assert.doesNotMatch(await raw(server.port, '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'), /^HTTP\/1.1 200/);
  assert.doesNotMatch(await raw(server.port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`), /^HTTP\/1.1 200/);
  assert.equal((await fetch(server.url)).status, 200, 'and it goes on');
});

test("another site's page cannot join, unless it is allowed to", async (t) => {
  const origin = 'http://example.org';
  const server = await startServer(t);
  await assert.rejects(connect(t, server.ws, { origin }), /40\d|hang up/);
  await connect(t, server.ws, { origin: server.url.slice(0, -1) });
  const open = await startServer(t, ['--allow-origin', origin]);
  await connect(t, open.ws, { origin });
});
