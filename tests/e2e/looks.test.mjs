// Each preset, and each model at its defaults, in the page: the flock is visible, moves, and matches the room. The test saves pictures
// in build/looks/ for people.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { SIZE, TICKS, hideFurniture, picture } from './pictures.mjs';
import { root, runToEnd, startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'key-of-the-look';

const browser = await sharedBrowser();

// Asserts that the page shows the room's boids: their number and shape, and none beyond an edge. The room must be paused, because on
// a busy machine a boid between two snapshots is drawn on a wide curve.
async function isAsPromised(t, server, view) {
  const presenter = await flock.join(t, server.ws, { key: KEY });
  assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
  const last = await presenter.next(flock.SNAPSHOT);
  await view.until('the page shows the last tick', ({ tick, controls }) => tick === last[2] && controls.run === 'paused');
  const { room, snapshot } = presenter;
  const { model, look, world, flock: boids, controls } = await view.state();
  const promised = Object.fromEntries(room.controls.map(([name, value]) => [name, value]));
  assert.deepEqual({ model, world, boids, controls }, { model: room.model, world: room.world, boids: snapshot.flock, controls: promised });
  assert.equal(look, room.look?.[0] ?? look);
  if (room.boundary === 'open') return;
  const beyond = (points, margin) => points.filter(([x, y]) => Math.min(x, y, world[0] - x, world[1] - y) < -margin);
  assert.deepEqual(beyond(snapshot.boids, room.quantum), [], `the boundary is ${room.boundary}`);
  const shown = async () => (await view.page.evaluate(() => window.flock.boids())).filter(Boolean).map(({ x, y }) => [x, y]);
  await until('the page shows them there, too', async () => beyond(await shown(), room.quantum).length === 0, async () => JSON.stringify(beyond(await shown(), room.quantum)));
}

async function isASight(t, name, args) {
  const server = await startServer(t, [...args, '--presenter-key', KEY]);
  const view = await openFlock(t, browser, `${lobby(server)}?renderer=2d`, { viewport: SIZE });
  const { tick, boids } = await view.state();
  await view.until('the flock has formed', (state) => state.tick >= tick + TICKS);
  await view.page.evaluate(hideFurniture);
  const first = await picture(view);
  mkdirSync(resolve(root, 'build/looks'), { recursive: true });
  writeFileSync(resolve(root, `build/looks/${name}.png`), first.image);
  const { seen } = first;
  assert.ok(seen >= Math.min(5 * boids, 1500), `${seen} pixels at edges for ${boids} boids`);
  await until(
    'the picture has changed',
    async () => (await picture(view)).changed > Math.min(2 * boids, 500),
    async () => JSON.stringify(await view.state()),
  );
  await isAsPromised(t, server, view);
}

const choices = async (t, option) => {
  const { stdout } = await runToEnd(t, ['--help-table']);
  return stdout.match(new RegExp(`\`--${option} NAME\`[^|]*\\|[^|]*\\|([^|]*)\\|`))[1].trim().split(', ');
};

test('every preset looks right in the page', async (t) => {
  for (const preset of await choices(t, 'preset')) {
    await t.test(preset, (each) => isASight(each, `preset-${preset}`, ['--preset', preset]));
  }
});

test('every model looks right at its defaults', async (t) => {
  for (const model of await choices(t, 'model')) {
    await t.test(model, (each) => isASight(each, `model-${model}`, ['--model', model, '--boids', '200']));
  }
});
