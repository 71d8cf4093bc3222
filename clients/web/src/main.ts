// The page: puts the parts together and runs the frame.

import { listenForAdding } from './adding';
import { type Camera, between, fit, toScreen, toWorld } from './camera';
import { type Platform, createConnection } from './connection';
import { createCrowd } from './crowd';
import { byId } from './dom';
import { exposeHook } from './hook';
import { createSteering, listen } from './input';
import { createPresenter, keyIn } from './presenter';
import { type Person, type Room, type ServerMessage, type Welcome } from './protocol';
import { create2dRenderer } from './renderer-2d';
import { createWebglRenderer, hasGpu } from './renderer-webgl';
import { news, paused, summary } from './room-news';
import { LOOKS, type Renderer } from './scene';
import { loadSettings } from './settings';
import { createStream } from './stream';
import { type Moment, type Timeline, centroidAt, createTimeline, pointAt, shownCount } from './timeline';
import { createControls } from './ui-controls';
import { type Cursor, createCursorsView } from './ui-cursors';
import { createMeasuresView } from './ui-measures';
import { createNewsView } from './ui-news';
import { createPanel } from './ui-panel';
import { createPeopleView } from './ui-people';
import { createStatusView } from './ui-status';

const RATE = 60; // snapshots per second are enough for any eye: what lies between is interpolated
const FIGURES_GAP = 400; // ms between updates of the figures
const SMALL = [560, 400]; // CSS pixels of a window, in either way, in which the list of people starts closed
const ROOMY = [900, 560]; // beyond which the measures start open
const SMOOTHING = 0.05; // of the frame's measurements
const FIRST_WAIT = 250; // ms in a room after which its first snapshot is shown without a second one
const PAN_TIME = 450; // ms from one camera to the next

const settings = loadSettings();
const exceeds = ([width, height]: number[]): boolean => innerWidth > width && innerHeight > height;
let name = settings.name();
let look = settings.look();
let welcome: Welcome | null = null;
let room: Room | null = null;
let timeline: Timeline | null = null;
let shown: { room: Room; moment: Moment } | null = null; // what is on the screen
let entered = 0; // when the room was told of
let target: [number, number] | null = null;
let cursors: Cursor[] = [];
const people = new Map<number, Person>();
const crowd = createCrowd();
const measured = { fps: 0, frameMs: 0 };
let steered = false;
let peopleChanged = false; // since they were listed

const stillness = matchMedia('(prefers-reduced-motion: reduce)');
const renderer = createRenderer();
let camera: Camera = fit([550, 400], innerWidth, innerHeight, devicePixelRatio);
let pan: { from: Camera; to: Camera; began: number } | null = null; // on the way to another camera

const platform: Platform = {
  open: (url, protocol) => new WebSocket(url, protocol),
  now: () => performance.now(),
  every: (ms, run) => void setInterval(run, ms),
  random: Math.random,
};
const connection = createConnection({
  url: settings.url,
  room: settings.room,
  rate: RATE,
  encodings: settings.encodings,
  name: () => name,
  tokens: settings.tokens,
  platform,
  onStatus(status) {
    statusView.show(status, performance.now());
    panel.connected(status.kind === 'connected');
    if (status.kind !== 'connected' || welcome === null) return;
    presenter.welcomed(welcome.role);
    steering.repeat();
    stream.watch(!document.hidden);
  },
  onMessage: receive,
});
const stream = createStream({ send: (message) => connection.say(message), now: () => performance.now() });
const steering = createSteering({
  cursor(x, y) {
    const sent = connection.cursor(x, y);
    steered ||= sent;
    return sent;
  },
  away: () => connection.away(),
});
const statusView = createStatusView({
  retry: () => connection.retry(),
  rejoin: (asNewPerson) => connection.rejoin(asNewPerson),
  reload: () => location.reload(),
  lobby: () => location.assign(location.pathname),
});
const peopleView = createPeopleView({
  shown: settings.peopleShown() && exceeds(SMALL),
  onToggle: settings.keepPeopleShown,
  onRename(next) {
    keepName(next);
    connection.rename(next);
  },
});
const measuresView = createMeasuresView({
  shown: settings.measuresShown() && exceeds(ROOMY),
  onToggle: settings.keepMeasuresShown,
  marked: settings.centroidShown(),
  onMark: settings.keepCentroidShown,
});
const cursorsView = createCursorsView();
const newsView = createNewsView();
const panel = createPanel({
  send: (message) => connection.say(message),
  onLayout: () => aim(true),
  cursor() {
    const at = steering.cursor();
    const [width, height] = room?.world ?? [0, 0];
    return at === null ? [width / 2, height / 2] : [at.x, at.y];
  },
  open: settings.panelOpen(),
  onToggle: settings.keepPanelOpen,
});
const presenter = createPresenter({
  keys: settings.keys,
  send: (message) => connection.say(message),
  onChange(is) {
    panel.offer(is);
    const opener = matchMedia('(hover: hover)').matches ? 'P' : 'the first button';
    if (is) newsView.tell({ title: 'You are a presenter', text: `${opener} opens the controls` });
  },
});
const controls = createControls({
  nextLook() {
    look = LOOKS[(LOOKS.indexOf(look) + 1) % LOOKS.length];
    settings.keepLook(look);
  },
  togglePeople: () => peopleView.toggle(),
  toggleMeasures: () => measuresView.toggle(),
  toggleCentroid: () => measuresView.toggleMark(),
});

function createRenderer(): Renderer {
  const canvas = byId('canvas', HTMLCanvasElement);
  if (settings.renderer === 'webgl2' || (settings.renderer !== '2d' && hasGpu())) {
    const webgl = createWebglRenderer(canvas);
    if (webgl !== null) return webgl;
  }
  const plain = create2dRenderer(canvas);
  if (plain === null) throw new Error('this browser draws on no canvas');
  return plain;
}

function keepName(next: string): void {
  name = next;
  settings.keepName(next);
}

function receive(message: ServerMessage, arrival: number): void {
  switch (message.kind) {
    case 'welcome':
      welcome = message;
      name = message.name;
      people.clear();
      timeline = null;
      stream.welcomed(message);
      enter(message.room);
      break;
    case 'room': {
      const fresh = room === null ? null : news(room, message.room);
      if (fresh !== null) newsView.tell(fresh);
      enter(message.room);
      break;
    }
    case 'params':
      room?.params.forEach((param, index) => (param.value = message.values[index] ?? param.value));
      panel.values(room?.params ?? []);
      break;
    case 'role':
      presenter.became(message.role);
      break;
    case 'presence':
      people.clear();
      for (const person of message.people) people.set(person.id, person);
      peopleChanged = true;
      break;
    case 'snapshot':
    case 'packed': {
      const sighting = room === null ? null : stream.take(message, arrival, room.tickRate);
      // Nobody looks at a hidden page: what it misses, it misses.
      if (sighting !== null && !document.hidden) timeline?.push(sighting, arrival);
      peopleView.count(message.people);
      break;
    }
    case 'stream':
      stream.granted(message);
      // The pace of a hidden page is not that of what it shows when it is seen again.
      if (!document.hidden) timeline?.follow(message.rate);
      break;
    case 'error':
      // The world became a smaller one while this cursor was under way: it goes there with its next move.
      if (message.code === 'range' && (message.field === 'x' || message.field === 'y')) break;
      if (message.code === 'key') {
        presenter.refused();
        statusView.toast('The key in the link is not this room’s: you see and steer, but the controls are not yours.');
        break;
      }
      if (panel.refuse(message)) break;
      // A name that was refused must not come back with the next hello.
      if (message.field === 'name') keepName(welcome?.name ?? '');
      statusView.toast(message.message);
      break;
    case 'pong':
    case 'ignored':
    case 'malformed':
      break;
  }
}

function enter(next: Room): void {
  const before = room;
  room = next;
  entered = performance.now();
  // Positions of another space are no neighbours of those before.
  const same =
    before !== null &&
    before.world[0] === next.world[0] &&
    before.world[1] === next.world[1] &&
    before.quantum === next.quantum &&
    before.boundary === next.boundary;
  const { full, rate } = stream.state();
  if (timeline === null || !same) timeline = createTimeline(next, document.hidden ? full : rate);
  steering.room(next);
  panel.room(next);
  newsView.paused(paused(next));
  if (shown === null) aim(false);
  listPeople();
  controls.about(
    `${welcome?.server ?? ''}, room ${next.name}, model ${next.model}; drawn with ${renderer.kind === '2d' ? 'Canvas2D' : 'WebGL2'}.`,
  );
}

function listPeople(): void {
  peopleChanged = false;
  if (welcome === null) return;
  const self = people.get(welcome.id) ?? welcome;
  name = self.name;
  peopleView.list([...people.values()], self);
}

/** Points the camera at what is shown, or will be first: at once, or smoothly. */
function aim(smoothly: boolean): void {
  const { world } = shown?.room ?? room ?? { world: [550, 400] as [number, number] };
  const next = fit(world, innerWidth, innerHeight, devicePixelRatio, panel.covers());
  if (smoothly && !stillness.matches) {
    pan = { from: camera, to: next, began: performance.now() };
  } else {
    pan = null;
    see(next);
  }
}

function see(next: Camera): void {
  camera = next;
  pointers.viewMoved(timeline?.newest()?.cursors.has(welcome?.id ?? -1) ?? false);
}

function moveCamera(now: number): void {
  if (camera.deviceRatio !== devicePixelRatio) aim(false);
  if (pan === null) return;
  const { from, to, began } = pan;
  const t = Math.max(0, now - began) / PAN_TIME;
  if (t >= 1) pan = null;
  see(between(from, to, t));
}

/** A presenter's key in the address: taken out of it, so that nobody reads it there, and no bookmark keeps it. */
function takeKey(): void {
  if (keyIn(location.hash) === null) return;
  const given = presenter.take(location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
  if (!given) statusView.toast('The address has a presenter’s key that cannot be one: small letters, digits and -.');
}

let before = performance.now();
let figuresAt = -Infinity;

function frame(now: number): void {
  requestAnimationFrame(frame);
  const began = performance.now();
  const passed = Math.max(0, now - before);
  before = now;
  const moment = timeline?.sample(now) ?? null;
  // Of a single snapshot nobody can tell where the boids head: the second one comes in a moment.
  const whole = shown?.room === room || (moment !== null && moment.a !== moment.b) || now - entered > FIRST_WAIT;
  if (moment !== null && room !== null && whole) {
    const other = shown !== null && shown.room.world.join() !== room.world.join();
    shown = { room, moment };
    if (other) aim(true);
  }
  moveCamera(now);
  steering.frame(now);
  target = shown === null ? null : pointAt(shown.moment.a.target, shown.moment.b.target, shown.moment.alpha);
  renderer.draw({
    camera,
    room: shown?.room ?? null,
    moment: shown?.moment ?? null,
    spacing: shown === null ? 0 : camera.scale * crowd.follow(shown.moment.b, shown.room, passed),
    target,
    look,
    trails: !stillness.matches,
    passed: Math.min(passed, 100),
  });
  const self = welcome?.id ?? -1;
  cursors = cursorsView.draw(camera, shown?.moment ?? null, people, self);
  const steers = timeline?.newest()?.cursors.has(self) ?? false;
  cursorsView.own(camera, steering.cursor(), welcome?.color ?? 0xffffff, steers);
  cursorsView.target(camera, target);
  const measures = shown?.moment.b.measures ?? null;
  measuresView.show(measures, now);
  const middle = shown === null ? null : centroidAt(shown.moment, shown.room);
  measuresView.mark(camera, middle, measures?.radius ?? 0);
  if (now - figuresAt > FIGURES_GAP) {
    figuresAt = now;
    showFigures(now);
  }
  const took = performance.now() - began;
  stream.drew(took);
  stream.tick(now);
  measured.frameMs += SMOOTHING * (took - measured.frameMs);
  if (passed > 0) measured.fps += SMOOTHING * (1000 / passed - measured.fps);
}

function showFigures(now: number): void {
  if (peopleChanged) listPeople();
  statusView.tick(now);
  const newest = timeline?.newest() ?? null;
  const { full, rate } = stream.state();
  statusView.figures({
    boids: newest?.count ?? null,
    flock: newest?.flock ?? 0,
    rate: timeline === null ? 0 : 1000 / timeline.interval(),
    less: rate < full,
    latency: connection.clock().roundTrip(),
    model: room === null ? '' : summary(room),
  });
  panel.boids(newest?.flock ?? 0);
  statusView.hint(!steered && shown !== null && connection.status().kind === 'connected');
}

exposeHook({
  look: () => look,
  status: () => connection.status(),
  self: () => ({ id: welcome?.id ?? null, name, role: presenter.is() ? 'presenter' : 'viewer' }),
  room: () => shown?.room ?? room,
  moment: () => shown?.moment ?? null,
  target: () => target,
  cursors: () => cursors,
  people: () => timeline?.newest()?.people ?? 0,
  boids: () => (shown === null ? 0 : shownCount(shown.moment)),
  stream: () => stream.state(),
  latencyMs: () => connection.clock().roundTrip(),
  delayMs: () => (timeline === null ? null : timeline.lag() + (connection.clock().offset() ?? NaN)),
  renderer: () => renderer.kind,
  fps: () => measured.fps,
  frameMs: () => measured.frameMs,
  malformed: () => connection.malformed(),
  toScreen: (x, y) => toScreen(camera, x, y),
  toWorld: (px, py) => toWorld(camera, px, py),
});

const canvas = byId('canvas', HTMLCanvasElement);
const pointers = listen({ canvas, steering, toWorld: (px, py) => toWorld(camera, px, py) });
listenForAdding({ canvas, add: (px, py) => panel.addAt(...toWorld(camera, px, py)) });
addEventListener('resize', () => aim(false));
addEventListener('online', () => connection.retry());
document.addEventListener('visibilitychange', () => {
  stream.watch(!document.hidden);
  if (!document.hidden) connection.retry();
});
if (settings.strangeRoom) statusView.toast('The address names a room that cannot be: this is the lobby.');
addEventListener('hashchange', takeKey);
takeKey();
connection.start();
requestAnimationFrame(frame);
