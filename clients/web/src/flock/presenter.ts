// The key that makes a presenter, who may change the room. It comes in the address's fragment, which browsers do not send
// to servers, and is kept for as long as the tab lives.

import { type Role, type ServerError, request } from '../net/protocol';
import type { Ask, Outcome } from '../net/requests';

/** What a key can be, a presenter's or a room's join key: as the protocol has it. */
export const KEY = /^[a-z0-9-]{1,64}$/;

export interface KeyStore {
  load(): string;
  save(key: string): void; // empty: forget it
}

export interface Presenter {
  /** Takes the key of a fragment such as #key=KEY; false when it has one that can be none. */
  take(fragment: string): boolean;
  /** The key to say hello with; empty: none. */
  key(): string;
  /** The server says the role: in its welcome, or when it changes. */
  became(role: Role): void;
  /** The server has another key for the room now. */
  rekeyed(key: string): void;
  /** The server refused the key. */
  refused(): void;
}

export interface PresenterOptions {
  keys: KeyStore;
  ask: Ask;
  /** The key is a wrong one. */
  onWrong(): void;
  /** The server did not compare the key. */
  onRefused(error: ServerError): void;
}

export const keyIn = (fragment: string): string | null => new URLSearchParams(fragment.replace(/^#/, '')).get('key');

/** The room's join key in a fragment such as #join=KEY; empty: there is none that can be one. */
export function joinKeyIn(fragment: string): string {
  const given = new URLSearchParams(fragment.replace(/^#/, '')).get('join') ?? '';
  return KEY.test(given) ? given : '';
}

export function createPresenter({ keys, ask, onWrong, onRefused }: PresenterOptions): Presenter {
  let role: Role = 'viewer';
  let key = KEY.test(keys.load()) ? keys.load() : '';

  function keep(next: string): void {
    key = next;
    keys.save(key);
  }

  function refused(): void {
    keep('');
    onWrong();
  }

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
      keep(given);
      // Without a connection nothing is sent: the next hello says it.
      if (role !== 'presenter') ask(request.key(key), answered);
      return true;
    },
    key: () => key,
    became(next) {
      role = next;
    },
    rekeyed: keep,
    refused,
  };
}
