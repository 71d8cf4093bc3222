// Which part of the world the window shows. Left alone, all of the world and the flock wherever it flies; in a window of
// quite another shape, such as a phone's, the flock alone, larger. The camera rests for as long as what it shows is good,
// and then glides to its next place. Whoever zooms or pans has it to themselves, until they give it back.

import type { Room } from '../net/protocol';
import { type Camera, type Covered, between, fit, inside, toScreen, toWorld } from './camera';
import { clamp } from '../numbers';

const GLIDE_TIME = 700; // ms from one camera to the next
const UNKNOWN: [number, number] = [550, 400]; // a world, before there is one
const ROOM = 1.7; // around the flock's centroid that is shown, in its radii
const ROOM_FOLLOWED = 2.2; // the same where the flock is followed
const WIDEST = 4; // worlds that are shown at most, before the flock is shown without the world
const SHAPE = 0.5; // of the window that the whole world would fill: below it the flock is followed
const ASTRAY = 0.24; // of the window's shorter side that a followed flock may be off the middle
const CALM = 1500; // ms for which there is a much better view before the camera takes it
const BETTER = 1.35; // times as large, of a flock that is followed
const BACK = 1.12; // and of a world that was widened
const ZOOM_LEAST = 0.5; // of the scale at which all of the world is shown
const ZOOM_MOST = 16;

/** Where the flock is, world units. radius: of gyration. */
export interface Whereabouts {
  x: number;
  y: number;
  radius: number;
}

/** all: of the world and the flock; follow: the flock; free: what the person wants. */
export type ViewMode = 'all' | 'follow' | 'free';

export interface Viewport {
  camera(): Camera;
  mode(): ViewMode;
  /** Points the camera at what is to be seen: at once, or smoothly. Not while it is free, but for `back`. */
  aim(smoothly: boolean): void;
  /** Once a frame, with the room that is shown. */
  frame(room: Room | null, flock: Whereabouts | null, now: number): void;
  /** The person zooms by that factor about a point of the window, and moves the view by CSS pixels. */
  zoom(factor: number, px: number, py: number, dx?: number, dy?: number): void;
  /** The person gives the camera back. */
  back(): void;
}

export interface ViewportOptions {
  window: Pick<Window, 'innerWidth' | 'innerHeight' | 'devicePixelRatio'>;
  /** What lies over the window, CSS pixels. */
  covers(): Covered;
  /** Whether motion is to be avoided. */
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

/** What is to be seen of an open world: the flock is never left out. */
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
  let world = ''; // that was shown last
  let better: number | null = null; // since when there is a better view

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

  /** The flock, as large as it is good to see, and nothing of what is beyond a world that is larger than the window. */
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

  /** Whether all of the world would leave most of the window empty. */
  function odd(): boolean {
    const [width, height] = room?.world ?? UNKNOWN;
    const { width: freeWidth, height: freeHeight } = free();
    const [across, down] = [freeWidth / width, freeHeight / height];
    return Math.min(across, down) < SHAPE * Math.max(across, down);
  }

  function ideal(): Camera {
    if (room === null) return show({ left: 0, top: 0, right: UNKNOWN[0], bottom: UNKNOWN[1] });
    const area = extent(room, flock);
    // Wherever it has gone, the flock comes first.
    const gone = flock !== null && !inside(flock.x, flock.y, 0, 0, ...room.world);
    if (flock === null || !odd() || gone) return show(area);
    return followed(room, flock);
  }

  function aim(smoothly: boolean): void {
    if (mode === 'free') {
      const { innerWidth: width, innerHeight: height, devicePixelRatio } = window;
      const { ratio } = fit(UNKNOWN, width, height, devicePixelRatio);
      see({ ...camera, width, height, ratio, deviceRatio: devicePixelRatio });
      return;
    }
    become(flock !== null && odd() ? 'follow' : 'all');
    const next = ideal();
    better = null;
    if (smoothly && !options.still()) {
      glide = { from: camera, to: next, began: null };
    } else {
      glide = null;
      see(next);
    }
  }

  /** Whether the flock is lost from the view, or has been seen too small or off the middle for a while. */
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
  };
}
