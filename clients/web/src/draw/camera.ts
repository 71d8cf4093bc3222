// The world's place on the screen: entirely visible, centred and as large as fits.

import { mix } from '../numbers';

export interface Camera {
  width: number; // of the window, CSS pixels
  height: number;
  scale: number; // CSS pixels per world unit
  left: number; // of the world's origin, CSS pixels
  top: number;
  ratio: number; // pixels drawn per CSS pixel
  deviceRatio: number; // device pixels per CSS pixel
}

const MARGIN = 10; // CSS pixels around the world
export const RATIO_MAX = 2; // a higher ratio costs GPU time and shows no difference

/** The parts of the window that panels cover at its right and its bottom, CSS pixels. */
export interface Covered {
  right: number;
  bottom: number;
}

/** Shows the whole world in the part of the window that is not covered. */
export function fit(
  world: [number, number],
  width: number,
  height: number,
  ratio: number,
  covered: Covered = { right: 0, bottom: 0 },
): Camera {
  const free = [width - covered.right, height - covered.bottom];
  const scale = Math.max(1e-6, Math.min((free[0] - 2 * MARGIN) / world[0], (free[1] - 2 * MARGIN) / world[1]));
  return {
    width,
    height,
    scale,
    left: (free[0] - world[0] * scale) / 2,
    top: (free[1] - world[1] * scale) / 2,
    ratio: Math.min(RATIO_MAX, Math.max(0.5, ratio)),
    deviceRatio: ratio,
  };
}

/** Returns the camera between two cameras of the same window; t from 0 to 1. On a busy machine a frame's time may lie before the
 * start of the way: then t is below 0, and the camera is still `from`. */
export function between(from: Camera, to: Camera, t: number): Camera {
  if (t <= 0) return from;
  if (t >= 1) return to;
  const eased = t * t * (3 - 2 * t);
  return {
    ...to,
    scale: mix(from.scale, to.scale, eased),
    left: mix(from.left, to.left, eased),
    top: mix(from.top, to.top, eased),
  };
}

/** Whether a point lies in a rectangle. */
export const inside = (x: number, y: number, left: number, top: number, right: number, bottom: number): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

export const toScreen = (camera: Camera, x: number, y: number): [number, number] => [
  camera.left + x * camera.scale,
  camera.top + y * camera.scale,
];

export const toWorld = (camera: Camera, px: number, py: number): [number, number] => [
  (px - camera.left) / camera.scale,
  (py - camera.top) / camera.scale,
];
