// Live control from flock-term in a real terminal. Another client sees the changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import * as flock from './client.mjs';
import { runToEnd, startServer } from './server.mjs';
import { startFake } from './terminal-fake.mjs';
import { FLOCK_TERM, brailleDots, openTerminal } from './terminal.mjs';
import { until } from './until.mjs';

const KEY = 'abcdefgh1';

const text = (lines) => lines.join('\n');
const choice = (client, name) => client.room.controls.find(([each]) => each === name)[1];
const choices = (client, name) => client.room.controls.find(([each]) => each === name)[2].map(([value]) => value);
const param = (client, name) => client.room.params.find(([each]) => each === name)[5];

// Starts a server, a watching client, and a terminal that runs flock-term with these arguments. {ws} and {url} in the arguments
// stand for the server's addresses.
async function together(t, /** @type {import('./types.d.ts').OpenOptions} */ { args = ['--key', KEY, '{ws}'], server: serverArgs = [], prefix = '', port = 0, ...options } = {}) {
  const server = await startServer(t, ['--presenter-key', KEY, ...serverArgs], { port });
  const watcher = await flock.join(t, server.ws);
  const terminal = await openTerminal(t, options);
  const words = args.map((word) => word.replace('{ws}', server.ws).replace('{url}', server.url));
  await terminal.type([`${prefix}flock-term`, ...words].join(' '));
  await terminal.key('Enter');
  await terminal.until('the flock is live', (lines) => /live/.test(lines.at(-1)));
  return { server, watcher, terminal };
}

// Opens the panel, unless it is still open from before a lost connection.
const openPanel = async (terminal) => {
  const open = (lines) => /Controls.*1\/\d+/.test(text(lines));
  const screen = await terminal.until('it is a presenter', (lines) => /presenter|p panel/.test(lines.at(-1)) && lines);
  if (!open(screen)) {
    await terminal.key('p');
  }
  await terminal.until('the panel is open', open);
};

// Selects the row with that name.
async function select(terminal, watcher, name) {
  const index = [...watcher.room.controls, ...watcher.room.params].findIndex(([each]) => each === name);
  await terminal.key('Home', ...Array(index).fill('j'));
  const place = new RegExp(`Controls[ ─-]+${index + 1}/`);
  await terminal.until(`${name} is selected`, (lines) => place.test(text(lines)));
}

test("the panel lists the server's controls and changes them", async (t) => {
  const { watcher, terminal } = await together(t, { columns: 120, rows: 40 });
  await openPanel(terminal);
  const names = [...watcher.room.controls, ...watcher.room.params].map(([name]) => name);
  await terminal.until('each is listed, and the flock is beside the list', (lines) => names.every((name) => text(lines).includes(name)) && brailleDots(lines).length > 0);

  await select(terminal, watcher, 'preset');
  await terminal.key('l');
  await watcher.until('the first preset', () => choice(watcher, 'preset') === choices(watcher, 'preset')[0]);
  await terminal.key('Right');
  const second = choices(watcher, 'preset')[1];
  await watcher.until('the second preset', () => choice(watcher, 'preset') === second);
  await terminal.until('the event of the preset', (lines) => lines[39].includes(`You chose the preset ${second}; `));
  await terminal.key('h');
  await watcher.until('the first preset again', () => choice(watcher, 'preset') === choices(watcher, 'preset')[0]);

  const [name, , , , initial] = watcher.room.params.find(([each]) => each === 'inertia');
  await select(terminal, watcher, name);
  const before = param(watcher, name);
  await terminal.key('l', 'l');
  await watcher.until('two steps up', () => param(watcher, name) > before);
  const steps = param(watcher, name);
  await terminal.key('h', 'h');
  await watcher.until('and down again', () => param(watcher, name) === before);
  await terminal.key('L');
  await watcher.until('a leap up', () => param(watcher, name) > steps);
  await terminal.key('BSpace');
  await watcher.until('its default', () => param(watcher, name) === initial);
  await terminal.type('2.25');
  await terminal.key('Enter');
  await watcher.until('what was typed', () => param(watcher, name) === 2.25);
  await terminal.type('1');
  await terminal.key('Escape');
  await terminal.until('typing is over', (lines) => /inertia +2\.25/.test(text(lines)));
});

test('the panel says why a value was refused, and the value stays', async (t) => {
  const { watcher, terminal } = await together(t);
  await openPanel(terminal);
  await select(terminal, watcher, 'inertia');
  const before = param(watcher, 'inertia');
  await terminal.type('99');
  await terminal.key('Enter');
  await terminal.until('the reason and the value', (lines) => /expected 0 to 3/.test(text(lines)) && new RegExp(`inertia +${before} `).test(text(lines)));
  assert.equal(param(watcher, 'inertia'), before);
});

test('a number may begin with its point, which is not the key for a step', async (t) => {
  const { watcher, terminal } = await together(t);
  await openPanel(terminal);
  await terminal.key('Space');
  await watcher.until('it is paused', () => choice(watcher, 'run') === 'paused');
  await watcher.next(flock.SNAPSHOT);
  const { tick } = watcher.snapshot;
  await select(terminal, watcher, 'inertia');
  await terminal.type('.05');
  await terminal.until('it is typed', (lines) => /inertia +\.05_/.test(text(lines)));
  await terminal.key('Enter');
  await watcher.until('what was typed', () => param(watcher, 'inertia') === Math.fround(0.05));
  await terminal.key('Home', '.');
  await watcher.until('one tick, with a choice selected', () => watcher.snapshot.tick === tick + 1);
});

test('pasted text goes into a number that is being typed, and is never read as keys', async (t) => {
  const { watcher, terminal } = await together(t);
  await openPanel(terminal);
  await select(terminal, watcher, 'inertia');
  const before = param(watcher, 'inertia');
  await terminal.paste('hello q world\nR 7\n');
  await terminal.type('1');
  await terminal.until('the number without the pasted text', (lines) => /inertia +1_/.test(text(lines)));
  await terminal.paste('q.5\n');
  await terminal.until('the number with the pasted digits', (lines) => /inertia +1\.5_/.test(text(lines)));
  assert.equal(param(watcher, 'inertia'), before, 'no end of line is Enter');
  await terminal.key('Enter');
  await watcher.until('what was typed', () => param(watcher, 'inertia') === 1.5);
  await terminal.key('q');
  await terminal.until('the shell is back', (lines) => lines.some((line) => line.trimEnd() === '$'));
  await terminal.paste('echo [as it was]\n');
  await terminal.until('the mode is gone', (lines) => lines.some((line) => line.trimEnd() === '[as it was]'));
});

test("the panel shows another person's change at once", async (t) => {
  const { server, terminal } = await together(t, { rows: 40 });
  const other = await flock.join(t, server.ws);
  await openPanel(terminal);
  other.send([flock.KEY, KEY]);
  other.send([flock.PARAM, 'inertia', 2.75]);
  await terminal.until('the value', (lines) => /inertia +2\.75/.test(text(lines)));
  other.send([flock.SET, 'model', 'vision']);
  await terminal.until('other rows', (lines) => /view_angle/.test(text(lines)) && !/inertia/.test(text(lines)));
});

test('pause, step, presets, boids and reset have their own keys', async (t) => {
  const { watcher, terminal } = await together(t);
  await terminal.until('it is a presenter', (lines) => /presenter/.test(text(lines)));
  await terminal.key('Space');
  await watcher.until('it is paused', () => choice(watcher, 'run') === 'paused');
  await terminal.until('it says so', (lines) => /paused/.test(lines[23]));
  await watcher.next(flock.SNAPSHOT);
  const { tick } = watcher.snapshot;
  await terminal.key('.');
  await watcher.until('one tick', () => watcher.snapshot.tick === tick + 1);
  await terminal.key('.', '.');
  await watcher.until('three ticks', () => watcher.snapshot.tick === tick + 3);

  await terminal.key('a');
  await watcher.until('ten more', () => watcher.snapshot.boids.length === 22);
  await terminal.key('n', 'a');
  await watcher.until('a hundred more', () => watcher.snapshot.boids.length === 122);
  await terminal.key('x');
  await watcher.until('they are gone', () => watcher.snapshot.boids.length === 22);
  await terminal.key('R');
  await watcher.until('as in the beginning', () => watcher.snapshot.boids.length === 12);
  await terminal.key('Space');
  await watcher.until('it runs', () => choice(watcher, 'run') === 'running');

  await terminal.key(']');
  await watcher.until('the first preset', () => choice(watcher, 'preset') === choices(watcher, 'preset')[0]);
  await terminal.key('[');
  await watcher.until('the last preset', () => choice(watcher, 'preset') === choices(watcher, 'preset').at(-1));
});

test('boids are added at the cursor', async (t) => {
  const { watcher, terminal } = await together(t, { server: ['--boids', '1'] });
  await terminal.until('it is a presenter', (lines) => /presenter/.test(text(lines)));
  await terminal.key('Space');
  await watcher.until('it is paused', () => choice(watcher, 'run') === 'paused');
  await terminal.mouse(20, 4);
  const place = await watcher.until('the cursor is there', () => [...watcher.snapshot.cursors.values()][0]);
  await terminal.key('a');
  const boids = await watcher.until('they are there', () => watcher.snapshot.boids.length === 11 && watcher.snapshot.boids);
  assert.ok(flock.distance(flock.centroid(boids.slice(1)), place) < 20);
});

test('a panel with enough rows shows the measures, and any panel after m', async (t) => {
  const { terminal } = await together(t, { columns: 120, rows: 42 });
  const shown = (lines) => /nearest +[\d.]+ units/.test(text(lines));
  await openPanel(terminal);
  await terminal.until('the measures', shown);
  await terminal.resize(80, 24);
  await terminal.until('the list has the rows', (lines) => /Controls/.test(text(lines)) && !shown(lines));
  await terminal.key('m');
  await terminal.until('the measures and a part of the list', (lines) => shown(lines) && /Controls/.test(text(lines)));
  await terminal.key('p');
  await terminal.until('they stay without the panel', (lines) => /nearest/.test(text(lines)) && !/Controls/.test(text(lines)));
});

test('a large window shows all controls, measures and news together, and a larger one higher graphs', async (t) => {
  const { terminal } = await together(t, { columns: 200, rows: 50, args: ['--panels', 'controls,measures,news', '{ws}'] });
  const apart = (lines) => lines.findIndex((line) => /milling/.test(line)) - lines.findIndex((line) => /polarization/.test(line));
  await terminal.until('all of them', (lines) => [/Controls/, /informed/, /The flock/, /clusters/, /News/].every((each) => each.test(text(lines))));
  await terminal.resize(250, 70);
  await terminal.until('graphs over several rows', (lines) => apart(lines) > 1 && /informed/.test(text(lines)) && /News/.test(text(lines)));
});

test("a viewer's key says that only a presenter may do this", async (t) => {
  const { watcher, terminal } = await together(t, { args: ['{ws}'] });
  await terminal.key(']');
  await terminal.until('the refusal', (lines) => /only a presenter may do this/.test(lines[23]));
  await terminal.key('a', 'x', 'R', 'Space', '.', '[');
  await terminal.key('?');
  const help = await terminal.until('the help', (lines) => /your cursor/.test(text(lines)) && text(lines));
  assert.doesNotMatch(help, /previous preset|add boids/);
  assert.deepEqual([choice(watcher, 'run'), watcher.snapshot.boids.length], ['running', 12]);
});

test('a viewer sees a presenter\'s changes', async (t) => {
  const { server, terminal } = await together(t, { args: ['{ws}'], columns: 120 });
  const presenter = await flock.join(t, server.ws, { name: 'Ada' });
  await terminal.key('w');
  await terminal.until('Ada is known', (lines) => /Ada +viewer/.test(text(lines)));
  await terminal.key('w');
  presenter.send([flock.KEY, KEY]);
  presenter.send([flock.SET, 'preset', 'bees']);
  await terminal.until('the news', (lines) => /Ada chose the preset bees; /.test(lines[23]));
  await terminal.until('the preset in the status line', (lines) => / · bees · /.test(lines[23]));
  presenter.send([flock.SET, 'run', 'paused']);
  await terminal.until('the pause in the status line', (lines) => / · paused · /.test(lines[23]));
  presenter.send([flock.SET, 'model', 'birds']);
  await terminal.until('the event of the model', (lines) => /Ada: model \S+ → birds; /.test(lines[23]));
  await terminal.until('another model, and no preset', (lines) => / · birds · paused · /.test(lines[23]));
});

test('the status line always shows the key for the help', async (t) => {
  const { terminal } = await together(t, { args: ['{ws}'], server: ['--preset', 'murmuration'] });
  await terminal.until('the flock and the hint', (lines) => / · murmuration · \d+ boids · 2 people .*\? help {2}q quit/.test(lines[23]));
});

test('a narrow status line keeps the keys for help and quitting', async (t) => {
  const { terminal } = await together(t, { args: ['{ws}'], server: ['--preset', 'march'], columns: 40, rows: 12 });
  await terminal.until('the hint', (lines) => /^ live · lobby · vision +\? help {2}q quit *$/.test(lines[11]));
});

test('with a wrong key a person joins as a viewer', async (t) => {
  const { terminal } = await together(t, { args: ['--key', 'not-the-key', '{ws}'] });
  await terminal.until('it says so', (lines) => /the key was refused: you are a viewer/.test(lines[23]));
  await terminal.key('a');
  await terminal.until('it is a viewer', (lines) => /only a presenter/.test(lines[23]));
});

for (const { what, ...options } of [
  { what: "the presenter's link", args: [`'{url}#key=${KEY}'`] },
  { what: 'the environment', args: ['{ws}'], prefix: `FLOCK_KEY=${KEY} ` },
]) {
  test(`the key is taken from ${what}`, async (t) => {
    const { terminal } = await together(t, options);
    await openPanel(terminal);
    assert.ok(!text(await terminal.screen()).includes(KEY));
  });
}

for (const { columns, rows, locale } of [
  { columns: 80, rows: 24, locale: 'C' },
  { columns: 40, rows: 10, locale: 'C.UTF-8' },
  { columns: 40, rows: 12, locale: 'C' },
]) {
  test(`the panel in ${columns}x${rows}, ${locale}: each row can be reached`, async (t) => {
    const { watcher, terminal } = await together(t, { columns, rows, locale });
    await openPanel(terminal);
    for (const [name] of [...watcher.room.controls, ...watcher.room.params]) {
      const shown = (line) => line.includes(name.slice(0, 12));
      await terminal.until(`${name} is shown`, (lines) => lines.some(shown));
      await terminal.key('j');
    }
    const screen = await terminal.until('it is live', (lines) => /live/.test(lines[rows - 1]) && lines);
    assert.equal(screen.length, rows);
    if (locale === 'C') {
      assert.match(screen.join(''), /^[\x20-\x7e]*$/);
    }
  });
}

test('after a restart of the server a presenter is a presenter again', async (t) => {
  const { server, terminal } = await together(t, { port: await freePort() });
  await openPanel(terminal);
  await server.stop();
  await terminal.until('it says that there is no connection', (lines) => /no connection/.test(text(lines)));
  await startServer(t, ['--presenter-key', KEY], { port: server.port });
  await terminal.until('it is live again', (lines) => /live/.test(lines[23]));
  await openPanel(terminal);
});

for (const { args, env } of [
  { args: ['--key', 'Not-A-Key'] },
  { args: ['--key', `${'k'.repeat(65)}`] },
  { args: ['--key', ''] },
  { args: ['ws://127.0.0.1/#key='] },
  { args: [], env: { FLOCK_KEY: 'not a key' } },
]) {
  test(`an invalid key, with status 2: ${env ? 'FLOCK_KEY' : args.join(' ').slice(0, 30)}`, async (t) => {
    const { code, stdout, stderr } = await runToEnd(t, args, { env, command: [FLOCK_TERM] });
    assert.match(stderr, /^flock-term: (?=[^\n]*key)[^\n]*expected 1-64 of a-z, 0-9 and -[^\n]*\n$/i);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });
}

// Starts a server whose room has everything that the protocol allows, also values that flockd never has.
async function startStranger(t) {
  const long = (word) => `${word} ${'長い文 '.repeat(40)}`.slice(0, 50);
  const choices = Array.from({ length: 16 }, (_, i) => [`choice-${i}`, long(`choice ${i}`)]);
  const controls = Array.from({ length: 8 }, (_, i) => [i === 0 ? 'weather' : `control-${i}`, i === 0 ? '' : 'choice-1', choices, long('\u001b[2J')]);
  const params = Array.from({ length: 32 }, (_, i) => [`参数-${i}`, '度/秒'.repeat(3), i === 1 ? 9 : -1e30, 1e30, 0, i * 1e28, long('text')]);
  return startFake(t, { welcome: { role: 'presenter' }, room: { model: 'geese', boundary: 'ring', params, controls } });
}

for (const { columns, rows, locale } of [
  { columns: 100, rows: 30, locale: 'C.UTF-8' },
  { columns: 20, rows: 5, locale: 'C.UTF-8' },
  { columns: 40, rows: 10, locale: 'C' },
]) {
  test(`the panel shows and sets any control that a server lists, ${columns}x${rows}, ${locale}`, async (t) => {
    const { ws, heard } = await startStranger(t);
    const terminal = await openTerminal(t, { columns, rows, locale });
    await terminal.start(ws);
    await terminal.until('it is live', (lines) => /live/.test(lines.at(-1)));
    await terminal.key('Tab');
    await terminal.until('the panel is open', (lines) => /Controls[ ─-]+1\/40/.test(lines[0]));
    await terminal.key('l');
    await until('the control is set', () => heard.some((message) => message.slice(0, 3).join() === `${flock.SET},weather,choice-0`));
    for (let row = 1; row < 40; row += 1) {
      await terminal.key('Down');
      await terminal.until(`row ${row + 1}`, (lines) => lines[0].includes(` ${row + 1}/40`));
    }
    await terminal.type('-2.5');
    await terminal.key('Enter');
    await until('the parameter is set', () => heard.some((message) => message.slice(0, 3).join() === `${flock.PARAM},参数-31,-2.5`));
    const screen = await terminal.screen();
    assert.match(screen.at(-1), /^ live/);
    assert.equal(screen.length, rows);
  });
}

// Scrolls the help from its beginning to its end. Resolves to the rows of all screens on the way, without the row that tells the place.
async function readHelp(terminal) {
  const place = (lines) => /scroll \((\d+)-(\d+) of (\d+)\)/.exec(text(lines))?.slice(1).map(Number);
  const isAt = (first) => (lines) => place(lines)?.[0] === first && lines;
  await terminal.key('?');
  const screens = [];
  for (let first = 1; ; first += 1) {
    const screen = await terminal.until(`the help from row ${first} on`, isAt(first));
    screens.push(screen.slice(0, screen.findIndex((line) => line.includes('scroll ('))));
    const [, last, all] = place(screen) ?? [];
    if (last === all) return screens;
    await terminal.key('j');
  }
}

for (const [columns, rows] of [[40, 12], [80, 24]]) {
  test(`the help scrolls, with each key beside its meaning, ${columns}x${rows}`, async (t) => {
    const { terminal } = await together(t, { columns, rows });
    const screens = await readHelp(terminal);
    const all = screens.map(text).join('\n');
    for (const row of [/arrows, hjkl +move your cursor/, /space +pause or run/, /\[ +previous preset/, /u +undo/, /q +quit/, /Backspace +its default/, /\+ +make presenter/]) {
      assert.match(all, row);
    }
    for (const what of ['server', 'all', 'cursors', 'snapshots', 'boids']) assert.ok(all.includes(what), what);
    await terminal.key('End');
    await terminal.key('Home');
    await terminal.until('the beginning again', (lines) => text(lines).startsWith(text(screens[0])));
    await terminal.key('Escape');
    await terminal.until('it is closed', (lines) => !/scroll \(/.test(text(lines)));
  });
}

test('Esc closes the help, and then the panel behind it', async (t) => {
  const { terminal } = await together(t, { args: ['{ws}'] });
  await terminal.key('w');
  await terminal.until('the room', (lines) => /Room[ ─-]+2 people/.test(lines[0]));
  for (const left of [/Room[ ─-]+2 people/, /\? help/]) {
    await terminal.key('?');
    await terminal.until('the help', (lines) => /this help/.test(text(lines)));
    await terminal.key('Escape');
    await terminal.until('the flock again', (lines) => !/this help/.test(text(lines)) && left.test(text(lines)));
    await terminal.key('Escape');
    await terminal.until('nothing else', (lines) => !/Room[ ─-]+2 people/.test(text(lines)));
    assert.doesNotMatch(text(await terminal.screen()), /only a presenter/, 'there is nothing else to close');
  }
});

test('a larger terminal shows the whole help', async (t) => {
  const { terminal } = await together(t, { columns: 80, rows: 20 });
  await terminal.key('?');
  await terminal.key('End');
  await terminal.until('its end', (lines) => /scroll \(\d+-(\d+) of \1\)/.test(text(lines)));
  await terminal.resize(120, 50);
  await terminal.until('all of it', (lines) => /mouse {2,}steer/.test(text(lines)) && /snapshots {2,}packed/.test(text(lines)) && !/scroll \(/.test(text(lines)));
  await terminal.key('?');
  await terminal.until('it is closed', (lines) => !/mouse {2,}steer/.test(text(lines)));
});
