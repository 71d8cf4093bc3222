// Computes the offset of the server's clock from pings: five pings 120 ms apart, then one every 2 s. Of the last SAMPLES pings, the
// clock ignores round trips of more than twice the median. The offset is the median of the others.

import { median } from '../numbers';

const SAMPLES = 8;
const FIRST = 5;
const FIRST_GAP = 120; // ms between the first pings
const GAP = 2000; // ms between the later ones
const PENDING_MAX = 8;

export interface Clock {
  /** Returns the payload of a ping to send (µs, local clock), or null if none is due. now: ms. */
  ping(now: number): number | null;
  /** Takes the pong (both times in µs) that arrived at now (ms). Ignores pongs without a ping. */
  pong(t: number, serverTime: number, now: number): void;
  /** Server clock minus local clock, ms; null before the first pong. */
  offset(): number | null;
  /** Median round trip, ms; null before the first pong. */
  roundTrip(): number | null;
}

interface Sample {
  offset: number;
  roundTrip: number;
}

export function createClock(): Clock {
  const pending = new Map<number, number>(); // payload → time of sending, ms
  const samples: Sample[] = [];
  let sent = 0;
  let due = -Infinity;
  let offset: number | null = null;
  let roundTrip: number | null = null;

  function estimate(): void {
    const typical = median(samples.map((sample) => sample.roundTrip));
    const good = samples.filter((sample) => sample.roundTrip <= 2 * typical);
    offset = median(good.map((sample) => sample.offset));
    roundTrip = median(good.map((sample) => sample.roundTrip));
  }

  return {
    ping(now) {
      if (now < due) return null;
      due = now + (++sent < FIRST ? FIRST_GAP : GAP);
      const payload = Math.max(0, Math.round(now * 1000));
      pending.set(payload, now);
      for (const old of pending.keys()) if (pending.size > PENDING_MAX) pending.delete(old);
      return payload;
    },
    pong(t, serverTime, now) {
      const at = pending.get(t);
      if (at === undefined) return;
      pending.delete(t);
      const trip = Math.max(0, now - at);
      samples.push({ roundTrip: trip, offset: serverTime / 1000 + trip / 2 - now });
      if (samples.length > SAMPLES) samples.shift();
      estimate();
    },
    offset: () => offset,
    roundTrip: () => roundTrip,
  };
}
