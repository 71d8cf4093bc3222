// The tools for drawing: walls, food, hunters, and what erases them. By mouse, finger or keys.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, make, setText } from '../../app/dom';
import { errorText } from '../../app/errors';
import type { Follower } from '../../app/tools';
import { toScreen } from '../../draw/camera';
import { ORDER, type Pen } from '../../draw/layers';
import { BARRIER_WIDTH, css } from '../../draw/scene';
import { request } from '../../net/protocol';
import type { Outcome } from '../../net/requests';
import { texts } from '../../texts/texts';
import { KINDS, type Kind, type Point, createSketch } from './sketch';
import { inside, snap } from './snap';
import { drawTexts } from './texts';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

const DRAW = 'draw'; // the tool and the panel
const SNAP = 14; // CSS pixels from which the end of a wall snaps
const REACH = 26; // CSS pixels from a point to what it erases
const MOVED = 10; // CSS pixels: a shorter drag is a click

type Parts = Pick<Context, 'model' | 'ask' | 'say' | 'dock' | 'tools' | 'layers' | 'keys' | 'ownCursor' | 'toWorld' | 'viewport'>;

export function mount({ model, ask, say, dock, tools, layers, keys, ownCursor, toWorld, viewport }: Parts): Panel {
  const t = drawTexts();
  const hint = byId('draw-hint', HTMLElement);
  const undo = byId('draw-undo', HTMLButtonElement);
  const clear = byId('draw-clear', HTMLButtonElement);
  const buttons = new Map(KINDS.map((kind) => [kind, offer(kind)]));
  let pointer: Point | null = null; // where a pointer is; null: the own cursor, which keys move
  let pressed: Point = [0, 0]; // where the pointer went down, CSS pixels

  const units = (pixels: number): number => pixels / viewport.camera().scale;

  function snapped(at: Point): Point {
    const room = model.room();
    return room === null ? at : snap(at, room, units(SNAP));
  }

  const sketch = createSketch({
    snap: snapped,
    inside: (at) => inside(at, model.room()?.world ?? at),
    reach: () => units(REACH),
    send: (message) => ask(message, answered),
  });

  function answered(outcome: Outcome): void {
    if (outcome.kind !== 'error') return;
    const { code, field, after } = outcome;
    if (code === 'full') say(t.full);
    else if (code === 'flood') say(t.wait(Math.max(1, after)));
    else if (code === 'state' && field !== 'past') say(t.nothing);
    else say(errorText(outcome));
  }

  function offer(kind: Kind): HTMLButtonElement {
    const button = make('button', { type: 'button', value: kind }, t.kinds[kind]);
    button.addEventListener('click', () => choose(kind));
    byId('draw-kinds', HTMLElement).append(button);
    return button;
  }

  function choose(kind: Kind): void {
    sketch.choose(kind);
    for (const [each, button] of buttons) button.setAttribute('aria-pressed', String(each === kind));
    tools.take(DRAW);
    showHint();
  }

  const showHint = (): void => setText(hint, sketch.start() === null ? t.hints[sketch.kind()] : t.otherEnd);

  /** The own cursor, or the middle of the world if it is away. */
  function ownPoint(): Point {
    const cursor = ownCursor.steering.cursor();
    const [width, height] = model.room()?.world ?? [0, 0];
    return cursor === null ? [width / 2, height / 2] : [cursor.x, cursor.y];
  }

  function drawHere(): boolean {
    if (!dock.isOpen(DRAW) || model.room() === null) return false;
    pointer = null;
    tools.take(DRAW);
    sketch.place(ownPoint());
    showHint();
    return true;
  }

  const follows: Follower = {
    point: (x, y) => void (pointer = [x, y]),
    leave: () => undefined,
    drift: (x, y) => void (pointer = [x, y]),
    cursor: () => null,
  };

  /** Returns the ends of the wall that is being drawn, or null. */
  function line(): readonly [Point, Point] | null {
    const start = sketch.start();
    return start && [start, snapped(pointer ?? ownPoint())];
  }

  function paint({ context: pen, camera, colors, large }: Pen): void {
    const ends = line()?.map(([x, y]) => toScreen(camera, x, y));
    if (ends === undefined) return;
    pen.beginPath();
    pen.moveTo(...ends[0]);
    pen.lineTo(...ends[1]);
    pen.lineCap = 'round';
    for (const [color, width] of [[colors.edge, 3], [colors.ink, 1]] as const) {
      pen.strokeStyle = css(color);
      pen.lineWidth = width * BARRIER_WIDTH * large;
      pen.stroke();
    }
    pen.beginPath();
    pen.arc(...ends[0], 6 * large, 0, 2 * Math.PI);
    pen.stroke();
  }

  /** Presenters alone erase and undo. */
  function review(): void {
    const presents = model.role() === 'presenter';
    for (const each of [undo, clear, buttons.get('erase')]) if (each !== undefined) each.hidden = !presents;
    undo.disabled = model.room()?.undo !== true;
    if (!presents && sketch.kind() === 'erase' && dock.isOpen(DRAW)) choose('wall');
  }

  setText(byId('draw-title', HTMLElement), t.title);
  setText(byId('draw-about', HTMLElement), t.about);
  setText(byId('draw-here', HTMLElement), t.here);
  setText(undo, t.undo);
  setText(clear, t.clear);
  layers.add({ name: 'sketch', order: ORDER.line, shows: () => line()?.flat() ?? null, paint });
  tools.add({
    name: DRAW,
    follows,
    drag: {
      begin(px, py) {
        pressed = [px, py];
        sketch.press(toWorld(px, py));
        showHint();
      },
      end(px, py) {
        sketch.release(toWorld(px, py), Math.hypot(px - pressed[0], py - pressed[1]) >= MOVED);
        showHint();
      },
      cancel() {
        sketch.cancel();
        showHint();
      },
    },
    held(is) {
      document.documentElement.classList.toggle('drawing', is);
      viewport.hold(is);
      if (is) return;
      sketch.choose(sketch.kind());
      for (const button of buttons.values()) button.setAttribute('aria-pressed', 'false');
      if (dock.isOpen(DRAW) && tools.inHand().name === 'steer') dock.close(DRAW); // after Escape; another tool leaves the panel open
    },
  });
  keys.addRow({ key: 'x', action: 'draw-here', who: 'everyone', text: { [texts.language]: t.key } }, drawHere);
  byId('draw-here', HTMLButtonElement).addEventListener('click', drawHere);
  undo.addEventListener('click', () => ask(request.undo(), answered));
  clear.addEventListener('click', () => ask(request.clear(), answered));
  byId('draw-close', HTMLButtonElement).addEventListener('click', () => dock.toggle(DRAW));

  return {
    opened(open) {
      if (open) choose(sketch.kind());
      else tools.putDown(DRAW);
    },
    room: review,
    role: review,
  };
}
