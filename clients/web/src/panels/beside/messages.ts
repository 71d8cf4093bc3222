// The messages between two rooms beside each other and the page around them (postMessage, of the same origin).

/** Whether the panels that both rooms show are open. */
export interface ShowsMessage {
  kind: 'shows';
  projector: boolean;
  measures: boolean;
  plots: boolean;
}

/** The part of the world that a person has zoomed to: its middle, in parts of the world's width and height, and its CSS pixels per world
 * unit. null: the page chooses. */
export interface CameraMessage {
  kind: 'camera';
  at: [number, number, number] | null;
}

/** The scale that a frame would choose if it were alone, in CSS pixels per world unit. Both frames take the smaller one. */
export interface ScaleMessage {
  kind: 'scale';
  scale: number;
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
  | CameraMessage // of this frame, after the person has changed it
  | ScaleMessage // of this frame
  | ShowsMessage // of this frame, from now on
  | { kind: 'title'; title: string }
  | { kind: 'plots' } // the room's plots were opened or closed, or show something else
  | { kind: 'close' }; // asks to show the other room alone

export type ToFrame =
  | { kind: 'choice'; chosen: boolean; controls: boolean } // chosen: this is the chosen room; controls: its controls are open
  | CursorMessage // in the other frame
  | CameraMessage // of the other frame
  | ScaleMessage // of the other frame
  | ShowsMessage; // of the other frame, from now on

type Fields = Readonly<Record<string, unknown>>;

const fields = (data: unknown): Fields => (typeof data === 'object' && data !== null ? (data as Fields) : {});
const part = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

function cursor({ at }: Fields): CursorMessage | null {
  if (at === null) return { kind: 'cursor', at: null };
  return Array.isArray(at) && at.length === 2 && part(at[0]) && part(at[1]) ? { kind: 'cursor', at: [at[0], at[1]] } : null;
}

const finite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function camera({ at }: Fields): CameraMessage | null {
  if (at === null) return { kind: 'camera', at: null };
  if (!Array.isArray(at) || at.length !== 3 || !at.every(finite)) return null;
  const [x, y, scale] = at as [number, number, number];
  return scale > 0 ? { kind: 'camera', at: [x, y, scale] } : null;
}

const scale = ({ scale: given }: Fields): ScaleMessage | null => (finite(given) && given > 0 ? { kind: 'scale', scale: given } : null);

const shows = (given: Fields): ShowsMessage => ({
  kind: 'shows',
  projector: given['projector'] === true,
  measures: given['measures'] === true,
  plots: given['plots'] === true,
});

/** Returns the message, or null if `data` is not one. */
export function fromFrame(data: unknown): FromFrame | null {
  const given = fields(data);
  switch (given['kind']) {
    case 'here':
    case 'chosen':
    case 'plots':
    case 'close':
      return { kind: given['kind'] };
    case 'controls':
      return { kind: 'controls', open: given['open'] === true };
    case 'title':
      return typeof given['title'] === 'string' ? { kind: 'title', title: given['title'] } : null;
    case 'cursor':
      return cursor(given);
    case 'camera':
      return camera(given);
    case 'scale':
      return scale(given);
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
  if (given['kind'] === 'camera') return camera(given);
  if (given['kind'] === 'scale') return scale(given);
  return given['kind'] === 'cursor' ? cursor(given) : null;
}
