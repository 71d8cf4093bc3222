// The identity in this person's hello: a name, the room's presenter key and its join key. The room may still know the person by another
// name.

import type { Model } from '../flock/model';
import { type Presenter, createPresenter, joinKeyIn, keyIn } from '../flock/presenter';
import { INVITE } from '../net/codes';
import { request } from '../net/protocol';
import type { Ask } from '../net/requests';
import { texts } from '../texts/texts';
import { errorText } from './errors';
import type { Settings } from './settings';
import type { View } from './view';

const REMOVED = 3507; // the close code of a person whom a presenter removed

export interface Identity extends View {
  name(): string;
  /** The name of the next hello. A new person without a name gets the name of a bird in the page's language; the server's are English. */
  greeting(): string;
  rename(name: string): void;
  presenter: Presenter;
  /** The room's join key; empty: there is none, or it is not known here. */
  joinKey(): string;
  useJoinKey(key: string): void;
  /** The fragment with the join key, which browsers send to no server; empty: there is none. */
  joinFragment(): string;
  /** Takes the keys out of the address, so that no bystander reads them and no bookmark keeps them. Returns whether the address
   * asks for the invitation. */
  takeKeys(): boolean;
}

export interface IdentityOptions {
  model: Model;
  settings: Settings;
  ask: Ask;
  /** Joins with another key, if the room refused this person. */
  rejoin(): void;
  say(text: string): void;
}

export function createIdentity({ model, settings, ask, rejoin, say }: IdentityOptions): Identity {
  let name = settings.name();
  let joinKey = settings.joinKeys.load();

  const presenter = createPresenter({
    keys: settings.keys,
    ask,
    onWrong: () => say(texts.errors.presenterKey),
    onRefused: (error) => say(errorText(error)),
  });

  function keepName(next: string): void {
    name = next;
    settings.keepName(next);
  }

  function useJoinKey(key: string): void {
    joinKey = key;
    settings.joinKeys.save(key);
    rejoin();
  }

  return {
    name: () => name,
    greeting: () => name || (settings.tokens.load() === null ? texts.welcome.bird() : ''),
    rename(next) {
      keepName(next);
      ask(request.name(next), (outcome) => {
        if (outcome.kind === 'done') model.renamed(next);
        if (outcome.kind !== 'error') return;
        // A name that was refused must not come back with the next hello.
        keepName(model.people.self()?.name ?? '');
        model.renamed(name);
        say(errorText(outcome));
      });
    },
    presenter,
    joinKey: () => joinKey,
    useJoinKey,
    joinFragment: () => (joinKey === '' ? '' : `#join=${joinKey}`),
    takeKeys() {
      const { hash } = location;
      const join = joinKeyIn(hash);
      if (join !== '') useJoinKey(join);
      const key = keyIn(hash);
      const given = presenter.take(hash);
      if (join !== '' || key !== null) history.replaceState(history.state, '', location.pathname + location.search);
      if (!given) say(texts.errors.badKey);
      return key !== null && new URLSearchParams(hash.slice(1)).has(INVITE);
    },
    people: () => void (name = model.people.self()?.name ?? name),
    room: ({ title }) => settings.keepTitle(title),
    status: (status) => status.kind === 'closed' && status.code === REMOVED && settings.keepToken(),
    called: keepName,
    key: presenter.rekeyed,
    keyRefused: presenter.refused,
  };
}
