import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPresenter } from '../src/flock/presenter';
import type { Request, ServerError } from '../src/net/protocol';
import type { Answered } from '../src/net/requests';

const WRONG: ServerError = {
  kind: 'error',
  code: 'key',
  type: 7,
  tag: 1,
  field: 'key',
  name: '',
  message: 'not the key',
  fatal: false,
  after: 0,
};

function setUp(kept = '') {
  const asked: { request: Request; answer: Answered }[] = [];
  const store = { key: kept, refusals: 0, said: [] as string[] };
  const presenter = createPresenter({
    keys: { load: () => store.key, save: (key) => void (store.key = key) },
    ask: (request, answer) => asked.push({ request, answer: answer as Answered }),
    onWrong: () => store.refusals++,
    onRefused: ({ code }) => store.said.push(code),
  });
  return { presenter, asked, store };
}

test('the key from the address is stored for the hello', () => {
  const { presenter, store } = setUp();
  assert.equal(presenter.key(), '');
  assert.ok(presenter.take('#key=abc-123'));
  assert.equal(store.key, 'abc-123');
  assert.equal(presenter.key(), 'abc-123');
  assert.ok(presenter.take('#key=def&invite'), 'with any other parts of the fragment');
  assert.equal(presenter.key(), 'def');
});

test('a stored key survives a reload if it is valid', () => {
  assert.equal(setUp('abcdefgh1').presenter.key(), 'abcdefgh1');
  assert.equal(setUp('Not A Key').presenter.key(), '');
});

test('a wrong key is forgotten, from the hello or entered later', () => {
  const { presenter, store } = setUp('wrong-key');
  presenter.refused();
  assert.deepEqual([store.key, presenter.key(), store.refusals], ['', '', 1]);
  const late = setUp();
  late.presenter.take('#key=late');
  assert.deepEqual(late.asked[0].request, [7, 'late']);
  late.asked[0].answer(WRONG);
  assert.deepEqual([late.store.key, late.store.refusals], ['', 1]);
});

test('a right key entered later is stored', () => {
  const { presenter, asked, store } = setUp();
  presenter.take('#key=late');
  asked[0].answer({ kind: 'done', type: 7, tag: 1 });
  assert.equal(store.key, 'late');
});

test('a link with an old key does not lose the room: the key that the browser kept is shown again', () => {
  const { presenter, asked, store } = setUp('right');
  presenter.take('#key=old');
  assert.equal(presenter.key(), 'old', 'which may be a newer one');
  presenter.refused(); // in a hello
  assert.deepEqual(
    asked.map(({ request }) => request[1]),
    ['old', 'right'],
  );
  assert.deepEqual([store.key, presenter.key(), store.refusals], ['right', 'right', 0]);
  asked[1].answer(WRONG);
  assert.deepEqual([store.key, store.refusals, asked.length], ['', 1, 2], 'both are wrong');
});

test('a tab with an old key takes the new one of another tab', () => {
  const { presenter, asked, store } = setUp('old');
  store.key = 'new'; // another tab has made a new key
  presenter.refused();
  assert.deepEqual([store.key, presenter.key(), store.refusals], ['new', 'new', 0]);
  assert.deepEqual(asked[0].request, [7, 'new']);
});

test('a key that the server did not compare stays, and the page shows why', () => {
  const { presenter, asked, store } = setUp();
  presenter.take('#key=late');
  asked[0].answer({ ...WRONG, code: 'flood', after: 12 });
  assert.equal(store.key, 'late');
  assert.deepEqual(store.said, ['flood']);
  assert.equal(store.refusals, 0);
});

test('a new key replaces the old one', () => {
  const { presenter, store } = setUp('old');
  presenter.rekeyed('new');
  assert.deepEqual([presenter.key(), store.key], ['new', 'new']);
});

test('an invalid key is refused; a fragment without a key is unchanged', () => {
  const { presenter, store } = setUp();
  for (const fragment of ['#key=', '#key=Upper', '#key=a%20b', `#key=${'a'.repeat(65)}`])
    assert.equal(presenter.take(fragment), false, fragment);
  for (const fragment of ['', '#', '#help', '#a=b']) assert.equal(presenter.take(fragment), true, fragment);
  assert.equal(store.key, '');
});
