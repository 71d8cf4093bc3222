// The look of the preset original in the terminal: each boid has its own colour, for any heading.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import { SNAPSHOT } from './messages.mjs';
import { startFake } from './terminal-fake.mjs';
import { openTerminal } from './terminal.mjs';

const BOIDS = 12;

// Boids in a row from the left to the right, which all move to the right.
/** @returns {import('./types.d.ts').Message} */
function snapshot(tick, time) {
  const boids = new DataView(new ArrayBuffer(4 * BOIDS));
  for (let i = 0; i < BOIDS; i += 1) {
    boids.setInt16(4 * i, -1800 + 300 * i + (tick % 400), true);
    boids.setInt16(4 * i + 2, -800 + 140 * i, true);
  }
  return [SNAPSHOT, 1, tick, time, 1, null, null, new Uint8Array(boids.buffer), new Uint8Array(0), BOIDS, null];
}

const STYLE_OR_CHARACTER = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m|(.)`, 'gsu');

// How many colours boids have on the screen, in braille or in half blocks. A hue has up to three levels and three of trails.
function colors(styled) {
  const found = new Set();
  let color = '';
  for (const [, code, character] of styled.matchAll(STYLE_OR_CHARACTER)) {
    if (code !== undefined) color = code;
    else if ((character > '\u2800' && character <= '\u28ff') || '▀▄█'.includes(character)) found.add(color);
  }
  return found.size;
}

for (const { look, least, most } of [
  { look: ['blur', 12], least: 10, most: 200 },
  { look: ['fish', 18], least: 1, most: 6 },
]) {
  test(`boids that all head the same way have ${least} to ${most} colours if they are drawn as ${look[0]}`, async (t) => {
    const fake = await startFake(t, { room: { look } });
    let tick = 0;
    const timer = setInterval(() => fake.send(snapshot((tick += 1), fake.time())), 33);
    atEnd(t, () => clearInterval(timer));
    const terminal = await openTerminal(t, { columns: 100, rows: 40 });
    await terminal.start(fake.ws);
    await terminal.until('the flock', (lines) => lines.some((line) => line.includes('12 boids')));
    await terminal.until('its colours', async () => {
      const count = colors(await terminal.styled());
      return count >= least && count <= most;
    });
    assert.ok(tick > 0);
  });
}
