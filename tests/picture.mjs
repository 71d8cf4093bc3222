#!/usr/bin/env node
// Makes docs/flockd.gif from the page: two people steer one flock. Time stands still but for a few ticks for each frame,
// so the flock moves evenly however long a frame takes. `make picture` runs it.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import gifenc from 'gifenc';
import { lobby, openFlock, startBrowser } from './e2e/browser.mjs';
import * as flock from './e2e/client.mjs';
import { startServer } from './e2e/server.mjs';

const SIZE = { width: 480, height: 300 };
const FRAMES = 40;
const TICKS = 3; // of each frame
const COLOURS = 15; // and one for what has not changed
const OPTIONS = ['--open-controls', '--model', 'boids', '--boids', '90', '--world', '480x300', '--boundary', 'walls', '--cursor-timeout', '3600'];

const pixelsOf = (page, image) =>
  page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
    pen.drawImage(bitmap, 0, 0);
    let text = '';
    for (const byte of pen.getImageData(0, 0, bitmap.width, bitmap.height).data) text += String.fromCharCode(byte);
    return btoa(text);
  }, image.toString('base64'));

// Both cursors go around the middle, the page's own on the inside.
const around = (i, share) => {
  const angle = (2 * Math.PI * i) / FRAMES;
  return [SIZE.width * (0.5 + share * Math.cos(angle)), SIZE.height * (0.5 + share * Math.sin(angle))];
};

async function film(t) {
  const server = await startServer(t, OPTIONS);
  const browser = await startBrowser();
  t.after(() => browser.close());
  const view = await openFlock(t, browser, lobby(server), { viewport: SIZE });
  const other = await flock.join(t, server.ws, { name: 'Ben' });
  await view.page.evaluate(() => document.querySelectorAll('#hint, #toast, #news').forEach(({ style }) => (style.display = 'none')));
  await view.until('the flock has formed', ({ tick }) => tick > 300);
  await other.ask([flock.SET, 'run', 'paused']);
  const frames = [];
  for (let i = 0; i < FRAMES; i++) {
    const [x, y] = await view.page.evaluate(([a, b]) => window.flock.toScreen(a, b), around(i, 0.15));
    await view.page.mouse.move(x, y);
    other.send([flock.CURSOR, ...around(i + 12, 0.38)]);
    const { tick } = other.snapshot;
    for (let k = 0; k < TICKS; k++) await other.ask([flock.STEP]);
    await view.until('the page shows it', (state) => state.tick >= tick + TICKS);
    frames.push(Buffer.from(await pixelsOf(view.page, await view.page.screenshot()), 'base64'));
  }
  return frames;
}

function encode(frames) {
  const { width, height } = SIZE;
  const palette = gifenc.quantize(Buffer.concat([frames[0], frames[FRAMES / 2]]), COLOURS);
  const gif = gifenc.GIFEncoder();
  let shown;
  for (const frame of frames) {
    const indexed = gifenc.applyPalette(frame, palette);
    const changes = shown === undefined ? indexed : indexed.map((colour, i) => (colour === shown[i] ? COLOURS : colour));
    gif.writeFrame(changes, width, height, {
      palette: shown === undefined ? [...palette, [0, 0, 0]] : undefined,
      delay: 90,
      transparent: shown !== undefined,
      transparentIndex: COLOURS,
      dispose: 1,
    });
    shown = indexed;
  }
  gif.finish();
  return gif.bytes();
}

const ends = [];
try {
  const bytes = encode(await film({ after: (run) => ends.push(run) }));
  const file = fileURLToPath(new URL('../docs/flockd.gif', import.meta.url));
  writeFileSync(file, bytes);
  console.log(`docs/flockd.gif: ${Math.round(bytes.length / 1024)} KB`);
} finally {
  for (const end of ends.reverse()) await end();
}
