// Describes the flock in words, for people who use a screen reader or prefer words to figures.

import type { Frame } from '../../flock/timeline';
import type { Measures, Room } from '../../net/protocol';
import { type Language, texts } from '../../texts/texts';
import { WORDS, type Words as Texts } from '../../texts/words';

const GAP = 10_000; // ms between two texts: a listener needs pauses
const TOGETHER = 0.85; // polarization; with more, all boids fly the same way
const MOSTLY = 0.5; // polarization; with more, most boids fly the same way
const CIRCLING = 0.6; // milling; with more, the boids circle
const STILL = 0.05; // world units per tick; with less, the boids stand still
const CLOSE = 0.15; // radius, as a part of half the world's shorter side; with less, the boids are close together
const LOOSE = 0.5; // radius as for CLOSE; with more, the boids are far apart

/** The parts of a frame that the words describe. */
export type Sighted = Pick<Frame, 'flock' | 'target' | 'measures'>;

export interface Words {
  /** Returns the words at now (ms), or null if they are unchanged, empty, or less than GAP after the last ones. */
  next(flock: Sighted, room: Room, now: number): string | null;
}

export function createWords(): Words {
  let said = '';
  let at = -Infinity;
  return {
    next(flock, room, now) {
      if (now - at < GAP) return null;
      const text = inWords(flock, room);
      if (text === said || text === '') return null;
      said = text;
      at = now;
      return text;
    },
  };
}

/** Returns the words, or '' without measures. */
export function inWords({ flock, target, measures }: Sighted, room: Room): string {
  if (measures === null) return '';
  const words = WORDS[texts.language as Language];
  const place = placeOf(measures.centroid, room);
  const aim = target === null ? null : placeOf(target, room);
  const sentence = words.flock(texts.common.boids(flock), words.motion[motionOf(measures)], words.spread[spreadOf(measures, room)], words.place[place]);
  if (aim === null) return sentence;
  return `${sentence} ${aim === place ? words.atTarget : words.target(words.place[aim])}`;
}

function motionOf({ polarization, milling, speed }: Measures): keyof Texts['motion'] {
  if (speed < STILL) return 'still';
  if (milling >= CIRCLING && milling > polarization) return 'circling';
  if (polarization >= TOGETHER) return 'together';
  return polarization >= MOSTLY ? 'mostly' : 'apart';
}

function spreadOf({ radius }: Measures, { world }: Room): keyof Texts['spread'] {
  const part = (2 * radius) / Math.min(...world);
  return part < CLOSE ? 'close' : part < LOOSE ? 'loose' : 'far';
}

/** Returns the ninth of the world that contains a point. */
function placeOf([x, y]: readonly [number, number], { world: [width, height] }: Room): keyof Texts['place'] {
  if (x < 0 || y < 0 || x > width || y > height) return 'outside';
  const third = (value: number, size: number): number => Math.min(2, Math.floor((3 * value) / size));
  const PLACES = [
    ['topLeft', 'top', 'topRight'],
    ['left', 'middle', 'right'],
    ['bottomLeft', 'bottom', 'bottomRight'],
  ] as const;
  return PLACES[third(y, height)][third(x, width)];
}
