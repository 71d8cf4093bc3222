// A room's page that is one of two next to each other: it says where its cursor is, and follows the other one's; its
// controls are there while it is the one that was chosen. Both show the projector view, and the measures, or neither does.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { roomTitle } from '../../flock/room';
import { texts } from '../../texts/texts';
import { type FromFrame, toFrame } from './messages';
import { byId, make } from '../../app/dom';

export { default as sheet } from './index.css';

const BOTH = ['projector', 'measures']; // panels that both rooms show, or neither

export function mount({ model, ownCursor: { steering }, dock }: Context): Panel {
  const root = document.documentElement;
  const close = make('button', { id: 'beside-close', type: 'button', title: texts.beside.close, 'aria-label': texts.beside.close }, '×');
  let mirrored: string | null = null; // where the other one's cursor put this one
  let said: string | null = null; // where this one was said to be
  let open = false; // the controls, as was said
  let showed = BOTH.map(dock.isOpen); // as was said

  const say = (message: FromFrame): void => window.parent.postMessage(message, location.origin);

  function follow(at: [number, number] | null): void {
    const room = model.room();
    if (at === null) {
      if (mirrored !== null && mirrored === shown()) steering.leave();
      mirrored = null;
    } else if (room !== null) {
      steering.point(at[0] * room.world[0], at[1] * room.world[1], 'key', performance.now());
      mirrored = shown();
    }
  }

  function shown(): string | null {
    const at = steering.cursor();
    return at === null ? null : `${at.x} ${at.y}`;
  }

  function follows(next: boolean[]): void {
    BOTH.forEach((each, index) => dock.isOpen(each) !== next[index] && dock.toggle(each));
    showed = next;
  }

  function tellShown(): void {
    const now = BOTH.map(dock.isOpen);
    if (now.join() === showed.join()) return;
    showed = now;
    say({ kind: 'shows', projector: now[0], measures: now[1] });
  }

  /** Says where the person's cursor is, if it is in this frame. */
  function lead(): void {
    const [at, room, here] = [steering.cursor(), model.room(), shown()];
    const own = here === mirrored ? null : here;
    if (own === said || room === null) return;
    said = own;
    if (own === null || at === null) {
      if (here === null) say({ kind: 'cursor', at: null });
    } else {
      mirrored = null;
      say({ kind: 'cursor', at: [at.x / room.world[0], at.y / room.world[1]] });
    }
  }

  addEventListener('message', ({ origin, source, data }) => {
    const message = origin === location.origin && source === window.parent ? toFrame(data) : null;
    if (message?.kind === 'cursor') follow(message.at);
    if (message?.kind === 'shows') follows([message.projector, message.measures]);
    if (message?.kind !== 'choice') return;
    root.classList.toggle('unchosen', !message.chosen);
    open = message.controls;
    dock.show('controls', open);
  });
  for (const type of ['focus', 'pointerdown'] as const) addEventListener(type, () => say({ kind: 'chosen' }), true);
  close.addEventListener('click', () => say({ kind: 'close' }));
  byId('room', HTMLElement).after(close);
  root.classList.add('framed');
  say({ kind: 'here' });

  return {
    room: (room) => say({ kind: 'title', title: roomTitle(room) }),
    frame() {
      lead();
      tellShown();
      if (dock.isWanted('controls') === open) return;
      open = dock.isWanted('controls');
      say({ kind: 'controls', open });
    },
  };
}
