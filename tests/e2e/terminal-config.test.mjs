// The configuration file of flock-term: what a user sees of it.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import { startServer } from './server.mjs';
import { openTerminal } from './terminal.mjs';

const text = (lines) => lines.join('\n');

// Writes a user's file, and opens a terminal whose shell knows its folder.
async function withFile(t, content) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-config-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'flock-term'));
  const file = path.join(folder, 'flock-term/config');
  writeFileSync(file, content);
  const terminal = await openTerminal(t, { columns: 100, rows: 24 });
  await terminal.command(`export XDG_CONFIG_HOME=${folder}`);
  return { terminal, file };
}

test('the file opens panels, binds keys and names the server; an option goes before it', async (t) => {
  const server = await startServer(t);
  const { terminal } = await withFile(t, `server = ${server.ws}\nname = Ada\npanels = people\nkey.measures = F2 M\nkey.help = H\nkey.far-left = none\n`);
  await terminal.start();
  await terminal.until("the room's panel, without a key", (lines) => /Room[ ─-]+1 person/.test(lines[0]) && /Ada \(you\)/.test(text(lines)));
  await terminal.key('w');
  await terminal.until('it is closed', (lines) => !/Room[ ─-]+1 person/.test(lines[0]));
  await terminal.key('F2');
  await terminal.until('measures', (lines) => /polarization/.test(text(lines)));
  await terminal.key('m');
  await terminal.key('H');
  await terminal.until('the help names the keys', (lines) => /F2, M +measures and centroid/.test(text(lines)) && /H +this help/.test(text(lines)));
  await terminal.key('H');
  await terminal.until('the same key closes it, and m did nothing', (lines) => /polarization/.test(text(lines)) && /H help/.test(lines.at(-1)));
  await terminal.key('q');
  await terminal.until('the shell', (lines) => lines.some((line) => line.trimEnd() === '$'));
  await terminal.start('--no-config', '--name', 'Ben', server.ws);
  await terminal.until('the usual keys', (lines) => /live/.test(lines.at(-1)) && /\? help/.test(lines.at(-1)) && !/Room[ ─-]+1/.test(lines[0]));
});

test('a wrong line ends flock-term before it draws', async (t) => {
  const { terminal, file } = await withFile(t, 'theme = night\nkey.run = Hyper-X\n');
  const said = text(await terminal.command('flock-term ws://127.0.0.1:9/ws; echo "status $?"')).replace(/\n/g, '');
  assert.ok(said.includes(`flock-term: ${file}:2: key.run: expected 1 to 3 keys`), said);
  assert.match(said, /status 2/);
});
