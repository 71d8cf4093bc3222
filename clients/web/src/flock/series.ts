// The flock's measures over its last 30 s of ticks, independent of the frame rate and of pauses.

import type { Sight } from '../net/protocol';
import { FIGURES, type Course, createCourse } from './measures';

export interface Series {
  /** tickTime: ms of a tick. */
  take(sight: Pick<Sight, 'tick' | 'measures'>, tickTime: number): void;
  /** Forgets the history: it is another flock, or the page was hidden. */
  restart(): void;
  /** One course for each of FIGURES; null: no measures yet. */
  courses(): readonly Course[] | null;
}

export function createSeries(): Series {
  let courses: Course[] | null = null;
  let taken = -Infinity; // the last tick
  return {
    take({ tick, measures }, tickTime) {
      if (measures === null || tick < taken) courses = null;
      const again = tick === taken && courses !== null;
      taken = tick;
      if (measures === null || again) return;
      courses ??= FIGURES.map(createCourse);
      courses.forEach((course, index) => course.take(FIGURES[index].of(measures), Math.round(tick * tickTime)));
    },
    restart() {
      courses = null;
    },
    courses: () => courses,
  };
}
