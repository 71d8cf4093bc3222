// What happens to the room, told to everyone in passing; and that it is paused, for as long as it is.

import { byId, setText } from './dom';
import type { News } from './room-news';

const TIME = 3500; // ms

export interface NewsView {
  tell(news: News): void;
  paused(is: boolean): void;
}

export function createNewsView(): NewsView {
  const pill = byId('news', HTMLElement);
  const title = byId('news-title', HTMLElement);
  const text = byId('news-text', HTMLElement);
  const spoken = byId('spoken', HTMLElement); // for those who listen
  let timer: ReturnType<typeof setTimeout> | undefined;
  let still = false;
  let telling = false;

  function rest(): void {
    telling = false;
    if (still) show('Paused', '');
    else pill.classList.remove('shown');
  }

  function show(first: string, second: string): void {
    setText(title, first);
    setText(text, second);
    pill.classList.add('shown');
  }

  return {
    tell({ title, text }) {
      telling = true;
      show(title, text);
      setText(spoken, `${title}. ${text}`);
      clearTimeout(timer);
      timer = setTimeout(rest, TIME);
    },
    paused(is) {
      if (is === still) return;
      still = is;
      setText(spoken, is ? 'Paused' : 'Running');
      pill.classList.toggle('still', is);
      if (!telling) rest();
    },
  };
}
