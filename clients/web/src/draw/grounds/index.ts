// The ground behind the boids, loaded when a room has one. It is painted onto a canvas larger than the window, and again when the camera
// has come to rest. While the camera moves, it is painted again only if a part of the window would be empty: painting takes time. Walls that are things are on a canvas of their own above the boids, which the browser moves with the camera.

import type { Room } from '../../net/protocol';
import type { Camera } from '../camera';
import { sizeOf } from '../labels';
import { type Backdrop, type Colors, type Theme, THEMES, fills, placeOf, useColors } from '../scene';
import { colorOf, paint, paintWalls } from './paint';
import { GROUNDS, type Ground, type Hue } from './table';

const REST = 120; // ms for which the camera stands still before the ground is painted for it
const PATCH = 250; // ms between two paintings for a camera that moves
const BESIDE = 64; // CSS pixels that are painted on each side of the window, for a camera that moves
const APPEAR = 600; // ms in which a ground appears
const PIXELS_MAX = 4.3e6; // of the canvas: enough for a screen of 2560 by 1440

export interface Grounds {
  /** Returns the ground to draw, or null: the room has none. still: the person prefers reduced motion. */
  of(room: Room, camera: Camera, theme: Theme, now: number, still: boolean): Backdrop | null;
}

function colorsOf({ light, stops, frame, ink }: Hue): Partial<Colors> {
  const [middle, edge] = [stops[Math.floor((stops.length - 1) / 2)], stops.at(-1) ?? stops[0]];
  return { light, middle: colorOf(middle), edge: colorOf(edge), frame: colorOf(frame), ink: colorOf(ink) };
}

/** Gives the page the colours of that ground; undefined: the page's own colours. */
export const useGround = (ground: Ground | undefined): void =>
  useColors(ground === undefined ? {} : Object.fromEntries(THEMES.map((theme) => [theme, colorsOf(ground[theme])])));

/** The camera of a window that is larger on each side. */
const widen = (camera: Camera): Camera => ({
  ...camera,
  width: camera.width + 2 * BESIDE,
  height: camera.height + 2 * BESIDE,
  left: camera.left + BESIDE,
  top: camera.top + BESIDE,
});

/** above: an empty canvas over the boids. */
export function createGrounds(above: HTMLCanvasElement): Grounds {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { alpha: false });
  const abovePen = above.getContext('2d');
  let name = '';
  let began = 0; // ms: when the ground began to appear
  let painted = ''; // the ground on the canvas, without the camera's place
  let at: Camera | null = null; // the camera that it was painted for
  let last: Camera | null = null; // of the frame before
  let moved = 0; // ms: when the camera moved last
  let paintedAt = 0; // ms
  let version = 0;

  function choose(next: string, ground: Ground | undefined, now: number): void {
    if (next === name) return;
    name = next;
    began = now;
    useGround(ground);
  }

  const same = (a: Camera | null, b: Camera): boolean => a !== null && a.left === b.left && a.top === b.top && a.scale === b.scale;

  function paintAnew(ground: Ground, theme: 'dark' | 'light', room: Room, camera: Camera, large: number): void {
    if (pen === null) return;
    const { width, height, ratio } = camera;
    const scale = Math.min(ratio, Math.sqrt(PIXELS_MAX / (width * height)));
    const painting = { ground, hue: ground[theme], room, camera, large };
    const begin = (own: CanvasRenderingContext2D): void => {
      own.canvas.width = Math.max(1, Math.round(width * scale));
      own.canvas.height = Math.max(1, Math.round(height * scale));
      own.setTransform(scale, 0, 0, scale, 0, 0);
    };
    begin(pen);
    paint(pen, painting);
    if (abovePen !== null && ground.walls !== undefined) {
      begin(abovePen);
      Object.assign(above.style, { width: `${width}px`, height: `${height}px` });
      paintWalls(abovePen, painting);
    }
    at = camera;
    version++;
  }

  /** Shows the walls where the backdrop has them; null: it has none. */
  function placeAbove(backdrop: Backdrop | null, camera: Camera): void {
    above.hidden = backdrop === null;
    if (backdrop === null) return;
    const [scale, left, top] = placeOf(backdrop, camera);
    const transform = `translate(${left}px, ${top}px) scale(${scale})`;
    if (above.style.transform !== transform) above.style.transform = transform;
    if (above.style.opacity !== String(backdrop.opacity)) above.style.opacity = String(backdrop.opacity);
  }

  return {
    of(room, camera, theme, now, still) {
      const ground = theme === 'system' || pen === null ? undefined : GROUNDS[room.ground];
      choose(ground === undefined ? '' : room.ground, ground, now);
      if (ground === undefined || theme === 'system') {
        placeAbove(null, camera);
        return null;
      }
      const what = [name, theme, camera.width, camera.height, camera.ratio, room.boundary, room.world, room.walls].join();
      if (!same(last, camera)) moved = now;
      last = camera;
      const sky = ground.pattern === 'sky'; // it does not move with the camera
      const next = sky ? camera : widen(camera);
      const rests = now - moved >= REST && !same(at, next);
      const patches = now - paintedAt >= PATCH && at !== null && !sky && !fills({ camera: at }, camera);
      if (what !== painted || rests || patches) {
        paintAnew(ground, theme, room, next, sizeOf(false, camera.width, camera.height));
        paintedAt = now;
      }
      painted = what;
      const opacity = still ? 1 : Math.min(1, (now - began) / APPEAR);
      const backdrop = {
        ...{ picture: canvas, version, camera: sky ? camera : (at ?? camera) },
        opacity,
        sway: still ? 0 : ground.sway,
        rim: room.boundary === 'wrap' ? ground.rim * Math.min(...room.world) * camera.scale : 0,
        walls: ground.walls !== undefined && opacity === 1, // while the ground appears, the overlay draws the walls as lines
        framed: ground[theme].beyond === undefined && !sky,
      };
      placeAbove(ground.walls === undefined ? null : backdrop, camera);
      return backdrop;
    },
  };
}
