// The messages between two rooms beside each other and the page around them (postMessage, of the same origin).

/** Whether the panels that both rooms show are open. */
export interface ShowsMessage {
  kind: 'shows';
  projector: boolean;
  measures: boolean;
}

/** The cursor's position, in parts of the world's width and height; null: the cursor is away. */
export interface CursorMessage {
  kind: 'cursor';
  at: [number, number] | null;
}

export type FromFrame =
  | { kind: 'here' } // the frame is ready for messages
  | { kind: 'chosen' } // the person works with this room now
  | { kind: 'controls'; open: boolean }
  | CursorMessage // in this frame
  | ShowsMessage // of this frame, from now on
  | { kind: 'title'; title: string }
  | { kind: 'close' }; // asks to show the other room alone

export type ToFrame =
  | { kind: 'choice'; chosen: boolean; controls: boolean } // chosen: this is the chosen room; controls: its controls are open
  | CursorMessage // in the other frame
  | ShowsMessage; // of the other frame, from now on

type Fields = Readonly<Record<string, unknown>>;

const fields = (data: unknown): Fields => (typeof data === 'object' && data !== null ? (data as Fields) : {});
const part = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

function cursor({ at }: Fields): CursorMessage | null {
  if (at === null) return { kind: 'cursor', at: null };
  return Array.isArray(at) && at.length === 2 && part(at[0]) && part(at[1]) ? { kind: 'cursor', at: [at[0], at[1]] } : null;
}

const shows = (given: Fields): ShowsMessage => ({ kind: 'shows', projector: given['projector'] === true, measures: given['measures'] === true });

/** Returns the message, or null if `data` is not one. */
export function fromFrame(data: unknown): FromFrame | null {
  const given = fields(data);
  switch (given['kind']) {
    case 'here':
    case 'chosen':
    case 'close':
      return { kind: given['kind'] };
    case 'controls':
      return { kind: 'controls', open: given['open'] === true };
    case 'title':
      return typeof given['title'] === 'string' ? { kind: 'title', title: given['title'] } : null;
    case 'cursor':
      return cursor(given);
    case 'shows':
      return shows(given);
    default:
      return null;
  }
}

/** Returns the message, or null if `data` is not one. */
export function toFrame(data: unknown): ToFrame | null {
  const given = fields(data);
  if (given['kind'] === 'choice') return { kind: 'choice', chosen: given['chosen'] === true, controls: given['controls'] === true };
  if (given['kind'] === 'shows') return shows(given);
  return given['kind'] === 'cursor' ? cursor(given) : null;
}
