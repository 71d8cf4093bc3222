// The room itself: presenters give it a title, pass on the presenter's link, and replace the link.

import type { Context } from '../../app/context';
import { copyOnClick } from '../../app/copy';
import { roomTexts } from '../../texts/room';
import { controlsTexts } from '../../texts/controls';
import { type Language, texts } from '../../texts/texts';
import { byId, setText } from '../../app/dom';
import { errorText } from '../../app/errors';
import { cleanName } from '../../flock/names';
import { roomAddress } from '../../net/codes';
import { type ServerError, request } from '../../net/protocol';
import { roomTitle } from '../../flock/room';
import type { View } from '../../app/view';

export function createRoomPanel({ model, ask, dock, load, identity: { presenter } }: Context): View {
  const { key } = presenter;
  const panel = byId('panel-room', HTMLDetailsElement);
  const summary = byId('panel-room-title', HTMLElement);
  const form = byId('title-form', HTMLFormElement);
  const field = byId('title', HTMLInputElement);
  const problem = byId('title-problem', HTMLElement);
  const copy = byId('key-copy', HTMLButtonElement);
  const renew = byId('rekey', HTMLButtonElement);
  const sure = byId('rekey-sure', HTMLElement);
  const link = byId('key-link', HTMLInputElement);
  const about = byId('key-about', HTMLElement);
  const phone = byId('key-phone', HTMLButtonElement);
  const code = byId('key-code', HTMLElement);
  const t = roomTexts[texts.language as Language];

  let addressOf = (code: string): string => roomAddress(code, location.href);

  const address = (): string => `${addressOf(model.room()?.code ?? '')}#key=${key()}`;

  /** The link is for others: it has the address that they can open, as the invitation has. */
  async function findWay(): Promise<void> {
    const { reach, roomBelow } = await import('../../app/code');
    const { roots } = await reach();
    addressOf = (code) => roomBelow(roots[0], code);
    if (link.value !== '') link.value = address();
  }

  /** fresh: the server has just made it. */
  function showKey(fresh: boolean): void {
    copy.hidden = phone.hidden = key() === '';
    showCode(false);
    link.hidden = !fresh;
    link.value = fresh ? address() : '';
    const { renewed, noKey, key: known } = controlsTexts().room;
    setText(about, fresh ? renewed : key() === '' ? noKey : known);
  }

  /** Shows the presenter's link as a QR code, only when asked: people who see it can become presenters. */
  function showCode(is: boolean): void {
    code.hidden = !is;
    setText(phone, is ? t.phoneHide : t.phone);
    phone.setAttribute('aria-expanded', String(is));
    if (!is) return byId('key-qr', HTMLElement).replaceChildren();
    void load(() => import('../../app/code')).then(async ({ drawCode }) => {
      await findWay().catch(() => {});
      if (!code.hidden) drawCode(byId('key-qr', HTMLElement), address());
    });
  }

  function refused(error: ServerError): void {
    setText(problem, errorText(error));
    problem.hidden = false;
  }

  function rename(): void {
    const title = cleanName(field.value);
    problem.hidden = true;
    if (title === '' || title === model.room()?.title) {
      field.value = model.room()?.title ?? '';
      return;
    }
    ask(request.title(title), (outcome) => {
      if (outcome.kind === 'done') return;
      field.value = model.room()?.title ?? '';
      if (outcome.kind === 'error') refused(outcome);
    });
  }

  function confirm(is: boolean): void {
    sure.hidden = !is;
    renew.hidden = is;
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (model.status().kind === 'connected') field.blur(); // which is a change; without a connection the text stays to be sent later
  });
  field.addEventListener('change', rename);
  field.addEventListener('keydown', (event) => {
    const title = model.room()?.title ?? '';
    if (event.key !== 'Escape' || field.value === title) return;
    event.stopPropagation(); // Escape undoes the typing before it closes anything
    field.value = title;
  });
  renew.addEventListener('click', () => confirm(true));
  byId('rekey-keep', HTMLButtonElement).addEventListener('click', () => confirm(false));
  byId('rekey-do', HTMLButtonElement).addEventListener('click', () => {
    confirm(false);
    ask(request.rekey(), (outcome) => outcome.kind === 'error' && refused(outcome));
  });
  link.addEventListener('focus', () => link.select());
  panel.addEventListener('toggle', () => panel.open && findWay().catch(() => {})); // this page's own will do
  copyOnClick(copy, link, address);
  setText(byId('key-code-about', HTMLElement), t.phoneAbout);
  phone.addEventListener('click', () => showCode(code.hidden));

  return {
    people: () => (byId('rekeying', HTMLElement).hidden = !model.people.self()?.owner), // others may not ask for a new key
    room(room) {
      setText(summary, roomTitle(room));
      if (document.activeElement !== field) field.value = room.title;
    },
    frame: () => !code.hidden && (dock.isOpen('projector') || !dock.isOpen('controls') || !panel.open) && showCode(false),
    role: () => showKey(false),
    key: () => showKey(true),
  };
}
