// This person's own cursor: whether the page sends it, and whether it steers the flock.

import { ownTurn } from '../flock/leads';
import type { Model } from '../flock/model';
import type { Source } from '../net/source';
import { type Outlet, type Steering, createSteering } from './input';
import type { View } from './view';

export interface OwnCursor extends View {
  steering: Steering;
  /** Whether the server counts this cursor now. The page decides this itself, because the server sends only some of very many cursors. */
  steers(): boolean;
  /** Whether the cursor was ever sent. */
  used(): boolean;
}

export function createOwnCursor(model: Model, source: Pick<Source, 'cursor' | 'away'>): OwnCursor {
  let sentAt = -Infinity;
  let used = false;

  const outlet: Outlet = {
    cursor(x, y) {
      if (model.standing() === 'watches') return true; // the server would ignore it
      const sent = source.cursor(x, y);
      if (sent) sentAt = performance.now();
      used ||= sent;
      return sent;
    },
    away() {
      sentAt = -Infinity;
      source.away();
    },
  };
  const steering = createSteering(outlet, model.room);

  function forgetIfWatching(): void {
    if (model.standing() === 'watches') sentAt = -Infinity;
  }

  return {
    steering,
    steers() {
      const timeout = 1000 * (model.room()?.cursorTimeout ?? 0);
      const counts = model.standing() === 'steers' && model.status().kind === 'connected';
      return counts && ownTurn(model) !== false && performance.now() - sentAt < timeout;
    },
    used: () => used,
    status: ({ kind }) => kind === 'connected' && steering.repeat(),
    room() {
      steering.roomChanged();
      forgetIfWatching();
    },
    role: forgetIfWatching,
  };
}
