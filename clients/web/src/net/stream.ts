// The stream of snapshots: decodes packed ones for the timeline, asks for less if the page is too slow (pace.ts), and asks for
// a keyframe if a snapshot is missing.

import { type Want, createPace, strideFor } from './pace';
import { createPackedDecoder } from './packed';
import { type Granted, type Packed, type Sight, type Snapshot, type Stream, type Welcome, request } from './protocol';
import type { Ask } from './requests';

const RATE = 60; // snapshots per second; more would show no difference, as the page interpolates
const RATE_UNSEEN = 1; // Hz
const PERIOD = 1000; // ms between two reports to pace.ts
const ASK_GAP = 1000; // ms between two requests for a keyframe

/** A snapshot whose boids are positions. headings: 256ths of a turn from +x toward +y, a byte each; null: not known. */
export interface Sighting extends Sight {
  headings: Uint8Array | null;
  stride: number; // the snapshot has every stride-th boid of the flock
}

export interface StreamOptions {
  ask: Ask;
  now(): number; // ms
}

/** The granted stream, and counts. */
export interface StreamState extends Granted {
  encoding: string;
  full: number; // snapshots per second of the whole stream; 0: unknown yet
  slow: boolean; // the server granted less because the connection is slow
  keyframes: number;
  lost: number; // packed snapshots that could not be decoded
}

export interface SnapshotStream {
  /** The wish for the hello. */
  hello(): Want;
  welcomed(welcome: Welcome): void;
  granted(stream: Stream): void;
  /** Returns null if the snapshot is unusable. The positions are valid until the next call. */
  take(message: Snapshot | Packed, arrival: number): Sighting | null;
  /** Takes the time that the main thread spent on a frame, ms. */
  drew(took: number): void;
  /** Must be called often. Reports to pace.ts once per PERIOD. */
  tick(now: number): void;
  /** is: whether the page is visible. A hidden page asks for 1 snapshot per second, and its periods are not judged. Must also be called
   * after each welcome. */
  watch(is: boolean): void;
  /** Subscribes to a topic, by its number, or ends that. by: a name of the part of the page that needs it. A hidden page has none.
   * Returns whether some part still needs it. */
  subscribe(topic: number, is: boolean, by?: string): boolean;
  state(): StreamState;
}

/** Returns the maximum of snapshots per second that the page asks for. */
export const fullRate = (snapshotRate: number): number => snapshotRate / strideFor(snapshotRate, RATE);

export function createStream({ ask, now }: StreamOptions): SnapshotStream {
  const pace = createPace();
  let decoder = createPackedDecoder();
  let encoding = '';
  let full = 0; // maximum of snapshots per second that the page asks for
  let granted: Granted = { rate: 0, boids: 0, stride: 1 };
  let slow = false;
  let keyframes = 0;
  let lost = 0;
  let wanted = ''; // the last request
  let hailed = false; // a hello has had it
  let asked = -Infinity; // when the last keyframe was requested
  let watched = true;
  let topics: number | undefined; // undefined: never subscribed
  const needs = new Map<string, number>(); // topics, by the parts of the page
  let flock = 0; // boids
  let period = begin(0);

  function want(): Want {
    const { rate, boids } = pace.want();
    return { rate: watched ? rate || RATE : RATE_UNSEEN, boids };
  }

  function nextWant(subscribed?: number): Want {
    const each = want();
    wanted = asText(each, subscribed);
    return each;
  }

  const heard = (): number | undefined => (watched ? topics : topics && 0);

  function send(at: number): void {
    const { rate, boids } = nextWant(heard());
    asked = at;
    ask(request.want(rate, boids, heard()), ({ kind }) => {
      if (kind === 'lost') wanted = ''; // out of reach of the room, or one message too many: asks again
    });
  }

  /** Asks again if the page wants something else now. */
  function renew(at: number): void {
    if (full > 0 && asText(want(), heard()) !== wanted) send(at);
  }

  function decodePacked(message: Packed, arrival: number): Sighting | null {
    const result = decoder.decode(message.boids);
    if (result !== 'ok') {
      lost++;
      if (arrival - asked >= ASK_GAP) send(arrival);
      return null;
    }
    const headings = decoder.headings();
    if (headings !== null) keyframes++;
    return { ...message, boids: decoder.positions(), headings, stride: granted.stride };
  }

  return {
    hello() {
      hailed = true;
      return nextWant(topics && 0);
    },
    welcomed(welcome) {
      if (!hailed) wanted = ''; // another welcome: the server has forgotten the topics
      hailed = false;
      decoder = createPackedDecoder();
      ({ encoding } = welcome);
      granted = { rate: welcome.rate, boids: welcome.boids, stride: welcome.stride };
      slow = false;
      full = fullRate(welcome.room.snapshotRate);
      pace.restart(full);
      period = begin(now());
    },
    granted({ rate, boids, stride, slow: because }) {
      granted = { rate, boids, stride };
      slow = because;
    },
    take(message, arrival) {
      if (watched) period.came++;
      ({ flock } = message);
      if (message.kind === 'snapshot') return { ...message, headings: null, stride: granted.stride };
      const began = now();
      const sighting = decodePacked(message, arrival);
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
      pace.look({ ...period, passed, flock, slow });
      period = begin(at);
      renew(at);
    },
    watch(is) {
      watched = is;
      pace.restart(full);
      period = begin(now());
      renew(now());
    },
    subscribe(topic, is, by = '') {
      const own = needs.get(by) ?? 0;
      needs.set(by, is ? own | topic : own & ~topic);
      const next = [...needs.values()].reduce((all, each) => all | each, 0);
      if (next !== (topics ?? 0)) {
        topics = next;
        renew(now());
      }
      return (next & topic) !== 0;
    },
    state: () => ({ encoding, full, ...granted, slow, keyframes, lost }),
  };
}

const begin = (at: number) => ({
  began: at,
  came: 0,
  frames: 0,
  decoding: 0, // ms
  drawing: 0, // ms
});

const asText = ({ rate, boids }: Want, subscribed?: number): string => `${rate} ${boids} ${subscribed}`;
