// flock-term without a terminal's screen: figures as JSON, a frame as text; and the recording of a screen.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { runToEnd, startServer } from './server.mjs';
import { FLOCK_TERM, openTerminal } from './terminal.mjs';

const text = (lines) => lines.join('\n');

test('--stats prints a line of JSON a second', async (t) => {
  const server = await startServer(t, ['--boids', '60', '--preset', 'bees']);
  const watcher = await flock.join(t, server.ws);
  const program = spawn(FLOCK_TERM, ['--stats', '--name', 'Tess', server.ws], { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(t, () => void program.kill());
  const lines = [];
  for await (const line of createInterface({ input: program.stdout })) {
    lines.push(JSON.parse(line));
    if (lines.length === 4) break;
  }
  const last = lines.at(-1);
  assert.deepEqual([last.room, last.preset, last.live, last.boids, last.people], ['lobby', 'bees', true, 60, 2]);
  for (const name of ['polarization', 'milling', 'radius', 'speed', 'nearest', 'clusters', 'trip_ms', 'snapshots_per_second']) {
    assert.equal(typeof last[name], 'number', name);
  }
  assert.ok(last.polarization > 0 && last.polarization <= 1);
  const passed = last.time - lines[0].time;
  assert.ok(passed >= 2, `${passed} s for three lines`);
  assert.ok([...watcher.people.values()].some(({ name }) => name === 'Tess'));
});

test('--snapshot prints one frame of the size that the environment says', async (t) => {
  const server = await startServer(t, ['--boids', '200']);
  const env = { LC_ALL: 'C.UTF-8', COLUMNS: '60', LINES: '16' };
  const { code, stdout, stderr } = await runToEnd(t, ['--snapshot', server.ws], { env, command: [FLOCK_TERM] });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const lines = stdout.split('\n');
  assert.equal(lines.length, 17);
  assert.ok(lines.every((line) => Array.from(line).length <= 60));
  assert.match(stdout, /[\u2801-\u28ff]/, 'there are boids');
  assert.match(lines[15], /^ live · lobby · swarm/);
  assert.ok(!stdout.includes('\u001b'), 'no sequences');
});

test('--svg prints one frame as a picture in the colours of the room', async (t) => {
  const server = await startServer(t, ['--preset', 'cpp-boids']);
  const env = { LC_ALL: 'C.UTF-8', COLUMNS: '60', LINES: '16' };
  const other = await flock.join(t, server.ws, { name: '&<B]]>' });
  other.send([flock.CURSOR, 200, 200]);
  await other.until('its cursor', () => other.snapshot.cursors.size > 0);
  const { code, stdout, stderr } = await runToEnd(t, ['--svg', server.ws], { env, command: [FLOCK_TERM] });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.match(stdout, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 480 256"[^]*<\/svg>\n$/);
  assert.match(stdout, /<path class="dots" stroke="#[0-9a-f]{6}" d="M\d+ \d+h0/, 'boids');
  assert.match(stdout, />[^<]*live</);
  assert.ok(new Set([...stdout.matchAll(/<path fill="(#\w+)" d="M0 /g)].map(([, color]) => color)).size > 4, 'a ground with several colours');
  assert.match(stdout, /&amp;&lt;B\]\]&gt;/);
  assert.doesNotMatch(stdout.replace(/&(amp|lt|gt);/g, ''), /&|]]>/);
});

test('--snapshot says why there is no frame', async (t) => {
  const server = await startServer(t);
  const none = await runToEnd(t, ['--snapshot', '--room', 'FK72MX', server.ws], { command: [FLOCK_TERM] });
  assert.deepEqual({ code: none.code, stdout: none.stdout, stderr: none.stderr }, { code: 1, stdout: '', stderr: 'flock-term: there is no room FK7 2MX\n' });
  const both = await runToEnd(t, ['--snapshot', '--stats', server.ws], { command: [FLOCK_TERM] });
  assert.equal(both.code, 2);
  assert.match(both.stderr, /^flock-term: --stats: [^\n]*--snapshot[^\n]*\n$/);
});

test('--record writes what the screen shows as an asciicast', async (t) => {
  const server = await startServer(t);
  const terminal = await openTerminal(t, { columns: 90, rows: 20 });
  const file = (await terminal.command('echo "$XDG_STATE_HOME.cast"'))[0].trim();
  await terminal.start('--record', file, server.ws);
  await terminal.until('it is live', (lines) => /live/.test(lines.at(-1)));
  await terminal.resize(100, 24);
  await terminal.until('the new size', (lines) => /live/.test(lines[23]));
  await terminal.key('q');
  await terminal.until('the shell', (lines) => lines.some((line) => line.trimEnd() === '$'));
  const [head, ...events] = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual([head.version, head.width, head.height], [2, 90, 20]);
  assert.ok(events.every(([time, kind, data], i) => time >= (i > 0 ? events[i - 1][0] : 0) && /^[or]$/.test(kind) && typeof data === 'string'));
  assert.ok(events.some(([, kind, data]) => kind === 'r' && data === '100x24'));

  const data = events.map(([, kind, each]) => (kind === 'o' ? each : '')).join('');
  assert.match(data, /live/);
  const again = await terminal.command(`flock-term --record ${file} ${server.ws}`);
  assert.match(text(again), /--record: expected a new file/);
});
