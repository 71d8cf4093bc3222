// News of the room, each shown for a moment, and a lasting note while the flock is paused.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, setText } from '../../app/dom';
import type { News } from '../../flock/news';
import { paused } from '../../flock/room';
import { texts } from '../../texts/texts';

const TIME = 3500; // ms
const LEAST = 1200; // ms, while another one waits
const WAITING_MAX = 4; // of more, the oldest are not told

export function mount({ model, dock }: Context): Panel {
  const pill = byId('news', HTMLElement);
  const title = byId('news-title', HTMLElement);
  const text = byId('news-text', HTMLElement);
  const spoken = byId('spoken', HTMLElement); // for screen readers
  const waiting: News[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = -Infinity; // when what is shown began
  let telling = false;
  let warned = false; // a presenter has seen a note that the server cannot save the room

  const isPaused = (): boolean => {
    const room = model.room();
    return room !== null && paused(room);
  };

  function rest(): void {
    telling = false;
    if (isPaused()) show(texts.news.paused, '');
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
    const presents = model.role() === 'presenter';
    const failing = model.room()?.storeFailing === true;
    if (presents && failing !== warned) tell(failing ? { title: unsaved, text: unsavedMore } : { title: savedAgain, text: '' });
    warned = presents && failing;
  }

  return {
    news: tell,
    slow: ({ percent, own }) => tell({ title: texts.news.slow(Math.round(percent)), text: own ? texts.news.slowOwn : texts.news.slowServer }),
    role(role) {
      const { presenter, presenterKey, presenterButton, viewer } = texts.news;
      const opener = matchMedia('(hover: hover)').matches ? presenterKey : presenterButton;
      if (role === 'presenter') tell({ title: presenter, text: dock.isWanted('controls') ? '' : opener });
      else tell({ title: viewer, text: '' });
      warn();
    },
    room() {
      warn();
      const is = isPaused();
      if (is === pill.classList.contains('still')) return;
      setText(spoken, is ? texts.news.paused : texts.news.running);
      pill.classList.toggle('still', is);
      if (!telling) rest();
    },
  };
}
