// The texts of refusals over HTTP.

import type { Refusal } from '../net/rooms-api';
import { type RefusedTexts, refused } from '../texts/en-refused';
import { texts } from '../texts/texts';

const refusedTexts = (): RefusedTexts => ({ ...refused, ...texts });

/** Returns the text of a refusal to list or create rooms. */
export function refusalText({ status, field, message, retryAfter }: Refusal): string {
  const { silent, key, full, tooMany, busy, other } = refusedTexts().refused;
  const { title } = texts.errors;
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
      if (field === 'title') return title; // the title is too long: the page removes other faults
      return message === '' ? other(status) : message;
  }
}

/** Returns the text of a refusal to open a recording. */
export function fileRefusalText(refusal: Refusal): string {
  const { file, fileBoids, large } = refusedTexts().refused;
  const { status, code, field } = refusal;
  if (status === 413) return large;
  if (status === 400 && field === '' && code === 'malformed') return file;
  if (status === 400 && field === '' && code === 'range') return fileBoids;
  return refusalText(refusal);
}
