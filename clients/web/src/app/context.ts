// The objects that the panels share. Each exists once and lives as long as the page.

import { toWorld } from '../draw/camera';
import { sizeOf } from '../draw/labels';
import { type Layers, ORDER, createLayers } from '../draw/layers';
import { overlayLayers } from '../draw/overlay';
import { pickBoid } from '../draw/pick';
import { createRenderer } from '../draw/renderer';
import type { Renderer, Theme, Tint } from '../draw/scene';
import { type Viewport, createViewport } from '../draw/viewport';
import { type Model, createModel } from '../flock/model';
import type { Platform } from '../net/connection';
import type { Ask } from '../net/requests';
import { type Source, createLiveSource } from '../net/source';
import { texts } from '../texts/texts';
import { type Dock, createDock } from './dock';
import { byId } from './dom';
import { errorText } from './errors';
import { type Gestures, listenForGestures, showMode } from './gestures';
import { type Identity, createIdentity } from './identity';
import { type Keys, createKeys, listenToKeys } from './keys';
import { type Load, createLoad } from './load';
import { type OwnCursor, createOwnCursor } from './own-cursor';
import { type Looks, createLooks } from './looks';
import type { Settings } from './settings';
import { type ThemeChoice, createTheme } from './theme';
import { type Say, createToast } from './toast';
import { type Tools, createTools } from './tools';
import type { View } from './view';

const FINGER = 24; // CSS pixels from a finger to the boid that it touches

export interface Context {
  settings: Settings;
  model: Model;
  source: Source;
  ask: Ask;
  identity: Identity;
  ownCursor: OwnCursor;
  keys: Keys;
  dock: Dock;
  tools: Tools;
  /** The boid on which a finger rested, for the panel that explains it; null: none. */
  held: { boid: number | null };
  layers: Layers;
  /** Returns the colours of boids that mean something, or null. A panel may replace of(). */
  tint: { of(theme: Theme): Tint | null };
  looks: Looks;
  theme: ThemeChoice;
  viewport: Viewport;
  renderer: Renderer;
  views: readonly View[];
  /** Calls the view after each change of the model and for each frame from now on, and at once with the model's present state. */
  show(view: View): void;
  load: Load;
  /** Shows a notice for 6 s. */
  say: Say;
  /** Returns the point of the world at that point of the window. */
  toWorld(px: number, py: number): [number, number];
  /** Whether the person prefers reduced motion. */
  still(): boolean;
}

const platform: Platform = {
  open: (url, protocol) => new WebSocket(url, protocol),
  now: () => performance.now(),
  every: (ms, run) => void setInterval(run, ms),
  random: Math.random,
};

export function createContext(settings: Settings): Context {
  const canvas = byId('canvas', HTMLCanvasElement);
  const stillness = matchMedia('(prefers-reduced-motion: reduce)');
  const views: View[] = [];
  const model = createModel();
  const { say, hide } = createToast();
  const load = createLoad(() => say(texts.view.partMissing));

  function show(view: View): void {
    views.push(view);
    model.subscribe(view);
    model.inform(view);
  }

  const identity = createIdentity({
    model,
    settings,
    say,
    ask: (request, answered) => source.ask(request, answered),
    rejoin: () => source.rejoin(false),
  });
  const source = createLiveSource({
    url: settings.url,
    room: settings.room,
    encodings: settings.encodings,
    name: identity.greeting,
    key: identity.presenter.key,
    join: identity.joinKey,
    tokens: settings.tokens,
    platform,
    onUpdate: model.apply,
  });
  const ownCursor = createOwnCursor(model, source);
  const { steering } = ownCursor;
  const keys = createKeys({
    status: model.status,
    role: model.role,
    steering,
    shortcuts: settings.shortcuts(),
    keepShortcuts: settings.keepShortcuts,
    isOpen: (dialog) => dock.isOpen(dialog),
  });
  const dock = createDock({ model, keys, settings, load, onMounted: show, onLayout: () => viewport.aim(true) });
  const tools: Tools = createTools({
    ...{ name: 'steer', follows: steering },
    held: (is) => dock.setCloser(canvas, is ? null : () => tools.putDown()), // Escape puts another tool down
  });
  const viewport = createViewport({
    window,
    covers: dock.covers,
    still: () => stillness.matches,
    // With the policy `latest` the flock follows the cursor that moved last, so a move of the view alone must not send a position.
    onMove: () => gestures.viewMoved(ownCursor.steers() && model.room()?.policy !== 'latest'),
    onMode: showMode,
  });
  const worldAt = (px: number, py: number): [number, number] => toWorld(viewport.camera(), px, py);
  const held: Context['held'] = { boid: null };
  const gestures: Gestures = listenForGestures({
    ...{ canvas, tools, viewport, toWorld: worldAt, onHidden: steering.releaseKeys },
    holdAt(px, py) {
      const boid = pickBoid(model.shown(), viewport.camera(), px, py, FINGER);
      if (boid === null) return null;
      return () => {
        held.boid = boid;
        dock.open('why');
      };
    },
  });
  const layers = createLayers(byId('overlay', HTMLCanvasElement), (width, height) => sizeOf(dock.isOpen('projector'), width, height));
  layers.add(
    { name: 'trails', order: ORDER.trails, may: () => !stillness.matches },
    ...overlayLayers(() => {
      const at = ownCursor.steers() ? steering.cursor() : null;
      return at === null ? null : [at.x, at.y];
    }),
  );
  listenToKeys(keys, steering);
  keys.on({
    wholeFlock: viewport.back,
    // The browser closes an open dialog, which is above everything else.
    leave: () => document.querySelector('dialog[open]') === null && (hide() || dock.leave()),
  });
  for (const view of [identity, ownCursor, { error: (error) => say(errorText(error)) }] satisfies View[]) show(view);

  return {
    ...{ settings, model, source, ask: source.ask, identity, ownCursor, keys, dock, tools, held, layers, viewport },
    tint: { of: () => null },
    looks: createLooks(settings),
    theme: createTheme(() => void load(() => import('../draw/system')).then(({ useSystemColors }) => useSystemColors())),
    ...{ views, show, load, say, toWorld: worldAt },
    renderer: createRenderer(canvas, settings.renderer, load),
    still: () => stillness.matches,
  };
}
