// The page's knowledge of its room. apply() takes every update; views read the model and are called after a change. The model
// does not use the browser.

import type { Status } from '../net/connection';
import type {
  Clusters,
  Leads,
  Penned,
  Param,
  Past,
  Pushes,
  Role,
  Room,
  RoomEvent,
  ServerError,
  Swept,
  Things,
  Welcome,
  Why,
} from '../net/protocol';
import type { Update } from '../net/source';
import { fullRate } from '../net/stream';
import { hasLeaders } from './leads';
import { type News, type Slowness, eventNews, movedNews, slowness } from './news';
import { secondsBack } from './past';
import { type People, createPeople } from './people';
import { type Samples, createSamples } from './samples';
import { type Series, createSeries } from './series';
import { type Standing, standing } from './standing';
import { type Moment, type Timeline, createTimeline } from './timeline';

const SLOW_TIME = 15_000; // ms for which the room counts as slow after the server's last event about it
const FIRST_WAIT = 250; // ms after which the first snapshot of a room is shown although there is no second one

const NOW: Past = { kind: 'past', shown: false, span: 0, back: 0, speed: 0 };

/** The moment that is on the screen, and its room. */
export interface Shown {
  room: Room;
  moment: Moment;
}

/** A change of the past. */
export interface PastChange {
  back: number; // how long before the end of the past it was, s
  text: string; // such as "Ada: max_force 0.05 → 0.1"
}

/** A view. Its functions are called after the model has changed; for each of them the model has a getter with the same value. */
export interface Subscriber {
  status?(status: Status): void;
  /** The server described the room: another room, or a change. */
  room?(room: Room): void;
  params?(params: readonly Param[]): void;
  /** A person came, left or changed. */
  people?(): void;
  role?(role: Role): void;
  /** The room has a new presenter key, which the server has sent to this person. */
  key?(key: string): void;
  /** The presenter key of the hello is wrong. */
  keyRefused?(): void;
  news?(news: News): void;
  /** A presenter has renamed this person. */
  called?(name: string): void;
  /** The room shows another moment, of its past or the present. */
  past?(past: Past): void;
  /** Other leaders, or another number of boids that follow them. */
  leads?(leads: Leads): void;
  /** Another number of boids in the pen, or another second. */
  penned?(penned: Penned): void;
  /** The server has counted the clusters of the flock. */
  clusters?(clusters: Clusters): void;
  /** The server explains why a boid turns: the picked one, or the one that a presenter shows. */
  why?(why: Why): void;
  /** The server has sent how the rules of a changing parameter push a sample of boids. */
  pushes?(pushes: Pushes): void;
  /** The newest sweep of the room has another point, or another state. */
  swept?(swept: Swept): void;
  /** The food and the hunters of the flock. */
  things?(things: Things): void;
  /** The room drops ticks. */
  slow?(slowness: Slowness): void;
  /** The server refused a request that has no callback. */
  error?(error: ServerError): void;
}

export interface Model {
  apply(update: Update, arrival: number): void;
  subscribe(subscriber: Subscriber): void;
  /** Calls a late view with the present state. */
  inform(subscriber: Subscriber): void;
  /** Whether the page is visible. A hidden page does not catch up on snapshots. */
  watch(is: boolean): void;
  /** Returns the moment to show at now (ms, page's clock), or null before the first snapshot. */
  sample(now: number): Shown | null;
  /** The moment that was sampled last. */
  shown(): Shown | null;
  status(): Status;
  /** The server's reason for ending the connection; null: none since the last attempt. */
  refusal(): ServerError | null;
  welcome(): Welcome | null;
  room(): Room | null;
  /** The moment of its past that the room shows, if it shows one. */
  past(): Past;
  /** Seconds from the moment that the room shows to the present, at now (ms of the page's clock). null: it shows the present. */
  secondsBack(now: number): number | null;
  /** The newest leaders; null: none since the welcome. */
  leads(): Leads | null;
  /** The boids in the pen; null: the room has no pen, or the server has not counted yet. */
  penned(): Penned | null;
  /** The newest count of clusters; null: none since the welcome. */
  clusters(): Clusters | null;
  /** The newest explanation of the boid that a presenter shows (shown), or of this person's; null: none since the welcome. */
  why(shown: boolean): Why | null;
  /** The newest pushes of a changing parameter on a sample of boids; null: none since the welcome. */
  pushes(): Pushes | null;
  /** The newest food and hunters; null: none since the welcome. */
  things(): Things | null;
  /** The newest sweep of the room; null: not known. */
  swept(): Swept | null;
  /** The changes of the past that the room shows, the oldest first. */
  marks(): readonly PastChange[];
  people: People;
  /** This person has another name, by a request of this page. */
  renamed(name: string): void;
  role(): Role;
  /** The presenter key that the server has sent; empty: none. */
  key(): string;
  /** Whether the presenter key of the last hello is wrong. */
  keyRefused(): boolean;
  /** The last news; null: none yet. */
  news(): News | null;
  /** The name that a presenter has given to this person; null: none. */
  called(): string | null;
  /** The ticks that the room drops at now (ms of the page's clock); null: none. */
  slow(now: number): Slowness | null;
  /** The last refusal of a request that has no callback; null: none yet. */
  error(): ServerError | null;
  standing(): Standing;
  timeline(): Timeline | null;
  series: Series;
  samples: Samples;
}

export function createModel(): Model {
  const subscribers: Subscriber[] = [];
  const people = createPeople();
  const series = createSeries();
  const samples = createSamples();
  let status: Status = { kind: 'connecting' };
  let end: ServerError | null = null; // why the server ends the connection
  let welcome: Welcome | null = null;
  let room: Room | null = null;
  let past = NOW;
  let pastAt = 0; // when the server sent it, ms of the page's clock
  let leads: Leads | null = null;
  let penned: Penned | null = null;
  let clusters: Clusters | null = null;
  let whys: Partial<Record<'own' | 'shown', Why>> = {};
  let things: Things | null = null;
  let swept: Swept | null = null;
  let pushes: Pushes | null = null;
  let marks: readonly PastChange[] = [];
  let role: Role = 'viewer';
  let key = '';
  let keyRefused = false;
  let news: News | null = null;
  let called: string | null = null;
  let slow: Slowness | null = null;
  let slowAt = 0; // when the event came, ms of the page's clock
  let error: ServerError | null = null;
  let joined = false; // the connection has had its welcome
  let timeline: Timeline | null = null;
  let shown: Shown | null = null;
  let entered = 0; // when the server last described the room
  let rate = 0; // snapshots per second, as granted
  let watched = true;

  function each(tell: (subscriber: Subscriber) => void): void {
    for (const subscriber of subscribers) tell(subscriber);
  }

  function become(next: Role): void {
    people.became(next);
    if (next === role) return;
    role = next;
    each((view) => view.role?.(next));
  }

  function enter(next: Room, now: number): void {
    const before = room;
    room = next;
    entered = now;
    if (next.pen === null) penned = null;
    if (!hasLeaders(next)) leads = null;
    // Positions of another world and times of another clock cannot be interpolated with the previous ones.
    const same =
      before !== null &&
      before.instance === next.instance &&
      before.world.join() === next.world.join() &&
      before.quantum === next.quantum &&
      before.boundary === next.boundary;
    if (timeline === null || !same) timeline = createTimeline(next, watched ? rate : fullRate(next.snapshotRate));
    if (!same || before.model !== next.model) series.restart();
    if (before !== null && before.instance !== next.instance) samples.restart();
    each((view) => view.room?.(next));
  }

  function happened(event: RoomEvent, arrival: number): void {
    if (room === null) return;
    samples.mark(event.name, { tick: event.tick, text: textOf(event) });
    const dropped = slowness(event);
    if (dropped !== null) {
      slow = dropped;
      slowAt = arrival;
      each((view) => view.slow?.(dropped));
    }
    if (event.name === 'rename' && Number(event.what) === welcome?.id) {
      called = event.to;
      each((view) => view.called?.(event.to));
    }
    tell(eventNews(event, room, event.by !== 0 && event.by === welcome?.id));
  }

  function tell(told: News | null): void {
    if (told === null) return;
    news = told;
    each((view) => view.news?.(told));
  }

  /** Returns an event as text, such as "Ada: max_force 0.05 → 0.1". */
  const textOf = (mark: Omit<RoomEvent, 'kind' | 'tick'>): string =>
    room === null ? '' : (eventNews({ kind: 'event', tick: 0, ...mark }, room, false)?.title ?? '');

  function refused(refusal: ServerError): void {
    // The world shrank while this cursor was on its way. Its next move will be inside.
    if (refusal.code === 'range' && (refusal.field === 'x' || refusal.field === 'y')) return;
    if (refusal.code === 'key') {
      keyRefused = true;
      each((view) => view.keyRefused?.());
    } else if (refusal.fatal) {
      end = refusal; // the page shows it when the connection closes
    } else {
      error = refusal;
      each((view) => view.error?.(refusal));
    }
  }

  return {
    apply(update, arrival) {
      switch (update.kind) {
        case 'status':
          status = update.status;
          if (status.kind === 'connecting') end = null;
          if (status.kind !== 'connected') series.restart();
          if (status.kind === 'waiting' || status.kind === 'closed') joined = false;
          each((view) => view.status?.(update.status));
          break;
        case 'welcome': {
          const moved = joined && room?.instance !== update.room.instance;
          joined = true;
          welcome = update;
          keyRefused = false;
          rate = update.rate;
          timeline = null;
          leads = penned = clusters = things = pushes = swept = null;
          samples.count(null);
          whys = {};
          marks = [];
          people.welcomed(update, update.role);
          become(update.role);
          enter(update.room, arrival);
          past = NOW; // unless the server sends a moment of the past
          each((view) => view.past?.(past));
          each((view) => view.people?.());
          if (moved) tell(movedNews());
          break;
        }
        case 'room':
          enter(update.room, arrival);
          break;
        case 'params': {
          if (room === null) break;
          const { params } = room;
          params.forEach((param, index) => (param.value = update.values[index] ?? param.value));
          each((view) => view.params?.(params));
          break;
        }
        case 'role':
          become(update.role);
          each((view) => view.people?.());
          break;
        case 'key':
          key = update.key;
          each((view) => view.key?.(key));
          break;
        case 'presence':
          if (people.take(update)) each((view) => view.people?.());
          break;
        case 'self':
          people.told(update);
          each((view) => view.people?.());
          break;
        case 'sighting':
          if (room !== null) for (const each of [series, samples]) each.take(update.sighting, 1000 / room.tickRate);
          if (watched) timeline?.push(update.sighting, arrival);
          break;
        case 'stream':
          // A hidden page gets snapshots at another rate, so the timeline begins again.
          if (!watched) break;
          rate = update.rate;
          timeline?.follow(rate);
          break;
        case 'event':
          happened(update, arrival);
          break;
        case 'error':
          refused(update);
          break;
        case 'past':
          past = update;
          pastAt = arrival;
          each((view) => view.past?.(past));
          break;
        case 'leads':
          leads = update;
          each((view) => view.leads?.(update));
          break;
        case 'penned':
          penned = update;
          each((view) => view.penned?.(update));
          break;
        case 'clusters':
          clusters = update;
          samples.count(update.count);
          each((view) => view.clusters?.(update));
          break;
        case 'why':
          whys[update.shown ? 'shown' : 'own'] = update;
          each((view) => view.why?.(update));
          break;
        case 'pushes':
          pushes = update;
          each((view) => view.pushes?.(update));
          break;
        case 'swept':
          swept = update;
          each((view) => view.swept?.(update));
          break;
        case 'things':
          things = update;
          each((view) => view.things?.(update));
          break;
        case 'marks':
          marks = update.marks.map(({ back, ...mark }) => ({ back, text: textOf(mark) }));
          break;
        case 'pong':
        case 'reach':
        case 'done':
        case 'goodbye':
        case 'ignored':
        case 'malformed':
          break;
      }
    },
    subscribe: (subscriber) => void subscribers.push(subscriber),
    inform(subscriber) {
      if (room === null) return;
      subscriber.status?.(status);
      subscriber.role?.(role);
      subscriber.room?.(room);
      subscriber.past?.(past);
      subscriber.people?.();
    },
    watch(is) {
      watched = is;
      if (!is) samples.count(null); // a hidden page has no topics
    },
    sample(now) {
      const moment = timeline?.sample(now) ?? null;
      if (moment === null || room === null) return shown;
      // Headings need two snapshots, and the second one arrives soon.
      const whole = shown?.room === room || moment.a !== moment.b || now - entered > FIRST_WAIT;
      if (whole) shown = { room, moment };
      return shown;
    },
    shown: () => shown,
    status: () => status,
    refusal: () => end,
    welcome: () => welcome,
    room: () => room,
    past: () => past,
    leads: () => leads,
    penned: () => penned,
    clusters: () => clusters,
    why: (shown) => whys[shown ? 'shown' : 'own'] ?? null,
    things: () => things,
    swept: () => swept,
    pushes: () => pushes,
    marks: () => marks,
    secondsBack: (now) => (past.shown ? secondsBack(past, now - pastAt) : null),
    people,
    renamed(name) {
      people.renamed(name);
      each((view) => view.people?.());
    },
    role: () => role,
    key: () => key,
    keyRefused: () => keyRefused,
    news: () => news,
    called: () => called,
    slow: (now) => (now - slowAt < SLOW_TIME ? slow : null),
    error: () => error,
    standing: () => (room === null ? 'watches' : standing(room, role === 'presenter')),
    timeline: () => timeline,
    series,
    samples,
  };
}
