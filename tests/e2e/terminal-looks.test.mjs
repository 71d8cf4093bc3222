// The looks of flock-term: colours, sizes, the part of the world that is shown, and the invitation.
//
// Golden captures are in golden/. After a wanted change of the picture, GOLDEN=write replaces them; look at the difference.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { root, runToEnd, startServer } from './server.mjs';
import { startFake } from './terminal-fake.mjs';
import { until } from './until.mjs';
import { FLOCK_TERM, brailleDots, openTerminal, swarm } from './terminal.mjs';
import { scan, styledCharacters } from './terminal-scan.mjs';

const GOLDEN = path.join(root, 'tests/e2e/golden');
const CLEAN = 'env -u COLORTERM -u COLORFGBG -u NO_COLOR -u STY -u FLOCK_THEME';
const LINE = 4; // boids in each row of the still flock

// Starts a server whose flock stands still: a crowd at the left, and boids in rows that head in all directions.
async function startStill(t, room = {}, boids = 64) {
  const positions = new DataView(new ArrayBuffer(4 * boids));
  for (let i = 0; i < boids; i += 1) {
    const crowd = i >= 24;
    positions.setInt16(4 * i, crowd ? -1500 + 9 * (i % 8) : -700 + 320 * (i % LINE), true);
    positions.setInt16(4 * i + 2, crowd ? -900 + 9 * Math.floor(i / 8) : -1300 + 430 * Math.floor(i / LINE), true);
  }
  const headings = Buffer.from(Array.from({ length: boids }, (_, i) => (i * 11) % 256));
  const keyframe = (tick) => {
    const header = Buffer.alloc(20);
    header.writeUInt8(1, 0);
    header.writeUInt32LE(tick, 4);
    header.writeUInt32LE(boids, 8);
    return Buffer.concat([header, Buffer.from(positions.buffer), headings, Buffer.alloc(Math.ceil(boids / 64), 0xff)]);
  };
  const fake = await startFake(t, { welcome: { encoding: 'packed' }, room: { boundary: 'walls', ...room } });
  let tick = 0;
  const timer = setInterval(() => {
    tick += 1;
    if (fake.hello !== null) fake.send([flock.PACKED, 1, tick, fake.time(), 1, null, null, keyframe(tick), new Uint8Array(0), boids, null]);
  }, 33);
  atEnd(t, () => clearInterval(timer));
  return fake;
}

// Opens a terminal and starts flock-term with an environment, such as "COLORTERM=truecolor".
/**
 * @param {import('./types.d.ts').Test} t
 * @param {string} url
 * @param {{ environment?: string, args?: string, columns?: number, rows?: number, term?: string }} options
 */
async function open(t, url, { environment = '', args = '', ...options } = {}) {
  const terminal = await openTerminal(t, options);
  await terminal.type(`clear; ${CLEAN} ${environment} flock-term ${args} ${url}`);
  await terminal.key('Enter');
  // The line of the status is drawn last. A wide one has the number of boids as soon as the picture has them.
  const status = terminal.columns < 60 ? /live/ : /live.* [1-9]\d* boids/;
  await terminal.until('the flock is live', (lines) => status.test(lines[terminal.rows - 1]) && lines.slice(1, -2).join('').replace(/[│| ]/g, '') !== '');
  return terminal;
}

const RESET = new RegExp(`${String.fromCharCode(27)}\\[0?[;m]`, 'u');

// The picture without the status line, which has times: characters, and before each change what can be seen of the style, row by row. tmux
// knows the blanks at the end of a row only if something stood there before, so they are left out.
async function picture(terminal) {
  let last = '';
  let text = '';
  for (const [character, style] of styledCharacters(await terminal.styled())) {
    const seen = character === '\n' ? '' : `{${(character === ' ' && style[4] === '' ? [style[1]] : style).filter((part) => part !== '').join(' ')}}`;
    text += seen === last ? character : seen + character;
    last = seen;
  }
  return text.split('\n').slice(0, terminal.rows - 1).join('\n').replace(/(?:\{[\d; ]*\}| )+$/gm, '');
}

async function assertGolden(terminal, name) {
  const file = path.join(GOLDEN, `${name}.txt`);
  if (process.env.GOLDEN === 'write') {
    writeFileSync(file, `${await picture(terminal)}\n`);
  }
  const wanted = readFileSync(file, 'utf8');
  await terminal.until(`the picture of ${file}`, async () => `${await picture(terminal)}\n` === wanted);
}

const CAPTURES = [
  { name: 'xterm-256color', term: 'xterm-256color' },
  { name: 'truecolor-water', term: 'xterm-256color', environment: 'COLORTERM=truecolor', room: { ground: 'water', look: ['fish', 18] } },
  { name: 'truecolor-light', term: 'foot', environment: "COLORTERM=truecolor COLORFGBG='0;15'", room: { ground: 'dusk' } },
  { name: 'tmux-small', term: 'tmux-256color', columns: 40, rows: 12 },
  { name: 'screen-large', term: 'screen-256color', columns: 200, rows: 50 },
  { name: 'direct', term: 'xterm-direct', args: '--theme night --blocks' },
  { name: 'console', term: 'linux' },
  { name: 'mono', term: 'vt100' },
  { name: 'phosphor', term: 'xterm-256color', args: '--theme phosphor' },
  { name: 'own', term: 'xterm-256color', args: '--theme terminal', room: { look: ['ball', 20] } },
  { name: 'ascii', term: 'xterm-256color', args: '--ascii' },
];
for (const { name, room, ...options } of CAPTURES) {
  test(`a still flock looks as it did: ${name}`, async (t) => {
    const fake = await startStill(t, room);
    const terminal = await open(t, fake.ws, options);
    await assertGolden(terminal, name);
    // After a stall of this process the line says for a moment that no data comes.
    const status = await terminal.until('it is live', async () => {
      const line = (await terminal.styled()).split('\n')[terminal.rows - 1];
      return line.includes('live') && line;
    });
    assert.doesNotMatch(status.slice(0, status.indexOf('live')).replace(/^\S*/, ''), RESET, 'no hole in the line of the status');
  });
}

const grounds = (styled) => new Set(Array.from(styled.matchAll(/48;2;(\d+);(\d+);(\d+)/g), ([code]) => code));
const inks = (styled) => new Set(Array.from(styled.matchAll(/38;[25];([\d;]+)/g), ([code]) => code));

test('headings have many hues, and trails fade', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '300', '--boundary', 'wrap']);
  for (const environment of ['COLORTERM=truecolor', '']) {
    const terminal = await open(t, server.ws, { environment, columns: 120, rows: 40 });
    await terminal.until('more than 24 colours', async () => inks(await terminal.styled()).size > 24);
    await terminal.key('q');
  }
});

test('the ground follows the preset', async (t) => {
  const server = await startServer(t, ['--preset', 'sardines']);
  const presenter = await flock.join(t, server.ws, { key: server.stdout.match(/#key=(\S+)/)?.[1] });
  const terminal = await open(t, server.ws, { environment: 'COLORTERM=truecolor' });
  const water = grounds(await terminal.styled());
  assert.ok(water.size > 5, 'a ground has several colours');
  await presenter.ask([flock.SET, 'preset', 'sheep']);
  await terminal.until('another ground', async () => {
    const meadow = grounds(await terminal.styled());
    return meadow.size > 5 && [...meadow].every((color) => !water.has(color));
  });
});

// `script` gives flock-term a terminal, whose answers the test chooses.
for (const [answer, ground] of [
  ['\u001b]11;rgb:ffff/ffff/ffff\u001b\\\u001b[?62c', '48;2;216;243;246'],
  ['\u001b]11;rgb:00/10/20\u0007\u001b[?62c', '48;2;12;78;114'],
  ['\u001b[?62c', '48;2;12;78;114'],
  ['', '48;2;12;78;114'],
]) {
  test(`the ground suits the terminal's answer ${JSON.stringify(answer)}`, async (t) => {
    const fake = await startStill(t, { ground: 'water' });
    const script = spawn('script', ['-qfc', `stty cols 80 rows 24; exec ${FLOCK_TERM} ${fake.ws}`, '/dev/null'], {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    });
    atEnd(t, () => script.kill());
    let sent = '';
    script.stdout.on('data', (data) => {
      const asked = sent.includes('\u001b]11;?');
      sent += data;
      if (!asked && sent.includes('\u001b]11;?')) script.stdin.write(answer);
    });
    await until('the ground', () => sent.includes(ground), () => JSON.stringify(sent.slice(-500)));
  });
}

test('Ctrl-C ends flock-term while it waits for the answer of the terminal', async (t) => {
  const script = spawn('script', ['-qefc', `stty cols 80 rows 24; exec ${FLOCK_TERM} --demo`, '/dev/null'], {
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: 'truecolor' },
  });
  atEnd(t, () => script.kill());
  script.stdout.on('data', (data) => data.includes('\u001b]11;?') && script.stdin.write('\u0003'));
  const [status] = await once(script, 'exit');
  assert.equal(status, 0, 'it ends by itself, not by the alarm for a terminal that takes no output');
});

test('twelve boids are as large as the window allows', async (t) => {
  const fake = await startStill(t, { look: ['blur', 12] }, 12);
  const count = async (options) => {
    const terminal = await open(t, fake.ws, options);
    return brailleDots(await terminal.screen()).length;
  };
  const small = await count({ columns: 60, rows: 20 });
  const large = await count({ columns: 200, rows: 50 });
  assert.ok(small > 12 * 8 && large > 3 * small, `${small} dots, then ${large}`);
});

test('a wrong theme is refused with its file, line and what was expected', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-theme-'));
  atEnd(t, () => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'mine.theme');
  writeFileSync(file, '# mine\nground blue\n');
  /** @type {[string, RegExp][]} */
  const cases = [
    [file, /^flock-term: --theme: \S+mine\.theme:2: expected 1 to 4 colours #rrggbb\n$/],
    ['noon', /^flock-term: --theme: 'noon' is no theme: expected preset, night, day, phosphor or terminal, or a file .*\n$/],
    [path.join(folder, 'none.theme'), /^flock-term: --theme: \S+none\.theme: No such file or directory\n$/],
  ];
  for (const [theme, expected] of cases) {
    const { code, stderr } = await runToEnd(t, ['--theme', theme], { command: [FLOCK_TERM] });
    assert.match(stderr, expected);
    assert.equal(code, 2);
  }
});

test('a theme from a file colours the screen', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-theme-'));
  atEnd(t, () => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'mine.theme');
  writeFileSync(file, 'ground #123456\n[light]\nground #ffeedd\n');
  const fake = await startStill(t);
  for (const [background, color] of [['dark', '48;2;18;52;86'], ['light', '48;2;255;238;221']]) {
    const terminal = await open(t, fake.ws, { environment: `COLORTERM=truecolor FLOCK_THEME=${file}`, args: `--background ${background}` });
    await terminal.until('its ground', async () => (await terminal.styled()).includes(color));
  }
});

// Returns how far the dots of the boids in rows reach, in dots.
const reach = (lines) => {
  const dots = brailleDots(lines);
  const [columns, rows] = [0, 1].map((axis) => dots.map((dot) => dot[axis]));
  return [Math.max(...columns) - Math.min(...columns), Math.max(...rows) - Math.min(...rows)];
};

test('keys and the wheel enlarge the world, and 0 shows all of it', async (t) => {
  const fake = await startStill(t);
  const terminal = await open(t, fake.ws);
  const whole = await terminal.text();
  const enlarged = async (what) => {
    await terminal.until(`${what} enlarges`, (lines) => !lines.some((line) => line.includes('┌')) && brailleDots(lines).length > 0);
    await terminal.key('0');
    await terminal.until('all is shown again', (lines) => lines.slice(0, -1).join('\n') === whole.split('\n').slice(0, -1).join('\n'));
  };
  await terminal.key('+', '+');
  await enlarged('the key +');
  await terminal.wheel(40, 12, -3);
  await enlarged('the wheel');
  await terminal.key('+', '+', '-', '-', '-');
  await terminal.until('the world is never smaller', (lines) => lines.some((line) => line.includes('┌')));
});

test('the right button moves the world', async (t) => {
  const fake = await startStill(t);
  const terminal = await open(t, fake.ws, { term: 'xterm-256color' });
  const pictureOf = (lines) => lines.slice(0, -1).join('\n');
  for (let i = 0; i < 5; i += 1) {
    const smaller = pictureOf(await terminal.screen());
    await terminal.key('+');
    await terminal.until('a larger world', (lines) => pictureOf(lines) !== smaller);
  }
  // Dots far from the left and right edges, moved by a number of columns.
  const middle = (lines, columns) =>
    brailleDots(lines)
      .map(([x, y]) => [x - 2 * columns, y])
      .filter(([x]) => x > 40 && x < 100)
      .join(' ');
  // The screen may be read while the last world is drawn. The help comes and goes in later frames.
  const inHelp = (lines) => lines.join('\n').includes('move your cursor');
  let before = '';
  await terminal.until('the whole picture', async () => {
    const last = before;
    await terminal.key('?');
    await terminal.until('the help', inHelp);
    await terminal.key('?');
    before = middle(await terminal.until('no help', (lines) => !inHelp(lines) && lines), 0);
    return before !== '' && before === last;
  });
  await terminal.type('\u001b[<2;20;12M');
  await terminal.type('\u001b[<34;26;12M');
  await terminal.until('it has moved', (lines) => middle(lines, 6) === before);
  await terminal.type('\u001b[<2;26;12m');
  await terminal.mouse(75, 22);
  await terminal.until('the mouse steers again', (lines) => lines[22].includes('◈'));
  await terminal.key('c');
  await terminal.until('the world has stayed', (lines) => middle(lines, 6) === before);
});

test('f follows the flock', async (t) => {
  const server = await startServer(t, ['--boids', '200']);
  const person = await flock.join(t, server.ws);
  person.send([flock.CURSOR, 90, 90]);
  const terminal = await open(t, server.ws);
  await terminal.until('the flock is in a corner', (lines) => {
    const boids = swarm(lines);
    return boids.length > 0 && flock.distance(flock.centroid(boids), [90, 90]) < 60 && reach(lines)[0] < terminal.columns / 2;
  });
  const [columns] = reach(await terminal.screen());
  await terminal.key('f');
  await terminal.until('the flock fills the window', (lines) => reach(lines)[0] > 1.5 * columns);
  await terminal.key('f', '0');
  await terminal.until('all is shown again', (lines) => lines.some((line) => line.includes('┌')));
});

test('in the help keys and headings stand out', async (t) => {
  const server = await startServer(t, []);
  const terminal = await open(t, server.ws, { rows: 40, environment: 'COLORTERM=truecolor' });
  await terminal.key('?');
  await terminal.until('the help', (lines) => /redraw the screen[^]*╰/.test(lines.join('\n'))); // to the end of its frame
  const lines = [...styledCharacters(await terminal.styled())].map(([character, style]) => (style[2] !== '' ? character : character.replace(/\S/, ' '))).join('').split('\n');
  const bold = lines.flatMap((line) => line.trim().split(/ {2,}/));
  for (const name of ['arrows, hjkl', 'Ctrl-L', 'q', 'In a panel:', 'server']) assert.ok(bold.includes(name), name);
  assert.ok(!lines.join(' ').includes('redraw'), 'what a key does');
});

test('i shows the code, the link and a QR code of the room', async (t) => {
  const server = await startServer(t, []);
  const terminal = await open(t, server.ws, { rows: 30 });
  await terminal.key('i');
  const code = (lines) => lines.some((line) => /│ +█▀▀▀▀▀█ .*█▀▀▀▀▀█ +│/.test(line));
  await terminal.until('the room, its link and a QR code', (lines) => /room lobby/.test(lines.join('\n')) && lines.join('\n').includes(`${server.url}r/lobby`) && code(lines));
  await terminal.key('Escape');
  await terminal.until('it is closed', (screen) => !screen.join('\n').includes('room lobby'));
  await terminal.resize(40, 12);
  await terminal.key('i');
  await terminal.until('the code of the room alone', (lines) => lines.join('\n').includes('room lobby') && !code(lines));
  await terminal.key('q');
  await terminal.until('q closes it, too', (screen) => !screen.join('\n').includes('room lobby') && screen.join('\n').includes('live'));
});

test('a phone reads the QR code of a terminal, dark, light and without colours', async (t) => {
  const server = await startServer(t, []);
  const read = async (columns, rows, options) => {
    const terminal = await open(t, server.ws, { columns, rows, ...options });
    await terminal.key('i');
    const link = `${server.url}r/lobby`;
    await terminal.until('the invitation', (lines) => lines.join('\n').includes(link));
    await terminal.until(`a code that a phone reads, with ${JSON.stringify(options)}`, async () => scan(await terminal.styled()) === link);
  };
  await Promise.all([
    read(80, 24, { environment: 'COLORTERM=truecolor', args: '--background dark' }),
    read(200, 50, { environment: 'COLORTERM=truecolor', args: '--background light' }),
    read(80, 30, { args: '--theme terminal --background light' }),
    read(60, 24, { term: 'vt100' }),
  ]);
});

test('food and hunters have shapes and names of their own', async (t) => {
  const fake = await startStill(t);
  const shows = async (args, food, hunter) => {
    const terminal = await open(t, fake.ws, { args });
    fake.send([flock.THINGS, [[500, 50, 20]], [[480, 350]]]);
    await terminal.until('both', (lines) => lines.slice(0, 8).join('').includes(food) && lines.slice(16, 22).join('').includes(hunter));
    fake.send([flock.THINGS, [], []]);
    await terminal.until('none', (lines) => !lines.slice(0, -1).join('').includes(food) && !lines.slice(0, -1).join('').includes(hunter));
    assert.equal(fake.hello[4].topics & 16, 16, 'flock-term subscribes to things');
  };
  await shows('', '♣ food', '▲ hunter');
  await shows('--ascii', '$ food', 'W hunter');
});
