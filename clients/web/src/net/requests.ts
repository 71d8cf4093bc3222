// Requests and their answers. Each request goes out with a tag, which comes back in its `done` or `error`: so an answer
// finds whoever asked.

import { type Done, type Request, type ServerError, encodeRequest } from './protocol';

const TAG_MAX = 0xffffffff;

/** null: it was carried out. */
export type Answered = (error: ServerError | null) => void;

/** Sends a request. What became of it is not heard if the connection ends before. */
export type Ask = (request: Request, answered?: Answered) => void;

export interface Requests {
  ask: Ask;
  /** Hands an answer to whoever waits for it; false when nobody does. */
  take(answer: Done | ServerError): boolean;
  /** No answer will come any more. */
  forget(): void;
}

/** send: whether the message was sent. */
export function createRequests(send: (message: Uint8Array<ArrayBuffer>) => boolean): Requests {
  const waiting = new Map<number, { type: number; answered: Answered }>(); // by tag
  let last = 0;
  return {
    ask(request, answered) {
      last = last === TAG_MAX ? 1 : last + 1;
      const tag = last;
      if (send(encodeRequest(request, tag)) && answered !== undefined) waiting.set(tag, { type: request[0], answered });
    },
    take(answer) {
      const each = answer.tag === null ? undefined : waiting.get(answer.tag);
      if (answer.tag === null || each === undefined || each.type !== answer.type) return false;
      waiting.delete(answer.tag);
      each.answered(answer.kind === 'done' ? null : answer);
      return true;
    },
    forget: () => waiting.clear(),
  };
}
