// The page's messages to presenters when the server cannot store rooms.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import { lobby, openFlock, sharedBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

const KEY = 'abcdefgh1';
const WIDE = { viewport: { width: 1100, height: 720 } };

const browser = await sharedBrowser();

test('presenters see that the server cannot store the room, and that it can again', async (t) => {
  const data = mkdtempSync(path.join(tmpdir(), 'flockd-page-data-'));
  atEnd(t, () => rmSync(data, { recursive: true }));
  const server = await startServer(t, ['--presenter-key', KEY, '--data', data, '--checkpoint-interval', '0.1']);
  const limit = (size) => assert.equal(spawnSync('prlimit', ['--pid', String(server.pid), `--fsize=${size}`]).status, 0);
  const teacher = await openFlock(t, browser, `${lobby(server)}#key=${KEY}`, WIDE);
  const pupil = await openFlock(t, browser, lobby(server), WIDE);
  await teacher.until('this is a presenter', ({ role }) => role === 'presenter');
  await teacher.page.keyboard.press('p');
  const line = teacher.page.locator('#unsaved');
  assert.ok(await line.isHidden());
  limit('1000:unlimited');
  await line.waitFor();
  assert.equal(await line.textContent(), 'The server cannot save this room: a restart of the server would lose the changes made now.');
  await teacher.said('spoken', 'The server cannot save this room');
  assert.doesNotMatch((await pupil.page.locator('#news').textContent()) ?? '', /save/);
  limit('unlimited:unlimited');
  await line.waitFor({ state: 'hidden' });
  await teacher.said('spoken', 'The server saves this room again');
});
