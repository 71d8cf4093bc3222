// The source of a page's updates, in order and ready for the model, and of answers to requests. A live source is the connection
// to a room with its stream of snapshots.

import { type Connection, type Options, type Status, createConnection } from './connection';
import type { Packed, ServerMessage, Snapshot } from './protocol';
import { type Sighting, type SnapshotStream, type StreamState, createStream } from './stream';

/** An update: a new status, a decoded snapshot, or another message of the server. */
export type Update =
  | { kind: 'status'; status: Status }
  | { kind: 'sighting'; sighting: Sighting }
  | Exclude<ServerMessage, Snapshot | Packed>;

export interface Source
  extends Pick<Connection, 'start' | 'retry' | 'rejoin' | 'cursor' | 'away' | 'ask' | 'status' | 'silence' | 'malformed'>,
    Pick<SnapshotStream, 'drew' | 'tick' | 'subscribe'> {
  /** is: whether the page is visible. */
  watch(is: boolean): void;
  stream(): StreamState;
  roundTrip(): number | null; // ms
  offset(): number | null; // the source's clock minus the page's, ms
}

export interface LiveOptions extends Omit<Options, 'onStatus' | 'onMessage' | 'want'> {
  /** arrival: ms of the platform's clock. The positions of a snapshot are valid until the next update. */
  onUpdate(update: Update, arrival: number): void;
}

export function createLiveSource(options: LiveOptions): Source {
  const { platform, onUpdate } = options;
  let watched = true;

  const connection = createConnection({
    ...options,
    want: () => stream.hello(),
    onStatus(status) {
      onUpdate({ kind: 'status', status }, platform.now());
      if (status.kind === 'connected') stream.watch(watched);
    },
    onMessage: receive,
  });
  const stream = createStream({ ask: connection.ask, now: platform.now });

  function receive(message: ServerMessage, arrival: number): void {
    if (message.kind === 'snapshot' || message.kind === 'packed') {
      const sighting = stream.take(message, arrival);
      if (sighting !== null) onUpdate({ kind: 'sighting', sighting }, arrival);
      return;
    }
    if (message.kind === 'welcome') stream.welcomed(message);
    if (message.kind === 'stream') stream.granted(message);
    onUpdate(message, arrival);
  }

  return {
    start: connection.start,
    retry: connection.retry,
    rejoin: connection.rejoin,
    cursor: connection.cursor,
    away: connection.away,
    ask: connection.ask,
    status: connection.status,
    silence: connection.silence,
    malformed: connection.malformed,
    drew: stream.drew,
    tick: stream.tick,
    subscribe: stream.subscribe,
    watch(is) {
      watched = is;
      stream.watch(is);
    },
    stream: stream.state,
    roundTrip: () => connection.clock().roundTrip(),
    offset: () => connection.clock().offset(),
  };
}
