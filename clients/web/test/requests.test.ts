import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@msgpack/msgpack';
import { type ServerError, request } from '../src/net/protocol';
import { createRequests } from '../src/net/requests';

const error = (type: number, tag: number | null): ServerError => ({
  kind: 'error',
  code: 'range',
  type,
  tag,
  field: 'value',
  name: 'inertia',
  message: 'too much',
  fatal: false,
  after: 0,
});

function setUp(connected = true) {
  const sent: unknown[][] = [];
  const requests = createRequests((message) => {
    if (connected) sent.push(decode(message) as unknown[]);
    return connected;
  });
  const answers: [string, ServerError | null][] = [];
  return { requests, sent, answers, hear: (who: string) => (answer: ServerError | null) => answers.push([who, answer]) };
}

test('an answer finds whoever asked, by its tag', () => {
  const { requests, sent, answers, hear } = setUp();
  requests.ask(request.param('inertia', 5), hear('first'));
  requests.ask(request.param('inertia', 2), hear('second'));
  const [one, two] = sent.map((message) => message.at(-1) as number);
  assert.notEqual(one, two);
  const refusal = error(17, one);
  assert.ok(requests.take(refusal));
  assert.ok(requests.take({ kind: 'done', type: 17, tag: two }));
  assert.deepEqual(answers, [
    ['first', refusal],
    ['second', null],
  ]);
  assert.equal(requests.take(refusal), false, 'once');
});

test('what nobody asked for, or of another message, is nobody’s answer', () => {
  const { requests, sent, answers, hear } = setUp();
  requests.ask(request.reset(), hear('reset'));
  requests.ask(request.step());
  const [reset, step] = sent.map((message) => message.at(-1) as number);
  assert.equal(requests.take(error(20, null)), false);
  assert.equal(requests.take(error(17, reset)), false);
  assert.equal(requests.take(error(21, step)), false, 'nobody waits for this one');
  assert.deepEqual(answers, []);
});

test('what is not sent, and what was under way when the connection ended, is not answered', () => {
  const silent = setUp(false);
  silent.requests.ask(request.reset(), silent.hear('reset'));
  assert.equal(silent.requests.take({ kind: 'done', type: 20, tag: 1 }), false);
  const { requests, sent, answers, hear } = setUp();
  requests.ask(request.reset(), hear('reset'));
  requests.forget();
  assert.equal(requests.take({ kind: 'done', type: 20, tag: sent[0].at(-1) as number }), false);
  assert.deepEqual(answers, []);
});
