// The QR code: its picture, and its address for screen readers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generate } from 'lean-qr';
import { drawCode, reach } from '../src/app/code';
import { createPage, find, set } from './document';

createPage();

const ADDRESS = 'http://192.168.1.20:8390/r/FK72MX';
const QUIET = 3;

function draw(text: string): { picture: Element; path: Element } {
  const card = document.createElement('div');
  drawCode(card, 'of an address before');
  drawCode(card, text);
  assert.equal(card.children.length, 1, 'the new code replaces the old one');
  const picture = find<Element>(card, 'svg');
  const path = find<Element>(picture, 'path');
  return { picture, path };
}

/** Returns the dark modules of a path whose steps are whole modules: M and m move, h, v, H, V draw, z closes. */
function inside(path: string, size: number): boolean[][] {
  const dark = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const edges: [x: number, y: number, down: number][] = []; // one for each row that a vertical line crosses
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const vertical = (to: number): void => {
    for (let row = Math.min(y, to); row < Math.max(y, to); row++) edges.push([x, row, to - y]);
    y = to;
  };
  for (const [, command, numbers] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const [a = 0, b = 0] = (numbers.match(/-?\d+/g) ?? []).map(Number);
    if (command === 'M') [x, y, startX, startY] = [a, b, a, b];
    else if (command === 'm') [x, y, startX, startY] = [x + a, y + b, x + a, y + b];
    else if (command === 'h') x += a;
    else if (command === 'H') x = a;
    else if (command === 'v') vertical(y + a);
    else if (command === 'V') vertical(a);
    else if (command === 'L') [x] = [a, vertical(b)];
    else if (/z/i.test(command)) {
      vertical(startY);
      x = startX;
    } else assert.fail(`${command} in a path of whole modules`);
  }
  for (const [at, row] of edges) for (let column = at; column < size; column++) dark[row][column] = !dark[row][column];
  return dark;
}

test('the picture has the code of the text, module by module, with white around it', () => {
  const { picture, path } = draw(ADDRESS);
  const code = generate(ADDRESS);
  const side = code.size + 2 * QUIET;
  assert.equal(picture.getAttribute('viewBox'), `-3 -3 ${side} ${side}`);
  const drawn = inside(path.getAttribute('d') ?? '', code.size);
  const expected = Array.from({ length: code.size }, (_, y) => Array.from({ length: code.size }, (__, x) => Boolean(code.get(x, y))));
  assert.deepEqual(drawn, expected);
  assert.ok(expected.flat().filter(Boolean).length > 100);
});

test('a screen reader reads the address in the code', () => {
  const { picture } = draw(ADDRESS);
  assert.equal(picture.getAttribute('role'), 'img');
  assert.ok(picture.getAttribute('aria-label')?.includes(ADDRESS));
});

test('another address has another code', () => {
  const d = (text: string): string | null => draw(text).path.getAttribute('d');
  assert.equal(d(ADDRESS), d(ADDRESS));
  assert.notEqual(d(ADDRESS), d(`${ADDRESS}2`));
});

test('the page asks the server again for its addresses if it had no answer', async () => {
  set('location', { href: 'http://localhost:8390/r/FK72MX' });
  set('fetch', () => Promise.reject(new Error('no connection')));
  assert.deepEqual(await reach(), { roots: ['http://localhost:8390/'], open: false });
  set('fetch', () => Promise.resolve({ ok: false }));
  assert.deepEqual((await reach()).open, false);
});

test('the page asks the server once for its addresses, below its root', async () => {
  const asked: string[] = [];
  set('location', { href: 'http://localhost:8390/below/r/FK72MX?name=Ada' });
  set('fetch', (url: URL) => {
    asked.push(url.href);
    return Promise.resolve({ ok: true, json: () => Promise.resolve({ public_url: 'https://flock.example' }) });
  });
  const answers = await Promise.all([reach(), reach()]);
  assert.deepEqual(answers[0], { roots: ['https://flock.example/'], open: true });
  assert.equal(answers[1], answers[0]);
  assert.equal(await reach(), answers[0]);
  assert.deepEqual(asked, ['http://localhost:8390/below/api']);
});
