#!/usr/bin/env node
// Makes build/looks/sheet.png from the page: each preset after 20 s, 3 and 10 minutes, with 0, 1 and 30 people who steer, on a desktop, a
// phone and a projector, in both themes. `make looks` runs it; people look at the sheet. --help prints the options.
//
// Time passes eight times as fast until a flock has its age. Then its room is paused, and a presenter steps it at the usual speed while
// the pictures are taken. The single pictures are in build/looks/shots/.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startBrowser, state } from './e2e/browser.mjs';
import * as flock from './e2e/client.mjs';
import { root, startServer } from './e2e/server.mjs';
import { readOptions } from './options.mjs';

const FAST = 240; // ticks a second while flocks age
const USUAL = 30; // ticks a second in rooms
const DEVICES = {
  desktop: { viewport: { width: 1366, height: 768 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  projector: { viewport: { width: 1920, height: 1080 } },
};
const THEMES = /** @type {const} */ (['dark', 'light']);
const PATIENCE = 300_000; // ms that a page may take on a busy machine
const SETTLE = 2500; // ms between the page's first boids and the first picture: the ground has appeared, and boids have left trails
const SHEET = 4300; // pixels: width of the sheet
const USAGE = `Usage: make looks ARGS="[OPTION]..."

  --quick           20 s alone, 1 and 30 people, the desktop alone
  --presets LIST    these presets alone, separated by commas
  --ages LIST       these ages alone, s, separated by commas; pictures of earlier runs stay in build/looks/shots/
  --renderer NAME   2d (default) or webgl2, which takes long without a graphics processor`;
const { values: options } = readOptions(USAGE, {
  options: {
    quick: { type: 'boolean', default: false },
    presets: { type: 'string', default: '' },
    ages: { type: 'string', default: '' },
    renderer: { type: 'string', default: '2d' },
  },
});
const AGES = options.ages === '' ? (options.quick ? [20] : [20, 180, 600]) : options.ages.split(',').map(Number); // s
const CROWDS = options.quick ? [1, 30] : [0, 1, 30];
const SHOWN = /** @type {(keyof typeof DEVICES)[]} */ (options.quick ? ['desktop'] : Object.keys(DEVICES));

const wait = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

async function presets(server) {
  if (options.presets !== '') return options.presets.split(',');
  const [preset] = (await flock.join(test, server.ws)).room.controls.filter(([name]) => name === 'preset');
  return preset[2].map(([name]) => name);
}

/** Makes a room of the preset, with a presenter who reads little. */
async function makeRoom(server, preset, people) {
  const answer = await fetch(`${server.url}api/rooms`, { method: 'POST', body: JSON.stringify({ preset }), headers: { 'content-type': 'application/json' } });
  const { code, key } = await answer.json();
  const presenter = await flock.join(test, server.ws, { room: code, key, name: 'Ada', rate: 2 });
  return { code, preset, people, presenter };
}

/** Waits until the room has run for that time, s, and pauses it. */
async function age({ presenter }, seconds) {
  await presenter.ask([flock.SET, 'run', 'running']);
  while (presenter.snapshot.tick < seconds * USUAL) await wait(50);
  await presenter.ask([flock.SET, 'run', 'paused']);
}

/** Takes the pictures of a room on a device, in both themes. */
async function shoot(browser, server, room, device, seconds) {
  const context = await browser.newContext({ ...DEVICES[device], colorScheme: THEMES[0], locale: 'en' });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const view = device === 'projector' ? '&view=projector' : '';
  await page.goto(`${server.url}r/${room.code}?name=Ben&renderer=${options.renderer}${view}`);
  while (!((await state(page)).boids > 0)) await wait(50);
  const stepping = setInterval(() => room.presenter.send([flock.STEP]), 1000 / USUAL);
  const { width, height } = DEVICES[device].viewport;
  const lead = (part) => room.people === 1 && page.mouse.move(width * (0.45 + 0.2 * part), height * (0.5 - 0.2 * part));
  const shots = [];
  await page.locator('#news').evaluate((news) => Object.assign(news.style, { display: 'none' })); // of the pause
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    for (let i = 0; i <= 10; i++) {
      await lead(i / 10);
      await wait(SETTLE / 10);
    }
    const image = await page.screenshot({ type: 'jpeg', quality: 82 });
    const name = [room.preset, device, `${room.people}-people`, `${seconds}-s`, theme].join('_');
    writeFileSync(resolve(out, 'shots', `${name}.jpg`), image);
    shots.push({ preset: room.preset, device, people: room.people, seconds, theme, name });
  }
  clearInterval(stepping);
  await context.close();
  return shots;
}

/** Lets several people steer in the rooms, by flock-load. */
function crowd(server, rooms) {
  if (rooms.length === 0) return null;
  const clients = String(rooms.length * rooms[0].people);
  const args = ['--codes', rooms.map(({ code }) => code).join(','), '--clients', clients, '--cursors', clients, '--cursor-rate', '4'];
  const program = spawn(resolve(root, 'build/flock-load'), [...args, '--rate', '1', '--encoding', 'packed', '--decode', '0', '--seconds', '7200', server.ws], { stdio: 'ignore' });
  ends.push(() => program.kill('SIGINT'));
  return program;
}

/** Calls run() for each item, for two items at a time. */
async function twoAtATime(items, run) {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all([work(), work()]);
}

/** Puts all pictures onto one sheet, sheet.html and sheet.png. The page reads the files, because 702 pictures do not fit into one message to the browser. A row has a preset on a device, a column has a theme, an age and a number of people. */
async function sheet(browser, shots) {
  const columns = THEMES.flatMap((theme) => AGES.flatMap((seconds) => CROWDS.map((people) => ({ theme, seconds, people }))));
  const rows = [...new Set(shots.map(({ preset }) => preset))].flatMap((preset) => SHOWN.map((device) => ({ preset, device })));
  const width = Math.floor((SHEET - 120) / columns.length) - 4;
  const cell = (/** @type {string} */ text) => `<div class="word">${text}</div>`;
  const head = columns.map(({ theme, seconds, people }) => cell(`${theme}, ${seconds} s, ${people}`));
  const body = rows.flatMap(({ preset, device }) => [
    cell(`${preset}<br>${device}`),
    ...columns.map((column) => {
      const shot = shots.find((each) => each.preset === preset && each.device === device && Object.entries(column).every(([key, value]) => each[key] === value));
      return shot === undefined ? cell('') : `<img src="shots/${shot.name}.jpg">`;
    }),
  ]);
  const page = await (await browser.newContext({ viewport: { width: SHEET, height: 1000 } })).newPage();
  const html = `<!doctype html><style>body{margin:0;background:#777;display:grid;grid-template-columns:120px repeat(${columns.length},${width}px);gap:4px;align-items:start;
    font:14px sans-serif}img{width:${width}px;max-height:560px;object-fit:contain}.word{padding:4px;background:#fff}</style>${[cell(''), ...head, ...body].join('')}`;
  writeFileSync(resolve(out, 'sheet.html'), html);
  await page.goto(pathToFileURL(resolve(out, 'sheet.html')).href, { timeout: PATIENCE });
  await page.screenshot({ path: resolve(out, 'sheet.png'), fullPage: true, timeout: PATIENCE });
}

const out = resolve(root, 'build/looks');
const ends = [];
const test = /** @type {any} */ ({ after: (run) => ends.push(run) });
const began = performance.now();
try {
  mkdirSync(resolve(out, 'shots'), { recursive: true });
  const server = await startServer(test, ['--tick-rate', String(FAST), '--snapshot-rate', String(USUAL), '--rooms-per-hour', '100000', '--rewind', '0', '--address-limit', '0']);
  ends.push(() => server.running || console.error(`flockd ended: ${server.stderr}`));
  const browser = await startBrowser({ args: ['--force-color-profile=srgb'] });
  ends.push(() => browser.close());
  const rooms = [];
  for (const preset of await presets(server)) for (const people of CROWDS) rooms.push(await makeRoom(server, preset, people));
  crowd(server, rooms.filter(({ people }) => people > 1));
  const shots = [];
  for (const seconds of AGES) {
    await Promise.all(rooms.map((room) => age(room, seconds)));
    console.log(`${seconds} s old after ${Math.round((performance.now() - began) / 1000)} s`);
    await twoAtATime(rooms, async (room) => {
      for (const shown of SHOWN) shots.push(...(await shoot(browser, server, room, shown, seconds)));
    });
  }
  await sheet(browser, shots);
  console.log(`${shots.length} pictures in ${Math.round((performance.now() - began) / 1000)} s: ${resolve(out, 'sheet.png')}`);
} finally {
  for (const end of ends.reverse()) await end();
}
