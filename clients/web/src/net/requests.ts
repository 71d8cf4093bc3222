// Requests and their answers. Each request has a tag, which its `done` or `error` repeats.

import { type Done, type Request, type ServerError, encodeRequest } from './protocol';

const TAG_MAX = 0xffffffff;

/** How a request ended: the server carried it out, refused it, or (lost) the connection ended or the server skipped the message. */
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
}

const LOST = { kind: 'lost' } as const;

/** send: returns whether the message was sent. */
export function createRequests(send: (message: Uint8Array<ArrayBuffer>) => boolean): Requests {
  const waiting = new Map<number, { type: number; answered: Answered | undefined }>(); // by tag, in the order they were sent
  let last = 0;

  /** Ends the requests before the request with the tag `until` as lost, or all without a tag. */
  function lose(until?: number): void {
    const lost: (Answered | undefined)[] = [];
    for (const [tag, { answered }] of waiting) {
      if (tag === until) break;
      waiting.delete(tag);
      lost.push(answered);
    }
    for (const answered of lost) answered?.(LOST);
  }

  return {
    ask(request, answered) {
      last = last === TAG_MAX ? 1 : last + 1;
      if (send(encodeRequest(request, last))) waiting.set(last, { type: request[0], answered });
      else answered?.(LOST);
    },
    take(answer) {
      const each = answer.tag === null ? undefined : waiting.get(answer.tag);
      if (answer.tag === null || each === undefined || each.type !== answer.type) return false;
      lose(answer.tag); // the server answers in order
      waiting.delete(answer.tag);
      each.answered?.(answer);
      return each.answered !== undefined;
    },
    lose: () => lose(),
  };
}
