// The invitation: what its buttons copy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage, find, set } from '../../../test/document';
import { room, welcome } from '../../../test/samples';
import type { Context } from '../../app/context';
import { createModel } from '../../flock/model';
import html from './index.html';
import { mount } from './index';

test('over plain HTTP the button copies the room’s address, also after the link for another server was copied', async () => {
  const page = createPage(html);
  set('location', page.location);
  set('HTMLSelectElement', page.HTMLSelectElement);
  set('navigator', { clipboard: undefined });
  const copied: string[] = [];
  const field = find<HTMLInputElement>(document, '#invite-address');
  document.execCommand = () => copied.push(field.value) > 0;
  const model = createModel();
  const dock = { isOpen: () => false, toggle: () => undefined };
  const identity = { joinKey: () => '', joinFragment: () => '' };
  const view = mount({ model, dock, identity, load: () => new Promise(() => undefined) } as unknown as Context);
  model.subscribe(view);
  model.apply(welcome({ room: room() }), 0);
  for (const button of ['#invite-setup button', '#invite-copy']) {
    find<HTMLButtonElement>(document, button).click();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.match(copied[0], /^http:\/\/localhost:8390\/\?model=swarm/);
  assert.equal(copied[1], 'http://localhost:8390/r/FK72MX');
});
