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
    if (back === null) return;
    const { span } = model.past();
    setText(text, model.room()?.recording === true ? texts.past.of(clock(span - back), clock(span)) : texts.past.shown(number(back, 1)));
  }

  /** Minutes and seconds: 7:54. */
  function clock(seconds: number): string {
    const all = Math.round(seconds);
    return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`;
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
