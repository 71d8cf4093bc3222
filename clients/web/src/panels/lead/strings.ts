// Lines from this person's cursor to the boids that it leads. The person finds these boids at once among the boids of a class.

import type { Context } from '../../app/context';
import { toScreen } from '../../draw/camera';
import { type Layer, ORDER, type Pen } from '../../draw/layers';
import { type Scene, type Tint, css } from '../../draw/scene';
import { boidAt, shownCount } from '../../flock/timeline';
import { OWN } from './colors';

const MOST = 64; // lines; of more boids every second, fourth, eighth … has one
const DOT = 2.6; // CSS pixels: radius of a line's end
const RIM = { light: 'rgb(255 255 255 / 0.7)', dark: 'rgb(5 7 12 / 0.6)' }; // beside the lines, for contrast

/** tint: returns the boids' colours; null: the person leads none. */
export function stringsLayer({ ownCursor }: Pick<Context, 'ownCursor'>, tint: (scene: Scene) => Tint | null): Layer {
  /** Returns the ends of the lines, CSS pixels. */
  function ends({ moment, room, camera }: Scene, { of }: Tint): (readonly [number, number])[] {
    if (moment === null || room === null) return [];
    const leaders = of(moment.b, room);
    const mine: number[] = [];
    for (let i = 0; i < shownCount(moment); i++) if (leaders[i] === OWN) mine.push(i);
    let step = 1;
    while (mine.filter((i) => i % step === 0).length > MOST) step *= 2;
    return mine.flatMap((i) => {
      const at = i % step === 0 ? boidAt(moment, i, room) : null;
      return at === null ? [] : [toScreen(camera, room.world[0] / 2 + at[0] * room.quantum, room.world[1] / 2 + at[1] * room.quantum)];
    });
  }

  function trace({ context, large }: Pen, from: readonly [number, number], to: readonly (readonly [number, number])[], far: readonly [number, number]): void {
    context.beginPath();
    for (const [x, y] of to) {
      const across = Math.abs(x - from[0]) > far[0] || Math.abs(y - from[1]) > far[1]; // an edge of the torus is between them
      if (!across) context.moveTo(...from);
      if (!across) context.lineTo(x, y);
      context.moveTo(x + DOT * large, y);
      context.arc(x, y, DOT * large, 0, 2 * Math.PI);
    }
  }

  return {
    name: 'strings',
    order: ORDER.line,
    shows(scene) {
      const at = ownCursor.steers() ? ownCursor.steering.cursor() : null;
      const colors = at === null ? null : tint(scene);
      return colors === null || scene.moment === null ? null : [scene.moment.b.serial, scene.moment.alpha, at?.x, at?.y, css(colors.colors[OWN])];
    },
    paint(pen, scene) {
      const { context, colors, camera, large, shade } = pen;
      const [at, led] = [ownCursor.steering.cursor(), tint(scene)];
      if (at === null || led === null || scene.room === null) return;
      const { world, boundary } = scene.room;
      const far = world.map((side) => (boundary === 'wrap' ? (side * camera.scale) / 2 : Infinity)) as [number, number];
      trace(pen, toScreen(camera, at.x, at.y), ends(scene, led), far);
      const color = colors.plain ? colors.ink : led.colors[OWN];
      for (const [stroke, width] of [[RIM[colors.light ? 'light' : 'dark'], 3.6] as const, [shade(color, 0.9), 1.6] as const]) {
        context.strokeStyle = stroke;
        context.lineWidth = width * large;
        context.stroke();
      }
    },
  };
}
