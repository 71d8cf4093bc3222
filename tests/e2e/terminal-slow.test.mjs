// flock-term on a slow line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import { startServer } from './server.mjs';
import { openOnLine } from './terminal-line.mjs';
import { until } from './until.mjs';

// Starts flock-term on a line of 50 KB/s. Resolves to the terminal when many frames have shown how slow the line is.
async function openSlow(t) {
  const server = await startServer(t, ['--model', 'boids', '--boids', '3000']);
  const terminal = openOnLine(server.ws, { rate: 50_000 });
  atEnd(t, () => {
    terminal.close();
    terminal.script.kill();
  });
  await until('many frames', () => terminal.frames > 120);
  return terminal;
}

test('the frame that opens a panel is small on a slow line', async (t) => {
  const terminal = await openSlow(t);
  const sizes = [];
  for (let i = 0; i < 5; i += 1) {
    sizes.push((await terminal.press('p', 'nearest')).size);
    const { frames } = terminal;
    terminal.script.stdin.write('p');
    await until('the flock has its place again', () => terminal.frames > frames + 20);
  }
  assert.ok(Math.max(...sizes) < 11_000, `bytes: ${sizes.join(', ')}`);
});
