import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texts } from '../src/texts/texts';
import { copyOnClick } from '../src/ui/copy';
import { FakeElement, createPage, giveClipboard } from './page';

interface SetUp {
  button: FakeElement;
  field: FakeElement;
  click(): Promise<void>;
  later(): void; // lets the time go by for which the button says how it went
}

function setUp(t: { after(undo: () => void): void }): SetUp {
  createPage({});
  const button = new FakeElement();
  const field = new FakeElement();
  const { setTimeout } = globalThis;
  const timers: (() => void)[] = [];
  button.textContent = 'Copy';
  field.hidden = true;
  t.after(() => void (globalThis.setTimeout = setTimeout));
  globalThis.setTimeout = ((run: () => void) => timers.push(run)) as unknown as typeof setTimeout;
  copyOnClick(button as unknown as HTMLButtonElement, field as unknown as HTMLInputElement, () => 'http://here/r/FK72MX');
  return {
    button,
    field,
    click: async () => {
      button.dispatchEvent(new Event('click'));
      await new Promise((resolve) => setImmediate(resolve));
    },
    later: () => timers.splice(0).forEach((run) => run()),
  };
}

test('a click copies the text, and the button says so for a moment', async (t) => {
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

test('where a page may not, the text is there to be copied by hand', async (t) => {
  const { button, field, click, later } = setUp(t);
  giveClipboard(null);
  await click();
  assert.deepEqual([field.hidden, field.value, field.selected], [false, 'http://here/r/FK72MX', true]);
  assert.equal(button.textContent, texts.invite.copyYourself);
  later();
  assert.equal(button.textContent, 'Copy');
});
