// The page's texts in English of refusals over HTTP. A room's page loads them with the part that sends requests.

import { counted } from './en';

export const refused = {
  /** Why the server refused a request over HTTP. */
  refused: {
    silent: 'The server does not answer. Try again in a moment.',
    key: 'That is not the server’s key.',
    full: 'The server has no space for another room. Try again when a room has ended.',
    tooMany: (minutes: number) =>
      `Too many rooms were created from your network. Try again in ${minutes > 1 ? counted(minutes, 'minute', 'minutes') : 'a minute'}.`,
    other: (status: number) => `The server refused (${status}).`,
    file: 'This file cannot be opened. It is damaged, not a recording, or from another version of flockd.',
    fileBoids: 'The recording has more boids than this server allows in a room.',
    large: 'The file is larger than this server accepts.',
    busy: 'The server is busy. Try again in a moment.',
  },
};

export type RefusedTexts = typeof refused;
