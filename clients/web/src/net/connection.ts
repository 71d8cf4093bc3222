// The WebSocket to the server and its life: says hello, keeps the identity, pings, notices silence, and comes back after
// a loss: when the server said, else with backoff. Answers go to whoever asked; all else that the server says is handed on
// decoded. Malformed messages are counted, not thrown.
//
// What it needs of the browser comes in through Platform, so that the tests drive it with a simulated clock.

import { backoff, comesBack } from './backoff';
import { type Clock, createClock } from './clock';
import { decode } from './decode';
import { type Goodbye, SUBPROTOCOL, type ServerMessage, encodeAway, encodeCursor, encodeHello, encodePing } from './protocol';
import type { Want } from './pace';
import { type Ask, createRequests } from './requests';

const WELCOME_WITHIN = 10_000; // ms from the attempt to the welcome
const SILENCE = 10_000; // ms without any message: the connection is dead, whatever TCP still hopes for
const STEADY = 5000; // ms connected after which the failures before are forgotten
const HEARTBEAT = 100; // ms between looks at pings, silence and deadlines
const OPEN = 1; // the readyState of a socket that takes messages
const BACKLOG = 16_384; // bytes not yet sent, beyond which no cursor is sent
const AFTER_MAX = 600_000; // ms: no server makes a page wait for longer

/** Closes of this client's own, within the range that the protocol leaves to "come back". */
export const CLOSE_SILENT = 3400;
export const CLOSE_UNANSWERED = 3401;
const CLOSE_LEAVING = 1000;

export type Status =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  | { kind: 'waiting'; until: number; code: number; reason: string } // until: ms of Platform.now; code: of the close
  | { kind: 'closed'; code: number; reason: string };

/** What is used of a WebSocket. */
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

/** The identity's home between loads of the page. */
export interface TokenStore {
  load(): Uint8Array | null;
  save(token: Uint8Array | null): void;
}

export interface Options {
  url: string;
  room: string; // its code
  encodings: readonly string[]; // of snapshots, the best first
  // To say hello with:
  name(): string;
  key(): string; // a presenter's; empty: none
  join(): string; // the room's join key; empty: none
  want(): Want;
  tokens: TokenStore;
  platform: Platform;
  onStatus(status: Status): void;
  /** Every message but answers to what was asked. */
  onMessage(message: ServerMessage, arrival: number): void;
}

export interface Connection {
  start(): void;
  /** Connects at once when waiting for the next attempt; nothing otherwise. */
  retry(): void;
  /** After a close for good: connects again, as the same person or as a new one. */
  rejoin(asNewPerson: boolean): void;
  /** Whether it was sent: not without a connection, nor while the network takes nothing. */
  cursor(x: number, y: number): boolean;
  away(): void;
  ask: Ask;
  status(): Status;
  clock(): Clock;
  /** How long nothing was heard of the server, ms; 0 without a connection. */
  silence(): number;
  /** Messages from the server that were not what the protocol promises. */
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
  let began = 0; // when this attempt began
  let welcomed = 0; // when the welcome came
  let heard = 0; // when the last message came

  function become(next: Status): void {
    status = next;
    options.onStatus(next);
  }

  function connect(): void {
    drop();
    clock = createClock();
    began = platform.now();
    become({ kind: 'connecting' });
    let opened: Socket;
    try {
      opened = platform.open(options.url, SUBPROTOCOL);
    } catch (error) {
      lost(0, error instanceof Error ? error.message : String(error));
      return;
    }
    socket = opened;
    opened.binaryType = 'arraybuffer';
    // A socket that has been replaced may still speak: only the present one counts.
    opened.onopen = () => {
      if (socket !== opened) return;
      const { room, encodings } = options;
      const { rate, boids } = options.want();
      const token = tokens.load();
      const [name, key, join] = [options.name(), options.key(), options.join()];
      opened.send(encodeHello({ room, name, token, key, join, encodings, rate, boids }));
    };
    opened.onmessage = ({ data }) => {
      if (socket === opened && data instanceof ArrayBuffer) receive(data);
    };
    opened.onclose = ({ code, reason }) => {
      if (socket === opened) lost(code, reason);
    };
  }

  /** Lets go of the socket without hearing of its end. */
  function drop(code = CLOSE_LEAVING): void {
    const old = socket;
    socket = null;
    goodbye = null;
    requests.lose();
    if (old === null) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close(code);
  }

  /** Whether it was sent. A socket is closed a moment before anyone is told. */
  function send(message: Uint8Array<ArrayBuffer>): boolean {
    if (status.kind !== 'connected' || socket?.readyState !== OPEN) return false;
    socket.send(message);
    return true;
  }

  const requests = createRequests(send);

  function receive(data: ArrayBuffer): void {
    const now = platform.now();
    heard = now;
    const message = decode(data);
    if (message.kind === 'malformed') malformed++;
    if (message.kind === 'pong') clock.pong(message.t, message.time, now);
    if (message.kind === 'goodbye') goodbye = message;
    if (message.kind === 'welcome') {
      tokens.save(message.token);
      welcomed = now;
    }
    if ((message.kind !== 'done' && message.kind !== 'error') || !requests.take(message)) options.onMessage(message, now);
    if (message.kind === 'welcome') become({ kind: 'connected' });
  }

  function lost(closed: number, reason: string): void {
    const why = reason === '' ? 'no connection' : reason;
    const now = platform.now();
    const steady = status.kind === 'connected' && now - welcomed >= STEADY;
    // The line may break before the close that was announced comes through.
    const { code, after } = goodbye ?? { code: closed, after: null };
    drop();
    if (!comesBack(code)) {
      become({ kind: 'closed', code, reason });
      return;
    }
    const delay = after === null ? backoff(steady ? 0 : failures, platform.random) : Math.min(after, AFTER_MAX);
    failures = steady ? 1 : failures + 1;
    become({ kind: 'waiting', until: now + delay, code, reason: why });
  }

  function beat(): void {
    const now = platform.now();
    switch (status.kind) {
      case 'waiting':
        if (now >= status.until) connect();
        break;
      case 'connecting':
        if (now - began > WELCOME_WITHIN) silent(CLOSE_UNANSWERED, 'no answer');
        break;
      case 'connected': {
        if (now - heard > SILENCE) return silent(CLOSE_SILENT, 'the server fell silent');
        const t = clock.ping(now);
        if (t !== null) send(encodePing(t));
        break;
      }
      case 'closed':
        break;
    }
  }

  function silent(code: number, reason: string): void {
    drop(code);
    lost(code, reason);
  }

  return {
    start() {
      connect();
      platform.every(HEARTBEAT, beat);
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
