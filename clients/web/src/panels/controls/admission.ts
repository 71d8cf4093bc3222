// Access to the room: the door, the join key, the list of rooms; and the room's end. Every presenter has the door; the rest needs
// the room's key.

import type { Context } from '../../app/context';
import { copyOnClick } from '../../app/copy';
import { make, setText } from '../../app/dom';
import { sayRefusal } from '../../app/errors';
import { refusalText } from '../../app/refusals';
import type { View } from '../../app/view';
import { LOBBY } from '../../net/codes';
import { request } from '../../net/protocol';
import type { Answered } from '../../net/requests';
import type { RoomsApi } from '../../net/rooms-api';
import { roomTexts } from '../../texts/room';
import { type Language, number, texts } from '../../texts/texts';

const JOIN_KEY = /^[a-z0-9-]{4,64}$/;
const PAUSE = 10; // s in which a presenter can take the end of the room back

export function createAdmission({ model, ask, say, identity }: Context, api: Pick<RoomsApi, 'find' | 'change' | 'end'>): View & { element: HTMLElement } {
  const t = roomTexts[texts.language as Language];
  const { key } = identity.presenter;
  const button = (text: string, more: Record<string, string> = {}): HTMLButtonElement => make('button', { type: 'button', ...more }, text);
  const check = (text: string): [HTMLInputElement, HTMLElement] => {
    const box = make('input', { type: 'checkbox' });
    return [box, make('label', { class: 'check' }, box, make('span', {}, text))];
  };
  const [closed, door] = check(t.door);
  const about = make('p', { hidden: '' }, t.doorAbout);
  const [named, naming] = check(t.naming);
  const field = make('input', { maxlength: '64', autocapitalize: 'none', autocomplete: 'off', spellcheck: 'false', 'aria-label': t.joinKey });
  const set = button(t.setKey);
  const none = button(t.noKey);
  const lockState = make('span', {});
  const lock = make('form', { class: 'choices' }, lockState, field, set, none);
  const [listed, listing] = check(t.listed);
  const names = button(t.names);
  const namesField = make('input', { readonly: '', hidden: '', 'aria-label': t.names });
  const end = button(t.end, { class: 'danger' });
  const undo = button(t.undo);
  const ending = make('span', { role: 'status' });
  const last = make('div', { class: 'choices' }, names, namesField, end, ending, undo);
  const problem = make('p', { class: 'problem', role: 'alert', hidden: '' });
  const element = make('div', { id: 'admission' }, door, about, naming, lock, listing, last, problem);
  let left = 0; // s until the room ends; 0: it does not
  let endsAt = 0; // ms of the page's clock
  let timer: ReturnType<typeof setInterval> | undefined;
  let asked = ''; // the room whose listing is known

  set.type = 'submit';

  function complain(text: string): void {
    setText(problem, text);
    problem.hidden = text === '';
  }

  async function change(body: Parameters<RoomsApi['change']>[2]): Promise<boolean> {
    complain('');
    const answer = await api.change(model.room()?.code ?? '', key(), body);
    if (!answer.ok) complain(refusalText(answer.refusal));
    return answer.ok;
  }

  async function useKey(next: string): Promise<void> {
    if (!(await change({ join_key: next === '' ? null : next }))) return;
    identity.useJoinKey(next);
    field.value = '';
    show();
  }

  function count(seconds: number): void {
    left = seconds;
    if (left === 0) clearInterval(timer);
    setText(ending, left === 0 ? '' : t.ending(number(left)));
    end.hidden = left > 0 || model.room()?.code === LOBBY;
    undo.hidden = left === 0;
  }

  function countDown(): void {
    const seconds = Math.round((endsAt - performance.now()) / 1000);
    if (seconds > 0) count(seconds);
    else void endNow();
  }

  async function endNow(): Promise<void> {
    count(0);
    const answer = await api.end(model.room()?.code ?? '', key());
    if (!answer.ok) complain(refusalText(answer.refusal));
  }

  /** Asks whether the room is listed: its own message does not say that. */
  async function askListed(code: string): Promise<void> {
    asked = code;
    const answer = await api.find(code);
    if (answer.ok) listed.checked = answer.value.listed;
    else asked = ''; // the next change of the room asks again
  }

  function show(): void {
    const room = model.room();
    if (room === null) return;
    const mine = key() !== '';
    closed.checked = room.door === 'closed';
    about.hidden = !closed.checked;
    named.checked = !room.unnamed;
    const known = identity.joinKey();
    setText(lockState, !room.locked ? t.open : known === '' ? t.locked : t.lockedWith(known));
    set.textContent = room.locked ? t.changeKey : t.setKey;
    none.hidden = !room.locked;
    lock.hidden = listing.hidden = !mine;
    end.hidden = !mine || left > 0 || room.code === LOBBY;
    undo.hidden = left === 0;
    if (mine && asked !== room.code) void askListed(room.code);
  }

  const answered: Answered = (outcome) => {
    if (outcome.kind === 'done') return;
    sayRefusal(say)(outcome);
    show();
  };
  closed.addEventListener('change', () => ask(request.door(!closed.checked), answered));
  named.addEventListener('change', () => ask(request.naming(named.checked), answered));
  lock.addEventListener('submit', (event) => {
    event.preventDefault();
    const next = field.value.trim().toLowerCase();
    if (!JOIN_KEY.test(next)) complain(t.badKey);
    else void useKey(next);
  });
  none.addEventListener('click', () => void useKey(''));
  listed.addEventListener('change', async () => {
    if (!(await change({ listed: listed.checked }))) listed.checked = !listed.checked;
  });
  copyOnClick(names, namesField, () => model.people.all().map(({ name }) => name).join('\n'));
  end.addEventListener('click', () => {
    complain('');
    endsAt = performance.now() + PAUSE * 1000;
    count(PAUSE);
    timer = setInterval(countDown, 1000);
    undo.focus();
  });
  // A tab that closes within the pause ends the room.
  addEventListener('pagehide', () => left > 0 && void endNow());
  undo.addEventListener('click', () => count(0));

  return {
    element,
    ...{ room: show, role: show, key: show },
    status: ({ kind }) => kind !== 'connected' && left > 0 && count(0), // without a connection the presenter cannot take the end back
  };
}
