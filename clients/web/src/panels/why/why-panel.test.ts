// The panel that explains one boid: when its sentence changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, fire, set } from '../../../test/document';
import { room } from '../../../test/samples';
import type { Context } from '../../app/context';
import type { Request, Why } from '../../net/protocol';
import type { Answered } from '../../net/requests';
import html from './index.html';
import { mount } from './index';

const explained = (boid: number): Why => ({
  ...{ kind: 'why', boid, shown: false, by: 7, tick: 9, pushes: [], near: [], seen: 0, crowding: 0 },
  motion: { x: 50, y: 50, vx: 2, vy: 0, nextX: 2, nextY: 0 },
  zones: { view: 50, viewAngle: 360, close: 20, closeAngle: 360 },
});

/** Opens the panel of a viewer. `hear` brings a message of the server, `answer` the answer to the oldest pick without one. */
function open() {
  createPage(html);
  set('innerWidth', 1000);
  set('innerHeight', 600);
  let own: Why | null = null;
  const waiting: Answered[] = [];
  const nothing = (): void => undefined;
  const panel = mount({
    model: {
      ...{ room, role: () => 'viewer', shown: () => null, welcome: () => null, people: { all: () => [] } },
      why: (shown: boolean) => (shown ? null : own),
    },
    ask: (_: Request, answered?: Answered) => answered && waiting.push(answered),
    ...{ source: { subscribe: nothing }, held: { boid: null }, ownCursor: {}, layers: { add: nothing }, viewport: { camera: nothing } },
    dock: { isOpen: () => true, covers: () => ({ right: 0, bottom: 0 }) },
    tools: { add: nothing, take: nothing },
  } as unknown as Context);
  panel.opened?.(true);
  return {
    sentence: (): string => find(document, '#why-text').textContent ?? '',
    figures: (): number => find(document, '#why-pushes').children.length,
    choose(boid: number): void {
      find<HTMLInputElement>(document, '#why-number').value = String(boid);
      fire(find(document, '#why-number'), 'change');
    },
    answer: (): void => waiting.shift()?.({ kind: 'done', type: 53, tag: 1 }),
    hear(why: Why): void {
      own = why;
      panel.why?.(why);
    },
  };
}

const ended: Why = { ...explained(0), boid: null, by: 0, tick: 0, motion: null };

test('the sentence about another boid appears as soon as the server has explained it', () => {
  const page = open();
  for (const boid of [3, 4]) {
    page.choose(boid);
    assert.equal(page.sentence(), '', 'nothing is known of it yet');
    page.hear(explained(boid));
    assert.match(page.sentence(), /^Flies straight on/, String(boid));
  }
});

test('a pick that the server has ended is said, and its figures go', (t) => {
  const page = open();
  page.choose(3);
  page.answer();
  page.hear(explained(3));
  assert.equal(page.figures(), 1, 'the sum');
  t.mock.method(performance, 'now', () => 1e9); // people have read the sentence
  page.hear(ended);
  assert.equal(page.sentence(), 'Others want to look at a boid. Pick another one.');
  assert.equal(page.figures(), 0);
  page.hear(explained(3)); // late, or of an older server
  assert.equal(page.sentence(), 'Others want to look at a boid. Pick another one.');
  page.choose(3);
  page.answer();
  page.hear(explained(3));
  assert.match(page.sentence(), /^Flies straight on/);
});

test('the end of an earlier pick does not end the next one', () => {
  for (const boid of [4, 3]) {
    const page = open();
    page.choose(3);
    page.choose(boid);
    page.answer(); // of the first
    page.hear(ended); // of the first
    page.answer();
    page.hear(explained(boid));
    assert.match(page.sentence(), /^Flies straight on/, String(boid));
  }
});
