import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Model, type Subscriber, createModel } from '../src/flock/model';
import type { Measures, Role, Room, RoomEvent, ServerError, Welcome, Why } from '../src/net/protocol';
import type { Update } from '../src/net/source';
import { room, snapshot, welcome } from './samples';

/** Returns the calls of a subscriber, as texts. The list grows. */
function listen(model: Model): string[] {
  const { heard, subscriber } = listener();
  model.subscribe(subscriber);
  return heard;
}

const why = (boid: number): Why => ({
  ...{ kind: 'why', boid, shown: false, by: 0, tick: 5, motion: null, pushes: [], near: [], seen: 0, crowding: 0 },
  zones: { view: 0, viewAngle: 0, close: 0, closeAngle: 0 },
});

function listener(): { heard: string[]; subscriber: Subscriber } {
  const heard: string[] = [];
  const subscriber: Required<Subscriber> = {
    status: ({ kind }) => heard.push(kind),
    room: ({ code }) => heard.push(`room ${code}`),
    params: (params) => heard.push(`params ${params.map(({ value }) => value).join()}`),
    people: () => heard.push('people'),
    role: (role) => heard.push(role),
    key: (key) => heard.push(`key ${key}`),
    keyRefused: () => heard.push('wrong key'),
    news: ({ title }) => heard.push(title),
    called: (name) => heard.push(`called ${name}`),
    past: ({ shown, back }) => heard.push(shown ? `past ${back}` : 'now'),
    leads: ({ leaders }) => heard.push(`leads ${leaders.length}`),
    penned: ({ inside }) => heard.push(`penned ${inside}`),
    clusters: ({ count }) => heard.push(`clusters ${count}`),
    why: ({ boid }) => heard.push(`why ${boid}`),
    swept: ({ state, points }) => heard.push(`swept ${state} ${points.length}`),
    things: ({ food, hunters }) => heard.push(`things ${food.length} ${hunters.length}`),
    pushes: ({ rules }) => heard.push(`pushes ${rules.length}`),
    slow: ({ percent, own }) => heard.push(`slow ${percent} ${own}`),
    error: ({ message }) => heard.push(message),
  };
  return { heard, subscriber };
}

function joined(changes: Partial<Welcome> = {}): { model: Model; heard: string[] } {
  const model = createModel();
  model.apply(welcome(changes), 0);
  return { model, heard: listen(model) };
}

const see = (model: Model, time: number, measures: Measures | null = null, here: [number, number] = [0, 0]): void =>
  model.apply(
    { kind: 'sighting', sighting: { ...snapshot({ time: 1000 * time, tick: Math.round((time * 30) / 1000), boids: [here] }), measures } },
    time,
  );

const measures = (radius: number): Measures => ({
  ...{ polarization: 0, milling: 0, centroid: [0, 0], speed: 1, nearest: 1 },
  radius,
});

test('a welcome sets the room and its people', () => {
  const model = createModel();
  const heard = listen(model);
  model.apply(welcome({ role: 'presenter' }), 0);
  assert.deepEqual(heard, ['presenter', 'room FK72MX', 'now', 'people']);
  assert.equal(model.room()?.code, 'FK72MX');
  assert.deepEqual(model.people.self(), { id: 7, name: 'Ada', color: 0x112233, presenter: true, active: false, owner: false, team: 0 });
});

test('before the welcome no cursor steers, and then the cursors that the room allows', () => {
  const model = createModel();
  assert.equal(model.standing(), 'watches');
  model.apply(welcome({ role: 'viewer', room: room({ policy: 'mean' }) }), 0);
  assert.equal(model.standing(), 'steers');
  model.apply(welcome({ role: 'viewer', room: room({ policy: 'presenter' }) }), 0);
  assert.equal(model.standing(), 'shown');
  model.apply({ kind: 'role', role: 'presenter' }, 0);
  assert.equal(model.standing(), 'steers');
});

test('a new view can read the present values', () => {
  const { model } = joined({ role: 'presenter' });
  model.apply({ kind: 'past', shown: true, span: 10, back: 5, speed: 0 }, 0);
  const { heard, subscriber } = listener();
  model.inform(subscriber);
  assert.deepEqual(heard, ['connecting', 'presenter', 'room FK72MX', 'past 5', 'people']);
});

test('views learn of the past; a new connection shows the present until the server sends otherwise', () => {
  const { model, heard } = joined();
  model.apply({ kind: 'past', shown: true, span: 10, back: 5, speed: 0 }, 0);
  model.apply(welcome(), 0);
  assert.deepEqual(
    heard.filter((word) => /past|now/.test(word)),
    ['past 5', 'now'],
  );
});

test('until the server says otherwise the room shows the present, and plays nothing', () => {
  assert.deepEqual(createModel().past(), { kind: 'past', shown: false, span: 0, back: 0, speed: 0 });
  assert.deepEqual(joined().model.past(), { kind: 'past', shown: false, span: 0, back: 0, speed: 0 });
});

test('views learn of a role when it changes', () => {
  const { model, heard } = joined();
  for (const role of ['viewer', 'presenter', 'presenter', 'viewer'] as Role[]) model.apply({ kind: 'role', role }, 0);
  assert.deepEqual(
    heard.filter((word) => word !== 'people'),
    ['presenter', 'viewer'],
  );
  assert.equal(model.people.self()?.presenter, false);
});

test('values of parameters can change without a room message', () => {
  const { model, heard } = joined({
    room: room({ params: [{ name: 'inertia', unit: '', min: 0, max: 2, initial: 1, value: 1, text: '' }] }),
  });
  model.apply({ kind: 'params', values: [1.5] }, 0);
  assert.deepEqual(heard, ['params 1.5']);
  assert.equal(model.room()?.params[0].value, 1.5);
});

test('news names the person who made a change', () => {
  const { model, heard } = joined();
  const event = (by: number, who: string): RoomEvent => ({
    ...{ kind: 'event', tick: 1, by, who, name: 'reset', what: '', from: '', to: '' },
  });
  model.apply(event(7, 'Ada'), 0);
  model.apply(event(8, 'Ben'), 0);
  model.apply(event(9, ''), 0);
  model.apply(event(0, ''), 0);
  assert.deepEqual(
    heard,
    ['You', 'Ben', 'Someone', 'A program'].map((who) => `${who} started the flock again`),
  );
  heard.length = 0;
  model.apply({ ...event(0, ''), name: 'slow', to: '23' }, 0);
  assert.deepEqual(heard, ['slow 23 true']);
});

test('a person keeps the name that a presenter gave', () => {
  const { model, heard } = joined();
  const renamed = (what: string): RoomEvent => ({
    ...{ kind: 'event', tick: 1, by: 8, who: 'Ben', name: 'rename', what, from: 'xXx', to: 'Ada' },
  });
  model.apply(renamed('9'), 0);
  model.apply(renamed('7'), 0);
  assert.deepEqual(heard, ['Ben renamed xXx to Ada', 'called Ada', 'Ben renamed xXx to Ada']);
});

test('views learn of an error, except a wrong key and errors that the next cursor corrects', () => {
  const { model, heard } = joined();
  const error = { kind: 'error', type: 2, tag: null, name: '', fatal: false, after: 0 } as const;
  model.apply({ ...error, code: 'range', field: 'x', message: 'x is too far away' }, 0);
  model.apply({ ...error, code: 'key', type: 1, field: 'key', message: 'not the key' }, 0);
  model.apply({ ...error, code: 'key', type: 7, field: 'key', message: 'not the key' }, 0); // shown after a hello without it
  model.apply({ ...error, code: 'state', field: '', message: 'the room is full' }, 0);
  model.apply({ ...error, code: 'version', field: '', message: 'another version', fatal: true }, 0);
  assert.deepEqual(heard, ['wrong key', 'wrong key', 'the room is full']);
});

test('the shown moment of the past moves with its speed, also for a view that subscribes late', () => {
  const { model } = joined();
  assert.equal(model.secondsBack(0), null);
  model.apply({ kind: 'past', shown: true, span: 10, back: 5, speed: 2 }, 1000);
  assert.equal(model.past().span, 10);
  assert.equal(model.secondsBack(1000), 5);
  assert.equal(model.secondsBack(2000), 3);
  assert.equal(model.secondsBack(9000), 0);
  model.apply({ kind: 'past', shown: false, span: 0, back: 0, speed: 0 }, 9000);
  assert.equal(model.secondsBack(9000), null);
});

test('the server’s reason for a close stays until the next attempt', () => {
  const { model, heard } = joined();
  const error: ServerError = {
    kind: 'error',
    type: 1,
    tag: null,
    code: 'join',
    field: 'join',
    name: '',
    message: 'too many wrong keys',
    fatal: true,
    after: 12,
  };
  assert.equal(model.refusal(), null);
  model.apply(error, 0);
  model.apply({ kind: 'status', status: { kind: 'closed', code: 3509, reason: '' } }, 0);
  assert.equal(model.refusal(), error);
  model.apply({ kind: 'status', status: { kind: 'connecting' } }, 0);
  assert.equal(model.refusal(), null);
  assert.deepEqual(heard, ['closed', 'connecting'], 'the page says it when the connection closes');
});

test('the first snapshot is shown when a second one gives headings, or none comes', () => {
  const both = joined().model;
  see(both, 0);
  assert.equal(both.sample(10), null);
  see(both, 33, null, [16, 0]);
  assert.notEqual(both.sample(120)?.moment.b.tick, undefined);
  const { model } = joined();
  see(model, 0);
  assert.equal(model.sample(200), null);
  assert.equal(model.sample(300)?.moment.a.count, 1);
  assert.equal(model.shown()?.room, model.room());
});

test('after a change of the world the old picture stays until the first new snapshot', () => {
  const { model } = joined();
  see(model, 0);
  const before = model.sample(300);
  model.apply({ kind: 'room', room: room({ world: [100, 100] }) }, 310);
  assert.equal(model.sample(320), before);
  see(model, 340);
  see(model, 373, null, [16, 0]);
  assert.deepEqual(model.sample(400)?.room.world, [100, 100]);
});

test('a hidden page takes no snapshots and does not measure their pace', () => {
  const { model } = joined();
  model.watch(false);
  see(model, 0);
  model.apply({ kind: 'stream', rate: 1, boids: 0, stride: 1, slow: false }, 0);
  assert.equal(model.timeline()?.newest(), null);
  assert.equal(Math.round(model.timeline()?.interval() ?? 0), 33);
});

test('a page that becomes visible again has its old playout delay at once', () => {
  const { model } = joined();
  /** Plays 60 frames per second. gap: ms between snapshots, which arrive after 40 ms. Returns the lag of each frame, ms. */
  const play = (from: number, until: number, gap: number): number[] => {
    const behind: number[] = [];
    for (let now = from, next = from; now < until; now += 1000 / 60) {
      for (; next <= now; next += gap)
        model.apply(
          { kind: 'sighting', sighting: snapshot({ time: 1000 * next, tick: Math.round(next), boids: [[Math.round(next) % 1000, 0]] }) },
          next + 40,
        );
      if (gap < 1000) model.sample(now + 40);
      behind.push(model.timeline()?.lag() ?? NaN);
    }
    return behind;
  };
  const before = play(0, 4000, 1000 / 30).slice(120);
  model.watch(false);
  model.apply({ kind: 'stream', rate: 1, boids: 0, stride: 1, slow: false }, 4000);
  play(4000, 9000, 1000);
  model.watch(true);
  model.apply({ kind: 'stream', rate: 30, boids: 0, stride: 1, slow: false }, 9000);
  const after = play(9000, 10_000, 1000 / 30).slice(6); // a tenth of a second
  assert.ok(Math.max(...after) < Math.max(...before) + 40, `${after.map(Math.round).join()} ms behind instead of ${Math.max(...before)}`);
});

test('the measures begin again with another model, after a restart of the server, and after a lost connection', () => {
  const radius = (model: Model): number | undefined => model.series.courses()?.[2].value();
  const after = (...updates: Update[]): number | undefined => {
    const { model } = joined();
    see(model, 0, measures(100));
    for (const update of updates) model.apply(update, 10);
    see(model, 33, measures(10));
    return radius(model);
  };
  const described = (changes: Partial<Room>): Update => ({ kind: 'room', room: room(changes) });
  assert.ok((after() ?? 0) > 80, 'otherwise they continue');
  assert.ok((after(described({ title: 'Bees' })) ?? 0) > 80, 'also in a room of another title');
  assert.equal(after(described({ model: 'vision' })), 10);
  assert.equal(after(described({ instance: 78 })), 10);
  assert.equal(after({ kind: 'status', status: { kind: 'waiting', until: 0, code: 0, reason: '' } }), 10);
});

test('plots forget what a server that starts again has not kept, and only then', () => {
  const after = (changes: Partial<Room>): number[] => {
    const { model } = joined();
    for (const time of [1000, 2000, 3000]) see(model, time, measures(100));
    model.apply({ kind: 'room', room: room(changes) }, 3010);
    see(model, 2000, measures(100));
    return model.samples.all().map(({ tick }) => tick);
  };
  assert.deepEqual(after({ title: 'Bees' }), [30, 60, 90]);
  assert.deepEqual(after({ instance: 78 }), [30, 60]);
});

test('plots show no clusters of a time in which the page was hidden', () => {
  const { model } = joined();
  model.apply({ kind: 'clusters', count: 3, boids: 10 }, 0);
  see(model, 1000, measures(100));
  model.watch(false);
  model.watch(true);
  see(model, 2000, measures(100));
  assert.deepEqual(
    model.samples.all().map(({ clusters }) => clusters),
    [3, null],
  );
});

test('measures follow the flock’s ticks', () => {
  const { model } = joined();
  for (let time = 0; time <= 2200; time += 100) see(model, time, measures(time)); // the series keeps one every 500 ms
  assert.equal(model.series.courses()?.[2].history().length, 5);
  see(model, 2300, null);
  assert.equal(model.series.courses(), null, 'an unmeasured flock has none');
});

/** How to read each value that the model announces. The compiler asks for each call of a view. */
const READERS: { readonly [Call in keyof Required<Subscriber>]: (model: Model) => unknown } = {
  status: (model) => model.status(),
  room: (model) => model.room(),
  params: (model) => model.room()?.params,
  people: (model) => (model.people.all().length > 0 ? undefined : 'nobody'),
  role: (model) => model.role(),
  key: (model) => model.key(),
  keyRefused: (model) => (model.keyRefused() ? undefined : 'not refused'),
  news: (model) => model.news(),
  called: (model) => model.called(),
  past: (model) => model.past(),
  leads: (model) => model.leads(),
  penned: (model) => model.penned(),
  clusters: (model) => model.clusters(),
  why: (model) => model.why(false),
  swept: (model) => model.swept(),
  things: (model) => model.things(),
  pushes: (model) => model.pushes(),
  slow: (model) => model.slow(100),
  error: (model) => model.error(),
};

test('the model has a getter for each value that it announces', () => {
  const model = createModel();
  assert.deepEqual(
    [
      model.key(),
      model.keyRefused(),
      model.news(),
      model.called(),
      model.leads(),
      model.penned(),
      model.clusters(),
      model.things(),
      model.swept(),
      model.pushes(),
      model.slow(0),
      model.error(),
    ],
    ['', false, null, null, null, null, null, null, null, null, null, null],
  );
  const event = (name: string, what: string, to: string): RoomEvent => ({
    kind: 'event',
    tick: 1,
    by: 9,
    who: 'Bo',
    name,
    what,
    from: '',
    to,
  });
  const error = (code: string, type: number): ServerError => ({
    ...{ kind: 'error', code, type, tag: null, field: '', name: '', message: code, fatal: false, after: 0 },
  });
  const announced = new Set<string>();
  const wrong: string[] = [];
  const listeners = Object.entries(READERS).map(([call, read]) => [
    call,
    (value: unknown): void => {
      announced.add(call);
      if (!isDeepStrictEqual(read(model), value)) wrong.push(call);
    },
  ]);
  model.subscribe(Object.fromEntries(listeners) as Subscriber);
  const updates: Update[] = [
    { kind: 'status', status: { kind: 'connected' } },
    welcome({ role: 'presenter', room: room({ params: [{ name: 'speed', unit: '', min: 0, max: 2, initial: 1, value: 1, text: '' }] }) }),
    { kind: 'params', values: [2] },
    { kind: 'key', key: 'new' },
    error('key', 1),
    event('slow', '', '40'),
    event('rename', '7', 'Cy'),
    { kind: 'past', shown: true, span: 9, back: 3, speed: 0 },
    { kind: 'leads', leaders: [{ who: 7, x: 1, y: 2, boids: 3, people: 1 }], turn: null },
    { kind: 'penned', inside: 2, boids: 3, seconds: 4, done: false },
    { kind: 'clusters', count: 2, boids: 300 },
    why(7),
    { kind: 'things', food: [{ x: 1, y: 2, amount: 3 }], hunters: [] },
    { kind: 'swept', state: 'running', by: 7, who: 'Ada', name: 'noise', from: 0, to: 9, steps: 3, warmUp: 1, seconds: 2, points: [] },
    { kind: 'pushes', rules: ['seek'], tick: 1, boids: [] },
    error('range', 17),
  ];
  for (const update of updates) model.apply(update, 100);
  assert.deepEqual(wrong, []);
  assert.deepEqual([...announced].sort(), Object.keys(READERS).sort(), 'each call was made');
  assert.deepEqual([model.slow(15_099)?.percent, model.slow(15_100)], [40, null], 'for 15 s after the last event');
});

test('the explanations of the own boid and of the shown one are kept apart, until the next welcome', () => {
  const { model } = joined();
  const boids = (): (number | null | undefined)[] => [model.why(false)?.boid, model.why(true)?.boid];
  assert.deepEqual(boids(), [undefined, undefined]);
  model.apply(why(7), 0);
  model.apply({ ...why(9), shown: true, by: 3 }, 0);
  assert.deepEqual(boids(), [7, 9]);
  model.apply(why(8), 0);
  assert.deepEqual(boids(), [8, 9]);
  model.apply(welcome(), 0);
  assert.deepEqual(boids(), [undefined, undefined]);
});

test('nobody leads any more in a mode without leaders', () => {
  const scare = [{ name: 'cursors', value: 'scare', choices: [] }] as unknown as Room['controls'];
  const leads: Update = { kind: 'leads', leaders: [], turn: { id: 7, seconds: 3, next: 0 } };
  const { model } = joined({ room: room({ policy: 'relay' }) });
  const turn = (next: Room): number | undefined => {
    for (const update of [leads, { kind: 'room', room: next } as const]) model.apply(update, 0);
    return model.leads()?.turn?.id;
  };
  assert.equal(turn(room({ policy: 'relay', title: 'new' })), 7);
  assert.equal(turn(room({ policy: 'relay', controls: scare })), undefined);
  assert.equal(turn(room({ policy: 'mean' })), undefined);
});

test('the count in the pen ends with the pen, and in another room', () => {
  const count: Update = { kind: 'penned', inside: 2, boids: 3, seconds: 4, done: false };
  const { model } = joined({ room: room({ pen: [1, 2, 3, 4] }) });
  const counted = (...updates: Update[]): boolean => {
    for (const update of [count, ...updates]) model.apply(update, 0);
    return model.penned() !== null;
  };
  assert.equal(counted({ kind: 'room', room: room({ pen: [1, 2, 3, 5] }) }), true);
  assert.equal(counted({ kind: 'room', room: room({ pen: null }) }), false);
  assert.equal(counted(welcome({ room: room({ pen: [1, 2, 3, 4] }) })), false);
});

test('the page says once that another server continues the room', () => {
  const { model, heard } = joined({ role: 'viewer', room: room({ instance: 1 }) });
  const says = (): number => heard.filter((each) => each === 'Another server continues this room').length;
  model.apply({ kind: 'status', status: { kind: 'connected' } }, 0);
  model.apply(welcome({ room: room({ instance: 1 }) }), 1);
  assert.equal(says(), 0, 'the same server has repeated its welcome');
  model.apply({ kind: 'status', status: { kind: 'connecting' } }, 2);
  model.apply(welcome({ room: room({ instance: 2 }) }), 3);
  model.apply(welcome({ room: room({ instance: 2 }) }), 4);
  assert.equal(says(), 1);
  assert.equal(model.news()?.text, 'the past and undo begin again');
  model.apply({ kind: 'status', status: { kind: 'waiting', until: 9, code: 3000, reason: '' } }, 5);
  model.apply(welcome({ room: room({ instance: 3 }) }), 6);
  assert.equal(says(), 1, 'a new connection is no move');
});
