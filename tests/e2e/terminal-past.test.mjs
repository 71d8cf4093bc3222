// A room's past and its saved presets in flock-term.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { call, MANY_ROOMS } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { openTerminal } from './terminal.mjs';

const KEY = 'abcdefgh1';
const RECORDING = new URL('../recordings/boids.flock', import.meta.url); // of 300 ticks, 30 a second

const text = (lines) => lines.join('\n');
const choice = (client, name) => client.room.controls.find(([each]) => each === name)[1];

async function open(t, args) {
  const terminal = await openTerminal(t, { columns: 120, rows: 40 });
  await terminal.type(['flock-term', ...args].join(' '));
  await terminal.key('Enter');
  await terminal.until('the flock is there', (lines) => /^ (live|the past)/.test(lines.at(-1)));
  return terminal;
}

test('the status line says that a room plays a recording, and a presenter steps it', async (t) => {
  const server = await startServer(t, MANY_ROOMS);
  const { body: room } = await call(server, 'POST', '/api/rooms', {
    body: new Uint8Array(readFileSync(RECORDING)),
    headers: { 'content-type': 'application/octet-stream' },
  });
  const watcher = await flock.join(t, server.ws, { room: room.code });
  const terminal = await open(t, ['--room', room.code, '--key', room.key, server.ws]);
  const shown = (back) => terminal.until(`it says ${back}`, (lines) => text(lines).includes(`the past: ${back} s before now`));
  const still = (what, probe) => watcher.until(what, () => watcher.past.speed === 0 && probe(watcher.past.back));
  const near = (back) => (is) => Math.abs(is - back) < 0.001;
  await terminal.until('it shows the past', (lines) => /the past: \d+\.\d s before now/.test(text(lines)));
  await terminal.key('{');
  await still('it stands still', (back) => back > 0);
  while (watcher.past.back < 10) {
    const before = watcher.past.back;
    await terminal.key('<');
    await still('some seconds before', (back) => back > Math.min(before + 1, 9.99));
    await shown(watcher.past.back.toFixed(1));
  }
  await watcher.until('its beginning', () => watcher.snapshot.tick === 0);
  await terminal.key('}');
  await still('a tick later', near(10 - 1 / 30));
  await watcher.until('its snapshot', () => watcher.snapshot.tick === 1);
  await terminal.key('>');
  await shown('5.0');
  await still('the room is there, too', (back) => back < 6);
  const middle = watcher.past.back;
  await terminal.key('{');
  await still('a tick before', near(middle + 1 / 30));
  await terminal.key('f');
  await watcher.until('it goes on', () => watcher.past.speed === 1 && watcher.past.back < 4.9);
  await terminal.until('with its speed', (lines) => text(lines).includes(' s before now, 1x'));
});

// Except G: the server refuses to go on from a moment that it still computes.
test('keys count at once after <, before the server shows the past', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY, '--idle', 'hold']);
  const watcher = await flock.join(t, server.ws);
  const terminal = await open(t, ['--key', KEY, server.ws]);
  // Presses both keys in one write. Resolves when the room has shown a past that fits.
  const press = async (key, fits) => {
    await watcher.until('a past', () => watcher.snapshot.tick > 200);
    const from = watcher.messages.length;
    await terminal.key('<', key);
    const pasts = () => watcher.messages.slice(from).filter(([type]) => type === flock.PAST);
    await watcher.until(`the effect of ${key}`, () => pasts().some(([, shown]) => shown) && pasts().some(([, ...past]) => fits(...past)));
  };
  await press('{', (shown, _span, back) => shown && back > 5.02);
  await terminal.key('v');
  await watcher.until('the present', () => !watcher.past.shown);
  await press('v', (shown) => !shown);
});

test('cursors of the past have names', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const teacher = await flock.join(t, server.ws, { key: KEY });
  const pupil = await flock.join(t, server.ws, { name: 'Bartholomew' });
  const [width, height] = pupil.room.world;
  pupil.send([flock.CURSOR, width / 2, height / 2]);
  const terminal = await open(t, [server.ws]);
  const called = (lines) => /[◆+] Bartholomew/.test(text(lines));
  await terminal.until('the cursor is there', called);
  const { tick } = teacher.snapshot;
  await teacher.until('a second with it', () => teacher.snapshot.tick > tick + 30); // or the steps below could miss it
  pupil.socket.close();
  await terminal.until('it is gone', (lines) => !called(lines));
  for (let back = 0.5; !teacher.snapshot.cursors.has(pupil.id); back += 0.5) {
    assert.equal(await teacher.ask([flock.REWIND, back]), null);
    await teacher.until('a moment before', () => teacher.past?.shown && teacher.past.back >= Math.min(back, teacher.past.span) - 0.01);
    await teacher.next(flock.SNAPSHOT, 'it');
    assert.ok(back < 90, 'there is a moment with the cursor');
  }
  await terminal.until('it is there again', called);
});

test('a preset is saved in the panel, chosen and removed', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const watcher = await flock.join(t, server.ws);
  const terminal = await open(t, ['--key', KEY, server.ws]);
  await terminal.until('it is a presenter', (lines) => /p panel/.test(lines.at(-1)));
  await terminal.key('p');
  await terminal.until('the panel is open', (lines) => /Controls.*1\/\d+/.test(text(lines)));
  const index = watcher.room.controls.findIndex(([name]) => name === 'preset');
  await terminal.key('Home', ...Array(index).fill('j'), 'Enter');
  await terminal.type('a name that is longer than the row has columns for it');
  await terminal.until('the end of the name, where typing continues', (lines) => / columns for it_/.test(text(lines)));
  await terminal.key('C-u');
  await terminal.type('Slow bees');
  await terminal.until('it is typed', (lines) => text(lines).includes('Slow bees'));
  await terminal.key('Enter');
  await watcher.until('it is saved, and in force', () => choice(watcher, 'preset') === 'Slow bees');
  await terminal.until('the notice', (lines) => /You saved the preset Slow bees/.test(text(lines)));
  await terminal.key('h');
  await watcher.until('another one', () => choice(watcher, 'preset') !== 'Slow bees');
  await terminal.key('l');
  await watcher.until('the saved one again', () => choice(watcher, 'preset') === 'Slow bees');
  await terminal.until('the name in the row', (lines) => /preset +.*Slow bees/.test(text(lines)));
  await terminal.key('BSpace', 'y');
  const offered = () => watcher.room.controls[index][2].map(([value]) => value);
  await watcher.until('it is gone', () => !offered().includes('Slow bees'));
  assert.equal(choice(watcher, 'preset'), '');
});

test('the last change before the moment is beside it', async (t) => {
  const server = await startServer(t, ['--presenter-key', KEY]);
  const teacher = await flock.join(t, server.ws, { key: KEY, name: 'Ada' });
  await teacher.until('time passes', () => teacher.snapshot.tick > 45);
  assert.equal(await teacher.ask([flock.SET, 'boundary', 'wrap']), null);
  const { tick } = teacher.snapshot;
  await teacher.until('time passes', () => teacher.snapshot.tick > tick + 45);
  const terminal = await open(t, ['--key', KEY, server.ws]);
  assert.equal(await teacher.ask([flock.REWIND, 0]), null);
  const says = (pattern) => terminal.until(`it says ${pattern}`, (lines) => pattern.test(lines.at(-1)));
  await says(/^ the past: 0\.0 s before now · \d+\.\d s earlier: Ada: .*wrap/);
  assert.equal(await teacher.ask([flock.REWIND, 100]), null);
  await terminal.until('before the change there is none', (lines) => /before now/.test(lines.at(-1)) && !/earlier/.test(lines.at(-1)));
});
