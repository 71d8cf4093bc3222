// The presenter key. A presenter can change the room. The key comes in the address's fragment, which browsers do not send to
// servers. The browser keeps it until the person forgets the room on the start page, or the server refuses it.

import { type ServerError, request } from '../net/protocol';
import type { Ask, Outcome } from '../net/requests';

/** The form of presenter keys and join keys (PROTOCOL.md). */
export const KEY = /^[a-z0-9-]{1,64}$/;

export interface KeyStore {
  load(): string;
  save(key: string): void; // empty: forget it
}

export interface Presenter {
  /** Takes the key of a fragment such as #key=KEY. Returns false if the key's form is wrong. */
  take(fragment: string): boolean;
  /** The key for the hello; empty: none. */
  key(): string;
  /** The server sent the room's new key. */
  rekeyed(key: string): void;
  /** The server refused the key. */
  refused(): void;
}

export interface PresenterOptions {
  keys: KeyStore;
  ask: Ask;
  /** The key is wrong. */
  onWrong(): void;
  /** The server did not compare the key. */
  onRefused(error: ServerError): void;
}

export const keyIn = (fragment: string): string | null => new URLSearchParams(fragment.replace(/^#/, '')).get('key');

/** Returns the join key in a fragment such as #join=KEY, or an empty string if there is none or its form is wrong. */
export function joinKeyIn(fragment: string): string {
  const given = new URLSearchParams(fragment.replace(/^#/, '')).get('join') ?? '';
  return KEY.test(given) ? given : '';
}

export function createPresenter({ keys, ask, onWrong, onRefused }: PresenterOptions): Presenter {
  let key = KEY.test(keys.load()) ? keys.load() : '';
  let before = key; // the key that was known before the last one in an address

  function keep(next: string): void {
    key = next;
    keys.save(key);
  }

  /** An old link must not lose the room: shows the key that was known before, or that another tab has kept since then. */
  function refused(): void {
    keep([keys.load(), before].find((each) => each !== key) ?? '');
    if (key === '') onWrong();
    else show();
  }

  /** Without a connection the next hello has the key. */
  const show = (): void => ask(request.key(key), answered);

  function answered(outcome: Outcome): void {
    if (outcome.kind !== 'error') return;
    if (outcome.code === 'key') refused();
    else onRefused(outcome);
  }

  return {
    take(fragment) {
      const given = keyIn(fragment);
      if (given === null) return true;
      if (!KEY.test(given)) return false;
      before = key;
      keep(given);
      show();
      return true;
    },
    key: () => key,
    rekeyed: keep,
    refused,
  };
}
