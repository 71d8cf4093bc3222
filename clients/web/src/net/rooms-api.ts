// The HTTP API of rooms (docs/API.md): list, look up, create, branch, record. Answers are checked, and nothing throws. Paths are
// relative to the page, because a reverse proxy may add a prefix.

const ROOMS = 'api/rooms';

export interface RoomSummary {
  code: string;
  title: string;
  model: string;
  preset: string; // empty: none
  people: number;
  boids: number;
  locked: boolean; // it needs its join key
  listed: boolean;
}

export interface Preset {
  name: string;
  text: string;
}

/** open: everyone may create rooms; presenter: only with the server's key; off: rooms cannot be created. */
export type MayCreate = 'open' | 'presenter' | 'off';

export interface Listing {
  rooms: RoomSummary[]; // listed rooms and the lobby
  create: MayCreate;
  presets: Preset[];
}

export interface NewRoom {
  title: string; // empty: none
  preset: string; // empty: the server's own start
  listed: boolean;
  joinKey: string; // required to join; empty: none
  settings?: Readonly<Record<string, unknown>>; // of a link: see setup.ts; they replace the preset
}

/** A room that plays a recording. */
export interface NewReplay {
  title: string; // empty: none
  listed: boolean;
  joinKey: string; // empty: none
}

export interface Created {
  code: string;
  key: string; // of its presenters
}

/** Why a request failed. status: of HTTP; 0: the server did not answer. */
export interface Refusal {
  status: number;
  code: string; // kind of error (docs/API.md, Errors); empty: none
  field: string;
  message: string;
  retryAfter: number; // s; 0: unknown
}

export type Answer<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

export interface RoomsApi {
  list(): Promise<Answer<Listing>>;
  find(code: string): Promise<Answer<RoomSummary>>;
  /** key: the server's key if it is required, else empty. */
  create(room: NewRoom, key: string): Promise<Answer<Created>>;
  /** file: a recording. key: as for create(). */
  open(file: Blob, room: NewReplay, key: string): Promise<Answer<Created>>;
  /** Creates a room that begins with the moment that the room `code` shows. title: empty: the room's own; key: its presenter key. */
  branch(code: string, title: string, key: string): Promise<Answer<Created>>;
  /** Changes the room. key: the room's presenter key. join_key: null: none. */
  change(code: string, key: string, to: { listed?: boolean; join_key?: string | null }): Promise<Answer<true>>;
  /** Ends the room, also while the page closes. */
  end(code: string, key: string): Promise<Answer<true>>;
  /** Downloads the room's recording. names: with people's names. */
  recording(code: string, key: string, names: boolean): Promise<Answer<Blob>>;
}

type Json = Record<string, unknown>;

/** root: the relative path from the page to the server's root. */
export function createRoomsApi(fetch: (url: string, init?: RequestInit) => Promise<Response>, root = ''): RoomsApi {
  const rooms = `${root}${ROOMS}`;
  const of = (code: string): string => `${rooms}/${encodeURIComponent(code)}`;
  const bearer = (key: string): Record<string, string> => (key === '' ? {} : { authorization: `Bearer ${key}` });

  /** read: reads a successful answer; returns null if it is unusable. */
  async function send<T>(url: string, init: RequestInit, read: (response: Response) => Promise<T | null>): Promise<Answer<T>> {
    try {
      const response = await fetch(url, { cache: 'no-store', ...init });
      const value = response.ok ? await read(response) : null;
      return value === null ? { ok: false, refusal: refusal(response, response.ok ? {} : await json(response)) } : { ok: true, value };
    } catch {
      return { ok: false, refusal: { status: 0, code: '', field: '', message: '', retryAfter: 0 } };
    }
  }

  const ask = <T>(url: string, read: (body: Json) => T | null, init: RequestInit = {}): Promise<Answer<T>> =>
    send(url, init, async (response) => read(await json(response)));

  function post(url: string, body: Json, key: string): Promise<Answer<Created>> {
    const headers = { 'content-type': 'application/json', ...bearer(key) };
    return ask(url, created, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  return {
    list: () => ask(rooms, listing),
    find: (code) => ask(of(code), summary),
    create({ title, preset, listed, joinKey, settings }, key) {
      const body = {
        ...(title !== '' && { title }),
        ...(preset !== '' && settings === undefined && { preset }),
        listed,
        ...(joinKey !== '' && { join_key: joinKey }),
        ...settings,
      };
      return post(rooms, body, key);
    },
    open(file, { title, listed, joinKey }, key) {
      const query = new URLSearchParams({
        ...(title !== '' && { title }),
        listed: String(listed),
        ...(joinKey !== '' && { join_key: joinKey }),
      });
      const headers = { 'content-type': 'application/octet-stream', ...bearer(key) };
      return ask(`${rooms}?${query}`, created, { method: 'POST', headers, body: file });
    },
    branch: (code, title, key) => post(`${of(code)}/branch`, title === '' ? {} : { title }, key),
    change(code, key, to) {
      const headers = { 'content-type': 'application/json', ...bearer(key) };
      return send(of(code), { method: 'PATCH', headers, body: JSON.stringify(to) }, done);
    },
    end: (code, key) => send(of(code), { method: 'DELETE', headers: bearer(key), keepalive: true }, done),
    recording: (code, key, names) =>
      send(`${of(code)}/recording${names ? '?names=true' : ''}`, { headers: bearer(key) }, (response) => response.blob()),
  };
}

const done = async (): Promise<true> => true;

const json = async (response: Response): Promise<Json> => object(await response.json().catch(() => null));

function refusal(response: Response, body: Json): Refusal {
  const error = object(body['error']);
  const retryAfter = Number(response.headers.get('retry-after'));
  return {
    status: response.status,
    code: text(error['code']),
    field: text(error['field']),
    message: text(error['message']),
    retryAfter: retryAfter > 0 ? retryAfter : 0,
  };
}

function listing(body: Json): Listing {
  const create = body['create'];
  return {
    rooms: each(body['rooms'], summary),
    create: create === 'open' || create === 'presenter' ? create : 'off',
    presets: each(body['presets'], (from) => (text(from['name']) === '' ? null : { name: text(from['name']), text: text(from['text']) })),
  };
}

function summary(from: Json): RoomSummary | null {
  const code = text(from['code']);
  if (code === '') return null;
  return {
    code,
    title: text(from['title']),
    model: text(from['model']),
    preset: text(from['preset']),
    people: count(from['people']),
    boids: count(from['boids']),
    locked: from['locked'] === true,
    listed: from['listed'] === true,
  };
}

function created(from: Json): Created | null {
  const [code, key] = [text(from['code']), text(from['key'])];
  return code === '' ? null : { code, key };
}

const object = (from: unknown): Json => (typeof from === 'object' && from !== null ? (from as Json) : {});
const text = (from: unknown): string => (typeof from === 'string' ? from : '');
const count = (from: unknown): number => (typeof from === 'number' && from >= 0 ? from : 0);

function each<T>(from: unknown, read: (item: Json) => T | null): T[] {
  return Array.isArray(from) ? from.map((item) => read(object(item))).filter((item) => item !== null) : [];
}
