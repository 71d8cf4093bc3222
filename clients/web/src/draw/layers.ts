// The layers over the boids, in order. A layer paints on the overlay's canvas or moves elements of the page, which are above
// the canvas. The renderers draw the trails below the boids; their layer only says whether.

import type { Camera } from './camera';
import { COLORS, type Color, type Colors, type Scene, css } from './scene';

/** The places of the layers, the lowest first. */
export const ORDER = {
  trails: 0,
  world: 10,
  density: 15,
  walls: 20,
  links: 25,
  things: 28,
  line: 30,
  target: 40,
  centroid: 50,
  arrows: 60,
  why: 65,
  cursors: 70,
  names: 80,
  own: 90,
} as const;

export interface Pen {
  context: CanvasRenderingContext2D;
  camera: Camera;
  colors: Colors;
  large: number; // the size of words and marks; 1: as on a desktop screen
  shade(color: Color, opacity: number): string;
  thin(): number; // the width of a thin line
}

export interface Layer {
  name: string;
  order: number; // as in ORDER; layers with the same order are drawn in the order of add()
  /** Whether it can be seen now; missing: always. */
  may?(): boolean;
  /** The values that paint() depends on, except the camera, the theme and the size; null: there is nothing to paint. */
  shows?(scene: Scene, large: number): readonly unknown[] | null;
  paint?(pen: Pen, scene: Scene): void;
  /** Moves the layer's elements, once for each frame. */
  move?(scene: Scene, large: number): void;
}

export interface Layers {
  add(...layers: readonly Layer[]): void;
  isOn(name: string): boolean;
  /** Whether it is switched on, although it may not be seen now. */
  wants(name: string): boolean;
  show(name: string, on: boolean): void;
  draw(scene: Scene): void;
  /** The size of words and marks in the last frame. */
  large(): number;
}

/** size: returns the size of words and marks in a window of that size. */
export function createLayers(canvas: HTMLCanvasElement, size: (width: number, height: number) => number): Layers {
  const context = canvas.getContext('2d'); // null: the canvas stays empty
  const layers: Layer[] = [];
  const off = new Set<string>();
  let large = 1;
  let drawn = ''; // the layers on the canvas, as JSON

  const isOn = (name: string): boolean => {
    const layer = layers.find((each) => each.name === name);
    return layer !== undefined && !off.has(name) && (layer.may?.() ?? true);
  };

  function paint(pen: CanvasRenderingContext2D, scene: Scene): void {
    const { camera, theme } = scene;
    const { width, height, scale, left, top, ratio } = camera;
    const visible = layers.flatMap((layer) => {
      const shown = isOn(layer.name) ? (layer.shows?.(scene, large) ?? null) : null;
      return shown === null ? [] : [{ layer, shown }];
    });
    const next = JSON.stringify([
      width,
      height,
      scale,
      left,
      top,
      ratio,
      large,
      theme,
      visible.map(({ layer, shown }) => [layer.name, shown]),
    ]);
    if (next === drawn) return;
    drawn = next;
    const [right, bottom] = [width, height].map((side) => Math.max(1, Math.round(side * ratio)));
    if (canvas.width !== right) canvas.width = right;
    if (canvas.height !== bottom) canvas.height = bottom;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, right, bottom);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const colors = COLORS[theme];
    const shade = (color: Color, opacity: number): string => css(color, colors.plain ? 1 : opacity);
    const thin = (): number => (colors.plain ? 2 : 1) * large;
    for (const { layer } of visible) layer.paint?.({ context: pen, camera, colors, large, shade, thin }, scene);
  }

  return {
    add(...more) {
      for (const layer of more) {
        if (layers.some(({ name }) => name === layer.name)) throw new Error(`two layers are called ${layer.name}`);
        layers.push(layer);
      }
      layers.sort((a, b) => a.order - b.order);
    },
    isOn,
    wants: (name) => !off.has(name),
    show(name, on) {
      if (on) off.delete(name);
      else off.add(name);
    },
    draw(scene) {
      large = size(scene.camera.width, scene.camera.height);
      if (context !== null) paint(context, scene);
      for (const layer of layers) if (isOn(layer.name)) layer.move?.(scene, large);
    },
    large: () => large,
  };
}
