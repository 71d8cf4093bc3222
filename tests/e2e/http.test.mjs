// HTTP requests other than WebSockets.
import assert from 'node:assert/strict';
import http from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { runToEnd, startServer } from './server.mjs';
import { connect } from './client.mjs';
import { assertAnswersFirst, raw } from './pipelined.mjs';

test('each page has a strict policy, and requests nothing from another host', async (t) => {
  const server = await startServer(t);
  for (const path of ['/', '/r/lobby']) {
    const response = await fetch(new URL(path, server.url));
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type'), /^text\/html/);
    const policy = response.headers.get('content-security-policy');
    assert.match(policy, /default-src '(none|self)'/);
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.doesNotMatch(await response.text(), /(src|href)="(https?:)?\/\//);
  }
});

// Requests another protocol than HTTP/1.1 and resolves to the answer's status.
async function offer(server, upgrade, method, path, body) {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade, 'http2-settings': 'AAMAAABkAAQAAP__' };
  const request = http.request(new URL(path, server.url), { agent: false, method, headers });
  if (body !== undefined) {
    request.setHeader('content-type', 'application/json').setHeader('content-length', body.length);
  }
  request.end(body);
  const [response] = await once(request, 'response');
  response.destroy();
  return response.statusCode;
}

test('a client that offers HTTP/2 gets HTTP/1.1', async (t) => {
  const server = await startServer(t);
  for (const path of ['/', '/healthz', '/api/rooms', '/api/rooms/lobby']) {
    assert.equal(await offer(server, 'h2c', 'GET', path), 200, path);
  }
  assert.equal(await offer(server, 'h2c', 'POST', '/api/rooms', '{}'), 201);
  assert.equal(await offer(server, 'h2c', 'DELETE', '/api/rooms/lobby'), 401);
  assert.equal(await offer(server, 'unheard-of', 'POST', '/api/rooms', '{}'), 403);
  assert.equal((await fetch(server.url)).status, 200, 'and it goes on');
});

test('a connection serves one request; pipelined requests delay no other client', async (t) => {
  const server = await startServer(t, ['--presenter-key', 'the-key-of-this-room']);
  await assertAnswersFirst(server.port, 'the-key-of-this-room');
  const response = await fetch(server.url, { signal: AbortSignal.timeout(60_000) });
  assert.equal(response.status, 200, 'and it goes on');
  assert.equal(response.headers.get('connection'), 'close');
});

test('browsers cache the page\'s parts, and request the page itself again', async (t) => {
  const server = await startServer(t);
  for (const path of ['/', '/r/lobby']) {
    const page = await fetch(new URL(path, server.url));
    assert.equal(page.headers.get('cache-control'), 'no-cache');
    const parts = [...(await page.text()).matchAll(/(?:src|href)="(\.\.?\/[\w.-]+)"/g)].map(([, name]) => name);
    assert.ok(parts.length >= 3, `script, style and icon: ${parts.join()}`);
    for (const name of parts) {
      const part = await fetch(new URL(name, page.url));
      assert.equal(part.status, 200, name);
      assert.match(part.headers.get('cache-control'), /immutable/, name);
    }
  }
});

test('each page has one path, and with --rooms off / redirects to the lobby', async (t) => {
  const server = await startServer(t);
  const page = async (path) => (await fetch(new URL(path, server.url))).text();
  assert.notEqual(await page('/'), await page('/r/lobby'));
  for (const path of ['/index.html', '/start.html', '/r/', '/r/lobby/', '/r']) {
    assert.equal((await fetch(new URL(path, server.url), { redirect: 'manual' })).status, 404, path);
  }
  const alone = await startServer(t, ['--rooms', 'off']);
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(alone.url, { method, redirect: 'manual' });
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), 'r/lobby', 'relative: a proxy may have a prefix before it');
    assert.equal(response.headers.get('cache-control'), 'no-store', 'another start of the server may have rooms');
  }
  assert.equal(await (await fetch(alone.url)).text(), await page('/r/lobby'));
  assert.equal((await fetch(alone.url, { method: 'POST', redirect: 'manual' })).status, 405);
});

test('/healthz answers, and so does --healthcheck', async (t) => {
  const server = await startServer(t, [], { port: await freePort() });
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
  test(`${path} is not found`, async (t) => {
    const server = await startServer(t);
    const answer = await raw(server.port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    assert.match(answer, /^(HTTP\/1\.[01] 40[0-9]|$)/, 'refused');
    assert.doesNotMatch(answer, SECRET);
    assert.equal((await fetch(server.url)).status, 200, 'and it goes on');
  });
}

test('the server closes connections with invalid HTTP or endless headers', async (t) => {
  const server = await startServer(t);
  assert.doesNotMatch(await raw(server.port, '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'), /^HTTP\/1.1 200/);
  assert.doesNotMatch(await raw(server.port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`), /^HTTP\/1.1 200/);
  assert.equal((await fetch(server.url)).status, 200, 'and it goes on');
});

// Requests a WebSocket with these additional headers. Resolves to the answer's status and body.
async function upgrade(server, headers) {
  const usual = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol': 'flock.v1',
  };
  const request = http.request(server.ws.replace('ws:', 'http:'), { agent: false, headers: { ...usual, ...headers } }).end();
  const [response, socket] = await Promise.race([once(request, 'response'), once(request, 'upgrade')]);
  if (response.statusCode === 101) {
    socket.destroy();
    return { status: 101 };
  }
  let body = '';
  for await (const text of response.setEncoding('utf8')) body += text;
  return { status: response.statusCode, version: response.httpVersion, policy: response.headers['content-security-policy'], body };
}

async function assertRefused(server, headers, status, body) {
  const answer = await upgrade(server, headers);
  assert.deepEqual([answer.status, answer.version], [status, '1.1'], JSON.stringify(headers));
  assert.match(answer.body, body);
  assert.match(answer.policy, /default-src 'none'/);
}

test("another site's page cannot join, unless --allow-origin names it", async (t) => {
  const [origin, other] = ['http://example.org', 'https://example.net:444'];
  const server = await startServer(t);
  await assertRefused(server, { origin }, 403, /^Pages of this origin[^]*--allow-origin/);
  await connect(t, server.ws, { origin: server.url.slice(0, -1) });
  const open = await startServer(t, ['--allow-origin', origin, '--allow-origin', other]);
  await connect(t, open.ws, { origin });
  await connect(t, open.ws, { origin: other });
  await assertRefused(open, { origin: 'http://example.com' }, 403, /--allow-origin/);
});

test("a foreign name that points to this machine is not the server's", async (t) => {
  const server = await startServer(t);
  const evil = `evil.example:${server.port}`;
  await assertRefused(server, { origin: `http://${evil}`, host: evil }, 403, /^This server does not know[^]*--host/);
  const ask = (headers, method = 'GET') => raw(server.port, `${method} /api/rooms HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  for (const answer of [await ask([`Host: ${evil}`]), await ask([`Host: ${evil}`, `Origin: http://${evil}`, 'Content-Length: 0'], 'POST')]) {
    assert.match(answer, /^HTTP\/1\.1 403 /);
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    assert.match(error.message, /--host/);
  }
  assert.match(await ask([`Host: LOCALHOST:${server.port}`]), /^HTTP\/1\.1 200 /);
  const named = await startServer(t, ['--host', 'flock.example', '--host', 'other.example']);
  for (const host of ['flock.example', 'OTHER.example:81', `localhost:${named.port}`]) {
    assert.equal((await upgrade(named, { origin: `https://${host}`, host })).status, 101, host);
  }
  await assertRefused(named, { origin: `http://${evil}`, host: evil }, 403, /--host/);
});

test('a refused WebSocket gets the reason', async (t) => {
  const server = await startServer(t);
  for (const protocol of ['flock.v2', 'flock.v10, v1', 'x'.repeat(500)]) {
    await assertRefused(server, { 'sec-websocket-protocol': protocol }, 400, /Expected the subprotocol flock\.v1/);
  }
  assert.equal((await upgrade(server, { 'sec-websocket-protocol': 'flock.v2, flock.v1' })).status, 101);
});

test('libwebsockets\' own answers have the headers of all other answers', async (t) => {
  const server = await startServer(t);
  for (const request of ['GET /%zz HTTP/1.1', 'BREW /pot HTTP/1.1']) {
    const answer = await raw(server.port, `${request}\r\nHost: x\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.\d 403 /, request);
    assert.match(answer, /content-security-policy: default-src 'none'/, request);
    assert.match(answer, /x-content-type-options: nosniff/, request);
  }
});
