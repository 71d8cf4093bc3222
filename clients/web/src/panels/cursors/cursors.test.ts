import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene } from '../../draw/scene';
import type { Person } from '../../net/protocol';
import type { Model } from '../../flock/model';
import { createPeople } from '../../flock/people';
import type { OwnCursor } from '../../app/own-cursor';
import { FakeCanvas } from '../../../test/canvas';
import { createLayers } from '../../draw/layers';
import { mount } from './index';
import { createPage, find } from '../../../test/document';

const PAGE = `<div id="cursors"></div><div id="own"><bdi id="own-name"></bdi></div>
  <template id="cursor-template"><div class="cursor"><svg><path /></svg><bdi></bdi></div></template>`;

/** Makes the panel over a flock. This page's person has the id 1 and no cursor. */
function setUp() {
  createPage(PAGE);
  const people = createPeople();
  const self = { id: 1, name: 'Ada', color: 0xffffff };
  people.welcomed(self, 'viewer');
  const finger: { at: { x: number; y: number; kind: string } | null } = { at: null };
  const own = { steering: { cursor: () => finger.at }, steers: () => false } as unknown as OwnCursor;
  const moment: { people?: Person[] } = {};
  const leads = { turn: { id: 0, seconds: 0, next: 0 } };
  const layers = createLayers(new FakeCanvas() as unknown as HTMLCanvasElement, () => 1);
  mount({ model: { people, welcome: () => self, past: () => moment, room: () => null, leads: () => leads } as unknown as Model, ownCursor: own, layers });
  let now = 0;
  const draw = (cursors: [number, [number, number]][]): void => {
    const frame = { cursors: new Map(cursors) };
    const camera = { width: 800, height: 600, scale: 1, left: 0, top: 0 };
    layers.draw({ now: (now += 1000), camera, room: { world: [370, 230] }, theme: 'dark', moment: { a: frame, b: frame, alpha: 0 } } as unknown as Scene);
  };
  const marks = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.cursor')];
  return { people, moment, leads, draw, marks, finger };
}

const nameOf = (mark: HTMLElement): string => find(mark, 'bdi').textContent ?? '';
const person = (id: number, name: string, color: number) => ({ id, identity: { id, name, color }, presenter: false, active: true, owner: false, team: 0 });

const then = (id: number, name: string, team: number): Person => ({ id, name, color: 0x0000ff, presenter: false, active: false, owner: false, team });

test('the own name is below a finger near the top, and knows how far the window’s sides are', () => {
  const { draw, finger } = setUp();
  const own = find(document, '#own');
  for (const [y, low] of [[130, false], [110, true]] as const) {
    finger.at = { x: 780, y, kind: 'touch' };
    draw([]);
    assert.equal(own.classList.contains('low'), low, `at ${y}`);
  }
  assert.deepEqual(['--left', '--right'].map((side) => own.style.getPropertyValue(side)), ['780px', '20px']);
});

test('a cursor shows while its person is known', () => {
  const { people, draw, marks } = setUp();
  draw([[2, [10, 20]]]);
  assert.deepEqual(marks(), []);
  people.take({ kind: 'presence', since: 0, sequence: 1, people: [person(2, 'Bo', 0x00ff00)], left: [], away: null });
  draw([[2, [10, 20]]]);
  assert.deepEqual(marks().map(nameOf), ['Bo']);
  assert.equal(find(document, '#cursors').nextElementSibling?.id, 'own', 'no name of others covers this person’s');
  assert.equal(marks()[0]?.style.getPropertyValue('--person'), '#00ff00');
  people.take({ kind: 'presence', since: 1, sequence: 2, people: [], left: [2], away: null });
  draw([[2, [10, 20]]]);
  assert.deepEqual(marks(), []);
});

test('the people of a moment of the past are known', () => {
  const { moment, draw, marks } = setUp();
  moment.people = [then(7, 'Cy', 0)];
  draw([
    [7, [1, 2]],
    [8, [3, 4]],
  ]);
  assert.deepEqual(marks().map(nameOf), ['Cy']);
});

test('in a moment of the past, people are in the teams of that moment', () => {
  const { people, moment, draw, marks } = setUp();
  const looks = (): string[] => marks().map((mark) => `${nameOf(mark)} ${mark.style.getPropertyValue('--person')}`);
  const all = [2, 3].map((id) => ({ ...person(id, `P${id}`, 0x112233), team: 1 }));
  people.take({ kind: 'presence', since: 0, sequence: 1, people: all, left: [], away: null });
  const cursors: [number, [number, number]][] = [[2, [1, 1]], [3, [9, 9]]];
  draw(cursors);
  const now = looks();
  moment.people = [then(2, '', 2), then(3, '', 0)];
  draw(cursors);
  assert.deepEqual(looks(), ['P2 #49a8ff', 'P3 #112233']);
  moment.people = [then(2, '', 1), then(3, '', 1)];
  draw(cursors);
  assert.deepEqual(looks(), now);
});

test('a team’s cursors have its colour and its shape', () => {
  const { people, draw, marks } = setUp();
  const shapes = (): unknown[] => marks().map((mark) => find(mark, 'path').getAttribute('d'));
  const colors = (): string[] => marks().map((mark) => mark.style.getPropertyValue('--person'));
  const all = [2, 3, 4].map((id) => person(id, `P${id}`, 0x112233));
  people.take({ kind: 'presence', since: 0, sequence: 1, people: all, left: [], away: null });
  const cursors: [number, [number, number]][] = [[2, [1, 1]], [3, [9, 9]], [4, [5, 5]]];
  draw(cursors);
  const alone = shapes();
  assert.equal(new Set(alone).size, 3);
  people.take({ kind: 'presence', since: 1, sequence: 2, people: all.map((each) => ({ ...each, identity: null, team: each.id === 4 ? 2 : 1 })), left: [], away: null });
  draw(cursors);
  assert.ok(colors()[0] === colors()[1] && colors()[0] !== colors()[2]);
  assert.ok(shapes()[0] === shapes()[1] && shapes()[0] !== shapes()[2]);
  people.take({ kind: 'presence', since: 2, sequence: 3, people: all.map((each) => ({ ...each, identity: null })), left: [], away: null });
  draw(cursors);
  assert.deepEqual([colors()[2], shapes()], ['#112233', alone]);
});

test('the cursor of the person who leads alone is marked', () => {
  const { people, leads, draw, marks } = setUp();
  people.take({ kind: 'presence', since: 0, sequence: 1, people: [person(2, 'Bo', 1), person(3, 'Cy', 2)], left: [], away: null });
  leads.turn.id = 3;
  draw([[2, [1, 1]], [3, [9, 9]]]);
  assert.deepEqual(marks().map((mark) => mark.classList.contains('spot')), [false, true]);
});

test('in a small world few of 30 names are visible, and the others are hidden from the first picture on', () => {
  const { people, draw, marks } = setUp();
  const all = Array.from({ length: 30 }, (_, i) => person(2 + i, `P${i}`, 1));
  people.take({ kind: 'presence', since: 0, sequence: 1, people: all, left: [], away: null });
  draw(all.map(({ id }, i) => [id, [20 + 120 * (i % 6), 20 + 100 * Math.floor(i / 6)]]));
  const visible = marks().filter((mark) => find(mark, 'bdi').className !== 'unnamed');
  assert.ok(visible.length >= 3 && visible.length <= 5, `${visible.length} of ${marks().length}`);
});

test('a cursor outside the window is at its edge without a name, except the one that leads', () => {
  const { people, leads, draw, marks } = setUp();
  people.take({ kind: 'presence', since: 0, sequence: 1, people: [2, 3, 4].map((id) => person(id, `P${id}`, 1)), left: [], away: null });
  leads.turn.id = 4;
  draw([[2, [100, 100]], [3, [-50, 300]], [4, [900, 300]]]);
  assert.deepEqual(marks().map((mark) => find(mark, 'bdi').className !== 'unnamed'), [true, false, true]);
  assert.match(marks()[1]?.style.transform ?? '', /translate\(4/);
});
