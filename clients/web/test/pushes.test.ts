// While a parameter changes, a sample of boids has arrows in the colours of its rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLayers } from '../src/draw/layers';
import type { Layer } from '../src/draw/layers';
import { css, type Scene } from '../src/draw/scene';
import { colorOfPush, pushName, pushesLayer } from '../src/draw/why';
import type { Pushes } from '../src/net/protocol';
import { mount } from '../src/panels/why/shown';
import type { Context } from '../src/app/context';
import { TOPIC_PUSHES, TOPIC_SHOWN } from '../src/net/messages';
import { FakeCanvas } from './canvas';
import { room } from './samples';

const NOTHING: Pushes = { kind: 'pushes', rules: [], tick: 0, boids: [] };

const at = (number: number, ...pushes: [number, number][]): Pushes['boids'][number] => ({
  ...{ number, x: 100 * number, y: 50 },
  pushes: pushes.map(([x, y]) => ({ x, y })),
});

/** Returns a page with that layer. look() draws a frame and returns the arrows: their colour and vector, CSS pixels. */
function page() {
  const canvas = new FakeCanvas();
  let pushes: Pushes | null = null;
  const layers = createLayers(canvas as unknown as HTMLCanvasElement, () => 1);
  layers.add(pushesLayer(() => pushes));
  const camera = { width: 800, height: 600, scale: 2, left: 0, top: 0, ratio: 1 };
  const scene = { ...{ camera, room: room(), moment: null, theme: 'dark' } } as unknown as Scene;
  const pen = canvas.getContext() as { strokeStyle: string };
  return {
    layers,
    /** The boid at which the first name stands: boids are 200 CSS pixels apart, and arrows shorter. */
    named: (): number => Math.floor(Number(canvas.called('fillText')[0][2]) / 200),
    says: (): string[] => canvas.called('fillText').map(([, text]) => String(text)),
    look(next: Pushes | null): [string, number, number][] {
      pushes = next;
      canvas.calls.length = 0;
      const colors: string[] = [];
      const note = canvas.calls.push.bind(canvas.calls);
      canvas.calls.push = (...calls) => {
        if (calls[0][0] === 'stroke') colors.push(pen.strokeStyle);
        return note(...calls);
      };
      layers.draw(scene);
      const [starts, ends] = [canvas.called('moveTo'), canvas.called('lineTo')];
      // Each line is drawn twice, first as a rim. It has two starts, of the shaft and of the head.
      return colors
        .map((color, line): [string, number, number] => {
          const [, x, y] = starts[2 * line] as [string, number, number];
          const [, toX, toY] = ends[3 * line] as [string, number, number];
          return [color, toX - x, toY - y];
        })
        .filter((_, line) => line % 2 === 1);
    },
  };
}

const ALIGNMENT = css(colorOfPush('alignment', false));
const COHESION = css(colorOfPush('cohesion', false));

test('each boid of the sample has an arrow for each rule in its colour, and the longest one its name', () => {
  const { look, says } = page();
  const drawn = look({
    kind: 'pushes',
    rules: ['alignment', 'cohesion'],
    tick: 5,
    boids: [at(0, [1, 0], [0, 0]), at(1, [0, 0.5], [0, -1])],
  });
  assert.deepEqual(
    drawn.map(([color, dx, dy]) => [color, Math.sign(dx), Math.sign(dy)]),
    [
      [ALIGNMENT, 1, 0],
      [COHESION, 0, -1],
      [ALIGNMENT, 0, 1],
    ],
  );
  assert.ok(drawn[0][1] > drawn[2][2], 'a stronger push has a longer arrow');
  assert.deepEqual(says(), [pushName('alignment'), pushName('cohesion')]);
});

test('equal pushes have the name once, and two rules have their names at two boids', () => {
  const { look, says } = page();
  const even: Pushes = { kind: 'pushes', rules: ['noise', 'seek'], tick: 5, boids: [0, 1, 2].map((number) => at(number, [0, 2], [2, 0])) };
  look(even);
  assert.deepEqual(says(), [pushName('noise'), pushName('seek')]);
});

test('a name stays at its boid while that arrow is long', () => {
  const { look, named } = page();
  const place = (first: number, second: number): number => {
    look({ kind: 'pushes', rules: ['noise'], tick: 5, boids: [at(0, [first, 0]), at(1, [second, 0])] });
    return named();
  };
  assert.deepEqual([place(2, 1), place(1.5, 2), place(1, 2), place(1.8, 2)], [0, 0, 1, 1]);
});

test('a short arrow lies over a longer one', () => {
  const { look } = page();
  const drawn = look({ kind: 'pushes', rules: ['noise', 'seek'], tick: 5, boids: [at(0, [1, 0], [2, 0])] });
  assert.ok(drawn[0][1] > drawn[1][1]);
});

test('arrows grow with the slider, and have an end', () => {
  const { look } = page();
  const length = (strength: number): number =>
    look({ kind: 'pushes', rules: ['noise'], tick: strength, boids: [at(0, [strength, 0])] })[0][1];
  const [first, twice, most] = [length(1), length(2), length(1000)];
  assert.ok(first < twice && twice < most && most <= 72, [first, twice, most].join());
  look(NOTHING);
  assert.equal(length(2), first, 'another drag begins with its own scale');
});

test('nothing is drawn without a change, or with the layer switched off', () => {
  const { layers, look } = page();
  const change: Pushes = { kind: 'pushes', rules: ['seek'], tick: 1, boids: [at(0, [1, 1])] };
  assert.equal(look(null).length + look(NOTHING).length, 0);
  assert.equal(look(change).length, 1);
  layers.show('rules', false);
  assert.equal(look(change).length, 0);
});

test('the drawing is loaded with the first change, for everybody', async () => {
  let pushes: Pushes | null = null;
  const added: string[] = [];
  let topics = 0;
  const view = mount({
    model: { why: () => null, pushes: () => pushes, welcome: () => ({ capabilities: ['topics'] }), status: () => ({ kind: 'connected' }) },
    source: { subscribe: (topic: number, is: boolean) => (topics = is ? topic : 0) },
    layers: { add: (...layers: Layer[]) => added.push(...layers.map(({ name }) => name)) },
    load: (part: () => Promise<unknown>) => part(),
  } as unknown as Context);
  view.room?.(room());
  assert.equal(topics, TOPIC_SHOWN | TOPIC_PUSHES);
  pushes = NOTHING;
  view.pushes?.(pushes);
  pushes = { ...NOTHING, rules: ['seek'] };
  view.pushes?.(pushes);
  view.pushes?.(pushes);
  await import('../src/draw/why');
  await Promise.resolve();
  assert.deepEqual(added, ['shown', 'rules']);
});
