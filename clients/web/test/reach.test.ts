import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachOf, readable, roomBelow } from '../src/net/reach';

const told = (public_url: string, ...addresses: string[]): unknown => ({ version: '0.1.0', public_url, addresses });
const LAN = ['http://192.168.1.7:8080', 'http://10.0.0.2:8080'];

test('a page opened on the server itself shows the server’s network addresses', () => {
  for (const own of ['http://127.0.0.1:8080/', 'http://localhost:8080/', 'http://[::1]:8080/'])
    assert.deepEqual(reachOf(own, told('', ...LAN)), { roots: LAN.map((each) => `${each}/`), open: true });
});

test('the page shows that a server is not open to the network', () => {
  assert.deepEqual(reachOf('http://localhost:8080/', told('')), { roots: ['http://localhost:8080/'], open: false });
  for (const nothing of [null, 7, [], { addresses: 'http://x' }, { addresses: [1, 'ftp://x', 'http://', 'http://[', 'http://x:y/'] }])
    assert.deepEqual(reachOf('http://localhost:8080/', nothing), { roots: ['http://localhost:8080/'], open: false });
});

test('the invitation has the page’s own address if that is not a loopback address', () => {
  assert.deepEqual(reachOf('https://example.org/flock/', told('', ...LAN)).roots, ['https://example.org/flock/']);
  assert.deepEqual(reachOf('http://10.0.0.2:8080/', told('', ...LAN)).roots, ['http://10.0.0.2:8080/', 'http://192.168.1.7:8080/']);
  const more = told('', 'http://10.0.0.3:8080', ...LAN);
  assert.deepEqual(reachOf('http://10.0.0.2:8080/', more).roots, [
    'http://10.0.0.2:8080/',
    'http://10.0.0.3:8080/',
    'http://192.168.1.7:8080/',
  ]);
  // Behind a proxy, without --public-url.
  assert.deepEqual(reachOf('http://school.example/', told('', ...LAN)).roots, ['http://school.example/']);
  assert.deepEqual(reachOf('http://localhost/flock/', told('', ...LAN)), { roots: ['http://localhost/flock/'], open: false });
});

test('the configured address comes first', () => {
  for (const own of ['http://127.0.0.1:8080/', 'http://10.0.0.2:8080/'])
    assert.deepEqual(reachOf(own, told('https://example.org/flock', ...LAN)), {
      roots: ['https://example.org/flock/'],
      open: true,
    });
});

test('addresses are made and read', () => {
  assert.equal(roomBelow('https://example.org/flock/', 'FK72MX'), 'https://example.org/flock/r/FK72MX');
  assert.equal(readable('https://example.org/flock/'), 'example.org/flock');
  assert.equal(readable('http://10.0.0.2:8080/'), '10.0.0.2:8080');
});
