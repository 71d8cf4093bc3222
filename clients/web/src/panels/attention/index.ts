// Attention: while a presenter asks for it, viewers' pages and projectors dim the flock and show the presenter's sentence.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { texts } from '../../texts/texts';
import { byId, setText } from '../../app/dom';

export function mount({ model }: Context): Panel {
  const sign = byId('attention', HTMLElement);

  function show(): void {
    const said = model.room()?.attention ?? null;
    document.documentElement.classList.toggle('presents', model.role() === 'presenter');
    sign.hidden = said === null;
    setText(sign, said === null ? '' : said || texts.news.lookUp);
  }

  return { room: show, role: show };
}
