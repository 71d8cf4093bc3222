// The room: what it is called, its code, whether one's cursor steers, and how others get here.

import type { Keys } from '../../app/keys';
import type * as Code from '../../app/code';
import { copyOnClick } from '../../app/copy';
import { byId, make, setText } from '../../app/dom';
import type { Load } from '../../app/load';
import type { Model } from '../../flock/model';
import { LOBBY, roomAddress, spacedCode } from '../../net/codes';
import { roomTitle } from '../../flock/room';
import { texts } from '../../texts/texts';
import type { Room } from '../../net/protocol';
import type { View } from '../../app/view';

export interface RoomView extends View {
  /** Shows the invitation, now or when the room is known. */
  invite(): void;
}

/** project: shows the projector view. joinKey: returns the room's join key if this page has it, else ''. */
export function createRoomView(model: Model, keys: Keys, project: () => void, joinKey: () => string, load: Load): RoomView {
  const label = byId('room', HTMLButtonElement);
  const title = byId('room-title', HTMLElement);
  const code = byId('room-code', HTMLElement);
  const standingText = byId('standing', HTMLElement);
  const dialog = byId('invite', HTMLDialogElement);
  const pageHeading = byId('heading', HTMLElement); // for screen readers
  const heading = byId('invite-title', HTMLElement);
  const large = byId('invite-code', HTMLElement);
  const address = byId('invite-address', HTMLInputElement);
  const server = byId('invite-server', HTMLElement);
  const enter = byId('invite-with', HTMLElement);
  const picture = byId('invite-qr', HTMLElement);
  const which = byId('invite-which', HTMLSelectElement);
  const problem = byId('invite-problem', HTMLElement);
  const others = byId('other-rooms', HTMLElement);
  let codePart: Promise<typeof Code> | null = null;
  let inviting = false; // people are to be invited first of all

  const open = (): void => {
    dialog.showModal();
    codePart ??= load(() => import('../../app/code'));
    void codePart.then(showWay);
  };
  const toggle = (): void => {
    if (dialog.open) dialog.close();
    else if (!label.hidden) open();
  };
  label.addEventListener('click', toggle);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  keys.on({ invite: toggle });
  byId('invite-project', HTMLButtonElement).addEventListener('click', project);
  address.addEventListener('focus', () => address.select());
  copyOnClick(byId('invite-copy', HTMLButtonElement), address, () => address.value);

  /** Puts the key into the fragment, which browsers send to no server. */
  const keyed = (): string => (joinKey() === '' ? '' : `#join=${joinKey()}`);

  /** Shows the address that others can open, or several. */
  async function showWay({ reach, drawCode, readable, roomBelow }: typeof Code): Promise<void> {
    const { roots, open: reachable } = await reach();
    const code = model.room()?.code;
    if (code === undefined) return;
    const use = (root: string): void => {
      address.value = roomBelow(root, code) + keyed();
      setText(server, readable(root));
      drawCode(picture, address.value);
    };
    problem.hidden = reachable;
    which.replaceChildren(...roots.map((root) => make('option', { value: root }, readable(root))));
    which.hidden = roots.length < 2;
    which.onchange = () => use(which.value);
    use(roots[0]);
  }

  /** Whether there are other rooms at this server. */
  const hasOthers = (): boolean =>
    model.welcome()?.capabilities.some((word) => word === 'rooms' || word === 'rooms-with-key') ?? false;

  function showStanding(): void {
    const standing = model.standing();
    setText(standingText, standing === 'steers' ? '' : texts.standing[standing]);
    standingText.hidden = standing === 'steers' || model.room() === null;
  }

  function show(room: Room): void {
    const name = roomTitle(room);
    const spaced = spacedCode(room.code);
    label.hidden = false;
    setText(title, room.title === '' && room.code !== LOBBY ? '' : name);
    setText(code, room.code === LOBBY ? '' : spaced);
    showStanding();
    setText(heading, texts.invite.title(name));
    setText(large, spaced);
    if (!dialog.open) address.value = roomAddress(room.code, location.href) + keyed();
    enter.hidden = large.hidden = room.code === LOBBY;
    others.hidden = !hasOthers();
    document.title = `${name} · flock`;
    setText(pageHeading, name);
    if (inviting && !dialog.open) open();
    inviting = false;
  }

  return {
    room: show,
    role: showStanding,
    invite() {
      inviting = true;
      const room = model.room();
      if (room !== null) show(room);
    },
  };
}
