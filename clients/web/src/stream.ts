// The stream of snapshots, from the messages to what the timeline takes: decodes the packed ones, asks for less when the
// page cannot keep up (pace.ts), and for a keyframe when the thread is lost.

import { median } from './numbers';
import { type Want, createPace } from './pace';
import { createPackedDecoder } from './packed';
import { type Packed, type Snapshot, type Stream, type Welcome, encodeWant } from './protocol';
import type { Sighting } from './timeline';

const PERIOD = 1000; // ms between two looks at how it goes
const ASK_GAP = 1000; // ms between two wants for a keyframe
const RATE_UNSEEN = 1; // Hz

export interface StreamOptions {
  send(message: Uint8Array<ArrayBuffer>): void;
  now(): number; // ms
}

/** What the page has of the stream. */
export interface StreamState {
  encoding: string;
  full: number; // snapshots per second, when all goes well
  rate: number; // the same, as granted now
  limit: number; // boids in each at most, as granted; 0: all
  keyframes: number;
  lost: number; // packed snapshots of no use
}

export interface SnapshotStream {
  welcomed(welcome: Welcome): void;
  granted(stream: Stream): void;
  /** null: of no use. The positions are valid until the next call. */
  take(message: Snapshot | Packed, arrival: number, tickRate: number): Sighting | null;
  /** The main thread has worked that long on a frame, ms. */
  drew(took: number): void;
  /** Looks at how it goes, from time to time: call it often. */
  tick(now: number): void;
  /** Whether anyone is looking: if not, little is asked for, and what happens says nothing. To be told of each connection
   * once it takes messages, too: what held before it is asked for again. */
  watch(is: boolean): void;
  state(): StreamState;
}

export function createStream({ send, now }: StreamOptions): SnapshotStream {
  const pace = createPace();
  let decoder = createPackedDecoder();
  let encoding = '';
  let full = 0; // snapshots per second, of all that the page ever wants
  let rate = 0; // as granted
  let limit = 0;
  let keyframes = 0;
  let lost = 0;
  let wanted = ''; // what was asked for last
  let asked = -Infinity; // when
  let watched = true;
  let last = { epoch: NaN, tick: NaN, flock: 0 }; // of the snapshots
  let period = begin(0);

  function wish(): Want {
    const { rate, boids } = pace.want(last.flock);
    return { rate: watched ? rate : RATE_UNSEEN, boids };
  }

  function want(at: number): void {
    const next = wish();
    wanted = written(next);
    asked = at;
    send(encodeWant(next.rate, next.boids));
  }

  /** How many snapshots the server left out before this one. */
  function missed({ epoch, tick }: Snapshot | Packed, tickRate: number): number {
    const ticks = epoch === last.epoch ? tick - last.tick : NaN;
    return ticks > 0 ? Math.max(0, Math.round((ticks * rate) / tickRate) - 1) : 0;
  }

  function unpack(message: Packed, arrival: number): Sighting | null {
    const result = decoder.decode(message.boids);
    if (result !== 'ok') {
      lost++;
      if (arrival - asked >= ASK_GAP) want(arrival);
      return null;
    }
    const headings = decoder.headings();
    if (headings !== null) keyframes++;
    return { ...message, boids: decoder.positions(), headings };
  }

  return {
    welcomed(welcome) {
      decoder = createPackedDecoder();
      ({ encoding, rate } = welcome);
      full = rate;
      limit = 0;
      last.epoch = NaN;
      wanted = written({ rate: Math.ceil(full), boids: 0 });
      pace.restart(full);
      period = begin(now());
    },
    granted(stream) {
      ({ rate, boids: limit } = stream);
      last.epoch = NaN;
    },
    take(message, arrival, tickRate) {
      if (watched) {
        period.came++;
        period.skipped += missed(message, tickRate);
        period.delays.push(arrival - message.time / 1000);
      }
      const { epoch, tick, flock } = message;
      last = { epoch, tick, flock };
      if (message.kind === 'snapshot') return { ...message, headings: null };
      const began = now();
      const sighting = unpack(message, arrival);
      period.decoding += now() - began;
      return sighting;
    },
    drew(took) {
      period.frames++;
      period.drawing += took;
    },
    tick(at) {
      const passed = at - period.began;
      if (passed < PERIOD) return;
      pace.look({ ...period, passed, due: (rate * passed) / 1000, delay: median(period.delays), flock: last.flock });
      period = begin(at);
      if (written(wish()) !== wanted) want(at);
    },
    watch(is) {
      watched = is;
      pace.restart(full);
      period = begin(now());
      if (full > 0 && written(wish()) !== wanted) want(now());
    },
    state: () => ({ encoding, full, rate, limit, keyframes, lost }),
  };
}

const begin = (at: number) => ({
  began: at,
  came: 0,
  skipped: 0,
  delays: [] as number[], // ms
  frames: 0,
  decoding: 0, // ms
  drawing: 0, // ms
});

const written = ({ rate, boids }: Want): string => `${rate} ${boids}`;
