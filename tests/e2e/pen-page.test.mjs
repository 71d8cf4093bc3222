// The pen's counter: the server counts, and the page shows it above the pen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const KEY = 'key-of-the-pen';
const PENNED = 4; // the topic
const SHEEP = ['--preset', 'sheep', '--idle', 'hold', '--presenter-key', KEY];

const browser = await sharedBrowser();

/** @param {import('./types.d.ts').Client} client */
const inside = ({ room: { pen: [left, top, right, bottom] = [0, 0, 0, 0] }, snapshot: { boids } }) =>
  boids.filter(([x, y]) => x >= left && x <= right && y >= top && y <= bottom).length;

test('a subscriber gets the number of boids in the pen, and a clock that stands in a pause and begins again', async (t) => {
  const server = await startServer(t, SHEEP);
  const client = await flock.join(t, server.ws, { key: KEY, topics: PENNED });
  await client.until('the clock runs', () => (client.penned?.seconds ?? 0) >= 2);
  assert.equal(await client.ask([flock.SET, 'run', 'paused']), null);
  for (let i = 0; i < 2; i++) await client.next(flock.SNAPSHOT); // a topic comes between two of them
  await client.until('the number is that of the boids', () => client.penned.inside === inside(client) && client.penned.boids === 120);
  assert.equal(client.penned.done, false);
  const { seconds } = client.penned;
  await client.next(flock.SNAPSHOT);
  assert.equal(client.penned.seconds, seconds);
  assert.equal(await client.ask([flock.RESET]), null);
  await client.until('it begins again', () => client.penned.seconds === 0);
});

test('the clock stops when all are in the pen', async (t) => {
  const server = await startServer(t, SHEEP);
  const client = await flock.join(t, server.ws, { key: KEY, topics: PENNED });
  assert.equal(await client.ask([flock.REMOVE, 119]), null);
  // One sheep that follows the cursor is led through the gate.
  assert.equal(await client.ask([flock.SET, 'cursors', 'lead']), null);
  const lead = setInterval(() => {
    const [[x, y]] = client.snapshot.boids;
    client.send([flock.CURSOR, ...(x > 610 || (x > 480 && Math.abs(y - 300) < 20) ? [720, 300] : [520, 300])]);
  }, 100);
  await client.until('it is in', () => client.penned.done);
  clearInterval(lead);
  const { seconds, inside: now } = client.penned;
  assert.ok(seconds > 0 && now === 1);
  const { tick } = client.snapshot;
  await client.until('time passes', () => client.snapshot.tick > tick + 45);
  assert.equal(client.penned.seconds, seconds);
});

test('the page shows the counter above the pen, in rooms with a pen alone', async (t) => {
  const server = await startServer(t, SHEEP);
  const presenter = await flock.join(t, server.ws, { key: KEY });
  const { page } = await openFlock(t, browser, lobby(server), { viewport: { width: 1366, height: 768 } });
  const counter = page.locator('#pen');
  await counter.waitFor();
  await until('it counts', async () => /^\d+ of 120 in the pen \d+:\d\d$/.test(await counter.innerText()), () => counter.innerText());
  const gap = () => page.evaluate(() => {
    const { bottom, left, right } = document.getElementById('pen').getBoundingClientRect();
    const [x, y] = window.flock.toScreen(720, 180);
    return { above: y - bottom, aside: (left + right) / 2 - x };
  });
  const isAbove = ({ above, aside }) => above > 0 && above < 20 && Math.abs(aside) < 2;
  await until('it is above the pen', async () => isAbove(await gap()), async () => JSON.stringify(await gap()));
  const under = () => page.evaluate(() => document.getElementById('own').compareDocumentPosition(document.getElementById('pen')) & Node.DOCUMENT_POSITION_PRECEDING);
  assert.ok(await under(), 'it does not cover this person’s name');
  await page.mouse.move(4, 250);
  await page.mouse.wheel(0, -1000);
  const place = () =>
    page.evaluate(() => {
      const { left, right } = document.getElementById('pen').getBoundingClientRect();
      return { left, right, pen: window.flock.toScreen(720, 180)[0], width: innerWidth };
    });
  const atEdge = ({ left, right, pen, width }) => pen > width && left >= 0 && right <= width;
  await until('beside a zoomed view the counter is whole', async () => atEdge(await place()), async () => JSON.stringify(await place()));
  assert.equal(await presenter.ask([flock.SET, 'preset', 'bees']), null);
  await counter.waitFor({ state: 'hidden' });
});
