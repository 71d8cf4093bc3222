// Chooses the renderer. WebGL2 can fail: a driver may refuse the shaders, or a lost context may not come back. Canvas2D then
// takes over on a new canvas, because a canvas keeps the type of its first context.

import { create2dRenderer } from './canvas2d';
import type { Renderer } from './scene';
import { createWebglRenderer, hasGpu } from './webgl';

/** wanted: '2d' or 'webgl2' to force that renderer. */
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

/** Returns a new canvas over that one. The old canvas still receives pointer events. */
function above(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const other = document.createElement('canvas');
  other.className = 'above';
  other.setAttribute('aria-hidden', 'true');
  canvas.after(other);
  return other;
}
