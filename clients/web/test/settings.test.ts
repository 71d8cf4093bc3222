import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, loadSettings, socketUrl, toHex } from '../src/app/settings';
import { createPage, set } from './document';

test('the WebSocket is the server’s, with any prefix of a proxy', () => {
  assert.equal(socketUrl('http://localhost:8080/r/lobby', 'lobby'), 'ws://localhost:8080/ws?room=lobby');
  assert.equal(socketUrl('https://example.org/r/FK72MX?name=Ada#top', 'FK72MX'), 'wss://example.org/ws?room=FK72MX');
  assert.equal(socketUrl('https://example.org/a/flock/r/FK72MX', 'FK72MX'), 'wss://example.org/a/flock/ws?room=FK72MX');
  assert.equal(socketUrl('http://[::1]:9000/r/lobby', 'lobby'), 'ws://[::1]:9000/ws?room=lobby');
});

test('tokens are stored and read unchanged', () => {
  const token = Uint8Array.from({ length: 16 }, (_, i) => i * 17);
  assert.deepEqual(fromHex(toHex(token)), token);
});

test('invalid tokens are ignored', () => {
  for (const text of ['', 'ab', 'x'.repeat(32), 'AB'.repeat(16), 'ab'.repeat(17)]) assert.equal(fromHex(text), null, text);
});

test('the tab after a closed one has its person’s token, and a tab beside an open one has none', () => {
  const page = createPage();
  for (const name of ['location', 'history', 'localStorage'] as const) set(name, page[name]);
  let closed = (): void => {};
  set('addEventListener', (type: string, run: () => void) => type === 'pagehide' && (closed = run));
  const openTab = (): ReturnType<typeof loadSettings>['tokens'] => {
    set('sessionStorage', new (page as unknown as { Storage: new () => Storage }).Storage());
    return loadSettings().tokens;
  };
  const token = Uint8Array.from({ length: 16 }, (_, i) => i);
  openTab().save(token);
  const first = sessionStorage;
  const close = closed;
  assert.equal(openTab().load(), null);
  set('sessionStorage', first);
  close();
  const next = openTab();
  assert.deepEqual(next.load(), token);
  next.save(token);
  assert.equal(openTab().load(), null, 'one tab takes it');
});

test('a presenter key that another tab has got since then counts more than this tab’s', () => {
  const page = createPage();
  for (const name of ['location', 'history', 'localStorage'] as const) set(name, page[name]);
  const tab = (): Storage => new (page as unknown as { Storage: new () => Storage }).Storage();
  const [first, second] = [page.sessionStorage, tab()];
  const keysIn = (storage: Storage): ReturnType<typeof loadSettings>['keys'] => {
    set('sessionStorage', storage);
    return loadSettings().keys;
  };
  keysIn(first).save('old');
  keysIn(second).save('new');
  assert.equal(keysIn(first).load(), 'new');
});
