import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texts } from '../src/texts/texts';
import { copyOnClick } from '../src/app/copy';
import { createPage, find, set } from './document';

interface SetUp {
  button: HTMLButtonElement;
  field: HTMLInputElement;
  click(): Promise<void>;
  later(): void; // ends the time for which the button shows the result
}

function setUp(t: { after(undo: () => void): void }): SetUp {
  const { document } = createPage('<button>Copy</button><input hidden>');
  document.execCommand = () => false;
  const button = find<HTMLButtonElement>(document, 'button');
  const field = find<HTMLInputElement>(document, 'input');
  const { setTimeout } = globalThis;
  const timers: (() => void)[] = [];
  t.after(() => void (globalThis.setTimeout = setTimeout));
  globalThis.setTimeout = ((run: () => void) => timers.push(run)) as unknown as typeof setTimeout;
  copyOnClick(button, field, () => 'http://here/r/FK72MX');
  return {
    button,
    field,
    click: async () => {
      button.click();
      await new Promise((resolve) => setImmediate(resolve));
    },
    later: () => timers.splice(0).forEach((run) => run()),
  };
}

/** Gives the page a clipboard that adds each text to the list. null: a clipboard that refuses texts. */
function giveClipboard(written: string[] | null): void {
  const writeText = (text: string): Promise<void> =>
    written === null ? Promise.reject(new Error('not over plain HTTP')) : Promise.resolve(void written.push(text));
  set('navigator', { clipboard: { writeText } });
}

test('a click copies the text, and the button reports this for 2 seconds', async (t) => {
  const written: string[] = [];
  const { button, field, click, later } = setUp(t);
  giveClipboard(written);
  await click();
  assert.deepEqual(written, ['http://here/r/FK72MX']);
  assert.equal(button.textContent, texts.invite.copied);
  assert.equal(field.hidden, true);
  later();
  assert.equal(button.textContent, 'Copy');
});

test('if the page may not copy, a person can copy the text by hand', async (t) => {
  const { button, field, click, later } = setUp(t);
  giveClipboard(null);
  await click();
  assert.deepEqual([field.hidden, field.value], [false, 'http://here/r/FK72MX']);
  assert.deepEqual([field.selectionStart, field.selectionEnd], [0, field.value.length], 'it is selected');
  assert.equal(button.textContent, texts.invite.copyYourself);
  later();
  assert.equal(button.textContent, 'Copy');
});
