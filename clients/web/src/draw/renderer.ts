// Which renderer draws the boids. WebGL2 may fail where it is there: with a driver that does not take the shaders, or after
// a lost context. Then Canvas2D goes on, on a canvas of its own: a canvas keeps its first context for good.

import { create2dRenderer } from './canvas2d';
import type { Renderer } from './scene';
import { createWebglRenderer, hasGpu } from './webgl';

/** wanted: '2d' or 'webgl2' where that one is asked for. */
export function createRenderer(canvas: HTMLCanvasElement, wanted: string): Renderer {
  let current = (wanted === 'webgl2' || (wanted !== '2d' && hasGpu()) ? webgl(canvas, fallBack) : null) ?? plain(canvas);

  function fallBack(): void {
    current = plain(canvas);
  }

  return {
    get kind() {
      return current.kind;
    },
    draw: (scene) => current.draw(scene),
  };
}

function webgl(canvas: HTMLCanvasElement, onBroken: () => void): Renderer | null {
  try {
    return createWebglRenderer(canvas, onBroken);
  } catch (error) {
    console.info('WebGL2 does not work here:', error);
    return null;
  }
}

function plain(canvas: HTMLCanvasElement): Renderer {
  const renderer = create2dRenderer(canvas) ?? create2dRenderer(above(canvas));
  if (renderer === null) throw new Error('this browser draws on no canvas');
  return renderer;
}

/** Another canvas over that one, which still takes the pointers. */
function above(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const other = document.createElement('canvas');
  other.className = 'above';
  other.setAttribute('aria-hidden', 'true');
  canvas.after(other);
  return other;
}
