// The page: puts the parts together and runs the frame.

import { type Camera, fit, toScreen, toWorld } from './camera';
import { type Platform, createConnection } from './connection';
import { createCrowd } from './crowd';
import { byId } from './dom';
import { exposeHook } from './hook';
import { createSteering, listen } from './input';
import { type Person, type Room, type ServerMessage, type Welcome } from './protocol';
import { create2dRenderer } from './renderer-2d';
import { createWebglRenderer, hasGpu } from './renderer-webgl';
import { LOOKS, type Renderer } from './scene';
import { loadSettings } from './settings';
import { type Moment, type Timeline, createTimeline, pointAt, shownCount } from './timeline';
import { createControls } from './ui-controls';
import { type Cursor, createCursorsView } from './ui-cursors';
import { createPeopleView } from './ui-people';
import { createStatusView } from './ui-status';

const RATE = 60; // snapshots per second are enough for any eye: what lies between is interpolated
const FIGURES_GAP = 400; // ms between updates of the figures
const SMALL = [560, 400]; // CSS pixels of a window, in either way, in which the list of people starts closed
const SMOOTHING = 0.05; // of the frame's measurements

const settings = loadSettings();
let name = settings.name();
let look = settings.look();
let welcome: Welcome | null = null;
let room: Room | null = null;
let timeline: Timeline | null = null;
let shown: { room: Room; moment: Moment } | null = null; // what is on the screen
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
  name: () => name,
  tokens: settings.tokens,
  platform,
  onStatus(status) {
    statusView.show(status, performance.now());
    if (status.kind === 'connected') steering.repeat();
  },
  onMessage: receive,
});
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
  shown: settings.peopleShown() && innerWidth > SMALL[0] && innerHeight > SMALL[1],
  onToggle: settings.keepPeopleShown,
  onRename(next) {
    keepName(next);
    connection.rename(next);
  },
});
const cursorsView = createCursorsView();
const controls = createControls({
  nextLook() {
    look = LOOKS[(LOOKS.indexOf(look) + 1) % LOOKS.length];
    settings.keepLook(look);
  },
  togglePeople: () => peopleView.toggle(),
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
      enter(message.room);
      break;
    case 'room':
      enter(message.room);
      break;
    case 'params':
      room?.params.forEach((param, index) => (param.value = message.values[index] ?? param.value));
      break;
    case 'presence':
      people.clear();
      for (const person of message.people) people.set(person.id, person);
      peopleChanged = true;
      break;
    case 'snapshot':
      // Nobody looks at a hidden page: what it misses, it misses.
      if (!document.hidden) timeline?.push(message, arrival);
      peopleView.count(message.people);
      break;
    case 'error':
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
  // Positions of another space are no neighbours of those before.
  const same =
    before !== null &&
    before.world[0] === next.world[0] &&
    before.world[1] === next.world[1] &&
    before.quantum === next.quantum &&
    before.boundary === next.boundary;
  if (timeline === null || !same) timeline = createTimeline(next, Math.min(welcome?.rate ?? RATE, next.snapshotRate));
  steering.room(next);
  resize();
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

function resize(): void {
  camera = fit(room?.world ?? [550, 400], innerWidth, innerHeight, devicePixelRatio);
}

let before = performance.now();
let figuresAt = -Infinity;

function frame(now: number): void {
  requestAnimationFrame(frame);
  const began = performance.now();
  const passed = Math.max(0, now - before);
  before = now;
  if (camera.deviceRatio !== devicePixelRatio) resize();
  steering.frame(now);
  const moment = timeline?.sample(now) ?? null;
  if (moment !== null && room !== null) shown = { room, moment };
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
  if (now - figuresAt > FIGURES_GAP) {
    figuresAt = now;
    showFigures(now);
  }
  measured.frameMs += SMOOTHING * (performance.now() - began - measured.frameMs);
  if (passed > 0) measured.fps += SMOOTHING * (1000 / passed - measured.fps);
}

function showFigures(now: number): void {
  if (peopleChanged) listPeople();
  statusView.tick(now);
  statusView.figures({
    boids: timeline?.newest()?.count ?? null,
    rate: timeline === null ? 0 : 1000 / timeline.interval(),
    latency: connection.clock().roundTrip(),
    model: room?.model ?? '',
  });
  statusView.hint(!steered && shown !== null && connection.status().kind === 'connected');
}

exposeHook({
  look: () => look,
  status: () => connection.status(),
  self: () => ({ id: welcome?.id ?? null, name }),
  room: () => shown?.room ?? room,
  moment: () => shown?.moment ?? null,
  target: () => target,
  cursors: () => cursors,
  people: () => timeline?.newest()?.people ?? 0,
  boids: () => (shown === null ? 0 : shownCount(shown.moment)),
  latencyMs: () => connection.clock().roundTrip(),
  delayMs: () => (timeline === null ? null : timeline.lag() + (connection.clock().offset() ?? NaN)),
  renderer: () => renderer.kind,
  fps: () => measured.fps,
  frameMs: () => measured.frameMs,
  malformed: () => connection.malformed(),
  toScreen: (x, y) => toScreen(camera, x, y),
  toWorld: (px, py) => toWorld(camera, px, py),
});

addEventListener('resize', resize);
addEventListener('online', () => connection.retry());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) connection.retry();
});
listen({ canvas: byId('canvas', HTMLCanvasElement), steering, toWorld: (px, py) => toWorld(camera, px, py) });
if (settings.strangeRoom) statusView.toast('The address names a room that cannot be: this is the lobby.');
connection.start();
requestAnimationFrame(frame);
