// Promises of protocol/PROTOCOL.md about every message. Each client of the tests checks them in every test. `broken` has the broken
// promises, which fail the test at its end.
import { messages } from '../../protocol/schema.mjs';
import { ANSWERED, DONE, ERROR, PACKED, PAST, PRESENCE, ROOM, SNAPSHOT, STREAM, WANT, WELCOME } from './messages.mjs';

// The last element, if it can be a tag.
/** @param {import('./types.d.ts').Message} message */
function tagOf(message) {
  const last = message.at(-1);
  return typeof last === 'number' && Number.isInteger(last) && last >= 0 && last < 2 ** 32 ? last : null;
}

// The arrays of servers' messages whose greatest length the page names. at: the index of the element, or the key in a map.
const LONGEST = /** @type {any[]} */ (messages).flatMap(({ number, name, map, fields }) =>
  fields.flatMap(({ name: field, range = '' }, index) => {
    const most = Number(/^up to ([\d,]+)$/.exec(range)?.[1].replaceAll(',', ''));
    return most > 0 ? [{ type: number, name: `${field} of ${name}`, at: map ? field : index + 1, most }] : [];
  }),
);
if (LONGEST.length === 0) throw new Error('the schema names no greatest lengths');

/** @returns {import('./types.d.ts').Promises} */
export function createPromises() {
  /** @type {string[]} */
  const broken = [];
  /** @type {import('./types.d.ts').Promises['waiting']} */
  const waiting = []; // { type, tag } of the requests without an answer, in their order
  let answersCount = true; // until a flood: ignored requests get no answer
  /** @type {number | null} */
  let presence = null; // the sequence of the client's list
  let stride = 1;
  /** @type {import('./types.d.ts').Snapshot | null} */
  let last = null; // the last snapshot
  let presences = 0; // since then
  let past = false; // the room shows its past: ticks may go back

  /** @type {(held: boolean, what: string) => void} */
  const expect = (held, what) => {
    if (!held) broken.push(what);
  };

  /** @type {(type: number, tag: number | null) => void} */
  const answered = (type, tag) => {
    const { type: expected, tag: sent } = waiting.shift() ?? {};
    expect(type === expected, `an answer to a message of type ${type}, where one to ${expected} is due`);
    expect(tag === sent, `an answer with the tag ${tag} to ${expected} with ${sent}`);
  };

  /**
   * @param {import('./types.d.ts').Said[67]} message
   * @param {Map<number, unknown>} known
   */
  const changePresence = ([, since, sequence, people, left], known) => {
    expect(since === 0 || since === presence, `presence changes the list ${since}, and the last is ${presence}`);
    for (const { length, 0: id } of people) {
      expect(length >= 4 || (since !== 0 && known.has(id)), `presence has only the flags of ${id}, whom it never named`);
    }
    for (const id of left) {
      expect(since !== 0 && known.has(id), `presence says that ${id} has left, whom it never named`);
    }
    presence = sequence;
    presences++;
    expect(presences === 1, `${presences} lists of people without a snapshot between them`);
  };
  const beginAgain = () => (presences = 0);

  /** @type {(message: any) => void} */
  const measureArrays = (message) => {
    for (const { name, at, most } of LONGEST.filter(({ type }) => type === message[0])) {
      const value = typeof at === 'string' ? message[1][at] : message[at];
      expect(!Array.isArray(value) || value.length <= most, `${value?.length} ${name}, and at most ${most} are promised`);
    }
  };

  /** @type {{ [Type in keyof import('./types.d.ts').Said]?: (message: import('./types.d.ts').Said[Type], known: Map<number, unknown>) => void }} */
  const take = {
    [WELCOME]: ([, welcome]) => ({ stride } = welcome),
    [STREAM]: ([, , , every]) => (stride = every),
    [ROOM]: () => (last = null),
    [PAST]: ([, shown]) => (past = shown),
    [PRESENCE]: changePresence,
    [SNAPSHOT]: beginAgain,
    [PACKED]: beginAgain,
    [DONE]: ([, type, tag]) => answersCount && answered(type, tag),
    [ERROR]: ([, code, type, tag]) => {
      answersCount &&= code !== 'flood';
      if (answersCount && ANSWERED.has(type)) answered(type, tag);
    },
  };

  return {
    broken,
    waiting,

    sent(message) {
      const elements = ANSWERED.get(message[0]);
      if (elements === undefined) return;
      const tagged = message.length === elements + 1 || (message[0] === WANT && message.length === elements + 2);
      waiting.push({ type: message[0], tag: tagged ? tagOf(message) : null });
    },

    // Called before the client processes the message. `known`: the people in its lists so far.
    received(message, known) {
      const each = /** @type {Record<number, ((message: unknown, known: Map<number, unknown>) => void) | undefined>} */ (take)[message[0]];
      each?.(message, known);
      measureArrays(message);
      if (message[0] === WELCOME) measureArrays([ROOM, message[1].room]);
    },

    // steps: the boids' positions on the wire.
    snapshot(snapshot, steps, { period, boundary }) {
      const { flock, boids, tick, time, epoch } = snapshot;
      const due = Math.ceil(flock / stride);
      expect(boids.length === due, `${boids.length} boids of ${flock} with a stride of ${stride}, at tick ${tick}`);
      expect(last === null || time > last.time, `time ${time} after ${last?.time}`);
      expect(last === null || past || epoch !== last.epoch || tick >= last.tick, `tick ${tick} after ${last?.tick} of the same epoch`);
      expect((boundary === 'wrap') === (period !== undefined), `a period of ${period} with the boundary ${boundary}`);
      for (const axis of /** @type {const} */ ([0, 1])) {
        if (period === undefined) break;
        const low = -Math.floor(period[axis] / 2);
        const outside = steps.find((step) => step[axis] < low || step[axis] >= low + period[axis]);
        expect(outside === undefined, `a boid at the steps ${outside} of a torus of ${period}`);
      }
      last = snapshot;
    },
  };
}
