// The owner of a room, who has its key, keeps it: the page of an appointed presenter does not offer what the server refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom } from './api.mjs';
import { openFlock, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';

const WIDE = { viewport: { width: 1280, height: 800 } };

const browser = await sharedBrowser();

const row = ({ page }, name) => page.locator('#people-list li', { hasText: name });

test('an appointed presenter sees who owns the room, and is not offered to remove the owner', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { title: 'Bees' });
  const address = new URL(room.path, server.url).href;
  const ada = await openFlock(t, browser, `${address}?name=Ada#key=${room.key}`, WIDE);
  const ben = await openFlock(t, browser, `${address}?name=Ben`, WIDE);
  await flock.join(t, server.ws, { room: room.code, name: 'Cem' });
  await row(ada, 'Ben').locator('.more').click();
  await row(ada, 'Ben').getByRole('button', { name: 'Make presenter' }).click();
  await ben.until('Ben presents', ({ role }) => role === 'presenter');
  await row(ben, 'Ada').getByText('owner', { exact: true }).waitFor();
  await row(ada, 'Ada').getByText('you, owner', { exact: true }).waitFor();
  await row(ada, 'Ben').getByText('presenter', { exact: true }).waitFor();

  await row(ben, 'Ada').locator('.more').click();
  await row(ben, 'Ada').getByRole('button', { name: 'Rename…' }).waitFor();
  assert.equal(await row(ben, 'Ada').getByRole('button', { name: 'Remove…' }).count(), 0);
  assert.equal(await row(ben, 'Ada').getByRole('button', { name: 'Make viewer' }).count(), 0);
  await ben.page.locator('#panel-open').click();
  await ben.page.locator('#panel-room summary').click();
  await ben.page.locator('#key-about', { hasText: 'Only people who opened the presenter’s link' }).waitFor();
  assert.ok(await ben.page.locator('#rekey').isHidden());
  await row(ben, 'Cem').locator('.more').click();
  await row(ben, 'Cem').getByRole('button', { name: 'Remove…' }).waitFor();

  await ada.page.goto('about:blank');
  await row(ben, 'Ada').getByText('owner, away', { exact: true }).waitFor();
  assert.ok(await row(ben, 'Ada').locator('.more').isHidden());
});
