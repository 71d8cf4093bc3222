// Why the server did not do what it was asked over HTTP, for people.

import type { Refusal } from '../net/rooms-api';
import { texts } from '../texts/texts';

/** A refusal to list or create rooms. */
export function refusalText({ status, message, retryAfter }: Refusal): string {
  const { silent, key, full, tooMany, busy, other } = texts.refused;
  switch (status) {
    case 0:
      return silent;
    case 401:
    case 403:
      return key;
    case 409:
      return full;
    case 429:
      return tooMany(retryAfter > 90 ? Math.ceil(retryAfter / 60) : 1);
    case 503:
      return busy;
    default:
      return message === '' ? other(status) : message;
  }
}

/** A refusal to open a recording. */
export function fileRefusalText(refusal: Refusal): string {
  const { file, fileBoids, large } = texts.refused;
  const { status, code } = refusal;
  if (status === 413) return large;
  if (status === 400 && code === 'malformed') return file;
  return status === 400 && code === 'range' ? fileBoids : refusalText(refusal);
}
