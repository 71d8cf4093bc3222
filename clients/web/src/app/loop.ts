// The frames of the screen. Each frame samples the model once and passes the scene to the renderer, the layers and the views.

import { type Drawn, type Level, boidLength, levelOf } from '../draw/look';
import type { Layers } from '../draw/layers';
import type { Camera } from '../draw/camera';
import { type Backdrop, type Renderer, type Scene, type Theme, type Tint, trailStrength } from '../draw/scene';
import type { Viewport, Whereabouts } from '../draw/viewport';
import { createCrowd } from '../flock/crowd';
import type { Model, Shown } from '../flock/model';
import { centroidAt, pointAt, shownCount } from '../flock/timeline';
import type { Room } from '../net/protocol';
import { clamp } from '../numbers';
import type { View } from './view';

const FIGURES_GAP = 400; // ms
const SMOOTHING = 0.05; // weight of a frame in `measured`
const PASSED_MAX = 100; // ms: maximum of Scene.passed
const MAP_TIME = 500; // ms in which boids become a map

export interface Loop {
  run(): void;
  /** Returns the scene that was drawn last, or null if there is none yet. */
  scene(): Scene | null;
  measured: Readonly<{ fps: number; frameMs: number }>; // frameMs: of the main thread
}

export interface LoopOptions {
  model: Model;
  viewport: Viewport;
  renderer: Renderer;
  layers: Layers;
  views: readonly View[];
  look(room: Room | null): Drawn;
  theme(): Theme;
  ground(room: Room, camera: Camera, theme: Theme, now: number): Backdrop | null;
  tint(theme: Theme): Tint | null;
  /** Whether the person prefers reduced motion. */
  still(): boolean;
  /** Called at the beginning of each frame. */
  onFrame(now: number): void;
  /** Called at the end of each frame. took: time of the main thread, ms. */
  onDrawn(took: number, now: number): void;
}

function whereabouts(shown: Shown | null): Whereabouts | null {
  const at = shown === null ? null : centroidAt(shown.moment, shown.room);
  const radius = shown?.moment.b.measures?.radius;
  return at === null || radius === undefined ? null : { x: at[0], y: at[1], radius };
}

export function createLoop(options: LoopOptions): Loop {
  const { model, viewport, renderer, layers, views } = options;
  const crowd = createCrowd();
  const measured = { fps: 0, frameMs: 0 };
  let before = performance.now();
  let figuresAt = -Infinity;
  let scene: Scene | null = null;
  let level: Level = 'shape';
  let map = 0;

  function next(now: number, passed: number): Scene {
    const shown = model.sample(now);
    const room = shown?.room ?? null;
    const moment = shown?.moment ?? null;
    viewport.frame(room ?? model.room(), whereabouts(shown), now);
    const camera = viewport.camera();
    const spacing = shown === null ? 0 : camera.scale * crowd.follow(shown.moment.b, shown.room, passed);
    const look = options.look(room);
    const length = boidLength(look, spacing, camera.scale, Math.min(camera.width, camera.height));
    const count = moment === null ? 0 : shownCount(moment);
    const first = scene?.moment == null;
    level = levelOf(level, look, length, spacing, count);
    map = first ? Number(level === 'map') : clamp(map + (level === 'map' ? passed : -passed) / MAP_TIME, 0, 1);
    const theme = options.theme();
    return {
      now,
      camera,
      room,
      moment,
      shape: look.shape,
      coloring: look.coloring,
      ...{ level, map, length, spacing },
      beat: options.still() ? 0 : now / 1000,
      target: moment === null ? null : pointAt(moment.a.target, moment.b.target, moment.alpha),
      backdrop: room === null ? null : options.ground(room, camera, theme, now),
      theme,
      tint: options.tint(theme),
      trails: layers.isOn('trails') && trailStrength(look.shape) > 0,
      passed: Math.min(passed, PASSED_MAX),
    };
  }

  function frame(now: number): void {
    requestAnimationFrame(frame);
    const began = performance.now();
    const passed = Math.max(0, now - before);
    before = now;
    options.onFrame(now);
    scene = next(now, passed);
    renderer.draw(scene);
    layers.draw(scene);
    for (const view of views) view.frame?.(scene);
    if (now - figuresAt > FIGURES_GAP) {
      figuresAt = now;
      for (const view of views) view.figures?.(now);
    }
    const took = performance.now() - began;
    options.onDrawn(took, now);
    measured.frameMs += SMOOTHING * (took - measured.frameMs);
    if (passed > 0) measured.fps += SMOOTHING * (1000 / passed - measured.fps);
  }

  return { run: () => void requestAnimationFrame(frame), scene: () => scene, measured };
}
