// The presenters' timeline: chooses the moment of the room's past that all members see, plays it, and resumes the room from it. It
// lies below the flock. Marks on it say who changed what.

import type { Context } from '../../app/context';
import { byId, make, setText } from '../../app/dom';
import { errorText } from '../../app/errors';
import type { View } from '../../app/view';
import { TOPIC_MARKS } from '../../net/messages';
import { type Request, request } from '../../net/protocol';
import type { Ask } from '../../net/requests';
import { pastTexts } from '../../texts/past';
import { type Language, number, texts } from '../../texts/texts';
import { createMarks } from './marks';

export interface TimelineBar extends View {
  /** Where further buttons stand. */
  tools: HTMLElement;
  /** Moves the focus to the line of time; opens the past first if the room shows the present. */
  enter(): void;
  /** Plays the past, or stops it. */
  toggle(): void;
  /** Moves by that many ticks. */
  step(by: number): void;
}

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const END = 0.05; // s before the end that count as the end
const AGAIN = 10; // s that are played again from the end of a room's past

export function createTimelineBar({ model, source, ask, say, dock }: Context): TimelineBar {
  const t = pastTexts[texts.language as Language];
  const root = document.documentElement;
  const past = byId('past', HTMLElement);
  const line = make('input', { id: 'past-line', type: 'range', max: '0', step: 'any', 'aria-label': t.moment });
  const track = make('div', { id: 'past-track' }, line);
  const tools = make('div', { id: 'past-tools' });
  const speed = make('select', { id: 'past-speed', 'aria-label': t.speed, title: t.speed });
  const said = make('span', { id: 'past-mark' });
  const marks = createMarks({ track, line, said, model, go });
  let asked = false; // this page has asked for the past, so that Escape closes the timeline
  let entering = false; // the focus moves to the line when the past is shown
  let before: Element | null = null; // the element that had the focus before
  let sending = false;
  let wanted: number | null = null; // s before the present: the last moment that was dragged to while an answer was on its way

  const send: Ask = (message, answered) =>
    ask(message, (outcome) => {
      if (outcome.kind === 'error') say(errorText(outcome));
      answered?.(outcome);
    });

  function rewindTo(back: number): Request {
    asked = true;
    return request.rewind(Math.max(back, 0));
  }

  const moment = (): number => model.secondsBack(performance.now()) ?? 0;
  const isRecording = (): boolean => model.room()?.recording === true;

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

  function toggle(): void {
    const { speed: now, span } = model.past();
    if (now === 0 && moment() < END) go(isRecording() ? span : Math.min(span, AGAIN));
    play(now === 0 ? 1 : 0);
  }

  function step(by: number): void {
    if (model.past().speed !== 0) play(0);
    go(moment() - by / (model.room()?.tickRate ?? 1));
  }

  const open = (): void => send(rewindTo(0), ({ kind }) => (entering &&= kind === 'done'));

  function enter(): void {
    before = document.activeElement;
    entering = !model.past().shown;
    asked = true;
    if (entering) return open();
    lay();
    line.focus();
  }

  /** Returns to the present, and moves the focus to where it was before enter(). */
  function close(): void {
    asked = false;
    lay();
    live();
    if (!past.contains(document.activeElement)) return;
    (before instanceof HTMLElement && before.isConnected && !past.contains(before) ? before : byId('stage', HTMLElement)).focus();
  }

  /** name: the name for screen readers; empty: the text. */
  function button(id: string, text: string, about: string, run: () => void, name = ''): HTMLButtonElement {
    const made = make('button', { id, type: 'button', title: about, ...(name !== '' && { 'aria-label': name }) }, text);
    made.addEventListener('click', run);
    return made;
  }

  const stop = button('past-stop', '■', t.stop, () => play(0), t.stop);
  const earlierMark = button('past-change-before', '|◄', t.changeBefore, () => marks.jump(-1), t.changeBefore);
  const laterMark = button('past-change-after', '►|', t.changeAfter, () => marks.jump(1), t.changeAfter);
  const toEnd = button('past-live', t.live, t.live, live);
  const continuing = button('past-resume', t.resume, '', resume);
  const resumeAbout = make('p', { id: 'resume-about', class: 'about' }, t.resumeAbout);
  continuing.removeAttribute('title');
  continuing.setAttribute('aria-describedby', resumeAbout.id);
  for (const each of SPEEDS) speed.append(make('option', { value: String(each) }, `${number(each, each < 0.5 ? 2 : each < 1 ? 1 : 0)}×`));
  speed.value = '1';
  speed.addEventListener('change', () => {
    const now = model.past();
    if (now.shown && now.speed !== 0) play(Math.sign(now.speed));
  });
  line.addEventListener('input', () => go(marks.snap(-Number(line.value))));
  tools.append(
    earlierMark,
    button('past-earlier', '−1', t.earlier, () => step(-1), `−1: ${t.earlier}`),
    button('past-backwards', '◄', t.backwards, () => play(-1), t.backwards),
    stop,
    button('past-forwards', '►', t.forwards, () => play(1), t.forwards),
    button('past-later', '+1', t.later, () => step(1), `+1: ${t.later}`),
    laterMark,
    speed,
    said,
    toEnd,
    continuing,
  );
  past.append(track, tools, resumeAbout);
  byId('past-open', HTMLButtonElement).addEventListener('click', open);

  /** Lays the timeline below the flock for presenters, while the past is shown. */
  function lay(): void {
    const is = model.past().shown && model.role() === 'presenter';
    track.hidden = tools.hidden = resumeAbout.hidden = model.role() !== 'presenter';
    root.classList.toggle('timeline', is);
    dock.lay(is ? past : null, is && asked && !isRecording() ? close : null); // a recording has no present to return to
    source.subscribe(TOPIC_MARKS, is && model.welcome()?.capabilities.includes('topics') === true);
  }

  function show(): void {
    if (!model.past().shown) return;
    const back = moment();
    const { span, speed: now } = model.past();
    stop.disabled = now === 0;
    line.min = String(-span);
    if (!sending) line.value = String(-back);
    setText(toEnd, isRecording() ? t.toEnd : t.live);
    marks.show(back);
    earlierMark.disabled = marks.next(-1) === null;
    laterMark.disabled = marks.next(1) === null;
    const [at, what] = [byId('past-text', HTMLElement), said].map(({ textContent }) => textContent ?? '');
    line.setAttribute('aria-valuetext', what === '' ? at : t.marked(at, what));
  }

  return {
    ...{ tools, enter, toggle, step },
    past({ shown }) {
      asked &&= shown || model.status().kind !== 'connected'; // after a lost connection the room may still show the past
      lay();
      show();
      if (shown && entering) line.focus();
      entering &&= !shown;
    },
    role: lay,
    room: lay,
    figures: show,
  };
}
