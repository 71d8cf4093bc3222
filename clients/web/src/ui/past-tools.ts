// The timeline, for presenters: which moment of the room's past everyone sees, and how it goes on from there.

import { type Past, type Request, request } from '../net/protocol';
import type { Ask } from '../net/requests';
import { pastTexts } from '../texts/past';
import { type Language, number, texts } from '../texts/texts';
import { make } from './dom';

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

export interface PastTools {
  /** back: seconds before the present of the moment that is shown. */
  show(past: Past, back: number): void;
}

export interface PastToolsOptions {
  place: HTMLElement;
  send: Ask;
  /** Ticks a second. */
  rate(): number;
}

export function createPastTools({ place, send, rate }: PastToolsOptions): PastTools {
  const t = pastTexts[texts.language as Language];
  const line = make('input', { id: 'past-line', type: 'range', max: '0', step: 'any', 'aria-label': t.moment });
  const speed = make('select', { id: 'past-speed', 'aria-label': t.speed });
  let shown: Past | null = null;
  let moment = 0; // s before the present
  let sending = false;
  let wanted: number | null = null; // where it was dragged to while an answer was on its way

  /** A drag asks for the newest moment only, once the one before was answered. */
  function go(back: number): void {
    if (sending) {
      wanted = back;
      return;
    }
    sending = true;
    send(request.rewind(Math.max(back, 0)), () => {
      sending = false;
      const next = wanted;
      wanted = null;
      if (next !== null) go(next);
    });
  }

  function play(direction: number): void {
    send(request.play(direction * Number(speed.value)));
  }

  function tick(by: number): void {
    if (shown?.speed !== 0) play(0);
    go(moment - by / rate());
  }

  function button(id: string, text: string, about: string, run: () => void): HTMLButtonElement {
    const made = make('button', { id, type: 'button', title: about, 'aria-label': about }, text);
    made.addEventListener('click', run);
    return made;
  }

  const ask = (message: Request) => (): void => send(message);
  const stop = button('past-stop', '■', t.stop, () => play(0));
  for (const each of SPEEDS) speed.append(make('option', { value: String(each) }, `${number(each, each < 0.5 ? 2 : each < 1 ? 1 : 0)}×`));
  speed.value = '1';
  speed.addEventListener('change', () => {
    if (shown !== null && shown.speed !== 0) play(Math.sign(shown.speed));
  });
  line.addEventListener('input', () => go(-Number(line.value)));
  // Here, so that only those have it who see it.
  Object.assign(place.style, { flexWrap: 'wrap', gap: '6px', justifyContent: 'center', marginTop: '6px' });
  Object.assign(line.style, { flex: '1 0 100%', minWidth: 'min(420px, 70vw)' });
  place.append(
    line,
    button('past-earlier', '−1', t.earlier, () => tick(-1)),
    button('past-backwards', '◀', t.backwards, () => play(-1)),
    stop,
    button('past-forwards', '▶', t.forwards, () => play(1)),
    button('past-later', '+1', t.later, () => tick(1)),
    speed,
    button('past-live', t.live, t.live, ask(request.live())),
    button('past-resume', t.resume, t.resumeAbout, ask(request.resume())),
  );

  return {
    show(past, back) {
      shown = past;
      moment = back;
      place.style.display = place.hidden ? '' : 'flex';
      stop.disabled = past.speed === 0;
      line.min = String(-past.span);
      line.setAttribute('aria-valuetext', t.seconds(number(back, 1)));
      if (!sending) line.value = String(-back);
    },
  };
}
