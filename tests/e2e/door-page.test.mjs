// Access to a room: removed pupils, the door, join keys, and the end of a room, on the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, createRoom, roomOf } from './api.mjs';
import { openFlock, openPage, sharedBrowser } from './browser.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { until } from './until.mjs';

const WIDE = { viewport: { width: 1280, height: 800 } };

const browser = await sharedBrowser();

const pageOf = (server, { path }, rest = '') => new URL(path, server.url).href + rest;
const row = ({ page }, name) => page.locator('#people-list li', { hasText: name });

async function openTeacher(t, options = {}) {
  const server = await startServer(t);
  const room = await createRoom(server, { title: 'Bees', ...options });
  const ada = await openFlock(t, browser, pageOf(server, room, `?name=Ada#key=${room.key}`), WIDE);
  await ada.page.locator('#panel-open').click();
  await ada.page.locator('#panel-room > summary').click();
  await ada.page.locator('#admission').waitFor();
  return { server, room, ada };
}

async function remove(ada, name, how) {
  await row(ada, name).locator('.more').click();
  await row(ada, name).getByRole('button', { name: 'Remove…' }).click();
  await row(ada, name).getByRole('button', { name: how, exact: true }).click();
}

test('a removed pupil does not come back by a new tab', async (t) => {
  const { server, room, ada } = await openTeacher(t);
  const ben = await openFlock(t, browser, pageOf(server, room, '?name=Ben'), WIDE);
  await row(ada, 'Ben').waitFor();
  await remove(ada, 'Ben', 'Remove');
  await ben.page.locator('#notice', { hasText: 'You can join this room again in 10 minutes.' }).waitFor();
  const tab = await ben.context.newPage();
  await tab.goto(pageOf(server, room));
  await tab.locator('#notice', { hasText: 'A presenter removed you from this room.' }).waitFor();
  const other = await createRoom(server);
  const elsewhere = await ben.context.newPage();
  await elsewhere.goto(pageOf(server, other));
  await until('other rooms are open to him', () => elsewhere.evaluate(() => window.flock?.state?.().status === 'connected'), () => elsewhere.url());
});

test('with the door closed, a removed pupil’s other browser and newcomers stay outside, and people of the room come back', async (t) => {
  const { server, room, ada } = await openTeacher(t);
  const watcher = await flock.join(t, server.ws, { room: room.code, name: 'Watcher' });
  const cem = await openFlock(t, browser, pageOf(server, room, '?name=Cem'), WIDE);
  await openFlock(t, browser, pageOf(server, room, '?name=Ben'), WIDE);
  await row(ada, 'Ben').waitFor();
  await remove(ada, 'Ben', 'Remove, and close the door');
  await until('the door is shown as closed', () => ada.page.getByLabel('Close the door').isChecked(), () => 'open');
  await watcher.until('the door is closed', () => watcher.room.door === 'closed');
  const late = await openPage(t, browser, pageOf(server, room), WIDE);
  await late.page.locator('#notice', { hasText: 'takes no newcomers now.' }).waitFor();
  await cem.page.reload();
  await cem.until('Cem is back', ({ status, boids }) => status === 'connected' && boids > 0);
  await ada.page.getByLabel('Close the door').uncheck();
  await watcher.until('the door is open', () => watcher.room.door === undefined);
  await late.page.getByRole('button', { name: 'Join again' }).click();
  await late.until('the newcomer is in', ({ status, boids }) => status === 'connected' && boids > 0);
});

test('a teacher sets, shows, hides and takes away the join key, and lists the room', async (t) => {
  const { server, room, ada } = await openTeacher(t);
  const { page } = ada;
  await page.locator('#admission form input').fill('abc');
  await page.getByRole('button', { name: 'Set a join key' }).click();
  await page.locator('#admission .problem', { hasText: '4 to 64 letters' }).waitFor();
  await page.locator('#admission form input').fill('honey-7');
  await page.getByRole('button', { name: 'Set a join key' }).click();
  await page.locator('#admission', { hasText: 'People need the join key honey-7.' }).waitFor();
  const asked = await openPage(t, browser, pageOf(server, room), WIDE);
  await asked.page.locator('#join-key').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#panel').waitFor({ state: 'hidden' }); // and stays so after a reload
  await page.locator('#room').click();
  await page.locator('#invite-join', { hasText: 'Join key: honey-7' }).waitFor();
  await page.locator('#invite-join button').click();
  assert.ok(!(await page.locator('#invite').innerText()).includes('honey-7'));
  assert.ok((await page.locator('#invite-address').inputValue()).endsWith('#join=honey-7'));
  await page.locator('#invite').getByRole('button', { name: 'Close' }).click();

  await page.reload();
  await ada.until('she is back', ({ role }) => role === 'presenter');
  await page.locator('#panel-open').click();
  await page.locator('#panel-room > summary').click();
  await page.locator('#admission', { hasText: 'honey-7' }).waitFor();
  await page.getByRole('button', { name: 'Remove the join key' }).click();
  await page.locator('#admission', { hasText: 'Everyone with the room’s code may join.' }).waitFor();
  await page.getByLabel('List this room').check();
  await until('the room is listed', async () => (await call(server, 'GET', roomOf(room))).body.listed, () => '');
  await flock.join(t, server.ws, { room: room.code });
});

test('the end of a room can be taken back for ten seconds', async (t) => {
  const { server, room, ada } = await openTeacher(t);
  const { page } = ada;
  await page.clock.install();
  await page.getByRole('button', { name: 'End the room…' }).click();
  await page.locator('#admission', { hasText: 'The room ends in 10 s.' }).waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await page.clock.fastForward(15_000);
  assert.equal((await call(server, 'GET', roomOf(room))).status, 200);
  await page.getByRole('button', { name: 'End the room…' }).click();
  await page.clock.fastForward(9_500);
  await page.clock.runFor(1500);
  await page.locator('#notice', { hasText: 'This room has ended.' }).waitFor();
});

test('the end of a room holds if the tab leaves within the ten seconds', async (t) => {
  const { server, room, ada } = await openTeacher(t);
  const { page } = ada;
  await page.clock.install(); // the ten seconds never end by themselves
  await page.getByRole('button', { name: 'End the room…' }).click();
  await page.locator('#admission', { hasText: 'The room ends in 10 s.' }).waitFor();
  await page.goto('about:blank');
  await until('the room has ended', async () => (await call(server, 'GET', roomOf(room))).status === 404, () => '');
});

test('an appointed presenter has the door, and nothing that needs the key', async (t) => {
  const { server, room, ada } = await openTeacher(t);
  const ben = await openFlock(t, browser, pageOf(server, room, '?name=Ben'), WIDE);
  await row(ada, 'Ben').locator('.more').click();
  await row(ada, 'Ben').getByRole('button', { name: 'Make presenter' }).click();
  await ben.page.locator('#panel-open').click();
  await ben.page.locator('#panel-room > summary').click();
  await ben.page.getByLabel('Close the door').check();
  await until('the door is closed for Ada, too', () => ada.page.getByLabel('Close the door').isChecked(), () => '');
  assert.ok(await ben.page.getByRole('button', { name: 'End the room…' }).isHidden());
  assert.ok(await ben.page.getByLabel('List this room').isHidden());
});
