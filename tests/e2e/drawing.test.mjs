// Walls, food and hunters over the wire: what viewers may draw, and what stays for presenters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const KEY = 'key-of-the-artist';
const THINGS = 16; // the topic

test('strangers who may draw leave walls, food and hunters to the presenter', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const presenter = await flock.join(t, server.ws, { key: KEY, topics: THINGS });
  assert.equal(await presenter.ask([flock.SET, 'drawing', 'all']), null);
  /** Each stranger draws five things, which are as many as one may draw at once. Returns the answers. */
  async function draw(count, thingOf) {
    const answers = [];
    for (let i = 0; i < count; i += 5) {
      const stranger = await flock.join(t, server.ws);
      for (let n = i; n < i + 5; n++) answers.push(await stranger.ask(thingOf(n)));
      stranger.socket.close();
    }
    return answers;
  }
  /** @type {{ share: number, most: number, thingOf: (n: number) => import('./types.d.ts').Message, said: string }[]} */
  const kinds = [
    { share: 48, most: 64, thingOf: (n) => [flock.WALL, n, 10, n, 20], said: 'wall: there are 48 walls; viewers may draw up to 48, and presenters 64' },
    { share: 48, most: 64, thingOf: (n) => [flock.FOOD, 5 + n, 390, 1_000_000], said: 'food: there are 48 pieces; viewers may draw up to 48, and presenters 64' },
    { share: 12, most: 16, thingOf: () => [flock.HUNTER, 300, 300], said: 'hunter: there are 12 hunters; viewers may draw up to 12, and presenters 16' },
  ];
  for (const { share, most, thingOf, said } of kinds) {
    const answers = await draw(share + 3, thingOf);
    assert.deepEqual(answers.slice(0, share), Array(share).fill(null));
    for (const refusal of answers.slice(share)) assert.deepEqual([refusal.code, refusal.message], ['full', said]);
    for (let n = share; n < most; n++) assert.equal(await presenter.ask(thingOf(n)), null, `${n} ${said}`);
    assert.equal((await presenter.ask(thingOf(most))).code, 'full');
  }
  await presenter.until('all of them', () => presenter.things.hunters.length === 16 && presenter.things.food.length === 64);
  assert.equal(presenter.room.walls.length, 64);
});
