// Requests and their answers. Each request has a tag, which its `done` or `error` repeats.

import { type Done, type Request, type ServerError, encodeRequest } from './protocol';

const TAG_MAX = 0xffffffff;
const ANSWER_WITHIN = 10_000; // ms; the server ignores messages beyond its limit, without an answer

/** How a request ended: the server carried it out, refused it, or (lost) the connection ended or the server ignored the message. */
export type Outcome = Done | ServerError | { kind: 'lost' };

export type Answered = (outcome: Outcome) => void;

/** Sends a request, and calls back exactly once. Without a connection it calls back before it returns. */
export type Ask = (request: Request, answered?: Answered) => void;

export interface Requests {
  ask: Ask;
  /** Calls back the answered request. Returns false if the request is unknown or has no callback. */
  take(answer: Done | ServerError): boolean;
  /** The connection has ended: ends all requests as lost. */
  lose(): void;
  /** Must be called often. Ends requests as lost that had no answer within ANSWER_WITHIN. */
  expire(): void;
}

const LOST = { kind: 'lost' } as const;

interface Waiting {
  type: number;
  answered: Answered | undefined;
  at: number; // when it was sent, ms
}

/** send: returns whether the message was sent. now: ms. */
export function createRequests(send: (message: Uint8Array<ArrayBuffer>) => boolean, now: () => number): Requests {
  const waiting = new Map<number, Waiting>(); // by tag, in the order they were sent
  let last = 0;

  /** Ends the requests before the first one that stays as lost. */
  function lose(stays: (tag: number, at: number) => boolean): void {
    const lost: (Answered | undefined)[] = [];
    for (const [tag, { answered, at }] of waiting) {
      if (stays(tag, at)) break;
      waiting.delete(tag);
      lost.push(answered);
    }
    for (const answered of lost) answered?.(LOST);
  }

  return {
    ask(request, answered) {
      last = last === TAG_MAX ? 1 : last + 1;
      if (send(encodeRequest(request, last))) waiting.set(last, { type: request[0], answered, at: now() });
      else answered?.(LOST);
    },
    take(answer) {
      const each = answer.tag === null ? undefined : waiting.get(answer.tag);
      if (answer.tag === null || each === undefined || each.type !== answer.type) return false;
      lose((tag) => tag === answer.tag); // the server answers in order
      waiting.delete(answer.tag);
      each.answered?.(answer);
      return each.answered !== undefined;
    },
    lose: () => lose(() => false),
    expire: () => lose((_, at) => now() - at < ANSWER_WITHIN),
  };
}
