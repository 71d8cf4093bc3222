// The WebSocket to the server: sends the hello, stores the identity, pings, notices silence, and reconnects after a loss, at the
// server's time or with backoff. Answers go to their requests; onMessage() takes all other messages, decoded. Malformed messages
// are counted and never throw.
//
// The connection uses the browser through Platform alone, so tests can simulate the clock.

import { backoff, comesBack } from './backoff';
import { type Clock, createClock } from './clock';
import { decode } from './decode';
import { type Goodbye, SUBPROTOCOL, type ServerMessage, encodeAway, encodeCursor, encodeHello, encodePing, request } from './protocol';
import type { Want } from './pace';
import { type Ask, createRequests } from './requests';

const WELCOME_WITHIN = 10_000; // ms from the attempt, or from a message, to the welcome
const SILENCE = 10_000; // ms without a message after which the connection counts as lost
const STEADY = 5000; // ms connected after which earlier failures are forgotten
const HEARTBEAT = 100; // ms between two checks of pings, silence and deadlines
const OPEN = 1; // WebSocket.OPEN
const BACKLOG = 16_384; // unsent bytes; with more, no cursor is sent
const AFTER_MAX = 600_000; // ms: the longest wait that a server can ask for

/** This client's own close codes, in the protocol's range for "come back". */
export const CLOSE_SILENT = 3400;
export const CLOSE_UNANSWERED = 3401;
const CLOSE_LEAVING = 1000;
const FULL = 3001; // the server's: the room or the server is full

export type Status =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  | { kind: 'waiting'; until: number; code: number; reason: string } // until: ms of Platform.now; code: of the close
  | { kind: 'closed'; code: number; reason: string };

/** The used part of WebSocket. */
export interface Socket {
  binaryType: BinaryType;
  readonly readyState: number;
  readonly bufferedAmount: number;
  onopen: ((event: Event) => unknown) | null;
  onmessage: ((event: MessageEvent<unknown>) => unknown) | null;
  onclose: ((event: CloseEvent) => unknown) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

export interface Platform {
  open(url: string, protocol: string): Socket;
  now(): number; // ms, monotonic
  every(ms: number, run: () => void): void;
  random(): number;
}

/** Stores the identity between loads of the page. */
export interface TokenStore {
  load(): Uint8Array | null;
  save(token: Uint8Array | null): void;
}

export interface Options {
  url: string;
  room: string; // its code
  encodings: readonly string[]; // of snapshots, the best first
  // For the hello:
  name(): string;
  key(): string; // the presenter key; empty: none
  join(): string; // the room's join key; empty: none
  want(): Want;
  tokens: TokenStore;
  platform: Platform;
  onStatus(status: Status): void;
  /** Takes every message except answers to requests. */
  onMessage(message: ServerMessage, arrival: number): void;
}

export interface Connection {
  start(): void;
  /** Connects at once if the next attempt is pending; does nothing otherwise. */
  retry(): void;
  /** Connects again after a close that ended the attempts, as the same person or as a new one. */
  rejoin(asNewPerson: boolean): void;
  /** Returns whether the cursor was sent. It is not sent without a connection or while more than BACKLOG bytes wait. */
  cursor(x: number, y: number): boolean;
  away(): void;
  ask: Ask;
  status(): Status;
  clock(): Clock;
  /** The time since the server's last message, ms; 0 without a connection. */
  silence(): number;
  /** The number of messages from the server that broke the protocol. */
  malformed(): number;
}

export function createConnection(options: Options): Connection {
  const { platform, tokens } = options;
  let status: Status = { kind: 'connecting' };
  let socket: Socket | null = null;
  let goodbye: Goodbye | null = null; // of the present socket
  let clock = createClock();
  let failures = 0;
  let malformed = 0;
  let began = 0; // when this attempt began, or its last message came
  let welcomed = 0; // when the welcome came
  let heard = 0; // when the last message came
  let shown = ''; // the key that the server knows from this socket
  let full = ''; // a key that did not get one of the presenters' places: as a rule it is wrong
  let stranded = false; // the connection stands, but the server cannot reach the room

  function setStatus(next: Status): void {
    status = next;
    options.onStatus(next);
  }

  function connect(): void {
    drop();
    clock = createClock();
    stranded = false;
    began = platform.now();
    setStatus({ kind: 'connecting' });
    let opened: Socket;
    try {
      opened = platform.open(options.url, SUBPROTOCOL);
    } catch (error) {
      onLost(0, error instanceof Error ? error.message : String(error));
      return;
    }
    socket = opened;
    opened.binaryType = 'arraybuffer';
    // Ignore the events of a socket that has been replaced.
    opened.onopen = () => {
      if (socket !== opened) return;
      const { room, encodings } = options;
      const { rate, boids } = options.want();
      const token = tokens.load();
      const [name, key, join] = [options.name(), options.key(), options.join()];
      shown = key === full ? '' : key;
      opened.send(encodeHello({ room, name, token, key: shown, join, encodings, rate, boids, topics: 0 }));
    };
    opened.onmessage = ({ data }) => {
      if (socket === opened && data instanceof ArrayBuffer) receive(data);
    };
    opened.onclose = ({ code, reason }) => {
      if (socket === opened) onLost(code, reason);
    };
  }

  /** Closes the socket and ignores its further events. */
  function drop(code = CLOSE_LEAVING): void {
    const old = socket;
    socket = null;
    goodbye = null;
    requests.lose();
    if (old === null) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close(code);
  }

  /** Returns whether the message was sent. A socket may be closed before its onclose() is called. */
  function send(message: Uint8Array<ArrayBuffer>): boolean {
    if (status.kind !== 'connected' || socket?.readyState !== OPEN) return false;
    socket.send(message);
    return true;
  }

  const requests = createRequests(send, platform.now);

  function receive(data: ArrayBuffer): void {
    const now = platform.now();
    heard = began = now; // a hello in line hears that it waits
    const message = decode(data);
    if (message.kind === 'malformed') malformed++;
    if (message.kind === 'pong') clock.pong(message.t, message.time, now);
    if (message.kind === 'goodbye') goodbye = message;
    if (message.kind === 'welcome') {
      tokens.save(message.token);
      if (stands()) begin();
      else welcomed = now;
    }
    if ((message.kind !== 'done' && message.kind !== 'error') || !requests.take(message)) options.onMessage(message, now);
    if (message.kind === 'welcome') {
      connected();
      showKey();
    }
    if (message.kind === 'reach') reach(message.there);
  }

  /** Whether there was a welcome on this socket. */
  const stands = (): boolean => status.kind === 'connected' || stranded;

  /** Another welcome: the room's server is another one, with another clock, or has forgotten what was asked. */
  function begin(): void {
    clock = createClock();
    requests.lose();
  }

  function connected(): void {
    stranded = false;
    setStatus({ kind: 'connected' });
  }

  /** Shows the key that was not in the hello. */
  function showKey(): void {
    const key = options.key();
    if (key !== '' && key !== shown) requests.ask(request.key(key));
    shown = key;
    full = '';
  }

  /** there: whether the server can reach the room. */
  function reach(there: boolean): void {
    if (!stands() || there !== stranded) return;
    if (there) return connected();
    stranded = true;
    setStatus({ kind: 'connecting' });
  }

  function onLost(closed: number, reason: string): void {
    const why = reason === '' ? 'no connection' : reason;
    const now = platform.now();
    const steady = stands() && now - welcomed >= STEADY;
    // The connection may end before the announced close arrives.
    const { code, after } = goodbye ?? { code: closed, after: null };
    drop();
    if (code === FULL && shown !== '') full = shown;
    if (!comesBack(code)) {
      setStatus({ kind: 'closed', code, reason });
      return;
    }
    const delay = after === null ? backoff(steady ? 0 : failures, platform.random) : Math.min(after, AFTER_MAX);
    failures = steady ? 1 : failures + 1;
    setStatus({ kind: 'waiting', until: now + delay, code, reason: why });
  }

  function checkTimes(): void {
    const now = platform.now();
    switch (status.kind) {
      case 'waiting':
        if (now >= status.until) connect();
        break;
      case 'connecting':
        if (stranded) keepUp(now);
        else if (now - began > WELCOME_WITHIN) closeSilent(CLOSE_UNANSWERED, 'no answer');
        break;
      case 'connected':
        keepUp(now);
        break;
      case 'closed':
        break;
    }
  }

  /** Pings, and notices silence. */
  function keepUp(now: number): void {
    if (now - heard > SILENCE) return closeSilent(CLOSE_SILENT, 'the server fell silent');
    requests.expire();
    const t = clock.ping(now);
    if (t !== null && socket?.readyState === OPEN) socket.send(encodePing(t));
  }

  function closeSilent(code: number, reason: string): void {
    drop(code);
    onLost(code, reason);
  }

  return {
    start() {
      connect();
      platform.every(HEARTBEAT, checkTimes);
    },
    retry() {
      if (status.kind === 'waiting') connect();
    },
    rejoin(asNewPerson) {
      if (status.kind !== 'closed') return;
      if (asNewPerson) tokens.save(null);
      failures = 0;
      connect();
    },
    cursor: (x, y) => socket !== null && socket.bufferedAmount <= BACKLOG && send(encodeCursor(x, y)),
    away: () => void send(encodeAway()),
    ask: requests.ask,
    status: () => status,
    clock: () => clock,
    silence: () => (status.kind === 'connected' ? platform.now() - heard : 0),
    malformed: () => malformed,
  };
}
