// The panel of looks: layers over the flock that a person can switch on, and the flock as a picture and a film.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { RESTING, lobby, openFlock, sharedBrowser } from './browser.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const WIDE = { viewport: { width: 900, height: 640 } };

const browser = await sharedBrowser();

// The number of painted pixels on the overlay.
const painted = (page) =>
  page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('overlay'));
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += Number(data[i] > 20);
    return count;
  });

test('links and density are drawn over the flock, and the browser remembers them', async (t) => {
  const server = await startServer(t, [...RESTING, '--boids', '60', '--idle', 'hold', '--boundary', 'open']);
  const { page } = await openFlock(t, browser, lobby(server), WIDE);
  const choose = (name, on) => page.getByLabel(name, { exact: true }).setChecked(on);
  await page.keyboard.press('l');
  let before = await until('the target is drawn', () => painted(page));
  const target = before;
  await choose('Target', false);
  await until('the target is gone', async () => (before = await painted(page)) < target);
  for (const name of ['Links between neighbours', 'Density']) {
    await choose(name, true);
    await until(`${name} is drawn`, async () => (await painted(page)) > before + 300, () => painted(page));
    await choose(name, false);
    await until(`${name} is gone`, async () => (await painted(page)) < before + 300, () => painted(page));
  }
  await choose('Density', true);
  await page.reload();
  await until('density is drawn after a reload', async () => (await painted(page)) > before + 300, () => painted(page));
  await page.keyboard.press('l');
  assert.deepEqual([await page.getByLabel('Density', { exact: true }).isChecked(), await page.getByLabel('Target', { exact: true }).isChecked()], [true, false]);
});

async function saved(page, press) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

// In a page without flockd's policy, which allows no films: plays a film. Returns its length in s, the size of its pictures, the number
// of colours in each of four pictures, and the number of pixels in which each of them differs from the one before.
async function play(base64) {
  const video = document.createElement('video');
  const reached = (event) => new Promise((done, fail) => Object.assign(video, { [`on${event}`]: done, onerror: () => fail(video.error) }));
  const seek = (to) => {
    video.currentTime = to;
    return reached('seeked');
  };
  video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
  await reached('loadedmetadata');
  await seek(3600); // a recorder writes no length: the browser finds it at the end
  const { duration, videoWidth: width, videoHeight: height } = video;
  const pen = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  const pictures = [];
  for (const part of [0.1, 0.4, 0.6, 0.9]) {
    await seek(part * duration);
    pen.drawImage(video, 0, 0);
    pictures.push(new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer));
  }
  const differing = pictures.slice(1).map((picture, index) => picture.filter((pixel, i) => pixel !== pictures[index][i]).length);
  return { duration, size: [width, height], colors: pictures.map((picture) => new Set(picture).size), differing };
}

async function playFilm({ page }, { bytes }) {
  const player = await page.context().newPage();
  const played = await player.evaluate(play, bytes.toString('base64'));
  await player.close();
  return played;
}

// In the page, before its script: `window.filmed` has when a film begins and ends, and when its frames are drawn, ms.
function noteFilms() {
  const { start, stop } = MediaRecorder.prototype;
  const draw = window.requestAnimationFrame;
  const filmed = { from: Infinity, to: 0, frames: /** @type {number[]} */ ([]) };
  Object.assign(window, { filmed });
  window.requestAnimationFrame = (run) =>
    draw((time) => {
      const now = performance.now();
      run(time);
      if (now > filmed.from && filmed.to === 0) filmed.frames.push(now);
    });
  MediaRecorder.prototype.start = function (slice) {
    start.call(this, slice);
    filmed.from = performance.now();
  };
  MediaRecorder.prototype.stop = function () {
    filmed.to = performance.now();
    stop.call(this);
  };
}

test('the flock on the screen is saved as a picture and as a film of ten seconds', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, lobby(server), { ...WIDE, watch: (each) => each.addInitScript(noteFilms) });
  const { page } = view;
  const size = await page.evaluate(() => [innerWidth, innerHeight].map((side) => side * devicePixelRatio));
  await page.keyboard.press('l');
  const whole = saved(page, () => page.getByRole('button', { name: 'Film of 10 s' }).click());
  await page.getByRole('button', { name: /^Stop: \d+ s left$/ }).waitFor();
  const film = await whole;
  assert.match(film.name, /^flock-.*\.webm$/);
  const played = await playFilm(view, film);
  // It ends with the first frame after ten seconds. A busy machine may draw that frame, or begin the film, late.
  const { from, to, frames } = await page.evaluate(() => /** @type {any} */ (window).filmed);
  assert.ok(to - from >= 10_000 && frames.at(-1) - from < 10_100, `${[from, ...frames, to]}`);
  const [least, most] = [frames.at(-1), to].map((end) => (end - frames[0]) / 1000);
  assert.ok(played.duration > least - 1 && played.duration < most + 1, `${played.duration} s of ${[from, ...frames, to]}`);
  assert.deepEqual(played.size, size);
  assert.ok(played.colors.every((count) => count > 100), `${played.colors} colours: boids and their ground`);
  assert.ok(played.differing.every((count) => count > 500), `${played.differing} pixels of moved boids`);

  const picture = await saved(page, () => page.getByRole('button', { name: 'Picture', exact: true }).click());
  assert.match(picture.name, /^flock-.*\.png$/);
  const seen = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
    return { size: [bitmap.width, bitmap.height], colors: new Set(new Uint32Array(data.buffer)).size };
  }, picture.bytes.toString('base64'));
  assert.deepEqual(seen.size, size);
  assert.ok(seen.colors > 100, `${seen.colors} colours: boids and their ground`);
});

test('a film that is stopped early is saved', async (t) => {
  const server = await startServer(t, RESTING);
  const view = await openFlock(t, browser, lobby(server), WIDE);
  const { page } = view;
  await page.keyboard.press('l');
  await page.getByRole('button', { name: 'Film of 10 s' }).click();
  const stop = page.getByRole('button', { name: /^Stop: [1-9] s left$/ });
  await stop.waitFor();
  const film = await saved(page, () => stop.click());
  const { duration } = await playFilm(view, film);
  assert.ok(duration > 0.5 && duration < 9, `${duration} s`);
  await page.getByRole('button', { name: 'Film of 10 s' }).waitFor();
});
