// The flock's measures over the last half minute of its ticks: what the flock did, however often the page drew, and however
// long it was paused.

import type { Sight } from '../net/protocol';
import { FIGURES, type Course, createCourse } from './measures';

export interface Series {
  /** tickTime: ms that a tick stands for. */
  take(sight: Pick<Sight, 'tick' | 'measures'>, tickTime: number): void;
  /** Another flock, or one that was out of sight: what was is of no use. */
  restart(): void;
  /** One for each of FIGURES; null: nothing is known. */
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
