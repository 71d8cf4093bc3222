import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode as unpack, encode } from '@msgpack/msgpack';
import { type Connection, type Socket, type Status, createConnection } from '../src/net/connection';
import { type ServerMessage, request } from '../src/net/protocol';
import { welcomeMap } from './samples';

class FakeSocket implements Socket {
  binaryType: BinaryType = 'blob';
  readyState = 0;
  bufferedAmount = 0;
  onopen: ((event: Event) => unknown) | null = null;
  onmessage: ((event: MessageEvent<unknown>) => unknown) | null = null;
  onclose: ((event: CloseEvent) => unknown) | null = null;
  sent: unknown[][] = [];
  closed: number | undefined;

  send(data: Uint8Array): void {
    this.sent.push(unpack(data) as unknown[]);
  }
  close(code?: number): void {
    this.closed = code;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.(new Event('open'));
  }
  say(message: unknown): void {
    const bytes = encode(message);
    this.onmessage?.({
      data: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    } as MessageEvent<unknown>);
  }
  end(code: number, reason = ''): void {
    this.onclose?.({ code, reason } as CloseEvent);
  }
}

interface Bench {
  connection: Connection;
  sockets: FakeSocket[];
  statuses: Status[];
  messages: ServerMessage[];
  token: Uint8Array | null;
  key: string;
  want: { rate: number; boids: number };
  /** Moves the simulated clock forward. */
  pass(ms: number): void;
  last(): FakeSocket;
}

function setUp(): Bench {
  let now = 1000;
  let beat = (): void => undefined;
  const bench: Bench = {
    connection: undefined as unknown as Connection,
    sockets: [],
    statuses: [],
    messages: [],
    token: null,
    key: '',
    want: { rate: 60, boids: 0 },
    pass(ms) {
      for (const end = now + ms; now < end; ) {
        now += 100;
        beat();
      }
    },
    last: () => bench.sockets.at(-1) as FakeSocket,
  };
  bench.connection = createConnection({
    url: 'ws://test/ws',
    room: 'FK72MX',
    encodings: ['packed', 'plain'],
    name: () => 'Ada',
    key: () => bench.key,
    join: () => '',
    want: () => bench.want,
    tokens: { load: () => bench.token, save: (token) => void (bench.token = token) },
    platform: {
      open(url, protocol) {
        assert.equal(url, 'ws://test/ws');
        assert.equal(protocol, 'flock.v1');
        bench.sockets.push(new FakeSocket());
        return bench.last();
      },
      now: () => now,
      every: (_, run) => void (beat = run),
      random: () => 1,
    },
    onStatus: (status) => bench.statuses.push(status),
    onMessage: (message) => bench.messages.push(message),
  });
  bench.connection.start();
  return bench;
}

function connected(): Bench {
  const bench = setUp();
  bench.last().open();
  bench.last().say([64, welcomeMap()]);
  return bench;
}

const tokenSaid = (bench: Bench): unknown => (bench.last().sent[0].at(-1) as { token?: unknown }).token;

const kinds = (bench: Bench): string[] => bench.statuses.map((status) => status.kind);

test('the page sends hello first, is connected after the welcome, and keeps the token', () => {
  const bench = setUp();
  assert.deepEqual(kinds(bench), ['connecting']);
  bench.connection.cursor(1, 2);
  bench.last().open();
  const options = { encodings: ['packed', 'plain'], rate: 60 };
  assert.deepEqual(bench.last().sent, [[1, 1, 'FK72MX', 'Ada', options]]);
  bench.last().say([64, welcomeMap()]);
  assert.deepEqual(kinds(bench), ['connecting', 'connected']);
  assert.deepEqual(bench.token, new Uint8Array(16).fill(1));
  bench.connection.cursor(1, 2);
  bench.connection.away();
  bench.connection.ask(request.name('Eve'));
  assert.deepEqual(bench.last().sent.slice(1), [[2, 1, 2], [3], [5, 'Eve', 1]]);
});

test('hello has the present key and want', () => {
  const bench = connected();
  bench.key = 'abc-1';
  bench.want = { rate: 15, boids: 1000 };
  bench.last().end(1006);
  bench.connection.retry();
  bench.last().open();
  const token = new Uint8Array(16).fill(1);
  assert.deepEqual(bench.last().sent[0].at(-1), {
    token,
    key: 'abc-1',
    encodings: ['packed', 'plain'],
    rate: 15,
    boids: 1000,
  });
});

test('a key that finds the server full is wrong, as a rule: the next hello goes without it, and the welcome is asked about it', () => {
  const bench = connected();
  const keyOfHello = (): unknown => {
    bench.connection.retry();
    bench.last().open();
    return (bench.last().sent[0].at(-1) as { key?: string }).key;
  };
  bench.last().end(1006);
  bench.key = 'old';
  assert.equal(keyOfHello(), 'old');
  for (let times = 0; times < 6; times++) {
    bench.last().end(3001);
    assert.equal(keyOfHello(), undefined, 'wrong keys are counted');
  }
  bench.last().say([64, welcomeMap()]);
  assert.deepEqual(bench.last().sent.slice(1), [[7, 'old', 1]]);
  bench.last().say([74, 'key', 7, 1, 'key', '', 'not the key', false, 0]);
  assert.equal(bench.messages.at(-1)?.kind, 'error', 'the page takes the answer as that to a hello');
  bench.last().end(3001);
  bench.key = 'new';
  assert.equal(keyOfHello(), 'new', 'another key has not been tried yet');
});

test('an answer goes to its request only', () => {
  const bench = connected();
  const answers: string[] = [];
  for (const name of ['inertia', 'speed'])
    bench.connection.ask(request.param(name, 5), (outcome) => answers.push(outcome.kind === 'error' ? outcome.name : outcome.kind));
  const [first, second] = bench
    .last()
    .sent.slice(1)
    .map((message) => message.at(-1));
  bench.last().say([74, 'range', 17, first, 'value', 'inertia', 'too much', false]);
  bench.last().say([73, 17, second]);
  assert.deepEqual(answers, ['inertia', 'done']);
  bench.connection.ask(request.reset());
  bench.last().say([74, 'role', 20, bench.last().sent.at(-1)?.at(-1), '', '', 'presenters only', false]);
  bench.last().say([74, 'range', 2, null, 'x', '', 'too far', false]);
  const kinds = bench.messages.map((message) => (message.kind === 'error' ? message.code : message.kind));
  assert.deepEqual(kinds, ['welcome', 'role', 'range']);
});

test('a request without an answer fails when the connection ends, and so does a request without a connection', () => {
  const bench = connected();
  const answers: string[] = [];
  const hear = ({ kind }: { kind: string }): void => void answers.push(kind);
  bench.connection.ask(request.reset(), hear);
  const tag = bench.last().sent.at(-1)?.at(-1);
  bench.last().end(1006);
  assert.deepEqual(answers, ['lost']);
  bench.connection.ask(request.reset(), hear);
  assert.deepEqual(answers, ['lost', 'lost']);
  bench.connection.retry();
  bench.last().open();
  bench.last().say([64, welcomeMap()]);
  bench.last().say([73, 20, tag]);
  assert.deepEqual(answers, ['lost', 'lost']);
});

test('the page reconnects when the server said', () => {
  const bench = connected();
  bench.last().say([77, 3000, 4000]);
  bench.last().end(3000, 'the server is shutting down');
  bench.pass(3900);
  assert.equal(bench.sockets.length, 1);
  bench.pass(100);
  assert.equal(bench.sockets.length, 2);
  bench.last().end(1006);
  bench.pass(1000);
  assert.equal(bench.sockets.length, 3, 'the server’s time counts once');
});

test('a server cannot make the page wait for longer than 10 minutes', () => {
  const bench = connected();
  bench.last().say([77, 3000, 0xffffffff]);
  bench.last().end(3000);
  bench.pass(599_900);
  assert.equal(bench.sockets.length, 1);
  bench.pass(100);
  assert.equal(bench.sockets.length, 2);
});

test('no cursor is sent while the network is full', () => {
  const bench = connected();
  bench.last().bufferedAmount = 16_384;
  assert.equal(bench.connection.cursor(1, 2), true);
  bench.last().bufferedAmount = 16_385;
  assert.equal(bench.connection.cursor(3, 4), false);
  assert.deepEqual(bench.last().sent.slice(1), [[2, 1, 2]]);
});

test('a final goodbye is final, also if the connection breaks before the close', () => {
  const bench = connected();
  bench.last().say([77, 3506, null]);
  bench.last().end(1006);
  assert.deepEqual(bench.connection.status(), { kind: 'closed', code: 3506, reason: '' });
});

test('after a goodbye without a time, the client chooses the time', () => {
  const bench = connected();
  bench.last().say([77, 3001, null]);
  bench.last().end(3001, 'the room is full');
  bench.pass(600);
  assert.equal(bench.sockets.length, 2);
});

test('the page reconnects as the same person', () => {
  const bench = connected();
  bench.pass(6000);
  bench.last().end(3000, 'the server is shutting down');
  const waiting = bench.connection.status();
  assert.ok(waiting.kind === 'waiting');
  assert.equal(waiting.reason, 'the server is shutting down');
  bench.pass(400);
  assert.equal(bench.sockets.length, 1);
  bench.pass(200);
  assert.equal(bench.sockets.length, 2);
  bench.last().open();
  assert.deepEqual(tokenSaid(bench), new Uint8Array(16).fill(1));
});

test('the page waits longer with each failure, and forgets failures after a long connection', () => {
  const bench = setUp();
  const waits: number[] = [];
  const fail = (): void => {
    bench.last().end(1006);
    const status = bench.connection.status();
    assert.ok(status.kind === 'waiting');
    let waited = 0;
    for (const count = bench.sockets.length; bench.sockets.length === count; waited += 100) bench.pass(100);
    waits.push(waited);
  };
  for (let i = 0; i < 7; i++) fail();
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 15000, 15000]);
  bench.last().open();
  bench.last().say([64, welcomeMap()]);
  bench.pass(300);
  fail();
  assert.equal(waits.at(-1), 15000, 'a welcome that does not last is no success');
  bench.last().open();
  bench.last().say([64, welcomeMap()]);
  for (let i = 0; i < 6; i++) {
    bench.last().say([99]);
    bench.pass(1000);
  }
  fail();
  assert.equal(waits.at(-1), 500);
});

test('the page connects at once on request', () => {
  const bench = setUp();
  for (let i = 0; i < 5; i++) {
    bench.last().end(1006);
    bench.connection.retry();
  }
  assert.equal(bench.sockets.length, 6);
  bench.connection.retry();
  assert.equal(bench.sockets.length, 6, 'an attempt that is under way is not disturbed');
});

test('the page does not reconnect after a final close', () => {
  for (const code of [3500, 3501, 3502, 3503, 3504, 3505, 3506, 3507, 3508, 3509]) {
    const bench = connected();
    bench.last().end(code, 'because');
    bench.pass(60_000);
    bench.connection.retry();
    assert.equal(bench.sockets.length, 1, String(code));
    assert.deepEqual(bench.connection.status(), { kind: 'closed', code, reason: 'because' });
  }
});

test('after a final close a person can join again, as the same person or a new one', () => {
  const bench = connected();
  bench.last().end(3504);
  bench.connection.rejoin(false);
  bench.last().open();
  assert.deepEqual(tokenSaid(bench), new Uint8Array(16).fill(1));
  bench.last().end(3504);
  bench.connection.rejoin(true);
  bench.last().open();
  assert.equal(tokenSaid(bench), undefined);
});

test('silence and a missing welcome count as a lost connection', () => {
  const silent = connected();
  silent.pass(10_200);
  assert.equal(silent.connection.status().kind, 'waiting');
  assert.ok(silent.sockets[0].closed !== undefined);
  const mute = setUp();
  mute.last().open();
  mute.pass(10_200);
  assert.equal(mute.connection.status().kind, 'waiting');
});

test('the page measures the silence of the server; without a connection it is 0', () => {
  const bench = connected();
  bench.pass(4000);
  assert.equal(bench.connection.silence(), 4000);
  bench.last().say([99]);
  assert.equal(bench.connection.silence(), 0);
  bench.pass(200);
  bench.last().end(1006);
  bench.pass(300);
  assert.equal(bench.connection.silence(), 0);
});

test('the page accepts up to 10 s of silence, before and after the welcome', () => {
  const silent = connected();
  silent.pass(10_000);
  assert.equal(silent.connection.status().kind, 'connected');
  silent.pass(100);
  const { reason } = silent.connection.status() as { reason: string };
  assert.deepEqual([reason, silent.sockets[0].closed], ['the server fell silent', 3400]);
  const mute = setUp();
  mute.last().open();
  mute.pass(10_000);
  assert.equal(mute.connection.status().kind, 'connecting');
  mute.pass(100);
  assert.deepEqual([(mute.connection.status() as { reason: string }).reason, mute.sockets[0].closed], ['no answer', 3401]);
});

test('a hello in line may wait longer, because the server says so', () => {
  const { last, pass, connection, messages } = setUp();
  last().open();
  pass(9000);
  last().say([74, 'join', 1, null, 'join', '', 'about 12 s', false, 12]);
  assert.equal(messages.at(-1)?.kind, 'error');
  pass(10_000);
  assert.equal(connection.status().kind, 'connecting');
  pass(100);
  assert.equal(connection.status().kind, 'waiting');
});

test('the page sends pings and computes the latency from the pongs', () => {
  const bench = connected();
  bench.pass(100);
  const [type, t] = bench.last().sent.at(-1) as [number, number];
  assert.equal(type, 4);
  bench.last().say([72, t, 5_000_000]);
  assert.equal(bench.connection.clock().roundTrip(), 0);
});

test('a request without an answer is lost while the connection lives', () => {
  const bench = connected();
  const answers: string[] = [];
  bench.connection.ask(request.step(), ({ kind }) => answers.push(kind));
  const hear = (): void => bench.last().say([72, 0, 0]);
  for (let passed = 0; passed < 9000; passed += 1000) {
    bench.pass(1000);
    hear();
  }
  assert.deepEqual(answers, []);
  bench.pass(1000);
  assert.deepEqual([answers, bench.connection.status().kind], [['lost'], 'connected']);
});

test('messages of an old socket are ignored', () => {
  const bench = connected();
  const old = bench.last();
  const handler = old.onmessage;
  old.end(1006);
  bench.connection.retry();
  const count = bench.messages.length;
  old.onmessage = handler;
  old.say([67, 0, 1, [], []]);
  assert.equal(bench.messages.length, count);
});

test('malformed messages are counted and change nothing', () => {
  const bench = connected();
  bench.last().say([68, 'nonsense']);
  bench.last().say({});
  assert.equal(bench.connection.malformed(), 2);
  assert.equal(bench.connection.status().kind, 'connected');
});

test('nothing is sent to a socket that is closing', () => {
  const bench = connected();
  const { length } = bench.last().sent;
  bench.last().readyState = 3;
  assert.equal(bench.connection.cursor(1, 2), false);
  bench.connection.ask(request.name('Eve'));
  bench.pass(3000);
  assert.equal(bench.last().sent.length, length);
});

test('another welcome begins again: open requests are lost, the token is kept, the clock starts anew, and nothing is closed', () => {
  const bench = connected();
  const answers: string[] = [];
  bench.pass(100);
  const sent = bench.last().sent.find(([type]) => type === 4);
  bench.last().say([72, sent?.[1], 5_000_000]);
  assert.notEqual(bench.connection.clock().offset(), null);
  bench.connection.ask(request.reset(), ({ kind }) => answers.push(kind));
  const tag = bench.last().sent.at(-1)?.at(-1);
  bench.last().say([64, { ...welcomeMap(), token: new Uint8Array(16).fill(2) }]);
  assert.deepEqual(answers, ['lost']);
  assert.equal(bench.connection.clock().offset(), null);
  assert.deepEqual(bench.token, new Uint8Array(16).fill(2));
  bench.last().say([73, 20, tag]);
  assert.deepEqual(answers, ['lost'], 'an answer to what was asked before is ignored');
  assert.equal(bench.connection.status().kind, 'connected');
  assert.equal(bench.sockets.length, 1);
  assert.equal(bench.last().closed, undefined);
});

test('while the server cannot reach the room, the page reconnects without closing its connection', () => {
  const bench = connected();
  const answers: string[] = [];
  bench.last().say([84, false]);
  assert.equal(bench.connection.status().kind, 'connecting');
  assert.equal(bench.connection.cursor(1, 2), false);
  bench.connection.ask(request.reset(), ({ kind }) => answers.push(kind));
  assert.deepEqual(answers, ['lost']);
  for (let i = 0; i < 30; i++) {
    const pings = bench.last().sent.filter(([type]) => type === 4);
    bench.pass(1000);
    bench.last().say([72, pings.at(-1)?.[1] ?? 0, 1]);
  }
  assert.equal(bench.sockets.length, 1, 'pongs are enough');
  bench.last().say([84, false]);
  bench.last().say([84, true]);
  assert.deepEqual(kinds(bench), ['connecting', 'connected', 'connecting', 'connected']);
  bench.last().say([84, false]);
  bench.last().say([64, welcomeMap()]);
  assert.equal(bench.connection.status().kind, 'connected', 'another welcome ends it, too');
});

test('a server that cannot reach the room and falls silent is left', () => {
  const bench = connected();
  bench.last().say([84, false]);
  bench.pass(10_200);
  assert.equal(bench.connection.status().kind, 'waiting');
});

test('a server cannot strand a page before its welcome', () => {
  const bench = setUp();
  bench.last().open();
  bench.last().say([84, false]);
  bench.last().say([84, true]);
  assert.deepEqual(kinds(bench), ['connecting']);
});
