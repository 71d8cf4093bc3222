// A room that is too expensive drops its own ticks, and no other room's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom, MANY_ROOMS } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const FEW = { rate: 30, boids: 1, encodings: ['packed'] }; // boids a snapshot: few, to spare this process
const SMALL = 8;

// Each room's made and dropped ticks: the server's counts, which do not depend on the reading of snapshots.
async function counts(server, rooms) {
  const text = await (await fetch(`${server.url}metrics`, { headers: { connection: 'close' } })).text();
  const of = (name, code) => Number(text.match(new RegExp(`^flockd_${name}\\{room="${code}"\\} (\\d+)$`, 'm'))[1]);
  return rooms.map(({ code }) => ({ ticks: of('room_ticks_total', code), dropped: of('room_ticks_dropped_total', code) }));
}

// The difference of the counts since then.
const since = (before, after) => after.map(({ ticks, dropped }, i) => ({ ticks: ticks - before[i].ticks, dropped: dropped - before[i].dropped }));

// Adds boids until the room drops some ticks, on any machine.
async function makeTooExpensive(server, room, client) {
  for (let cheap = true; cheap; ) {
    const before = await counts(server, [room]);
    const [made] = await until('a second of its ticks is over', async () => {
      const [each] = since(before, await counts(server, [room]));
      return each.ticks + each.dropped >= client.room.tick_rate && [each];
    });
    cheap = 4 * made.dropped < made.ticks;
    if (cheap) assert.equal(await client.ask([flock.ADD, 200, 200, 10_000]), null, 'there is room for more');
  }
}

// The ticks that all rooms make and drop while the first makes 15 and drops some. Beside other programs it may have been too expensive
// for a moment only.
async function measureTooExpensive(server, rooms, client) {
  for (;;) {
    await makeTooExpensive(server, rooms[0], client);
    const before = await counts(server, rooms);
    const measured = await until('the expensive room has made some ticks', async () => {
      const made = since(before, await counts(server, rooms));
      return made[0].ticks >= 15 && made;
    });
    if (measured[0].dropped > 0) return measured;
  }
}

test('small rooms beside one that is too expensive tick at least as often as it does', async (t) => {
  const limits = ['--room-boids', '200000', '--max-boids', '1000000', '--sim-threads', '1', '--threads', '1', '--tick-limit', '60'];
  const server = await startServer(t, [...MANY_ROOMS, ...limits]);
  const small = [];
  const rooms = [await createRoom(server, { model: 'swarm', boids: 20_000, listed: true })];
  for (let i = 0; i < SMALL; i += 1) {
    const room = await createRoom(server, { boids: 12, listed: true });
    rooms.push(room);
    small.push(await flock.join(t, server.ws, { room: room.code, ...(i === 0 && { key: room.key }) }));
  }
  const big = await flock.join(t, server.ws, { room: rooms[0].code, key: rooms[0].key, ...FEW });
  const [expensive, ...others] = await measureTooExpensive(server, rooms, big);
  for (const { ticks } of others) {
    assert.ok(ticks >= expensive.ticks - 2, `${ticks} ticks of a small room, ${expensive.ticks} of the expensive one`);
  }
  const told = (client, why) => client.events.some(({ name, by, what, to }) => name === 'slow' && by === 0 && what === why && Number(to) > 0 && Number(to) <= 100);
  await big.until('its presenter is told', () => told(big, ''));
  const [presenter, ...viewers] = small;
  await presenter.until('so is that of a small one: it is not its own flock', () => told(presenter, 'server'));
  assert.ok(!told(presenter, '') && !told(big, 'server'));
  for (const client of viewers) assert.ok(!client.events.some(({ name }) => name === 'slow'));
});
