// A room that is too expensive drops its own ticks and keeps no other from theirs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom, MANY_ROOMS } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const FEW = { rate: 30, boids: 1, encodings: ['packed'] }; // of so many boids: what this process needs of them
const SMALL = 8;

// Ticks of a room and seconds of the server's clock since its first snapshot.
function progress(client) {
  const first = client.snapshot;
  return () => ({ ticks: client.snapshot.tick - first.tick, seconds: (client.snapshot.time - first.time) / 1e6 });
}

// Adds boids until it drops ticks, how ever fast this machine is.
async function makeTooExpensive(client) {
  for (let cheap = true; cheap; ) {
    const made = progress(client);
    await client.until('a second has gone by', () => made().seconds >= 1);
    cheap = made().ticks > 0.5 * made().seconds * client.room.tick_rate;
    if (cheap) assert.equal(await client.ask([flock.ADD, 200, 200, 10_000]), null, 'there is room for more');
  }
}

test('small rooms beside one that is too expensive tick at least as often as it does', async (t) => {
  const limits = ['--room-boids', '200000', '--max-boids', '1000000', '--sim-threads', '1', '--threads', '1', '--tick-limit', '60'];
  const server = await startServer(t, [...MANY_ROOMS, ...limits]);
  const small = [];
  for (let i = 0; i < SMALL; i += 1) {
    const { code } = await createRoom(server, { boids: 12 });
    small.push(await flock.join(t, server.ws, { room: code }));
  }
  const { code, key } = await createRoom(server, { model: 'swarm', boids: 20_000 });
  const big = await flock.join(t, server.ws, { room: code, key, ...FEW });
  await makeTooExpensive(big);
  const since = [big, ...small].map(progress);
  await until('the expensive room has made 30 ticks', () => since[0]().ticks >= 30, () => JSON.stringify(since.map((each) => each())), 60_000);
  const [expensive, ...others] = since.map((each) => each());
  const due = expensive.seconds * big.room.tick_rate;
  assert.ok(expensive.ticks < 0.9 * due, `it drops ticks: ${expensive.ticks} of ${due}`);
  for (const { ticks } of others) {
    assert.ok(ticks >= expensive.ticks - 2, `${ticks} ticks of a small room, ${expensive.ticks} of the expensive one`);
  }
  await big.until('its presenter is told', () => big.events.some(({ name, by, to }) => name === 'slow' && by === 0 && Number(to) > 0 && Number(to) <= 100));
  for (const client of small) assert.ok(!client.events.some(({ name }) => name === 'slow'));
});
