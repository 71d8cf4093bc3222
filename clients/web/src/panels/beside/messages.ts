// What two rooms next to each other and the page around them say to each other (postMessage, of the same origin).

/** The parts that the person's keys show and hide in both rooms. */
export interface ShowsMessage {
  kind: 'shows';
  projector: boolean;
  measures: boolean;
}

/** Where the cursor is, as parts of the world's width and height; null: nowhere. */
export interface CursorMessage {
  kind: 'cursor';
  at: [number, number] | null;
}

export type FromFrame =
  | { kind: 'here' } // it listens
  | { kind: 'chosen' } // the person works with this room now
  | { kind: 'controls'; open: boolean }
  | CursorMessage // the person's, in this frame
  | ShowsMessage // this frame, from now on
  | { kind: 'title'; title: string }
  | { kind: 'close' }; // the other one is to be shown alone

export type ToFrame =
  | { kind: 'choice'; chosen: boolean; controls: boolean } // controls: they are open
  | CursorMessage // the person's, in the other frame
  | ShowsMessage; // the other frame, from now on

type Fields = Readonly<Record<string, unknown>>;

const fields = (data: unknown): Fields => (typeof data === 'object' && data !== null ? (data as Fields) : {});
const part = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

function cursor({ at }: Fields): CursorMessage | null {
  if (at === null) return { kind: 'cursor', at: null };
  return Array.isArray(at) && at.length === 2 && part(at[0]) && part(at[1]) ? { kind: 'cursor', at: [at[0], at[1]] } : null;
}

const shows = (said: Fields): ShowsMessage => ({ kind: 'shows', projector: said['projector'] === true, measures: said['measures'] === true });

/** null: it is none. */
export function fromFrame(data: unknown): FromFrame | null {
  const said = fields(data);
  switch (said['kind']) {
    case 'here':
    case 'chosen':
    case 'close':
      return { kind: said['kind'] };
    case 'controls':
      return { kind: 'controls', open: said['open'] === true };
    case 'title':
      return typeof said['title'] === 'string' ? { kind: 'title', title: said['title'] } : null;
    case 'cursor':
      return cursor(said);
    case 'shows':
      return shows(said);
    default:
      return null;
  }
}

/** null: it is none. */
export function toFrame(data: unknown): ToFrame | null {
  const said = fields(data);
  if (said['kind'] === 'choice') return { kind: 'choice', chosen: said['chosen'] === true, controls: said['controls'] === true };
  if (said['kind'] === 'shows') return shows(said);
  return said['kind'] === 'cursor' ? cursor(said) : null;
}
