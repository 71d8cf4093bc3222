// flockd behind a reverse proxy that gives it a path prefix: http://host/flock/ is its start page.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { call, createRoom } from './api.mjs';
import { atEnd } from './atend.mjs';
import { openPage, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { openTerminal } from './terminal.mjs';

const WIDE = { viewport: { width: 1280, height: 800 } };
const PREFIX = '/flock';

const browser = await sharedBrowser();

// A proxy that removes the prefix from each path and forwards the request. Resolves to the public address of flockd's root.
async function startProxy(t, { port }) {
  /** @type {(request: { url?: string }) => string | null} */
  const target = ({ url }) => (url.startsWith(`${PREFIX}/`) ? url.slice(PREFIX.length) : null);
  const sockets = new Set();
  const proxy = http.createServer((request, response) => {
    const path = target(request);
    if (path === null) {
      response.writeHead(404).end();
      return;
    }
    const { method, headers } = request;
    const forwarded = http.request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  proxy.on('upgrade', (request, near, head) => {
    const path = target(request);
    if (path === null) {
      near.end('HTTP/1.1 404 Not Found\r\n\r\n');
      return;
    }
    const far = net.connect(port, '127.0.0.1', () => {
      const lines = [`GET ${path} HTTP/1.1`];
      for (let i = 0; i < request.rawHeaders.length; i += 2) lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
      far.write(`${lines.join('\r\n')}\r\n\r\n`);
      far.write(head);
      near.pipe(far).pipe(near);
    });
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  proxy.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  atEnd(t, () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(/** @type {import('node:net').AddressInfo} */ (proxy.address())).port}${PREFIX}/`;
}

// Waits until each boid on the page has moved.
async function moving(view) {
  const boids = () => view.page.evaluate(() => window.flock.boids());
  const earlier = await boids();
  assert.ok(earlier.length > 0);
  await view.until('the boids move', async () => {
    const later = await boids();
    return later.length === earlier.length && later.every(({ x, y }, i) => flock.distance([x, y], [earlier[i].x, earlier[i].y]) > 1);
  });
}

// Waits until a page has gone to that room's address, and shows it.
async function inRoom(view, root, code) {
  await view.page.waitForURL(`${root}r/${code}`);
  await view.until('it is in the room', ({ status, room, boids }) => status === 'connected' && room === code && boids > 0);
}

test('below a prefix, a room is joined by its code in the page, and its boids move', async (t) => {
  const server = await startServer(t);
  const root = await startProxy(t, server);
  const room = await createRoom(server, { title: 'Behind a proxy', listed: true, boids: 40 });
  const view = await openPage(t, browser, root, WIDE);
  await view.page.locator('#code').fill(room.code.toLowerCase());
  await view.page.locator('#code').press('Enter');
  await inRoom(view, root, room.code);
  await moving(view);

  await view.page.locator('#room').click();
  assert.equal(await view.page.locator('#invite-address').inputValue(), `${root}r/${room.code}`, 'others can be sent there');
  await view.page.locator('#other-rooms').click();
  await view.page.locator('#rooms a', { hasText: 'Behind a proxy' }).click();
  await inRoom(view, root, room.code);

  const { body } = await call(server, 'GET', `/api/rooms/${room.code}`);
  assert.equal(body.people, 1, 'the tab that came back is one person');
});

test('below a prefix, a room is created in the page, and its presenter’s link works', async (t) => {
  const server = await startServer(t);
  const root = await startProxy(t, server);
  const creator = await openPage(t, browser, root, WIDE);
  await creator.page.getByRole('button', { name: 'Create the room' }).click();
  await creator.page.waitForURL(/\/r\/[^/]+$/);
  await creator.until('she presents a room', ({ role, room }) => role === 'presenter' && room !== 'lobby');
  const { room } = await creator.state();
  await creator.page.locator('#invite[open]').waitFor();
  await creator.page.keyboard.press('Escape');
  await creator.page.locator('#panel-open').click();
  await creator.page.locator('#panel-room summary').click();
  await creator.page.locator('#rekey').click();
  await creator.page.locator('#rekey-do').click();
  await creator.page.locator('#key-link').waitFor();
  const link = await creator.page.locator('#key-link').inputValue();
  assert.ok(link.startsWith(`${root}r/${room}#key=`), link);
  const other = await openPage(t, browser, link, WIDE);
  await other.until('whoever has the link presents', ({ role }) => role === 'presenter');
});

test('below a prefix, a flockd without other rooms redirects / and unknown codes to its lobby', async (t) => {
  const server = await startServer(t, ['--rooms', 'off', '--presenter-key', 'abcdefgh1']);
  const root = await startProxy(t, server);
  const view = await openPage(t, browser, `${root}#key=abcdefgh1`, WIDE);
  await inRoom(view, root, 'lobby');
  await view.until('the key has come along', ({ role }) => role === 'presenter');
  await moving(view);

  const lost = await openPage(t, browser, `${root}r/FK72MX`, WIDE);
  await lost.page.locator('#notice', { hasText: 'There is no room FK7 2MX.' }).waitFor();
  await lost.page.getByRole('button', { name: 'Start page' }).click();
  await inRoom(lost, root, 'lobby');
});

test('below a prefix, flock-term opens the address of the page', async (t) => {
  const server = await startServer(t);
  const root = await startProxy(t, server);
  const room = await createRoom(server, { title: 'Proxy' });
  for (const [address, shown] of /** @type {[string, RegExp][]} */ ([[root, /live · lobby/], [`${root}r/${room.code}`, /live · Proxy/]])) {
    const terminal = await openTerminal(t, { columns: 100 });
    await terminal.start(`'${address}'`);
    await terminal.until(`it is live at ${address}`, (lines) => shown.test(lines.at(-1)));
  }
});
