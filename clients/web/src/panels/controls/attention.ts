// The form in which a presenter asks for attention, with or without a sentence. A reminder stays until the presenter ends it.

import type { Context } from '../../app/context';
import { cleanName } from '../../flock/names';
import { request } from '../../net/protocol';
import { controlsTexts } from '../../texts/controls';
import { byId, setText } from '../../app/dom';
import { sayRefusal } from '../../app/errors';
import type { View } from '../../app/view';

const TEXT_MAX = 160; // bytes

export function createAttentionForm({ model, ask, say }: Context): View {
  const form = byId('attention-form', HTMLFormElement);
  const field = byId('attention-text', HTMLInputElement);
  const button = byId('attention-ask', HTMLButtonElement);
  const reminder = byId('attention-on', HTMLElement);
  const said = byId('attention-said', HTMLElement);

  const sendAttention = (on: boolean, text: string): void =>
    ask(request.attention(on, text), sayRefusal(say));

  function show(): void {
    const text = model.room()?.attention ?? null;
    const presents = model.role() === 'presenter';
    button.setAttribute('aria-pressed', String(text !== null));
    setText(button, text === null ? controlsTexts().attention.ask : controlsTexts().attention.over);
    if (document.activeElement !== field && text !== null) field.value = text;
    reminder.hidden = text === null || !presents;
    setText(said, text ?? '');
    document.documentElement.classList.toggle('attention', !reminder.hidden);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const on = model.room()?.attention === null;
    const text = on ? cleanName(field.value, TEXT_MAX) : '';
    if (!on) field.value = '';
    sendAttention(on, text);
  });
  byId('attention-over', HTMLButtonElement).addEventListener('click', () => {
    field.value = '';
    sendAttention(false, '');
  });

  return { room: show, role: show };
}
