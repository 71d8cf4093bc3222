// The parameters' values between this person and the server. The page shows this person's changes at once and sends them coalesced. It
// shows the server's values, except of a parameter that this person is changing now.

import type { Param } from '../../net/protocol';

const SEND_GAP = 1000 / 30; // ms between messages, over all parameters
const PATIENCE = 600; // ms after a change; then the page shows the server's value again

export interface Tuning {
  /** Must be called when the room has other parameters or values. */
  update(): void;
  /** Must be called when this person presses the parameter's slider. release() ends this. */
  grab(name: string): void;
  release(name: string): void;
  change(name: string, value: number): void;
  /** Must be called when the server refused a value. Shows the server's value, unless this person has set a newer one: then returns
   * false. */
  refused(name: string, value: number): boolean;
}

export interface TuningOptions {
  /** Returns the room's parameters with the server's values. */
  params(): readonly Param[];
  send(name: string, value: number): void;
  show(name: string, value: number): void;
  now(): number; // ms
  later(ms: number, run: () => void): void;
}

interface Own {
  value: number;
  held: boolean;
  unsent: boolean;
  sent: number; // when, ms
}

export function createTuning({ params, send, show, now, later }: TuningOptions): Tuning {
  const own = new Map<string, Own>(); // parameters that this person is changing
  let nextSend = -Infinity;
  let waiting = false; // a call of later() will send the next message

  /** Returns the server's value, or undefined if the room has no such parameter. */
  const serverValue = (name: string): number | undefined => params().find((each) => each.name === name)?.value;

  function flush(): void {
    if (waiting) return;
    for (const [name, each] of own) {
      if (!each.unsent) continue;
      const at = now();
      if (at < nextSend) {
        waiting = true;
        later(nextSend - at, () => {
          waiting = false;
          flush();
        });
        return;
      }
      nextSend = at + SEND_GAP;
      each.unsent = false;
      each.sent = at;
      send(name, each.value);
      later(PATIENCE, () => endChange(name));
    }
  }

  function endChange(name: string): void {
    const each = own.get(name);
    const value = serverValue(name);
    if (each === undefined || value === undefined || each.held || each.unsent) return;
    // The server keeps values in 32 bits.
    if (value !== Math.fround(each.value) && now() - each.sent < PATIENCE) return;
    own.delete(name);
    show(name, value);
  }

  return {
    update() {
      for (const name of own.keys()) if (serverValue(name) === undefined) own.delete(name);
      for (const { name, value } of params()) {
        if (own.has(name)) endChange(name);
        else show(name, value);
      }
    },
    grab(name) {
      const value = serverValue(name);
      if (value === undefined) return;
      const each = own.get(name);
      if (each !== undefined) each.held = true;
      else own.set(name, { value, held: true, unsent: false, sent: -Infinity });
    },
    release(name) {
      const each = own.get(name);
      if (each === undefined) return;
      each.held = false;
      endChange(name);
    },
    change(name, value) {
      if (serverValue(name) === undefined) return;
      const each = own.get(name);
      if (each === undefined) own.set(name, { value, held: false, unsent: true, sent: now() });
      else Object.assign(each, { value, unsent: true });
      show(name, value);
      flush();
    },
    refused(name, asked) {
      const value = serverValue(name);
      const each = own.get(name);
      if (value === undefined || each === undefined) return true;
      if (each.value !== asked) return false;
      if (!each.held) own.delete(name);
      else Object.assign(each, { value, unsent: false });
      show(name, value);
      return true;
    },
  };
}
