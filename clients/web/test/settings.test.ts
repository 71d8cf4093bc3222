import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, socketUrl, toHex } from '../src/settings';

test('the WebSocket is beside the page, behind whatever prefix', () => {
  assert.equal(socketUrl('http://localhost:8080/'), 'ws://localhost:8080/ws');
  assert.equal(socketUrl('https://example.org/?room=attic#top'), 'wss://example.org/ws');
  assert.equal(socketUrl('https://example.org/flocks/one/'), 'wss://example.org/flocks/one/ws');
  assert.equal(socketUrl('https://example.org/flocks/index.html?name=Ada'), 'wss://example.org/flocks/ws');
  assert.equal(socketUrl('http://[::1]:9000/'), 'ws://[::1]:9000/ws');
});

test('tokens survive being written down', () => {
  const token = Uint8Array.from({ length: 16 }, (_, i) => i * 17);
  assert.deepEqual(fromHex(toHex(token)), token);
});

test('what is no token is none', () => {
  for (const text of ['', 'ab', 'x'.repeat(32), 'AB'.repeat(16), 'ab'.repeat(17)])
    assert.equal(fromHex(text), null, text);
});
