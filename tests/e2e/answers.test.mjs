// Each request is answered once, in order, with its tag.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const { join, readError } = flock;

/** @param {import('./types.d.ts').Message} message */
const isAnswer = ([type]) => type === flock.DONE || type === flock.ERROR;

// [type, tag, whether it was done] of an answer.
const read = (answer) => (answer[0] === flock.DONE ? [answer[1], answer[2], true] : [answer[2], answer[3], false]);

async function presenterOf(t, fields = {}) {
  const server = await startServer(t);
  const { code, key } = await createRoom(server);
  return { server, code, key, client: await join(t, server.ws, { room: code, key, ...fields }) };
}

test('in a burst, each request is answered once, in order', async (t) => {
  const { client } = await presenterOf(t);
  client.send([flock.SET, 'run', 'paused', 0]);
  /** @type {[message: import('./types.d.ts').Message, done: boolean | null][]} */
  const kinds = [
    [[flock.PARAM, 'inertia', 1.5], true],
    [[flock.PARAM, 'wings', 2], false],
    [[flock.WANT, 0, 0], true],
    [[flock.STEP], true],
    [[flock.CURSOR, 100, 100], null],
    [[flock.NAME, 'Ann'], true],
    [[flock.PING, 1], null],
    [[flock.ADD, 100, 100, 1], true],
    [[flock.ADD, 100, 100, 0], false],
    [[flock.SET, 'model', 'geese'], false],
    [[flock.REMOVE, 1], true],
    [[flock.AWAY], null],
  ];
  const expected = [[flock.SET, 0, true]];
  for (let tag = 1; tag <= 110; tag += 1) {
    const [message, done] = kinds[tag % kinds.length];
    client.send(done === null ? message : [...message, tag]);
    if (done !== null) expected.push([message[0], tag, done]);
  }
  const answers = () => client.messages.filter(isAnswer);
  await client.until('all answers', () => answers().length >= expected.length);
  assert.deepEqual(answers().map(read), expected);
  const { tick } = client.snapshot;
  assert.equal(await client.ask([flock.STEP]), null);
  await client.until('one tick more', () => client.snapshot.tick > tick);
  assert.equal(answers().length, expected.length + 1, 'and no other');
});

test('a tag is any number, and optional', async (t) => {
  const { client } = await presenterOf(t);
  for (const tag of [0, 7, 7, 2 ** 32 - 1, null]) {
    const answer = client.next(flock.DONE);
    client.send(tag === null ? [flock.RESET] : [flock.RESET, tag]);
    assert.deepEqual(await answer, [flock.DONE, flock.RESET, tag]);
  }
  const error = client.next(flock.ERROR);
  client.send([flock.REMOVE, 0]);
  assert.deepEqual([readError(await error).type, readError(await error).tag], [flock.REMOVE, null]);
});

test('a request\'s effects for its sender come before its done', async (t) => {
  const { client, server, code, key } = await presenterOf(t);
  const viewer = await join(t, server.ws, { room: code });
  /** @type {[asking: import('./types.d.ts').Client, message: import('./types.d.ts').Message, brings: number][]} */
  const cases = [
    [viewer, [flock.KEY, key], flock.ROLE],
    [viewer, [flock.WANT, 10, 5], flock.STREAM],
    [client, [flock.REKEY], flock.NEW_KEY],
    [client, [flock.APPOINT, client.id, 'viewer'], flock.ROLE],
  ];
  for (const [asking, message, brings] of cases) {
    const from = asking.messages.length;
    assert.equal(await asking.ask(message), null);
    const types = asking.messages.slice(from).map(([type]) => type);
    assert.ok(types.includes(brings) && types.indexOf(brings) < types.indexOf(flock.DONE), `${message}: ${types}`);
  }
});

test('after a done, a new member sees the change', async (t) => {
  const { client, server, code } = await presenterOf(t);
  for (const model of ['boids', 'vision', 'birds', 'steering', 'swarm']) {
    assert.equal(await client.ask([flock.SET, 'model', model]), null);
    const late = await join(t, server.ws, { room: code });
    assert.equal(late.welcome.room.model, model);
    late.socket.close();
  }
});

test('cursor, away and ping are answered by errors only', async (t) => {
  const { client } = await presenterOf(t);
  client.send([flock.CURSOR, 100, 100]);
  client.send([flock.AWAY]);
  client.send([flock.PING, 7]);
  await client.next(flock.PONG);
  assert.equal(await client.ask([flock.NAME, 'Ann']), null);
  assert.equal(client.messages.filter(isAnswer).length, 1);
  const error = await flock.refused(client, [flock.CURSOR, 1e9, 100]);
  assert.deepEqual([error.type, error.tag, error.code], [flock.CURSOR, null, 'range']);
});
