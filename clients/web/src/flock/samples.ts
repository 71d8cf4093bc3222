// The flock's measures over the last 20 minutes of its time, and people's changes in that time. Samples are in the order of their
// ticks: a room that shows its past again fills the gaps.

import type { Measures, Sight } from '../net/protocol';

const APART = 500; // ms of the flock's time between two samples
const KEPT = 2400; // samples
const CHANGES_KEPT = 200;
const CHANGES = /^(set|param|add|remove|reset|food|hunter|wall|erase|clear|undo)/; // the names of events

export interface Sample extends Pick<Sight, 'tick' | 'flock' | 'target'> {
  measures: Measures;
  clusters: number | null; // null: not counted
}

/** A change by a person, such as "Ada: max_force 0.05 → 0.1". */
export interface Change {
  tick: number;
  text: string;
}

export interface Samples {
  /** tickTime: ms of a tick. */
  take(sight: Pick<Sight, 'tick' | 'flock' | 'target' | 'measures'>, tickTime: number): void;
  /** Adds this count of clusters to the next samples. The server sends only other counts. null: it counts no more. */
  count(clusters: number | null): void;
  /** name: of the event. */
  mark(name: string, change: Change): void;
  /** The server's clock has started again, so later ticks than its next one never were. */
  restart(): void;
  all(): readonly Sample[];
  /** Changes of the flock and its controls, in the order in which they were made. */
  changes(): readonly Change[];
}

export function createSamples(): Samples {
  let all: Sample[] = [];
  let changes: Change[] = [];
  let clusters: number | null = null;
  let restarted = false;

  function forgetFrom(tick: number): void {
    all = all.filter((each) => each.tick < tick);
    changes = changes.filter((each) => each.tick < tick);
    restarted = false;
  }

  return {
    take({ tick, flock, target, measures }, tickTime) {
      if (measures === null) return;
      if (restarted) forgetFrom(tick);
      let next = all.length; // the index of the sample
      while (next > 0 && all[next - 1].tick > tick) next--;
      if ([all[next - 1], all[next]].some((near) => near && Math.abs(near.tick - tick) * tickTime < APART)) return;
      all.splice(next, 0, { tick, flock, target, measures, clusters });
      if (all.length > KEPT) all.splice(2 * next < KEPT ? KEPT : 0, 1);
    },
    count: (next) => void (clusters = next),
    mark(name, change) {
      if (CHANGES.test(name)) changes = [...changes, change].slice(-CHANGES_KEPT);
    },
    restart: () => void (restarted = true),
    all: () => all,
    changes: () => changes,
  };
}
