// Each key and each click that the help of flock-term names has its effect, in several sizes and types of terminals. The test reads the
// help from the screen: a key without a check below fails.
//
// `make test-terminals` runs all sizes with all types of terminals; `make test` runs some.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { CLICKS, DRAGS } from './terminal-clicks.mjs';
import { startFake } from './terminal-fake.mjs';
import { openTerminal } from './terminal.mjs';

const KEY = 'abcdefgh1';
const SIZES = [[80, 24], [200, 50], [40, 12]];
const TERMS = ['xterm-256color', 'tmux-256color', 'screen-256color', 'linux', 'vt100', 'xterm-direct', 'foot'];
const ALL = SIZES.flatMap(([columns, rows]) => TERMS.map((term) => ({ columns, rows, term })));
const SOME = [{ columns: 80, rows: 24, term: 'xterm-256color' }, { columns: 200, rows: 50, term: 'tmux-256color' }, { columns: 40, rows: 12, term: 'vt100' }];

const text = (lines) => lines.join('\n');
// The heads of boxes and panels, and fields with typed text. A screen with such a head or field has something open.
const OPEN = /Controls[ ─-]|Room[ ─-]|News[ ─-]|Sweep[ ─-]+[a-z╮+-]|Why boid|The flock[ ─-]|room: \S*_|: \S*_|room lobby|move your cursor|inertia +[\d.e-]+_|Wanda_|remove \w+ from/;
const BRAILLE = /[\u2801-\u28ff]/;
const pictureOf = (lines) => text(lines.slice(0, -1));
const heads = (lines) => text(lines).match(new RegExp(OPEN, 'g'))?.join() ?? '';
const choice = (client, name) => flock.control(client, name).value;

// The names of keys in the help, for tmux.
const NAMES = {
  'arrows, hjkl': ['Left', 'Down', 'Up', 'Right', 'h', 'j', 'k', 'l'],
  'with Shift': ['S-Left', 'S-Down', 'S-Up', 'S-Right', 'H', 'J', 'K', 'L'],
  'up, down': ['Up', 'Down', 'k', 'j'],
  'left, right': ['Left', 'Right', 'h', 'l'],
  '+, wheel': ['+', '='],
  '-, wheel': ['-'],
  '0-9 . - e': ['1', '.', '5', 'e', '-', '1'],
  Backspace: ['BSpace'],
  space: ['Space'],
  'Ctrl-L': ['C-l'],
  'Ctrl-U': ['C-u'],
  ':, Ctrl-P': [':', 'C-p'],
  'x, Delete': ['x', 'DC'],
  Esc: ['Escape'],
};
const keysOf = (label) => NAMES[label] ?? label.split(', ');
const SIDES = { Left: [-1, 0], h: [-1, 0], H: [-1, 0], Right: [1, 0], l: [1, 0], L: [1, 0], Up: [0, -1], k: [0, -1], K: [0, -1], Down: [0, 1], j: [0, 1], J: [0, 1] };
const sideOf = (key) => SIDES[key.replace('S-', '')];

// Returns the entries of the help, [keys, meaning], from its rows before the facts about the server. The meaning is beside the keys, over as many rows as it takes.
function readEntries(rows, columns) {
  const two = columns - 4 >= 75;
  const width = two ? Math.min(52, Math.floor((columns - 7) / 2)) : Math.min(52, columns - 4);
  const lines = rows.slice(0, rows.findIndex((row) => row.startsWith('server ')));
  const halves = [lines.map((row) => row.slice(0, width)), two ? lines.map((row) => row.slice(width + 3)) : []];
  const entries = [];
  for (const line of halves.flat()) {
    const [keys, meaning] = [line.slice(0, 13).trim(), line.slice(13).trim()];
    if (keys === '' && meaning !== '' && entries.length > 0) entries.at(-1)[1] += ` ${meaning}`;
    else if (meaning !== '' || keys !== '') entries.push([keys, meaning]);
  }
  return entries;
}

// A terminal in a room, with Wanda, a viewer, who sees what it does.
async function openWalk(t, { columns, rows, term }) {
  const server = await startServer(t, ['--presenter-key', KEY, '--idle', 'hold', '--boids', '40']);
  const watcher = await flock.join(t, server.ws, { name: 'Wanda', topics: flock.TOPIC_SWEPT });
  const terminal = await openTerminal(t, { columns, rows, term });
  const start = async (ws) => {
    await terminal.start('--name', 'Tess', '--key', KEY, ws);
    await terminal.until('the flock is live', (lines) => /^ live/.test(lines.at(-1)));
  };
  await start(server.ws);
  const tess = await watcher.until('Tess', () => [...watcher.people].find(([, { name }]) => name === 'Tess')?.[0]);
  const ascii = term === 'linux';
  const walk = {
    ...{ t, server, watcher, terminal, tess, columns, rows, ascii, start, mouse: false },
    shows: (/** @type {RegExp} */ pattern) => terminal.until(`${pattern}`, (lines) => pattern.test(text(lines)) && lines),
    hides: (/** @type {RegExp} */ pattern) => terminal.until(`no ${pattern}`, (lines) => !pattern.test(text(lines)) && lines),
    cursor: () => watcher.snapshot.cursors.get(tess),
    count: () => watcher.snapshot.boids.length,
    param: () => flock.param(watcher, 'inertia'),
    /** Closes all that is open, one thing after another. */
    async close() {
      for (let before = await terminal.screen(); OPEN.test(text(before)); ) {
        const [last, lines] = [text(before.slice(0, -1)), before];
        await terminal.key('Escape');
        before = await terminal.until(`something is closed of\n${text(lines)}`, (now) => heads(now) !== heads(lines) && text(now.slice(0, -1)) !== last && now);
      }
    },
    /** Chooses an entry of the palette. */
    async find(words) {
      await terminal.type(':');
      await terminal.type(words);
      await walk.shows(new RegExp(`: ${words}_ +1/`));
      await terminal.key('Enter');
      await walk.hides(new RegExp(`: ${words}_`));
    },
    /** Opens and closes the help: what flock-term drew before is on the screen then. A flock-term without the processor draws late. */
    async redraws() {
      await terminal.key('?');
      await walk.shows(/move your cursor/);
      await terminal.key('?');
      return walk.hides(/move your cursor|scroll \(/);
    },
    /** Resolves to the picture when it rests and is not the given one. */
    rests(other = '') {
      let last = '';
      return terminal.until('a picture that rests', async () => {
        const before = last;
        last = pictureOf(await walk.redraws());
        return before === last && last !== other && last;
      });
    },
    /** Pauses the flock. Resolves to the picture, from which trails have gone. */
    async pause() {
      await terminal.key('Space');
      await watcher.until('it is paused', () => choice(watcher, 'run') === 'paused');
      return walk.rests();
    },
    async run() {
      await terminal.key('Space');
      await watcher.until('it runs', () => choice(watcher, 'run') === 'running');
    },
    /** Opens the controls with inertia selected. */
    async inertia() {
      await walk.find('inertia');
      await walk.shows(/Controls/);
    },
    /** Opens the room's panel and selects that person, who came last. */
    async person(name, people = 2) {
      await terminal.type('w');
      await walk.shows(new RegExp(`Room[ ─-]+${people} people`));
      await terminal.until(`${name} is selected`, async (lines) => {
        await terminal.key('End'); // also after the person has come
        return text(lines).replace(/[│|\s]+/g, ' ').includes(`${name}, a`);
      });
    },
    /** Resolves to the places of the corners of the world's frame. */
    async corners() {
      const pattern = ascii ? /^\+|\+$|\+(?=-*\+?$)/g : /[┌┐└┘]/g;
      const lines = (await terminal.screen()).slice(0, -1);
      return JSON.stringify(lines.flatMap((line, row) => [...line.trimEnd().matchAll(pattern)].map(({ index }) => [row, index])));
    },
    /** The same when the whole world is shown and rests: a panel that has just closed may still cover a corner, or leave the world narrow. */
    whole() {
      let last = '';
      return terminal.until('the corners of the world', async () => {
        const before = last;
        await walk.redraws();
        last = await walk.corners();
        return before === last && (ascii || JSON.parse(last).length === 4) && last;
      });
    },
  };
  return walk;
}

// Presses each key and waits until it has opened something, then closes it.
const opens = (pattern) => async (walk, keys) => {
  for (const key of keys) {
    await walk.terminal.key(key);
    await walk.shows(pattern);
    await walk.close();
  }
};

// Presses keys that move the cursor, each from the middle of the world.
const moves = (least) => async ({ terminal, watcher, cursor }, keys) => {
  const [width, height] = watcher.room.world;
  for (const key of keys) {
    await terminal.key('c');
    await watcher.until('no cursor', () => cursor() === undefined);
    await terminal.key(key);
    const [x, y] = await watcher.until(`the cursor after ${key}`, cursor);
    const [side, down] = sideOf(key);
    const [across, along] = [(x - width / 2) * side + (y - height / 2) * down, Math.abs((x - width / 2) * down) + Math.abs((y - height / 2) * side)];
    assert.ok(across > least && along < 1, `${key}: ${[x, y]}`);
  }
};

// Presses keys that change the number of boids by ten.
const counts = (change) => async ({ terminal, watcher, count }, keys) => {
  for (const key of keys) {
    const before = count();
    await terminal.key(key);
    await watcher.until(`${change} boids`, () => count() === before + change);
  }
};

// Rewinds by five seconds, and waits until the room and the terminal show that moment.
async function rewinds({ terminal, watcher, shows }) {
  await watcher.until('a past', () => watcher.snapshot.tick > 200);
  const { epoch } = watcher.snapshot;
  await terminal.key('<');
  await watcher.until('the past', () => watcher.past?.shown && watcher.past.back >= 4);
  await watcher.until('the moment is loaded', () => watcher.snapshot.epoch !== epoch);
  await shows(/the past: /);
}

// Presses a key in the past, and waits for what the room then shows.
const inPast = (what, probe) => async (walk, keys) => {
  const { terminal, watcher } = walk;
  for (const key of keys) {
    await rewinds(walk);
    const { back } = watcher.past;
    const from = watcher.messages.length;
    await terminal.key(key);
    // A play ends at the beginning or in the present, perhaps at once.
    const told = () => watcher.messages.slice(from).filter(([type]) => type === flock.PAST).map(([, shown, span, at, speed]) => ({ shown, span, back: at, speed }));
    await watcher.until(what, () => told().some((past) => probe(past, back)));
    await terminal.key('v');
    await watcher.until('the present', () => !watcher.past.shown);
    await walk.hides(/the past: /);
  }
};

// Selects inertia in the controls, and presses keys that change it up and down. The moment from which the room went on may have an
// inertia that cannot become less.
const changes = (least) => async (walk, keys) => {
  const { terminal, watcher, param } = walk;
  await walk.inertia();
  await terminal.type('2');
  await terminal.key('Enter');
  await watcher.until('an inertia that can become less, or more', () => param() === 2);
  for (const key of keys) {
    const before = param();
    const [side, down] = sideOf(key);
    if (down !== 0) continue; // of the rows
    await terminal.key(key);
    await watcher.until(`a change by ${key}`, () => (param() - before) * side > least);
  }
  await walk.close();
};

const zooms = async (walk, keys) => {
  const { terminal } = walk;
  for (const key of keys) {
    const before = await walk.whole();
    await terminal.key(key);
    await terminal.until('another part of the world', async () => (await walk.corners()) !== before);
    await terminal.key('0');
    await terminal.until('the whole world', async () => (await walk.corners()) === before);
  }
};

// Enlarges the world at a boid, which stays in view, and drags it away from the nearer edges.
const dragsWorld = async (walk) => {
  const { terminal, columns, rows } = walk;
  if (!walk.mouse) return;
  const paused = await walk.pause();
  const lines = paused.split('\n').map((line) => Array.from(line));
  const y = lines.findIndex((line) => line.some((symbol) => BRAILLE.test(symbol)));
  const x = lines[y].findIndex((symbol) => BRAILLE.test(symbol));
  await terminal.wheel(x, y, -3);
  const before = await walk.rests(paused);
  const to = [x + (x < columns / 2 ? -1 : 1), y + (y < rows / 2 ? -1 : 1)];
  await terminal.button(2, x, y);
  await terminal.button(34, ...to);
  await terminal.until('the world has moved', (shown) => pictureOf(shown) !== before);
  await terminal.button(2, ...to, true);
  await terminal.key('0');
  await walk.run();
};

// The checks, by the words of the help.
const CHECKS = {
  'steer: the flock follows all cursors click rows and names drag bars, wheel scrolls': async (walk) => {
    if (!walk.mouse) return;
    await walk.terminal.mouse(Math.floor(walk.columns / 2), 2);
    await walk.watcher.until('the cursor is above', () => (walk.cursor()?.[1] ?? Infinity) < walk.watcher.room.world[1] / 2);
    for (const click of [...CLICKS, ...DRAGS]) await click(walk);
  },
  'move your cursor': moves(2),
  'move it farther': moves(30),
  'hide your cursor': async ({ terminal, watcher, cursor }, keys) => {
    await terminal.key('Right');
    await watcher.until('a cursor', cursor);
    await terminal.key(...keys);
    await watcher.until('no cursor', () => cursor() === undefined);
  },
  'controls of the flock': opens(/Controls[ ─-]+\d+\//),
  'the room and its people': opens(/Room[ ─-]+\d+ p/),
  'measures and centroid': async (walk, keys) => {
    await walk.terminal.key(...keys);
    await walk.shows(walk.rows > 12 ? /polarization/ : walk.ascii ? /O/ : /◇/);
    await walk.close();
  },
  'the last news of the room': opens(/News[ ─-]/),
  'the sweep of a parameter': opens(/Sweep[ ─-]/),
  'why a boid turns; the next boid': async (walk, keys) => {
    const boidOf = (lines) => Number(/Why boid (\d+) turns/.exec(text(lines))?.[1] ?? -1);
    await walk.terminal.key(...keys);
    const first = await walk.terminal.until('a boid', (lines) => boidOf(lines) + 1);
    await walk.terminal.key(...keys);
    await walk.terminal.until('the next boid', (lines) => boidOf(lines) === first % 40);
    await walk.close();
  },
  'end the explanation': async (walk, keys) => {
    await walk.terminal.key('y');
    await walk.shows(/Why boid/);
    await walk.terminal.key(...keys);
    await walk.hides(/Why boid/);
  },
  'follow the flock': zooms,
  'show the whole world': async (walk, keys) => {
    const before = await walk.whole();
    await walk.terminal.key('+');
    await walk.terminal.until('a part', async () => (await walk.corners()) !== before);
    await walk.terminal.key(...keys);
    await walk.terminal.until('the whole', async () => (await walk.corners()) === before);
  },
  'enlarge the flock': zooms,
  'reduce the flock': async (walk, keys) => {
    const before = await walk.whole();
    await walk.terminal.key('+');
    await walk.terminal.until('a part', async () => (await walk.corners()) !== before);
    await walk.terminal.key(...keys);
    await walk.terminal.until('the whole', async () => (await walk.corners()) === before);
  },
  'move the world': dragsWorld,
  "the room's code and link": opens(/room lobby/),
  'find anything by typing': opens(/: _/),
  'rooms: join, create': opens(/room: _/),
  'type the presenter key': async (walk, keys) => {
    await walk.terminal.key(...keys);
    await walk.terminal.until('there is no need', (lines) => /you (are a pre|ar)/i.test(lines.at(-1)));
  },
  'pause or run the flock': async ({ terminal, watcher }, keys) => {
    for (const value of ['paused', 'running']) {
      await terminal.key(...keys);
      await watcher.until(value, () => choice(watcher, 'run') === value);
    }
  },
  'step the paused flock': async ({ terminal, watcher }, keys) => {
    await terminal.key('Space');
    await watcher.until('it is paused', () => choice(watcher, 'run') === 'paused');
    await watcher.next(flock.SNAPSHOT);
    const { tick } = watcher.snapshot;
    await terminal.key(...keys);
    await watcher.until('one tick', () => watcher.snapshot.tick === tick + 1);
    await terminal.key('Space');
    await watcher.until('it runs', () => choice(watcher, 'run') === 'running');
  },
  'previous preset': async ({ terminal, watcher, count }, keys) => {
    const before = count();
    await terminal.key(...keys);
    await watcher.until('the last one', () => choice(watcher, 'preset') === flock.control(watcher, 'preset').choices.at(-1));
    await terminal.key('u');
    await watcher.until('none', () => choice(watcher, 'preset') === '' && count() === before);
  },
  'next preset': async ({ terminal, watcher, count }, keys) => {
    const before = count();
    await terminal.key(...keys);
    await watcher.until('the first one', () => choice(watcher, 'preset') === flock.control(watcher, 'preset').choices[0]);
    await terminal.key('u');
    await watcher.until('none', () => choice(watcher, 'preset') === '' && count() === before);
  },
  'add boids at your cursor': counts(10),
  'remove boids': counts(-10),
  'how many boids: 1 to 1000': async ({ terminal, watcher, count }, keys) => {
    await terminal.key(...keys, ...keys, ...keys); // 100, 1000, 1
    const before = count();
    await terminal.key('a');
    await watcher.until('one boid', () => count() === before + 1);
    await terminal.key(...keys); // 10 again
  },
  'undo the last change': async ({ terminal, watcher, count }, keys) => {
    const before = count();
    await terminal.key('a');
    await watcher.until('more', () => count() === before + 10);
    await terminal.key(...keys);
    await watcher.until('as before, or before the last additions', () => count() <= before);
  },
  'start the flock again': async ({ terminal, watcher }, keys) => {
    const before = watcher.events.length;
    await terminal.key(...keys);
    await watcher.until('the event', () => watcher.events.slice(before).some(({ name }) => name === 'reset'));
  },
  'stop the sweep': async (walk, keys) => {
    await walk.find('sweep inertia');
    await walk.watcher.until('it runs', () => walk.watcher.swept?.state === 'running');
    await walk.shows(/Sweep[ ─-]+inertia 1\/11/);
    await walk.terminal.key(...keys);
    await walk.watcher.until('it is over', () => walk.watcher.swept?.state === 'stopped');
    await walk.close();
  },
  'rewind the room by 5 s': inPast('farther back', (past, back) => past.back > back + 0.1 || past.back > past.span - 0.1),
  '5 s forwards': inPast('nearer', (past, back) => !past.shown || past.back < back - 3),
  'one tick back': inPast('a tick', (past, back) => past.back > back + 0.02 && past.back < back + 0.06),
  'one tick forwards': inPast('a tick', (past, back) => past.back < back - 0.02 && past.back > back - 0.06),
  'play the past': inPast('it plays', (past) => past.speed === 1),
  'play the past backwards': inPast('it plays backwards', (past) => past.speed === -1),
  'back to now': inPast('now', (past) => !past.shown),
  'go on from that moment': inPast('it is the present', (past) => !past.shown),
  'connect now': async () => {}, // at the end
  'redraw the screen': async (walk, keys) => {
    // Beside the world, where no boid is drawn over it.
    writeFileSync(await walk.terminal.property('#{pane_tty}'), '\u001b[3;1HRUB');
    await walk.shows(/^RUB/m);
    await walk.terminal.key(...keys);
    await walk.hides(/^RUB/m);
  },
  'this help': async (walk, keys) => {
    await walk.terminal.key(...keys);
    await walk.shows(/move your cursor/);
    await walk.terminal.key(...keys);
    await walk.hides(/move your cursor/);
  },
  'close what is on top': async (walk, keys) => {
    await walk.terminal.key('p');
    await walk.shows(/Controls/);
    await walk.terminal.key(...keys);
    await walk.hides(/Controls/);
  },
  quit: async () => {}, // at the end
  'select a row': async (walk, keys) => {
    await walk.terminal.key('p');
    await walk.shows(/Controls[ ─-]+\d+\//);
    await walk.terminal.key('Home', 'j');
    await walk.shows(/Controls[ ─-]+2\//);
    for (const key of keys) {
      await walk.terminal.key(key);
      await walk.shows(sideOf(key)[1] < 0 ? /Controls[ ─-]+1\// : /Controls[ ─-]+3\//);
      await walk.terminal.key(sideOf(key)[1] < 0 ? 'j' : 'k');
      await walk.shows(/Controls[ ─-]+2\//);
    }
    await walk.close();
  },
  'change it, fine': changes(0),
  'change it, coarse': changes(0.1),
  'type its value': async (walk, keys) => {
    await walk.inertia();
    await walk.terminal.key(...keys);
    await walk.shows(/inertia +1\.5e-1_/);
    await walk.close();
  },
  'set it; save a preset': async (walk, keys) => {
    await walk.inertia();
    await walk.terminal.type('2.5');
    await walk.terminal.key(...keys);
    await walk.watcher.until('the value', () => walk.param() === 2.5);
    await walk.close();
  },
  'its default': async (walk, keys) => {
    await walk.inertia();
    await walk.terminal.type('2');
    await walk.terminal.key('Enter');
    await walk.watcher.until('another value', () => walk.param() === 2);
    await walk.terminal.key(...keys);
    await walk.watcher.until('the default', () => walk.param() === 1);
    await walk.close();
  },
  'erase what is typed': async (walk, keys) => {
    await walk.inertia();
    await walk.terminal.type('25');
    await walk.shows(/inertia +25_/);
    await walk.terminal.key(...keys);
    await walk.hides(/25_/);
    await walk.close();
  },
  'make presenter': async (walk, keys) => {
    await walk.person('Wanda');
    await walk.terminal.key(...keys);
    await walk.watcher.until('a presenter', () => walk.watcher.role === 'presenter');
    await walk.close();
  },
  'make viewer': async (walk, keys) => {
    await walk.person('Wanda');
    await walk.terminal.key(...keys);
    await walk.watcher.until('a viewer', () => walk.watcher.role === 'viewer');
    await walk.close();
  },
  'remove the person': async (walk, keys) => {
    for (const [i, key] of keys.entries()) {
      const guest = await flock.join(walk.t, walk.server.ws, { name: `Zoe${i}` });
      await walk.person(`Zoe${i}`, 3);
      await walk.terminal.key(key);
      await walk.shows(/remove Zoe/);
      await walk.terminal.key('y');
      await guest.untilClosed();
      await walk.close();
    }
  },
  'spotlight on the cursor': async (walk, keys) => {
    await walk.person('Wanda');
    for (const on of [true, false]) {
      await walk.terminal.key(...keys);
      await walk.watcher.until('the spotlight', () => (walk.watcher.room.spotlight === walk.watcher.id) === on);
    }
    await walk.close();
  },
};

const IN_FRAME = /^ *[│|] .* [│|] *$/;
const FRAME_END = /^ *[╰+]/;

// Reads the whole help: all of its rows, without the frame.
async function readHelp({ terminal }) {
  await terminal.key('?');
  const inside = (lines) => lines.filter((line) => IN_FRAME.test(line)).map((line) => line.trim().slice(2, -2));
  const isDrawn = (lines) => FRAME_END.test(lines[lines.findLastIndex((line) => IN_FRAME.test(line)) + 1]);
  const placeOf = (lines) => /scroll \((\d+)-(\d+) of (\d+)\)/.exec(text(lines));
  const first = await terminal.until('the help', (lines) => /move your cursor/.test(text(lines)) && isDrawn(lines) && lines);
  let rows = inside(first);
  if (placeOf(first)) {
    rows = rows.slice(0, -1);
    for (;;) {
      const [, from, to, all] = placeOf(await terminal.screen()) ?? assert.fail('no place');
      if (to === all) break;
      await terminal.key('j');
      const lines = await terminal.until('a row farther', (screen) => Number(placeOf(screen)?.[1]) === Number(from) + 1 && screen);
      rows.push(inside(lines).at(-2) ?? '');
    }
  }
  await terminal.key('?');
  await terminal.until('it is closed', (lines) => !/scroll \(|move your cursor/.test(text(lines)));
  return rows;
}

// `r` connects at once while flock-term waits for its next try.
async function connectsNow(walk) {
  const fake = await startFake(walk.t, { welcome: { role: 'presenter' } });
  await walk.start(fake.ws);
  const first = fake.hello;
  fake.send([flock.GOODBYE, 3001, 60_000]);
  fake.close(3001, 'full');
  await walk.terminal.until('it waits', (lines) => /next try in|in \d\d s/.test(lines.at(-1)));
  await walk.terminal.key('r');
  await walk.terminal.until('it is live again', (lines) => /^ live/.test(lines.at(-1)) && fake.hello !== first);
}

const ends = (walk) => walk.terminal.until('the shell is back', (lines) => lines.some((line) => line.trimEnd() === '$') && !/live/.test(text(lines)));

// Walks through the help in one terminal.
async function walkThrough(t, size) {
  const walk = await openWalk(t, size);
  walk.mouse = (await walk.terminal.property('#{mouse_any_flag}')) === '1';
  assert.equal(walk.mouse, !['linux', 'vt100'].includes(size.term), 'the mouse');
  const seen = new Set();
  for (const [label, meaning] of readEntries(await readHelp(walk), size.columns)) {
    if (/^In (a|the)/.test(label)) continue; // a heading
    const check = CHECKS[meaning] ?? assert.fail(`no check of "${label}": "${meaning}"`);
    seen.add(meaning);
    await check(walk, keysOf(label)).catch((error) => {
      throw new Error(`${label}: ${meaning}\n${error.message}`, { cause: error });
    });
  }
  assert.deepEqual(Object.keys(CHECKS).filter((meaning) => !seen.has(meaning)), [], 'the help names all');
  await walk.terminal.key('q');
  await ends(walk);
  await connectsNow(walk);
  // It quits when the button is pressed.
  if (walk.mouse) await walk.terminal.press((await walk.terminal.until('the button', (lines) => lines[walk.rows - 1].indexOf('q quit') + 1)) - 1, walk.rows - 1);
  else await walk.terminal.key('q');
  await ends(walk);
}

const sizes = process.env.FLOCK_TERMINALS === 'all' ? ALL : SOME;

test('each key and click of the help has its effect', { concurrency: 3 }, async (t) => {
  await Promise.all(sizes.map((size) => t.test(`${size.columns}x${size.rows}, TERM=${size.term}`, (each) => walkThrough(each, size))));
});
