// Asks a person who joins for the first time for a name. The person is already in the room, with a name from the server, and sees the
// flock move. A phone offers some names to tap; elsewhere one stands in the field, and Enter takes it.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { cleanName } from '../../flock/names';
import { names as english } from '../../texts/en-names';
import { texts } from '../../texts/texts';
import { byId, make } from '../../app/dom';

const SUGGESTIONS = 4;

/** Returns some names that are not taken. */
export function suggestions(taken: readonly string[], random: () => number): string[] {
  const names = texts.language === 'en' ? english : texts.welcome.names;
  const free = names.filter((name) => !taken.some((each) => each.toLowerCase() === name.toLowerCase()));
  const chosen: string[] = [];
  while (chosen.length < SUGGESTIONS && free.length > 0) chosen.push(...free.splice(Math.floor(random() * free.length), 1));
  return chosen;
}

export { default as html } from './index.html';
export { default as sheet } from './index.css';

export function mount({ model, dock, identity }: Context): Panel {
  const names = byId('welcome-names', HTMLElement);
  const form = byId('welcome-form', HTMLFormElement);
  const field = byId('welcome-name', HTMLInputElement);

  const byFinger = (): boolean => matchMedia('(pointer: coarse)').matches;
  const hide = (): void => dock.show('welcome', false);

  /** Takes the focus that no control has: a presenter may be in the panel, another person in a dialog. A phone's keyboard would cover
   * the flock. */
  function takeFocus(): void {
    const { activeElement } = document;
    const free = activeElement === null || activeElement === document.body;
    if (byFinger() || !free || model.role() === 'presenter') return;
    field.focus({ preventScroll: true });
    field.select();
  }

  function done(name: string): void {
    dock.close('welcome');
    if (name !== '') identity.rename(name);
  }

  function suggest(): void {
    const taken = model.people.all().map(({ name }) => name);
    const all = suggestions(taken, Math.random);
    if (!byFinger()) field.value = all[0] ?? '';
    names.replaceChildren(
      ...all.map((name) => {
        const button = make('button', { type: 'button' }, name);
        button.addEventListener('click', () => done(name));
        return button;
      }),
    );
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    done(cleanName(field.value));
  });
  byId('welcome-close', HTMLButtonElement).addEventListener('click', () => done(''));
  // A person who steers the flock does not want to be asked.
  byId('canvas', HTMLCanvasElement).addEventListener('pointerdown', () => dock.close('welcome'));

  return {
    opened(open) {
      document.documentElement.classList.toggle('asking', open);
      if (!open) return;
      suggest();
      takeFocus();
    },
    room: ({ unnamed }) => unnamed && hide(),
    status: ({ kind }) => kind === 'closed' && hide(),
  };
}
