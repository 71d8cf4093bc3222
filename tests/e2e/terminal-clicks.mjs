// The parts of flock-term that people click, drag and scroll, each with its effect; for terminal-keys.test.mjs.
import assert from 'node:assert/strict';
import * as flock from './client.mjs';

const text = (lines) => lines.join('\n');
const rowOf = (lines, pattern) => lines.findIndex((line) => pattern.test(line));
const choice = (client, name) => flock.control(client, name).value;

// Clicks the first of a word on the screen.
export async function clickWord(walk, pattern, offset = 0) {
  const [row, column] = await walk.terminal.until(`${pattern} to click`, (lines) => {
    const at = rowOf(lines, pattern);
    return at >= 0 && [at, (pattern.exec(lines[at])?.index ?? 0) + offset];
  });
  await walk.terminal.click(column, row);
}

export const CLICKS = [
  // the bottom line
  async (walk) => {
    await clickWord(walk, /\? help/);
    await walk.shows(/move your cursor/);
    if (walk.columns > 80) await walk.terminal.click(0, 0); // beside the box
    else await walk.terminal.key('?');
    await walk.hides(/move your cursor/);
  },
  // a row of the controls, its words, and its bar
  async (walk) => {
    await walk.terminal.key('p');
    await walk.shows(/Controls/);
    await walk.terminal.key('Home');
    await clickWord(walk, /\bupdate /);
    await walk.shows(/Controls[ ─-]+4\//);
    await clickWord(walk, /synchronous ›/, 2);
    await walk.watcher.until('the next choice', () => choice(walk.watcher, 'update') === 'sequential');
    await clickWord(walk, /‹ sequential/);
    await walk.watcher.until('the choice before', () => choice(walk.watcher, 'update') === 'synchronous');
    await walk.close();
  },
  // the room's rows and names
  async (walk) => {
    await walk.terminal.key('w');
    await walk.shows(/Room[ ─-]+2 people/);
    await clickWord(walk, /\bWanda /);
    await walk.shows(/Wanda, a viewer/);
    await clickWord(walk, /\bWanda /);
    await walk.shows(/Wanda_/);
    await walk.close();
  },
  // the room's buttons
  async (walk) => {
    await walk.person('Wanda');
    if (walk.rows <= 12) assert.doesNotMatch(await walk.terminal.text(), /\+ presenter/);
    else {
      await clickWord(walk, /\+ presenter/);
      await walk.watcher.until('a presenter', () => walk.watcher.role === 'presenter');
      await clickWord(walk, /- viewer/);
      await walk.watcher.until('a viewer', () => walk.watcher.role === 'viewer');
      await clickWord(walk, /x remove/);
      await walk.shows(/remove Wanda/);
      await walk.terminal.key('n');
    }
    await walk.close();
  },
  // a person's cursor and name
  async (walk) => {
    const [width, height] = walk.watcher.room.world;
    const whole = await walk.whole();
    walk.watcher.send([flock.CURSOR, width / 5, height / 5]);
    await clickWord(walk, / Wanda /, 2);
    await walk.shows(/Wanda, a viewer/);
    await walk.close();
    await walk.terminal.until('her cursor has its place again', async () => (await walk.corners()) === whole);
    await clickWord(walk, /[◆+] Wanda/);
    await walk.shows(/Wanda, a viewer/);
    walk.watcher.send([flock.AWAY]);
    await walk.close();
    await walk.hides(/Wanda/);
  },
  // a boid
  async (walk) => {
    const lines = (await walk.pause()).split('\n');
    const row = lines.findIndex((line, i) => i > 0 && i < walk.rows - 2 && /[▀▄█\u2801-\u28ff]/.test(line));
    await walk.terminal.click(lines[row].search(/[▀▄█\u2801-\u28ff]/), row);
    await walk.shows(/Why boid \d+ turns/);
    await walk.close();
    await walk.run();
  },
  // an entry of the palette, and beside it
  async (walk) => {
    await walk.terminal.type(':');
    await walk.terminal.type('pause or');
    await walk.shows(/: pause or_ +1\/1/);
    await clickWord(walk, /pause or run/);
    await walk.watcher.until('it is paused', () => choice(walk.watcher, 'run') === 'paused');
    await walk.terminal.key('Space');
    await walk.watcher.until('it runs', () => choice(walk.watcher, 'run') === 'running');
    await walk.terminal.type(':');
    await walk.shows(/: _/);
    if (walk.columns > 40) await walk.terminal.click(0, walk.rows - 2); // else it covers all
    else await walk.close();
    await walk.hides(/: _/);
  },
  // the buttons of the sweep
  async (walk) => {
    await walk.find('sweep inertia');
    await walk.watcher.until('it runs', () => walk.watcher.swept?.state === 'running');
    await clickWord(walk, /X stop/);
    await walk.watcher.until('it is over', () => walk.watcher.swept?.state === 'stopped');
    await clickWord(walk, /: finds a parameter/);
    await walk.shows(/: _/);
    await walk.close();
  },
];

export const DRAGS = [
  // a parameter's bar
  async (walk) => {
    await walk.inertia();
    const [row, first, last] = await walk.terminal.until('the bar', (lines) => {
      const at = rowOf(lines, /\binertia /);
      const cells = Array.from(lines[at] ?? '').map((symbol, i) => (/[█▏▎▍▌▋▊▉·=.-]/.test(symbol) && i > lines[at].indexOf('inertia') + 12 ? i : -1)).filter((i) => i >= 0);
      return cells.length > 4 && [at, cells.at(-6) ?? 0, cells.at(-1) ?? 0];
    });
    await walk.terminal.press(first, row);
    await walk.terminal.drag(last, row);
    await walk.watcher.until('the largest value', () => walk.param() === 3);
    await walk.terminal.release(last, row);
    await walk.terminal.key('BSpace');
    await walk.watcher.until('the default', () => walk.param() === 1);
    await walk.terminal.key('Home');
    await walk.shows(/Controls[ ─-]+1\//);
    await walk.terminal.wheel(walk.columns - 5, 3, 1);
    await walk.shows(/Controls[ ─-]+2\//);
    await walk.terminal.wheel(walk.columns - 5, 3, -1);
    await walk.shows(/Controls[ ─-]+1\//);
    await walk.close();
  },
  // the wheel over the flock, the help, the palette and the news
  async (walk) => {
    const before = await walk.whole();
    const middle = [Math.floor(walk.columns / 2), Math.floor(walk.rows / 2)];
    await walk.terminal.wheel(middle[0], middle[1], -1);
    await walk.terminal.until('larger', async () => (await walk.corners()) !== before);
    await walk.terminal.wheel(middle[0], middle[1], 1);
    await walk.terminal.key('0');
    await walk.terminal.until('as before', async () => (await walk.corners()) === before);
    await walk.terminal.type(':');
    await walk.shows(/: _ +1\//);
    await walk.terminal.wheel(middle[0], middle[1], 2);
    await walk.shows(/: _ +3\//);
    await walk.close();
    await walk.terminal.key('?');
    const scrolls = /scroll \(1-/.test(text(await walk.shows(/move your cursor/)));
    await walk.terminal.wheel(middle[0], middle[1], 1);
    if (scrolls) await walk.shows(/scroll \(4-/);
    await walk.terminal.key('?');
    await walk.hides(/scroll \(|move your cursor/);
  },
  // the bar of the past
  async (walk) => {
    await walk.watcher.until('a past', () => walk.watcher.snapshot.tick > 200);
    await walk.terminal.key('<');
    await walk.watcher.until('the past', () => walk.watcher.past?.shown);
    await walk.shows(/●/);
    await walk.terminal.click(1, walk.rows - 2);
    await walk.watcher.until('its beginning', () => walk.watcher.past.back > walk.watcher.past.span - 0.5);
    await walk.terminal.key('v');
    await walk.watcher.until('now', () => !walk.watcher.past.shown);
    await walk.hides(/the past: |●/);
  },
];
