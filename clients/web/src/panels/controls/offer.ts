// The offer to change the class mode, made once in a room to each presenter when more than six cursors lead together.

import type { Context } from '../../app/context';
import type { View } from '../../app/view';
import { byId, keepHeight, setText } from '../../app/dom';
import { read, write } from '../../app/storage';
import { NEAREST, TEAMS, classMode } from '../../flock/leads';
import { control } from '../../flock/room';
import { type Room, request } from '../../net/protocol';
import { type Language, texts } from '../../texts/texts';
import { CLASS_TEXTS } from '../../texts/class-mode';

const CURSORS_MOST = 6; // that lead together without an offer
const TOGETHER = 'mean';

export function createOffer({ model, tools, ask, settings }: Context): View {
  const t = CLASS_TEXTS[texts.language as Language];
  const offer = byId('offer', HTMLElement);
  const text = byId('offer-text', HTMLElement);
  const place = `flock.offered ${settings.room}`; // where the browser remembers it

  const has = (room: Room, policy: string): boolean => control(room, 'policy')?.choices.some(({ value }) => value === policy) === true;

  function close(): void {
    write(() => sessionStorage, place, 'yes');
    offer.hidden = true;
  }

  function button(id: string, label: string, policy: string): void {
    const element = byId(id, HTMLButtonElement);
    setText(element, label);
    element.addEventListener('click', () => {
      close();
      if (policy !== '') ask(request.set('policy', policy));
    });
  }

  function show(): void {
    const room = model.room();
    if (room === null) return;
    const cursors = model.timeline()?.newest()?.cursors.size ?? 0;
    const asks = model.role() === 'presenter' && model.status().kind === 'connected' && room.attention === null && !model.past().shown;
    const free = tools.inHand().name === 'steer'; // the clicks of other tools reach the flock
    const together = classMode(room) === TOGETHER;
    const offered = read(() => sessionStorage, place) !== '';
    // A presenter who has chosen another mode knows of them.
    if (!together && !offered) close();
    const due = cursors > CURSORS_MOST && has(room, NEAREST) && has(room, TEAMS);
    offer.hidden = !(asks && free && together && !offered && (due || !offer.hidden));
    if (!offer.hidden) setText(text, t.offer(Math.max(cursors, CURSORS_MOST + 1)));
  }

  button('offer-nearest', t.nearest, NEAREST);
  button('offer-teams', t.inTeams, TEAMS);
  button('offer-dismiss', t.dismiss, '');
  keepHeight(offer, '--offer'); // messages stand above it
  return { room: show, role: show, figures: show };
}
