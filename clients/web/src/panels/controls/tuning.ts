// The parameters' values between this person's hand and the server: what is changed here is shown at once and sent
// coalesced; what the server says is shown unless it is this person who is changing that parameter right now.

import type { Param } from '../../net/protocol';

const SEND_GAP = 1000 / 30; // ms between messages, over all parameters
const PATIENCE = 600; // ms for the server to take a value over; then what it says counts again

export interface Tuning {
  /** The room has other parameters than before, or other values. */
  update(): void;
  /** This person holds the parameter's slider, until release. */
  grab(name: string): void;
  release(name: string): void;
  change(name: string, value: number): void;
  /** The server did not take that value: its own counts. False if a newer one is on its way, whose answer counts. */
  refused(name: string, value: number): boolean;
}

export interface TuningOptions {
  /** The room's parameters, with the server's values. */
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
  sent: number; // when
}

export function createTuning({ params, send, show, now, later }: TuningOptions): Tuning {
  const own = new Map<string, Own>(); // being changed here
  let nextSend = -Infinity;
  let waiting = false; // for the moment of the next message

  /** The server's value; undefined: the room has no such parameter. */
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
      later(PATIENCE, () => settle(name));
    }
  }

  function settle(name: string): void {
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
        if (own.has(name)) settle(name);
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
      settle(name);
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
