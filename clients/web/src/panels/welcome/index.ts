// Asks a person who joins with a phone for the first time for a name. The person is already in the room, with a name from the server.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { cleanName } from '../../flock/names';
import { texts } from '../../texts/texts';
import { byId, make } from '../../app/dom';

const SUGGESTIONS = 4;

/** Returns some names that are not taken. */
export function suggestions(taken: readonly string[], random: () => number): string[] {
  const free = texts.welcome.names.filter((name) => !taken.some((each) => each.toLowerCase() === name.toLowerCase()));
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

  function done(name: string): void {
    dock.close('welcome');
    if (name !== '') identity.rename(name);
  }

  function suggest(): void {
    const taken = model.people.all().map(({ name }) => name);
    names.replaceChildren(
      ...suggestions(taken, Math.random).map((name) => {
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
  // A person who steers the flock does not want to be asked.
  byId('canvas', HTMLCanvasElement).addEventListener('pointerdown', () => dock.close('welcome'));

  return {
    opened(open) {
      document.documentElement.classList.toggle('asking', open);
      if (open) suggest();
    },
    role: (role) => role === 'presenter' && dock.close('welcome'),
    status: ({ kind }) => kind === 'closed' && dock.close('welcome'),
  };
}
