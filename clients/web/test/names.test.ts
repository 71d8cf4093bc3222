import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanName } from '../src/flock/names';
import { ROOT, besideAddress, besideIn, isCode, roomAddress, roomCode, roomOfPath, roomPath, spacedCode } from '../src/net/codes';

test('names are cut to 64 bytes between characters, and lose characters that the server refuses', () => {
  assert.equal(cleanName('  Ada \u0007 Lovelace\n'), 'Ada Lovelace');
  assert.equal(cleanName('a\u202Eb\u2028c'), 'a b c');
  assert.equal(cleanName('\ud800'), '');
  assert.equal(new TextEncoder().encode(cleanName('é'.repeat(60))).length, 64);
  assert.equal(cleanName(`${'x'.repeat(62)}🐦`), 'x'.repeat(62));
});

test('a code is the same in any spelling', () => {
  for (const text of [
    'FK72MX',
    'fk7 2mx',
    ' Fk7-2mX ',
    'f k 7 2 m x',
    'http://host:8080/r/FK72MX',
    'https://host/r/fk7-2mx#key=abc',
    '/r/FK72MX/',
    'ＦＫ７　２ｍｘ', // of an input method
  ])
    assert.equal(roomCode(text), 'FK72MX', text);
  for (const text of ['lobby', 'Lobby', 'LOB-BY', 'http://host/r/lobby']) assert.equal(roomCode(text), 'lobby', text);
});

test('invalid codes are refused', () => {
  for (const text of ['', ' - ', 'FK7_2MX', 'ä', 'x'.repeat(33), '<b>']) assert.equal(roomCode(text), '', text);
});

test('codes have six characters that people do not confuse', () => {
  for (const code of ['FK72MX', '234678', 'lobby']) assert.ok(isCode(code), code);
  for (const code of ['FK72M', 'FK72MX2', 'FK72M0', 'FK72MO', 'LOBBY']) assert.ok(!isCode(code), code);
});

test('codes are shown in two halves', () => {
  assert.equal(spacedCode('FK72MX'), 'FK7 2MX');
  assert.equal(spacedCode('lobby'), 'lobby');
  assert.equal(spacedCode('ABC'), 'ABC');
});

test('the room of a page is in its path', () => {
  assert.equal(roomOfPath('/r/lobby'), 'lobby');
  assert.equal(roomOfPath('/r/fk7-2mx'), 'FK72MX');
  assert.equal(roomOfPath('/r/fk7%202mx'), 'FK72MX');
  assert.equal(roomOfPath('/a/flock/r/fk72mx'), 'FK72MX');
  assert.equal(roomOfPath('/r/r/lobby'), 'lobby');
  for (const path of ['/', '/r/', '/r/%', '/r/%3Cb%3E']) assert.equal(roomOfPath(path), '', path);
});

test('pages link to each other below any prefix', () => {
  for (const root of ['http://host:8080/', 'https://host/flock/', 'https://host/r/r/']) {
    assert.equal(new URL(roomPath('FK72MX'), root).href, `${root}r/FK72MX`);
    assert.equal(new URL(ROOT, `${root}r/lobby`).href, root);
    assert.equal(roomAddress('FK72MX', `${root}r/fk7-2mx?name=Ada#key=abc`), `${root}r/FK72MX`);
    assert.equal(roomAddress('lobby', `${root}r/FK72MX`), `${root}r/lobby`);
  }
});

test('two rooms beside each other have one address', () => {
  const address = besideAddress('FK72MX', '3KWYL7', 'https://host/flock/r/fk7-2mx?name=Ada#key=abc');
  assert.equal(address, 'https://host/flock/r/FK72MX?beside=3KWYL7');
  assert.deepEqual(besideIn(new URL(address)), ['FK72MX', '3KWYL7']);
  assert.deepEqual(besideIn(new URL('https://host/r/lobby?beside=fk7-2mx')), ['lobby', 'FK72MX']);
  for (const one of ['r/FK72MX', 'r/FK72MX?beside=', 'r/FK72MX?beside=fk7-2mx', 'r/FK72MX?beside=%3Cb%3E', '?beside=FK72MX'])
    assert.equal(besideIn(new URL(one, 'https://host/')), null, one);
});
