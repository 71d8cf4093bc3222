// Where a presenter asks for attention, with a sentence or without.

import { cleanName } from '../flock/names';
import type { Model } from '../flock/model';
import { request } from '../net/protocol';
import type { Ask } from '../net/requests';
import { texts } from '../texts/texts';
import { byId, setText } from './dom';
import { errorText } from './errors';
import type { View } from './view';

const TEXT_MAX = 160; // bytes

export interface AttentionOptions {
  model: Model;
  ask: Ask;
  onRefused(message: string): void;
}

export function createAttentionForm({ model, ask, onRefused }: AttentionOptions): View {
  const form = byId('attention-form', HTMLFormElement);
  const field = byId('attention-text', HTMLInputElement);
  const button = byId('attention-ask', HTMLButtonElement);

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const on = model.room()?.attention === null;
    const text = on ? cleanName(field.value, TEXT_MAX) : '';
    if (!on) field.value = '';
    ask(request.attention(on, text), (error) => error !== null && onRefused(errorText(error)));
  });

  return {
    room({ attention: said }) {
      button.setAttribute('aria-pressed', String(said !== null));
      setText(button, said === null ? texts.attention.ask : texts.attention.over);
      if (document.activeElement !== field && said !== null) field.value = said;
    },
  };
}
