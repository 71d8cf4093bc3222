// People of a cluster's tests: many of them in one process. Each remembers its welcomes, and checks every frame: after another welcome
// no frame of the room's earlier owner may come.
import assert from 'node:assert/strict';
import { decode, encode } from '@msgpack/msgpack';
import WebSocket from 'ws';
import { atEnd } from '../e2e/atend.mjs';
import * as flock from '../e2e/numbers.mjs';
import { until } from '../e2e/until.mjs';

const HELLO_ENCODINGS = ['packed', 'plain'];

export class Person {
  id = 0;
  name = '';
  color = 0;
  instance = 0;
  role = '';
  /** @type {any[]} */
  welcomes = [];
  /** @type {Map<number, string>} */
  answers = new Map();
  /** @type {number | null} */
  closed = null;
  /** @type {any} */
  last = null;
  /** @type {any} */
  token = null;
  newKey = ''; // of a rekey
  /** @type {any} */
  room = null; // as the last welcome describes it
  /** @type {WebSocket} */
  socket;
  there = true;
  frames = 0;
  gap = 0; // ms: the longest time between two frames, also when a welcome came between them
  seen = Infinity; // when the last frame came
  back = 0; // frames of an earlier owner

  /** @param {string} url @param {{ name?: string, key?: string, rate?: number, room?: string, joinKey?: string, token?: any, from?: string }} options `from`: the address */
  constructor(url, { name = '', key = '', rate = 0, room = 'lobby', joinKey = '', token = null, from } = {}) {
    this.url = url;
    this.from = from;
    this.token = token;
    this.hello = { name, key, rate, room, joinKey };
    this.connect();
  }

  connect() {
    Object.assign(this, { welcomes: [], answers: new Map(), closed: null, last: null, there: true, frames: 0, gap: 0, seen: Infinity, back: 0 });
    this.socket = new WebSocket(`${this.url}?room=${this.hello.room}`, 'flock.v1', { perMessageDeflate: false, localAddress: this.from });
    this.socket.binaryType = 'nodebuffer';
    this.socket.on('open', () => this.say());
    this.socket.on('message', (bytes) => this.take(/** @type {any[]} */ (decode(/** @type {Buffer} */ (bytes)))));
    this.socket.on('error', () => {}); // the close has the code, too
    this.socket.on('close', (code) => (this.closed = code));
  }

  say() {
    const { name, key, rate, room, joinKey } = this.hello;
    this.send([flock.HELLO, 1, room, name, { encodings: HELLO_ENCODINGS, rate, ...(key && { key }), ...(joinKey && { join: joinKey }), ...(this.token && { token: this.token }) }]);
  }

  send(message) {
    this.socket.send(encode(message));
  }

  take(message) {
    switch (message[0]) {
      case flock.WELCOME:
        return this.begin(message[1]);
      case flock.ROLE:
        this.role = message[1];
        return;
      case flock.NEW_KEY:
        this.newKey = message[1];
        return;
      case flock.REACH:
        this.there = message[1];
        return;
      case flock.DONE:
        this.answers.set(message[2], 'done');
        return;
      case flock.ERROR:
        this.answers.set(message[3], message[1]);
        return;
      case flock.SNAPSHOT:
      case flock.PACKED:
        return this.see(message);
    }
  }

  begin({ id, name, color, role = 'viewer', token, room }) {
    this.welcomes.push({ id, name, color, role, instance: room.instance, after: this.last, at: performance.now() });
    Object.assign(this, { id, name, color, role, token, room, instance: room.instance });
    this.last = null; // times of another clock cannot be compared
    this.there = true;
  }

  see([, epoch, tick, time, people, x, y]) {
    const at = performance.now();
    if (this.last !== null) {
      if (tick < this.last.tick || time <= this.last.time) this.back++;
    } else if (this.welcomes.length > 1) {
      this.welcomes.at(-1).first = { tick, time, at };
    }
    this.gap = Math.max(this.gap, at - this.seen);
    this.seen = at;
    this.last = { epoch, tick, time, people, target: [x, y], at };
    this.frames++;
  }

  /** Whether a frame came within the last ms. */
  sees(within = 500) {
    return this.last !== null && performance.now() - this.last.at < within;
  }

  /** The time for which the last change of the owner was visible: ms between the last frame of the earlier and the first of the present one. */
  pause() {
    const { after, first } = this.welcomes.at(-1);
    return first.at - after.at;
  }

  /** Asserts that this is the same person as at first, on the same connection. */
  assertSame() {
    const [first] = this.welcomes;
    for (const { id, name, color, role } of this.welcomes) {
      assert.deepEqual({ id, name, color, role }, { id: first.id, name: first.name, color: first.color, role: first.role });
    }
    assert.equal(this.closed, null, 'the connection stays');
    assert.equal(this.back, 0, 'no frame of an earlier owner');
  }
}

// Joins, and waits for frames.
/** @param {import('../e2e/types.d.ts').Test} t @param {string} url @param {object} options */
export async function come(t, url, options = {}) {
  const person = new Person(url, options);
  atEnd(t, () => person.socket.terminate());
  await until('a person sees the flock', () => person.frames > 2, () => `closed: ${person.closed}, welcomes: ${person.welcomes.length}, frames: ${person.frames}`, 30_000);
  return person;
}

/** @param {import('../e2e/types.d.ts').Test} t @param {string[]} urls @param {number} count @param {object} options */
export const comeAll = (t, urls, count, options = {}) =>
  Promise.all(Array.from({ length: count }, (_, i) => come(t, urls[i % urls.length], { name: `P${i}`, ...options })));
