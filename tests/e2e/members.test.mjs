// Requests of presenters about the people of a room, and about the room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, createRoom, roomOf } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const { connect, control, hello, join, refused } = flock;

// A room with a presenter and two viewers in it.
async function together(t, options = []) {
  const server = await startServer(t, options);
  const made = await createRoom(server);
  const enter = (fields) => join(t, server.ws, { room: made.code, ...fields });
  const presenter = await enter({ name: 'Ada', key: made.key });
  const [ben, cem] = [await enter({ name: 'Ben' }), await enter({ name: 'Cem' })];
  for (const client of [presenter, ben, cem]) {
    await client.until('all are there', () => client.people.size === 3);
  }
  return { server, made, enter, presenter, ben, cem };
}

test('all members see who is a presenter', async (t) => {
  const { presenter, ben, cem } = await together(t);
  for (const client of [presenter, ben, cem]) {
    const presenters = [...client.people].filter(([, { flags }]) => flags & flock.PRESENTER);
    assert.deepEqual(presenters.map(([id]) => id), [presenter.id]);
  }
});

test('a person who moves a cursor is active until the cursor leaves', async (t) => {
  const { presenter, ben } = await together(t);
  const active = () => [...presenter.people].filter(([, { flags }]) => flags & flock.ACTIVE).map(([id]) => id);
  assert.deepEqual(active(), []);
  ben.send([flock.CURSOR, 100, 100]);
  await presenter.until('Ben is active', () => active().join() === String(ben.id));
  ben.send([flock.AWAY]);
  await presenter.until('and no more', () => active().length === 0);
});

test("a presenter locks viewers' cursors and frees them", async (t) => {
  const { presenter, ben } = await together(t);
  assert.deepEqual(control(ben, 'viewers').choices, ['steer', 'watch']);
  assert.equal(control(ben, 'viewers').value, 'steer');
  ben.send([flock.CURSOR, 100, 100]);
  await presenter.until("Ben's cursor leads", () => presenter.snapshot.target?.join() === '100,100');
  assert.equal(await presenter.ask([flock.SET, 'viewers', 'watch']), null);
  await ben.until('Ben is told', () => control(ben, 'viewers').value === 'watch');
  await presenter.until('his cursor is gone', () => !presenter.snapshot.cursors.has(ben.id));

  presenter.send([flock.CURSOR, 300, 200]);
  await presenter.until("the presenter's leads", () => presenter.snapshot.target?.join() === '300,200');
  ben.send([flock.CURSOR, 120, 120]);
  assert.equal(await ben.ask([flock.NAME, 'Benjamin']), null); // comes after the cursor
  const { tick } = presenter.snapshot;
  await presenter.until('some ticks', () => presenter.snapshot.tick > tick + 10);
  assert.deepEqual([...presenter.snapshot.cursors.keys()], [presenter.id]);
  assert.equal(presenter.snapshot.target.join(), '300,200');
  assert.ok(!ben.messages.some(([type]) => type === flock.ERROR), 'no error for a cursor that may be on its way');

  assert.equal(await presenter.ask([flock.SET, 'viewers', 'steer']), null);
  ben.send([flock.CURSOR, 100, 100]);
  await presenter.until('both lead', () => presenter.snapshot.target?.join() === '200,150');
});

test('an expelled person gets the reason, and the token is refused', async (t) => {
  const { server, made, presenter, ben, cem } = await together(t);
  assert.equal(await presenter.ask([flock.EXPEL, ben.id]), null);
  const { code, reason } = await ben.untilClosed();
  assert.equal(code, 3507);
  assert.ok(reason.length > 0);
  assert.deepEqual(ben.goodbye, { code: 3507, after: null });
  for (const client of [presenter, cem]) {
    await client.until('he is gone', () => !client.people.has(ben.id) && client.snapshot.people === 2);
  }
  const again = await connect(t, server.ws);
  const error = await refused(again, hello({ room: made.code, name: 'Ben', token: ben.welcome.token }));
  assert.deepEqual([error.code, error.fatal], ['removed', true], error.message);
  assert.equal((await again.untilClosed()).code, 3507);
  const elsewhere = await join(t, server.ws, { token: ben.welcome.token });
  assert.equal(elsewhere.room.code, 'lobby', 'other rooms are open to him');
  const unknown = await presenter.ask([flock.EXPEL, ben.id]);
  assert.deepEqual([unknown.code, unknown.field], ['range', 'id'], unknown.message);
  assert.equal(cem.closed, null);
});

test('an appointed person is a presenter until a presenter takes the role back', async (t) => {
  const { enter, presenter, ben, cem } = await together(t);
  assert.equal((await ben.ask([flock.SET, 'model', 'boids'])).code, 'role');
  assert.equal(await presenter.ask([flock.APPOINT, ben.id, 'presenter']), null);
  await ben.until('Ben is told', () => ben.role === 'presenter');
  assert.equal(await ben.ask([flock.SET, 'model', 'boids']), null);
  await cem.until('everyone sees both', () => cem.room.model === 'boids' && cem.people.get(ben.id).flags & flock.PRESENTER);

  ben.socket.close();
  await presenter.until('Ben is away', () => !presenter.people.has(ben.id));
  const again = await enter({ token: ben.welcome.token });
  assert.deepEqual([again.id, again.role], [ben.id, 'presenter']);

  assert.equal(await presenter.ask([flock.APPOINT, ben.id, 'viewer']), null);
  await again.until('Ben is told', () => again.role === 'viewer');
  assert.equal((await again.ask([flock.SET, 'model', 'swarm'])).code, 'role');
  await cem.until('everyone sees it', () => cem.people.get(ben.id)?.flags === 0);
  const unknown = await presenter.ask([flock.APPOINT, 4_000_000_000, 'presenter']);
  assert.deepEqual([unknown.code, unknown.field], ['range', 'id'], unknown.message);
});

test('after a rekey the old key no longer works, and presenters stay', async (t) => {
  const { server, made, enter, presenter, ben } = await together(t);
  assert.equal(await presenter.ask([flock.REKEY]), null);
  const { key } = presenter;
  assert.match(key, /^[a-z2-9]{24}$/);
  assert.notEqual(key, made.key);
  assert.ok(!ben.messages.some(([type]) => type === flock.NEW_KEY), 'nobody else is told');
  assert.equal((await ben.ask([flock.KEY, made.key])).code, 'key');
  assert.equal((await enter({ key: made.key })).role, 'viewer');
  assert.equal((await call(server, 'PATCH', roomOf(made), { body: { title: 'Mine' }, key: made.key })).status, 403);
  assert.equal(await presenter.ask([flock.SET, 'model', 'boids']), null);
  assert.equal(await ben.ask([flock.KEY, key]), null);
  assert.equal((await enter({ key })).role, 'presenter');
  assert.equal((await call(server, 'DELETE', roomOf(made), { key })).status < 300, true);
});

test('a presenter changes the title, and all members see it', async (t) => {
  const { server, made, presenter, ben } = await together(t);
  for (const title of ['Störche über Ulm', 'x'.repeat(64)]) {
    assert.equal(await presenter.ask([flock.TITLE, title]), null);
    await ben.until(title, () => ben.room.title === title);
    assert.equal((await call(server, 'GET', roomOf(made))).body.title, title);
  }
  for (const title of ['', 'x'.repeat(65), 'a\u0007b', 'a\u202eb']) {
    const error = await presenter.ask([flock.TITLE, title]);
    assert.deepEqual([error.code, error.field], ['range', 'title'], error.message);
  }
  assert.equal(ben.room.title, 'x'.repeat(64));
});
