// The projector view: its greetings, and the code as people need it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, set } from '../../../test/document';
import { room, welcome } from '../../../test/samples';
import type { Context } from '../../app/context';
import { createModel } from '../../flock/model';
import type { Change } from '../../net/protocol';
import html from './index.html';
import { mount } from './index';

const person = (id: number): Change => ({
  ...{ id, identity: { id, name: `P${id}`, color: 0x4cc9f0 }, presenter: false, active: false, owner: false, team: 0 },
});

function setUp() {
  set('location', createPage(html).location);
  const model = createModel();
  const is = { open: true, fragment: '' };
  const coded: string[] = [];
  const code = {
    reach: async () => ({ roots: ['http://flock.example/'] }),
    drawCode: (_: Element, address: string) => coded.push(address),
    readable: (address: string) => address,
    roomBelow: (root: string, room: string) => `${root}r/${room}`,
  };
  const view = mount({
    ...{ model, keys: { on: () => undefined }, load: async () => code, say: () => undefined },
    dock: { isOpen: () => is.open },
    identity: { joinFragment: () => is.fragment },
    settings: { wasOpen: () => null },
  } as unknown as Context);
  model.subscribe(view);
  model.apply(welcome({ room: room() }), 0);
  let sequence = 0;
  const come = (...ids: number[]): void =>
    model.apply({ kind: 'presence', since: sequence, sequence: ++sequence, people: ids.map(person), left: [], away: null }, 0);
  come(7);
  return { view, is, coded, come };
}

test('greetings leave with the projector view: below them are buttons of the page', (t) => {
  t.mock.method(globalThis, 'setTimeout', () => 0);
  const { view, is, come } = setUp();
  come(1);
  const greetings = find(document, '#greetings');
  assert.equal(greetings.children.length, 1);
  is.open = false;
  view.opened?.(false);
  assert.equal(greetings.children.length, 0);
});

test('the code has the join key that the room gets while the view is open', async () => {
  const { view, is, coded } = setUp();
  const drawn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  view.opened?.(true);
  await drawn();
  is.fragment = '#join=owl';
  view.figures?.(0);
  view.figures?.(0);
  await drawn();
  assert.deepEqual(coded, ['http://flock.example/r/FK72MX', 'http://flock.example/r/FK72MX#join=owl']);
});
