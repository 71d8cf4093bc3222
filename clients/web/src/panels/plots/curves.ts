// Sweeps as curves, as a table and as a command. Nothing here uses the browser.

import { SWEEP_MEASURES } from '../../net/messages';
import type { Room, Swept, SweptPoint, Things } from '../../net/protocol';
import { NAMES } from './columns';

const SAMPLE_RATE = 5; // Hz, as the server's

/** The measures of a sweep. */
export const CURVES = NAMES.slice(0, SWEEP_MEASURES);

/** Returns the shortest decimals that make the same float. */
export function shortest(value: number): string {
  const float = Math.fround(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = String(Number(float.toPrecision(digits)));
    if (Math.fround(Number(text)) === float) return text;
  }
  return String(Number(float.toPrecision(9)));
}

/** Returns the time that a sweep takes, s. */
export const timeOf = (steps: number, warmUp: number, seconds: number): number => steps * (warmUp + seconds);

/** Returns a table with the columns of flock-sim --sweep. */
export function tableOfPoints(points: readonly SweptPoint[]): string {
  const measures = CURVES.map((name) => (name === 'radius' ? 'gyration' : name));
  const head = ['value', 'samples', ...measures.flatMap((name) => [name, `${name}_error`])];
  const rows = points.map(({ value, samples, means, errors }) =>
    [shortest(value), samples, ...measures.flatMap((_, i) => [shortest(means[i]), shortest(errors[i])])].join(','),
  );
  return `${[head.join(','), ...rows].join('\r\n')}\r\n`;
}

/** Returns the command that makes the same sweep of such a flock, from a start of its own. flock-sim has no less than 1 unit of food. */
export function commandOf(room: Room, boids: number, things: Things | null, swept: Swept): string {
  const { model, boundary, update, world, params, walls, tickRate, idle } = room;
  const list = (name: string, all: readonly (readonly number[])[] = []): string[] => all.map((each) => `--${name} ${each.map(shortest).join()}`);
  const set = params.filter(({ name }) => name !== swept.name).map(({ name, value }) => `${name}=${shortest(value)}`);
  return [
    `flock-sim --model ${model} --boids ${boids} --world ${world.map(shortest).join('x')} --boundary ${boundary}`,
    ...(update === 'sequential' ? [`--update ${update}`] : []),
    `--set ${set.join(',')}`,
    ...list('wall', boundary === 'walls' ? walls : []),
    ...list('food', things?.food.map(({ x, y, amount }) => [x, y, Math.max(1, amount)])),
    ...list('hunter', things?.hunters.map(({ x, y }) => [x, y])),
    ...(idle === 'wander' ? ['--wander'] : []),
    `--sweep ${swept.name}=${shortest(swept.from)}:${shortest(swept.to)}:${swept.steps}`,
    `--warm-up ${swept.warmUp * tickRate} --ticks ${swept.seconds * tickRate} --every ${Math.ceil(tickRate / SAMPLE_RATE)}`,
  ].join(' ');
}

/** Returns the largest value of a curve, with its error. */
export const largestOf = (points: readonly SweptPoint[], measure: number): number =>
  points.reduce((most, { means, errors }) => Math.max(most, means[measure] + errors[measure]), 0);
