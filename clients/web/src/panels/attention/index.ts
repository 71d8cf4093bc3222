// A presenter asks for attention: the flock is dimmed for viewers, and in projector view, with a sentence.

import type { Model } from '../../flock/model';
import { texts } from '../../texts/texts';
import { byId, setText } from '../../app/dom';
import type { View } from '../../app/view';

export function createAttention(model: Model): View {
  const sign = byId('attention', HTMLElement);

  function show(): void {
    const said = model.room()?.attention ?? null;
    document.documentElement.classList.toggle('presents', model.role() === 'presenter');
    sign.hidden = said === null;
    setText(sign, said === null ? '' : said || texts.attention.plain);
  }

  return { room: show, role: show };
}
