// The page of a room: a source of what happens there, the model that it is applied to, and the views that show it.

import { createKeys, listenToKeys } from './app/keys';
import { type Covered, toWorld } from './draw/camera';
import { createOverlay } from './draw/overlay';
import { createRenderer } from './draw/renderer';
import { drawnLook, nextLook } from './draw/look';
import { createViewport } from './draw/viewport';
import { createModel } from './flock/model';
import { INVITE, ROOT, besideIn, spacedCode } from './net/codes';
import { createPresenter, joinKeyIn, keyIn } from './flock/presenter';
import type { Platform } from './net/connection';
import { request } from './net/protocol';
import { createLiveSource } from './net/source';
import { texts } from './texts/texts';
import { createAttention } from './panels/attention';
import { createControls } from './panels/controls/opener';
import { createCursorsView } from './panels/cursors';
import { byId } from './app/dom';
import { errorText, sayRefusal } from './app/errors';
import { framed, goTo } from './app/go';
import { createGuide } from './panels/guide';
import { createHelp } from './panels/help';
import { exposeHook } from './app/hook';
import { listen } from './app/input';
import { sizeOf } from './panels/cursors/labels';
import { startLanguage } from './app/language';
import { createLoad } from './app/load';
import { createLoop } from './app/loop';
import { createMeasuresView } from './panels/measures';
import { createNewsView } from './panels/news';
import { createOwnCursor } from './app/own-cursor';
import { createPastView } from './panels/past';
import { createPeopleView } from './panels/people';
import { createProjector } from './panels/projector';
import { createRoomView } from './panels/room';
import { loadSettings } from './app/settings';
import { createStatusView } from './panels/status';
import { createTheme } from './app/theme';
import { createToolbar } from './app/toolbar';
import type { View } from './app/view';
import { createWelcome } from './panels/welcome';
import { listenForZoom, showMode } from './app/zoom';

const SMALL = [560, 400]; // CSS pixels of a window, in either way, in which the list of people starts closed
const ROOMY = [900, 560]; // beyond which the measures start open;
const NARROW = [440, 480]; // side by side, the measures open sooner, to be compared
const NO_ROOM = 3502; // the close code of a room that is not there

const translated = await startLanguage();
const settings = loadSettings();
const alone = await showTwo();
const stillness = matchMedia('(prefers-reduced-motion: reduce)');
const still = (): boolean => stillness.matches;
const exceeds = ([width, height]: number[]): boolean => innerWidth > width && innerHeight > height;
const canvas = byId('canvas', HTMLCanvasElement);
let name = settings.name();
let joinKey = settings.joinKeys.load();
let look = settings.look();
const theme = createTheme(settings.theme(), settings.keepTheme);

const platform: Platform = {
  open: (url, protocol) => new WebSocket(url, protocol),
  now: () => performance.now(),
  every: (ms, run) => void setInterval(run, ms),
  random: Math.random,
};
const model = createModel();
const source = createLiveSource({
  url: settings.url,
  room: settings.room,
  encodings: settings.encodings,
  name: () => name,
  key: () => presenter.key(),
  join: () => joinKey,
  tokens: settings.tokens,
  platform,
  onUpdate: model.apply,
});
const { ask } = source;

const ownCursor = createOwnCursor(model, source);
const { steering } = ownCursor;
const keys = createKeys({
  status: model.status,
  role: model.role,
  steering,
  shortcuts: settings.shortcuts(),
  keepShortcuts: settings.keepShortcuts,
  isOpen: (id) => byId(id, HTMLDialogElement).open,
});
listenToKeys(keys, steering);
const statusView = createStatusView({
  room: spacedCode(settings.room),
  model,
  source,
  keyGiven: () => joinKey !== '',
  actions: {
    retry: source.retry,
    rejoin: source.rejoin,
    reload: () => location.reload(),
    start: () => goTo(ROOT),
    unlock: (key) => {
      keepJoinKey(key);
      source.rejoin(false);
    },
  },
});
const load = createLoad(() => statusView.toast(texts.view.partMissing));
const presenter = createPresenter({
  keys: settings.keys,
  ask,
  onWrong: () => statusView.toast(texts.errors.presenterKey),
  onRefused: (error) => statusView.toast(errorText(error)),
});
const projector = createProjector({ model, keys, joinKey: () => joinKey, shown: settings.projector(), onToggle: settings.keepProjector, load });
const roomView = createRoomView(model, keys, () => !projector.shown() && projector.toggle(), () => joinKey, load);
const peopleView = createPeopleView({
  model,
  shown: settings.peopleShown() && exceeds(SMALL) && !framed(),
  onToggle: settings.keepPeopleShown,
  onRename: rename,
  onAppoint: (id, role) => ask(request.appoint(id, role), sayRefusal(statusView.toast)),
  onCall: (id, next) => ask(request.rename(id, next), sayRefusal(statusView.toast)),
  onSpotlight: (id) => ask(request.spotlight(id), sayRefusal(statusView.toast)),
  onRemove: (id) => ask(request.expel(id), sayRefusal(statusView.toast)),
});
const measuresView = createMeasuresView({
  model,
  shown: settings.measuresShown() && exceeds(framed() ? NARROW : ROOMY),
  onToggle: settings.keepMeasuresShown,
  marked: settings.centroidShown(),
  onMark: settings.keepCentroidShown,
  inWords: settings.inWords(),
  onInWords: settings.keepInWords,
  load,
});
const controlsOpen = () => settings.panelOpen() && !framed();
const controls = createControls({
  model,
  keys,
  ask,
  key: presenter.key,
  onRefused: statusView.toast,
  onLayout: () => viewport.aim(true),
  canvas,
  toWorld: worldAt,
  cursor() {
    const at = steering.cursor();
    const [width, height] = model.room()?.world ?? [0, 0];
    return at === null ? [width / 2, height / 2] : [at.x, at.y];
  },
  open: controlsOpen(),
  onToggle: settings.keepPanelOpen,
  keysAlone: projector.shown,
  onLoaded(loaded) {
    loaded.forEach(show);
    loaded.forEach(model.inform);
  },
});
const cursorsView = createCursorsView(model, ownCursor, projector.shown);
const overlay = createOverlay(byId('overlay', HTMLCanvasElement), {
  marked: measuresView.marked,
  size: (width, height) => sizeOf(projector.shown(), width, height),
  own() {
    const at = ownCursor.steers() ? steering.cursor() : null;
    return at === null ? null : [at.x, at.y];
  },
});
const renderer = createRenderer(canvas, settings.renderer);
createToolbar(keys, {
  nextLook() {
    look = nextLook(look, model.room());
    settings.keepLook(look);
  },
  nextTheme: theme.next,
});
keys.on({ people: peopleView.toggle, measures: measuresView.toggle, centroid: measuresView.toggleMark });
const welcome = createWelcome({
  model,
  wanted: !framed() && name === '' && settings.tokens.load() === null && !projector.shown() && matchMedia('(pointer: coarse)').matches,
  canvas,
  onName: rename,
  onLayout: () => viewport.aim(true),
});
const viewport = createViewport({
  window,
  covers,
  still,
  // Where the latest to move leads, a view that moves by itself must not take the lead.
  onMove: () => pointers.viewMoved(ownCursor.steers() && model.room()?.policy !== 'latest'),
  onMode: showMode,
});

const views: View[] = [];
for (const view of [
  { role: presenter.became, key: presenter.rekeyed, keyRefused: presenter.refused },
  { people: () => void (name = model.people.self()?.name ?? name), called: keepName },
  ownCursor,
  statusView,
  controls,
  createAttention(model),
  createPastView(model),
  createNewsView(controlsOpen),
  createGuide(model, ownCursor.used),
  roomView,
  peopleView,
  measuresView,
  createHelp({ model, keys, renderer: renderer.kind }),
  projector,
  welcome,
  { frame: (scene) => overlay?.draw(scene) },
  cursorsView,
] satisfies View[])
  show(view);

const loop = createLoop({
  model,
  viewport,
  renderer,
  views,
  look: (room) => drawnLook(look, room),
  theme: theme.now,
  still,
  onFrame: steering.frame,
  onDrawn(took, now) {
    source.drew(took);
    source.tick(now);
  },
});
const pointers = listen({ canvas, steering, toWorld: worldAt });
keys.on({ wholeFlock: viewport.back });
listenForZoom({ canvas, viewport, letGo: pointers.letGo, tapsTaken: controls.adding });
exposeHook({
  model,
  source,
  viewport,
  renderer,
  loop,
  name: () => name,
  look: () => drawnLook(look, model.room()).shape,
  steers: ownCursor.steers,
  mark: () => overlay?.mark() ?? null,
  arrows: () => Object.keys(overlay?.arrows() ?? {}),
});

/** Two rooms in place of one, if the address says so: this page shows nothing else then. False: they could not be loaded. */
async function showTwo(): Promise<boolean> {
  const codes = framed() ? null : besideIn(location);
  if (codes === null) return true;
  const options = { codes, open: settings.panelOpen(), onProjector: settings.keepProjector };
  const shown = import('./panels/beside').then(({ showBeside }) => showBeside(options));
  return shown.then(
    () => new Promise(() => undefined),
    () => false,
  );
}

async function beOneOfTwo(): Promise<void> {
  const view = await load(async () => {
    const { createFramed } = await import('./panels/beside/framed');
    return createFramed({ model, steering, controls, projector, measures: measuresView });
  });
  show(view);
  model.inform(view);
}

function worldAt(px: number, py: number): [number, number] {
  return toWorld(viewport.camera(), px, py);
}

function show(view: View): void {
  views.push(view);
  model.subscribe(view);
}

function keepName(next: string): void {
  name = next;
  settings.keepName(next);
}

function rename(next: string): void {
  keepName(next);
  ask(request.name(next), (outcome) => {
    if (outcome.kind === 'done') model.people.renamed(next);
    if (outcome.kind === 'error') {
      // A name that was refused must not come back with the next hello.
      keepName(model.people.self()?.name ?? '');
      statusView.toast(errorText(outcome));
    }
    peopleView.people?.();
  });
}

function covers(): Covered {
  const { right, bottom } = controls.covers();
  return { right, bottom: Math.max(bottom, welcome.covers()) };
}

function keepJoinKey(key: string): void {
  joinKey = key;
  settings.joinKeys.save(key);
}

/** Removes the keys from the address, so that no bystander reads them and no bookmark keeps them. */
function takeKey(): void {
  const join = joinKeyIn(location.hash);
  if (join !== '') {
    keepJoinKey(join);
    source.rejoin(false); // if the room was locked
  }
  if (keyIn(location.hash) === null) {
    if (join !== '') history.replaceState(history.state, '', location.pathname + location.search);
    return;
  }
  const given = presenter.take(location.hash);
  if (new URLSearchParams(location.hash.slice(1)).has(INVITE)) roomView.invite();
  history.replaceState(history.state, '', location.pathname + location.search);
  if (!given) statusView.toast(texts.errors.badKey);
}

function watch(): void {
  model.watch(!document.hidden);
  source.watch(!document.hidden);
}

addEventListener('resize', () => viewport.aim(false));
addEventListener('online', source.retry);
document.addEventListener('visibilitychange', () => {
  watch();
  if (!document.hidden) source.retry();
});
addEventListener('hashchange', takeKey);
takeKey();
if (presenter.key() !== '') controls.load();
watch();
if (settings.room === '') model.apply({ kind: 'status', status: { kind: 'closed', code: NO_ROOM, reason: '' } }, 0);
else source.start();
loop.run();
if (framed()) void beOneOfTwo();
if (!translated) statusView.toast(texts.view.untranslated);
if (!alone) statusView.toast(texts.beside.failed);
