// Live control as in PROTOCOL.md: who may change the flock, the effects of a change, and that all members see it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as flock from './client.mjs';
import { root, runToEnd, startServer } from './server.mjs';

const { centroid, control, distance, join, param, refused } = flock;
const KEY_OF_TEST = 'key-of-the-test';

// A server, and a presenter and a viewer in its room.
async function together(t, args = []) {
  const server = await startServer(t, ['--presenter-key', KEY_OF_TEST, ...args]);
  const presenter = await join(t, server.ws, { name: 'Ada' });
  const role = presenter.next(flock.ROLE, 'the role');
  assert.equal(await presenter.ask([flock.KEY, KEY_OF_TEST]), null);
  assert.deepEqual(await role, [flock.ROLE, 'presenter']);
  const viewer = await join(t, server.ws, { name: 'Bob' });
  return { server, presenter, viewer };
}

// Sets a control and waits until both clients have the new value.
async function set({ presenter, viewer }, name, value) {
  presenter.send([flock.SET, name, value]);
  for (const client of [presenter, viewer]) {
    await client.until(`${name} is ${value}`, () => control(client, name).value === value);
  }
}

// The first snapshot after the client's last one.
async function nextSnapshot(client) {
  await client.next(flock.SNAPSHOT);
  return client.snapshot;
}

test('the printed link has the key; a wrong key is refused, and the client stays', async (t) => {
  const server = await startServer(t);
  const [, key] = server.stdout.match(/http:\/\/127\.0\.0\.1:\d+\/r\/lobby#key=([a-z0-9]+)\n/);
  assert.equal(server.stdout.split(key).length, 3, 'once for a browser, once for a terminal');
  assert.equal(key.length, 24);
  const client = await join(t, server.ws);
  assert.notEqual(client.welcome.role, 'presenter');
  const wrong = await refused(client, [flock.KEY, `${key.slice(1)}x`]);
  assert.deepEqual([wrong.code, wrong.field, wrong.fatal], ['key', 'key', false]);
  assert.equal((await refused(client, [flock.RESET])).code, 'role');
  const role = client.next(flock.ROLE);
  client.send([flock.KEY, key]);
  assert.deepEqual(await role, [flock.ROLE, 'presenter']);
  client.send([flock.SET, 'model', 'boids']);
  await client.until('the model is another', () => client.room.model === 'boids');
});

test('flockd takes a chosen key from the environment and prints it', async (t) => {
  const server = await startServer(t, [], { env: { FLOCKD_PRESENTER_KEY: KEY_OF_TEST } });
  assert.ok(server.stdout.includes(`${server.url}r/lobby#key=${KEY_OF_TEST}\n`), server.stdout);
});

test('a viewer changes nothing', async (t) => {
  const { viewer } = await together(t);
  const { room } = viewer;
  /** @type {import('./types.d.ts').Message[]} */
  const messages = [
    [flock.SET, 'model', 'boids'],
    [flock.PARAM, 'inertia', 0.5],
    [flock.ADD, 100, 100, 10],
    [flock.REMOVE, 1],
    [flock.RESET],
    [flock.STEP],
    [flock.TITLE, 'Mine'],
    [flock.EXPEL, 1],
    [flock.APPOINT, 2, 'presenter'],
    [flock.REKEY],
  ];
  const { epoch } = viewer.snapshot;
  for (const message of messages) {
    const { type, code, message: text, fatal } = await refused(viewer, message);
    assert.deepEqual([type, code, fatal], [message[0], 'role', false], text);
  }
  const { boids, epoch: epochAfter } = await nextSnapshot(viewer);
  assert.deepEqual([boids.length, epochAfter], [12, epoch]);
  assert.equal(viewer.room, room, 'no other room was told of');
});

test('all members see each change at once', async (t) => {
  const clients = await together(t);
  const { presenter, viewer } = clients;
  await set(clients, 'model', 'vision');
  assert.deepEqual([viewer.room.model, param(viewer, 'max_turn'), param(viewer, 'inertia')], ['vision', 4, undefined]);
  await set(clients, 'boundary', 'wrap');
  assert.equal(viewer.room.boundary, 'wrap');
  await set(clients, 'update', 'sequential');
  assert.equal(viewer.room.update, 'sequential');
  await set(clients, 'policy', 'latest');
  assert.equal(viewer.room.policy, 'latest');
  await set(clients, 'idle', 'hold');
  await viewer.until('nothing leads', () => viewer.snapshot.target === null);

  for (const client of [presenter, viewer]) {
    const values = client.next(flock.PARAMS, 'the parameters');
    presenter.send([flock.PARAM, 'max_turn', client === presenter ? 9 : 10]);
    assert.equal((await values)[1].length, client.room.params.length);
  }
  await viewer.until('its value is there', () => param(viewer, 'max_turn') === 10);

  await set(clients, 'preset', 'billiards');
  assert.deepEqual([viewer.room.model, viewer.room.boundary, viewer.room.world], ['birds', 'walls', [800, 500]]);
  assert.ok(viewer.room.walls.length > 0 && viewer.room.walls.every((wall) => wall.length === 4));
  await viewer.until('its boids are there', () => viewer.snapshot.boids.length === 60);
  const late = await join(t, viewer.socket.url);
  assert.deepEqual(late.room, viewer.room, 'whoever comes later knows the same');
});

test('without options the flock looks like the published swarm', async (t) => {
  for (const [args, look] of /** @type {[string[], unknown][]} */ ([
    [[], ['blur', 12]],
    [['--boids', '20'], undefined],
    [['--model', 'swarm'], undefined],
  ])) {
    const { viewer } = await together(t, args);
    assert.deepEqual(viewer.room.look, look, args.join(' '));
    assert.deepEqual(viewer.room.controls.find(([name]) => name === 'preset')?.[1], '', 'no preset is in force: the update order differs');
  }
});

test('a small flock can move one boid after another', async (t) => {
  const { presenter, viewer } = await together(t, ['--boids', '5001', '--tick-rate', '10']);
  const { code, field, name, message } = await refused(presenter, [flock.SET, 'update', 'sequential']);
  assert.deepEqual([code, field, name], ['full', 'value', 'update'], message);
  assert.match(message, /at most 5000 boids, got 5001$/);
  await set({ presenter, viewer }, 'preset', 'original');
  assert.equal(viewer.room.update, 'sequential');
  assert.deepEqual(viewer.room.look, ['blur', 12]);
  assert.equal(viewer.room.boids_max, 5000);
  assert.equal((await refused(presenter, [flock.ADD, 100, 100, 4989])).code, 'full');
  await set({ presenter, viewer }, 'update', 'synchronous');
  assert.ok(viewer.room.boids_max > 5000);
});

test('a model that needs an edge adds it to an open world', async (t) => {
  const clients = await together(t);
  const { viewer } = clients;
  assert.equal(viewer.room.boundary, 'open');
  await set(clients, 'model', 'steering');
  assert.equal(viewer.room.boundary, 'walls');
  await set(clients, 'boundary', 'open');
  assert.deepEqual([viewer.room.model, viewer.room.boundary], ['steering', 'open']);
  await set(clients, 'model', 'birds');
  assert.equal(viewer.room.boundary, 'wrap');
});

test('the error of a value out of range names the range and the value, and the flock continues', async (t) => {
  const { presenter, viewer } = await together(t);
  /** @type {[message: import('./types.d.ts').Message, code: string, field: string, text: RegExp][]} */
  const wrong = [
    [[flock.PARAM, 'inertia', 3.5], 'range', 'value', /^inertia: expected 0 to 3, got 3\.5$/],
    [[flock.PARAM, 'inertia', NaN], 'range', 'value', /nan/],
    [[flock.PARAM, 'inertia', '1'], 'malformed', 'value', /number.*"1"/],
    [[flock.PARAM, 'max_turn', 1], 'range', 'name', /swarm has no parameter max_turn/],
    [[flock.SET, 'model', 'geese'], 'range', 'value', /swarm, boids, vision, birds, steering, got geese$/],
    [[flock.SET, 'weather', 'rain'], 'range', 'name', /preset, model, .*got weather$/],
    [[flock.ADD, 1e6, 0, 1], 'range', 'x', /-3821 to 4370\.875, got 1000000$/],
    [[flock.ADD, 0, 0, 10_001], 'range', 'count', /1 to 10000, got 10001$/],
    [[flock.REMOVE, 0], 'range', 'count', /got 0$/],
    [[flock.STEP], 'state', '', /pause it first/],
    [[flock.TITLE, ''], 'range', 'title', /1 to 64/],
    [[flock.TITLE, 'x'.repeat(65)], 'range', 'title', /1 to 64/],
    [[flock.EXPEL, 4_000_000_000], 'range', 'id', /4000000000/],
    [[flock.APPOINT, 1, 'king'], 'range', 'role', /viewer.*presenter.*king/],
  ];
  const values = presenter.room.params.map(([, , , , , value]) => value);
  for (const [message, code, field, text] of wrong) {
    const error = await refused(presenter, message);
    assert.deepEqual([error.type, error.code, error.field, error.fatal], [message[0], code, field, false], error.message);
    const named = [flock.SET, flock.PARAM].includes(message[0]) ? message[1] : '';
    assert.equal(error.name, named, error.message);
    assert.match(error.message, text);
  }
  const { tick } = viewer.snapshot;
  await viewer.until('the flock goes on', () => viewer.snapshot.tick > tick + 5);
  assert.deepEqual([presenter.closed, viewer.snapshot.boids.length], [null, 12]);
  assert.deepEqual(viewer.room.params.map(([, , , , , value]) => value), values);
});

test('boids appear where they are added, are removed, and start again', async (t) => {
  const { presenter, viewer } = await together(t);
  presenter.send([flock.SET, 'run', 'paused']);
  presenter.send([flock.ADD, 500, 350, 100]);
  await viewer.until('112 boids', () => viewer.snapshot.boids.length === 112);
  assert.ok(distance(centroid(viewer.snapshot.boids.slice(12)), [500, 350]) < 20);
  const { epoch } = viewer.snapshot;
  presenter.send([flock.REMOVE, 110]);
  await viewer.until('2 boids', () => viewer.snapshot.boids.length === 2);
  assert.ok(viewer.snapshot.epoch > epoch);
  presenter.send([flock.RESET]);
  await viewer.until('12 boids', () => viewer.snapshot.boids.length === 12);
  assert.ok(viewer.snapshot.epoch > epoch + 1);
});

test('all members get an event of each change at once, with the person', async (t) => {
  const { presenter, viewer } = await together(t);
  const { name: who } = presenter.welcome;
  presenter.send([flock.RESET]);
  presenter.send([flock.SET, 'preset', 'march']);
  for (let speed = 1; speed <= 3; speed += 0.0625) presenter.send([flock.PARAM, 'speed', speed]); // the drag of a slider
  const happened = [
    { name: 'reset', what: '', from: '', to: '' },
    { name: 'set', what: 'preset', from: '', to: 'march' },
    { name: 'param', what: 'speed', from: '3.4', to: '3' },
  ].map((event) => ({ by: presenter.id, who, ...event }));
  for (const client of [presenter, viewer]) {
    await client.until('all has happened', () => client.events.at(-1)?.to === '3');
    await client.next(flock.SNAPSHOT, 'a snapshot after it'); // an event may come before the snapshot of its tick
    assert.deepEqual(
      client.events.map(({ tick, ...event }) => event),
      happened,
    );
    assert.ok(client.events.every(({ tick }) => tick <= client.snapshot.tick));
  }
  const late = await join(t, viewer.socket.url);
  await late.next(flock.SNAPSHOT);
  assert.deepEqual(late.events, [], 'who comes later missed nothing that it could still see');
});

test('while the room is paused only steps tick, and cursors still move', async (t) => {
  const clients = await together(t);
  const { presenter, viewer } = clients;
  await set(clients, 'run', 'paused');
  const still = await nextSnapshot(viewer);
  viewer.send([flock.CURSOR, 10, 20]);
  await presenter.until('the cursor is there', () => presenter.snapshot.cursors.has(viewer.id));
  assert.deepEqual(presenter.snapshot.boids, still.boids);
  assert.equal(presenter.snapshot.tick, still.tick);
  assert.ok(presenter.snapshot.time > still.time);
  for (let steps = 1; steps <= 3; steps += 1) {
    presenter.send([flock.STEP]);
    await viewer.until('one tick more', () => viewer.snapshot.tick === still.tick + steps);
  }
  assert.notDeepEqual(viewer.snapshot.boids, still.boids);
  await set(clients, 'run', 'running');
  await viewer.until('time goes on', () => viewer.snapshot.tick > still.tick + 10);
});

test('only the presenter leads, or the nearest cursor leads', async (t) => {
  const clients = await together(t);
  const { presenter, viewer } = clients;
  await set(clients, 'policy', 'presenter');
  viewer.send([flock.CURSOR, 500, 350]);
  presenter.send([flock.CURSOR, 50, 60]);
  await viewer.until('the presenter leads', () => viewer.snapshot.target?.join() === '50,60');
  await set(clients, 'policy', 'nearest');
  await viewer.until('there is no one target', () => viewer.snapshot.cursors.size === 2 && viewer.snapshot.target === null);
});

test('with --open-controls everyone is a presenter', async (t) => {
  const server = await startServer(t, ['--open-controls']);
  assert.doesNotMatch(server.stdout, /#key=/);
  const [one, other] = [await join(t, server.ws), await join(t, server.ws)];
  assert.deepEqual([one.welcome.role, other.welcome.role], ['presenter', 'presenter']);
  one.send([flock.SET, 'model', 'birds']);
  await other.until('the model is birds', () => other.room.model === 'birds');
  other.send([flock.SET, 'model', 'boids']);
  await one.until('the model is boids', () => one.room.model === 'boids');
});

test('a presenter who comes back with a token is still a presenter', async (t) => {
  const { server, presenter, viewer } = await together(t);
  presenter.socket.close();
  await viewer.until('the presenter has left', () => !viewer.people.has(presenter.id));
  const again = await join(t, server.ws, { token: presenter.welcome.token });
  assert.deepEqual([again.id, again.welcome.role], [presenter.id, 'presenter']);
  again.send([flock.SET, 'model', 'boids']);
  await viewer.until('the model is another', () => viewer.room.model === 'boids');
  const other = await join(t, server.ws, { token: viewer.welcome.token });
  assert.notEqual(other.welcome.role, 'presenter');
});

test('a slider dragged 240 times a second slows no other client', async (t) => {
  const { presenter, viewer } = await together(t);
  const from = viewer.messages.length;
  const { tick, time } = viewer.snapshot;
  let sent = 0;
  // Paced by the server's clock: a machine that stalls at times does not turn it into a flood.
  await viewer.until('3 seconds of dragging', () => {
    const due = Math.min(720, sent + 240, (viewer.snapshot.time - time) * 240e-6);
    for (; sent < due; sent += 1) {
      presenter.send([flock.PARAM, 'inertia', 1 + (sent + 1) / 1000]);
    }
    return sent === 720;
  });
  await viewer.until('the last value is there', () => Math.abs(param(viewer, 'inertia') - 1.72) < 1e-6);
  await viewer.next(flock.SNAPSHOT, 'a snapshot after it'); // of the same tick, or a later one
  const seen = viewer.messages.slice(from);
  const ticks = viewer.snapshot.tick - tick;
  const told = seen.filter(([type]) => type === flock.PARAMS).length;
  assert.ok(told <= ticks + 1, `the parameters ${told} times in ${ticks} ticks: not for each message`);
  assert.ok(seen.filter(([type]) => type === flock.ROOM).length <= 1, 'the room is the same, but for something to undo');
  assert.deepEqual([presenter.closed, viewer.closed], [null, null]);
  assert.ok(!presenter.messages.some(([type]) => type === flock.ERROR), 'nothing was refused');
  const done = () => presenter.messages.filter(([type, of]) => type === flock.DONE && of === flock.PARAM).length;
  await presenter.until('each of them is answered', () => done() === 720);
});

const source = readFileSync(`${root}/server/sim/presets.c`, 'utf8');
const PRESETS = [...source.matchAll(/^ {4}\{\.name = "([a-z0-9-]+)"/gm)].map(([, name]) => name);

test('every preset is a flock that moves', async (t) => {
  assert.ok(PRESETS.length >= 7, PRESETS.join());
  for (const preset of PRESETS) {
    await t.test(preset, async (each) => {
      const server = await startServer(each, ['--preset', preset]);
      const client = await join(each, server.ws);
      assert.equal(control(client, 'preset').value, preset);
      assert.deepEqual(control(client, 'preset').choices, PRESETS);
      const { tick, boids } = client.snapshot;
      await client.until('ten ticks', () => client.snapshot.tick >= tick + 10 && client.snapshot.boids.length === boids.length);
      const moved = boids.filter((place, i) => distance(place, client.snapshot.boids[i]) > 1).length;
      assert.ok(moved > boids.length / 2, `${moved} of ${boids.length} have moved`);
    });
  }
});

const WRONG = [
  { args: ['--set', 'inertia'], says: /--set: 'inertia' is not KEY=VALUE/ },
  { args: ['--set', 'inertia=4'], says: /--set: 'inertia=4': expected a number from 0 to 3/ },
  { args: ['--set', 'speed=4'], says: /--set: 'speed=4': the model swarm has no such parameter; it has separation_min, / },
  { args: ['--model', 'boids', '--set', 'inertia=1'], says: /the model boids has no such parameter/ },
  { args: ['--preset', 'geese'], says: /--preset: 'geese' is not one of original\|/ },
  { args: ['--model', 'geese'], says: /--model: 'geese' is not one of swarm\|/ },
  { args: ['--world', '800'], says: /--world: '800' is not .*WxH/ },
  { args: ['--boundary', 'fence'], says: /--boundary: 'fence' is not one of open\|wrap\|walls/ },
  { args: ['--update', 'random'], says: /--update: 'random' is not one of synchronous\|sequential/ },
  { args: ['--update', 'sequential', '--boids', '5001'], says: /--update: sequential allows at most 5000 boids/ },
  { args: ['--presenter-key', 'short'], says: /--presenter-key: expected 8-64 of a-z, 0-9 and -/ },
  { args: [], env: { FLOCKD_SET: 'inertia=x' }, says: /inertia=x/ },
];

for (const { args, env, says } of WRONG) {
  test(`refused with one line and status 2: ${env ? 'FLOCKD_SET=inertia=x' : args.join(' ')}`, async (t) => {
    const { code, stdout, stderr } = await runToEnd(t, args, { env });
    assert.match(stderr, /^flockd: [^\n]+\n$/, 'one line');
    assert.match(stderr, says);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });
}

test('the command line\'s options make the flock', async (t) => {
  const args = ['--model', 'boids', '--world', '800x600', '--boundary', 'walls', '--boids', '34', '--set', 'max_speed=5'];
  const server = await startServer(t, [...args, '--set', 'seek_weight=1,max_force=0.1', '--policy', 'latest']);
  const client = await join(t, server.ws);
  const { model, world, boundary, policy } = client.room;
  assert.deepEqual({ model, world, boundary, policy }, { model: 'boids', world: [800, 600], boundary: 'walls', policy: 'latest' });
  assert.equal(client.snapshot.boids.length, 34);
  assert.deepEqual([param(client, 'max_speed'), param(client, 'seek_weight')], [5, 1]);
});
