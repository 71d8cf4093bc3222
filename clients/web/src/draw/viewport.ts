// The part of the world that the window shows. By default it is the whole world and the flock. In a window of a very
// different shape, such as a phone's, it is the flock alone, larger. The camera stays still while its view is good, then
// glides to a better one. After a zoom or a pan the person controls the camera until they press the button or key 0.

import type { Room } from '../net/protocol';
import { type Camera, type Covered, between, fit, inside, toScreen, toWorld } from './camera';
import { clamp } from '../numbers';

const GLIDE_TIME = 700; // ms that a glide takes
const UNKNOWN: [number, number] = [550, 400]; // the world's size before the first room message
const ROOM = 1.7; // radii of the flock that are shown around its centroid
const ROOM_FOLLOWED = 2.2; // as ROOM, while the camera follows the flock
const WIDEST = 4; // if flock and world together are larger than this number of worlds, the camera shows the flock alone
const SHAPE = 0.5; // the camera follows the flock if the whole world would fill less than this share of the window
const ASTRAY = 0.24; // allowed distance of a followed flock from the middle, as a share of the window's shorter side
const CALM = 1500; // ms that a better view must last before the camera takes it
const BETTER = 1.35; // a better view shows a followed flock larger by this factor
const BACK = 1.12; // and the world, after it was shown smaller, by this one
const ZOOM_LEAST = 0.5; // smallest zoom, as a share of the scale that shows the whole world
const ZOOM_MOST = 16;

/** The flock's position and radius of gyration, world units. */
export interface Whereabouts {
  x: number;
  y: number;
  radius: number;
}

/** all: the whole world and the flock; follow: the flock; free: the person controls the camera. */
export type ViewMode = 'all' | 'follow' | 'free';

export interface Viewport {
  camera(): Camera;
  mode(): ViewMode;
  /** Moves the camera to the best view, at once or smoothly. While the camera is free, adapts it to the window alone. */
  aim(smoothly: boolean): void;
  /** Must be called once per frame, with the room that is shown. */
  frame(room: Room | null, flock: Whereabouts | null, now: number): void;
  /** The person zooms by that factor about a point of the window, and moves the view by CSS pixels. */
  zoom(factor: number, px: number, py: number, dx?: number, dy?: number): void;
  /** Ends the person's control of the camera. */
  back(): void;
  /** Returns the scale of the best view, found when the camera moved to it last: CSS pixels per world unit. */
  best(): number;
  /** Limits the scale of the views that the camera finds. */
  limit(scale: number): void;
  /** While it is held, the camera does not follow the flock: a person who draws sees the whole world. A zoomed view stays. */
  hold(is: boolean): void;
}

export interface ViewportOptions {
  window: Pick<Window, 'innerWidth' | 'innerHeight' | 'devicePixelRatio'>;
  /** The covered parts of the window, CSS pixels. */
  covers(): Covered;
  /** Whether the person prefers reduced motion. */
  still(): boolean;
  onMove(): void;
  onMode(mode: ViewMode): void;
}

interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const around = ({ x, y, radius }: Whereabouts, times: number): Rectangle => ({
  left: x - times * radius,
  top: y - times * radius,
  right: x + times * radius,
  bottom: y + times * radius,
});

/** Returns the visible part of an open world. It always includes the flock. */
export function extent({ world, boundary }: Pick<Room, 'world' | 'boundary'>, flock: Whereabouts | null): Rectangle {
  const [right, bottom] = world;
  const whole = { left: 0, top: 0, right, bottom };
  if (flock === null || boundary !== 'open') return whole;
  const near = around(flock, ROOM);
  const both = {
    left: Math.min(0, near.left),
    top: Math.min(0, near.top),
    right: Math.max(right, near.right),
    bottom: Math.max(bottom, near.bottom),
  };
  const wide = both.right - both.left > WIDEST * right || both.bottom - both.top > WIDEST * bottom;
  return wide ? around({ ...flock, radius: Math.max(flock.radius, right / 8) }, ROOM_FOLLOWED) : both;
}

export function createViewport(options: ViewportOptions): Viewport {
  const { window } = options;
  let camera = fit(UNKNOWN, window.innerWidth, window.innerHeight, window.devicePixelRatio);
  let mode: ViewMode = 'all';
  let glide: { from: Camera; to: Camera; began: number | null } | null = null;
  let room: Room | null = null;
  let flock: Whereabouts | null = null;
  let world = ''; // the world that was shown last
  let better: number | null = null; // when a better view was first found
  let best = 0;
  let most = Infinity; // the limit of the scale
  let held = false;

  function become(next: ViewMode): void {
    if (next === mode) return;
    mode = next;
    options.onMode(next);
  }

  function see(next: Camera): void {
    camera = next;
    options.onMove();
  }

  const show = ({ left, top, right, bottom }: Rectangle): Camera => {
    const { innerWidth, innerHeight, devicePixelRatio } = window;
    const next = fit([right - left, bottom - top], innerWidth, innerHeight, devicePixelRatio, options.covers());
    return { ...next, left: next.left - left * next.scale, top: next.top - top * next.scale };
  };

  /** Returns the camera that shows the flock. It shows nothing beyond the world if the world is larger than the window. */
  function followed({ world: [width, height] }: Room, at: Whereabouts): Camera {
    const whole = show({ left: 0, top: 0, right: width, bottom: height });
    const { width: freeWidth, height: freeHeight } = free();
    const most = Math.max(freeWidth / width, freeHeight / height);
    const scale = clamp(Math.min(freeWidth, freeHeight) / (2 * ROOM_FOLLOWED * Math.max(at.radius, 1)), whole.scale, most);
    const place = (side: number, middle: number, size: number): number =>
      side * scale <= size ? (size - side * scale) / 2 : clamp(size / 2 - middle * scale, size - side * scale, 0);
    return { ...whole, scale, left: place(width, at.x, freeWidth), top: place(height, at.y, freeHeight) };
  }

  function free(): { width: number; height: number } {
    const { right, bottom } = options.covers();
    return { width: Math.max(1, window.innerWidth - right), height: Math.max(1, window.innerHeight - bottom) };
  }

  /** Whether a view of the whole world would leave most of the window empty. */
  function odd(): boolean {
    const [width, height] = room?.world ?? UNKNOWN;
    const { width: freeWidth, height: freeHeight } = free();
    const [across, down] = [freeWidth / width, freeHeight / height];
    return !held && Math.min(across, down) < SHAPE * Math.max(across, down);
  }

  function unlimited(): Camera {
    if (room === null) return show({ left: 0, top: 0, right: UNKNOWN[0], bottom: UNKNOWN[1] });
    const area = extent(room, flock);
    // The flock must be visible, also outside the world.
    const gone = flock !== null && !inside(flock.x, flock.y, 0, 0, ...room.world);
    if (flock === null || !odd() || gone) return show(area);
    return followed(room, flock);
  }

  /** Returns the best view. Beyond the limit it has the same middle and a smaller scale. */
  function ideal(next = unlimited()): Camera {
    const { width, height } = free();
    const part = Math.min(1, most / next.scale);
    const place = (origin: number, size: number): number => size / 2 + (origin - size / 2) * part;
    return { ...next, scale: next.scale * part, left: place(next.left, width), top: place(next.top, height) };
  }

  function aim(smoothly: boolean): void {
    if (mode === 'free') {
      const { innerWidth: width, innerHeight: height, devicePixelRatio } = window;
      const { ratio } = fit(UNKNOWN, width, height, devicePixelRatio);
      see({ ...camera, width, height, ratio, deviceRatio: devicePixelRatio });
      return;
    }
    become(flock !== null && odd() ? 'follow' : 'all');
    const found = unlimited();
    best = found.scale;
    const next = ideal(found);
    better = null;
    if (smoothly && !options.still()) {
      glide = { from: camera, to: next, began: null };
    } else {
      glide = null;
      see(next);
    }
  }

  /** Whether the flock is out of view, or has been too small or off the middle for CALM ms. */
  function wants(now: number): boolean {
    if (flock === null || mode === 'free') return false;
    const { width, height } = free();
    const [x, y] = toScreen(camera, flock.x, flock.y);
    const reach = flock.radius * camera.scale;
    const next = ideal();
    const same = Math.abs(next.left - camera.left) + Math.abs(next.top - camera.top) < 1;
    if (same && Math.abs(next.scale / camera.scale - 1) < 0.01) return false;
    const lost = x - reach < 0 || y - reach < 0 || x + reach > width || y + reach > height;
    const smaller = next.scale < camera.scale * 0.99;
    if (lost && (smaller || !inside(x, y, 0, 0, width, height))) return true;
    const [nx, ny] = toScreen(next, flock.x, flock.y);
    const outside = mode === 'follow' && Math.hypot(x - nx, y - ny) > ASTRAY * Math.min(width, height);
    const whole = next.scale === show(extent(room ?? { world: UNKNOWN, boundary: '' }, null)).scale;
    const larger = next.scale > camera.scale * (mode === 'follow' ? BETTER : whole ? 1.002 : BACK);
    if (!larger && !(mode === 'follow' && smaller)) better = null;
    else better ??= now;
    return outside || (better !== null && now - better > CALM);
  }

  return {
    camera: () => camera,
    mode: () => mode,
    aim,
    frame(shown, at, now) {
      const first = flock === null && at !== null;
      room = shown;
      flock = at;
      const next = room === null ? '' : [...room.world, room.boundary].join();
      const another = world !== '' && next !== world;
      if (another) become('all');
      if (world === '' && next !== '') aim(false);
      else if (another) aim(true);
      else if (camera.deviceRatio !== window.devicePixelRatio) aim(false);
      else if (first && odd()) aim(true);
      else if (glide === null && wants(now)) aim(true);
      world = next;
      if (glide === null) return;
      glide.began ??= now;
      const { from, to, began } = glide;
      const t = (now - began) / GLIDE_TIME;
      if (t >= 1) glide = null;
      see(between(from, to, t));
    },
    zoom(factor, px, py, dx = 0, dy = 0) {
      const [width, height] = room?.world ?? UNKNOWN;
      const least = ZOOM_LEAST * show({ left: 0, top: 0, right: width, bottom: height }).scale;
      const scale = clamp(camera.scale * factor, least, (ZOOM_MOST / ZOOM_LEAST) * least);
      const [x, y] = toWorld(camera, px, py);
      glide = null;
      become('free');
      see({ ...camera, scale, left: px - x * scale + dx, top: py - y * scale + dy });
    },
    back() {
      become('all');
      aim(true);
    },
    best: () => best,
    limit(scale) {
      most = scale;
      if (mode !== 'free') aim(true);
    },
    hold(is) {
      if (is === held) return;
      held = is;
      if (mode !== 'free') aim(true);
    },
  };
}
