// A button that puts a text into the clipboard.

import { texts } from '../texts/texts';
import { setText } from './dom';

const SAID = 2000; // ms for which the button says how it went

/** field: shows the text; from there it is copied where a page may not write to the clipboard, as over plain HTTP. */
export function copyOnClick(button: HTMLButtonElement, field: HTMLInputElement, text: () => string): void {
  const label = button.textContent ?? '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener('click', () => {
    void copy(text(), field).then((done) => {
      setText(button, done ? texts.invite.copied : texts.invite.copyYourself);
      clearTimeout(timer);
      timer = setTimeout(() => setText(button, label), SAID);
    });
  });
}

async function copy(text: string, field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.hidden = false;
    field.value = text;
    field.select();
    return document.execCommand('copy');
  }
}
