// A ground in the Canvas2D renderer, and its rims: strips of the ground that cover boids near the edges of a torus.

import type { Camera } from './camera';
import { type Backdrop, type Scene, placeOf } from './scene';

type Pen = CanvasRenderingContext2D;

/** Draws the ground where its camera has it. */
export function drawBackdrop(pen: Pen, backdrop: Backdrop, camera: Camera): void {
  const [scale, left, top] = placeOf(backdrop, camera);
  pen.drawImage(backdrop.picture, left, top, backdrop.camera.width * scale, backdrop.camera.height * scale);
}

export interface Rims {
  draw(pen: Pen, scene: Scene, backdrop: Backdrop): void;
}

export function createRims(): Rims {
  const canvas = document.createElement('canvas');
  const own = canvas.getContext('2d');
  let made = ''; // the values for which the canvas is drawn

  /** Makes a copy of the ground with a hole that has soft edges: the inside of the world. */
  function cut({ camera, room }: Scene, backdrop: Backdrop): void {
    if (own === null || room === null) return;
    const { left, top, scale } = camera;
    const [width, height] = room.world.map((side) => side * scale);
    canvas.width = Math.max(1, Math.round(camera.width));
    canvas.height = Math.max(1, Math.round(camera.height));
    own.globalCompositeOperation = 'source-over';
    drawBackdrop(own, backdrop, camera);
    own.globalCompositeOperation = 'destination-out';
    // Boxes inside each other: each one removes a part of what the others left.
    const steps = 16;
    for (let i = 0; i < steps; i++) {
      const inset = (backdrop.rim * (i + 0.5)) / steps;
      const [before, after] = [i / steps, (i + 1) / steps].map((t) => 1 - t * t * (3 - 2 * t));
      own.globalAlpha = before > 0 ? 1 - after / before : 1;
      own.fillRect(left + inset, top + inset, width - 2 * inset, height - 2 * inset);
    }
    own.globalAlpha = 1;
  }

  return {
    draw(pen, scene, backdrop) {
      const { left, top, scale, width, height } = scene.camera;
      const { rim, version } = backdrop;
      const now = [left, top, scale, width, height, rim, version].join();
      if (now !== made) cut(scene, backdrop);
      made = now;
      const [right, bottom] = (scene.room?.world ?? [0, 0]).map((side) => side * scale);
      const [inTop, inBottom] = [Math.ceil(top + rim), Math.floor(top + bottom - rim)];
      const [inLeft, inRight] = [Math.ceil(left + rim), Math.floor(left + right - rim)];
      pen.globalAlpha = backdrop.opacity;
      for (const [x1, y1, x2, y2] of [
        [0, 0, width, inTop],
        [0, inBottom, width, height],
        [0, inTop, inLeft, inBottom],
        [inRight, inTop, width, inBottom],
      ]) {
        const [x, y, x3, y3] = [Math.max(0, x1), Math.max(0, y1), Math.min(canvas.width, x2), Math.min(canvas.height, y2)];
        if (x3 > x && y3 > y) pen.drawImage(canvas, x, y, x3 - x, y3 - y, x, y, x3 - x, y3 - y);
      }
      pen.globalAlpha = 1;
    },
  };
}
