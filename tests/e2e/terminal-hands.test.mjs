// Keys and the mouse in flock-term, in a real terminal: what is on top takes them, and nothing behind it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRoom } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { startFake } from './terminal-fake.mjs';
import { openTerminal } from './terminal.mjs';

const KEY = 'abcdefgh1';

const text = (lines) => lines.join('\n');
const choice = (client, name) => client.room.controls.find(([each]) => each === name)[1];
const param = (client, name) => client.room.params.find(([each]) => each === name)[5];
const rowOf = (lines, pattern) => lines.findIndex((line) => pattern.test(line));

// Starts a server, a watching client, and a terminal that runs flock-term, as a presenter unless `args` say otherwise.
async function together(t, /** @type {import('./types.d.ts').OpenOptions} */ { args = ['--key', KEY], server: serverArgs = [], ...options } = {}) {
  const server = await startServer(t, ['--presenter-key', KEY, ...serverArgs]);
  const watcher = await flock.join(t, server.ws, { name: 'Wanda' });
  const terminal = await openTerminal(t, options);
  await terminal.start('--name', 'Tess', ...args, server.ws);
  await terminal.until('the flock is live', (lines) => /live/.test(lines.at(-1)));
  if (args.includes('--key')) {
    await terminal.until('it is a presenter', (lines) => /presenter|p panel/.test(lines.at(-1)));
  }
  return { server, watcher, terminal };
}

// Opens the panel and selects the row with that name. Resolves to the row of the screen.
async function select(terminal, name) {
  await terminal.type(':');
  await terminal.type(name);
  await terminal.until('it is found', (lines) => new RegExp(`: ${name}_ +1/`).test(text(lines)));
  await terminal.key('Enter');
  const pattern = new RegExp(`(^|│) ${name} `);
  // With its bar: the screen may be read while the panel is drawn over the palette.
  return terminal.until(`${name} is shown`, (screen) => {
    const row = rowOf(screen, pattern);
    return /Controls/.test(screen[0]) && !text(screen).includes(`: ${name}_`) && row > 0 && /[█▏▎▍▌▋▊▉]/.test(screen[row]) && row;
  });
}

test('q in the help closes the help, and other keys do nothing behind it', async (t) => {
  const { watcher, terminal } = await together(t);
  await terminal.key('?');
  await terminal.until('the help', (lines) => /move your cursor/.test(text(lines)));
  await terminal.key('a', 'R', 'p', 'w', 'm', '.');
  await terminal.key('q');
  const screen = await terminal.until('the flock', (lines) => !/move your cursor/.test(text(lines)) && lines);
  assert.match(screen.at(-1), /live/);
  assert.doesNotMatch(text(screen), /Controls|Room[ ─-]+\d|polarization/);
  await terminal.key('a');
  await watcher.until('ten boids, not twenty', () => watcher.snapshot.boids.length === 22);
});

test('while a number is typed, other keys do nothing', async (t) => {
  const { watcher, terminal } = await together(t);
  await select(terminal, 'inertia');
  await terminal.type('25R hjkl[]axu<>qpw?:e-1');
  await terminal.key('Space', 'Up', 'Down', 'Left', 'Right');
  await terminal.until('the number', (lines) => /inertia +25e-1_/.test(text(lines)));
  await terminal.key('Enter');
  await watcher.until('what was typed', () => param(watcher, 'inertia') === 2.5);
  assert.deepEqual([choice(watcher, 'run'), watcher.snapshot.boids.length], ['running', 12]);
  await terminal.type('1');
  await terminal.key('Escape');
  await terminal.until('the number is gone, and the panel is there', (lines) => /inertia +2\.5 /.test(text(lines)));
});

test('Backspace brings back the value that the preset has, and once more the model\'s', async (t) => {
  const { watcher, terminal } = await together(t, { server: ['--preset', 'bees'] });
  const before = param(watcher, 'inertia');
  await select(terminal, 'inertia');
  await terminal.type('.5');
  await terminal.key('Enter');
  await watcher.until('what was typed', () => param(watcher, 'inertia') === 0.5);
  await terminal.key('BSpace');
  await watcher.until('as before', () => param(watcher, 'inertia') === before);
  await terminal.key('BSpace');
  await watcher.until("the model's", () => param(watcher, 'inertia') === 1 && before !== 1);
});

test('a viewer looks at the controls, and becomes a presenter with a typed key', async (t) => {
  const { watcher, terminal } = await together(t, { args: [], rows: 30 });
  await terminal.key('p');
  await terminal.until('the rows', (lines) => /Controls[ ─-]+1\//.test(lines[0]) && /only presenters change these: P/.test(text(lines)));
  const before = param(watcher, 'inertia');
  await select(terminal, 'inertia');
  await terminal.key('l');
  await terminal.until('the refusal', (lines) => /only a presenter may do this/.test(text(lines).replace(/\s+/g, ' ')));
  assert.equal(param(watcher, 'inertia'), before);
  await terminal.key('P');
  await terminal.until('it asks', (lines) => /presenter key: +_/.test(text(lines)));
  await terminal.type('not-the-key');
  await terminal.key('Enter');
  await terminal.until('it is wrong', (lines) => /key/.test(lines.at(-1)) && !/presenter key: /.test(text(lines)));
  await terminal.key('P');
  await terminal.type(KEY);
  const typed = await terminal.until('dots', (lines) => text(lines).includes(`${'•'.repeat(KEY.length)}_`) && text(lines));
  assert.doesNotMatch(typed, new RegExp(KEY));
  await terminal.key('Enter');
  await terminal.until('a presenter', (lines) => /p panel/.test(lines.at(-1)));
  await terminal.key('l');
  await watcher.until('a step', () => param(watcher, 'inertia') > before);
});

test('a click selects a row, a drag moves its bar, and the wheel scrolls the panel', async (t) => {
  const { watcher, terminal } = await together(t, { columns: 100, rows: 30 });
  const at = await select(terminal, 'inertia');
  const line = Array.from((await terminal.screen())[at]);
  const bar = line.findIndex((symbol, i) => i > line.indexOf('│') && /[█▏▎▍▌▋▊▉]/.test(symbol));
  await terminal.press(bar + 1, at);
  await watcher.until('a small value', () => param(watcher, 'inertia') < 0.5);
  await terminal.drag(98, at);
  await watcher.until('the largest', () => param(watcher, 'inertia') === 3);
  await terminal.release(98, at);
  const numberOf = (lines) => /Controls[ ─-]+(\d+)\//.exec(lines[0])?.[1];
  const screen = await terminal.screen();
  const run = rowOf(screen, /│ run /);
  await terminal.click(60, run);
  const number = await terminal.until('run is selected', (lines) => numberOf(lines) !== numberOf(screen) && numberOf(lines));
  const arrow = await terminal.until('its choice can be changed', (lines) => Array.from(lines[run]).indexOf('‹') + 1);
  await terminal.click(arrow + 2, run);
  await watcher.until('it is paused', () => choice(watcher, 'run') === 'paused');
  await terminal.wheel(70, 5, 1);
  await terminal.until('the next row', (lines) => new RegExp(`Controls[ ─-]+${Number(number) + 1}/`).test(lines[0]));
  await terminal.wheel(70, 5, -1);
  await terminal.until('the row', (lines) => new RegExp(`Controls[ ─-]+${number}/`).test(lines[0]));
});

test('buttons of the status line, people and their cursors can be clicked', async (t) => {
  const { watcher, terminal } = await together(t, { columns: 160, rows: 50, term: 'xterm-256color' });
  const button = async (word) => terminal.click((await terminal.until(word, (lines) => lines[49].indexOf(word) + 1)) - 1, 49);
  await button('p panel');
  await terminal.until('the panel', (lines) => /Controls/.test(lines[0]));
  await button('p panel');
  await terminal.until('no panel', (lines) => !/Controls/.test(lines[0]));
  await button('? help');
  await terminal.until('the help', (lines) => /move your cursor/.test(text(lines)));
  await terminal.click(2, 40); // outside the box
  await terminal.until('the flock', (lines) => !/move your cursor/.test(text(lines)));

  const [width, height] = watcher.room.world;
  watcher.send([flock.CURSOR, width / 4, height / 4]);
  const lines = await terminal.until('her cursor', (screen) => rowOf(screen, /[◆+] Wanda /) > 0 && screen);
  const row = rowOf(lines, / Wanda /);
  await terminal.click(lines[row].indexOf('Wanda') + 2, row);
  await terminal.until('her row', (screen) => /Room[ ─-]+2 people/.test(screen[0]) && /Wanda, a viewer/.test(text(screen)));
  const [hint, column] = await terminal.until('what can be done', (screen) => {
    const at = rowOf(screen, /\+ presenter - viewer/);
    return at >= 0 && [at, screen[at].indexOf('+ presenter')];
  });
  await terminal.click(column, hint);
  await watcher.until('a presenter', () => watcher.role === 'presenter');
});

for (const term of ['xterm-256color', 'tmux-256color']) {
  test(`clicks count that come together with other clicks, answers and keys, TERM=${term}`, async (t) => {
    const { terminal } = await together(t, { columns: 160, rows: 50, term });
    const click = (column, row) => `\u001b[<0;${column + 1};${row + 1}M\u001b[<0;${column + 1};${row + 1}m`;
    const panel = await terminal.until('the button', (lines) => lines[49].indexOf('p panel') + 1);
    const outside = click(2, 40);
    for (const [bytes, shown] of /** @type {[string, RegExp][]} */ ([[`${outside}\u001b[0n`, /live/], [`${outside}${click(panel, 49)}`, /Controls/], [`${outside}w`, /Room[ ─-]+2 people/]])) {
      await terminal.type('?');
      await terminal.until('the help', (lines) => /move your cursor/.test(text(lines)));
      await terminal.type(bytes);
      await terminal.until('what was clicked and pressed', (lines) => !/move your cursor/.test(text(lines)) && shown.test(text(lines)));
    }
  });
}

test("a presenter's click adds boids where the preset says so", async (t) => {
  const { watcher, terminal } = await together(t, { server: ['--preset', 'js-birds'] });
  const before = await watcher.until('boids', () => watcher.snapshot.boids.length);
  await terminal.click(40, 12);
  await watcher.until('one more', () => watcher.snapshot.boids.length === before + 1);
});

test('the palette finds an action, a preset and a parameter, and clicks choose', async (t) => {
  const { watcher, terminal } = await together(t);
  await terminal.key('C-p');
  await terminal.type('preset bees');
  await terminal.until('one entry', (lines) => /: preset bees_ +1\/1/.test(text(lines)));
  await terminal.key('Enter');
  await watcher.until('the preset', () => choice(watcher, 'preset') === 'bees');
  await terminal.type(':');
  await terminal.type('measures');
  await terminal.key('Enter');
  await terminal.until('the measures', (lines) => /polarization/.test(text(lines)));
  await terminal.type(':');
  await terminal.type('pause');
  // The palette of an earlier letter has the action in another row.
  const row = await terminal.until('it is found', (screen) => {
    const head = rowOf(screen, /: pause_ /);
    return head > 0 && rowOf(screen, /pause or run the flock/) === head + 2 && head + 2;
  });
  await terminal.click(10, row);
  await watcher.until('it is paused', () => choice(watcher, 'run') === 'paused');
  await terminal.type(':');
  await terminal.type('qqq');
  await terminal.until('nothing', (screen) => /nothing has these words/.test(text(screen)));
  await terminal.key('Escape');
  await terminal.key('Escape');
  await terminal.until('all is closed', (screen) => !/polarization|words/.test(text(screen)));
});

test('Esc closes what is on top, one thing at a time', async (t) => {
  const { terminal } = await together(t, { rows: 40 });
  const shown = (lines) => [/polarization/, /Controls/, /move your cursor/, /hide your cursor +c/].map((each) => each.test(text(lines)));
  await terminal.key('m', 'p', '?');
  await terminal.type('?');
  await terminal.type(':');
  await terminal.until('the palette', (lines) => shown(lines)[3]);
  await terminal.key('Escape');
  await terminal.until('the panel', (lines) => !shown(lines)[3] && shown(lines)[1]);
  await terminal.key('Escape');
  await terminal.until('the measures', (lines) => !shown(lines)[1] && shown(lines)[0]);
  await terminal.key('Escape');
  await terminal.until('the flock', (lines) => !shown(lines)[0]);
});

test("Esc closes the panel when the terminal's next answer comes with it", async (t) => {
  const { terminal } = await together(t);
  for (const answer of ['\u001b[0n', '\u001b[I']) {
    await terminal.key('p');
    await terminal.until('the panel', (lines) => /Controls/.test(lines[0]));
    await terminal.type(`\u001b${answer}`);
    await terminal.until('no panel', (lines) => !/Controls/.test(lines[0]));
  }
});

// A slow line delivers them together, as Alt and the key.
test('a key that comes together with Esc counts, too', async (t) => {
  const { terminal } = await together(t);
  await terminal.type('\u001bw');
  await terminal.until('the room', (lines) => /Room[ ─-]+\d/.test(text(lines)));
  for (const keys of ['\u001bp', '\u001b\u001bw', '\u001b[99;99~p', '\u001bOz\u001bw']) {
    await terminal.type(keys);
    const [panel, other] = keys.endsWith('p') ? [/Controls/, /Room[ ─-]+\d/] : [/Room[ ─-]+\d/, /Controls/];
    await terminal.until(`${JSON.stringify(keys)} opens one panel`, (lines) => panel.test(text(lines)) && !other.test(text(lines)));
  }
});

test('pasted text outside a field does nothing', async (t) => {
  const { watcher, terminal } = await together(t);
  await terminal.paste('qRax . ]]\n? p w hello\n');
  await terminal.key('a');
  await watcher.until('ten boids', () => watcher.snapshot.boids.length === 22);
  assert.doesNotMatch(text(await terminal.screen()), /Controls|Room[ ─-]+\d|hello/);
});

test('the status line says that the past is shown, and its bar is dragged', async (t) => {
  const { watcher, terminal } = await together(t);
  await watcher.until('a while', () => watcher.snapshot.tick > 120);
  await terminal.key('<');
  await terminal.until('it does not say live', (lines) => /^ the past: \d/.test(lines.at(-1)) && /●/.test(lines[22]));
  assert.doesNotMatch((await terminal.screen()).at(-1), /live/);
  await terminal.click(1, 22);
  await watcher.until('the beginning', () => watcher.past.shown && watcher.past.back > watcher.past.span - 0.5);
  await terminal.until('the moment on the bar', (lines) => /^ ●/.test(lines[22]));
  await terminal.key('v');
  await terminal.until('now', (lines) => /^ live/.test(lines.at(-1)) && !/●/.test(lines[22]));
});

test('holding the key for the past asks for the last moment only', async (t) => {
  const { heard, ws, send } = await startFake(t, { welcome: { role: 'presenter' } });
  const terminal = await openTerminal(t);
  await terminal.start(ws);
  await terminal.until('it is live', (lines) => /live/.test(lines.at(-1)));
  send([flock.PAST, true, 500, 10, 0]);
  await terminal.until('the past', (lines) => /the past: 10\.0 s/.test(lines.at(-1)));
  await terminal.key(...Array(60).fill('<'));
  await terminal.until('the moment', (lines) => /the past: 310\.0 s/.test(lines.at(-1)));
  await terminal.key('v');
  await terminal.until('all is sent', () => heard.some(([type]) => type === flock.LIVE));
  const rewinds = heard.filter(([type]) => type === flock.REWIND);
  assert.equal(rewinds.at(-1)?.[1], 310);
  assert.ok(rewinds.length < 30, `${rewinds.length} of 60 keys are sent`);
});

test('a presenter who has left is removed from the list', async (t) => {
  const { server, terminal } = await together(t, { columns: 100, rows: 30 });
  const ada = await flock.join(t, server.ws, { name: 'Ada', key: KEY });
  await terminal.key('w');
  await terminal.until('Ada', (lines) => /Ada +owner/.test(text(lines)));
  ada.socket.close();
  await terminal.until('Ada is away', (lines) => /Ada +away/.test(text(lines)));
  await terminal.key('End', '-');
  await terminal.until('Ada is gone', (lines) => !/Ada +away/.test(text(lines)));
});

test('https to an http port says so at once', async (t) => {
  const server = await startServer(t);
  const terminal = await openTerminal(t);
  await terminal.start(server.url.replace('http:', 'https:'));
  await terminal.until('the reason', (lines) => /does it speak http\?/.test(text(lines)));
  assert.doesNotMatch(await terminal.text(), /certificate/);
});

for (const [locale, unicode] of /** @type {[string, boolean][]} */ ([['xx_YY.UTF-8', true], ['de_XX.utf8', true], ['C', false]])) {
  test(`the picture in the locale ${locale}`, async (t) => {
    const server = await startServer(t);
    const terminal = await openTerminal(t, { locale });
    await terminal.start(server.ws);
    await terminal.until('it is live', (lines) => /live/.test(lines.at(-1)));
    if (unicode) {
      await terminal.until('its frame', (lines) => /┌/.test(text(lines)));
    } else {
      await terminal.until('the reason', (lines) => /ASCII only: the locale is not UTF-8/.test(lines.at(-1)));
    }
  });
}

test('rooms are joined by code and by list, made with a preset, and remembered with their keys', async (t) => {
  const { server, terminal } = await together(t, { args: [], columns: 100, rows: 30 });
  const listed = await createRoom(server, { title: 'Starlings', listed: true });
  const other = await createRoom(server, { title: 'Herons' });
  const goes = (title) => terminal.until(`it is in ${title}`, (lines) => new RegExp(`^ live · (you are a presenter|${title})`).test(lines.at(-1)) && new RegExp(title).test(lines.at(-1)));
  await terminal.key('o');
  await terminal.until('the list', (lines) => /Starlings +\S+, 0 people/.test(text(lines)) && /create: bees/.test(text(lines)));
  await terminal.type('starl');
  await terminal.key('Enter');
  await goes('Starlings');
  await terminal.key('o');
  await terminal.type(other.code.toLowerCase());
  await terminal.until('the code', (lines) => /join: \w+/.test(text(lines)));
  await terminal.key('Enter');
  await goes('Herons');
  await terminal.key('o');
  await terminal.type('create bees');
  await terminal.until('the preset', (lines) => /create: bees/.test(text(lines)));
  await terminal.key('Enter');
  await terminal.until('a presenter of a new room', (lines) => /live · .*presenter.* p panel/.test(lines.at(-1)));
  await terminal.until('its preset', (lines) => / · bees · /.test(lines.at(-1)));
  await terminal.paste(listed.address);
  await goes('Starlings');
  await terminal.key('q');
  await terminal.until('the shell', (lines) => lines.some((line) => line.trimEnd() === '$'));

  await terminal.start(server.ws);
  await terminal.until('the lobby', (lines) => /live · lobby/.test(lines.at(-1)));
  await terminal.key('o');
  // The server's list may move the rows.
  const made = await terminal.until('the rooms before, and the list', (lines) => {
    const all = [/before: Herons/, /Starlings +\S+, 0 people/].every((each) => each.test(text(lines)));
    return all && rowOf(lines, /before: \w{3} \w{3} /) + 1;
  });
  await terminal.click(20, made - 1);
  await terminal.until('a presenter again, by the remembered key', (lines) => /live · .*p panel/.test(lines.at(-1)));
});

test('a room that does not exist leaves the way to other rooms open', async (t) => {
  const { terminal } = await together(t, { args: [] });
  await terminal.key('o');
  await terminal.type('FK72MX');
  await terminal.key('Enter');
  await terminal.until('there is none', (lines) => /there is no room FK7 2MX/.test(text(lines)) && /o {2}other rooms/.test(text(lines)));
  await terminal.key('o');
  await terminal.type('lobby');
  await terminal.key('Enter');
  await terminal.until('the lobby', (lines) => /live · lobby/.test(lines.at(-1)));
});

test('with --no-history nothing is remembered', async (t) => {
  const { server, terminal } = await together(t, { args: ['--no-history'] });
  await terminal.key('o');
  await terminal.until('the list', (lines) => /lobby +swarm/.test(text(lines)));
  assert.doesNotMatch(await terminal.text(), /before:/);
  await terminal.key('Escape');
  await terminal.until('the flock', (lines) => !/room: _/.test(text(lines)));
  await terminal.key('q');
  await terminal.until('the shell', (lines) => lines.some((line) => line.trimEnd() === '$'));
  assert.ok(server.url);
  const lines = await terminal.command('ls "$XDG_STATE_HOME"');
  assert.match(text(lines), /No such file/);
});

test('a code and a host with a port join', async (t) => {
  const server = await startServer(t);
  const terminal = await openTerminal(t);
  await terminal.start(`127.0.0.1:${server.port}`);
  await terminal.until('the lobby', (lines) => /live · lobby/.test(lines.at(-1)));
});

test('with --rate 60 the terminal gets more than 30 frames a second', async (t) => {
  const server = await startServer(t, ['--tick-rate', '60', '--boids', '40']);
  const terminal = await openTerminal(t);
  const log = (await terminal.command('echo "$XDG_STATE_HOME.out"'))[0].trim();
  await terminal.start('--rate', '60', server.ws);
  await terminal.until('it is live', (lines) => /live/.test(lines.at(-1)));
  await terminal.pipe(log);
  // A question for the terminal's answer ends each frame.
  const frames = () => readFileSync(log, 'latin1').split('\u001b[5n').length - 1;
  let [since, before] = [performance.now(), 0];
  await terminal.until('a second with more than 36 frames', () => {
    const [now, count] = [performance.now(), existsSync(log) ? frames() : 0];
    const rate = ((count - before) * 1000) / (now - since);
    if (now - since < 1000) return false;
    [since, before] = [now, count];
    return rate > 36;
  });
});

for (const term of ['xterm-256color', 'tmux-256color', 'screen-256color', 'linux', 'vt100', 'xterm-direct', 'foot']) {
  test(`keys open and close each panel and box, TERM=${term}`, async (t) => {
    const { watcher, terminal } = await together(t, { term });
    assert.equal(await terminal.property('#{cursor_flag}'), '0', 'the text cursor is hidden');
    for (const [key, shown] of /** @type {[string, RegExp][]} */ ([['p', /Controls/], ['w', /Room[ ─-]+2 people/], ['?', /move your cursor/], [':', /hide your cursor/], ['o', /room: _/]])) {
      await terminal.type(key);
      await terminal.until(`${key} opens`, (lines) => shown.test(text(lines)));
      await terminal.key('Escape');
      await terminal.until('Esc closes', (lines) => !shown.test(text(lines)) && /live/.test(lines.at(-1)));
    }
    await terminal.key('p', 'End', 'Home', 'Down', 'Up', 'Right');
    await watcher.until('the first preset', () => choice(watcher, 'preset') === 'original');
    await terminal.key('q');
    await terminal.until('the shell is back', (lines) => lines.some((line) => line.trimEnd() === '$') && !/live/.test(text(lines)));
  });
}

for (const { columns, rows, term } of [{ columns: 250, rows: 70, term: 'tmux-256color' }, { columns: 40, rows: 12, term: 'xterm-256color' }]) {
  test(`a row, a bar and a button of each panel in ${columns}x${rows}, TERM=${term}`, async (t) => {
    const { watcher, terminal } = await together(t, { columns, rows, term });
    const at = await select(terminal, 'inertia');
    const line = Array.from((await terminal.screen())[at]);
    const bar = line.findIndex((symbol, i) => i > line.indexOf('│') && /[█▏▎▍▌▋▊▉]/.test(symbol));
    await terminal.click(line.findLastIndex((symbol) => /[█·]/.test(symbol)), at);
    await watcher.until('the largest value', () => param(watcher, 'inertia') === 3);
    await terminal.click(bar, at);
    await watcher.until('the smallest value', () => param(watcher, 'inertia') === 0);
    await terminal.type('w');
    const lines = await terminal.until('the people', (screen) => rowOf(screen, /Tess \(you\)/) > 0 && screen);
    await terminal.click(lines[0].indexOf('Room') + 2, rowOf(lines, /Tess \(you\)/));
    await terminal.until('her row', (screen) => /Tess, an? (owner|presenter)/.test(text(screen)));
    await terminal.click((await terminal.until('the button', (screen) => screen[rows - 1].indexOf('? help') + 1)) - 1, rows - 1);
    await terminal.until('the help', (screen) => /move your cursor/.test(text(screen)));
    await terminal.wheel(20, 5, 3);
    await terminal.press((await terminal.until('the button', (screen) => screen[rows - 1].indexOf('q quit') + 1)) - 1, rows - 1);
    await terminal.until('the shell is back', (screen) => screen.some((each) => each.trimEnd() === '$'));
  });
}

test('with many people a small window shows all cursors and few names, the presenter first', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const terminal = await openTerminal(t, { columns: 40, rows: 12 });
  await terminal.start(server.ws);
  await terminal.until('the flock is live', (lines) => /live/.test(lines.at(-1)));
  const names = Array.from({ length: 15 }, (_, i) => `Guest${i}`);
  const guests = await Promise.all(names.map((name) => flock.join(t, server.ws, { name })));
  const teacher = await flock.join(t, server.ws, { name: 'Teacher', key: KEY });
  const [width, height] = teacher.room.world;
  for (const [i, client] of [...guests, teacher].entries()) client.send([flock.CURSOR, (width * (1 + (i % 4))) / 5, (height * (1 + Math.floor(i / 4))) / 5]);
  await terminal.until('all cursors', (shown) => text(shown).split('◆').length - 1 === 16);
  const screen = await terminal.until('her name', (shown) => /◆ Teacher\b/.test(text(shown)) && shown);
  const shown = [...names, 'Teacher'].filter((name) => new RegExp(` ${name}\\b`).test(text(screen)));
  assert.ok(shown.length >= 2 && shown.length <= 3, `${shown} of\n${text(screen)}`);
});
