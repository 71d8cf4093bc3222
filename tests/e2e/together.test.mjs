// A browser and a terminal steer one flock together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTING, lobby, openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { openTerminal, swarm } from './terminal.mjs';

const browser = await sharedBrowser();

for (const boids of [12, 2000]) {
  test(`a browser and a terminal steer one flock of ${boids}`, async (t) => {
    const server = await startServer(t, ['--boids', String(boids), '--policy', 'latest', ...RESTING]);
    const page = await openFlock(t, browser, `${lobby(server)}?name=Webb`);
    const terminal = await openTerminal(t);
    await terminal.start('--name', 'Tess', server.ws);
    await terminal.until('the flock is live', (lines) => lines.join('\n').includes('2 people') && swarm(lines).length > 0);
    await page.until('all of them are shown', (state) => state.boids === boids);

    const terminalNear = (place) => (lines) => {
      const dots = swarm(lines);
      return dots.length > 0 && flock.distance(flock.centroid(dots), place) < 60;
    };

    // The mouse moves in the browser; the terminal's swarm follows, with the cursor's name.
    for (const place of /** @type {import('./types.d.ts').Point[]} */ ([[90, 100], [460, 300]])) {
      const [x, y] = await page.page.evaluate(([wx, wy]) => window.flock.toScreen(wx, wy), place);
      await page.page.mouse.move(x, y);
      await terminal.until("the terminal's swarm is there", terminalNear(place));
      await page.until("and the browser's", ({ centroid }) => flock.distance(centroid, place) < 60);
    }
    assert.match(await terminal.text(), /Webb/);

    // Keys in the terminal move its cursor; the browser's swarm follows, with that cursor's name.
    const leap = () => terminal.key('H', 'K'); // left and up, in leaps
    await leap();
    const theirs = ({ cursors }) => cursors.find(({ name }) => name === 'Tess');
    const seen = await page.until("the browser shows the terminal's cursor", theirs);
    for (let i = 0; i < 3; i += 1) {
      await leap();
    }
    await page.until('and that it has moved', (state) => theirs(state)?.x < seen.x - 50 && theirs(state).y < seen.y - 50);
    await page.until("the browser's swarm is where it is", (state) => flock.distance(state.centroid, [theirs(state).x, theirs(state).y]) < 60);
    // Late keys may have moved the cursor further.
    await terminal.until("and the terminal's", async (lines) => {
      const { x, y } = theirs(await page.state());
      return terminalNear([x, y])(lines);
    });
  });
}
