import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@msgpack/msgpack';
import { createPresenter } from '../src/presenter';

function setUp(kept = '') {
  const sent: unknown[] = [];
  const roles: boolean[] = [];
  const store = { key: kept };
  const presenter = createPresenter({
    keys: { load: () => store.key, save: (key) => void (store.key = key) },
    send: (message) => sent.push(decode(message)),
    onChange: (is) => roles.push(is),
  });
  return { presenter, sent, roles, store };
}

test("the key of the address is kept, and said after each welcome that makes a viewer", () => {
  const { presenter, sent, roles, store } = setUp();
  assert.ok(presenter.take('#key=abc-123'));
  assert.equal(store.key, 'abc-123');
  assert.deepEqual(sent, [], 'not before there is a connection');
  presenter.welcomed('viewer');
  assert.deepEqual(sent, [[6, 'abc-123']]);
  presenter.became('presenter');
  presenter.welcomed('viewer');
  assert.deepEqual(sent.length, 2, 'after a reconnect');
  assert.deepEqual(roles, [true], 'and nothing flickers meanwhile');
});

test('a key kept from before the page was loaded again is said', () => {
  const { presenter, sent } = setUp('abcdefgh1');
  presenter.welcomed('viewer');
  assert.deepEqual(sent, [[6, 'abcdefgh1']]);
});

test('who is welcomed as a presenter says no key; a viewer without one neither', () => {
  const { presenter, sent, roles } = setUp('abcdefgh1');
  presenter.welcomed('presenter');
  assert.deepEqual([sent, roles], [[], [true]]);
  const other = setUp();
  other.presenter.welcomed('viewer');
  assert.deepEqual([other.sent, other.roles], [[], []]);
});

test('a wrong key is forgotten', () => {
  const { presenter, sent, roles, store } = setUp('wrong-key');
  presenter.welcomed('viewer');
  presenter.refused();
  presenter.welcomed('viewer');
  assert.equal(sent.length, 1);
  assert.equal(store.key, '');
  assert.deepEqual(roles, []);
});

test('a key that the address gets later is said at once', () => {
  const { presenter, sent } = setUp();
  presenter.welcomed('viewer');
  presenter.take('#key=late');
  assert.deepEqual(sent, [[6, 'late']]);
});

test('what can be no key is refused, and what is none is left alone', () => {
  const { presenter, store } = setUp();
  for (const fragment of ['#key=', '#key=Upper', '#key=a%20b', `#key=${'a'.repeat(65)}`])
    assert.equal(presenter.take(fragment), false, fragment);
  for (const fragment of ['', '#', '#help', '#a=b']) assert.equal(presenter.take(fragment), true, fragment);
  assert.equal(store.key, '');
});

test('a role can be taken away', () => {
  const { presenter, roles } = setUp();
  presenter.welcomed('presenter');
  presenter.became('viewer');
  assert.deepEqual(roles, [true, false]);
  assert.equal(presenter.is(), false);
});
