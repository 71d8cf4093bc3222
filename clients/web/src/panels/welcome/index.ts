// "Your name?", asked of a person who comes with a phone for the first time. The person is already in the room, under a name
// from the server.

import type { Model } from '../../flock/model';
import { cleanName } from '../../flock/names';
import { texts } from '../../texts/texts';
import { byId, make } from '../../app/dom';
import type { View } from '../../app/view';

const SUGGESTIONS = 4;

/** Returns some names that are not taken. */
export function suggestions(taken: readonly string[], random: () => number): string[] {
  const free = texts.welcome.names.filter((name) => !taken.some((each) => each.toLowerCase() === name.toLowerCase()));
  const chosen: string[] = [];
  while (chosen.length < SUGGESTIONS && free.length > 0) chosen.push(...free.splice(Math.floor(random() * free.length), 1));
  return chosen;
}

export interface WelcomeOptions {
  model: Model;
  /** Whether to ask: only on a phone, and only a person without a name. */
  wanted: boolean;
  /** A person who begins to steer here closes the question. */
  canvas: HTMLElement;
  onName(name: string): void;
  /** It covers another part of the window now. */
  onLayout(): void;
}

export interface Welcome extends View {
  /** CSS pixels at the window's bottom. */
  covers(): number;
}

export function createWelcome({ model, wanted, canvas, onName, onLayout }: WelcomeOptions): Welcome {
  const section = byId('welcome', HTMLElement);
  const names = byId('welcome-names', HTMLElement);
  const form = byId('welcome-form', HTMLFormElement);
  const field = byId('welcome-name', HTMLInputElement);
  let asking = wanted;

  function done(name: string): void {
    if (!asking) return;
    asking = false;
    section.hidden = true;
    document.documentElement.classList.remove('asking');
    onLayout();
    if (name !== '') onName(name);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    done(cleanName(field.value));
  });
  canvas.addEventListener('pointerdown', () => !section.hidden && done(''));

  return {
    people() {
      if (!asking || !section.hidden) return;
      const taken = model.people.all().map(({ name }) => name);
      names.replaceChildren(
        ...suggestions(taken, Math.random).map((name) => {
          const button = make('button', { type: 'button' }, name);
          button.addEventListener('click', () => done(name));
          return button;
        }),
      );
      section.hidden = false;
      document.documentElement.classList.add('asking');
      onLayout();
    },
    role: (role) => role === 'presenter' && done(''),
    status: ({ kind }) => kind === 'closed' && done(''),
    covers: () => section.offsetHeight,
  };
}
