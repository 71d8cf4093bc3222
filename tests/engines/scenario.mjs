// A class uses the page in one engine.
import { after, before, test } from 'node:test';
import { PNG } from 'pngjs';
import { freePort } from '../../docker/cluster.mjs';
import { createRoom } from '../e2e/api.mjs';
import { RESTING, lobby } from '../e2e/browser.mjs';
import * as flock from '../e2e/client.mjs';
import { startServer } from '../e2e/server.mjs';
import { openFlock, openWindow, startRecordedServer } from './window.mjs';

const pageOf = (server, { path }, query = '') => `${new URL(path, server.url)}${query}`;

// Has the pointer follow a point of the world, which the camera may move in the window, until another client sees the cursor there.
const steer = (watcher, id, view, move, place) =>
  watcher.until(`the cursor is at ${place}`, async () => {
    await move(await view.toScreen(place));
    const cursor = watcher.snapshot.cursors.get(id);
    return cursor && flock.distance(cursor, place) < 4;
  });

// The values of a control's choices that do not have the background of most. A choice that has another one in part is named so.
async function markedIn(view, control) {
  const places = await view.run(placesOf, control);
  const { data, width } = PNG.sync.read(await view.picture());
  const colorAt = ([x, y]) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)].join();
  const colors = places.map(({ pixels }) => pixels.map(colorAt));
  const all = colors.flat();
  const times = (color) => all.filter((each) => each === color).length;
  const usual = all.reduce((most, color) => (times(color) > times(most) ? color : most));
  return places.flatMap(({ value }, index) => {
    const others = colors[index].filter((color) => color !== usual).length;
    if (others === 0) return [];
    return [others === colors[index].length ? value : `${value} in part`];
  });
}

// In the page: for each choice, pixels of its background above the text.
function placesOf(control) {
  return [...document.querySelectorAll(`${control} label`)].map((label) => {
    const { left, right, top } = label.querySelector('span').getBoundingClientRect();
    const pixels = [left + 6, (left + right) / 2, right - 7].map((x) => [Math.round(x), Math.round(top) + 3]);
    return { value: label.querySelector('input').value, pixels };
  });
}

export function testEngine(start) {
  let browser;
  before(async () => (browser = await start()));
  after(() => browser?.close());

  test('a room is created, and shows how others come in', async (t) => {
    const server = await startRecordedServer(t);
    await browser.showAll?.(true);
    const view = await openWindow(t, browser, server.url);
    await view.click('.preset:has([value=march])');
    await view.click('#create button');
    await browser.showAll?.(false);
    await view.until('it is a room of its own', ({ role, model, boids }) => role === 'presenter' && model === 'vision' && boids === 400);
    await view.seen('the code to scan', () => view.run(() => document.querySelector('#invite[open] svg') !== null));
    await view.press('Escape');
    await view.seen('the card is closed', () => view.run(() => document.querySelector('#invite[open]') === null));
  });

  test('a room is joined by its code', async (t) => {
    const server = await startRecordedServer(t);
    const room = await createRoom(server, { boids: 30 });
    const view = await openWindow(t, browser, server.url);
    await view.fill('#code', room.code.toLowerCase());
    await view.until('it is that room', ({ room: code, role, boids }) => code === room.code && role === 'viewer' && boids === 30);
  });

  test('the mouse steers', async (t) => {
    const server = await startRecordedServer(t, RESTING);
    const view = await openFlock(t, browser, `${lobby(server)}?name=Ann`);
    const watcher = await flock.join(t, server.ws);
    const { id } = await view.state();
    for (const place of /** @type {import('../e2e/types.d.ts').Point[]} */ ([[120, 120], [430, 300]])) {
      await steer(watcher, id, view, view.move, place);
      // A view that moves takes the cursor along.
      await view.until('the flock is there', async ({ centroid }) => {
        if (flock.distance(centroid, place) < 60) return true;
        await view.move(await view.toScreen(place));
        return false;
      });
    }
    await watcher.until('under the name that the address has', ({ people }) => people.get(id)?.name === 'Ann');
  });

  test('a finger steers, and is away when it is lifted', async (t) => {
    const server = await startRecordedServer(t, RESTING);
    const view = await openFlock(t, browser, `${lobby(server)}?name=Ann`);
    const watcher = await flock.join(t, server.ws);
    const { id } = await view.state();
    await view.fingerDown(await view.toScreen([150, 150]));
    for (const place of [[150, 150], [350, 250]]) await steer(watcher, id, view, view.fingerMove, place);
    await view.fingerUp();
    await watcher.until('the cursor is away', () => !watcher.snapshot.cursors.has(id));
  });

  test('a presenter changes the flock', async (t) => {
    const server = await startRecordedServer(t);
    const room = await createRoom(server, { boids: 40 });
    const view = await openFlock(t, browser, pageOf(server, room, `#key=${room.key}`));
    await view.until('this is a presenter', ({ role }) => role === 'presenter');
    await view.fill('#welcome-name', 'Ann'); // by finger, the question for a name covers the controls
    await view.until('the presenter has that name', ({ name }) => name === 'Ann');
    await view.click('#panel-open');
    await view.dragToEnd('[data-param=inertia] input[type=range]');
    await view.until('the slider moves the parameter', ({ params }) => params.inertia === 3);
    await view.fill('[data-param=inertia] input[type=text]', '2.5');
    await view.until('so does a number', ({ params }) => params.inertia === 2.5);
    await view.click('#add');
    await view.run(() => document.activeElement.blur());
    await browser.click(await view.toScreen([275, 200]));
    await view.until('a click adds boids', ({ boids }) => boids === 50);
    await view.press(' ');
    await view.until('the space bar stops time', ({ controls }) => controls.run === 'paused');
    await view.click('#run');
    await view.until('a button lets it go on', ({ controls }) => controls.run === 'running');
    await view.click('[data-control=preset] label:has([value=march])');
    await view.until('a preset is one click', ({ model, boids }) => model === 'vision' && boids === 400);
    await view.seen('everyone is told', async () => /march/.test(await view.text('#news')));
    for (const [key, tool] of [['g', '#plots'], ['y', '#why'], ['k', '#draw'], ['l', '#looks']]) {
      await view.press(key);
      await view.seen(`${tool} opens`, () => view.shown(tool));
      if (tool !== '#why') continue;
      await view.seen('a sentence explains a boid', async () => /^(Turns|Flies)/.test(await view.shown('#why-text')));
      for (const run of ['paused', 'running']) {
        await view.press(' ');
        await view.until(`the space bar does its work: ${run}`, ({ controls }) => controls.run === run);
      }
    }
  });

  test('each control shows the choice in force, and no other', async (t) => {
    const server = await startRecordedServer(t);
    const room = await createRoom(server, { boids: 40 });
    const view = await openFlock(t, browser, pageOf(server, room, `#key=${room.key}`));
    await view.fill('#welcome-name', 'Ann');
    await view.click('#panel-open');
    for (const preset of ['march', 'bees']) {
      await view.click(`[data-control=preset] label:has([value=${preset}])`);
      await view.until(`the preset is ${preset}`, ({ controls }) => controls.preset === preset);
      await view.run(() => document.querySelector('[data-control=model]').scrollIntoView({ block: 'center' }));
      await view.seen('the model of the preset is marked', async () => {
        const marked = await markedIn(view, '[data-control=model]');
        return marked.join() === (await view.state()).model;
      }, async () => JSON.stringify(await markedIn(view, '[data-control=model]')));
    }
  });

  test('the page comes back when the server does, as the same person', async (t) => {
    const server = await startRecordedServer(t, [], { port: await freePort() });
    const view = await openFlock(t, browser, `${lobby(server)}?name=Ann`);
    await server.stop();
    await view.until('it waits', ({ status }) => status === 'waiting');
    await view.seen('it says so', () => view.run(() => !document.getElementById('notice').hidden));
    await startServer(t, ['--boids', '40'], { port: server.port });
    await view.until('it is back', ({ status, boids, name }) => status === 'connected' && boids === 40 && name === 'Ann');
    await view.seen('and says no more', () => view.run(() => document.getElementById('notice').hidden));
  });
}
