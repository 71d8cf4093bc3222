// Class modes: nearest, teams and relay, and the topic leads, as three people in a room notice them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, createRoom, roomOf } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const { join, teamOf } = flock;

// A presenter and three viewers, who all subscribed to leads.
async function schoolClass(t, fields = {}) {
  const server = await startServer(t, ['--cursor-timeout', '60']);
  const made = await createRoom(server, { model: 'boids', boids: 40, ...fields });
  const enter = (more) => join(t, server.ws, { room: made.code, topics: flock.TOPIC_LEADS, ...more });
  const presenter = await enter({ name: 'Ada', key: made.key });
  const [ben, cem, dan] = [await enter({ name: 'Ben' }), await enter({ name: 'Cem' }), await enter({ name: 'Dan' })];
  const all = [presenter, ben, cem, dan];
  for (const client of all) await client.until('all are there', () => client.people.size === 4);
  return { server, made, enter, presenter, ben, cem, dan, all };
}

const boidsOf = ({ leads }) => leads.leaders.reduce((sum, [, , , boids]) => sum + boids, 0);

test('a client without a subscription gets no leads; one that subscribes later gets them until it ends that', async (t) => {
  const { presenter, ben, enter } = await schoolClass(t, { policy: 'nearest' });
  assert.ok(presenter.welcome.capabilities.includes('topics'));
  const eve = await enter({ name: 'Eve', topics: 0 });
  ben.send([flock.CURSOR, 100, 100]);
  await presenter.until('Ben leads all', () => presenter.leads?.leaders.length === 1 && boidsOf(presenter) === 40);
  assert.equal(eve.leads, undefined);

  assert.equal(await eve.ask([flock.WANT, 0, 0, flock.TOPIC_LEADS]), null);
  await eve.until('Eve is told', () => eve.leads?.leaders.length === 1 && boidsOf(eve) === 40);
  assert.equal(await eve.ask([flock.WANT, 0, 0]), null);
  presenter.send([flock.CURSOR, 300, 300]);
  await eve.until('a want without topics changes nothing', () => eve.leads.leaders.length === 2);

  assert.equal(await eve.ask([flock.WANT, 0, 0, 4294967294]), null); // no topic that this server has
  const before = eve.messages.filter(([type]) => type === flock.LEADS).length;
  ben.send([flock.AWAY]);
  await presenter.until('Ben leads none', () => presenter.leads.leaders.length === 1);
  const { tick } = eve.snapshot;
  await eve.until('some more snapshots', () => eve.snapshot.tick > tick + 10);
  assert.equal(eve.messages.filter(([type]) => type === flock.LEADS).length, before);
});

test('nearest: each person is told how many boids follow them', async (t) => {
  const { presenter, ben, cem } = await schoolClass(t);
  assert.equal(await presenter.ask([flock.SET, 'policy', 'nearest']), null);
  await ben.until('nobody leads', () => ben.leads?.leaders.length === 0 && ben.leads.turn === null);
  const { width, height } = { width: presenter.room.world[0], height: presenter.room.world[1] };
  ben.send([flock.CURSOR, width / 4, height / 2]);
  cem.send([flock.CURSOR, (3 * width) / 4, height / 2]);
  await presenter.until('two leaders of all boids', () => presenter.leads.leaders.length === 2 && boidsOf(presenter) === 40);
  const [who, x, y, , people] = presenter.leads.leaders.find(([id]) => id === ben.id);
  assert.deepEqual([who, x, y, people], [ben.id, width / 4, height / 2, 1]);

  assert.equal(await presenter.ask([flock.SET, 'policy', 'mean']), null);
  await ben.until('it is over', () => ben.leads.leaders.length === 0);
  const count = ben.messages.filter(([type]) => type === flock.LEADS).length;
  const { tick } = ben.snapshot;
  await ben.until('some more snapshots', () => ben.snapshot.tick > tick + 15);
  assert.equal(ben.messages.filter(([type]) => type === flock.LEADS).length, count, 'an unchanged topic is not sent again');
});

test('teams: everyone is dealt, sees it, and can change', async (t) => {
  const { presenter, ben, cem, dan, all, enter } = await schoolClass(t);
  assert.equal((await ben.ask([flock.TEAM, 1]))?.code, 'state');
  assert.equal(await presenter.ask([flock.SET, 'policy', 'teams']), null);
  const teams = (client) => all.map(({ id }) => teamOf(client.people.get(id).flags));
  const sizes = (client) => [1, 2].map((team) => teams(client).filter((each) => each === team).length);
  for (const client of all) await client.until('two teams of two', () => sizes(client).join() === '2,2');

  const other = 3 - teamOf(presenter.people.get(ben.id).flags);
  assert.equal(await ben.ask([flock.TEAM, other]), null);
  for (const client of all) await client.until('Ben has moved', () => teamOf(client.people.get(ben.id).flags) === other);
  const error = await ben.ask([flock.TEAM, 3]);
  assert.deepEqual([error?.code, error?.field], ['range', 'team']);

  const eve = await enter({ name: 'Eve' });
  await presenter.until('Eve is in the smaller team', () => teamOf(presenter.people.get(eve.id)?.flags ?? 0) === 3 - other);

  // Ben's team follows the mean of its two cursors.
  const mate = [cem, dan, presenter].find(({ id }) => teamOf(presenter.people.get(id).flags) === other);
  ben.send([flock.CURSOR, 100, 100]);
  mate.send([flock.CURSOR, 140, 120]);
  await presenter.until('one team leads', () => presenter.leads.leaders.join() === [other, 120, 110, 40, 2].join());
  eve.send([flock.CURSOR, 300, 300]);
  await presenter.until('two teams lead', () => presenter.leads.leaders.length === 2 && boidsOf(presenter) === 40);

  assert.equal(await presenter.ask([flock.SET, 'policy', 'mean']), null);
  await ben.until('no teams', () => teams(ben).every((team) => team === 0));
});

test('relay: one person after the other leads, and a presenter skips', async (t) => {
  const { presenter, ben, cem, dan } = await schoolClass(t);
  assert.equal((await presenter.ask([flock.SKIP]))?.code, 'state');
  [ben, cem, dan].forEach((client, i) => client.send([flock.CURSOR, 100 * (i + 1), 100]));
  assert.equal(await presenter.ask([flock.SET, 'policy', 'relay']), null);
  await presenter.until('Ben leads for 10 s, Cem is next', () => presenter.leads?.turn?.join() === [ben.id, 10, cem.id].join());
  await presenter.until('the flock follows him alone', () => presenter.snapshot.target?.join() === '100,100');
  await presenter.until('a second passes', () => presenter.leads.turn[1] === 9);

  assert.equal((await ben.ask([flock.SKIP]))?.code, 'role');
  assert.equal(await presenter.ask([flock.SKIP]), null);
  await presenter.until('Cem leads', () => presenter.leads.turn.join() === [cem.id, 10, dan.id].join());
  await presenter.until('the flock follows Cem', () => presenter.snapshot.target?.join() === '200,100');
  assert.equal(await presenter.ask([flock.EXPEL, cem.id]), null);
  await presenter.until('Dan leads at once', () => presenter.leads.turn.join() === [dan.id, 10, ben.id].join());

  assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
  const { turn } = presenter.leads;
  await presenter.ask([flock.SKIP]);
  await presenter.until('a skip works in a paused room', () => presenter.leads.turn.join() === [ben.id, 10, dan.id].join());
  assert.equal(turn[0], dan.id);
});

const modeOf = (client) => ['policy', 'cursors'].map((name) => flock.control(client, name).value).join(' ');

test('presets that flee make sharks of all, and the next preset ends that', async (t) => {
  const { server, made, presenter, ben, enter } = await schoolClass(t, { policy: 'latest' });
  const choose = async (name, value) => assert.equal(await presenter.ask([flock.SET, name, value]), null);
  const shows = (mode) => ben.until(`the mode ${mode}`, () => modeOf(ben) === mode);
  await shows('latest lead');
  await choose('preset', 'sheep');
  await shows('nearest scare');
  await choose('preset', 'bees');
  await shows('latest lead');
  assert.equal(await presenter.ask([flock.UNDO]), null);
  await shows('nearest scare');
  assert.equal(await presenter.ask([flock.UNDO]), null);
  await shows('latest lead');

  // A branch knows what stood before.
  await choose('preset', 'sardines');
  const { status, body: branch } = await call(server, 'POST', `${roomOf(made)}/branch`, { key: made.key });
  assert.equal(status, 201, JSON.stringify(branch));
  const there = await enter({ name: 'Ada', room: branch.code, key: branch.key });
  assert.equal(modeOf(there), 'nearest scare');
  assert.equal(await there.ask([flock.SET, 'preset', 'march']), null);
  await there.until('it is put back', () => modeOf(there) === 'latest lead');
});

test('a room is created with the mode of its preset, unless the body has one', async (t) => {
  const server = await startServer(t, ['--preset', 'sheep']);
  const modeIn = async (fields) => modeOf(await join(t, server.ws, { room: (await createRoom(server, fields)).code }));
  assert.equal(modeOf(await join(t, server.ws)), 'nearest scare');
  assert.equal(await modeIn({}), 'nearest scare'); // as the lobby
  assert.equal(await modeIn({ preset: 'sardines' }), 'nearest scare');
  assert.equal(await modeIn({ preset: 'sardines', policy: 'relay' }), 'relay scare');
  assert.equal(await modeIn({ preset: 'sheep', cursors: 'lead' }), 'mean lead');
  assert.equal(await modeIn({ preset: 'bees' }), 'mean lead');

  const room = await createRoom(server, { preset: 'bees' });
  const pupil = await join(t, server.ws, { room: room.code });
  const change = async (body) => assert.equal((await call(server, 'PATCH', roomOf(room), { key: room.key, body })).status, 204);
  await change({ cursors: 'lead', preset: 'sheep' });
  await pupil.until('the body wins over its preset', () => flock.control(pupil, 'preset').value === 'sheep' && modeOf(pupil) === 'nearest lead');
});
