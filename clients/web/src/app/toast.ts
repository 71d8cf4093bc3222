// Shows short notices of errors, each for TIME.

import { byId, setText } from './dom';

const TIME = 6000; // ms

export type Say = (text: string) => void;

/** hide: hides the notice. Returns false if there is none. */
export function createToast(): { say: Say; hide(): boolean } {
  const toast = byId('toast', HTMLElement);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function hide(): boolean {
    const was = !toast.hidden;
    toast.hidden = true;
    return was;
  }

  return {
    say(text) {
      setText(toast, text);
      toast.hidden = false;
      clearTimeout(timer);
      timer = setTimeout(hide, TIME);
    },
    hide,
  };
}
