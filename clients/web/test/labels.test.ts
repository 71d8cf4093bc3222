import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Labelled, NAMES_MAX, place, sizeOf } from '../src/draw/labels';

const cursor = (id: number, x: number, y: number, changes: Partial<Labelled> = {}): Labelled => ({
  ...{ id, name: `Ada ${id}`, x, y, moved: 0, side: null, first: false },
  ...changes,
});

test('names of cursors that are far apart are below their cursors', () => {
  const sides = place([cursor(1, 100, 100), cursor(2, 400, 100)], 800, 600);
  assert.deepEqual(
    [...sides],
    [
      [1, 'below-right'],
      [2, 'below-right'],
    ],
  );
});

test('names avoid one another; the cursors that moved last come first', () => {
  const crowd = Array.from({ length: 30 }, (_, id) => cursor(id, 400 + id, 300, { moved: id }));
  const sides = place(crowd, 800, 600);
  assert.deepEqual(new Set(sides.values()), new Set(['below-right', 'below-left', 'above-right', 'above-left']));
  assert.equal(sides.size, 4, 'one at each side of the point');
  assert.deepEqual([...sides.keys()], [29, 28, 27, 26]);
});

test('a name stays at its side while it covers no other name', () => {
  assert.equal(place([cursor(1, 100, 100, { side: 'above-left' })], 800, 600).get(1), 'above-left');
});

test('a name turns away from the arrows of other cursors, if a side is free', () => {
  const own = cursor(1, 100, 100, { side: 'below-right' });
  const nameless = (id: number, x: number, y: number): Labelled => cursor(id, x, y, { name: '' });
  const [below, left] = [nameless(2, 120, 118), nameless(3, 70, 118)];
  assert.equal(place([own, below], 800, 600).get(1), 'below-left');
  assert.equal(place([own, below, left], 800, 600).get(1), 'above-right');
  assert.equal(place([own, nameless(2, 100, 70)], 800, 600).get(1), 'below-right', 'above it there is no name');
  const everywhere = [below, left, nameless(4, 120, 80), nameless(5, 70, 80)];
  assert.equal(place([own, ...everywhere], 800, 600).get(1), 'below-right', 'it stays if none is free');
});

test('at the edge of the window a name is on the side inside the window', () => {
  assert.equal(place([cursor(1, 795, 595)], 800, 600).get(1), 'above-left');
  assert.equal(place([cursor(1, 3, 3)], 800, 600).get(1), 'below-right');
});

test('with very many cursors only the recent movers have names', () => {
  const many = Array.from({ length: 100 }, (_, id) => cursor(id, 200 * (id % 10), 60 * Math.floor(id / 10), { moved: id }));
  const sides = place(many, 3000, 2000);
  assert.equal(sides.size, NAMES_MAX);
  assert.equal(Math.min(...sides.keys()), 100 - NAMES_MAX);
  assert.equal(place([cursor(1, 100, 100, { name: '' })], 800, 600).size, 0);
});

test('where the world is small, few names cover it: of presenters and leaders, and of people who had one', () => {
  const class30 = Array.from({ length: 30 }, (_, id) => cursor(id, 40 + 60 * (id % 6), 300 + 45 * Math.floor(id / 6), { moved: id }));
  const [width, height] = [370, 230]; // of the world, on a phone
  const few = place(class30, 390, 844, 1, width * height);
  assert.ok(few.size >= 3 && few.size * 75 * 20 < (width * height) / 10, `${few.size} names`);
  const led = class30.map((each) => ({ ...each, first: each.id === 3, side: each.id === 5 ? ('below-left' as const) : null }));
  assert.deepEqual([...place(led, 390, 844, 1, width * height).keys()].slice(0, 3), [3, 5, 29]);
  assert.ok(place(class30, 390, 844, 1, 350 * 700).size > 2 * few.size, 'more where there is space');
  assert.ok(place(class30, 390, 844, 2, 350 * 700).size <= few.size, 'larger names are fewer');
  assert.equal(place(class30, 390, 844, 1, 1000).size, 3);
});

test('the names of a class leave the middle of the flock free, except those of presenters and leaders', () => {
  const class30 = Array.from({ length: 30 }, (_, id) => cursor(id, 40 + 150 * (id % 6), 60 + 120 * Math.floor(id / 6), { moved: id }));
  const core = { x: 415, y: 300, radius: 130 };
  const inside = (each: Labelled): boolean => Math.hypot(each.x - core.x, each.y - core.y) < core.radius - 40;
  const named = (all: Labelled[]): Labelled[] => {
    const sides = place(all, 1000, 700, 1, Infinity, core);
    return all.filter(({ id }) => sides.has(id));
  };
  assert.ok(class30.some(inside));
  assert.ok(!named(class30).some(inside), 'no name in the middle');
  assert.ok(named(class30).length > 20, 'all others');
  const beside = cursor(7, core.x + core.radius - 5, core.y, { side: 'below-left' });
  assert.equal(place([...class30.slice(0, 7), beside], 1000, 700, 1, Infinity, core).get(7), 'below-right', 'a name turns away from it');
  const led = class30.map((each) => ({ ...each, first: each.id === 14 }));
  assert.deepEqual(
    named(led)
      .filter(inside)
      .map(({ id }) => id),
    [14],
  );
  assert.equal(named(class30.filter(inside)).length, class30.filter(inside).length, 'few people keep their names');
});

test('the widths of Chinese, Japanese and Korean letters are right', () => {
  const sideBeside = (name: string) => place([cursor(1, 300, 100, { name, moved: 1 }), cursor(2, 390, 100)], 800, 600).get(2);
  assert.equal(sideBeside('Ada Love'), 'below-right', 'eight narrow letters end before the next name');
  for (const name of ['勅使河原龍之介君', 'かわせみかわせみ', '황보알렉산드라군']) assert.notEqual(sideBeside(name), 'below-right', name);
});

test('names grow on very large windows, and are as before on others', () => {
  for (const [width, height] of [
    [390, 844],
    [1366, 768],
    [1920, 1080],
    [2560, 1440],
    [3440, 1440],
  ] as const)
    assert.equal(sizeOf(false, width, height), 1);
  assert.equal(sizeOf(false, 3840, 2160), 2);
  assert.equal(sizeOf(false, 20_000, 12_000), 4);
});

test('on a projector names grow with the window, and larger names still avoid one another', () => {
  assert.equal(sizeOf(true, 360, 740), 1, 'but never become smaller');
  assert.ok(11 * sizeOf(true, 1920, 1080) > 20 && 11 * sizeOf(true, 3840, 2160) > 40);
  const [one, two] = [cursor(1, 400, 300, { moved: 1 }), cursor(2, 400, 325)];
  assert.equal(place([one, two], 1920, 1080).get(2), 'below-right');
  assert.notEqual(place([one, two], 1920, 1080, 2).get(2), 'below-right');
  assert.equal(place([cursor(1, 1880, 100)], 1920, 1080, 2).get(1), 'below-left', 'and stay in the window');
});
