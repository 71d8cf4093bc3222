// flock-term --demo: the presets without a server, and the attract mode.
import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root, runToEnd } from './server.mjs';
import { FLOCK_TERM, brailleDots, openTerminal } from './terminal.mjs';

// The installed build: the demo pauses a flock whose ticks take too long, as the sanitized ticks of 4,000 boids do on a busy machine.
const INSTALLED = path.join(root, 'build/flock-term');

const text = (lines) => lines.join('\n');
const isLive = (lines) => /live .* murmuration · 4000 boids/.test(lines.at(-1));

test('--demo shows a flock that moves and can be steered, without any socket', async (t) => {
  const terminal = await openTerminal(t, { columns: 110, rows: 30 });
  await terminal.start('--demo');
  const first = await terminal.until('the flock', (lines) => isLive(lines) && brailleDots(lines).length > 300 && lines);
  const pid = await terminal.program();
  const open = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  assert.deepEqual(open.filter((file) => file.startsWith('socket:')), []);
  await terminal.until('it moves', (lines) => text(lines.slice(0, -1)) !== text(first.slice(0, -1)));
  await terminal.key('Right');
  await terminal.until('the cursor', (lines) => /◈/.test(text(lines)));

  await terminal.key(']');
  // On a busy machine the message may be gone before this looks. Then the status line names the preset.
  await terminal.until('the next preset', (lines) => /You chose the preset billiards|live .* billiards ·/.test(lines.at(-1)));
  await terminal.key('p');
  await terminal.until('the controls', (lines) => /preset +.*billiards/.test(text(lines)));
  await terminal.key('p');
  await terminal.until('no controls', (lines) => !/preset +.*billiards/.test(text(lines.slice(0, -1))));
  const kinds = { sextants: /[\u{1fb00}-\u{1fb3b}]/u, 'half blocks': /[▀▄]/, braille: /[\u2801-\u28ff]/ };
  for (const [words, symbol] of Object.entries(kinds)) {
    await terminal.type(`:${words}`);
    await terminal.until('the palette', (lines) => lines.some((line) => line.includes(`: ${words}`)));
    await terminal.key('Enter');
    await terminal.until(`${words} in the picture`, (lines) => symbol.test(text(lines.slice(0, -1))));
  }
  await terminal.key('o');
  await terminal.until('a hint instead of rooms', (lines) => /that needs a server/.test(lines.at(-1)));
  await terminal.key('?');
  const help = await terminal.until('the help', (lines) => /next preset/.test(text(lines)) && text(lines));
  assert.doesNotMatch(help, /rooms: join|presenter key|code and link/);
  await terminal.key('?');
  await terminal.key('q');
  await terminal.until('the shell', (lines) => lines.some((line) => line.trimEnd() === '$'));
});

test('--attract shows one preset after another until someone presses a key', async (t) => {
  const terminal = await openTerminal(t, { columns: 110, rows: 30 });
  await terminal.start('--demo', '--attract', '1');
  for (const preset of ['billiards', 'original', 'js-birds']) {
    await terminal.until(preset, (lines) => new RegExp(`You chose the preset ${preset}`).test(lines.at(-1)));
  }
  await terminal.until('a cursor wanders', (lines) => /◈/.test(text(lines)));
  await terminal.key('m');
  const lines = await terminal.until('the person has it', (screen) => /the flock is yours/.test(screen.at(-1)) && /polarization/.test(text(screen)) && screen);
  assert.doesNotMatch(text(lines), /◈/, 'the cursor does not wander');
});

test('--demo works without a screen, and --attract needs it', async (t) => {
  const env = { LC_ALL: 'C.UTF-8', COLUMNS: '80', LINES: '20' };
  const { code, stdout } = await runToEnd(t, ['--demo', '--snapshot'], { env, command: [INSTALLED] });
  assert.equal(code, 0);
  assert.match(stdout, /[\u2801-\u28ff]/);
  assert.match(stdout, / live · demo · birds · murmuration · 4000 boids/);
  const sextants = await runToEnd(t, ['--demo', '--snapshot', '--sextants'], { env, command: [FLOCK_TERM] });
  assert.match(sextants.stdout, /[\u{1fb00}-\u{1fb3b}]/u);
  assert.doesNotMatch(sextants.stdout, /[\u2801-\u28ff]/);
  const alone = await runToEnd(t, ['--attract', '3'], { command: [FLOCK_TERM] });
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /^flock-term: --attract: expected --demo/);
});
