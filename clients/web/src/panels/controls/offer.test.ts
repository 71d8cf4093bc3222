// The offer to change the class mode: once in a room, to presenters, when more than six cursors lead together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, set } from '../../../test/document';
import { room } from '../../../test/samples';
import type { Context } from '../../app/context';
import type { Request } from '../../net/protocol';
import html from './index.html';
import { createOffer } from './offer';

function setUp(kept = new Map<string, string>()) {
  createPage(html);
  set('ResizeObserver', class { observe(): void {} });
  set('sessionStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
  const state = { cursors: 0, policy: 'mean', role: 'presenter', attention: null as string | null, tool: 'steer' };
  const asked: Request[] = [];
  const choices = ['mean', 'nearest', 'teams'].map((value) => ({ value, text: '', saved: false }));
  const model = {
    room: () => room({ policy: state.policy, attention: state.attention, controls: [{ name: 'policy', value: state.policy, choices, text: '' }] }),
    role: () => state.role,
    status: () => ({ kind: 'connected' }),
    past: () => ({ shown: false }),
    timeline: () => ({ newest: () => ({ cursors: { size: state.cursors } }) }),
  };
  const tools = { inHand: () => ({ name: state.tool }) };
  const view = createOffer({ model, tools, ask: (request: Request) => asked.push(request), settings: { room: 'FK72MX' } } as unknown as Context);
  const look = (changes: Partial<typeof state> = {}): boolean => {
    Object.assign(state, changes);
    view.figures?.(0);
    return !find(document, '#offer').hidden;
  };
  const click = (id: string): void => find<HTMLButtonElement>(document, id).click();
  return { look, click, asked, kept };
}

test('seven cursors make the offer, six do not, and it stays while cursors rest', () => {
  const { look } = setUp();
  assert.ok(!look({ cursors: 6 }));
  assert.ok(look({ cursors: 7 }));
  assert.match(find(document, '#offer-text').textContent ?? '', /^7 cursors/);
  assert.ok(look({ cursors: 3 }), 'it does not vanish below the mouse');
  assert.ok(!look({ attention: 'Look up' }));
  assert.ok(look({ attention: null, cursors: 9 }));
});

test('it takes no clicks from a tool that draws, adds or picks boids', () => {
  const { look } = setUp();
  assert.ok(!look({ cursors: 30, tool: 'draw' }));
  assert.ok(look({ tool: 'steer' }));
  for (const tool of ['draw', 'inspect', 'add']) assert.ok(!look({ tool }), tool);
  assert.ok(look({ tool: 'steer' }), 'it is not answered yet');
});

test('it is for presenters, in the mode together', () => {
  assert.ok(!setUp().look({ cursors: 30, role: 'viewer' }));
  assert.ok(!setUp().look({ cursors: 30, policy: 'latest' }));
});

test('an answer is enough for this room', () => {
  for (const [button, requests] of [['#offer-dismiss', []], ['#offer-nearest', [[16, 'policy', 'nearest']]], ['#offer-teams', [[16, 'policy', 'teams']]]] as const) {
    const { look, click, asked, kept } = setUp();
    assert.ok(look({ cursors: 7 }));
    click(button);
    assert.ok(!look());
    assert.deepEqual(asked, requests);
    assert.ok(!setUp(kept).look({ cursors: 30 }), 'nor after a reload');
  }
});

test('a presenter who has tried another mode gets no offer', () => {
  const { look } = setUp();
  look({ policy: 'relay' });
  assert.ok(!look({ policy: 'mean', cursors: 30 }));
});
