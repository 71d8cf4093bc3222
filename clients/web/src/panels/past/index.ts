// That the room shows its past: everyone is told. Presenters have the timeline below.

import { secondsBack } from '../../flock/past';
import type { Past } from '../../net/protocol';
import { number, texts } from '../../texts/texts';
import { byId, keepHeight, setText } from '../../app/dom';
import type { View } from '../../app/view';

export function createPastView(): View {
  const bar = byId('past', HTMLElement);
  const text = byId('past-text', HTMLElement);
  let past: Past | null = null; // while it is shown
  let since = 0; // ms of the page's clock: when the server said so

  function show(now: number): void {
    if (past !== null) setText(text, texts.past.shown(number(secondsBack(past, now - since), 1)));
  }

  // What is said below stands above it.
  keepHeight(bar, '--past');

  return {
    past(next) {
      past = next.shown ? next : null;
      since = performance.now();
      bar.hidden = past === null;
      document.documentElement.classList.toggle('rewound', past !== null);
      show(since);
    },
    figures: show,
  };
}
