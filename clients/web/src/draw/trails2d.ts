// The trails of the Canvas2D renderer: the boids' paths on a smaller opaque canvas. The canvas fades by a constant, as in WebGL.
// A fade by a share would end early: with 8 bits, a change of less than half a step is lost, and ghosts of trails would remain.

import type { Shape } from './look';
import type { Placed } from './placed';
import { COLORS, type Color, type Scene, css, trailStrength, trailTime } from './scene';

const SCALE = 0.5; // of the trails' canvas, to CSS pixels
const STEP = 16; // of 255: the least fade at a time, because each fade costs a pass over the canvas
// A trail fades evenly here, and more and more slowly in WebGL, and has no soft edges. So it is weaker, above all a wide one.
const strengthOf = (shape: Shape): number => trailStrength(shape) * (shape === 'blur' ? 0.45 : 0.7);

export interface Trails {
  /** Fades the trails, adds the boids' paths of this frame, and draws all of them. */
  draw(pen: CanvasRenderingContext2D, scene: Scene, palette: readonly Color[], boids: Placed): void;
  /** Removes all trails. Must be called when the window, the camera or the look has changed. */
  reset(scene: Scene): void;
}

/** Returns null if the browser has no 2D context left. */
export function createTrails(): Trails | null {
  const made = document.createElement('canvas').getContext('2d', { alpha: false });
  return made === null ? null : trailsOn(made);
}

function trailsOn(pen: CanvasRenderingContext2D): Trails {
  const { canvas } = pen;
  let fading = 0; // steps of 1/255 by which the trails will fade

  function cover(how: GlobalCompositeOperation, level: number): void {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.globalCompositeOperation = how;
    pen.fillStyle = `rgb(${level}, ${level}, ${level})`;
    pen.fillRect(0, 0, canvas.width, canvas.height);
  }

  /** Takes the same from each channel, down to the colour of no trail: black, or white on a light ground. */
  function fade(light: boolean): void {
    const level = Math.min(255, Math.floor(fading));
    if (level < STEP) return;
    fading -= Math.floor(fading);
    if (light) return cover('lighter', level);
    cover('lighten', level);
    cover('difference', level);
  }

  return {
    reset({ camera, theme }) {
      canvas.width = Math.max(1, Math.ceil(camera.width * SCALE));
      canvas.height = Math.max(1, Math.ceil(camera.height * SCALE));
      cover('source-over', COLORS[theme].light ? 255 : 0);
    },
    draw(screen, { moment, theme, shape, length, passed }, palette, { count, x, y, dx, dy, color }) {
      const { light } = COLORS[theme];
      fading += (255 * passed) / trailTime(shape);
      fade(light);
      pen.setTransform(SCALE, 0, 0, SCALE, 0, 0);
      pen.globalCompositeOperation = light ? 'darken' : 'lighten';
      pen.lineWidth = length * 0.3 + 0.5;
      pen.lineCap = 'round';
      const strength = strengthOf(shape);
      const back = passed * (moment?.perMs ?? 0);
      palette.forEach((of, index) => {
        let any = false;
        for (let i = 0; i < count; i++) {
          if (color[i] !== index || (dx[i] === 0 && dy[i] === 0)) continue; // a boid that rests would leave its round caps
          if (!any) pen.beginPath();
          any = true;
          pen.moveTo(x[i] - dx[i] * back, y[i] - dy[i] * back);
          pen.lineTo(x[i], y[i]);
        }
        if (!any) return;
        const [r, g, b] = of.map((value) => (light ? 1 - strength * (1 - value) : strength * value));
        pen.strokeStyle = css([r, g, b]);
        pen.stroke();
      });
      screen.globalCompositeOperation = light ? 'multiply' : 'screen';
      screen.drawImage(canvas, 0, 0, canvas.width / SCALE, canvas.height / SCALE);
      screen.globalCompositeOperation = 'source-over';
    },
  };
}
