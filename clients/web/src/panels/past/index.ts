// The bar on all pages while the room shows its past. It holds the presenters' timeline.

import { byId, keepHeight, setText } from '../../app/dom';
import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { number, texts } from '../../texts/texts';

export function mount({ model }: Context): Panel {
  const bar = byId('past', HTMLElement);
  const text = byId('past-text', HTMLElement);

  function show(now: number): void {
    const back = model.secondsBack(now);
    if (back !== null) setText(text, texts.past.shown(number(back, 1)));
  }

  keepHeight(bar, '--past'); // messages are placed above the bar

  return {
    past({ shown }) {
      bar.hidden = !shown;
      document.documentElement.classList.toggle('rewound', shown);
      show(performance.now());
    },
    figures: show,
  };
}
