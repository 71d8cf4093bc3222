// The invitation: how others get into this room.

import type * as Code from '../../app/code';
import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { copyOnClick } from '../../app/copy';
import { byId, make, setText } from '../../app/dom';
import { roomTitle } from '../../flock/room';
import { LOBBY, ROOT, roomAddress, spacedCode } from '../../net/codes';
import { setupQuery } from '../../net/setup';
import { texts } from '../../texts/texts';
import { inviteTexts } from './texts';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

export function mount({ model, dock, identity, load }: Context): Panel {
  const heading = byId('invite-title', HTMLElement);
  const large = byId('invite-code', HTMLElement);
  const address = byId('invite-address', HTMLInputElement);
  const server = byId('invite-server', HTMLElement);
  const enter = byId('invite-with', HTMLElement);
  const picture = byId('invite-qr', HTMLElement);
  const which = byId('invite-which', HTMLSelectElement);
  const problem = byId('invite-problem', HTMLElement);
  const others = byId('other-rooms', HTMLElement);
  const join = byId('invite-join', HTMLElement);
  const [joinText, joinButton] = join.children as unknown as [HTMLElement, HTMLButtonElement];
  const [setup, copySetup] = byId('invite-setup', HTMLElement).children as unknown as [HTMLAnchorElement, HTMLButtonElement];
  let joinShown = true;
  let invitation = ''; // the room's address, also while the field has another text to copy
  let codePart: Promise<typeof Code> | null = null;

  byId('invite-project', HTMLButtonElement).addEventListener('click', () => !dock.isOpen('projector') && dock.toggle('projector'));
  address.addEventListener('focus', () => address.select());
  copyOnClick(byId('invite-copy', HTMLButtonElement), address, () => invitation);
  setText(setup, inviteTexts().setup);
  copyOnClick(copySetup, address, () => setup.href);

  function showJoinKey(): void {
    const key = identity.joinKey();
    join.hidden = key === '';
    setText(joinText, inviteTexts().joinKey(joinShown ? key : '••••'));
    setText(joinButton, joinShown ? inviteTexts().hide : inviteTexts().show);
  }
  joinButton.addEventListener('click', () => {
    joinShown = !joinShown;
    showJoinKey();
  });

  /** Shows the address that others can open, or several. */
  async function showWay({ reach, drawCode, readable, roomBelow }: typeof Code): Promise<void> {
    const { roots, open } = await reach();
    const code = model.room()?.code;
    if (code === undefined) return;
    const use = (root: string): void => {
      address.value = invitation = roomBelow(root, code) + identity.joinFragment();
      setText(server, readable(root));
      drawCode(picture, invitation);
    };
    problem.hidden = open;
    which.replaceChildren(...roots.map((root) => make('option', { value: root }, readable(root))));
    which.hidden = roots.length < 2;
    which.onchange = () => use(which.value);
    use(roots[0]);
  }

  /** Whether there are other rooms at this server. */
  const hasOthers = (): boolean =>
    model.welcome()?.capabilities.some((word) => word === 'rooms' || word === 'rooms-with-key') ?? false;

  function show(): void {
    const room = model.room();
    if (room === null) return;
    setText(heading, texts.invite.title(roomTitle(room)));
    setText(large, spacedCode(room.code));
    if (!dock.isOpen('invite')) address.value = invitation = roomAddress(room.code, location.href) + identity.joinFragment();
    setup.href = `${new URL(ROOT, location.href)}?${setupQuery(room, model.timeline()?.newest()?.flock ?? 0)}`;
    enter.hidden = large.hidden = room.code === LOBBY;
    others.hidden = !hasOthers();
  }

  return {
    room: show,
    params: show,
    opened(open) {
      if (!open) return;
      show();
      showJoinKey();
      codePart ??= load(() => import('../../app/code'));
      void codePart.then(showWay);
    },
  };
}
