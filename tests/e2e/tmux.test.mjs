// The tool of the terminal's tests: a connection to tmux.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startTmux } from './tmux.mjs';

test('a question to tmux that has ended is refused at once', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flock-tmux-'));
  const { ask, end } = await startTmux(path.join(folder, 'socket'), ['-s', 'one', 'sh']);
  assert.equal(await ask('display-message', '-p', '#{session_name}'), 'one');
  await end();
  await assert.rejects(ask('list-sessions'), /tmux has ended/);
  await assert.rejects(ask('list-sessions'), /tmux has ended/);
  rmSync(folder, { recursive: true });
});
