// Shows short notices of errors, each for TIME.

import { byId, setText } from './dom';

const TIME = 6000; // ms

export type Say = (text: string) => void;

export function createToast(): Say {
  const toast = byId('toast', HTMLElement);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (text) => {
    setText(toast, text);
    toast.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => (toast.hidden = true), TIME);
  };
}
