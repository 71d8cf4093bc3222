import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find } from '../../../test/document';
import { room } from '../../../test/samples';
import type { Context } from '../../app/context';
import { type Drag, type Follower, createTools } from '../../app/tools';
import { mount } from './index';

const FOLLOWS: Follower = { point: () => undefined, leave: () => undefined, drift: () => undefined, cursor: () => null };
const DRAG: Drag = { begin: () => undefined, end: () => undefined, cancel: () => undefined };

function setUp() {
  createPage('<main id="stage"></main><p id="hint" hidden><span id="hint-mouse"></span><span id="hint-finger"></span></p>');
  const cursor = { used: false };
  const past = { shown: false };
  const tools = createTools({ name: 'steer', follows: FOLLOWS });
  tools.add({ name: 'draw', follows: FOLLOWS, drag: DRAG });
  tools.add({ name: 'inspect', follows: FOLLOWS });
  const here = room();
  const view = mount({
    tools,
    model: {
      room: () => here,
      role: () => 'viewer',
      leads: () => null,
      welcome: () => null,
      shown: () => ({}),
      past: () => past,
      status: () => ({ kind: 'connected' }),
    },
    ownCursor: { used: () => cursor.used },
    dock: { isOpen: () => false },
  } as unknown as Context);
  view.room?.(here);
  const hint = find(document, '#hint') as HTMLElement;
  const isShown = (): boolean => {
    view.figures?.(0);
    return !hint.hidden;
  };
  return { cursor, past, tools, hint, isShown };
}

test('the hint says how to steer until this person has steered', () => {
  const { cursor, hint, isShown } = setUp();
  assert.ok(isShown());
  assert.match(hint.textContent ?? '', /the flock follows/);
  cursor.used = true;
  assert.ok(!isShown());
});

test('a person who draws, or asks why a boid turns, reads no hint about steering', () => {
  const { tools, isShown } = setUp();
  for (const tool of ['draw', 'inspect']) {
    tools.take(tool);
    assert.ok(!isShown(), tool);
    tools.putDown();
    assert.ok(isShown(), tool);
  }
});

test('while the room shows its past, no hint tells people to steer', () => {
  const { past, isShown } = setUp();
  past.shown = true;
  assert.ok(!isShown());
});
