// News of the room, each shown for a moment, and a lasting note while the flock is paused.

import { byId, setText } from '../../app/dom';
import type { News } from '../../flock/news';
import { paused } from '../../flock/room';
import { texts } from '../../texts/texts';
import type { View } from '../../app/view';

const TIME = 3500; // ms
const LEAST = 1200; // ms, while another one waits
const WAITING_MAX = 4; // of more, the oldest are not told

/** `controlsOpen`: whether the controls are open while this person presents. */
export function createNewsView(controlsOpen: () => boolean): View {
  const pill = byId('news', HTMLElement);
  const title = byId('news-title', HTMLElement);
  const text = byId('news-text', HTMLElement);
  const spoken = byId('spoken', HTMLElement); // for screen readers
  const waiting: News[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = -Infinity; // when what is shown began
  let still = false;
  let telling = false;
  let presents = false;
  let failing = false; // the server cannot save the room …
  let warned = false; // … and a presenter has seen a note

  function rest(): void {
    telling = false;
    if (still) show(texts.news.paused, '');
    else pill.classList.remove('shown');
  }

  function show(first: string, second: string): void {
    setText(title, first);
    setText(text, second);
    pill.classList.add('shown');
  }

  /** One after another, each for long enough to be read. */
  function next(): void {
    const news = waiting.shift();
    if (news === undefined) {
      rest();
      return;
    }
    telling = true;
    since = performance.now();
    show(news.title, news.text);
    setText(spoken, `${news.title}. ${news.text}`);
    timer = setTimeout(next, waiting.length > 0 ? LEAST : TIME);
  }

  function tell(news: News): void {
    waiting.push(news);
    if (waiting.length > WAITING_MAX) waiting.shift();
    clearTimeout(timer);
    timer = setTimeout(next, telling ? Math.max(0, since + LEAST - performance.now()) : 0);
  }

  function warn(): void {
    const { unsaved, unsavedMore, savedAgain } = texts.news;
    if (presents && failing !== warned) tell(failing ? { title: unsaved, text: unsavedMore } : { title: savedAgain, text: '' });
    warned = presents && failing;
  }

  return {
    news: tell,
    slow: ({ percent, own }) => tell({ title: texts.news.slow(Math.round(percent)), text: own ? texts.news.slowOwn : texts.news.slowServer }),
    role(role) {
      const { presenter, presenterKey, presenterButton, viewer } = texts.news;
      const opener = matchMedia('(hover: hover)').matches ? presenterKey : presenterButton;
      if (role === 'presenter') tell({ title: presenter, text: controlsOpen() ? '' : opener });
      else tell({ title: viewer, text: '' });
      presents = role === 'presenter';
      warn();
    },
    room(room) {
      failing = room.storeFailing;
      warn();
      const is = paused(room);
      if (is === still) return;
      still = is;
      setText(spoken, is ? texts.news.paused : texts.news.running);
      pill.classList.toggle('still', is);
      if (!telling) rest();
    },
  };
}
