// Shows the room's news, each for some seconds, and a note as long as the flock is paused.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, setText } from '../../app/dom';
import type { News } from '../../flock/news';
import { paused } from '../../flock/room';
import { joined, texts } from '../../texts/texts';

const TIME = 3500; // ms
const LEAST = 1200; // ms, if other news waits
const WAITING_MAX = 4; // if more news waits, the oldest is dropped

export function mount({ model, dock }: Context): Panel {
  const pill = byId('news', HTMLElement);
  const title = byId('news-title', HTMLElement);
  const text = byId('news-text', HTMLElement);
  const spoken = byId('spoken', HTMLElement); // for screen readers
  const waiting: News[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = -Infinity; // when the shown news appeared, ms
  let isShowing = false;
  let warned = false; // this person is a presenter and was warned that the server cannot save the room

  const isPaused = (): boolean => {
    const room = model.room();
    return room !== null && paused(room);
  };

  function showNone(): void {
    isShowing = false;
    if (isPaused()) show(texts.news.paused, '');
    else pill.classList.remove('shown');
  }

  function show(first: string, second: string): void {
    setText(title, first);
    setText(text, second);
    pill.classList.add('shown');
  }

  /** Shows the next news, or nothing. */
  function showNext(): void {
    const news = waiting.shift();
    if (news === undefined) {
      showNone();
      return;
    }
    isShowing = true;
    since = performance.now();
    show(news.title, news.text);
    setText(spoken, joined(news.title, news.text));
    timer = setTimeout(showNext, waiting.length > 0 ? LEAST : TIME);
  }

  function enqueue(news: News): void {
    waiting.push(news);
    if (waiting.length > WAITING_MAX) waiting.shift();
    clearTimeout(timer);
    timer = setTimeout(showNext, isShowing ? Math.max(0, since + LEAST - performance.now()) : 0);
  }

  function warnPresenter(): void {
    const { unsaved, unsavedMore, savedAgain } = texts.news;
    const presents = model.role() === 'presenter';
    const failing = model.room()?.storeFailing === true;
    if (presents && failing !== warned) enqueue(failing ? { title: unsaved, text: unsavedMore } : { title: savedAgain, text: '' });
    warned = presents && failing;
  }

  return {
    news: enqueue,
    slow: ({ percent, own }) => enqueue({ title: texts.news.slow(Math.round(percent)), text: own ? texts.news.slowOwn : texts.news.slowServer }),
    role(role) {
      const { presenter, presenterKey, presenterButton, viewer } = texts.news;
      const opener = matchMedia('(hover: hover)').matches ? presenterKey : presenterButton;
      if (role === 'presenter') enqueue({ title: presenter, text: dock.isWanted('controls') ? '' : opener });
      else enqueue({ title: viewer, text: '' });
      warnPresenter();
    },
    room() {
      warnPresenter();
      const is = isPaused();
      if (is === pill.classList.contains('still')) return;
      setText(spoken, is ? texts.news.paused : texts.news.running);
      pill.classList.toggle('still', is);
      if (!isShowing) showNone();
    },
  };
}
