// Two rooms beside each other for everyone: a presenter shows the pair to all members of the first room, or ends that.

import type { Context } from '../../app/context';
import { make } from '../../app/dom';
import { sayRefusal } from '../../app/errors';
import { framed } from '../../app/go';
import type { View } from '../../app/view';
import { besideIn } from '../../net/codes';
import { type Room, request } from '../../net/protocol';
import { pastTexts } from '../../texts/past';
import { type Language, texts } from '../../texts/texts';

export function createTogether({ model, ask, say }: Context): View & { element: HTMLElement } {
  const t = pastTexts[texts.language as Language];
  const box = make('input', { type: 'checkbox' });
  const about = make('p', { class: 'about' }, t.togetherAbout);
  const element = make('div', { id: 'together' }, make('label', { class: 'check' }, box, make('span', {}, t.together)), about);

  /** Returns the code of the room beside the first of two; empty: this is not the first of two. */
  function partner({ code, beside }: Room): string {
    const [first, second] = (framed() && besideIn(window.parent.location)) || ['', ''];
    return first === code ? second : beside;
  }

  function show(): void {
    const room = model.room();
    if (room === null) return;
    element.hidden = partner(room) === '';
    box.checked = room.beside !== '';
  }

  box.addEventListener('change', () => {
    const room = model.room();
    if (room === null) return;
    ask(request.beside(box.checked ? partner(room) : ''), (outcome) => {
      if (outcome.kind === 'done') return;
      sayRefusal(say)(outcome);
      show();
    });
  });
  return { element, room: show };
}
