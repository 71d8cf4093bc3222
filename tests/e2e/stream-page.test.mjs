// The page and its stream of snapshots: packed or plain, whole or a part, with the measures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTING, lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { slowLine } from './line.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const browser = await sharedBrowser();

const boids = (view) => view.page.evaluate(() => window.flock.boids());

// Pauses the room, and waits until the page shows its last moment.
async function pause(client, ...views) {
  client.send([flock.SET, 'run', 'paused']);
  await client.until('the room is paused', () => client.room.controls.find(([name]) => name === 'run')[1] === 'paused');
  const last = await client.next(flock.SNAPSHOT);
  for (const view of views) {
    await view.until('the page shows the last tick', ({ tick, delayMs }) => tick === last[2] && delayMs !== null);
  }
}

const turn = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

// Waits until the page shows the boids at these positions: between two snapshots it moves them there.
async function untilAt(view, expected) {
  let off;
  await until(
    'the page shows each boid where it is',
    async () => {
      const shown = await boids(view);
      assert.equal(shown.length, expected.length);
      off = shown.map(({ x, y }, i) => ({ boid: i, shown: [x, y], is: expected[i] })).filter(({ shown: [x, y], is }) => flock.distance([x, y], is) >= 1e-6);
      return off.length === 0;
    },
    () => JSON.stringify(off.slice(0, 3)),
  );
}

for (const model of ['swarm', 'boids']) {
  test(`the page shows ${model} packed at the positions of a plain client`, async (t) => {
    const server = await startServer(t, ['--open-controls', '--model', model, '--boids', '300', '--boundary', 'walls']);
    const client = await flock.join(t, server.ws);
    const packed = await openFlock(t, browser, lobby(server));
    const plain = await openFlock(t, browser, `${lobby(server)}?encoding=plain`);
    client.send([flock.ADD, 200, 200, 50]);
    for (const view of [packed, plain]) {
      const { tick } = await view.state();
      await view.until('it has played for a while', (state) => state.tick > tick + 60 && state.boids === 350);
    }
    await pause(client, packed, plain);
    for (const view of [packed, plain]) await untilAt(view, client.snapshot.boids);
    const [one, other] = [await packed.state(), await plain.state()];
    assert.deepEqual([one.encoding, one.lost, one.malformed], ['packed', 0, 0]);
    assert.ok(one.keyframes >= 1);
    assert.deepEqual([other.encoding, other.keyframes, other.malformed], ['plain', 0, 0]);
  });
}

test('a new member of a paused room sees the boids\' headings', async (t) => {
  const server = await startServer(t, ['--open-controls', '--model', 'boids', '--boids', '100', '--boundary', 'walls']);
  const client = await flock.join(t, server.ws);
  await client.until('the flock is on its way', ({ snapshot }) => snapshot.tick > 30);
  await pause(client);
  const other = await flock.connect(t, server.ws);
  let keyframe = null; // a delta, which has no headings, may come right after it
  other.onSnapshot = (snapshot) => (keyframe = snapshot.key ? snapshot : keyframe);
  other.send(flock.hello({ encodings: ['packed'] }));
  const headings = (await other.until('a keyframe', () => keyframe)).headings.map((heading) => (heading / 128) * Math.PI);
  assert.ok(new Set(headings).size > 3, 'they do not all head the same way');
  const view = await openFlock(t, browser, lobby(server));
  let off;
  await until(
    'the page shows each heading',
    async () => {
      const shown = await boids(view);
      off = shown.map(({ heading }, i) => ({ boid: i, heading, is: headings[i] })).filter(({ heading, is }) => !(turn(heading, is) < 1e-3));
      return shown.length === headings.length && off.length === 0;
    },
    () => JSON.stringify(off.slice(0, 3)),
  );
});

test('a page that draws too slowly shows less, and says so', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '20000']);
  const view = await openFlock(t, browser, lobby(server), { viewport: { width: 960, height: 600 } });
  assert.equal((await view.state()).flock, 20000);
  const devtools = await view.context.newCDPSession(view.page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  // Asking the page for its state would slow it.
  await view.page.locator('#boids', { hasText: /^showing [\d,]+ of 20,000 boids/ }).waitFor();
  await view.until('fewer boids are shown', ({ boids: count, limit }) => limit > 0 && count > 0 && count < 20000);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const { flock: all, malformed } = await view.state();
  assert.deepEqual([all, malformed], [20000, 0]);
});

test('over a slow line the page gets less, and says why', async (t) => {
  const server = await startServer(t, ['--boids', '2500']);
  const { url } = await slowLine(t, server.port, 25_000); // a twelfth of it, less than a page that draws slowly requests
  const view = await openFlock(t, browser, `${lobby({ url })}?encoding=plain`, { viewport: { width: 960, height: 600 } });
  await view.until('fewer snapshots are granted', ({ rate }) => rate <= 15);
  await view.page.locator('#boids', { hasText: /: reduced, your connection is slow$/ }).waitFor();
  await view.until('and they come in time', ({ slow, delayMs }) => slow && delayMs < 1000);
});

test('the page shows the measures, and marks the centroid', async (t) => {
  const server = await startServer(t, ['--open-controls', '--model', 'boids', '--boids', '500']);
  const client = await flock.join(t, server.ws);
  await client.until('the flock is on its way', ({ snapshot }) => snapshot.tick > 30);
  await pause(client); // so that measures, positions and drawing have one moment
  const view = await openFlock(t, browser, lobby(server), { viewport: { width: 1000, height: 640 } });
  const row = (name) => view.page.locator('#measures-list div', { has: view.page.locator('dt', { hasText: name }) });
  await view.page.locator('#measures-list .value', { hasText: /^\d/ }).first().waitFor();
  const { measures } = await view.until('it is told', (state) => state.measures !== null && state.mark !== null && state);
  for (const [name, value] of /** @type {[string, number][]} */ ([['Radius', measures.radius], ['Speed', measures.speed], ['Nearest', measures.nearest]])) {
    const shown = Number(await row(name).locator('.value').innerText());
    assert.ok(shown > value / 3 && shown < value * 3, `${name}: ${shown}, told ${value}`);
    assert.ok((await row(name).getAttribute('title')).length > 20, 'it says what that is');
  }
  for (const name of ['Polarization', 'Milling']) {
    assert.match(await row(name).locator('.value').innerText(), /^(0\.\d\d|1\.00)$/);
  }

  const off = ({ mark: at, centroid, world }) => at.map((each, axis) => Math.abs(each - centroid[axis] - world[axis] * Math.round((each - centroid[axis]) / world[axis])));
  await view.until('the mark is at the centroid', (state) => Math.max(...off(state)) < 5);
  await until('a cross is drawn there', async () => (await opacityAtMark(view)) > 0.5, () => opacityAtMark(view));
  await view.page.locator('#centroid-shown').click();
  await view.until('the mark is gone', ({ mark }) => mark === null);
  await view.page.keyboard.press('c');
  await view.until('the mark is back', ({ mark }) => mark !== null);
  await view.page.keyboard.press('c');
  await view.until('the mark is gone', ({ mark }) => mark === null);
  await view.page.keyboard.press('m');
  await row('Radius').waitFor({ state: 'hidden' });
  await view.until('it is kept', () => view.page.evaluate(() => localStorage.getItem('flock.measures') === 'hidden'));
  await view.page.reload();
  await view.until('it is back', ({ boids: count }) => count === 500);
  assert.equal((await view.state()).mark, null, 'which is remembered');
  assert.ok(!(await row('Radius').isVisible()));
  await view.page.keyboard.press('m');
  await view.page.keyboard.press('c');
  await row('Radius').waitFor();
  await view.until('the mark is there again', ({ mark }) => mark !== null);
});

// The overlay's highest opacity near the centroid's mark. In one call, because the flock moves.
const opacityAtMark = (view) =>
  view.page.evaluate(() => {
    const [x, y] = window.flock.toScreen(...window.flock.state().mark);
    const overlay = document.getElementById('overlay');
    const ratio = overlay.width / innerWidth;
    const { data } = overlay.getContext('2d').getImageData((x - 12) * ratio, (y - 12) * ratio, 24 * ratio, 24 * ratio);
    return Math.max(...data.filter((_, i) => i % 4 === 3)) / 255;
  });

// Like a browser with a hidden page: reports it, and draws no frames.
async function coverable(page) {
  await page.addInitScript(() => {
    const draw = requestAnimationFrame.bind(window);
    const held = [];
    let hidden = false;
    window.requestAnimationFrame = (run) => (hidden ? held.push(run) : draw(run));
    Object.defineProperty(document, 'hidden', { get: () => hidden });
    window.cover = (is) => {
      hidden = is;
      document.dispatchEvent(new Event('visibilitychange'));
      if (!hidden) held.splice(0).forEach((run) => draw(run));
    };
  });
}

// The model's test measures the time until it shows all again, in simulated time.
test('a hidden page takes one snapshot a second, a visible page all', async (t) => {
  const server = await startServer(t, ['--boids', '200', ...RESTING]);
  const client = await flock.join(t, server.ws);
  const view = await openFlock(t, browser, lobby(server), { watch: coverable });
  await view.page.mouse.move(200, 200);
  await client.until('the page has a cursor', ({ snapshot }) => snapshot.cursors.size === 1);
  await view.until('it plays', ({ delayMs }) => delayMs !== null);
  const { tick: last } = await view.state();
  await view.page.evaluate(() => window.cover(true));
  await view.until('little is asked for', (state) => state.rate <= 1);
  await client.until('its cursor is away', ({ snapshot }) => snapshot.cursors.size === 0);
  await client.until('time has passed', ({ snapshot }) => snapshot.tick > last + 60);
  const { tick: now } = client.snapshot;
  await view.page.evaluate(() => window.cover(false));
  await view.until('as many are asked for as it can draw, which are 5 a second at least', ({ rate }) => rate >= 5);
  await view.until('and the present shown', ({ tick, delayMs }) => tick >= now && delayMs < 1000);
  await view.page.mouse.move(220, 200);
  await client.until('the cursor is back', ({ snapshot }) => snapshot.cursors.size === 1);
});
