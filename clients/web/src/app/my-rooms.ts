// The start page's list of rooms whose key this browser keeps. The start page loads it if there are any.

import { LOBBY, roomOfPath, roomPath, spacedCode } from '../net/codes';
import type { RoomsApi } from '../net/rooms-api';
import { mineTexts } from '../texts/mine';
import { type Language, texts } from '../texts/texts';
import { byId, make, setText } from './dom';
import { type MyRoom, forgetRoom, keepsRooms, myRooms } from './mine';
import sheet from './my-rooms.css';
import { loadSheet } from './sheet';

const RECENT = 30; // rooms listed; older ones are forgotten

export async function showMyRooms(root: string, api: Pick<RoomsApi, 'find'>): Promise<void> {
  const t = mineTexts[texts.language as Language];
  const section = byId('mine', HTMLElement);
  const list = make('ul', {});
  const said = make('p', { class: 'about', role: 'status' });
  const all = make('button', { type: 'button' }, t.forgetAll);

  function forget(rows: readonly { room: MyRoom; row: HTMLElement }[]): void {
    for (const { room, row } of rows) {
      forgetRoom(room.page);
      row.remove();
    }
    all.hidden = list.children.length === 0;
  }

  function show(room: MyRoom): { room: MyRoom; row: HTMLElement } {
    const code = roomOfPath(new URL(room.page).pathname);
    const title = code === LOBBY ? texts.common.lobby : room.title;
    const name = title === '' ? spacedCode(code) : title;
    const state = make('span', {}, title === '' || code === LOBBY ? '' : spacedCode(code));
    const link = make('a', { href: roomPath(code) }, make('bdi', {}, name), state);
    const button = make('button', { type: 'button', 'aria-label': t.forgetRoom(name) }, t.forget);
    const row = make('li', {}, link, button);
    const entry = { room, row };
    const drop = (): void => {
      forget([entry]);
      setText(said, t.forgotten(name));
    };
    button.addEventListener('click', drop);
    void api.find(code).then((answer) => {
      if (answer.ok || answer.refusal.status !== 404) return;
      row.classList.add('ended');
      setText(state, t.ended);
      link.addEventListener('click', (event) => {
        event.preventDefault();
        drop();
      });
    });
    return entry;
  }

  const known = myRooms(root);
  for (const { page } of known.slice(RECENT)) forgetRoom(page);
  const rows = known.slice(0, RECENT).map(show);
  list.append(...rows.map(({ row }) => row));
  all.addEventListener('click', () => forget(rows));
  setText(said, keepsRooms() ? t.about : t.nothing);
  await loadSheet(sheet, import.meta.url);
  if (rows.length > 0) section.append(make('h2', {}, t.title), list);
  section.append(said);
  if (rows.length > 0) section.append(all);
  section.hidden = false;
}
