// Where the world is on the screen: all of it visible, centred, as large as fits.

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
export const RATIO_MAX = 2; // beyond it nobody sees more, but the GPU pays for it

export function fit(world: [number, number], width: number, height: number, ratio: number): Camera {
  const scale = Math.max(1e-6, Math.min((width - 2 * MARGIN) / world[0], (height - 2 * MARGIN) / world[1]));
  return {
    width,
    height,
    scale,
    left: (width - world[0] * scale) / 2,
    top: (height - world[1] * scale) / 2,
    ratio: Math.min(RATIO_MAX, Math.max(0.5, ratio)),
    deviceRatio: ratio,
  };
}

export const toScreen = (camera: Camera, x: number, y: number): [number, number] => [
  camera.left + x * camera.scale,
  camera.top + y * camera.scale,
];

export const toWorld = (camera: Camera, px: number, py: number): [number, number] => [
  (px - camera.left) / camera.scale,
  (py - camera.top) / camera.scale,
];
