// Chooses the renderer, and loads only that one. WebGL2 can fail: a driver may refuse the shaders, or a lost context may not come
// back. Canvas2D then takes over on a new canvas, because a canvas keeps the type of its first context.

import { hasGpu } from './gpu';
import type { Load, Renderer } from './scene';

/** wanted: '2d' or 'webgl2' to force that renderer. */
export function createRenderer(canvas: HTMLCanvasElement, wanted: string, load: Load): Renderer {
  let kind: Renderer['kind'] = wanted === 'webgl2' || (wanted !== '2d' && hasGpu()) ? 'webgl2' : '2d';
  let current: Renderer | null = null;
  void (kind === 'webgl2' ? takeWebgl() : take2d());

  async function takeWebgl(): Promise<void> {
    const { createWebglRenderer } = await load(() => import('./webgl'));
    try {
      current = createWebglRenderer(canvas, load, () => void take2d());
    } catch (error) {
      console.info('WebGL2 does not work here:', error);
    }
    if (current === null) await take2d();
  }

  async function take2d(): Promise<void> {
    kind = '2d';
    current = null;
    const { create2dRenderer } = await load(() => import('./canvas2d'));
    current = create2dRenderer(canvas, load) ?? create2dRenderer(above(canvas), load);
    if (current === null) throw new Error('this browser draws on no canvas');
  }

  return {
    get kind() {
      return kind;
    },
    draw: (scene) => current?.draw(scene),
  };
}

/** Returns a new canvas over that one. The old canvas still receives pointer events. */
function above(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const other = document.createElement('canvas');
  other.className = 'above';
  other.setAttribute('aria-hidden', 'true');
  canvas.after(other);
  return other;
}
