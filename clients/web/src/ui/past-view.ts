// The room's past: everyone is told when it is shown, and presenters move about in it, by a timeline that is loaded when it
// is first needed.

import type { Model } from '../flock/model';
import { type Past, request } from '../net/protocol';
import type { Ask } from '../net/requests';
import { number, texts } from '../texts/texts';
import { byId, setText } from './dom';
import { errorText } from './errors';
import type { PastTools } from './past-tools';
import type { View } from './view';

export interface PastOptions {
  model: Model;
  ask: Ask;
  onRefused(message: string): void;
}

export function createPastView({ model, ask, onRefused }: PastOptions): View {
  const bar = byId('past', HTMLElement);
  const text = byId('past-text', HTMLElement);
  const place = byId('past-tools', HTMLElement);
  let past: Past | null = null; // while it is shown
  let since = 0; // ms of the page's clock: when the server said so
  let tools: PastTools | null = null;

  const send: Ask = (message, answered) =>
    ask(message, (error) => {
      if (error !== null) onRefused(errorText(error));
      answered?.(error);
    });

  /** Seconds before the present of the moment that is shown. */
  function back(now: number): number {
    if (past === null) return 0;
    return Math.min(Math.max(past.back - (past.speed * (now - since)) / 1000, 0), past.span);
  }

  function show(now: number): void {
    if (past === null) return;
    const seconds = back(now);
    setText(text, texts.past.shown(number(seconds, 1)));
    tools?.show(past, seconds);
  }

  async function layOut(): Promise<void> {
    const presents = model.role() === 'presenter';
    bar.hidden = past === null;
    place.hidden = !presents;
    if (past !== null && presents && tools === null) {
      const { createPastTools } = await import('./past-tools');
      tools ??= createPastTools({ place, send, rate: () => model.room()?.tickRate ?? 1 });
    }
    show(performance.now());
  }

  byId('past-open', HTMLButtonElement).addEventListener('click', () => send(request.rewind(0)));

  return {
    past(next) {
      past = next.shown ? next : null;
      since = performance.now();
      void layOut();
    },
    role: () => void layOut(),
    figures: show,
  };
}
