// A button that copies a text to the clipboard.

import { texts } from '../texts/texts';
import { setText } from './dom';

const RESULT_TIME = 2000; // ms for which the button shows the result

/** field: if the page may not write to the clipboard, as over plain HTTP, it shows the text in this field and copies it from there. */
export function copyOnClick(button: HTMLButtonElement, field: HTMLInputElement, text: () => string): void {
  const label = button.textContent ?? '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener('click', () => {
    void copy(text(), field).then((done) => {
      setText(button, done ? texts.invite.copied : texts.invite.copyYourself);
      clearTimeout(timer);
      timer = setTimeout(() => setText(button, label), RESULT_TIME);
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
