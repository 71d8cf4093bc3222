import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@msgpack/msgpack';
import { type Done, type ServerError, request } from '../src/net/protocol';
import { type Outcome, createRequests } from '../src/net/requests';

const LOST = { kind: 'lost' };

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
  const clock = { now: 0 };
  const requests = createRequests(
    (message) => {
      if (connected) sent.push(decode(message) as unknown[]);
      return connected;
    },
    () => clock.now,
  );
  const answers: [string, Outcome][] = [];
  return { requests, clock, sent, answers, hear: (who: string) => (outcome: Outcome) => answers.push([who, outcome]) };
}

test('an answer finds its request by its tag', () => {
  const { requests, sent, answers, hear } = setUp();
  requests.ask(request.param('inertia', 5), hear('first'));
  requests.ask(request.param('inertia', 2), hear('second'));
  const [one, two] = sent.map((message) => message.at(-1) as number);
  assert.notEqual(one, two);
  const refusal = error(17, one);
  const done: Done = { kind: 'done', type: 17, tag: two };
  assert.ok(requests.take(refusal));
  assert.ok(requests.take(done));
  assert.deepEqual(answers, [
    ['first', refusal],
    ['second', done],
  ]);
  assert.equal(requests.take(refusal), false, 'once');
});

test('an answer without a request, or to another type of message, is ignored', () => {
  const { requests, sent, answers, hear } = setUp();
  requests.ask(request.reset(), hear('reset'));
  requests.ask(request.step());
  const [reset, step] = sent.map((message) => message.at(-1) as number);
  assert.equal(requests.take(error(20, null)), false);
  assert.equal(requests.take(error(17, reset)), false);
  assert.equal(requests.take(error(21, step + 1)), false);
  assert.deepEqual(answers, []);
  assert.equal(requests.take(error(21, step)), false, 'without a callback a refusal is still reported');
});

test('without a connection a request fails at once', () => {
  const { requests, answers, hear } = setUp(false);
  requests.ask(request.reset(), hear('reset'));
  assert.deepEqual(answers, [['reset', LOST]]);
  assert.equal(requests.take({ kind: 'done', type: 20, tag: 1 }), false);
});

test('requests without an answer fail with the connection, each once', () => {
  const { requests, sent, answers, hear } = setUp();
  requests.ask(request.reset(), hear('reset'));
  requests.ask(request.step(), (outcome) => {
    hear('step')(outcome);
    requests.ask(request.undo(), hear('undo'));
  });
  requests.lose();
  assert.deepEqual(answers, [
    ['reset', LOST],
    ['step', LOST],
  ]);
  assert.equal(requests.take({ kind: 'done', type: 20, tag: sent[0].at(-1) as number }), false);
  assert.ok(requests.take({ kind: 'done', type: 26, tag: sent[2].at(-1) as number }), 'a later request still gets its answer');
});

test('a request that the server skipped fails when a later one is answered', () => {
  const { requests, sent, answers, hear } = setUp();
  requests.ask(request.reset(), hear('reset'));
  requests.ask(request.step(), hear('step'));
  requests.ask(request.step(), hear('last'));
  const done: Done = { kind: 'done', type: 21, tag: sent[1].at(-1) as number };
  assert.ok(requests.take(done));
  assert.deepEqual(answers, [
    ['reset', LOST],
    ['step', done],
  ]);
});

test('a request that the server ignored fails after ten seconds if no later one is answered', () => {
  const { requests, clock, sent, answers, hear } = setUp();
  requests.ask(request.reset(), hear('reset'));
  clock.now = 5000;
  requests.ask(request.step(), hear('step'));
  requests.expire();
  clock.now = 9999;
  requests.expire();
  assert.deepEqual(answers, []);
  clock.now = 10_000;
  requests.expire();
  requests.expire();
  assert.deepEqual(answers, [['reset', LOST]], 'once, and the later one still waits');
  const [reset, step] = sent.map((message) => message.at(-1) as number);
  assert.equal(requests.take(error(20, reset)), false, 'a late refusal is still reported');
  const done: Done = { kind: 'done', type: 21, tag: step };
  assert.ok(requests.take(done));
  assert.deepEqual(answers.at(-1), ['step', done]);
});
