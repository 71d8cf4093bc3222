// The list of people on the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, set } from '../../../test/document';
import { room, welcome } from '../../../test/samples';
import type { Context } from '../../app/context';
import { createModel } from '../../flock/model';
import type { Change } from '../../net/protocol';
import { mount } from './index';

const PAGE = `<details id="people"><summary><span id="people-count"></span></summary>
  <form id="name-form"><input id="name"></form><ul id="people-list"></ul><p id="people-more"></p></details>
  <template id="cursor-template"><svg><path></path></svg></template>`;

const person = (id: number): Change => ({
  ...{ id, identity: { id, name: `P${id}`, color: 0x4cc9f0 }, presenter: id === 7, active: false, owner: id === 7, team: 0 },
});

test('a presenter who types a name for a person keeps the focus while others come and leave', async () => {
  const page = createPage(PAGE);
  set('HTMLFormElement', page.HTMLFormElement);
  set('HTMLUListElement', page.HTMLUListElement);
  const model = createModel();
  const load = <Part>(part: () => Promise<Part>): Promise<Part> => part();
  const view = mount({ model, load, identity: {}, ask: () => undefined, say: () => undefined } as unknown as Context);
  model.subscribe(view);
  model.apply(welcome({ role: 'presenter', room: room() }), 0);
  const list = find(document, '#people-list');
  const names = (): string[] => [...list.querySelectorAll('bdi')].map(({ textContent }) => textContent ?? '');
  let sequence = 0;
  const change = (people: Change[], left: number[] = []): void =>
    model.apply({ kind: 'presence', since: sequence, sequence: ++sequence, people, left, away: null }, 0);
  change([7, 1, 2, 3].map(person));
  await new Promise((resolve) => setImmediate(resolve)); // the actions are loaded
  assert.deepEqual(names(), ['P7', 'P1', 'P2', 'P3']);
  const field = find<HTMLInputElement>(list.children[2], 'input');
  field.focus();
  change([person(4)], [1]);
  assert.deepEqual(names(), ['P7', 'P2', 'P3', 'P4']);
  assert.ok(document.activeElement === field, 'after one came and one left');
  change([{ ...person(4), identity: null, presenter: true }]);
  assert.deepEqual(names(), ['P7', 'P4', 'P2', 'P3']);
  assert.ok(document.activeElement === field, 'after one began to present');
});
