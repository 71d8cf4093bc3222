// Two rooms beside each other for everyone: when a page follows its presenter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPair, stayAlone } from '../src/app/pair';
import { createPage, set } from './document';
import { room } from './samples';

const [ONE, TWO, THREE] = ['FK72MX', '3KWYL7', 'KL4WXY'];
const SINGLE = `http://localhost:8390/r/${ONE}`;
const pair = (other: string): string => `${SINGLE}?beside=${other}`;

// The clock of these tests.
let now = 1_700_000_000_000;
let due: { at: number; run: () => void } | null = null; // a page has one timer
Date.now = () => now;
set('clearTimeout', () => (due = null));
set('setTimeout', (run: () => void, ms: number) => (due = { at: now + Math.max(ms, 0), run }));

function pass(ms: number): void {
  now += ms;
  if (due === null || due.at > now) return;
  const { run } = due;
  due = null;
  run();
}

interface Tab {
  /** The addresses that the tab has loaded since the last call. */
  loads(): string[];
  /** The room's message to the newest document, which was loaded before. */
  hear(beside: string): void;
}

/** Opens a tab at an address. A document with two rooms follows in the frame of the first. */
function openTab(first = SINGLE): Tab {
  let loads: string[] = [];
  let document = open(first);
  set('sessionStorage', createPage().sessionStorage);

  function open(address: string): ReturnType<typeof createPair> {
    const outer = { location: Object.assign(new URL(address), { replace: (to: URL | string) => loads.push(String(to)) }) };
    const inner = new URL(address);
    inner.searchParams.delete('beside');
    const framed = inner.href !== new URL(address).href;
    due = null; // a timer ends with its document
    set('window', framed ? { parent: outer } : Object.assign(outer, { parent: outer }));
    set('location', framed ? inner : outer.location);
    return createPair();
  }

  return {
    loads() {
      const before = loads;
      loads = [];
      if (before.length > 0) document = open(before[before.length - 1]);
      return before;
    },
    hear: (beside) => document.room?.(room({ code: ONE, beside })),
  };
}

test('a page follows its presenter at once to two rooms and back, with the parameters of its address', () => {
  const tab = openTab(`${SINGLE}?name=Bo`);
  tab.hear('');
  pass(1);
  assert.deepEqual(tab.loads(), []);
  tab.hear(TWO);
  pass(1);
  assert.deepEqual(tab.loads(), [`${SINGLE}?name=Bo&beside=${TWO}`]);
  tab.hear(TWO);
  pass(60_000);
  assert.deepEqual(tab.loads(), []);
  tab.hear('');
  pass(1);
  assert.deepEqual(tab.loads(), [`${SINGLE}?name=Bo`]);
});

test('a page that joins while two rooms are shown shows them at once', () => {
  const tab = openTab();
  tab.hear(TWO);
  pass(1);
  assert.deepEqual(tab.loads(), [pair(TWO)]);
});

test('a presenter who shows and ends a pair over and over does not keep a page from working', () => {
  const tab = openTab();
  let loads = 0;
  tab.hear('');
  for (let i = 0; i < 3000; i += 1) {
    tab.hear(i % 2 === 0 ? TWO : '');
    pass(20);
    loads += tab.loads().length;
  }
  assert.equal(loads, 1, 'the first change, at once; then none in a minute');
  tab.hear(THREE);
  pass(2900);
  assert.deepEqual(tab.loads(), [], 'the last value has not stood for long');
  pass(200);
  assert.deepEqual(tab.loads(), [pair(THREE)]);
});

test('a page that has just followed waits before it follows again', () => {
  const tab = openTab();
  tab.hear(TWO);
  pass(1);
  assert.deepEqual(tab.loads(), [pair(TWO)]);
  pass(500);
  tab.hear('');
  pass(2000);
  assert.deepEqual(tab.loads(), []);
  pass(1000);
  assert.deepEqual(tab.loads(), [SINGLE]);
});

test('a clock that is set back delays a page only a little', () => {
  const tab = openTab();
  tab.hear(TWO);
  pass(1);
  assert.deepEqual(tab.loads(), [pair(TWO)]);
  now -= 100_000_000;
  tab.hear('');
  pass(3100);
  assert.deepEqual(tab.loads(), [SINGLE]);
});

test('a page does not load two rooms that it shows, in whatever form their code comes', () => {
  const tab = openTab();
  tab.hear(TWO.toLowerCase());
  pass(1);
  assert.deepEqual(tab.loads(), [pair(TWO)]);
  tab.hear(TWO.toLowerCase());
  pass(60_000);
  assert.deepEqual(tab.loads(), []);
});

test('a page whose script for two rooms did not load stays as it is', () => {
  set('sessionStorage', createPage().sessionStorage);
  const tab = openTab();
  tab.hear(TWO);
  pass(1);
  assert.deepEqual(tab.loads(), [pair(TWO)]);
  set('window', Object.assign(globalThis.window.parent, { parent: globalThis.window.parent })); // it shows one room
  tab.hear(TWO);
  pass(60_000);
  assert.deepEqual(tab.loads(), []);
});

test('a person who closes a pair stays alone until the presenter shows the next one', () => {
  const tab = openTab();
  stayAlone(ONE, TWO);
  tab.hear(TWO.toLowerCase());
  pass(60_000);
  assert.deepEqual(tab.loads(), []);
  tab.hear('');
  tab.hear(TWO);
  pass(60_000);
  assert.deepEqual(tab.loads(), [pair(TWO)]);
});

test('a person who closed a pair follows the presenter back from another pair', () => {
  const tab = openTab();
  stayAlone(ONE, TWO);
  tab.hear(TWO);
  pass(60_000);
  assert.deepEqual(tab.loads(), []);
  tab.hear(THREE);
  pass(60_000);
  assert.deepEqual(tab.loads(), [pair(THREE)]);
  tab.hear(THREE);
  tab.hear(TWO);
  pass(60_000);
  assert.deepEqual(tab.loads(), [pair(TWO)]);
});

test('a tab that its person has opened with two rooms stays', () => {
  const tab = openTab(pair(TWO));
  tab.hear('');
  tab.hear(THREE);
  pass(60_000);
  assert.deepEqual(tab.loads(), []);
});
