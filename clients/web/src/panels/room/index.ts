// The room's title and code, which open the invitation. Also shows whether this person's cursor steers.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, setText } from '../../app/dom';
import { looksImposed, roomTitle } from '../../flock/room';
import { LOBBY, spacedCode } from '../../net/codes';
import type { Room } from '../../net/protocol';
import { texts } from '../../texts/texts';

export function mount({ model, dock }: Context): Panel {
  const label = byId('room', HTMLButtonElement);
  const title = byId('room-title', HTMLElement);
  const code = byId('room-code', HTMLElement);
  const standingText = byId('standing', HTMLElement);
  const heading = byId('heading', HTMLElement); // for screen readers

  function showStanding(): void {
    const standing = model.standing();
    setText(standingText, standing === 'steers' ? '' : texts.standing[standing]);
    standingText.hidden = standing === 'steers' || model.room() === null;
  }

  function show(room: Room): void {
    const name = roomTitle(room);
    label.hidden = false;
    setText(title, room.title === '' && room.code !== LOBBY ? '' : name);
    setText(code, room.code === LOBBY ? '' : spacedCode(room.code));
    showStanding();
    document.title = `${name} · flock`;
    setText(heading, name);
    if (looksImposed(room)) dock.open('layers');
  }

  return { room: show, role: showStanding };
}
