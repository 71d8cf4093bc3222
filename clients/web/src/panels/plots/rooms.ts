// The rooms whose measures the plots show by time: the room of this page, or the rooms of its two frames.

import type { Model } from '../../flock/model';
import type { Sample } from '../../flock/samples';
import type { Room } from '../../net/protocol';
import type { Mark } from './marks';

const AHEAD = 30; // s that are shown after the shown moment of the past, if they are known

export interface Plotted {
  room: Room;
  samples: readonly Sample[];
  /** The time that the flock on the screen has, s. */
  now: number;
  /** The end of a span that follows the flock, s. */
  end: number;
  /** Changes and their authors, in the present or in the past that the room shows. */
  marks: readonly Mark[];
  past: boolean; // whether the room shows its past
}

/** The plots of a room in a frame offer this to the page around it, while they are open. */
export interface Offered {
  read(): Plotted | null;
  close(): void;
}

declare global {
  interface Window {
    plotted?: Offered | undefined;
  }
}

function marksIn(model: Model, { tickRate }: Room, now: number): Mark[] {
  const back = model.secondsBack(performance.now());
  if (back === null) return model.samples.changes().map(({ tick, text }) => ({ at: tick / tickRate, text }));
  return model.marks().map((mark) => ({ at: now + back - mark.back, text: mark.text }));
}

/** Returns the model's room; null: it is not known yet. */
export function plottedOf(model: Model): Plotted | null {
  const room = model.room();
  if (room === null) return null;
  const samples = model.samples.all();
  const now = (model.timeline()?.newest()?.tick ?? 0) / room.tickRate;
  const last = (samples.at(-1)?.tick ?? 0) / room.tickRate;
  const past = model.past().shown;
  const end = past ? Math.max(now, Math.min(last, now + AHEAD)) : now;
  return { room, samples, now, end, marks: marksIn(model, room, now), past };
}
