// Access to the room, and its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPage } from '../../../test/document';
import { room, welcome } from '../../../test/samples';
import type { Context } from '../../app/context';
import { createModel } from '../../flock/model';
import type { Answer, RoomSummary, RoomsApi } from '../../net/rooms-api';
import { texts } from '../../texts/texts';
import { roomTexts } from '../../texts/room';
import { createAdmission } from './admission';

const said = roomTexts[texts.language as 'en'];
const REFUSED = { ok: false, refusal: { status: 0, code: '', field: '', message: '', retryAfter: 0 } } as const;
const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(onEnd: () => void = () => undefined) {
  createPage();
  const model = createModel();
  const server: { found: Answer<RoomSummary> } = { found: REFUSED };
  const end = async (): Promise<Answer<true>> => {
    onEnd();
    return { ok: true, value: true };
  };
  const api = { find: async () => server.found, end } as unknown as RoomsApi;
  const identity = { presenter: { key: () => 'the-key' }, joinKey: () => '' };
  const view = createAdmission({ model, identity, ask: () => undefined, say: () => undefined } as unknown as Context, api);
  document.body.append(view.element);
  model.subscribe(view);
  model.apply({ kind: 'status', status: { kind: 'connected' } }, 0);
  model.apply(welcome({ role: 'presenter', room: room() }), 0);
  return { model, view, server };
}

test('the page asks again whether the room is listed, if it had no answer', async () => {
  const { model, view, server } = setUp();
  const box = [...view.element.querySelectorAll('label')].find(({ textContent }) => textContent === said.listed)?.querySelector('input');
  await answered();
  assert.equal(box?.checked, false);
  server.found = { ok: true, value: { listed: true } as RoomSummary };
  model.apply({ kind: 'room', room: room() }, 0); // after the next connection
  await answered();
  assert.equal(box?.checked, true);
});

test('a room does not end while its presenter has no connection, and so cannot take that back', (t) => {
  const ticks: (() => void)[] = [];
  t.mock.method(globalThis, 'setInterval', (run: () => void) => ticks.push(run));
  t.mock.method(globalThis, 'clearInterval', () => ticks.splice(0));
  let [now, ended] = [1000, 0];
  t.mock.method(performance, 'now', () => now);
  const { model, view } = setUp(() => ended++);
  const button = (text: string): HTMLButtonElement => [...view.element.querySelectorAll('button')].find(({ textContent }) => textContent === text) as HTMLButtonElement;
  const pass = (): void => {
    now += 11_000;
    ticks.splice(0).forEach((tick) => tick());
  };
  button(said.end).click();
  model.apply({ kind: 'status', status: { kind: 'waiting', until: 0, code: 1006, reason: '' } }, 0);
  pass();
  assert.deepEqual([ended, button(said.undo).hidden, button(said.end).hidden], [0, true, false]);
  model.apply({ kind: 'status', status: { kind: 'connected' } }, 0);
  button(said.end).click();
  pass();
  assert.equal(ended, 1);
});
