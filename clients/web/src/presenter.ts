// Who this person is to the room: a viewer, or a presenter, who may change it. The key that makes a presenter comes in
// the address's fragment, which browsers do not send to servers, and is kept for as long as the tab lives.

import { type Role, encodeKey } from './protocol';

const KEY = /^[a-z0-9-]{1,64}$/; // as the protocol has it

export interface KeyStore {
  load(): string;
  save(key: string): void; // empty: forget it
}

export interface Presenter {
  /** Takes the key of a fragment such as #key=KEY; false when it has one that can be none. */
  take(fragment: string): boolean;
  welcomed(role: Role): void;
  became(role: Role): void;
  /** The server refused the key. */
  refused(): void;
  is(): boolean;
}

export interface PresenterOptions {
  keys: KeyStore;
  send(message: Uint8Array<ArrayBuffer>): void;
  onChange(presenter: boolean): void;
}

export const keyIn = (fragment: string): string | null => new URLSearchParams(fragment.replace(/^#/, '')).get('key');

export function createPresenter({ keys, send, onChange }: PresenterOptions): Presenter {
  let role: Role = 'viewer';
  let connected = false; // at least once
  let key = keys.load();

  function become(next: Role): void {
    if (next === role) return;
    role = next;
    onChange(role === 'presenter');
  }

  function ask(): void {
    if (KEY.test(key)) send(encodeKey(key));
  }

  return {
    take(fragment) {
      const given = keyIn(fragment);
      if (given === null) return true;
      if (!KEY.test(given)) return false;
      key = given;
      keys.save(key);
      if (connected && role !== 'presenter') ask();
      return true;
    },
    welcomed(next) {
      connected = true;
      // Whoever was a presenter and has the key will be one again in a moment: nothing needs to disappear for that.
      if (next === 'presenter' || key === '') become(next);
      if (next !== 'presenter') ask();
    },
    became: become,
    refused() {
      key = '';
      keys.save('');
      become('viewer');
    },
    is: () => role === 'presenter',
  };
}
