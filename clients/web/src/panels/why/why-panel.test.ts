// The panel that explains one boid: when its sentence changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, fire, set } from '../../../test/document';
import { room } from '../../../test/samples';
import type { Context } from '../../app/context';
import type { Why } from '../../net/protocol';
import html from './index.html';
import { mount } from './index';

const explained = (boid: number): Why => ({
  ...{ kind: 'why', boid, shown: false, by: 7, tick: 9, pushes: [], near: [], seen: 0, crowding: 0 },
  motion: { x: 50, y: 50, vx: 2, vy: 0, nextX: 2, nextY: 0 },
  zones: { view: 50, viewAngle: 360, close: 20, closeAngle: 360 },
});

test('the sentence about another boid appears as soon as the server has explained it', () => {
  createPage(html);
  set('innerWidth', 1000);
  set('innerHeight', 600);
  let own: Why | null = null;
  const nothing = (): void => undefined;
  const panel = mount({
    model: {
      ...{ room, role: () => 'viewer', shown: () => null, welcome: () => null, people: { all: () => [] } },
      why: (shown: boolean) => (shown ? null : own),
    },
    ...{ source: { subscribe: nothing }, ask: nothing, held: { boid: null }, ownCursor: {}, layers: { add: nothing }, viewport: { camera: nothing } },
    dock: { isOpen: () => true, covers: () => ({ right: 0, bottom: 0 }) },
    tools: { add: nothing, take: nothing },
  } as unknown as Context);
  const sentence = (): string => find(document, '#why-text').textContent ?? '';
  panel.opened?.(true);
  for (const boid of [3, 4]) {
    find<HTMLInputElement>(document, '#why-number').value = String(boid);
    fire(find(document, '#why-number'), 'change');
    assert.equal(sentence(), '', 'nothing is known of it yet');
    own = explained(boid);
    panel.why?.(own);
    assert.match(sentence(), /^Flies straight on/, String(boid));
  }
});
