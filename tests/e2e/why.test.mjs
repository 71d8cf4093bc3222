// Why a boid turns: picks and their explanations over the wire, as a presenter and two pupils notice them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const { join } = flock;
const TOPICS = flock.TOPIC_WHY + flock.TOPIC_SHOWN;
const ELSEWHERE = { localAddress: '127.0.0.66' };

async function lesson(t, fields = {}) {
  const server = await startServer(t, ['--cursor-timeout', '60']);
  const made = await createRoom(server, { model: 'boids', boids: 60, idle: 'hold', ...fields });
  const enter = (more, options = {}) => join(t, server.ws, { room: made.code, topics: TOPICS, ...more }, options);
  const presenter = await enter({ name: 'Ada', key: made.key });
  return { presenter, enter, ben: await enter({ name: 'Ben' }), cem: await enter({ name: 'Cem' }) };
}

/** The velocity after the vectors. */
const added = ({ motion: [, , vx, vy], pushes }) => pushes.reduce(([x, y], [, px, py]) => [x + px, y + py], [vx, vy]);

function assertAddsUp(why) {
  const [x, y] = added(why);
  const [, , , , nextX, nextY] = why.motion;
  assert.ok(Math.hypot(x - nextX, y - nextY) < 1e-3, `${x}, ${y} instead of ${nextX}, ${nextY}`);
}

test('everyone has the explanation of one boid of their own', async (t) => {
  const { ben, cem } = await lesson(t);
  assert.equal(await ben.ask([flock.PICK, 3, false]), null);
  assert.equal(await cem.ask([flock.PICK, 40, false]), null);
  await ben.until('Ben sees his', () => ben.whys.own?.boid === 3);
  await cem.until('Cem sees his', () => cem.whys.own?.boid === 40);
  assertAddsUp(ben.whys.own);
  assert.deepEqual(ben.whys.own.zones, [50, 360, 20, 360]);
  assert.deepEqual(
    ben.whys.own.pushes.map(([name]) => name),
    ['separation', 'alignment', 'cohesion', 'seek', 'limits'],
  );
  const { tick } = ben.whys.own;
  await ben.until('it goes on', () => ben.whys.own.tick > tick + 10);
  assert.ok(ben.messages.every(([type, boid, shown]) => type !== flock.WHY || shown || boid === 3));

  assert.equal(await ben.ask([flock.UNPICK]), null);
  const { tick: end } = ben.snapshot;
  await ben.until('more snapshots', () => ben.snapshot.tick > end + 5);
  const last = ben.whys.own.tick;
  await ben.until('and more', () => ben.snapshot.tick > end + 25);
  assert.equal(ben.whys.own.tick, last, 'no explanation follows');
});

for (const model of ['swarm', 'boids', 'vision', 'birds', 'steering'])
  test(`a paused flock of ${model} steps as it says: the vectors add up to the change of velocity`, async (t) => {
    const { presenter, ben } = await lesson(t, { model });
    assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
    assert.equal(await ben.ask([flock.PICK, 7, false]), null);
    await ben.until('the explanation', () => ben.whys.own?.boid === 7 && ben.whys.own.tick === ben.snapshot.tick);
    for (let step = 0; step < 6; step++) {
      const before = ben.whys.own;
      assertAddsUp(before);
      assert.equal(await presenter.ask([flock.STEP]), null);
      const after = await ben.until('the next one', () => ben.whys.own.tick === before.tick + 1 && ben.whys.own);
      const [, , , , wantedX, wantedY] = before.motion;
      const [, , vx, vy] = after.motion;
      assert.ok(Math.hypot(vx - wantedX, vy - wantedY) < 2e-3, `${vx}, ${vy} instead of ${wantedX}, ${wantedY}`);
    }
  });

test('food pulls the boid and a hunter scares it, and the flock steps as it says', async (t) => {
  const { presenter, ben } = await lesson(t, { model: 'boids' });
  assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
  assert.equal(await ben.ask([flock.PICK, 7, false]), null);
  const { motion } = await ben.until('the explanation', () => ben.whys.own?.tick === ben.snapshot.tick && ben.whys.own);
  assert.equal(await presenter.ask([flock.FOOD, motion[0], motion[1] + 40, 100]), null);
  assert.equal(await presenter.ask([flock.HUNTER, motion[0] - 30, motion[1]]), null);
  const lengthOf = (why, name) => Math.max(0, ...why.pushes.filter(([each]) => each === name).map(([, x, y]) => Math.hypot(x, y)));
  const acts = (name) => lengthOf(ben.whys.own, name) > 0;
  const before = await ben.until('food and the hunter act', () => acts('food') && acts('flee') && ben.whys.own);
  assert.equal(lengthOf(before, 'seek'), 0, 'the boid seeks food instead of the target');
  assertAddsUp(before);
  assert.equal(await presenter.ask([flock.STEP]), null);
  const after = await ben.until('the next one', () => ben.whys.own.tick === before.tick + 1 && ben.whys.own);
  assert.ok(Math.hypot(after.motion[2] - before.motion[4], after.motion[3] - before.motion[5]) < 2e-3);
});

test('neighbours are the nearest boids of the snapshot', async (t) => {
  const { presenter, ben } = await lesson(t);
  assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
  assert.equal(await ben.ask([flock.PICK, 7, false]), null);
  const why = await ben.until('the explanation', () => ben.whys.own?.tick === ben.snapshot.tick && ben.whys.own);
  const { boids } = ben.snapshot;
  const [width, height] = ben.room.world;
  const around = (d, side) => d - side * Math.round(d / side);
  for (const [number, dx, dy] of why.near) {
    const [x, y] = [boids[number][0] - boids[7][0], boids[number][1] - boids[7][1]];
    assert.ok(Math.hypot(around(x, width) - dx, around(y, height) - dy) < 1, `boid ${number}`);
  }
  const distances = why.near.map(([, dx, dy]) => Math.hypot(dx, dy));
  assert.deepEqual(distances, distances.toSorted((a, b) => a - b));
});

test('a presenter shows a boid to all, and a viewer cannot', async (t) => {
  const { presenter, ben, cem, enter } = await lesson(t);
  const refused = await ben.ask([flock.PICK, 3, true]);
  assert.deepEqual([refused.code, refused.field], ['role', 'shown']);
  await ben.until('nothing is shown', () => ben.whys.shown?.boid === null);
  assert.equal(await presenter.ask([flock.PICK, 12, true]), null);
  await ben.until('Ben sees it', () => ben.whys.shown.boid === 12 && ben.whys.shown.by === presenter.id);
  await cem.until('Cem sees it', () => cem.whys.shown?.boid === 12);
  const dan = await enter({ name: 'Dan' });
  await dan.until('Dan, who comes later, sees it', () => dan.whys.shown?.boid === 12);
  assertAddsUp(dan.whys.shown);
  assert.equal(ben.whys.own, undefined);
  presenter.socket.close();
  await ben.until('it ends with the presenter', () => ben.whys.shown.boid === null);
});

test('a boid that was removed is gone', async (t) => {
  const { presenter, ben } = await lesson(t);
  assert.equal((await ben.ask([flock.PICK, 60, false])).code, 'range');
  assert.equal(await ben.ask([flock.PICK, 59, false]), null);
  await ben.until('it is there', () => ben.whys.own?.motion);
  assert.equal(await presenter.ask([flock.REMOVE, 10]), null);
  await ben.until('it is gone', () => ben.whys.own.boid === 59 && ben.whys.own.motion === null);
  assert.equal(await presenter.ask([flock.UNDO]), null);
  await ben.until('it is there again', () => ben.whys.own.motion !== null);
});

test('the past is explained as it was', async (t) => {
  const { presenter, ben } = await lesson(t);
  await presenter.until('some past', () => presenter.snapshot.tick > 90);
  assert.equal(await ben.ask([flock.PICK, 5, false]), null);
  assert.equal(await presenter.ask([flock.REWIND, 1.5]), null);
  const there = await ben.until('the past', () => ben.past?.shown && ben.whys.own?.tick === ben.snapshot.tick && ben.whys.own);
  assertAddsUp(there);
  const { tick } = there;
  assert.equal(await presenter.ask([flock.PLAY, 1]), null);
  await ben.until('it plays', () => ben.whys.own.tick > tick + 5);
  assertAddsUp(ben.whys.own);
});

/** Lets that many strangers at another address pick boids, the first one first. */
async function crowd(enter, count) {
  const strangers = [];
  for (let i = 0; i < count; i++) {
    const stranger = await enter({}, ELSEWHERE);
    assert.equal(await stranger.ask([flock.PICK, i, false]), null);
    strangers.push(stranger);
  }
  return strangers;
}

const isEnd = ([type, boid, shown]) => type === flock.WHY && boid === null && !shown;
const ends = ({ messages }) => messages.filter(isEnd).length;

test('strangers who hold all picks keep neither the presenter nor pupils out, and are told whose pick has ended', async (t) => {
  const { presenter, enter, ben, cem } = await lesson(t);
  const strangers = await crowd(enter, 32);
  assert.equal((await (await enter({}, ELSEWHERE)).ask([flock.PICK, 5, false])).code, 'full');
  await strangers[0].until('the first has an explanation', () => strangers[0].whys.own?.boid === 0);
  assert.equal(await presenter.ask([flock.PICK, 50, true]), null);
  assert.equal(await ben.ask([flock.PICK, 0, false]), null); // the boid of the first
  assert.equal(await cem.ask([flock.PICK, 51, false]), null);
  await presenter.until('the presenter has his', () => presenter.whys.shown?.boid === 50);
  await ben.until('Ben has his', () => ben.whys.own?.boid === 0);
  await cem.until('Cem has his', () => cem.whys.own?.boid === 51);
  await strangers[2].until('the third is told', () => ends(strangers[2]) === 1);
  assert.deepEqual(strangers.map(ends), strangers.map((_, i) => Number(i < 3)), 'the three oldest, once each');

  const { tick } = ben.whys.own;
  await ben.until('Ben sees more of the boid', () => ben.whys.own.tick > tick + 10);
  const { messages } = strangers[0];
  const after = messages.slice(messages.findIndex(isEnd) + 1);
  assert.ok(after.some(([type]) => type === flock.SNAPSHOT));
  assert.ok(!after.some(([type, , shown]) => type === flock.WHY && !shown), 'the first sees no more of it');
});
