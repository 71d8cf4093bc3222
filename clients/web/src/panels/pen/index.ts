// The counter above the pen: how many boids are inside, and for how long they have been driven there. Beside a window that shows
// no pen, as a phone's that follows the flock, it is at the edge.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, setText } from '../../app/dom';
import { toScreen } from '../../draw/camera';
import { TOPIC_PENNED } from '../../net/messages';
import type { Penned } from '../../net/protocol';
import { PEN_TEXTS } from '../../texts/pen';
import { type Language, texts } from '../../texts/texts';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

const GAP = 6; // CSS pixels between the counter and the pen
const SPOKEN_GAP = 20_000; // ms between two announcements
const PARTS = 4; // each part of the flock that comes into the pen is announced

/** Minutes and seconds, such as 4:09. */
const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export function mount({ model, source, layers }: Pick<Context, 'model' | 'source' | 'layers'>): Panel {
  const t = PEN_TEXTS[texts.language as Language];
  const panel = byId('pen', HTMLElement);
  const text = byId('pen-text', HTMLElement);
  const time = byId('pen-time', HTMLElement);
  const spoken = byId('spoken', HTMLElement);
  byId('own', HTMLElement).before(panel); // which does not cover this person's name
  let part = 0; // of the flock, that was announced
  let spokenAt = -Infinity; // ms

  function subscribe(): void {
    source.subscribe(TOPIC_PENNED, model.room()?.pen != null && model.welcome()?.capabilities.includes('topics') === true);
  }

  /** Announces each quarter of the flock, seldom, and the end at once. */
  function announce({ inside, boids, seconds, done }: Penned, said: string): void {
    const now = performance.now();
    const next = done ? PARTS + 1 : Math.floor((PARTS * inside) / Math.max(1, boids));
    if (next < part) part = next;
    if (next === part || (!done && now - spokenAt < SPOKEN_GAP)) return;
    part = next;
    spokenAt = now;
    setText(spoken, t.spoken(said, clock(seconds)));
  }

  function show(penned: Penned): void {
    const { inside, boids, seconds, done } = penned;
    const said = inside === boids ? t.all(boids) : t.some(inside, boids);
    setText(text, said);
    setText(time, clock(seconds));
    panel.classList.toggle('done', done);
    if (boids > 0) announce(penned, said);
  }

  return {
    room: subscribe,
    status: subscribe,
    penned: show,
    frame({ camera, room }) {
      const pen = room?.pen ?? null;
      const hidden = pen === null || !model.penned()?.boids || room?.attention !== null;
      if (panel.hidden !== hidden) panel.hidden = hidden;
      if (hidden || pen === null) return;
      const [x, y] = toScreen(camera, (pen[0] + pen[2]) / 2, pen[1]);
      const size = layers.large();
      const across = `clamp(${GAP}px, ${x.toFixed(1)}px - 50%, 100vw - 100% - ${GAP}px)`;
      const transform = `translate(${across}, -100%) translateY(${(y - GAP * size).toFixed(1)}px) scale(${size.toFixed(2)})`;
      if (panel.style.transform !== transform) panel.style.transform = transform;
    },
  };
}
