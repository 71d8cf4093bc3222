// Which control an error is about. The server's sentence begins with the name of what was refused.

import type { ServerError } from './protocol';

export const BOIDS = 'boids'; // what adds and removes them

/** One of the names, BOIDS, or null: it is about something else. last: the name that was last sent. */
export function culprit({ field, message }: ServerError, names: readonly string[], last: string | null): string | null {
  const named = names.find((name) => message.startsWith(`${name}:`));
  if (named !== undefined) return named;
  if (/^(count|add|reset)\b/.test(field === '' ? message : field)) return BOIDS;
  return (field === 'name' || field === 'value') && last !== null && names.includes(last) ? last : null;
}
