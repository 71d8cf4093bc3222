// The page of a room that is beside another room. It sends the position of its cursor and follows the cursor in the other frame; the
// same holds for the camera that the person chooses. Until then both frames have the smaller of their scales. It
// shows its controls while it is the chosen room. The projector view, the measures and the plots are open in both frames or in neither.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { roomTitle } from '../../flock/room';
import { texts } from '../../texts/texts';
import { type CameraMessage, type FromFrame, toFrame } from './messages';
import { byId, make } from '../../app/dom';

export { default as sheet } from './index.css';

const BOTH = ['projector', 'measures', 'plots']; // panels that are open in both frames or in neither

export function mount({ model, ownCursor: { steering }, dock, viewport, toWorld }: Context): Panel {
  const root = document.documentElement;
  const close = make('button', { id: 'beside-close', type: 'button', title: texts.beside.close, 'aria-label': texts.beside.close }, '×');
  let mirrored: string | null = null; // the position that came from the other frame's cursor
  let sent: string | null = null; // the cursor's position that was sent last
  let zoomed = ''; // the camera, as sent or received last; empty: the page chooses it
  let best = 0; // the scale of the best view, as sent last
  let open = false; // whether the controls are open, as sent or received last
  let showed = BOTH.map(dock.isOpen); // whether the panels of BOTH are open, as sent or received last

  const send = (message: FromFrame): void => window.parent.postMessage(message, location.origin);

  function moveCursor(at: [number, number] | null): void {
    const room = model.room();
    if (at === null) {
      if (mirrored !== null && mirrored === cursorPosition()) steering.leave();
      mirrored = null;
    } else if (room !== null) {
      steering.point(at[0] * room.world[0], at[1] * room.world[1], 'key', performance.now());
      mirrored = cursorPosition();
    }
  }

  function cursorPosition(): string | null {
    const at = steering.cursor();
    return at === null ? null : `${at.x} ${at.y}`;
  }

  /** Returns the middle of the part of the window in which the flock is. */
  function middle(): [number, number] {
    const { right, bottom } = dock.covers();
    return [(innerWidth - right) / 2, (innerHeight - bottom) / 2];
  }

  /** Returns the camera if the person has chosen it, else null. */
  function camera(): CameraMessage['at'] {
    const world = model.room()?.world;
    if (viewport.mode() !== 'free' || world === undefined) return null;
    const [x, y] = toWorld(...middle());
    return [x / world[0], y / world[1], viewport.camera().scale];
  }

  function moveCamera(at: CameraMessage['at']): void {
    const world = model.room()?.world;
    if (at === null) {
      if (viewport.mode() === 'free') viewport.back();
    } else if (world !== undefined) {
      const [px, py] = middle();
      const [x, y] = toWorld(px, py);
      const [nextX, nextY, scale] = [at[0] * world[0], at[1] * world[1], at[2]];
      viewport.zoom(scale / viewport.camera().scale, px, py, (x - nextX) * scale, (y - nextY) * scale);
    }
    zoomed = camera()?.join() ?? '';
  }

  function sendCamera(): void {
    const at = camera();
    const now = at?.join() ?? '';
    if (now === zoomed) return;
    zoomed = now;
    send({ kind: 'camera', at });
  }

  function sendScale(): void {
    if (viewport.best() === best) return;
    best = viewport.best();
    send({ kind: 'scale', scale: best });
  }

  function showPanels(next: boolean[]): void {
    BOTH.forEach((each, index) => dock.isOpen(each) !== next[index] && dock.toggle(each));
    showed = next;
  }

  function sendPanels(): void {
    const now = BOTH.map(dock.isOpen);
    if (now.join() === showed.join()) return;
    showed = now;
    send({ kind: 'shows', projector: now[0], measures: now[1], plots: now[2] });
  }

  /** Sends the position of the person's cursor, if it is in this frame and has changed. */
  function sendCursor(): void {
    const [at, room, here] = [steering.cursor(), model.room(), cursorPosition()];
    const own = here === mirrored ? null : here;
    if (own === sent || room === null) return;
    sent = own;
    if (own === null || at === null) {
      if (here === null) send({ kind: 'cursor', at: null });
    } else {
      mirrored = null;
      send({ kind: 'cursor', at: [at.x / room.world[0], at.y / room.world[1]] });
    }
  }

  addEventListener('message', ({ origin, source, data }) => {
    const message = origin === location.origin && source === window.parent ? toFrame(data) : null;
    if (message?.kind === 'cursor') moveCursor(message.at);
    if (message?.kind === 'camera') moveCamera(message.at);
    if (message?.kind === 'scale') viewport.limit(message.scale);
    if (message?.kind === 'shows') showPanels([message.projector, message.measures, message.plots]);
    if (message?.kind !== 'choice') return;
    best = 0; // the other frame may have begun just now
    root.classList.toggle('unchosen', !message.chosen);
    open = message.controls;
    dock.show('controls', open);
  });
  for (const type of ['focus', 'pointerdown'] as const) addEventListener(type, () => send({ kind: 'chosen' }), true);
  close.addEventListener('click', () => send({ kind: 'close' }));
  byId('room', HTMLElement).after(close);
  root.classList.add('framed');
  send({ kind: 'here' });

  return {
    room: (room) => send({ kind: 'title', title: roomTitle(room) }),
    frame() {
      sendCursor();
      sendPanels();
      sendCamera();
      sendScale();
      if (dock.isWanted('controls') === open) return;
      open = dock.isWanted('controls');
      send({ kind: 'controls', open });
    },
  };
}
