#!/usr/bin/env node
// Makes the pictures of the documents from the page; `make picture` runs it. docs/flockd.gif is a lesson of a minute, on the presenter's
// screen and on a phone. It is filmed as it happens, each frame shown for as long as the next one took to come. docs/controls.png is the
// presenter's page with open controls, docs/start.png the start page. docs/flock-term.gif is a recording of flock-term, shown by xterm.
// `make picture ARGS=controls.png` makes that one alone.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import gifenc from 'gifenc';
import { createRoom } from './e2e/api.mjs';
import { openPage, startBrowser, state } from './e2e/browser.mjs';
import * as flock from './e2e/client.mjs';
import { startServer } from './e2e/server.mjs';
import { filmTerminal } from './film-terminal.mjs';

const SCREEN = { viewport: { width: 904, height: 600 }, deviceScaleFactor: 0.75, locale: 'en' };
const STILL = { viewport: { width: 1280, height: 800 }, locale: 'en' };
const COLUMN = { viewport: { width: 480, height: 1000 }, deviceScaleFactor: 2, locale: 'en' };
const PHONE = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 0.5, locale: 'en', hasTouch: true, isMobile: true };
const CAPTION = 30; // pixels below the screen
const SIZE = { width: 678 + 204, height: 450 + CAPTION }; // the screen, and room for the phone beside it
const GAP = 280; // ms between two frames, at least
const LONGEST = 600; // ms for which a frame is shown that took longer: what the pages needed to load
const COLOURS = 31; // of a film, and one for what has not changed
const COLOURS_TERMINAL = 95; // its ground has many
const PARAMETER = 'cohesion_weight';

// Hides the page's words about the machine that makes the picture.
const ofMachine = (page) => page.evaluate(() => document.querySelectorAll('#flock-slow, #invite-problem').forEach(({ style }) => (style.display = 'none')));

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// In the mixer's page: the screen, the phone beside it, and the caption, as text of its pixels.
async function mix({ width, height, caption, screen, phone, text }) {
  const image = (base64) => createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true }));
  pen.fillStyle = '#05070c';
  pen.fillRect(0, 0, width, height);
  pen.drawImage(await image(screen), 0, 0);
  if (phone !== null) {
    const small = await image(phone);
    const [x, y] = [width - small.width - 12, (height - caption - small.height) / 2];
    pen.fillStyle = '#3a465c';
    pen.fillRect(x - 4, y - 4, small.width + 8, small.height + 8);
    pen.drawImage(small, x, y);
  }
  pen.fillStyle = '#1d2a40';
  pen.fillRect(0, height - caption, width, caption);
  pen.fillStyle = '#ffffff';
  pen.font = '600 15px sans-serif';
  pen.textAlign = 'center';
  pen.fillText(text, width / 2, height - caption / 2 + 5);
  let pixels = '';
  const { data } = pen.getImageData(0, 0, width, height);
  for (let i = 0; i < data.length; i += 8192) pixels += String.fromCharCode(...data.subarray(i, i + 8192));
  return btoa(pixels);
}

// Films the screen's page, and the phone's page while there is one.
function camera() {
  const shots = [];
  const film = { shots, screen: /** @type {any} */ (null), phone: /** @type {any} */ (null), text: '' };
  film.shoot = async () => {
    const [screen, phone] = await Promise.all([film.screen.screenshot(), film.phone?.screenshot() ?? null]);
    shots.push({ screen, phone, text: film.text, at: performance.now() });
  };
  // Films for that long; `each` is called before every frame with the share of the time that has passed.
  film.roll = async (ms, each = async (/** @type {number} */ _share) => {}) => {
    const begin = performance.now();
    for (let share = 0; share < 1; ) {
      const at = performance.now();
      share = Math.min(1, (at - begin) / ms);
      await each(share);
      await film.shoot();
      await wait(Math.max(0, at + GAP - performance.now()));
    }
  };
  return film;
}

async function lesson(t) {
  const server = await startServer(t, []);
  const browser = await startBrowser({ full: true, args: ['--force-color-profile=srgb'] });
  t.after(() => browser.close());
  const film = camera();
  const { page: screen, until } = await openPage(t, browser, server.url, { ...SCREEN, newcomer: true });
  film.screen = screen;
  const room = () => new URL(screen.url()).pathname.split('/').at(-1) ?? '';
  const pointAt = (x, y) => screen.mouse.move(x, y);

  film.text = 'Create a room';
  await screen.locator('.preset canvas').first().waitFor();
  await film.roll(1200);
  await screen.locator('#title').focus();
  for (const letter of 'Class 7b') {
    await screen.keyboard.type(letter);
    await film.shoot();
  }
  await screen.locator('.preset', { hasText: 'march' }).click();
  await film.roll(1400);
  await screen.locator('#create button').click();
  await screen.waitForURL(/\/r\//);
  await screen.locator('#invite-qr svg').waitFor();
  await ofMachine(screen);

  film.text = 'Everyone joins, with the code';
  await film.roll(2500);
  const { page: phone } = await openPage(t, browser, server.url, { ...PHONE, newcomer: true });
  film.phone = phone;
  await film.roll(800);
  for (const letter of room().toLowerCase()) {
    await phone.locator('#code').press(letter);
    await film.shoot();
  }
  await phone.locator('#join button').tap();
  await phone.locator('#welcome-names button').first().waitFor();
  await film.roll(1600);
  await phone.locator('#welcome-names button').first().tap();
  await film.roll(1200);
  await screen.keyboard.press('Escape');
  await screen.locator('#welcome-name').fill('Ada');
  await film.roll(800);
  await screen.locator('#welcome-name').press('Enter');

  film.text = 'Everyone steers the same flock';
  const others = [];
  for (const name of ['Ben', 'Ava']) others.push(await flock.join(t, server.ws, { name, room: room() }));
  const [width, height] = others[0].room.world;
  const around = (turn, part) => [width * (0.5 + part * Math.cos(2 * Math.PI * turn)), height * (0.5 + part * Math.sin(2 * Math.PI * turn))];
  const steer = (turn) => others.forEach((other, i) => other.send([flock.CURSOR, ...around(turn + 0.2 + 0.35 * i, 0.33)]));
  await film.roll(9_000, async (share) => {
    steer(1.5 * share);
    await pointAt(...(await screen.evaluate(([x, y]) => window.flock.toScreen(x, y), around(1.5 * share, 0.3))));
  });

  film.text = 'Or each leads boids of their own';
  await screen.keyboard.press('p');
  await screen.locator('[data-control=policy] label:has([value=nearest])').click();
  const finger = await phone.context().newCDPSession(phone);
  const touch = (type, ...points) => finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', { x: 120, y: 330 });
  await film.roll(5500, async (share) => {
    steer(1.2 * share);
    await pointAt(...(await screen.evaluate(([x, y]) => window.flock.toScreen(x, y), around(1.2 * share, 0.3))));
    await touch('touchMove', { x: 120 + 100 * share, y: 330 - 60 * share });
  });
  await touch('touchEnd');
  await screen.locator('[data-control=policy] label:has([value=mean])').click();

  film.text = 'Change it while everyone watches';
  const slider = screen.locator(`[data-param=${PARAMETER}] input[type=range]`);
  await slider.waitFor();
  await ofMachine(screen);
  await film.roll(1600, steer);
  await slider.scrollIntoViewIfNeeded();
  await slider.focus();
  await film.roll(5000, async (share) => {
    steer(0.5 + share);
    if (share < 0.5) for (let i = 0; i < 3; i++) await screen.keyboard.press('ArrowRight');
  });
  await screen.locator('#undo').click();
  await film.roll(2500, async (share) => steer(share));

  film.text = 'A view for the projector';
  await screen.keyboard.press('p');
  await screen.keyboard.press('v');
  await screen.locator('#projector-code').waitFor();
  others.push(await flock.join(t, server.ws, { name: 'Zoe', room: room() }));
  await film.roll(5000, async (share) => steer(share));
  await screen.keyboard.press('v');

  film.text = 'Rewind, and go on from there';
  await screen.keyboard.press('p');
  await screen.locator('#past-open').waitFor();
  await screen.locator('#past-open').click();
  const line = screen.locator('#past-line');
  await line.waitFor();
  await film.roll(1000);
  await film.roll(4000, (share) =>
    line.evaluate((/** @type {any} */ input, back) => {
      input.value = String(-back);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }, 20 * share),
  );
  await screen.locator('#past-forwards').click();
  await film.roll(4000);
  await screen.locator('#past-resume').click();
  await until('the room goes on', ({ status }) => status === 'connected');
  await film.roll(4000, async (share) => steer(share));

  const mixer = await (await browser.newContext()).newPage();
  const frames = [];
  for (const { screen: large, phone: small, text, at } of film.shots) {
    const part = (image) => image?.toString('base64') ?? null;
    const pixels = await mixer.evaluate(mix, { ...SIZE, caption: CAPTION, screen: part(large), phone: part(small), text });
    frames.push({ pixels: Buffer.from(pixels, 'base64'), at });
  }
  return frames;
}

function encode(frames, { width, height } = SIZE, colours = COLOURS) {
  const samples = Array.from({ length: 8 }, (_, i) => frames[Math.floor(((i + 0.5) * frames.length) / 8)].pixels);
  const palette = gifenc.quantize(Buffer.concat(samples), colours);
  const gif = gifenc.GIFEncoder();
  let shown;
  frames.forEach(({ pixels, at }, i) => {
    const indexed = gifenc.applyPalette(pixels, palette);
    const changes = shown === undefined ? indexed : indexed.map((colour, k) => (colour === shown[k] ? colours : colour));
    gif.writeFrame(changes, width, height, {
      palette: shown === undefined ? [...palette, ...Array.from({ length: 2 ** Math.ceil(Math.log2(colours + 1)) - palette.length }, () => [0, 0, 0])] : undefined,
      delay: i + 1 < frames.length ? Math.min(LONGEST, frames[i + 1].at - at) : 2000,
      transparent: shown !== undefined,
      transparentIndex: colours,
      dispose: 1,
    });
    shown = indexed;
  });
  gif.finish();
  return gif.bytes();
}

// A class of five with the preset murmuration, whose cursors circle until the flock is among them.
async function controls(t) {
  const server = await startServer(t, []);
  const browser = await startBrowser({ full: true, args: ['--force-color-profile=srgb'] });
  t.after(() => browser.close());
  const room = await createRoom(server, { title: 'Class 7b', preset: 'murmuration' });
  const page = await (await browser.newContext({ ...STILL, colorScheme: 'dark' })).newPage(); // at full speed, unlike a test's
  await page.goto(`${server.url}r/${room.code}?name=Ada&renderer=2d#key=${room.key}`);
  while (!((await state(page)).boids > 0)) await wait(50);
  const others = [];
  for (const name of ['Ben', 'Ava', 'Cem', 'Mia']) others.push(await flock.join(t, server.ws, { name, room: room.code }));
  const [{ room: { world: [width, height] } }] = others;
  const steer = (turn) =>
    others.forEach((other, i) => {
      const angle = 2 * Math.PI * (turn + i / others.length);
      other.send([flock.CURSOR, width * (0.5 + 0.2 * turn + 0.1 * Math.cos(angle)), height * (0.45 + 0.2 * Math.sin(angle))]);
    });
  await page.locator('#panel-open').click();
  await page.locator('#panel-params input').first().waitFor();
  await ofMachine(page);
  for (let i = 0; i <= 100; i++) {
    steer(i / 100);
    await wait(80);
  }
  await page.locator('#news').evaluate((news) => (news.style.display = 'none'));
  return page.screenshot();
}

async function startPage(t) {
  const server = await startServer(t, []);
  const browser = await startBrowser({ full: true, args: ['--force-color-profile=srgb'] });
  t.after(() => browser.close());
  await createRoom(server, { title: 'Science week', preset: 'bees', listed: true });
  const { page } = await openPage(t, browser, server.url, { ...COLUMN, newcomer: true });
  await page.locator('.preset canvas').first().waitFor();
  await page.locator('#rooms', { hasText: 'Science week' }).waitFor();
  await wait(3000);
  return page.screenshot();
}

async function terminal() {
  const { frames, ...size } = await filmTerminal();
  return encode(frames, size, COLOURS_TERMINAL);
}

const PICTURES = { 'flockd.gif': async (t) => encode(await lesson(t)), 'controls.png': controls, 'start.png': startPage, 'flock-term.gif': terminal };
const wanted = process.argv.slice(2);

for (const [name, make] of Object.entries(PICTURES).filter(([each]) => wanted.length === 0 || wanted.includes(each))) {
  const ends = [];
  try {
    const bytes = await make({ after: (run) => ends.push(run) });
    writeFileSync(fileURLToPath(new URL(`../docs/${name}`, import.meta.url)), bytes);
    console.log(`docs/${name}: ${Math.round(bytes.length / 1024)} KB`);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}
