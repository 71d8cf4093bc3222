// A room's page that is one of two next to each other: it says where its cursor is, and follows the other one's; its
// controls are there while it is the one that was chosen. Both show the projector view, and the measures, or neither does.

import type { Model } from '../../flock/model';
import { roomTitle } from '../../flock/room';
import { texts } from '../../texts/texts';
import sheet from './index.css';
import { type FromFrame, toFrame } from './messages';
import type { Controls } from '../controls/opener';
import { byId, make } from '../../app/dom';
import type { Steering } from '../../app/input';
import type { MeasuresView } from '../measures';
import type { Projector } from '../projector';
import { loadSheet } from '../../app/sheet';
import type { View } from '../../app/view';

export interface FramedOptions {
  model: Model;
  steering: Steering;
  controls: Controls;
  projector: Pick<Projector, 'shown' | 'toggle'>;
  measures: Pick<MeasuresView, 'shown' | 'toggle'>;
}

export async function createFramed({ model, steering, controls, projector, measures }: FramedOptions): Promise<View> {
  await loadSheet(sheet, import.meta.url);
  const root = document.documentElement;
  const close = make('button', { id: 'beside-close', type: 'button', title: texts.beside.close, 'aria-label': texts.beside.close }, '×');
  let mirrored: string | null = null; // where the other one's cursor put this one
  let said: string | null = null; // where this one was said to be
  let open = false; // the controls, as was said
  const both = [projector, measures];
  let showed = both.map((each) => each.shown()); // as was said

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
    both.forEach((each, index) => each.shown() !== next[index] && each.toggle());
    showed = next;
  }

  function tellShown(): void {
    const now = both.map((each) => each.shown());
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
    controls.show(open);
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
      if (controls.shown() === open) return;
      open = controls.shown();
      say({ kind: 'controls', open });
    },
  };
}
