// The presenters' timeline: chooses the moment of the room's past that all members see, plays it, and resumes the room from it.

import type { Context } from '../../app/context';
import { type Request, request } from '../../net/protocol';
import type { Ask } from '../../net/requests';
import { pastTexts } from '../../texts/past';
import { type Language, number, texts } from '../../texts/texts';
import { byId, make } from '../../app/dom';
import { errorText } from '../../app/errors';
import type { View } from '../../app/view';

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

export function createTimelineBar({ model, ask, say }: Context): View {
  const t = pastTexts[texts.language as Language];
  const bar = make('div', { id: 'past-tools', hidden: '' });
  const line = make('input', { id: 'past-line', type: 'range', max: '0', step: 'any', 'aria-label': t.moment });
  const speed = make('select', { id: 'past-speed', 'aria-label': t.speed });
  let sending = false;
  let wanted: number | null = null; // s before the present: the last moment that was dragged to while an answer was on its way

  const send: Ask = (message, answered) =>
    ask(message, (outcome) => {
      if (outcome.kind === 'error') say(errorText(outcome));
      answered?.(outcome);
    });

  const rewindTo = (back: number): Request => request.rewind(Math.max(back, 0));

  /** Asks for a moment. During a drag, it asks for the newest moment after the answer to the previous request. */
  function go(back: number): void {
    if (sending) {
      wanted = back;
      return;
    }
    sending = true;
    send(rewindTo(back), ({ kind }) => {
      sending = false;
      const next = wanted;
      wanted = null;
      if (next !== null && kind !== 'lost') go(next);
    });
  }

  /** Returns to the present. Forgets the moment that a drag still wants, which would open the past again. */
  function live(): void {
    wanted = null;
    send(request.live());
  }

  /** Resumes the room from the shown moment. If a drag still wants a moment, asks for that moment first. */
  function resume(): void {
    if (wanted !== null) send(rewindTo(wanted));
    wanted = null;
    send(request.resume());
  }

  function play(direction: number): void {
    send(request.play(direction * Number(speed.value)));
  }

  function tick(by: number): void {
    if (model.past().speed !== 0) play(0);
    go((model.secondsBack(performance.now()) ?? 0) - by / (model.room()?.tickRate ?? 1));
  }

  /** name: the name for screen readers; empty: the text. */
  function button(id: string, text: string, about: string, run: () => void, name = ''): HTMLButtonElement {
    const made = make('button', { id, type: 'button', title: about, ...(name !== '' && { 'aria-label': name }) }, text);
    made.addEventListener('click', run);
    return made;
  }

  const stop = button('past-stop', '■', t.stop, () => play(0), t.stop);
  for (const each of SPEEDS) speed.append(make('option', { value: String(each) }, `${number(each, each < 0.5 ? 2 : each < 1 ? 1 : 0)}×`));
  speed.value = '1';
  speed.addEventListener('change', () => {
    const past = model.past();
    if (past.shown && past.speed !== 0) play(Math.sign(past.speed));
  });
  line.addEventListener('input', () => go(-Number(line.value)));
  bar.append(
    line,
    button('past-earlier', '−1', t.earlier, () => tick(-1), `−1: ${t.earlier}`),
    button('past-backwards', '◀', t.backwards, () => play(-1), t.backwards),
    stop,
    button('past-forwards', '▶', t.forwards, () => play(1), t.forwards),
    button('past-later', '+1', t.later, () => tick(1), `+1: ${t.later}`),
    speed,
    button('past-live', t.live, t.live, live),
    button('past-resume', t.resume, t.resumeAbout, resume),
  );

  byId('past', HTMLElement).append(bar);
  byId('past-open', HTMLButtonElement).addEventListener('click', () => send(request.rewind(0)));

  function show(now: number): void {
    const moment = model.secondsBack(now);
    if (moment === null) return;
    const past = model.past();
    stop.disabled = past.speed === 0;
    line.min = String(-past.span);
    line.setAttribute('aria-valuetext', t.seconds(number(moment, 1)));
    if (!sending) line.value = String(-moment);
  }

  return {
    past: () => show(performance.now()),
    role: (role) => void (bar.hidden = role !== 'presenter'),
    figures: show,
  };
}
