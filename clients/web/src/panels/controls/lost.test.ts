// The controls without a connection.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, fire, set } from '../../../test/document';
import { room, welcome } from '../../../test/samples';
import type { Context } from '../../app/context';
import { type Tool, createTools } from '../../app/tools';
import { createModel } from '../../flock/model';
import { createControls } from './controls';
import html from './index.html';
import { createRoomPanel } from './room';
import type { TimelineBar } from './timeline';

function setUp(click = 0) {
  const page = createPage(html);
  for (const name of ['HTMLFieldSetElement', 'HTMLFormElement'] as const) set(name, page[name]);
  set('location', page.location);
  set('Element', page.Element);
  const model = createModel();
  const steering = { leave: () => undefined };
  const tools = createTools({ name: 'steer', follows: steering } as unknown as Tool);
  const context = {
    ...{ model, tools, ask: () => undefined, say: () => undefined, keys: { on: () => undefined } },
    dock: { isOpen: () => true, toggle: () => undefined },
    ownCursor: { steering },
    identity: { presenter: { key: () => '' } },
  } as unknown as Context;
  const view = createControls(context, {} as TimelineBar);
  createRoomPanel(context);
  model.subscribe(view);
  const join = (): void => {
    model.apply(welcome({ role: 'presenter', room: room({ click, boidsMax: 100 }) }), 0);
    model.apply({ kind: 'status', status: { kind: 'connected' } }, 0);
  };
  join();
  return { tools, join, lose: () => model.apply({ kind: 'status', status: { kind: 'waiting', until: 0, code: 1006, reason: '' } }, 0) };
}

const isDisabled = (): boolean => find<HTMLFieldSetElement>(document, '#panel-all').disabled;

test('a person who types a title goes on typing when the connection is lost; other controls wait for it', async () => {
  const { join, lose } = setUp();
  find<HTMLButtonElement>(document, '#panel-initial').focus();
  lose();
  assert.ok(isDisabled());
  join();
  assert.ok(!isDisabled());
  const field = find<HTMLInputElement>(document, '#title');
  field.focus();
  lose();
  assert.ok(!isDisabled() && document.activeElement === field);
  fire(find(document, '#title-form'), 'submit');
  assert.ok(document.activeElement === field, 'the title waits for the connection');
  assert.ok(find<HTMLFieldSetElement>(document, '#transport').disabled);
  field.blur();
  fire(field, 'focusout');
  await new Promise((resolve) => setTimeout(resolve));
  assert.ok(isDisabled());
});

test('the preset’s tool is in hand again after a lost connection', () => {
  const { tools, join, lose } = setUp(1);
  assert.equal(tools.inHand().name, 'add');
  lose();
  assert.equal(tools.inHand().name, 'steer');
  join();
  assert.equal(tools.inHand().name, 'add');
});
